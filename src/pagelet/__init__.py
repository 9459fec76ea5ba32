"""pagelet says what every part of a web page is."""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from pagelet.analysis import analyse, extract
from pagelet.errors import PageletError
from pagelet.methods import METHODS
from pagelet.methods.clutter import ClutterOptions, detect_clutter
from pagelet.methods.content import ContentOptions, extract_content
from pagelet.methods.menu import MenuOptions, detect_menu
from pagelet.methods.noise import NoiseOptions, detect_noise
from pagelet.methods.segments import detect_segments
from pagelet.methods.segments.options import SegmentsOptions
from pagelet.methods.template import TemplateOptions, detect_template
from pagelet.page.html import parse
from pagelet.page.query import Query
from pagelet.page.table import Page
from pagelet.pagelets import Pagelet, Pagelets
from pagelet.sources.forms import Form, read_forms

if _TYPE_CHECKING:
    from pagelet.sources import load
    from pagelet.sources.browser.render import RenderOptions, render

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
_LATER = {"RenderOptions": "browser.options", "load": "", "render": "browser.render"}


def __getattr__(name: str) -> _Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - as above

    module = import_module(".".join(filter(None, ("pagelet.sources", _LATER[name]))))
    return getattr(module, name)
