"""pagelet says what every part of a web page is."""

from pagelet.analyse import analyse, extract
from pagelet.columns.page import Page
from pagelet.errors import PageletError
from pagelet.measures.query import Query
from pagelet.methods import METHODS
from pagelet.methods.clutter import ClutterOptions, detect_clutter
from pagelet.methods.content import ContentOptions, extract_content
from pagelet.methods.menu import MenuOptions, detect_menu
from pagelet.methods.noise import NoiseOptions, detect_noise
from pagelet.methods.template import TemplateOptions, detect_template
from pagelet.pagelets import Pagelet, Pagelets
from pagelet.parse.forms import Form, read_forms
from pagelet.parse.html import parse

__all__ = [
    "METHODS",
    "ClutterOptions",
    "ContentOptions",
    "Form",
    "MenuOptions",
    "NoiseOptions",
    "Page",
    "Pagelet",
    "PageletError",
    "Pagelets",
    "Query",
    "TemplateOptions",
    "analyse",
    "detect_clutter",
    "detect_menu",
    "detect_noise",
    "detect_template",
    "extract",
    "extract_content",
    "parse",
    "read_forms",
]
