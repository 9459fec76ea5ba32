"""One call: a page and the name of a method, and out come its pagelets; or its text."""

from collections.abc import Sequence
from typing import Any, Literal

from pagelet.columns.page import Page
from pagelet.errors import OptionError
from pagelet.measures.query import NO_QUERY, Query
from pagelet.methods import METHODS
from pagelet.methods.content import CONTENT, ContentOptions, answer, extract_content, written
from pagelet.methods.registry import Evidence
from pagelet.pagelets import Pagelets
from pagelet.parse.html import collector_paused, parse


def analyse(
    page: Page,
    method: str,
    /,
    *,
    profile: str = "default",
    site: Sequence[Page] = (),
    query: Query = NO_QUERY,
    **changes: Any,
) -> Pagelets:
    """Run one method on one page, its profile's options changed where said."""
    if method not in METHODS:
        raise OptionError("method", method, f"one of {', '.join(METHODS)}")
    row = METHODS[method]
    options = row.with_options(profile, changes)
    return row.profile(profile).run(page, options, Evidence(site=site, query=query))


def extract(
    html: str | bytes | Page,
    url: str | None = None,
    *,
    format: Literal["text", "markdown", "html", "json"] = "text",
    profile: str = "default",
    **changes: Any,
) -> str:
    """The main content of a page; empty when there is none, never an exception for a page.

    Any option of content extraction may be named: favor, target, keep, drop, links, images, …
    """
    if format not in CONTENT.formats:
        raise OptionError("format", format, f"one of {', '.join(CONTENT.formats)}")
    options: ContentOptions = METHODS["content"].with_options(profile, changes)
    with collector_paused():  # the page is gone before the collector could look at it
        return _extracted(html, url, format, profile, options)


def _extracted(
    html: str | bytes | Page, url: str | None, format: str, profile: str, options: ContentOptions
) -> str:
    page = html if isinstance(html, Page) else parse(html, url)
    if format == "json":
        return extract_content(page, options, profile=profile).to_json()
    return written(answer(page, options), format, options)
