"""Readers of pages in files of their own, on the web, and in WARC files.

One bad record is one error row, whatever is wrong with it: `read_safely` sees to that. An error
between two records ends a source, behind all records that can be read.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pagelet.bulk.addresses import LIST_ENDINGS, is_local, open_address
from pagelet.bulk.options import BulkOptions
from pagelet.bulk.records import (
    DAMAGE,
    Record,
    Skip,
    Source,
    SourceEntry,
    clean_text,
    read_safely,
    read_unless_avoided,
    with_error,
)
from pagelet.bulk.times import NO_TIME, CaptureTime, parse_time, time_since_epoch
from pagelet.errors import DamagedRecord, OptionError, PageTooLarge, Unreachable
from pagelet.sources.folder import looks_like_html
from pagelet.sources.options import Limits
from pagelet.sources.warc.message import PAGE_TYPES, HttpMessage, decode_body, parse_message
from pagelet.sources.warc.reader import (
    ArchivedRecord,
    Damage,
    Failures,
    OnRecord,
    Place,
    WarcReader,
)
from pagelet.wording import describe_os_error

if TYPE_CHECKING:
    from pagelet.sources.http.loader import Loader

# -- Pages in files of their own, and pages on the web ----------------------------------------


def file_entries(
    source: Source, start: Place, options: BulkOptions, on_record: OnRecord, avoid: Failures
) -> Iterator[SourceEntry]:
    """Read the files of a list or a folder, one page each."""
    return _named_entries(
        source, start, on_record, avoid, lambda bare: _read_file(bare, source, options)
    )


def _named_entries(
    source: Source,
    start: Place,
    on_record: OnRecord,
    avoid: Failures,
    read: Callable[[Record], Record],
) -> Iterator[SourceEntry]:
    """Read the pages that a source names, one after another."""
    for at in range(start.at, len(source.names)):
        place, name = Place(at), clean_text(source.names[at])
        on_record(place)
        bare = Record(name, place, name, before=-at)  # a file has one page, number 0
        item = read_unless_avoided(bare, avoid, read)
        yield SourceEntry(item, Place(at + 1) if at + 1 < len(source.names) else None)


def _read_file(bare: Record, source: Source, options: BulkOptions) -> Record:
    name = source.names[bare.place.at]
    if name.lower().endswith(LIST_ENDINGS):
        raise Unreachable(bare.id, "a list in a list is not read; make it an input of its own")
    try:
        with open_address(name) as file:
            body = file.read(options.max_bytes + 1)
    except OSError as error:
        raise Unreachable(bare.id, f"{describe_os_error(error)}; check the address") from error
    if len(body) > options.max_bytes:
        raise PageTooLarge(bare.id, options.max_bytes)
    captured = _file_time(name) if is_local(name) else NO_TIME
    return replace(bare, captured=captured.time, notes=captured.notes, body=body)


def _file_time(name: str) -> CaptureTime:
    try:
        return time_since_epoch(os.stat(name).st_mtime_ns, "ns", "the file's time")
    except OSError:  # it was there a moment ago
        return NO_TIME


def url_entries(
    source: Source, start: Place, options: BulkOptions, on_record: OnRecord, avoid: Failures
) -> Iterator[SourceEntry]:
    """Load the web addresses of one host one after another, politely."""
    if not options.load:
        raise OptionError("load", options.load, "use --load to load addresses from the web")
    from pagelet.sources.http.loader import Loader, Politeness  # noqa: PLC0415 - few runs load

    limits = Limits(max_bytes=options.max_bytes)
    politeness = Politeness(delay=options.delay, allow_private=options.allow_private)
    with Loader(limits, politeness) as loader:
        yield from _named_entries(
            source, start, on_record, avoid, lambda bare: _load_url(bare, source, loader)
        )


def _load_url(bare: Record, source: Source, loader: "Loader") -> Record:
    url = source.names[bare.place.at]
    named = replace(bare, url=bare.id)
    try:
        response = loader.load(url)
    except Exception as error:  # noqa: BLE001 - the address is known, whatever went wrong
        return with_error(named, error)
    return replace(
        named,
        url=response.url,
        captured=datetime.now(UTC),
        body=response.body,
        charset=response.charset,
    )


# -- Pages in WARC files ----------------------------------------------------------------------


def warc_entries(
    source: Source, start: Place, options: BulkOptions, on_record: OnRecord, avoid: Failures
) -> Iterator[SourceEntry]:
    """Read a WARC file from a place on, except the records to avoid."""
    limit = options.max_bytes
    with open_address(source.address) as file, open_address(source.address, buffer=0) as peek:
        last: Record | Skip | None = None
        damage, short = 0, False
        try:
            for record in WarcReader(file, peek, limit).records(start, on_record, avoid):
                if record.place is None:
                    damage += 1
                    continue
                if last is not None:
                    yield SourceEntry(last, record.place, damage)
                last, damage = _to_record(record, record.place, source, limit), 0
                short = isinstance(record, ArchivedRecord) and record.short
                damage += isinstance(last, Skip) and _is_garbled(record)
        except Exception:
            if last is not None:  # what was read comes out before the error
                yield SourceEntry(last, last.place._replace(skip=last.place.skip + 1), damage)
            raise
        if last is not None:
            yield SourceEntry(last, None, damage + (short and isinstance(last, Skip)))


def _to_record(
    archived: ArchivedRecord | Damage, place: Place, source: Source, limit: int
) -> Record | Skip:
    """A page, or the reason why it is none."""
    if isinstance(archived, Damage):
        return Skip(place, DAMAGE)
    bare = _without_page(archived, source)
    if archived.failure is not None:
        error, reason = archived.failure
        return replace(bare, error=error, reason=reason)
    return read_safely(bare, lambda: _read_archived(archived, bare, limit))


def _is_garbled(record: ArchivedRecord | Damage) -> bool:
    return isinstance(record, ArchivedRecord) and record.garbled


def _read_archived(archived: ArchivedRecord, bare: Record, limit: int) -> Record | Skip:
    media_type = archived.content_type.partition(";")[0].strip()
    if archived.type == "response":
        return _read_page(archived, parse_message(archived.block), bare, limit)
    if archived.type == "resource" and media_type in PAGE_TYPES:
        return _read_page(archived, HttpMessage(archived.block), bare, limit)
    return Skip(bare.place, f"record type {archived.type[:40]}")


def _read_page(
    archived: ArchivedRecord, message: HttpMessage, bare: Record, limit: int
) -> Record | Skip:
    if message.cut:
        raise DamagedRecord(bare.id, "the head of the response is cut short or too long")
    if message.status not in (None, 200):
        return Skip(bare.place, f"status {message.status}")
    if message.content_type not in PAGE_TYPES:
        return Skip(bare.place, f"content type {(message.content_type or '')[:60]}")
    if archived.garbled:
        raise DamagedRecord(bare.id, "the head of the record is damaged")
    if archived.short:
        raise DamagedRecord(bare.id, "it is cut short, or its length is wrong")
    if message.content_type is None and not looks_like_html(message.raw):
        return Skip(bare.place, "no content type, and it begins like no page")
    body = decode_body(message, limit, bare.id)
    return replace(bare, body=body, charset=message.charset)


def _without_page(archived: ArchivedRecord, source: Source) -> Record:
    place = archived.place
    captured = parse_time(archived.date, "WARC-Date")
    return Record(
        source=source.address,
        place=place,
        id=archived.id or f"{source.address}#{place.at + place.skip}",
        url=archived.url,
        captured=captured.time,
        notes=captured.notes,
    )
