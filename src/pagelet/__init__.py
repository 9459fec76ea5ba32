"""pagelet says what every part of a web page is."""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from pagelet.analyse import analyse, extract
from pagelet.columns.page import Page
from pagelet.errors import PageletError
from pagelet.measures.query import Query
from pagelet.methods import METHODS
from pagelet.methods.clutter import ClutterOptions, detect_clutter
from pagelet.methods.content import ContentOptions, extract_content
from pagelet.methods.menu import MenuOptions, detect_menu
from pagelet.methods.noise import NoiseOptions, detect_noise
from pagelet.methods.segments import detect_segments
from pagelet.methods.segments_options import SegmentsOptions
from pagelet.methods.template import TemplateOptions, detect_template
from pagelet.pagelets import Pagelet, Pagelets
from pagelet.parse.forms import Form, read_forms
from pagelet.parse.html import parse

if _TYPE_CHECKING:
    from pagelet.sources import load
    from pagelet.sources.browser import RenderOptions, render

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
    "RenderOptions",
    "SegmentsOptions",
    "TemplateOptions",
    "analyse",
    "detect_clutter",
    "detect_menu",
    "detect_noise",
    "detect_segments",
    "detect_template",
    "extract",
    "extract_content",
    "load",
    "parse",
    "read_forms",
    "render",
]

#: What is looked for when first asked for: the web and the browser take long to import.
_LATER = {"RenderOptions": "browser", "load": "", "render": "browser"}


def __getattr__(name: str) -> _Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - as above

    module = import_module(".".join(filter(None, ("pagelet.sources", _LATER[name]))))
    return getattr(module, name)
