"""Many pages at once, as tables have them: for Ray Data, Arrow functions, Spark and pandas."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from pagelet.bulk.options import BulkOptions, page_schema, pyarrow
from pagelet.bulk.row import PAGES, columns_of, page_row
from pagelet.errors import OptionError

if TYPE_CHECKING:
    import pyarrow as pa

Batch = TypeVar("Batch")


def map_batches(batch: Batch, options: BulkOptions = PAGES) -> Batch:
    """A batch of pages with what is known of each in place of its HTML.

    A batch is an Arrow table or record batch, a pandas data frame, or a dict of arrays; the
    answer is of the same kind, row for row. Its columns are those of the batch without the HTML,
    then those of the options; a column of the same name is replaced.
    """
    pa, found = pyarrow(), batch
    if isinstance(batch, pa.Table | pa.RecordBatch):
        return _of_arrow(batch, options)  # type: ignore[no-any-return]
    if isinstance(found, Mapping):
        return _of_arrays(found, options)  # type: ignore[return-value]
    if hasattr(batch, "assign") and hasattr(batch, "drop"):
        return _of_frame(batch, options)  # type: ignore[no-any-return]
    why = "expected an Arrow table or record batch, a pandas data frame, or a dict of arrays"
    raise OptionError("batch", type(batch).__name__, why)


def map_in_arrow(
    batches: "Iterable[pa.RecordBatch]", options: BulkOptions = PAGES
) -> "Iterator[pa.RecordBatch]":
    """The same for every batch of a partition, as Spark's `mapInArrow` asks for it."""
    return (map_batches(batch, options) for batch in batches)


def schema_after(schema: "pa.Schema", options: BulkOptions = PAGES) -> "pa.Schema":
    """The columns that come out of batches with these columns."""
    kept = [schema.field(name) for name in _kept(schema.names, options)]
    return pyarrow().schema([*kept, *page_schema(columns_of(options))])


# -- kinds of batches -------------------------------------------------------------------------


def _of_arrow(batch: Any, options: BulkOptions) -> Any:
    columns = {name: batch.column(name) for name in batch.schema.names}
    made = _made({name: values.to_pylist for name, values in columns.items()}, options)
    kept = [columns[name] for name in _kept(batch.schema.names, options)]
    return type(batch).from_arrays(
        [*kept, *made.columns], schema=schema_after(batch.schema, options)
    )


def _of_arrays(batch: Mapping[str, Any], options: BulkOptions) -> dict[str, Any]:
    made = _made({name: np.asarray(values).tolist for name, values in batch.items()}, options)
    kept = {name: batch[name] for name in _kept(list(batch), options)}
    return kept | {name: _array(made.column(name)) for name in made.schema.names}


def _of_frame(batch: Any, options: BulkOptions) -> Any:
    made = _made({name: batch[name].tolist for name in batch.columns}, options).to_pandas()
    made.index = batch.index
    kept = batch[_kept(list(batch.columns), options)]
    return kept.assign(**{name: made[name] for name in made.columns})


def _array(column: Any) -> Any:
    """A numpy array; one of objects where the values are lists."""
    if not pyarrow().types.is_nested(column.type):
        return column.to_numpy(zero_copy_only=False)
    values = np.empty(len(column), object)
    values[:] = column.to_pylist()
    return values


# -- rows -------------------------------------------------------------------------------------


def _made(columns: Mapping[str, Any], options: BulkOptions) -> Any:
    """The columns that are made, as a record batch; of the others only two are read."""
    if options.html_column not in columns:
        why = f"no such column; there are {', '.join(map(str, columns)) or 'none'}"
        raise OptionError("html_column", options.html_column, why)
    pages = columns[options.html_column]()
    urls = columns.get(options.url_column, lambda: [None] * len(pages))()
    rows = [page_row(html, url, options) for html, url in zip(pages, urls, strict=True)]
    return pyarrow().RecordBatch.from_pylist(rows, page_schema(columns_of(options)))


def _kept(names: list[str], options: BulkOptions) -> list[str]:
    gone = {options.html_column, *columns_of(options)}
    return [name for name in names if name not in gone]
