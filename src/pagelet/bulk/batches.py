"""Pages of other pipelines as rows: one by one, or in batches for Arrow, pandas, Ray and Spark."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from pagelet.bulk.options import DEFAULT_COLUMNS, BulkOptions, import_pyarrow, page_schema
from pagelet.bulk.records import Record
from pagelet.bulk.row import row_of
from pagelet.errors import OptionError, PageError, PageTooLarge, Unreachable
from pagelet.sources.warc.reader import START

if TYPE_CHECKING:
    import pyarrow as pa

#: columns that only a run with inputs of its own has
RUN_COLUMNS = ("source", "place", "id", "url", "host", "captured", "notes", "seconds")
PAGE_COLUMNS = tuple(name for name in DEFAULT_COLUMNS if name not in RUN_COLUMNS)
PAGE_OPTIONS = BulkOptions(columns=PAGE_COLUMNS)

Batch = TypeVar("Batch")


def map_batches(batch: Batch, options: BulkOptions = PAGE_OPTIONS) -> Batch:
    """A batch of pages with the columns of `options` in place of the HTML.

    A batch is an Arrow table or record batch, a pandas data frame, or a dict of arrays; the
    result is of the same kind, row for row. Its columns are those of the batch without the HTML,
    then those of the options; a column of the same name is replaced.
    """
    pa, columns = import_pyarrow(), batch
    if isinstance(batch, pa.Table | pa.RecordBatch):
        return _map_arrow(batch, options)  # type: ignore[no-any-return]
    if isinstance(columns, Mapping):
        return _map_arrays(columns, options)  # type: ignore[return-value]
    if hasattr(batch, "assign") and hasattr(batch, "drop"):
        return _map_frame(batch, options)  # type: ignore[no-any-return]
    why = "expected an Arrow table or record batch, a pandas data frame, or a dict of arrays"
    raise OptionError("batch", type(batch).__name__, why)


def map_in_arrow(
    batches: "Iterable[pa.RecordBatch]", options: BulkOptions = PAGE_OPTIONS
) -> "Iterator[pa.RecordBatch]":
    """The same for every batch of a partition, for Spark's `mapInArrow`."""
    return (map_batches(batch, options) for batch in batches)


def schema_after(schema: "pa.Schema", options: BulkOptions = PAGE_OPTIONS) -> "pa.Schema":
    """The schema of mapped batches, from the schema of the batches."""
    kept = [schema.field(name) for name in _kept_columns(schema.names, options)]
    return import_pyarrow().schema([*kept, *page_schema(page_columns(options))])


# -- one page ---------------------------------------------------------------------------------


def page_columns(options: BulkOptions) -> tuple[str, ...]:
    """The columns of a page's row."""
    return tuple(name for name in options.table_columns if name not in RUN_COLUMNS)


def page_row(html: Any, url: Any, options: BulkOptions) -> dict[str, Any]:
    """The columns of a page; nothing is raised, errors are in the row."""
    address = url if isinstance(url, str) else None
    name = address or "page"
    error = _check_html(html, name, options)
    if error is None:
        record = Record("", START, name, url=address, body=html)
    else:
        kind, reason = type(error).__name__, str(error)
        record = Record("", START, name, url=address, error=kind, reason=reason)
    row = row_of(record, options)
    return {column: row.get(column) for column in page_columns(options)}


def _check_html(html: Any, name: str, options: BulkOptions) -> PageError | None:
    """The error of a value that is no page; tables have NaN and the like where nothing is."""
    if not isinstance(html, str | bytes):
        return Unreachable(name, f"no HTML in its column {options.html_column!r}")
    if len(html) > options.max_bytes:
        return PageTooLarge(name, options.max_bytes)
    return None


# -- kinds of batches -------------------------------------------------------------------------


def _map_arrow(batch: Any, options: BulkOptions) -> Any:
    columns = {name: batch.column(name) for name in batch.schema.names}
    made = _make_columns({name: values.to_pylist for name, values in columns.items()}, options)
    kept = [columns[name] for name in _kept_columns(batch.schema.names, options)]
    return type(batch).from_arrays(
        [*kept, *made.columns], schema=schema_after(batch.schema, options)
    )


def _map_arrays(batch: Mapping[str, Any], options: BulkOptions) -> dict[str, Any]:
    columns = {name: np.asarray(values).tolist for name, values in batch.items()}
    made = _make_columns(columns, options)
    kept = {name: batch[name] for name in _kept_columns(list(batch), options)}
    return kept | {name: _to_array(made.column(name)) for name in made.schema.names}


def _map_frame(batch: Any, options: BulkOptions) -> Any:
    columns = {name: batch[name].tolist for name in batch.columns}
    made = _make_columns(columns, options).to_pandas()
    made.index = batch.index
    kept = batch[_kept_columns(list(batch.columns), options)]
    return kept.assign(**{name: made[name] for name in made.columns})


def _to_array(column: Any) -> Any:
    """A numpy array; one of objects where the values are lists."""
    if not import_pyarrow().types.is_nested(column.type):
        return column.to_numpy(zero_copy_only=False)
    values = np.empty(len(column), object)
    values[:] = column.to_pylist()
    return values


def _make_columns(columns: Mapping[str, Any], options: BulkOptions) -> Any:
    """The new columns as a record batch; of the old ones only HTML and address are read."""
    if options.html_column not in columns:
        why = f"no such column; there are {', '.join(map(str, columns)) or 'none'}"
        raise OptionError("html_column", options.html_column, why)
    pages = columns[options.html_column]()
    urls = columns.get(options.url_column, lambda: [None] * len(pages))()
    rows = [page_row(html, url, options) for html, url in zip(pages, urls, strict=True)]
    return import_pyarrow().RecordBatch.from_pylist(rows, page_schema(page_columns(options)))


def _kept_columns(names: list[str], options: BulkOptions) -> list[str]:
    replaced = {options.html_column, *page_columns(options)}
    return [name for name in names if name not in replaced]
