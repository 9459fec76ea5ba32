"""Files and addresses opened alike: paths by the standard library, all else by fsspec."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO, cast

from pagelet.bulk.options import BulkOptions
from pagelet.bulk.records import DAMAGE, Entry, Record, Skip, Source
from pagelet.errors import (
    DamagedRecord,
    MissingExtra,
    OptionError,
    PageError,
    PageTooLarge,
    Unreachable,
)
from pagelet.sources.folder import begins_like_a_page
from pagelet.sources.http.loader import Loader, Politeness
from pagelet.sources.limits import Limits
from pagelet.sources.warc.http_message import PAGE_TYPES, HttpMessage, decode_body, parse_message
from pagelet.sources.warc.reader import (
    ArchivedRecord,
    Damage,
    Failures,
    OnRecord,
    Place,
    WarcReader,
)

BUFFER = 2**20  #: bytes read at once


def is_local(address: str) -> bool:
    """Whether an address is a plain path."""
    return "://" not in address and "::" not in address


@contextmanager
def opened(address: str, *, buffer: int = BUFFER) -> Iterator[BinaryIO]:
    """A file to read, of bytes, that can be sought in."""
    try:
        if is_local(address):
            with Path(address).open("rb", buffering=buffer) as file:
                yield file
        else:
            with fsspec().open(address, "rb") as file:
                yield cast("BinaryIO", file)
    except (FileNotFoundError, PermissionError, IsADirectoryError) as error:
        raise Unreachable(address, f"{error.strerror or error}; check the address") from error


def size_of(address: str) -> int:
    """Bytes of a file; 0 when nobody can tell."""
    try:
        if is_local(address):
            return Path(address).stat().st_size
        system, path = system_of(address)
        return int(system.size(path) or 0)
    except (OSError, NotImplementedError) as error:
        raise Unreachable(address, f"{error}; check the address") from error


def system_of(address: str) -> tuple[Any, str]:
    """The file system of an address, and the path in it."""
    try:
        system, path = fsspec().core.url_to_fs(address)
    except (ValueError, ImportError) as error:  # no such protocol, or its package is missing
        raise Unreachable(address, f"{error}; check the address") from error
    return system, path


def fsspec() -> Any:
    """The package that opens addresses."""
    try:
        import fsspec as package  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtra("bulk", "opening addresses other than paths") from error
    return package


# -- Pages in files of their own, and pages on the web ----------------------------------------


def file_entries(
    source: Source, start: Place, options: BulkOptions, watch: OnRecord
) -> Iterator[Entry]:
    """The files of a list or a folder, each a page."""
    for at in range(start.at, len(source.names)):
        place = Place(at)
        watch(place)
        yield Entry(_read(source.names[at], place, options), _after(at, source))


def _after(at: int, source: Source) -> Place | None:
    return Place(at + 1) if at + 1 < len(source.names) else None


def _read(name: str, place: Place, options: BulkOptions) -> Record:
    shown = name.encode("utf-8", "replace").decode()
    try:
        with opened(name) as file:
            body = file.read(options.max_bytes + 1)
        if len(body) > options.max_bytes:
            raise PageTooLarge(shown, options.max_bytes)
    except PageError as error:
        return _file_error(shown, place, error)
    except OSError as error:
        return _file_error(shown, place, Unreachable(shown, str(error)))
    captured = datetime.fromtimestamp(Path(name).stat().st_mtime, UTC) if is_local(name) else None
    return Record(shown, place, shown, captured=captured, body=body, before=-place.at)


def _file_error(name: str, place: Place, error: PageError) -> Record:
    return Record(
        source=name,
        place=place,
        id=name,
        error=type(error).__name__,
        reason=str(error),
        before=-place.at,  # a file has one page, number 0
    )


def url_entries(
    source: Source, start: Place, options: BulkOptions, watch: OnRecord
) -> Iterator[Entry]:
    """The web addresses of one host, loaded one after the other, politely."""
    if not options.load:
        raise OptionError(
            "load", options.load, "say --load if addresses on the web are to be loaded"
        )
    limits = Limits(max_bytes=options.max_bytes)
    politeness = Politeness(delay=options.delay, allow_private=options.allow_private)
    with Loader(limits, politeness) as loader:
        for at in range(start.at, len(source.names)):
            place = Place(at)
            watch(place)
            yield Entry(_loaded(source.names[at], place, loader), _after(at, source))


def _loaded(url: str, place: Place, loader: Loader) -> Record:
    try:
        found = loader.load(url)
    except PageError as error:
        return replace(_file_error(url, place, error), url=url)
    return Record(
        source=url,
        place=place,
        id=url,
        url=found.url,
        captured=datetime.now(UTC),
        body=found.body,
        charset=found.charset,
        before=-place.at,
    )


# -- Pages in tables: JSON lines and Parquet with a column of HTML ----------------------------


BATCH = 32  #: rows of a Parquet file that are held at once
DATES = ("date", "captured", "timestamp", "crawled")  #: columns that may tell when it was got
ROOM = 1_000_000  #: bytes that a line may have beside its page; a sign may take six of them
PACKED = (".gz", ".zst")


def jsonl_entries(
    source: Source, start: Place, options: BulkOptions, watch: OnRecord
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
        return _line_error(place, source, PageTooLarge("a line", options.max_bytes))
    if not line.strip():
        return Skip(place, "empty line")
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return _line_error(place, source, Unreachable("a line", "it is not JSON"))
    if not isinstance(row, dict):
        return _line_error(place, source, Unreachable("a line", "it is no JSON object"))
    return record_of(row, place, source, options)


def _line_error(place: Place, source: Source, error: Exception) -> Record:
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
    source: Source, start: Place, options: BulkOptions, watch: OnRecord
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


# -- Pages in WARC files ----------------------------------------------------------------------


def warc_entries(
    source: Source, start: Place, limit: int, watch: OnRecord, avoid: Failures
) -> Iterator[Entry]:
    """Read a WARC file from a place on, except the records to avoid."""
    with opened(source.address) as file, opened(source.address, buffer=0) as peek:
        last: Record | Skip | None = None
        damage = 0
        for record in WarcReader(file, peek, limit).records(start, watch, avoid):
            if record.place is None:
                damage += 1
                continue
            if last is not None:
                yield Entry(last, record.place, damage)
            last, damage = _to_record(record, record.place, source, limit), 0
        if last is not None:
            yield Entry(last, None, damage)


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
        return _warc_error(
            record, DamagedRecord(record.id, "it is cut short, or its length is wrong")
        )
    if message.content_type is None and not begins_like_a_page(message.raw):
        return Skip(archived.place, "no content type, and it begins like no page")
    try:
        return replace(record, body=decode_body(message, limit, record.id))
    except PageError as error:
        return _warc_error(record, error)


def _warc_error(record: Record, error: PageError) -> Record:
    return replace(record, error=type(error).__name__, reason=str(error))


def _without_page(archived: ArchivedRecord, source: Source) -> Record:
    place = archived.place
    return Record(
        source=source.address,
        place=place,
        id=archived.id or f"{source.address}#{place.at + place.skip}",
        url=archived.url,
        captured=archived.captured,
    )
