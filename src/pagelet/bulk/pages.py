"""A page of somebody else's pipeline as a row: the same columns, without where it was read."""

from collections.abc import Sequence
from typing import Any

from pagelet.bulk.options import USUAL, BulkOptions
from pagelet.bulk.records import START, Record
from pagelet.bulk.row import host_of, row_of
from pagelet.bulk.templates import template_file
from pagelet.errors import PageError, PageTooLarge, Unreachable
from pagelet.methods.template_learned import learn
from pagelet.parse.html import parse

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
