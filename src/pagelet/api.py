"""The functions of the package: one style for every method.

A page is HTML (str or bytes), a file (Path), a Page or a Rendering. Options are a ready dataclass
(`options=`) or keywords, never both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, Unpack

from pagelet.context import Context, find_method, read_files, read_template
from pagelet.errors import NO_VALUE, OptionError
from pagelet.methods.registry import DEFAULT, Evidence, Method, Request, run
from pagelet.page.expansion import MAX_NODES
from pagelet.page.html import parse as parse_html
from pagelet.page.html import pause_collector
from pagelet.page.layout import Layout, Rendering
from pagelet.page.query import NO_QUERY, Query
from pagelet.page.site import SharedRows, Site
from pagelet.page.table import Page
from pagelet.pagelets import Pagelets
from pagelet.sources.names import check_html
from pagelet.wording import must_be_one_of

if TYPE_CHECKING:  # a method is imported when it runs
    from pagelet.metadata.facts import Metadata
    from pagelet.methods.clutter.options import ClutterChanges, ClutterOptions
    from pagelet.methods.content.options import ContentChanges, ContentOptions
    from pagelet.methods.links.options import LinksChanges, LinksOptions
    from pagelet.methods.menu.options import MenuChanges, MenuOptions
    from pagelet.methods.noise.options import NoiseChanges, NoiseOptions
    from pagelet.methods.records.options import RecordsChanges, RecordsOptions
    from pagelet.methods.segments.options import SegmentsChanges, SegmentsOptions
    from pagelet.methods.template.learned import LearnedTemplate
    from pagelet.methods.template.options import TemplateChanges, TemplateOptions
    from pagelet.sources.forms import Form

Source = str | bytes | Path | Page | Rendering  #: what functions take as a page
SiteSource = Site | Path | Sequence[Source]  #: pages of the site, their folder, or what loads them
QuerySource = Query | str | Sequence[str]  #: words that were typed into the form
NO_EVIDENCE = Evidence()  #: nothing is known but the page
ContentFormat = Literal["text", "markdown", "html", "json", "json-compact", "csv", "tei"]
#: a file that `pagelet learn` wrote, what it holds, or rows that are known to be template
TemplateSource: TypeAlias = "str | Path | LearnedTemplate | SharedRows | None"


def parse(
    html: str | bytes,
    url: str | None = None,
    *,
    charset: str | None = None,
    max_nodes: int = MAX_NODES,
) -> Page:
    """Parse HTML as a browser would, scripting off.

    Bytes are decoded by their byte-order mark, else as UTF-8 when they are valid UTF-8, else
    by `charset` (of the HTTP header), the page's own `meta`, or detection, in that order.
    A page of more than `max_nodes` elements and attributes is refused with PageTooLarge.
    """
    check_html(html)
    source = html if isinstance(html, str) else bytes(html)
    return parse_html(source, url, charset=charset, max_nodes=max_nodes)


def read_forms(page: Source, url: str | None = None) -> tuple[Form, ...]:
    """Every form of a page, in document order."""
    from pagelet.sources import forms  # noqa: PLC0415 - few callers have forms

    return forms.read_forms(page.page if isinstance(page, Rendering) else read_page(page, url))


def read_metadata(
    page: Source, url: str | None = None, *, detect_language: bool = False
) -> Metadata:
    """What a page says about itself: title, authors, dates and the like, with their sources.

    The type of the page is that of the content model. A language that the page does not declare
    is detected only on request, since that takes longer than all else; it needs the extra
    `language`.
    """
    from pagelet.metadata.joining import join_detected, join_type  # noqa: PLC0415 - few need it

    if isinstance(page, str | bytes):  # nobody sees the page itself
        check_html(page)
        read = parse_html(page, url)
    else:
        read = page.page if isinstance(page, Rendering) else read_page(page, url)
    answer = _run("content", read, (None, None, {})).source
    found = join_type(read, answer.page_type, answer.type_probability)
    return join_detected(found, read) if detect_language else found


def analyse(  # noqa: PLR0913 - the inputs of all methods
    page: Source,
    method: str,
    /,
    *,
    profile: str | None = None,
    options: Any = None,
    site: SiteSource = (),
    query: QuerySource = NO_QUERY,
    template: TemplateSource = None,
    layout: Layout | None = None,
    url: str | None = None,
    **changes: Any,
) -> Pagelets:
    """Run a method, by its name, on a page."""
    inputs = {"site": site, "query": query, "template": template, "layout": layout, "url": url}
    return _run(method, page, (profile, options, changes), **inputs)


def detect_menu(
    page: Source,
    *,
    profile: str | None = None,
    options: MenuOptions | None = None,
    site: SiteSource = (),
    template: TemplateSource = None,
    url: str | None = None,
    **changes: Unpack[MenuChanges],
) -> Pagelets:
    """Find the main menu of a page: one pagelet, or none."""
    inputs = {"site": site, "template": template, "url": url}
    return _run("menu", page, (profile, options, changes), **inputs)


def detect_links(
    page: Source,
    *,
    profile: str | None = None,
    options: LinksOptions | None = None,
    site: SiteSource = (),
    template: TemplateSource = None,
    url: str | None = None,
    **changes: Unpack[LinksChanges],
) -> Pagelets:
    """Find the groups of links of a page and the role of each: menu, footer, content and so on."""
    inputs = {"site": site, "template": template, "url": url}
    return _run("links", page, (profile, options, changes), **inputs)


def detect_clutter(
    page: Source,
    *,
    profile: str | None = None,
    options: ClutterOptions | None = None,
    site: SiteSource = (),
    template: TemplateSource = None,
    url: str | None = None,
    **changes: Unpack[ClutterChanges],
) -> Pagelets:
    """Find link lists and text ads: the top-most elements with the highest score."""
    inputs = {"site": site, "template": template, "url": url}
    return _run("clutter", page, (profile, options, changes), **inputs)


def extract_content(
    page: Source,
    *,
    profile: str | None = None,
    options: ContentOptions | None = None,
    site: SiteSource = (),
    template: TemplateSource = None,
    url: str | None = None,
    **changes: Unpack[ContentChanges],
) -> Pagelets:
    """Find the main content of a page: one pagelet per block."""
    inputs = {"site": site, "template": template, "url": url}
    return _run("content", page, (profile, options, changes), **inputs)


def detect_noise(
    page: Source,
    *,
    profile: str | None = None,
    options: NoiseOptions | None = None,
    query: QuerySource = NO_QUERY,
    site: SiteSource = (),
    url: str | None = None,
    **changes: Unpack[NoiseChanges],
) -> Pagelets:
    """Classify every element with text as noise or content; pages of other queries help."""
    inputs = {"query": query, "site": site, "url": url}
    return _run("noise", page, (profile, options, changes), **inputs)


def detect_records(
    page: Source,
    *,
    profile: str | None = None,
    options: RecordsOptions | None = None,
    site: SiteSource = (),
    template: TemplateSource = None,
    url: str | None = None,
    **changes: Unpack[RecordsChanges],
) -> Pagelets:
    """Find the records of a result page: one pagelet each, and their table in `extra`.

    With other pages of the site, the columns are those of all pages.
    """
    inputs = {"site": site, "template": template, "url": url}
    return _run("records", page, (profile, options, changes), **inputs)


def detect_template(
    page: Source,
    *,
    profile: str | None = None,
    options: TemplateOptions | None = None,
    site: SiteSource = (),
    template: TemplateSource = None,
    url: str | None = None,
    **changes: Unpack[TemplateChanges],
) -> Pagelets:
    """Find what is a page's own, one pagelet per slot; all else is template."""
    inputs = {"site": site, "template": template, "url": url}
    return _run("template", page, (profile, options, changes), **inputs)


