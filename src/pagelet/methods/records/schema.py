"""The schema of a site's records: learned from some of its pages, applied to others in one pass.

A schema knows where records stand, what is label and what is field in them, and the column of each
place. Where pages have one record each, the page is the record, and what all pages say alike is no
field.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from pagelet.arrays import Hashes
from pagelet.metadata.dates import Order
from pagelet.methods.records.columns import Column, Place, place_keys
from pagelet.methods.records.fields import RecordField, RecordReader, Wording
from pagelet.methods.records.kinds import find_kinds
from pagelet.methods.records.labels import LabelWords
from pagelet.methods.records.lines import Constants
from pagelet.methods.records.places import Span
from pagelet.methods.records.ranking import LocatedRecord, find_records
from pagelet.methods.records.table import RecordTable, build_table, number_fields
from pagelet.models.trees import Trees
from pagelet.page.signatures import path_signatures, row_signatures
from pagelet.page.table import Page

MAX_SCHEMA_PAGES = 200  #: pages that a schema is learned from
MIN_VARIED_PAGES = 2  #: different texts that a column of pages has
BY_SCHEMA = -1  #: stands for the group of a record that a schema located
MIN_FILLED_SHARE = 0.34  #: share of the usual columns that a record has
SEVERAL_SHARE = 0.5  #: share of pages with several records from which on pages are lists


@dataclass(frozen=True, slots=True)
class SchemaColumn:
    """A column of a schema."""

    name: str
    kind: str
    value_kind: str
    order: str
    repeated: bool
    parts: tuple[str, ...]
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class RecordSchema:
    """Where the records of a site are, and their columns."""

    columns: tuple[SchemaColumn, ...]
    wording: Wording
    paths: frozenset[int] = frozenset()  #: hashes of the paths of records that are elements
    whole_page: bool = False  #: whether each page is one record
    score: float = field(default=1.0)
    with_kinds: bool = False  #: whether the kind of a record is a column

    def to_dict(self) -> dict[str, Any]:
        """The schema as JSON values."""
        labels = self.wording.labels
        return {
            "columns": [
                {"name": one.name, "kind": one.kind, "value_kind": one.value_kind,
                 "order": one.order, "repeated": one.repeated, "parts": list(one.parts),
                 "places": sorted(map(list, one.places))}
                for one in self.columns
            ],
            "constants": sorted(self.wording.constants.texts), "whole": sorted(self.wording.whole),
            "blocks": sorted(labels.blocks), "prefixes": sorted(labels.prefixes),
            "paths": sorted(self.paths), "whole_page": self.whole_page,
            "with_kinds": self.with_kinds,
        }  # fmt: skip

    @classmethod
    def of_dict(cls, form: Mapping[str, Any]) -> "RecordSchema":
        """Read the JSON values; raises ValueError, KeyError or TypeError where they are none."""
        columns = tuple(
            SchemaColumn(
                str(one["name"]), str(one["kind"]), str(one["value_kind"]), str(one["order"]),
                bool(one["repeated"]), tuple(map(str, one["parts"])),
                tuple(tuple(map(int, place)) for place in one["places"]),
            )
            for one in form["columns"]
        )  # fmt: skip
        constants, whole, blocks, prefixes, paths = (
            frozenset(map(int, form[name]))
            for name in ("constants", "whole", "blocks", "prefixes", "paths")
        )
        wording = Wording(Constants(constants), whole, LabelWords(blocks, prefixes))
        return cls(
            columns, wording, paths, bool(form["whole_page"]),
            with_kinds=bool(form.get("with_kinds")),
        )  # fmt: skip


def read_schema(data: bytes) -> RecordSchema | None:
    """The schema in the file of a template; None where it has none."""
    form = json.loads(data).get("records")
    return None if form is None else RecordSchema.of_dict(form)


# -- learning ---------------------------------------------------------------------------------


def learn_schema(
    pages: Sequence[Page], model: Trees, *, min_score: float, whole_page: bool | None = None
) -> RecordSchema:
    """The schema of pages of one site; `whole_page` says whether each is one record."""
    pages = pages[:MAX_SCHEMA_PAGES]
    found = [find_records(page, model, min_score) for page in pages]
    several = sum(len(each) > 1 for each in found)
    if whole_page is None:
        whole_page = several < SEVERAL_SHARE * len(pages)
    if whole_page:
        found = [whole_records(page) for page in pages]
    table = build_table(pages, found)
    columns = [each for each in table.columns if not whole_page or _varies(each, len(pages))]
    paths = frozenset() if whole_page else _record_paths(pages, found)
    return RecordSchema(
        tuple(map(_schema_column, columns)), table.wording, paths, whole_page=whole_page,
        with_kinds=bool(table.kinds),
    )  # fmt: skip


def whole_records(page: Page) -> list[LocatedRecord]:
    """The page as one record."""
    if page.body < 0:
        return []
    return [LocatedRecord(Span(page.body, int(page.end[page.body])), BY_SCHEMA, 1.0)]


def _varies(column: Column, pages: int) -> bool:
    """Whether pages say different things in a column."""
    texts = {tuple((each.text, each.src) for each in own) for own in column.fields.values()}
    return pages == 1 or len(texts) >= MIN_VARIED_PAGES


def _record_paths(
    pages: Sequence[Page], found: Sequence[Sequence[LocatedRecord]]
) -> frozenset[int]:
    """Hashes of the paths of all records that are elements."""
    paths: set[int] = set()
    for page, records in zip(pages, found, strict=True):
        rows = [r.span.start for r in records if page.end[r.span.start] == r.span.stop]
        paths.update(_paths(page)[rows].tolist() if rows else ())
    return frozenset(paths)


def _paths(page: Page) -> Hashes:
    return path_signatures(page, row_signatures(page, classes=True))


def _schema_column(column: Column) -> SchemaColumn:
    return SchemaColumn(
        column.name, column.kind, column.value_kind, column.order, column.repeated,
        column.parts, tuple(sorted(column.places)),
    )  # fmt: skip


# -- applying ---------------------------------------------------------------------------------


def apply_schema(page: Page, schema: RecordSchema, model: Trees, min_score: float) -> RecordTable:
    """The table of a page by a schema; fields that the schema does not know are left out."""
    found = locate_records(page, schema, model, min_score)
    columns = [_empty_column(each) for each in schema.columns]
    known = {place: column for column in columns for place in column.places}
    if not schema.whole_page:
        found = _filled(page, found, schema, known)
    reader = RecordReader(page, [record.span for record in found])
    fields, records, page_of = number_fields([reader], [found], schema.wording)
    for each, keys in _keyed(fields):
        column = next((known[key] for key in keys if key in known), None)
        if column is not None and (column.repeated or each.record not in column.fields):
            column.fields.setdefault(each.record, []).append(each)
    return RecordTable([page], records, page_of, columns, schema.wording, schema.with_kinds)


def _filled(
    page: Page, found: list[LocatedRecord], schema: RecordSchema, known: Mapping[Place, Column]
) -> list[LocatedRecord]:
    """The records that have at least a third of the columns that records usually have."""
    reader = RecordReader(page, [record.span for record in found])
    places: dict[int, set[str]] = {at: set() for at in range(len(found))}
    for each, keys in _keyed(reader.fields(schema.wording)):
        places[each.record].update(known[key].name for key in keys if key in known)
    counts = [len(names) for names in places.values()]
    least = max(1, MIN_FILLED_SHARE * float(np.median([n for n in counts if n] or [0])))
    return [record for record, count in zip(found, counts, strict=True) if count >= least]


def locate_records(
    page: Page, schema: RecordSchema, model: Trees, min_score: float
) -> list[LocatedRecord]:
    """The records of a page: where those of the site stand, else as on any page."""
    if schema.whole_page:
        return whole_records(page)
    known = np.isin(_paths(page), np.array(sorted(schema.paths), np.uint64)) & page.counted
    rows = np.flatnonzero(known)
    rows = rows[~page.inside(known)[page.parent[rows]]] if len(rows) else rows
    if not len(rows):
        return find_records(page, model, min_score)
    spans = [Span(row, int(page.end[row])) for row in rows.tolist()]
    kinds = find_kinds(page, spans)
    return [
        LocatedRecord(span, BY_SCHEMA, 1.0, kind) for span, kind in zip(spans, kinds, strict=True)
    ]


def _keyed(fields: Sequence[RecordField]) -> list[tuple[RecordField, tuple[Place, ...]]]:
    """Each field with the keys of columns that it may be in."""
    at: dict[tuple[int, int], list[RecordField]] = {}
    for each in fields:
        at.setdefault((each.record, each.place), []).append(each)
    pairs = [pair for held in at.values() for pair in zip(held, place_keys(held), strict=True)]
    return sorted(pairs, key=lambda pair: (pair[0].record, pair[0].at))


def _empty_column(column: SchemaColumn) -> Column:
    return Column(
        set(column.places), {}, name=column.name, kind=column.kind, value_kind=column.value_kind,
        order=cast("Order", column.order), repeated=column.repeated,
        parts=column.parts,
    )  # fmt: skip
