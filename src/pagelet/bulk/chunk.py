"""A chunk: some records read from a source, and the tables made of them."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from pagelet.bulk.options import BulkOptions
from pagelet.bulk.readers import (
    file_entries,
    jsonl_entries,
    parquet_entries,
    url_entries,
    warc_entries,
)
from pagelet.bulk.records import DAMAGE, Chunk, Entry, Record, Skip, Source, counted
from pagelet.sources.warc.reader import NO_FAILURES, Failures, OnRecord, Place, ignore_record

if TYPE_CHECKING:
    import pyarrow as pa

CHUNK_BYTES = 16_000_000  #: bytes of pages from which on a chunk is full

Row = dict[str, Any]


class Work(Protocol):
    """What is made of a page; it is sent to workers, so it can be pickled."""

    @property
    def options(self) -> BulkOptions:
        """What is wanted."""

    def schemas(self) -> "dict[str, pa.Schema]":
        """The tables, and their columns."""

    def rows(self, record: Record) -> dict[str, list[Row]]:
        """The rows of one record in each table; nothing is raised."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a chunk cost the process that made it."""

    reading: float = 0.0  #: processor seconds until its records were read
    working: float = 0.0  #: processor seconds after that
    memory: int = 0  #: most bytes that the process has ever held


@dataclass(frozen=True, slots=True)
class Result:
    """What was made of a chunk."""

    tables: "dict[str, pa.RecordBatch]"
    records: int = 0
    skips: Mapping[str, int] = field(default_factory=dict)
    errors: Mapping[str, int] = field(default_factory=dict)
    bytes: int = 0  #: of HTML
    cost: Cost = Cost()


@dataclass(frozen=True, slots=True, eq=False)
class Finished:
    """A chunk that was worked on: where it lies, and the rows it gave."""

    source: Source
    start: Place
    end: Place | None  #: None at the end of the source
    tables: "Mapping[str, pa.Table]"
    result: Result


def entries_of(
    source: Source,
    start: Place,
    options: BulkOptions,
    watch: OnRecord = ignore_record,
    avoid: Failures = NO_FAILURES,
) -> Iterator[Entry]:
    """Everything in a source from a place on."""
    if source.kind == "warc":
        return warc_entries(source, start, options.max_bytes, watch, avoid)
    readers: dict[str, Callable[[Source, Place, BulkOptions, OnRecord], Iterator[Entry]]] = {
        "jsonl": jsonl_entries,
        "parquet": parquet_entries,
        "files": file_entries,
        "urls": url_entries,
    }
    return readers[source.kind](source, start, options, watch)


def read_chunk(source: Source, start: Place, entries: Iterator[Entry], most: int) -> Chunk:
    """The next records of a source, until there are enough of them, or enough bytes."""
    records: list[Record] = []
    skips: Counter[str] = Counter()
    size, end = 0, None
    for taken, entry in enumerate(entries, 1):
        if isinstance(entry.found, Skip):
            counted(skips, entry.found.reason)
        else:
            records.append(entry.found)
            size += len(entry.found.body)
        if entry.damage:
            counted(skips, DAMAGE, entry.damage)
        end = entry.after
        if taken >= most or size >= CHUNK_BYTES:
            break
    return Chunk(source, start, end, tuple(records), dict(skips))


def process_chunk(
    chunk: Chunk, work: Work, watch: OnRecord = ignore_record, failed: Failures = NO_FAILURES
) -> Result:
    """Make the tables of a chunk: the one way that every engine goes."""
    schemas = work.schemas()
    rows: dict[str, list[Row]] = {name: [] for name in schemas}
    errors: Counter[str] = Counter()
    for record in chunk.records:
        watch(record.place)
        told = failed.get(record.place)
        judged = replace(record, body=b"", error=told[0], reason=told[1]) if told else record
        for name, made in work.rows(judged).items():
            rows[name].extend(made)
        last = rows["pages"][-1].get("error") if rows.get("pages") else None
        if last:
            counted(errors, last)
    tables = {name: batch_of(rows[name], schema) for name, schema in schemas.items()}
    size = sum(len(record.body) for record in chunk.records)
    return Result(tables, len(chunk.records), chunk.skips, dict(errors), size)


def batch_of(rows: list[Row], schema: "pa.Schema") -> "pa.RecordBatch":
    """Rows as Arrow has them; a text that cannot be written is mended."""
    import pyarrow as pa  # noqa: PLC0415 - an extra

    try:
        return pa.RecordBatch.from_pylist(rows, schema)
    except (UnicodeError, pa.ArrowInvalid):
        return pa.RecordBatch.from_pylist([mended(row) for row in rows], schema)


def mended(value: Any) -> Any:
    """The same with lone surrogates replaced, which no encoding can carry."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {name: mended(part) for name, part in value.items()}
    return [mended(part) for part in value] if isinstance(value, list) else value
