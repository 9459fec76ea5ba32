"""Pages in tables: JSON lines and Parquet with a column of HTML."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime
from io import BufferedReader
from typing import Any, BinaryIO, cast

from pagelet.bulk.opening import opened
from pagelet.bulk.options import BulkOptions
from pagelet.bulk.records import Entry, Place, Record, Skip, Source
from pagelet.bulk.walk_warc import Watch
from pagelet.errors import MissingExtra, OptionError, PageTooLarge, Unreachable

BATCH = 32  #: rows of a Parquet file that are held at once
DATES = ("date", "captured", "timestamp", "crawled")  #: columns that may tell when it was got
ROOM = 1_000_000  #: bytes that a line may have beside its page; a sign may take six of them
PACKED = (".gz", ".zst")


def jsonl_entries(
    source: Source, start: Place, options: BulkOptions, watch: Watch
) -> Iterator[Entry]:
    """The lines of a file from a place on: a byte, or a number of lines if it is packed."""
    longest = options.max_bytes * 6 + ROOM
    packed = is_packed(source.address)
    with unpacked(source.address) as file:
        at = _sought(file, start.at, packed=packed, longest=longest)
        held = _line(file, longest)
        while held is not None:
            watch(Place(at))
            line, size = held
            after = at + (1 if packed else size)
            held = _line(file, longest)
            found = _of_line(line, Place(at), source, options)
            yield Entry(found, None if held is None else Place(after))
            at = after


def is_packed(address: str) -> bool:
    """Whether the lines of a file cannot be found by their bytes."""
    return address.lower().endswith(PACKED)


@contextmanager
def unpacked(address: str) -> Iterator[BinaryIO]:
    """A file of lines, its packing taken off."""
    with opened(address) as file:
        name = address.lower()
        if name.endswith(".gz"):
            import gzip  # noqa: PLC0415 - when there is such a file

            with gzip.open(file) as lines:
                yield cast("BinaryIO", lines)
        elif name.endswith(".zst"):
            reader = _zstandard().ZstdDecompressor().stream_reader(file, read_across_frames=True)
            yield cast("BinaryIO", BufferedReader(reader, 2**20))
        else:
            yield file


def _zstandard() -> Any:
    try:
        import zstandard  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtra("bulk", "reading .zst files") from error
    return zstandard


def _sought(file: BinaryIO, at: int, *, packed: bool, longest: int) -> int:
    """Go to a place."""
    if not packed:
        file.seek(at)
        return at
    for _ in range(at):
        _line(file, longest)
    return at


def _line(file: BinaryIO, longest: int) -> tuple[bytes | None, int] | None:
    """A line, None if it is too long, and its bytes; None at the end."""
    line = file.readline(longest)
    size = len(line)
    if not line:
        return None
    if size < longest or line.endswith(b"\n"):
        return line, size
    while piece := file.readline(longest):
        size += len(piece)
        if piece.endswith(b"\n"):
            break
    return None, size


def _of_line(
    line: bytes | None, place: Place, source: Source, options: BulkOptions
) -> Record | Skip:
    if line is None:
        return _wrong(place, source, PageTooLarge("a line", options.max_bytes))
    if not line.strip():
        return Skip(place, "empty line")
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return _wrong(place, source, Unreachable("a line", "it is not JSON"))
    if not isinstance(row, dict):
        return _wrong(place, source, Unreachable("a line", "it is no JSON object"))
    return record_of(row, place, source, options)


def _wrong(place: Place, source: Source, error: Exception) -> Record:
    name = f"{source.address}#{place.at}"
    return Record(source.address, place, name, error=type(error).__name__, reason=str(error))


def record_of(row: dict[str, Any], place: Place, source: Source, options: BulkOptions) -> Record:
    """A page from a row of any table."""
    html, url = row.get(options.html_column), row.get(options.url_column)
    said = row.get(options.id_column)
    record = Record(
        source=source.address,
        place=place,
        id=f"{source.address}#{source.before + place.at}" if said is None else _text(said),
        url=None if url is None else _text(url),
        captured=next(filter(None, (_moment(row.get(name)) for name in DATES)), None),
        body=html if isinstance(html, str | bytes) else b"",
        before=source.before,
    )
    if isinstance(html, str | bytes):
        return record
    error = Unreachable(record.id, f"no HTML in its column {options.html_column!r}")
    return replace(record, error=type(error).__name__, reason=str(error))


def _text(value: object) -> str:
    return str(value).encode("utf-8", "replace").decode()


def _moment(value: object) -> datetime | None:
    """A moment, if it is one; without a zone it is taken as UTC."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return None
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day)
    if not isinstance(value, datetime):
        return None
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


# -- Parquet ----------------------------------------------------------------------------------


def parquet_entries(
    source: Source, start: Place, options: BulkOptions, watch: Watch
) -> Iterator[Entry]:
    """The rows of a row group from a place on."""
    with opened(source.address) as file:
        table = parquet_file(file, source.address)
        known = set(table.schema_arrow.names)
        if options.html_column not in known:
            raise OptionError("html_column", options.html_column, f"{source.address} has no such")
        asked = (options.html_column, options.id_column, options.url_column, *DATES)
        columns = [name for name in dict.fromkeys(asked) if name in known]
        total = table.metadata.row_group(source.part).num_rows
        at = 0
        watch(start)
        batches = table.iter_batches(BATCH, row_groups=[source.part], columns=columns)
        for batch in batches:
            if at + batch.num_rows > start.at:
                first = max(start.at - at, 0)
                for offset, row in enumerate(batch.slice(first).to_pylist(), at + first):
                    place = Place(offset)
                    watch(place)
                    after = Place(offset + 1) if offset + 1 < total else None
                    yield Entry(record_of(row, place, source, options), after)
            at += batch.num_rows


def parquet_file(file: BinaryIO, address: str) -> Any:
    """An open Parquet file."""
    try:
        import pyarrow  # noqa: PLC0415 - an extra
        import pyarrow.parquet  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtra("bulk", "reading Parquet") from error
    try:
        return pyarrow.parquet.ParquetFile(file)
    except pyarrow.ArrowInvalid as error:
        raise Unreachable(address, f"{error}; give a Parquet file") from error
