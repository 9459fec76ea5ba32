"""The table of records: columns aligned over all records of one page, or of several of a site."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pagelet.methods.records.columns import Column, align_fields
from pagelet.methods.records.fields import RecordField, RecordReader, Wording
from pagelet.methods.records.names import name_columns
from pagelet.methods.records.ranking import LocatedRecord
from pagelet.page.table import Page

KIND = "kind"  #: column that tells two kinds of records apart
PAGE, RECORD = "page", "record"  #: columns before all others in a flat table


@dataclass(frozen=True, slots=True, eq=False)
class RecordTable:
    """Records and their columns."""

    pages: Sequence[Page]
    records: Sequence[LocatedRecord]  #: page by page, in document order
    page_of: Sequence[int]  #: for each record the number of its page
    columns: Sequence[Column]
    wording: Wording
    with_kinds: bool | None = None  #: whether kinds are a column; None: where there are several

    @property
    def kinds(self) -> list[str]:
        """The kind of each record where it is a column; else nothing."""
        kinds = [record.kind for record in self.records]
        shown = len(set(kinds)) > 1 if self.with_kinds is None else self.with_kinds
        return kinds if shown else []

    def path(self, column: Column) -> str:
        """The path of a column within its record: that of its first field; empty without any."""
        if not column.fields:
            return ""
        first = column.first
        page, span = self.pages[self.page_of[first.record]], self.records[first.record].span
        whole = page.end[span.start] == span.stop
        above = page.path(span.start if whole else int(page.parent[span.start]))
        inner = page.path(first.row)
        return "." if inner == above else inner.removeprefix(above + "/")

    def describe_columns(self) -> list[dict[str, Any]]:
        """Name, kind and path of each column, and whether it holds lists."""
        kinds = [{"name": KIND, "kind": "text", "path": "."}] if self.kinds else []
        return kinds + [
            {"name": column.name, "kind": column.kind, "path": self.path(column),
             **({"repeated": True} if column.repeated else {})}
            for column in self.columns
        ]  # fmt: skip

    def rows(self, page: int | None = None) -> Iterator[dict[str, Any]]:
        """The values of each record by column name, of all pages or of one."""
        kinds = self.kinds
        for number in range(len(self.records)):
            if page is None or self.page_of[number] == page:
                row: dict[str, Any] = {KIND: kinds[number]} if kinds else {}
                row |= {column.name: _values(column, number) for column in self.columns}
                yield row


def _values(column: Column, record: int) -> Any:
    """What a record has in a column: a value, a list, or nothing."""
    found = [field_value(column, each) for each in column.fields.get(record, ())]
    if column.repeated:
        return found
    return found[0] if found else None


def field_value(column: Column, each: RecordField) -> Any:
    """A field in the JSON form: a text, or an object where there is more than a text."""
    link = {"href": each.href} if each.href else {}
    if each.src:
        return {"src": each.src, "alt": each.alt, **link}
    value = column.value(each)
    more = {**link, **(value.to_dict() if value else {})}
    return {"text": each.text, **more} if more else each.text


def build_table(pages: Sequence[Page], found: Sequence[Sequence[LocatedRecord]]) -> RecordTable:
    """The table of the records of several pages."""
    readers = [
        RecordReader(page, [record.span for record in own])
        for page, own in zip(pages, found, strict=True)
    ]
    wording = Wording.learn(readers)
    fields, records, page_of = number_fields(readers, found, wording)
    columns = align_fields(fields, len(records))
    name_columns(columns, pages, page_of)
    return RecordTable(pages, records, page_of, columns, wording)


def number_fields(
    readers: Sequence[RecordReader], found: Sequence[Sequence[LocatedRecord]], wording: Wording
) -> tuple[list[RecordField], list[LocatedRecord], list[int]]:
    """The fields of all pages with records numbered through, the records, and their pages."""
    fields: list[RecordField] = []
    records: list[LocatedRecord] = []
    page_of: list[int] = []
    for number, (reader, own) in enumerate(zip(readers, found, strict=True)):
        read = reader.fields(wording) if own else []
        fields += [replace(each, record=each.record + len(records)) for each in read]
        records += own
        page_of += [number] * len(own)
    return fields, records, page_of


# -- flat tables ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FlatColumn:
    """A column of a flat table: a part of the fields of one column."""

    name: str
    part: str  #: text, href, src or value
    column: Column


def flat_columns(table: RecordTable) -> list[FlatColumn]:
    """The columns of a flat table: each text, and beside it address, picture and value."""
    return [
        FlatColumn(column.name if part == "text" else f"{column.name}_{part}", part, column)
        for column in table.columns
        for part in column.parts
    ]


def flat_cell(flat: FlatColumn, record: int) -> Any:
    """One cell: a value, a list in a column of lists, or None."""
    cells = [_part(flat, each) for each in flat.column.fields.get(record, ())]
    if flat.column.repeated:
        return cells
    return cells[0] if cells else None


def _part(flat: FlatColumn, each: RecordField) -> Any:
    if flat.part == "text":
        return each.alt if each.src else each.text
    if flat.part == "value":
        value = flat.column.value(each)
        return value.cell if value else None
    return getattr(each, flat.part) or None


def flat_header(table: RecordTable) -> list[str]:
    """The names of all columns of a flat table."""
    kinds = [KIND] if table.kinds else []
    return [PAGE, RECORD, *kinds, *(flat.name for flat in flat_columns(table))]


def flat_rows(table: RecordTable, page: int | None = None) -> Iterator[list[Any]]:
    """The cells of each record, of all pages or of one; records are numbered on their page."""
    columns, kinds = flat_columns(table), table.kinds
    numbers: Counter[int] = Counter()
    for record, at in enumerate(table.page_of):
        numbers[at] += 1
        if page is None or page == at:
            own = [kinds[record]] if kinds else []
            url = table.pages[at].url or ""
            yield [url, numbers[at], *own, *(flat_cell(each, record) for each in columns)]


def csv_cell(value: Any, *, escape: bool = False) -> str:
    """A cell of a CSV file: a list as JSON, nothing as an empty cell.

    With `escape`, a cell that a spreadsheet would take for a formula begins with an apostrophe.
    """
    if value is None or value == []:
        return ""
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, list) else str(value)
    return f"'{text}" if escape and isinstance(value, str) and text.startswith(FORMULAS) else text


FORMULAS = ("=", "+", "-", "@", "\t", "\r")  #: beginnings of what a spreadsheet computes
