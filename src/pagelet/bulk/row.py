"""One page, one row: what is asked for is made, and whatever goes wrong is told in the row."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

import numpy as np

from pagelet.bulk.chunk import Row
from pagelet.bulk.options import USUAL, BulkOptions, label_schema, page_schema
from pagelet.bulk.records import Record
from pagelet.bulk.templates import Known, template_file, template_of
from pagelet.errors import NotHtml, PageError, PageletError, PageTooLarge, Unreachable
from pagelet.metadata.facts import Metadata, metadata
from pagelet.methods.clutter import CLUTTER
from pagelet.methods.content import ContentOptions, answer
from pagelet.methods.content.answer import Answer, Listing
from pagelet.methods.menu import MENU
from pagelet.methods.registry import Evidence
from pagelet.methods.template.learned import learn
from pagelet.page.dom import label_of
from pagelet.page.html import parse, pause_collector
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER
from pagelet.pagelets import Pagelets
from pagelet.sources.folder import begins_like_a_page
from pagelet.sources.warc.reader import START

if TYPE_CHECKING:
    import pyarrow as pa

REASON = 500  #: most characters of a reason


@dataclass(frozen=True)
class PageWork:
    """The rows of pages, and of their labels when they are asked for."""

    options: BulkOptions

    def schemas(self) -> "dict[str, pa.Schema]":
        """The tables, and their columns."""
        pages = {"pages": page_schema(self.options.wanted)}
        return pages | ({"labels": label_schema()} if self.options.labels else {})

    def rows(self, record: Record) -> dict[str, list[Row]]:
        """The rows of one record in each table."""
        row, labels = row_and_labels(record, self.options)
        return {"pages": [row]} | ({"labels": labels} if self.options.labels else {})


def row_of(record: Record, options: BulkOptions = BulkOptions()) -> Row:
    """The row of a page; nothing is raised, an error is told in it."""
    return row_and_labels(record, options)[0]


def row_and_labels(record: Record, options: BulkOptions) -> tuple[Row, list[Row]]:
    """The row of a page, and the rows of its labelled nodes."""
    began = perf_counter()
    row, labels = _identity(record), list[Row]()
    if record.error is None:
        try:
            with pause_collector():
                seen = _Seen(_parsed(record), options)
                made = {name: MADE[name](seen) for name in options.wanted if name in MADE}
                labels = list(_labels(record, seen)) if options.labels else []
            row |= made
        except Exception as error:  # noqa: BLE001 - a page must not end a run
            row |= _told(error)
    row["seconds"] = perf_counter() - began
    return row, labels


def _identity(record: Record) -> Row:
    return {
        "source": record.source,
        "place": record.number,
        "id": record.id,
        "url": record.url,
        "host": host_of(record.url),
        "captured": record.captured,
        "error": record.error,
        "reason": record.reason and record.reason[:REASON],
    }


def _told(error: Exception) -> Row:
    """The name of an error and its message; other people's messages follow their name."""
    known = isinstance(error, PageletError)
    said = str(error) if known else f"{type(error).__name__}: {error}"
    clean = said[:REASON].encode("utf-8", "replace").decode()
    return {"error": type(error).__name__, "reason": clean}


def host_of(url: str | None) -> str | None:
    """The host of an address, lower case; None when it has none."""
    try:
        return urlsplit(url).hostname or None if url else None
    except ValueError:
        return None


def _parsed(record: Record) -> Page:
    body = record.body
    if isinstance(body, bytes) and b"\0" in body[:512] and not begins_like_a_page(body):
        raise NotHtml(record.id, "binary")
    return parse(body, url=record.url, charset=record.charset)


class _Seen:
    """A page and what is asked of it, each made once."""

    def __init__(self, page: Page, options: BulkOptions) -> None:
        self.page, self.options = page, options

    @cached_property
    def content(self) -> Answer:
        asked = ContentOptions(favor=self.options.favor, target=self.options.target)
        return answer(self.page, asked, self.evidence.template)

    @cached_property
    def template(self) -> Known | None:
        folder = self.options.templates
        return template_of(self.page, host_of(self.page.url), folder) if folder else None

    @cached_property
    def evidence(self) -> Evidence:
        return Evidence(template=self.template.shared if self.template else None)

    @cached_property
    def said(self) -> Metadata:
        return metadata(self.page)

    @cached_property
    def menu(self) -> Pagelets:
        row = MENU.profile("default")
        return row.run(self.page, row.options, self.evidence)

    @cached_property
    def clutter(self) -> Pagelets:
        row = CLUTTER.profile("default")
        return row.run(self.page, row.options, self.evidence)


