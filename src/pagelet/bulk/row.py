"""The row of a page: the wanted columns, and an error if something goes wrong."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from pagelet.bulk.chunk import LOW_CONFIDENCE, Row
from pagelet.bulk.options import (
    LINK_COLUMNS,
    METADATA_FIELDS,
    WITHHELD_COLUMNS,
    BulkOptions,
    label_schema,
    page_schema,
    record_schema,
)
from pagelet.bulk.records import MAX_REASON_CHARS, Record, describe_error
from pagelet.bulk.simhash import simhash
from pagelet.bulk.times import parse_time
from pagelet.errors import NotHtml
from pagelet.methods import METHODS
from pagelet.methods.content import decide_content
from pagelet.methods.content.answer import ContentAnswer, Listing
from pagelet.methods.content.options import ContentOptions
from pagelet.methods.registry import Evidence
from pagelet.page.addresses import join_url
from pagelet.page.dom import anchors_below, link_forms
from pagelet.page.html import parse, pause_collector
from pagelet.page.table import Page
from pagelet.pagelets import Pagelets
from pagelet.sources.folder import looks_like_html

if TYPE_CHECKING:  # workers load what their columns are made of, and nothing else
    import pyarrow as pa

    from pagelet.bulk.templates import TemplateMatch
    from pagelet.metadata.facts import Metadata
    from pagelet.methods.links.roles import GroupRoles


@dataclass(frozen=True)
class PageWork:
    """Makes the rows of pages, and of their labels if they are wanted."""

    options: BulkOptions

    def schemas(self) -> "dict[str, pa.Schema]":
        """The schemas of the tables, by name."""
        pages = {"pages": page_schema(self.options.table_columns)}
        records = {"records": record_schema()} if self.options.records else {}
        return pages | ({"labels": label_schema()} if self.options.labels else {}) | records

    def rows(self, record: Record) -> dict[str, list[Row]]:
        """The rows of one record in each table."""
        row, more = row_and_tables(record, self.options, self.make)
        return {"pages": [row]} | {name: more.get(name, []) for name in self.tables}

    def make(self, record: Record, options: BulkOptions) -> "MadeColumns":
        """What is made of one page."""
        return make_columns(record, options)

    def take_stages(self) -> dict[str, float]:
        """Processor seconds by stage since the last call; empty, since nothing is measured."""
        return {}

    @property
    def tables(self) -> list[str]:
        """The tables beside that of the pages."""
        wanted = {"labels": self.options.labels, "records": self.options.records}
        return [name for name, each in wanted.items() if each]


def row_of(record: Record, options: BulkOptions = BulkOptions()) -> Row:
    """The row of a page; nothing is raised, errors are in the row."""
    return row_and_tables(record, options)[0]


class MadeColumns(NamedTuple):
    """What is made of one page: columns, rows of further tables, and notes."""

    columns: Row
    tables: dict[str, list[Row]]
    notes: list[str]


def make_columns(record: Record, options: BulkOptions) -> MadeColumns:
    """The columns of a page, and the rows of its labelled nodes and records, where wanted."""
    answers = PageAnswers(parse_record(record, options), options)
    made = {name: COLUMN_MAKERS[name](answers) for name in list_columns(answers)}
    more = {}
    if options.labels:
        more["labels"] = list(label_rows(record, answers))
    if options.records:
        more["records"] = list(record_rows(record, answers))
    return MadeColumns(made, more, answers.notes)


Make = Callable[[Record, BulkOptions], MadeColumns]


def row_and_tables(
    record: Record, options: BulkOptions, make: Make = make_columns
) -> tuple[Row, dict[str, list[Row]]]:
    """The row of a page, and the rows of its labelled nodes and of its records, where wanted."""
    began = perf_counter()
    row, more = _identity(record), dict[str, list[Row]]()
    if record.error is None:
        try:
            with pause_collector():
                made = make(record, options)
            row |= made.columns | {"notes": [*row["notes"], *made.notes]}
            more = made.tables
        except Exception as error:  # noqa: BLE001 - a page must not end a run
            row["error"], row["reason"] = describe_error(error)
    row["seconds"] = perf_counter() - began
    return row, more


def list_columns(answers: "PageAnswers") -> list[str]:
    """The columns that are made of a page: those of its text only if that is sure enough."""
    left_out = WITHHELD_COLUMNS if answers.is_unsure else ()
    return [name for name in _made_columns(answers.options) if name not in left_out]


@lru_cache(maxsize=8)
def _made_columns(options: BulkOptions) -> tuple[str, ...]:
    """The columns that are made of a page; a run asks for every page."""
    return tuple(name for name in options.table_columns if name in COLUMN_MAKERS)


def _identity(record: Record) -> Row:
    captured = parse_time(record.captured, "captured")
    return {
        "source": record.source,
        "place": record.number,
        "id": record.id,
        "url": record.url,
        "host": host_of(record.url),
        "captured": captured.time,
        "error": record.error,
        "reason": record.reason and record.reason[:MAX_REASON_CHARS],
        "notes": [*record.notes, *captured.notes],
    }


def host_of(url: str | None) -> str | None:
    """The host of an address, lower case; None when it has none."""
    try:
        return urlsplit(url).hostname or None if url else None
    except ValueError:
        return None


def parse_record(record: Record, options: BulkOptions) -> Page:
    """The page of a record; binary data is refused."""
    body = record.body
    if isinstance(body, bytes) and b"\0" in body[:512] and not looks_like_html(body):
        raise NotHtml(record.id, "binary")
    return parse(body, url=record.url, charset=record.charset, max_nodes=options.max_nodes)


class PageAnswers:
    """A page and the answers of methods about it, each computed once."""

    def __init__(self, page: Page, options: BulkOptions) -> None:
        self.page, self.options = page, options

    @cached_property
    def content(self) -> ContentAnswer:
        """The main content."""
        return decide_content(self.page, _content_options(self.options), self.evidence)

    @cached_property
    def is_unsure(self) -> bool:
        """Whether the text is left out, since its confidence is too low."""
        least = self.options.min_confidence
        return least > 0 and (self.content.confidence or 0.0) < least

    @property
    def notes(self) -> list[str]:
        """What is left out of the row."""
        if not self.is_unsure:
            return []
        sure, least = self.content.confidence or 0.0, self.options.min_confidence
        return [f"{LOW_CONFIDENCE} {sure:g} is below {least:g}"]

    @cached_property
    def template(self) -> "TemplateMatch | None":
        """The template of the page's host, where templates are kept."""
        folder = self.options.templates
        if not folder:
            return None
        from pagelet.bulk.templates import match_template  # noqa: PLC0415 - few runs have some

        return match_template(self.page, host_of(self.page.url), folder)

    @cached_property
    def evidence(self) -> Evidence:
        """What is known beside the page."""
        return Evidence(template=self.template.shared if self.template else None)

    @cached_property
    def metadata(self) -> "Metadata":
        """What the page says about itself, as far as there are columns for it."""
        from pagelet.metadata.single import some_metadata  # noqa: PLC0415 - on use

        return some_metadata(self.page, _metadata_fields(self.options))

    @cached_property
    def menu(self) -> Pagelets:
        """The main menu."""
        return self._run("menu")

    @cached_property
    def links(self) -> "GroupRoles":
        """The roles of link groups."""
        from pagelet.methods.links import decide_links  # noqa: PLC0415 - on use

        return decide_links(self.page, self.evidence.template)

    @cached_property
    def records(self) -> Pagelets:
        """The records."""
        return self._run("records")

    @cached_property
    def clutter(self) -> Pagelets:
        """Link lists and text ads."""
        return self._run("clutter")

    def _run(self, method: str) -> Pagelets:
        row = METHODS[method].profile("default")
        return row.run(self.page, row.options, self.evidence)


