"""The functions of the package: one style for every method.

A page is HTML (str or bytes), a file (Path), a Page or a Rendering. Options are a ready dataclass
(`options=`) or keywords, never both.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack

from pagelet.context import Context, find_method, read_template
from pagelet.errors import NO_VALUE, NotAPage, OptionError
from pagelet.methods.registry import DEFAULT, Method
from pagelet.page.html import parse, pause_collector
from pagelet.page.layout import Layout, Rendering
from pagelet.page.query import NO_QUERY, Query
from pagelet.page.site import SharedRows, Site
from pagelet.page.table import Page
from pagelet.pagelets import Pagelets
from pagelet.wording import must_be_one_of

if TYPE_CHECKING:  # a method is imported when it runs
    from pagelet.methods.clutter.options import ClutterChanges, ClutterOptions
    from pagelet.methods.content.options import ContentChanges, ContentOptions
    from pagelet.methods.menu.options import MenuChanges, MenuOptions
    from pagelet.methods.noise.options import NoiseChanges, NoiseOptions
    from pagelet.methods.segments.options import SegmentsChanges, SegmentsOptions
    from pagelet.methods.template.options import TemplateChanges, TemplateOptions

Source = str | bytes | Path | Page | Rendering  #: what functions take as a page
SiteSource = Site | Sequence[Page]  #: other pages of the site, or what loads them
TemplateSource = str | Path | SharedRows | None  #: a file that `pagelet learn` wrote, or its rows

ADDRESS = re.compile(r"\s*https?://[^\s<]*\s*", re.IGNORECASE)


def analyse(  # noqa: PLR0913 - the inputs of all methods
    page: Source,
    method: str,
    /,
    *,
    profile: str | None = None,
    options: Any = None,
    site: SiteSource = (),
    query: Query = NO_QUERY,
    template: TemplateSource = None,
    **changes: Any,
) -> Pagelets:
    """Run a method, by its name, on a page."""
    return _run(
        method, page, (profile, options, changes), site=site, query=query, template=template
    )


def detect_menu(
    page: Source,
    *,
    profile: str | None = None,
    options: MenuOptions | None = None,
    site: SiteSource = (),
    template: TemplateSource = None,
    **changes: Unpack[MenuChanges],
) -> Pagelets:
    """Find the main menu of a page: one pagelet, or none."""
    return _run("menu", page, (profile, options, changes), site=site, template=template)


def detect_clutter(
    page: Source,
    *,
    profile: str | None = None,
    options: ClutterOptions | None = None,
    site: SiteSource = (),
    template: TemplateSource = None,
    **changes: Unpack[ClutterChanges],
) -> Pagelets:
    """Find link lists and text ads: the top-most elements with the highest score."""
    return _run("clutter", page, (profile, options, changes), site=site, template=template)


def extract_content(
    page: Source,
    *,
    profile: str | None = None,
    options: ContentOptions | None = None,
    site: SiteSource = (),
    template: TemplateSource = None,
    **changes: Unpack[ContentChanges],
) -> Pagelets:
    """Find the main content of a page: one pagelet per block."""
    return _run("content", page, (profile, options, changes), site=site, template=template)


def detect_noise(
    page: Source,
    *,
    profile: str | None = None,
    options: NoiseOptions | None = None,
    query: Query = NO_QUERY,
    **changes: Unpack[NoiseChanges],
) -> Pagelets:
    """Classify every element with text as noise or content."""
    return _run("noise", page, (profile, options, changes), query=query)


def detect_template(
    page: Source,
    *,
    profile: str | None = None,
    options: TemplateOptions | None = None,
    site: SiteSource = (),
    template: TemplateSource = None,
    **changes: Unpack[TemplateChanges],
) -> Pagelets:
    """Find what is a page's own, one pagelet per slot; all else is template."""
    return _run("template", page, (profile, options, changes), site=site, template=template)


