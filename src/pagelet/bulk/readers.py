"""Files and addresses opened alike: paths by the standard library, all else by fsspec."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO, cast

from pagelet.bulk.http_message import Message, body_of, read_message
from pagelet.bulk.options import BulkOptions
from pagelet.bulk.records import Entry, Place, Record, Skip, Source
from pagelet.bulk.walk_warc import Archive, Avoid, Held, Watch
from pagelet.errors import (
    DamagedRecord,
    MissingExtra,
    OptionError,
    PageError,
    PageTooLarge,
    Unreachable,
)
from pagelet.sources.folder import begins_like_a_page
from pagelet.sources.http.loader import Limits, Loader, Politeness
from pagelet.sources.warc import KINDS

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
    source: Source, start: Place, options: BulkOptions, watch: Watch
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
    source: Source, start: Place, options: BulkOptions, watch: Watch
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


# -- The pages of an archive; what is no page is skipped, with a reason -----------------------


def warc_entries(
    source: Source, start: Place, limit: int, watch: Watch, avoid: Avoid
) -> Iterator[Entry]:
    """Everything in an archive from a place on; what is to be avoided is not read."""
    with opened(source.address) as file, opened(source.address, buffer=0) as peek:
        held: Held | Skip | None = None
        damage = 0
        for found in Archive(file, peek, limit).records(start, watch, avoid):
            if found is None:
                damage += 1
                continue
            if held is not None:
                yield Entry(_judged(held, source, limit), found.place, damage)
            held, damage = found, 0
        if held is not None:
            yield Entry(_judged(held, source, limit), None, damage)


def _judged(held: Held | Skip, source: Source, limit: int) -> Record | Skip:
    """A page, or why it is none."""
    if isinstance(held, Skip):
        return held
    if held.failed is not None:
        return replace(_bare(held, source), error=held.failed[0], reason=held.failed[1])
    if held.kind == "response":
        return _page(held, read_message(held.block), source, limit)
    if held.kind == "resource" and held.content_type.partition(";")[0].strip() in KINDS:
        whole = Message(None, None, None, "", chunked=False, raw=held.block)
        return _page(held, whole, source, limit)
    return Skip(held.place, f"record type {held.kind[:40]}")


def _page(held: Held, message: Message, source: Source, limit: int) -> Record | Skip:
    if message.status not in (None, 200):
        return Skip(held.place, f"status {message.status}")
    if message.kind not in KINDS:
        return Skip(held.place, f"content type {message.kind[:60] if message.kind else ''}")
    record = replace(_bare(held, source), charset=message.charset)
    if held.short:
        return _warc_error(
            record, DamagedRecord(record.id, "it is cut short, or its length is wrong")
        )
    if message.kind is None and not begins_like_a_page(message.raw):
        return Skip(held.place, "no content type, and it begins like no page")
    try:
        return replace(record, body=body_of(message, limit, record.id))
    except PageError as error:
        return _warc_error(record, error)


def _warc_error(record: Record, error: PageError) -> Record:
    return replace(record, error=type(error).__name__, reason=str(error))


def _bare(held: Held, source: Source) -> Record:
    """A record without its page."""
    return Record(
        source=source.address,
        place=held.place,
        id=held.id or f"{source.address}#{held.place.at + held.place.skip}",
        url=held.url,
        captured=held.captured,
    )