def detect_segments(
    page: Source,
    *,
    profile: str | None = None,
    options: SegmentsOptions | None = None,
    layout: Layout | None = None,
    url: str | None = None,
    **changes: Unpack[SegmentsChanges],
) -> Pagelets:
    """Divide a rendered page into segments, one pagelet each.

    A rendering knows where its rows are; a page needs its `layout`.
    """
    return _run("segments", page, (profile, options, changes), layout=layout, url=url)


def extract(  # noqa: PLR0913 - the inputs of content extraction
    page: Source,
    url: str | None = None,
    *,
    format: ContentFormat = "text",
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
        plain = format == "text" and not (site or template or chosen.explain)
        if plain and isinstance(page, str | bytes):  # nobody sees the page itself
            return _extract_text(page, url, chosen)
        return _extract(page, url, format, chosen, {"site": site, "template": template})


def _extract_text(html: str | bytes, url: str | None, options: ContentOptions) -> str:
    """The main content as text, given the HTML of a page alone."""
    from pagelet.methods.content import extract_text  # noqa: PLC0415 - the method runs

    check_html(html)
    page, files = parse_html(html, url), read_files(options)
    return extract_text(page, options, Evidence(files=files) if files else NO_EVIDENCE)


def _extract(
    page: Source, url: str | None, format: str, options: ContentOptions, inputs: dict[str, Any]
) -> str:
    method = find_method("content")
    if isinstance(page, str | bytes) and not any(inputs.values()):  # the usual case
        check_html(page)
        evidence = Evidence(files=read_files(options))
        result = run(Request(parse_html(page, url), method, options, evidence))
    else:
        result = _context(page, url, **inputs).run(method, options)
    return result.to_json() if format == "json" else method.write(result, options, format)


def _run(
    method: str, page: Source, chosen: tuple[str | None, Any, Mapping[str, Any]], **inputs: Any
) -> Pagelets:
    """Run a method with what was chosen: a profile, ready options, or keywords."""
    row = find_method(method)
    options = choose_options(row, *chosen)  # checked before the page is read
    for name, need in (("query", "query"), ("layout", "boxes")):
        if inputs.get(name) and not row.takes(need):
            raise OptionError(name, inputs[name], f"{method} takes no {name}")
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
    query: QuerySource = NO_QUERY,
    template: TemplateSource = None,
    layout: Layout | None = None,
) -> Context:
    rendering = page if isinstance(page, Rendering) else None
    read = page.page if isinstance(page, Rendering) else read_page(page, url)
    if layout is not None:
        _expect("layout", layout, Layout, "a Layout, which pagelet.render gives")
        rendering = Rendering(read, layout)
    return Context(read, _site(site), _template(template), rendering, _query(query))