@lru_cache(maxsize=8)
def _content_options(options: BulkOptions) -> ContentOptions:
    """The options of the main content; they are checked once, not for every page."""
    return ContentOptions(favor=options.favor, target=options.target)


@lru_cache(maxsize=8)
def _metadata_fields(options: BulkOptions) -> list[str]:
    """The fields of metadata that there are columns for."""
    wanted = options.table_columns
    return [field for column, field in METADATA_FIELDS.items() if column in wanted]


def menu_links(answers: PageAnswers) -> list[dict[str, str]]:
    """The links of the menu, as `pagelet menu` lists them, read from the page table alone."""
    page = answers.page
    tops = [row for item in answers.menu for row in item.rows]
    anchors = [anchor for row in tops for anchor in anchors_below(page, row)]
    return link_forms(page, anchors, partial(join_url, page.base_url))


def role_links(role: str, answers: PageAnswers) -> list[str]:
    """The addresses of links with a role, as `pagelet links --urls` prints them."""
    from pagelet.methods.links.addresses import list_addresses  # noqa: PLC0415 - on use

    return list_addresses(answers.links, [role])


def clutter_share(answers: PageAnswers) -> float:
    """Share of characters in link lists and text ads."""
    page = answers.page
    chars = page.chars * page.counted
    whole = int(chars.sum())
    inside = page.inside(answers.clutter.source.clutter)
    return int(chars[inside].sum()) / whole if whole else 0.0


def metadata_field(field: str, answers: PageAnswers) -> Any:
    """A field of the metadata; several values as a list."""
    value = getattr(answers.metadata, field)
    return list(value) if isinstance(value, tuple) else value


#: functions that make columns, by name
COLUMN_MAKERS: dict[str, Callable[[PageAnswers], Any]] = {
    **{column: partial(metadata_field, field) for column, field in METADATA_FIELDS.items()},
    "page_type": lambda answers: answers.content.page_type,
    "text": lambda answers: answers.content.text(),
    "markdown": lambda answers: answers.content.markdown(),
    "fingerprint": lambda answers: simhash(answers.content.text()),
    "confidence": lambda answers: answers.content.confidence,
    "menu": menu_links,
    "clutter_share": clutter_share,
    **{column: partial(role_links, role) for column, role in LINK_COLUMNS.items()},
    "template_id": lambda answers: answers.template.name if answers.template else None,
    "template_share": lambda answers: answers.template.share if answers.template else None,
}


def record_rows(record: Record, answers: PageAnswers) -> Iterator[Row]:
    """One row per record of the page."""
    from pagelet.methods.records.answer import list_fields, list_kinds  # noqa: PLC0415 - on use

    found = answers.records
    rows = zip(found, list_kinds(found), list_fields(found), strict=True)
    for number, (item, kind, fields) in enumerate(rows, 1):
        yield {
            "source": record.source,
            "place": record.number,
            "id": record.id,
            "url": record.url,
            "record": number,
            "kind": kind,
            "path": item.paths[0],
            "score": float(item.score),
            "fields": fields,
        }


def label_rows(record: Record, answers: PageAnswers) -> Iterator[Row]:
    """One row per block of content, kept or dropped, per menu, and per link list."""
    bare = replace(answers.content, decision=None, model=None)  # explaining weights costs more
    blocks = Listing(bare).pagelets(explain=True)
    for item in (*blocks, *answers.menu, *answers.clutter):
        for path in item.paths:
            yield {
                "source": record.source,
                "place": record.number,
                "id": record.id,
                "path": path,
                "kind": item.kind,
                "score": float(item.score),
            }
