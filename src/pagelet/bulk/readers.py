"""Readers of sources: files and web addresses, JSON lines, Parquet and WARC files.

Paths are opened by the standard library, all other addresses by fsspec.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO, cast

from pagelet.bulk.options import BulkOptions
from pagelet.bulk.records import DAMAGE, Record, Skip, Source, SourceEntry
from pagelet.errors import (
    DamagedRecord,
    MissingExtra,
    OptionError,
    PageError,
    PageTooLarge,
    Unreachable,
)
from pagelet.sources.folder import looks_like_html
from pagelet.sources.http.loader import Loader, Politeness
from pagelet.sources.options import Limits
from pagelet.sources.warc.reader import (
    PAGE_TYPES,
    ArchivedRecord,
    Damage,
    Failures,
    HttpMessage,
    OnRecord,
    Place,
    WarcReader,
    decode_body,
    parse_message,
)

BUFFER_BYTES = 2**20  #: bytes read at once


def is_local(address: str) -> bool:
    """Whether an address is a plain path."""
    return "://" not in address and "::" not in address


@contextmanager
def open_address(address: str, *, buffer: int = BUFFER_BYTES) -> Iterator[BinaryIO]:
    """Open a seekable file of bytes for reading."""
    try:
        if is_local(address):
            with Path(address).open("rb", buffering=buffer) as file:
                yield file
        else:
            with import_fsspec().open(address, "rb") as file:
                yield cast("BinaryIO", file)
    except (FileNotFoundError, PermissionError, IsADirectoryError) as error:
        raise Unreachable(address, f"{error.strerror or error}; check the address") from error


def file_size(address: str) -> int:
    """Bytes of a file; 0 if its file system does not know."""
    try:
        if is_local(address):
            return Path(address).stat().st_size
        system, path = file_system(address)
        return int(system.size(path) or 0)
    except (OSError, NotImplementedError) as error:
        raise Unreachable(address, f"{error}; check the address") from error


def file_system(address: str) -> tuple[Any, str]:
    """The fsspec file system of an address, and the path in it."""
    try:
        system, path = import_fsspec().core.url_to_fs(address)
    except (ValueError, ImportError) as error:  # no such protocol, or its package is missing
        raise Unreachable(address, f"{error}; check the address") from error
    return system, path


def import_fsspec() -> Any:
    """The package fsspec; MissingExtra if it is not installed."""
    try:
        import fsspec as package  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtra("bulk", "opening addresses other than paths") from error
    return package


# -- Pages in files of their own, and pages on the web ----------------------------------------


def file_entries(
    source: Source, start: Place, options: BulkOptions, on_record: OnRecord
) -> Iterator[SourceEntry]:
    """Read the files of a list or a folder, one page each."""
    for at in range(start.at, len(source.names)):
        place = Place(at)
        on_record(place)
        yield SourceEntry(_read_file(source.names[at], place, options), _after(at, source))


def _after(at: int, source: Source) -> Place | None:
    return Place(at + 1) if at + 1 < len(source.names) else None


def _read_file(name: str, place: Place, options: BulkOptions) -> Record:
    printable = _to_text(name)
    try:
        with open_address(name) as file:
            body = file.read(options.max_bytes + 1)
        if len(body) > options.max_bytes:
            raise PageTooLarge(printable, options.max_bytes)
    except PageError as error:
        return _file_error(printable, place, error)
    except OSError as error:
        return _file_error(printable, place, Unreachable(printable, str(error)))
    captured = datetime.fromtimestamp(Path(name).stat().st_mtime, UTC) if is_local(name) else None
    return Record(printable, place, printable, captured=captured, body=body, before=-place.at)


def _file_error(name: str, place: Place, error: PageError) -> Record:
    bare = Record(name, place, name, before=-place.at)  # a file has one page, number 0
    return _with_error(bare, error)


def _with_error(record: Record, error: PageError) -> Record:
    return replace(record, error=type(error).__name__, reason=str(error))


def url_entries(
    source: Source, start: Place, options: BulkOptions, on_record: OnRecord
) -> Iterator[SourceEntry]:
    """Load the web addresses of one host one after another, politely."""
    if not options.load:
        raise OptionError("load", options.load, "use --load to load addresses from the web")
    limits = Limits(max_bytes=options.max_bytes)
    politeness = Politeness(delay=options.delay, allow_private=options.allow_private)
    with Loader(limits, politeness) as loader:
        for at in range(start.at, len(source.names)):
            place = Place(at)
            on_record(place)
            yield SourceEntry(_load_url(source.names[at], place, loader), _after(at, source))


def _load_url(url: str, place: Place, loader: Loader) -> Record:
    try:
        response = loader.load(url)
    except PageError as error:
        return replace(_file_error(url, place, error), url=url)
    return Record(
        source=url,
        place=place,
        id=url,
        url=response.url,
        captured=datetime.now(UTC),
        body=response.body,
        charset=response.charset,
        before=-place.at,
    )


# -- Pages in JSON lines ----------------------------------------------------------------------

DATE_COLUMNS = ("date", "captured", "timestamp", "crawled")  #: columns with the time of capture
LINE_OVERHEAD_BYTES = 1_000_000  #: bytes that a line may have beside its page
ESCAPED_BYTES = 6  #: most bytes of one character of a page in JSON
COMPRESSED_ENDINGS = (".gz", ".zst")


def jsonl_entries(
    source: Source, start: Place, options: BulkOptions, on_record: OnRecord
) -> Iterator[SourceEntry]:
    """Read lines from a place on: a byte, or a number of lines if the file is compressed."""
    max_bytes = options.max_bytes * ESCAPED_BYTES + LINE_OVERHEAD_BYTES
    compressed = is_compressed(source.address)
    with _open_lines(source.address) as file:
        at = start.at
        if not compressed:
            file.seek(at)
        else:
            for _ in range(at):
                _read_line(file, max_bytes)
        following = _read_line(file, max_bytes)
        while following is not None:
            on_record(Place(at))
            line, size = following
            after = at + (1 if compressed else size)
            following = _read_line(file, max_bytes)
            item = _parse_line(line, Place(at), source, options)
            yield SourceEntry(item, None if following is None else Place(after))
            at = after


def is_compressed(address: str) -> bool:
    """Whether the lines of a file cannot be found by their bytes."""
    return address.lower().endswith(COMPRESSED_ENDINGS)


@contextmanager
def _open_lines(address: str) -> Iterator[BinaryIO]:
    """Open a file of lines, decompressed."""
    with open_address(address) as file:
        name = address.lower()
        if name.endswith(".gz"):
            import gzip  # noqa: PLC0415 - when there is such a file

            with gzip.open(file) as lines:
                yield cast("BinaryIO", lines)
        elif name.endswith(".zst"):
            unpacker = import_zstandard("reading").ZstdDecompressor()
            reader = unpacker.stream_reader(file, read_across_frames=True)
            yield cast("BinaryIO", BufferedReader(reader, BUFFER_BYTES))
        else:
            yield file


def import_zstandard(doing: str) -> Any:
    """The package zstandard; MissingExtra if it is not installed."""
    try:
        import zstandard  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtra("bulk", f"{doing} .zst files") from error
    return zstandard


def _read_line(file: BinaryIO, max_bytes: int) -> tuple[bytes | None, int] | None:
    """A line, None if it is too long, and its bytes; None at the end."""
    line = file.readline(max_bytes)
    size = len(line)
    if not line:
        return None
    if size < max_bytes or line.endswith(b"\n"):
        return line, size
    while piece := file.readline(max_bytes):
        size += len(piece)
        if piece.endswith(b"\n"):
            break
    return None, size


def _parse_line(
    line: bytes | None, place: Place, source: Source, options: BulkOptions
) -> Record | Skip:
    bare = Record(source.address, place, f"{source.address}#{place.at}")
    if line is None:
        return _with_error(bare, PageTooLarge("a line", options.max_bytes))
    if not line.strip():
        return Skip(place, "empty line")
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return _with_error(bare, Unreachable("a line", "it is not JSON"))
    if not isinstance(row, dict):
        return _with_error(bare, Unreachable("a line", "it is no JSON object"))
    return _read_row(row, place, source, options)


def _read_row(row: dict[str, Any], place: Place, source: Source, options: BulkOptions) -> Record:
    """A page from a row of any table."""
    html, url = row.get(options.html_column), row.get(options.url_column)
    name = row.get(options.id_column)
    record = Record(
        source=source.address,
        place=place,
        id=f"{source.address}#{source.before + place.at}" if name is None else _to_text(name),
        url=None if url is None else _to_text(url),
        captured=next(filter(None, (_parse_time(row.get(each)) for each in DATE_COLUMNS)), None),
        body=html if isinstance(html, str | bytes) else b"",
        before=source.before,
    )
    if isinstance(html, str | bytes):
        return record
    why = f"no HTML in its column {options.html_column!r}"
    return _with_error(record, Unreachable(record.id, why))


def _to_text(value: object) -> str:
    """A text that UTF-8 can carry."""
    return str(value).encode("utf-8", "replace").decode()


def _parse_time(value: object) -> datetime | None:
    """A date or time in UTC, None if it is neither; without a zone it is taken as UTC."""
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


# -- Pages in Parquet files -------------------------------------------------------------------

BATCH_ROWS = 32  #: rows that are held at once


def parquet_entries(
    source: Source, start: Place, options: BulkOptions, on_record: OnRecord
) -> Iterator[SourceEntry]:
    """Read the rows of a row group from a place on."""
    with open_address(source.address) as file:
        table = open_parquet(file, source.address)
        total = table.metadata.row_group(source.part).num_rows
        at = 0
        on_record(start)
        columns = _used_columns(table.schema_arrow.names, source, options)
        for batch in table.iter_batches(BATCH_ROWS, row_groups=[source.part], columns=columns):
            if at + batch.num_rows > start.at:
                first = max(start.at - at, 0)
                for offset, row in enumerate(batch.slice(first).to_pylist(), at + first):
                    place = Place(offset)
                    on_record(place)
                    after = Place(offset + 1) if offset + 1 < total else None
                    yield SourceEntry(_read_row(row, place, source, options), after)
            at += batch.num_rows


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
        import pyarrow  # noqa: PLC0415 - an extra
        import pyarrow.parquet  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtra("bulk", "reading Parquet") from error
    try:
        return pyarrow.parquet.ParquetFile(file)
    except pyarrow.ArrowInvalid as error:
        raise Unreachable(address, f"{error}; give a Parquet file") from error


# -- Pages in WARC files ----------------------------------------------------------------------


def warc_entries(
    source: Source, start: Place, limit: int, on_record: OnRecord, avoid: Failures
) -> Iterator[SourceEntry]:
    """Read a WARC file from a place on, except the records to avoid."""
    with open_address(source.address) as file, open_address(source.address, buffer=0) as peek:
        last: Record | Skip | None = None
        damage = 0
        for record in WarcReader(file, peek, limit).records(start, on_record, avoid):
            if record.place is None:
                damage += 1
                continue
            if last is not None:
                yield SourceEntry(last, record.place, damage)
            last, damage = _to_record(record, record.place, source, limit), 0
        if last is not None:
            yield SourceEntry(last, None, damage)


def _to_record(
    archived: ArchivedRecord | Damage, place: Place, source: Source, limit: int
) -> Record | Skip:
    """A page, or the reason why it is none."""
    if isinstance(archived, Damage):
        return Skip(place, DAMAGE)
    if archived.failure is not None:
        error, reason = archived.failure
        return replace(_without_page(archived, source), error=error, reason=reason)
    if archived.type == "response":
        return _read_page(archived, parse_message(archived.block), source, limit)
    if (
        archived.type == "resource"
        and archived.content_type.partition(";")[0].strip() in PAGE_TYPES
    ):
        return _read_page(archived, HttpMessage(archived.block), source, limit)
    return Skip(place, f"record type {archived.type[:40]}")


def _read_page(
    archived: ArchivedRecord, message: HttpMessage, source: Source, limit: int
) -> Record | Skip:
    if message.status not in (None, 200):
        return Skip(archived.place, f"status {message.status}")
    if message.content_type not in PAGE_TYPES:
        return Skip(archived.place, f"content type {(message.content_type or '')[:60]}")
    record = replace(_without_page(archived, source), charset=message.charset)
    if archived.short:
        return _with_error(
            record, DamagedRecord(record.id, "it is cut short, or its length is wrong")
        )
    if message.content_type is None and not looks_like_html(message.raw):
        return Skip(archived.place, "no content type, and it begins like no page")
    try:
        return replace(record, body=decode_body(message, limit, record.id))
    except PageError as error:
        return _with_error(record, error)


def _without_page(archived: ArchivedRecord, source: Source) -> Record:
    place = archived.place
    return Record(
        source=source.address,
        place=place,
        id=archived.id or f"{source.address}#{place.at + place.skip}",
        url=archived.url,
        captured=archived.captured,
    )
