"""One call: a page and the name of a method, and out come its pagelets; or its text."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal

from pagelet.errors import OptionError
from pagelet.methods import METHODS
from pagelet.methods.content import CONTENT, ContentOptions, answer, listed, written
from pagelet.methods.content.answer import Answer
from pagelet.methods.registry import Evidence, Method
from pagelet.methods.template import TEMPLATE, TemplateOptions, find_template, known_template
from pagelet.page.html import parse, pause_collector
from pagelet.page.layout import Rendering
from pagelet.page.query import NO_QUERY, Query
from pagelet.page.site import SharedRows, Site
from pagelet.page.table import Page
from pagelet.pagelets import Pagelets


def analyse(
    page: Page | Rendering,
    method: str,
    /,
    *,
    profile: str = "default",
    site: Sequence[Page] = (),
    query: Query = NO_QUERY,
    template: str | SharedRows = "",
    **changes: Any,
) -> Pagelets:
    """Run one method on one page, its profile's options changed where said.

    A rendering is a page and where its rows were drawn, which segments are made from.
    `template` is a file that `pagelet learn` wrote, or what is known of it.
    """
    if method not in METHODS:
        raise OptionError("method", method, f"one of {', '.join(METHODS)}")
    row = METHODS[method]
    if isinstance(template, str) and row.has_option("template"):
        changes["template"] = template
    options = row.with_options(profile, changes)
    layout = page.layout if isinstance(page, Rendering) else None
    page = page.page if isinstance(page, Rendering) else page
    known = _template(page, row, site, template)
    evidence = Evidence(site=site, query=query, template=known, layout=layout)
    return row.profile(profile).run(page, options, evidence)


def _template(
    page: Page, row: Method, site: Site | Sequence[Page], said: str | SharedRows
) -> SharedRows | None:
    """The rows of a page that are known as template, if the method can use that."""
    if "template" not in row.uses:
        return None
    if not isinstance(said, str):
        return said
    return known_template(page, site, said) if site or said else None


def extract(
    html: str | bytes | Page,
    url: str | None = None,
    *,
    format: Literal["text", "markdown", "html", "json"] = "text",
    profile: str = "default",
    site: Site | Sequence[Page] = (),
    template: str = "",
    **changes: Any,
) -> str:
    """The main content of a page; empty when there is none, never an exception for a page.

    Any option of content extraction may be named: favor, target, keep, drop, links, images, …
    Other pages of the site help, and so does a file that `pagelet learn` wrote.
    """
    if format not in CONTENT.formats:
        raise OptionError("format", format, f"one of {', '.join(CONTENT.formats)}")
    options: ContentOptions = METHODS["content"].with_options(profile, changes)
    known = partial(_template, row=CONTENT, site=site, said=template)
    write = partial(_written, format=format, profile=profile, options=options)
    with pause_collector():  # the page is gone before the collector could look at it
        return _extracted(html, url, options, known, write)


def _extracted(
    html: str | bytes | Page,
    url: str | None,
    options: ContentOptions,
    known: Callable[[Page], SharedRows | None],
    write: Callable[[Answer], str],
) -> str:
    page = html if isinstance(html, Page) else parse(html, url)
    return write(answer(page, options, known(page)))


def _written(found: Answer, format: str, profile: str, options: ContentOptions) -> str:
    if format == "json":
        return listed(found, options, profile).to_json()
    return written(found, format, options)


def without_template(
    page: Page,
    *,
    format: Literal["text", "markdown", "html", "page"] = "text",
    profile: str = "default",
    site: Site | Sequence[Page] = (),
    **changes: Any,
) -> str:
    """A page without what it shares with its site; as `page`, what it shares without the rest."""
    options: TemplateOptions = TEMPLATE.with_options(profile, changes)
    found = find_template(page, options, profile=profile, site=site)
    return found.written(format)
