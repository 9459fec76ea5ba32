"""Readers of pages in tables: JSON lines, also compressed, and Parquet."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from io import BufferedReader
from typing import Any, BinaryIO, NamedTuple, cast

from pagelet.bulk.addresses import BUFFER_BYTES, open_address
from pagelet.bulk.options import BulkOptions
from pagelet.bulk.records import (
    DAMAGE,
    Record,
    Skip,
    Source,
    SourceEntry,
    clean_text,
    read_unless_avoided,
    with_error,
)
from pagelet.bulk.times import CaptureTime, parse_time, time_since_epoch
from pagelet.errors import (
    DamagedRecord,
    MissingExtra,
    OptionError,
    PageTooLarge,
    Unreachable,
)
from pagelet.sources.compressed import GZIP, Unpacked, zstd_codec
from pagelet.sources.warc.reader import Failures, OnRecord, Place

DATE_COLUMNS = ("date", "captured", "timestamp", "crawled")  #: columns with the time of capture

Row = Mapping[str, Any]


class UnreadableValue(NamedTuple):
    """A value of a table that cannot be read."""

    why: str


def _read_row(row: Row, options: BulkOptions, bare: Record) -> Record:
    """A page from a row of any table."""
    values = {
        key: None if isinstance(value, UnreadableValue) else value for key, value in row.items()
    }
    captured = _capture_time(values)
    unread = [f"{key}: {row[key].why}" for key in row if isinstance(row[key], UnreadableValue)]
    url, name = values.get(options.url_column), values.get(options.id_column)
    html = values.get(options.html_column)
    record = replace(
        bare,
        id=bare.id if name is None else clean_text(name),
        url=None if url is None else clean_text(url),
        captured=captured.time,
        notes=(*captured.notes, *unread),
    )
    if not isinstance(html, str | bytes):
        why = f"no HTML in its column {options.html_column!r}"
        return with_error(record, Unreachable(record.id, why))
    if len(html) > options.max_bytes:
        return with_error(record, PageTooLarge(record.id, options.max_bytes))
    return replace(record, body=html)


def _capture_time(row: Row) -> CaptureTime:
    """The first time among the columns that have one, and notes about those before it."""
    notes: tuple[str, ...] = ()
    for name in DATE_COLUMNS:
        value = row.get(name)
        found = value if isinstance(value, CaptureTime) else parse_time(value, name)
        notes += found.notes
        if found.time is not None:
            return CaptureTime(found.time, notes)
    return CaptureTime(None, notes)


# -- JSON lines -------------------------------------------------------------------------------

LINE_OVERHEAD_BYTES = 1_000_000  #: bytes that a line may have beside its page
ESCAPED_BYTES = 6  #: most bytes of one character of a page in JSON
COMPRESSED_ENDINGS = (".gz", ".zst")


class SourceLine(NamedTuple):
    """A line of a file."""

    text: bytes | None  #: None if it is too long
    size: int
    damage: int = 0  #: damaged places before it
    cut: bool = False  #: whether it ends where the file is damaged


def jsonl_entries(
    source: Source, start: Place, options: BulkOptions, on_record: OnRecord, avoid: Failures
) -> Iterator[SourceEntry]:
    """Read lines from a place on: a byte, or a number of lines if the file is compressed."""
    compressed = is_compressed(source.address)
    with _open_lines(source.address, options) as lines:
        lines.skip_to(start.at, in_lines=compressed)
        at, line = start.at, lines.next()
        damage = 0 if start.at else line.damage
        if line.size == 0 and damage:
            yield SourceEntry(Skip(Place(at), DAMAGE), None, damage - 1)
        while line.size:
            on_record(Place(at))
            bare = Record(source.address, Place(at), f"{source.address}#{at}")
            item = _read_line(line, bare, options, avoid)
            at += 1 if compressed else line.size
            try:
                line = lines.next()
            except Exception:
                yield SourceEntry(item, Place(at), damage)  # it comes out before the error
                raise
            yield SourceEntry(item, Place(at) if line.size else None, damage + line.damage)
            damage = 0


def is_compressed(address: str) -> bool:
    """Whether the lines of a file cannot be found by their bytes."""
    return address.lower().endswith(COMPRESSED_ENDINGS)


@contextmanager
def _open_lines(address: str, options: BulkOptions) -> Iterator["LineReader"]:
    """Open a file of lines, decompressed."""
    max_bytes = options.max_bytes * ESCAPED_BYTES + LINE_OVERHEAD_BYTES
    with open_address(address) as file:
        if is_compressed(address):
            codec = GZIP if address.lower().endswith(".gz") else zstd_codec()
            unpacked = Unpacked(file, codec)
            lines = cast("BinaryIO", BufferedReader(unpacked, BUFFER_BYTES))
            yield LineReader(lines, max_bytes, unpacked)
        else:
            yield LineReader(file, max_bytes)


class LineReader:
    """Reads the lines of a file, past damage."""

    def __init__(self, file: BinaryIO, max_bytes: int, unpacked: Unpacked | None = None) -> None:
        self._file, self._max_bytes, self._unpacked = file, max_bytes, unpacked

    def skip_to(self, at: int, *, in_lines: bool) -> None:
        """Go on at a line, or at a byte."""
        if not in_lines:
            self._file.seek(at)
            return
        for _ in range(at):
            self.next()

    def next(self) -> SourceLine:
        """The next line; its size is 0 at the end."""
        damage = 0
        while (line := self._read()).size == 0 and self._is_stopped():
            damage += 1
            assert self._unpacked is not None
            self._unpacked.pass_damage()
        ended = line.text is not None and line.text.endswith(b"\n")
        return line._replace(damage=damage, cut=not ended and self._is_stopped())

    def _is_stopped(self) -> bool:
        """Whether the file is damaged behind what was read; meant where no whole line came."""
        return self._unpacked is not None and self._unpacked.stopped

    def _read(self) -> SourceLine:
        line = self._file.readline(self._max_bytes)
        size = len(line)
        if size < self._max_bytes or line.endswith(b"\n"):
            return SourceLine(line, size)
        while piece := self._file.readline(self._max_bytes):
            size += len(piece)
            if piece.endswith(b"\n"):
                break
        return SourceLine(None, size)


def _read_line(
    line: SourceLine, bare: Record, options: BulkOptions, avoid: Failures
) -> Record | Skip:
    return read_unless_avoided(bare, avoid, partial(_parse_line, line, options))


def _parse_line(line: SourceLine, options: BulkOptions, bare: Record) -> Record | Skip:
    if line.text is None:
        raise PageTooLarge("a line", options.max_bytes)
    if not line.text.strip():
        return Skip(bare.place, "empty line")
    try:
        row = json.loads(line.text)
    except (ValueError, RecursionError):
        if line.cut:
            raise DamagedRecord(bare.id, "the line is cut short") from None
        raise Unreachable("a line", "it is not JSON") from None
    if not isinstance(row, dict):
        raise Unreachable("a line", "it is no JSON object")
    return _read_row(row, options, bare)


# -- Parquet ----------------------------------------------------------------------------------

BATCH_ROWS = 32  #: rows that are held at once


def parquet_entries(
    source: Source, start: Place, options: BulkOptions, on_record: OnRecord, avoid: Failures
) -> Iterator[SourceEntry]:
    """Read the rows of a row group from a place on."""
    on_record(start)
    with open_address(source.address) as file:
        table = open_parquet(file, source.address)
        total, at = table.metadata.row_group(source.part).num_rows, start.at
        for row in _rows(table, source, start.at, options):
            place = Place(at)
            on_record(place)
            name = f"{source.address}#{source.before + at}"
            bare = Record(source.address, place, name, before=source.before)
            item = read_unless_avoided(bare, avoid, partial(_read_row, row, options))
            at += 1
            yield SourceEntry(item, Place(at) if at != total else None)
    if at < total:
        why = f"row group {source.part} ends at row {at} of {total}; write the file again"
        raise Unreachable(source.address, why)


def _rows(table: Any, source: Source, start: int, options: BulkOptions) -> Iterator[Row]:
    """The rows of a row group from a row on; a column that cannot be read is left out."""
    columns = _used_columns(table.schema_arrow.names, source, options)
    at = start
    try:
        for row in _read_columns(table, source.part, columns, start):
            yield row
            at += 1
    except Exception as error:
        others = [name for name in columns if name != options.html_column]
        bad = [name for name in others if not _is_readable(table, source.part, name)]
        if not bad:
            raise _unreadable(source, at, error) from error
        kept = [name for name in columns if name not in bad]
        lost = dict.fromkeys(bad, UnreadableValue("the column cannot be read"))
        try:
            for row in _read_columns(table, source.part, kept, at):
                yield {**row, **lost}
                at += 1
        except Exception as second:
            raise _unreadable(source, at, second) from second


def _unreadable(source: Source, at: int, error: Exception) -> Unreachable:
    first = str(error).partition("\n")[0]
    why = f"damaged from row {source.before + at} on, to the end of its row group ({first})"
    return Unreachable(source.address, why)


def _read_columns(table: Any, part: int, columns: list[str], start: int) -> Iterator[Row]:
    at = 0
    for batch in table.iter_batches(BATCH_ROWS, row_groups=[part], columns=columns):
        if at + batch.num_rows > start:
            first = max(start - at, 0)
            values = [column_values(batch.column(name).slice(first), name) for name in columns]
            for row in zip(*values, strict=True):
                yield dict(zip(columns, row, strict=True))
        at += batch.num_rows


def _is_readable(table: Any, part: int, name: str) -> bool:
    """Whether a column can be read from its beginning to its end."""
    try:
        for _ in table.iter_batches(BATCH_ROWS, row_groups=[part], columns=[name]):
            pass
    except Exception:  # noqa: BLE001 - whatever pyarrow raises on damage
        return False
    return True


def column_values(column: Any, name: str) -> list[Any]:
    """The values of a column; times are read without pandas, bad values stand for themselves."""
    import pyarrow as pa  # noqa: PLC0415 - an extra

    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if name in DATE_COLUMNS and (unit := _time_unit(column.type)):
        bits = pa.int32() if pa.types.is_date32(column.type) else pa.int64()
        counts = column.view(bits).to_pylist()
        return [None if count is None else time_since_epoch(count, unit, name) for count in counts]
    try:
        return column.to_pylist()  # type: ignore[no-any-return]
    except Exception:  # noqa: BLE001 - one value must not take the others with it
        return [_read_value(value) for value in column]


def _time_unit(kind: Any) -> str | None:
    import pyarrow as pa  # noqa: PLC0415 - an extra

    if pa.types.is_timestamp(kind):
        return str(kind.unit)
    return {pa.date32(): "D", pa.date64(): "ms"}.get(kind)


def _read_value(value: Any) -> Any:
    """One value; a text that is no UTF-8 as bytes."""
    try:
        return value.as_py()
    except UnicodeDecodeError:
        return value.as_buffer().to_pybytes()
    except Exception as error:  # noqa: BLE001 - whatever Python cannot hold
        return UnreadableValue(f"{type(error).__name__}: {error}")


def _used_columns(names: list[str], source: Source, options: BulkOptions) -> list[str]:
    """The columns of a table that are read."""
    if options.html_column not in names:
        why = f"{source.address} has no such column"
        raise OptionError("html_column", options.html_column, why)
    used = (options.html_column, options.id_column, options.url_column, *DATE_COLUMNS)
    return [name for name in dict.fromkeys(used) if name in names]


def open_parquet(file: BinaryIO, address: str) -> Any:
    """An open Parquet file."""
    try:
        import pyarrow.parquet  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtra("bulk", "reading Parquet") from error
    try:
        return pyarrow.parquet.ParquetFile(file)
    except Exception as error:  # whatever pyarrow raises on damage
        raise Unreachable(address, f"{error}; give a Parquet file") from error
