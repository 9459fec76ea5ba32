"""A chunk: some records read from a source, and the tables made of them."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from pagelet.bulk.options import BulkOptions, import_pyarrow
from pagelet.bulk.readers import (
    file_entries,
    jsonl_entries,
    parquet_entries,
    url_entries,
    warc_entries,
)
from pagelet.bulk.records import DAMAGE, Chunk, Record, Skip, Source, SourceEntry, count_reason
from pagelet.sources.warc.reader import NO_FAILURES, Failures, OnRecord, Place, ignore_record

if TYPE_CHECKING:
    import pyarrow as pa

CHUNK_BYTES = 16_000_000  #: bytes of pages from which on a chunk is full

Row = dict[str, Any]


class Work(Protocol):
    """Makes the rows of a page; it is sent to workers, so it can be pickled."""

    @property
    def options(self) -> BulkOptions:
        """The options of the run."""

    def schemas(self) -> "dict[str, pa.Schema]":
        """The schemas of the tables, by name."""

    def rows(self, record: Record) -> dict[str, list[Row]]:
        """The rows of one record in each table; nothing is raised."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Processor time and memory that a chunk took in its process."""

    reading: float = 0.0  #: processor seconds until its records were read
    working: float = 0.0  #: processor seconds after that
    memory: int = 0  #: most bytes that the process has ever held


@dataclass(frozen=True, slots=True)
class Result:
    """The tables of a chunk, and counts of what is in them."""

    tables: "dict[str, pa.RecordBatch]"
    records: int = 0
    skips: Mapping[str, int] = field(default_factory=dict)
    errors: Mapping[str, int] = field(default_factory=dict)
    bytes: int = 0  #: bytes of HTML
    cost: Cost = Cost()


@dataclass(frozen=True, slots=True, eq=False)
class Finished:
    """A chunk that is done: where it lies, and its rows."""

    source: Source
    start: Place
    end: Place | None  #: None at the end of the source
    tables: "Mapping[str, pa.Table]"
    result: Result  #: its own tables may be left out


def read_source(
    source: Source,
    start: Place,
    options: BulkOptions,
    on_record: OnRecord = ignore_record,
    avoid: Failures = NO_FAILURES,
) -> Iterator[SourceEntry]:
    """Read a source from a place on."""
    if source.kind == "warc":
        return warc_entries(source, start, options.max_bytes, on_record, avoid)
    readers: dict[str, Callable[[Source, Place, BulkOptions, OnRecord], Iterator[SourceEntry]]] = {
        "jsonl": jsonl_entries,
        "parquet": parquet_entries,
        "files": file_entries,
        "urls": url_entries,
    }
    return readers[source.kind](source, start, options, on_record)


def read_chunk(
    source: Source, start: Place, entries: Iterator[SourceEntry], max_records: int
) -> Chunk:
    """Read the next records of a source, up to a number of them or of bytes."""
    records: list[Record] = []
    skips: Counter[str] = Counter()
    size, end = 0, None
    for taken, entry in enumerate(entries, 1):
        if isinstance(entry.item, Skip):
            count_reason(skips, entry.item.reason)
        else:
            records.append(entry.item)
            size += len(entry.item.body)
        if entry.damage:
            count_reason(skips, DAMAGE, entry.damage)
        end = entry.after
        if taken >= max_records or size >= CHUNK_BYTES:
            break
    return Chunk(source, start, end, tuple(records), dict(skips))


def process_chunk(
    chunk: Chunk,
    work: Work,
    on_record: OnRecord = ignore_record,
    failed: Failures = NO_FAILURES,
) -> Result:
    """Make the tables of a chunk, in the same way for every engine."""
    schemas = work.schemas()
    rows: dict[str, list[Row]] = {name: [] for name in schemas}
    errors: Counter[str] = Counter()
    for record in chunk.records:
        on_record(record.place)
        for name, made in work.rows(_mark_failed(record, failed)).items():
            rows[name].extend(made)
        last = rows["pages"][-1].get("error") if rows.get("pages") else None
        if last:
            count_reason(errors, last)
    tables = {name: make_batch(rows[name], schema) for name, schema in schemas.items()}
    size = sum(len(record.body) for record in chunk.records)
    return Result(tables, len(chunk.records), chunk.skips, dict(errors), size)


def _mark_failed(record: Record, failed: Failures) -> Record:
    """The record; without its page if that brought workers down."""
    if record.place not in failed:
        return record
    error, reason = failed[record.place]
    return replace(record, body=b"", error=error, reason=reason)


def make_batch(rows: list[Row], schema: "pa.Schema") -> "pa.RecordBatch":
    """Rows as a record batch; lone surrogates are replaced."""
    pa = import_pyarrow()
    try:
        return pa.RecordBatch.from_pylist(rows, schema)
    except (UnicodeError, pa.ArrowInvalid):
        return pa.RecordBatch.from_pylist([replace_surrogates(row) for row in rows], schema)


def replace_surrogates(value: Any) -> Any:
    """The same value with lone surrogates replaced, which no encoding can carry."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {name: replace_surrogates(part) for name, part in value.items()}
    return [replace_surrogates(part) for part in value] if isinstance(value, list) else value
