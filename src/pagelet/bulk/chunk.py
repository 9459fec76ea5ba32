"""A chunk: some records read from a source, and the tables made of them."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from pagelet.bulk.options import BulkOptions, import_pyarrow
from pagelet.bulk.readers import file_entries, url_entries, warc_entries
from pagelet.bulk.records import (
    DAMAGE,
    Chunk,
    Record,
    Skip,
    Source,
    SourceEntry,
    count_reason,
    describe_error,
)
from pagelet.bulk.tables import jsonl_entries, parquet_entries
from pagelet.errors import DamagedRecord
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

    def take_stages(self) -> dict[str, float]:
        """Processor seconds by stage since the last call; empty where none are measured."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Time and memory that a chunk took in its process."""

    reading: float = 0.0  #: processor seconds until its records were read
    working: float = 0.0  #: processor seconds after that
    memory: int = 0  #: most bytes that the process has ever held
    idle: float = 0.0  #: seconds without a chunk before this one
    blocked: float = 0.0  #: seconds in which it waited for input or for the processor


LOW_CONFIDENCE = "text left out: confidence"  #: beginning of the note of such a row


@dataclass(frozen=True, slots=True)
class Result:
    """The tables of a chunk, and counts of what is in them."""

    tables: "dict[str, pa.RecordBatch]"
    records: int = 0
    skips: Mapping[str, int] = field(default_factory=dict)
    errors: Mapping[str, int] = field(default_factory=dict)
    bytes: int = 0  #: bytes of HTML
    unsure: int = 0  #: rows without text, since their confidence is too low
    cost: Cost = Cost()
    stages: Mapping[str, float] = field(default_factory=dict)  #: processor seconds by stage

    @property
    def damage(self) -> int:
        """Damaged places and records."""
        return self.skips.get(DAMAGE, 0) + self.errors.get(DamagedRecord.__name__, 0)


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
    return READERS[source.kind](source, start, options, on_record, avoid)


Reader = Callable[[Source, Place, BulkOptions, OnRecord, Failures], Iterator[SourceEntry]]
READERS: dict[str, Reader] = {
    "warc": warc_entries,
    "jsonl": jsonl_entries,
    "parquet": parquet_entries,
    "files": file_entries,
    "urls": url_entries,
}


def read_chunk(
    source: Source, start: Place, entries: Iterator[SourceEntry], max_records: int
) -> Chunk:
    """Read the next records of a source, up to a number of them or of bytes.

    An error ends the chunk before it; the next chunk begins there, and raises it.
    """
    records: list[Record] = []
    skips: Counter[str] = Counter()
    size, taken, end, broken = 0, 0, None, False
    try:
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
    except Exception:
        if not taken:
            raise
        broken = True
    return Chunk(source, start, end, tuple(records), dict(skips), broken)


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
    unsure = 0
    for record in chunk.records:
        on_record(record.place)
        for name, made in work.rows(_mark_failed(record, failed)).items():
            rows[name].extend(made)
        last = rows["pages"][-1] if rows.get("pages") else {}
        if error := last.get("error"):
            count_reason(errors, error)
        unsure += any(note.startswith(LOW_CONFIDENCE) for note in last.get("notes") or ())
    tables = {name: make_batch(rows[name], schema) for name, schema in schemas.items()}
    size = sum(len(record.body) for record in chunk.records)
    return Result(
        tables, len(chunk.records), chunk.skips, dict(errors), size, unsure,
        stages=work.take_stages(),
    )  # fmt: skip


def _mark_failed(record: Record, failed: Failures) -> Record:
    """The record; without its page if that brought workers down."""
    if record.place not in failed:
        return record
    error, reason = failed[record.place]
    return replace(record, body=b"", error=error, reason=reason)


def make_batch(rows: list[Row], schema: "pa.Schema") -> "pa.RecordBatch":
    """Rows as a record batch; a row that the schema cannot hold becomes an error row."""
    from_pylist = import_pyarrow().RecordBatch.from_pylist
    try:
        return from_pylist(rows, schema)
    except Exception:  # noqa: BLE001 - one row must not take the others with it
        mended = [_mend_row(row, schema) for row in rows]
        return from_pylist([row for row in mended if row is not None], schema)


def _mend_row(row: Row, schema: "pa.Schema") -> Row | None:
    """A row that the schema can hold: lone surrogates replaced, else its identity and the error."""
    from_pylist = import_pyarrow().RecordBatch.from_pylist
    clean = replace_surrogates(row)
    try:
        from_pylist([clean], schema)
    except Exception as error:  # noqa: BLE001 - whatever it is that cannot be held
        if "error" not in row:
            return None  # not a row of a page
        name, reason = describe_error(error)
        kept = {key: clean.get(key) for key in ("source", "place", "id", "seconds")}
        return kept | {"error": name, "reason": reason}
    return clean  # type: ignore[no-any-return]


def replace_surrogates(value: Any) -> Any:
    """The same value with lone surrogates replaced, which no encoding can carry."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {name: replace_surrogates(part) for name, part in value.items()}
    return [replace_surrogates(part) for part in value] if isinstance(value, list) else value