def _site(site: Any) -> Site | Sequence[Page]:
    """Other pages of the site: what loads them, a folder of them, or the pages themselves."""
    if isinstance(site, Path):
        from pagelet.sources.folder import FolderSite  # noqa: PLC0415 - few callers have folders

        return FolderSite(site)
    if isinstance(site, tuple) and not site:  # the usual case; to ask for a protocol takes time
        return site
    if isinstance(site, Site):
        return site
    _expect("site", site, list | tuple, "a list of pages, the Path of their folder, or a Site")
    return [each.page if isinstance(each, Rendering) else read_page(each) for each in site]


def _query(query: Any) -> Query:
    if isinstance(query, Query):
        return query
    values = [query] if isinstance(query, str) else query
    _expect("query", values, list | tuple, "words, or a list of them")
    for value in values:
        _expect("query", value, str, "words, or a list of them")
    return Query.of(values)


def _template(template: Any) -> Any:
    if isinstance(template, str | Path):
        return read_template(str(template)) if str(template) else None
    if template is None or isinstance(template, SharedRows):
        return template
    from pagelet.methods.template.learned import LearnedTemplate  # noqa: PLC0415 - few calls

    _expect("template", template, LearnedTemplate, "the file that `pagelet learn` wrote")
    return template


def _expect(name: str, value: Any, type_: Any, expected: str) -> None:
    if not isinstance(value, type_):
        raise OptionError(name, value, f"expected {expected}")


def read_page(page: Any, url: str | None = None) -> Page:
    """What a caller gave as a page, parsed if need be."""
    if isinstance(page, Page):
        return page if url is None else replace(page, url=url)
    if isinstance(page, Path):
        from pagelet.sources import load  # noqa: PLC0415 - few callers have files

        return load(str(page), url=url)
    return parse(page, url)