def menu_links(seen: _Seen) -> list[dict[str, str]]:
    """The links of the menu as `pagelet menu` tells them, read from the columns alone."""
    page = seen.page
    tops = [row for item in seen.menu for row in item.rows]
    rows = [row for top in tops for row in page.hrefs if top <= row < page.end[top]]
    base = _base(page)
    return [{"text": label_of(page, row), "href": _joined(base, page.hrefs[row])} for row in rows]


def _base(page: Page) -> str | None:
    """What links are resolved against: the page's own word, else where it came from."""
    if not page.url:
        return None
    bases = np.flatnonzero(page.tag == NUMBER["base"]).tolist()
    said = (page.attributes_of(row).get("href") for row in bases)
    first = next((href for href in said if href is not None), "")
    base = _joined(page.url, first)
    return page.url if host_of(base) is None else base


def _joined(base: str | None, href: str) -> str:
    try:
        return urljoin(base, href.strip()) if base else href.strip()
    except ValueError:
        return href.strip()


def clutter_share(seen: _Seen) -> float:
    """Characters in link lists and text ads, among all."""
    page = seen.page
    rows = np.array([row for item in seen.clutter for row in item.rows], np.int32)
    chars = page.chars * page.counted
    whole = int(chars.sum())
    return int(chars[page.inside(rows)].sum()) / whole if whole else 0.0


#: how each column that is no identity is made
MADE: dict[str, Callable[[_Seen], Any]] = {
    "date": lambda seen: seen.said.date,
    "title": lambda seen: seen.said.title,
    "language": lambda seen: seen.said.language,
    "page_type": lambda seen: seen.content.page_type,
    "text": lambda seen: seen.content.text(),
    "markdown": lambda seen: seen.content.markdown(),
    "confidence": lambda seen: seen.content.confidence,
    "menu": menu_links,
    "clutter_share": clutter_share,
    "template_id": lambda seen: seen.template.name if seen.template else None,
    "template_share": lambda seen: seen.template.share if seen.template else None,
}


def _labels(record: Record, seen: _Seen) -> Iterator[Row]:
    """A row for each block of content, kept or dropped, the menu, and link lists."""
    bare = replace(seen.content, decision=None, model=None)  # what weighed how much costs more
    blocks = Listing(bare).pagelets(explain=True)
    for item in (*blocks, *seen.menu, *seen.clutter):
        for path in item.paths:
            yield {
                "source": record.source,
                "place": record.number,
                "id": record.id,
                "path": path,
                "kind": item.kind,
                "score": float(item.score),
            }


# -- A page of somebody else's pipeline as a row: the same columns, without where it was read -


__all__ = ["COLUMNS", "PAGES", "columns_of", "host_of", "learn_host", "page_row"]

#: columns that only a run with inputs of its own has
OF_RUNS = ("source", "place", "id", "url", "host", "captured", "seconds")
COLUMNS = tuple(name for name in USUAL if name not in OF_RUNS)
PAGES = BulkOptions(columns=COLUMNS)


def page_row(html: Any, url: Any, options: BulkOptions) -> dict[str, Any]:
    """The columns that are wanted of a page; nothing is raised, an error is told in them."""
    where = url if isinstance(url, str) else None
    name = where or "page"
    if (wrong := _wrong(html, name, options)) is None:
        record = Record("", START, name, url=where, body=html)
    else:
        said = type(wrong).__name__, str(wrong)
        record = Record("", START, name, url=where, error=said[0], reason=said[1])
    row = row_of(record, options)
    return {column: row.get(column) for column in columns_of(options)}


def _wrong(html: Any, name: str, options: BulkOptions) -> PageError | None:
    """Why something is no page that is read; tables have NaN and the like where nothing is."""
    if not isinstance(html, str | bytes):
        return Unreachable(name, f"no HTML in its column {options.html_column!r}")
    if len(html) > options.max_bytes:
        return PageTooLarge(name, options.max_bytes)
    return None


def columns_of(options: BulkOptions) -> tuple[str, ...]:
    """The columns of a page's row."""
    return tuple(name for name in options.wanted if name not in OF_RUNS)


def learn_host(host: str, pages: Sequence[tuple[str, str | None]], folder: str) -> None:
    """Learn the template of a host from some of its pages, and keep it in a folder of those."""
    learned = learn(parse(html, url) for html, url in pages)
    template_file(folder, host).write_text(learned.to_json(), encoding="utf-8")
