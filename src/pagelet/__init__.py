"""pagelet says what every part of a web page is."""

from pagelet.columns.page import Page
from pagelet.errors import PageletError
from pagelet.methods import METHODS
from pagelet.methods.clutter import ClutterOptions, detect_clutter
from pagelet.methods.menu import MenuOptions, detect_menu
from pagelet.pagelets import Pagelet, Pagelets
from pagelet.parse.html import parse

__all__ = [
    "METHODS",
    "ClutterOptions",
    "MenuOptions",
    "Page",
    "Pagelet",
    "PageletError",
    "Pagelets",
    "detect_clutter",
    "detect_menu",
    "parse",
]
