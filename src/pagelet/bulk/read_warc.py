"""The pages of an archive; what is no page is skipped, with a reason."""

from collections.abc import Iterator
from dataclasses import replace

from pagelet.bulk.http_message import Message, body_of, read_message
from pagelet.bulk.opening import opened
from pagelet.bulk.records import Entry, Place, Record, Skip, Source
from pagelet.bulk.walk_warc import Archive, Avoid, Held, Watch
from pagelet.errors import DamagedRecord, PageError
from pagelet.sources.site import begins_like_a_page
from pagelet.sources.warc import KINDS


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
        return _wrong(record, DamagedRecord(record.id, "it is cut short, or its length is wrong"))
    if message.kind is None and not begins_like_a_page(message.raw):
        return Skip(held.place, "no content type, and it begins like no page")
    try:
        return replace(record, body=body_of(message, limit, record.id))
    except PageError as error:
        return _wrong(record, error)


def _wrong(record: Record, error: PageError) -> Record:
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
