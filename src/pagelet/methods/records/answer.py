"""Records as pagelets, and their table in every format."""

import csv
import io
import json
from collections.abc import Sequence
from functools import partial
from typing import Any

from pagelet.errors import MissingExtra
from pagelet.methods.listing import list_pagelets
from pagelet.methods.records.columns import Column
from pagelet.methods.records.fields import RecordField
from pagelet.methods.records.options import RecordsOptions
from pagelet.methods.records.ranking import LocatedRecord
from pagelet.methods.records.reasons import RecordGroups, RecordReason
from pagelet.methods.records.table import (
    RecordTable,
    build_table,
    csv_cell,
    flat_header,
    flat_rows,
)
from pagelet.models.trees import Trees
from pagelet.page.table import Page
from pagelet.pagelets import Pagelet, Pagelets
from pagelet.wording import count_of


def answer(page: Page, options: RecordsOptions, table: RecordTable, model: Trees) -> Pagelets:
    """The records of the first page of a table as pagelets."""
    groups = RecordGroups(page, model, explained=options.explain)
    own = [record for record, at in zip(table.records, table.page_of, strict=True) if at == 0]
    items = tuple(record_pagelet(page, record, groups) for record in own)
    return Pagelets(page, "records", options.profile, items, partial(_more, table), table)


def record_pagelet(page: Page, record: LocatedRecord, groups: RecordGroups) -> Pagelet:
    """One record as a pagelet."""
    rows = top_rows(page, record)
    reason = RecordReason(groups, record.group) if record.group >= 0 else {"schema": True}
    return Pagelet(page, rows, "record", record.score, reason)


def top_rows(page: Page, record: LocatedRecord) -> tuple[int, ...]:
    """The element of a record, or the siblings that make it."""
    rows, row = [], record.span.start
    while row < record.span.stop:
        rows.append(row)
        row = int(page.end[row])
    return tuple(rows)


def _more(table: RecordTable) -> dict[str, Any]:
    return {"columns": table.describe_columns(), "records": list(table.rows(0))}


def table_of(result: Pagelets) -> RecordTable:
    """The table of a result."""
    if isinstance(result.source, RecordTable):
        return result.source
    return build_table([result.page], [[]])


def list_fields(result: Pagelets) -> list[list[dict[str, str | None]]]:
    """For each record its fields in the order of the columns: name, text, href, src, value."""
    table = table_of(result)
    return [
        [
            _named_field(column, each)
            for column in table.columns
            for each in column.fields.get(at, ())
        ]
        for at, page in enumerate(table.page_of)
        if page == 0
    ]


def list_kinds(result: Pagelets) -> list[str]:
    """The kind of each record: result or sponsored."""
    table = table_of(result)
    pairs = zip(table.records, table.page_of, strict=True)
    return [record.kind for record, page in pairs if page == 0]


def _named_field(column: Column, each: RecordField) -> dict[str, str | None]:
    value = column.value(each)
    return {
        "name": column.name,
        "text": each.alt if each.src else each.text,
        "href": each.href or None,
        "src": each.src or None,
        "value": None if value is None else str(value.cell),
    }


# -- formats ----------------------------------------------------------------------------------


def write_text(result: Pagelets, options: RecordsOptions) -> str:
    """A paragraph per record, a line per field; with `explain` the records and their reasons."""
    if options.explain:
        return list_pagelets(result, explain=True)
    return "\n\n".join(
        "\n".join(f"{name}: {shown}" for name, value in row.items() if (shown := _shown(value)))
        for row in table_of(result).rows(0)
    )


def _shown(value: Any) -> str:
    """A value for people: text, and the address in brackets."""
    if value is None:
        return ""
    if isinstance(value, list):
        return "; ".join(filter(None, map(_shown, value)))
    if not isinstance(value, dict):
        return str(value)
    address = value.get("src") or value.get("href") or ""
    text = value.get("text") or value.get("alt") or ""
    return f"{text} <{address}>".strip() if address else str(text)


def write_csv(result: Pagelets, options: RecordsOptions) -> str:
    """A header, and one line per record; lists are JSON."""
    table = table_of(result)
    if not result:
        return ""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(flat_header(table))
    for row in flat_rows(table, 0):
        writer.writerow([csv_cell(each, escape=options.escape_formulas) for each in row])
    return file.getvalue().rstrip("\n")


def write_jsonl(result: Pagelets, _options: RecordsOptions) -> str:
    """One object per record, with the names of the CSV."""
    table = table_of(result)
    header = flat_header(table)
    rows = (dict(zip(header, row, strict=True)) for row in flat_rows(table, 0))
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)


def write_parquet(result: Pagelets, _options: RecordsOptions) -> bytes:
    """A Parquet file with the names of the CSV and real lists."""
    try:
        import pyarrow.parquet  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtra("arrow", "writing Parquet") from error
    file = io.BytesIO()
    pyarrow.parquet.write_table(arrow_table(table_of(result)), file)
    return file.getvalue()


def arrow_table(table: RecordTable) -> Any:
    """The table in Arrow: texts, numbers, and lists of them."""
    import pyarrow  # noqa: PLC0415 - few results are Parquet

    header = flat_header(table)
    columns = list(zip(*flat_rows(table, 0), strict=True)) or [()] * len(header)
    return pyarrow.table(
        {name: _arrow(pyarrow, values) for name, values in zip(header, columns, strict=True)}
    )


def _arrow(pyarrow: Any, values: Sequence[Any]) -> Any:
    """An array of one type: whole numbers, numbers, or texts."""
    nested = any(isinstance(value, list) for value in values)
    flat = [one for value in values for one in (value if isinstance(value, list) else [value])]
    given = [one for one in flat if one is not None]
    if all(isinstance(one, int) for one in given) and given:
        kind = pyarrow.int64()
    elif all(isinstance(one, int | float) for one in given) and given:
        kind = pyarrow.float64()
    else:
        kind = pyarrow.string()
        values = [_as_text(value) for value in values]
    return pyarrow.array(values, pyarrow.list_(kind) if nested else kind)


def _as_text(value: Any) -> Any:
    if isinstance(value, list):
        return [_as_text(one) for one in value]
    return value if value is None or isinstance(value, str) else str(value)


def summarise(result: Pagelets, _options: RecordsOptions, format: str) -> Sequence[str]:
    """How many records and columns there are."""
    table = table_of(result)
    if not result:
        return ["no records"]
    if format != "text":
        return ()
    columns = count_of(len(table.columns), "column")
    return [f"{count_of(len(result), 'record')}, {columns}"]