def detect_segments(
    page: Source,
    *,
    profile: str | None = None,
    options: SegmentsOptions | None = None,
    layout: Layout | None = None,
    **changes: Unpack[SegmentsChanges],
) -> Pagelets:
    """Divide a rendered page into segments, one pagelet each.

    A rendering knows where its rows are; a page needs its `layout`.
    """
    return _run("segments", page, (profile, options, changes), layout=layout)


def extract(  # noqa: PLR0913 - the inputs of content extraction
    page: Source,
    url: str | None = None,
    *,
    format: Literal["text", "markdown", "html", "json"] = "text",
    profile: str | None = None,
    options: ContentOptions | None = None,
    site: SiteSource = (),
    template: TemplateSource = None,
    **changes: Unpack[ContentChanges],
) -> str:
    """The main content of a page as text; empty when there is none."""
    method = find_method("content")
    if format not in method.formats:
        raise OptionError("format", format, must_be_one_of(method.formats))
    chosen = choose_options(method, profile, options, changes)
    with pause_collector():  # the page is gone before the collector could look at it
        return _extract(page, url, format, chosen, {"site": site, "template": template})


def _extract(
    page: Source, url: str | None, format: str, options: ContentOptions, inputs: dict[str, Any]
) -> str:
    method = find_method("content")
    result = _context(page, url, **inputs).run(method, options)
    return result.to_json() if format == "json" else method.write(result, options, format)


def _run(
    method: str, page: Source, chosen: tuple[str | None, Any, Mapping[str, Any]], **inputs: Any
) -> Pagelets:
    """Run a method with what was chosen: a profile, ready options, or keywords."""
    row = find_method(method)
    options = choose_options(row, *chosen)  # checked before the page is read
    return _context(page, **inputs).run(row, options)


# -- arguments --------------------------------------------------------------------------------


def choose_options(
    method: Method, profile: str | None, options: Any, changes: Mapping[str, Any]
) -> Any:
    """The options of a call: a ready dataclass, or those of a profile with keywords applied."""
    if options is None:
        return method.with_options(profile or DEFAULT, changes)
    if not isinstance(options, method.options):
        raise OptionError("options", options, f"expected {method.options.__name__}")
    if changes:
        raise OptionError(next(iter(changes)), NO_VALUE, "give options= or keywords, not both")
    if profile not in (None, options.profile):
        why = f"the options are of the profile {options.profile}; give single options as keywords"
        raise OptionError("profile", profile, why)
    return options


def _context(
    page: Source,
    url: str | None = None,
    *,
    site: SiteSource = (),
    query: Query = NO_QUERY,
    template: TemplateSource = None,
    layout: Layout | None = None,
) -> Context:
    rendering = page if isinstance(page, Rendering) else None
    read = page.page if isinstance(page, Rendering) else read_page(page, url)
    if layout is not None:
        rendering = Rendering(read, layout)
    if isinstance(template, str | Path):
        template_file = str(template)
        learned = read_template(template_file) if template_file else None
        return Context(read, site, learned, rendering, query)
    return Context(read, site, template, rendering, query)


def read_page(page: Any, url: str | None = None) -> Page:
    """What a caller gave as a page, parsed if need be."""
    if isinstance(page, Page):
        return page if url is None else replace(page, url=url)
    if isinstance(page, str) and ADDRESS.fullmatch(page):
        raise NotAPage(f"{page.strip()!r} is an address, not HTML; pagelet.load(url) fetches it")
    if isinstance(page, str | bytes | bytearray | memoryview):
        return parse(page if isinstance(page, str) else bytes(page), url)
    if isinstance(page, Path):
        from pagelet.sources import load  # noqa: PLC0415 - few callers have files

        return load(str(page), url=url)
    raise NotAPage(
        f"{type(page).__name__} is no page;"
        " give HTML as str or bytes, a Path, a Page or a Rendering"
    )
