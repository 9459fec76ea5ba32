"""pagelet finds out what every part of a web page is.

Names are imported when they are first used, so that `import pagelet` costs next to nothing.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

if _TYPE_CHECKING:
    from pagelet.api import (
        analyse,
        detect_clutter,
        detect_links,
        detect_menu,
        detect_noise,
        detect_records,
        detect_segments,
        detect_template,
        extract,
        extract_content,
        parse,
        read_forms,
        read_metadata,
    )
    from pagelet.errors import PageletError
    from pagelet.metadata.facts import Metadata
    from pagelet.methods import METHODS
    from pagelet.methods.clutter.options import ClutterOptions
    from pagelet.methods.content.options import ContentOptions
    from pagelet.methods.links.options import LinksOptions
    from pagelet.methods.menu.options import MenuOptions
    from pagelet.methods.noise.options import NoiseOptions
    from pagelet.methods.records.options import RecordsOptions
    from pagelet.methods.segments.options import SegmentsOptions
    from pagelet.methods.template.learned import LearnedTemplate
    from pagelet.methods.template.options import TemplateOptions
    from pagelet.page.layout import Layout, Rendering
    from pagelet.page.query import Query
    from pagelet.page.site import SharedRows, Site
    from pagelet.page.table import Page
    from pagelet.pagelets import Pagelet, Pagelets
    from pagelet.sources import load
    from pagelet.sources.browser.options import RenderOptions
    from pagelet.sources.browser.render import render
    from pagelet.sources.forms import Form
    from pagelet.sources.options import Limits

__version__ = "0.1.0"

_MODULES = {
    "api": (
        "analyse", "detect_clutter", "detect_links", "detect_menu", "detect_noise",
        "detect_records", "detect_segments", "detect_template", "extract", "extract_content",
        "parse", "read_forms", "read_metadata",
    ),
    "errors": ("PageletError",),
    "metadata.facts": ("Metadata",),
    "methods": ("METHODS",),
    "methods.clutter.options": ("ClutterOptions",),
    "methods.content.options": ("ContentOptions",),
    "methods.links.options": ("LinksOptions",),
    "methods.menu.options": ("MenuOptions",),
    "methods.noise.options": ("NoiseOptions",),
    "methods.records.options": ("RecordsOptions",),
    "methods.segments.options": ("SegmentsOptions",),
    "methods.template.learned": ("LearnedTemplate",),
    "methods.template.options": ("TemplateOptions",),
    "page.layout": ("Layout", "Rendering"),
    "page.query": ("Query",),
    "page.site": ("SharedRows", "Site"),
    "page.table": ("Page",),
    "pagelets": ("Pagelet", "Pagelets"),
    "sources": ("load",),
    "sources.browser.options": ("RenderOptions",),
    "sources.browser.render": ("render",),
    "sources.forms": ("Form",),
    "sources.options": ("Limits",),
}  # fmt: skip
_WHERE = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "METHODS",
    "ClutterOptions",
    "ContentOptions",
    "Form",
    "Layout",
    "LearnedTemplate",
    "Limits",
    "LinksOptions",
    "MenuOptions",
    "Metadata",
    "NoiseOptions",
    "Page",
    "Pagelet",
    "PageletError",
    "Pagelets",
    "Query",
    "RecordsOptions",
    "RenderOptions",
    "Rendering",
    "SegmentsOptions",
    "SharedRows",
    "Site",
    "TemplateOptions",
    "analyse",
    "detect_clutter",
    "detect_links",
    "detect_menu",
    "detect_noise",
    "detect_records",
    "detect_segments",
    "detect_template",
    "extract",
    "extract_content",
    "load",
    "parse",
    "read_forms",
    "read_metadata",
    "render",
]


def __getattr__(name: str) -> _Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(_import_module(f"{__name__}.{_WHERE[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
