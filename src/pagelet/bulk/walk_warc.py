"""A walk through the records of an archive, over damage, each with the place where it begins.

Behind damage, the walk goes on at the next place where a record begins. Several records may be
packed as one piece; then a place is where the piece begins, and how many records come before.
"""

import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, BinaryIO

from pagelet.bulk.records import DAMAGE, START, Place, Skip
from pagelet.sources.warc import fastwarc_library, next_record

if TYPE_CHECKING:
    from fastwarc.warc import WarcRecord

#: how a record begins: packed as gzip, zstd, lz4, or plain
GZIP, PLAIN = b"\x1f\x8b\x08", b"WARC/"
MARKS = (GZIP, b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18", PLAIN)
VERSION = re.compile(rb"WARC/\d\.\d+\r?\n")
INNER = b"\r\n\r\nWARC/1."  #: in a block that claims too much, where the next record begins
HEAD_ROOM = 262_144  #: bytes a block may have beside its page

Watch = Callable[[Place], None]  #: told of each record before it is read
Avoid = Mapping[Place, tuple[str, str]]  #: records that are not to be read: error and reason


@dataclass(frozen=True, slots=True)
class Held:
    """A record as it stands in an archive."""

    position: int  #: of the file when its head was read; where it begins, unless it is packed
    length: int  #: what its head says
    id: str | None
    url: str | None
    kind: str
    captured: datetime | None
    content_type: str
    block: bytes
    short: bool = False  #: whether the file ended before the block did, or its length is unknown
    place: Place = START
    failed: tuple[str, str] | None = None  #: why it was not read

    def is_same(self, other: "Held") -> bool:
        """Whether two records have the same head."""
        return (self.id, self.url, self.length) == (other.id, other.url, other.length)


class Archive:
    """An archive that is walked through; `peek` is the same file, opened once more."""

    def __init__(self, file: BinaryIO, peek: BinaryIO, limit: int) -> None:
        self.warc = fastwarc_library()
        self.file, self.peek, self.limit = file, peek, limit + HEAD_ROOM
        head = file.read(8)
        self.mark = next((mark for mark in MARKS if head.startswith(mark)), PLAIN)
        self.pending = False  #: damage that no record is known to have

    def records(self, start: Place, watch: Watch, avoid: Avoid) -> Iterator[Held | Skip | None]:
        """All records from a place on; None for damage between two of them."""
        at: int | None = start.at
        skip = start.skip
        while at is not None:
            walk = _Walk(at, watch, avoid)
            yield from self._walk(walk, skip)
            if not walk.read and (walk.broken or at > 0):
                yield Skip(Place(at), DAMAGE)
            skip = 0
            self.pending = walk.broken and walk.read > 0
            if self.mark == PLAIN and not walk.broken:
                return
            at = self._next(walk.last + 1)

    def _walk(self, walk: "_Walk", skip: int) -> Iterator[Held | Skip | None]:
        """The records from a byte on, up to the end or the first damage."""
        held: Held | None = None
        for record in self._read(walk):
            if held is not None:
                place = walk.place(held, self._begins_alone(held, record))
                if walk.read > skip + 1:
                    yield replace(held, place=place)
            elif self.pending:
                self.pending = False
                yield None
            held = record
        if held is not None:
            place = walk.place(held, self._stands_at(held))
            walk.broken |= held.short
            if walk.read > skip:
                block = _cut(held.block) if walk.broken else held.block
                yield replace(held, place=place, block=block)

    def _read(self, walk: "_Walk") -> Iterator[Held]:
        """The records as the package reads them, until it can no more."""
        self.file.seek(walk.at)
        walk.watch(Place(walk.at))
        with _damage_noted(walk):
            for record in self.warc.ArchiveIterator(
                self.file, parse_http=False, auto_decode="none"
            ):
                name = Place(walk.at, walk.read)  # where it begins is not known yet
                walk.watch(name)
                walk.read += 1
                if name in walk.avoid:
                    yield replace(_held(record, 0), failed=walk.avoid[name])
                    walk.broken = True
                    return
                yield _held(record, self.limit)

    # -- places ---------------------------------------------------------------------------

    def _begins_alone(self, held: Held, following: Held) -> bool:
        """Whether a record begins where the file stood; in one piece, that stays the same."""
        return held.position != following.position and self._begins(held.position)

    def _stands_at(self, held: Held) -> bool:
        """The same for a record that nothing follows: it must be found there again."""
        if not self._begins(held.position):
            return False
        found = None
        with _damage_noted(_Walk(0, _nobody, {})):
            self.peek.seek(held.position)
            found = next(iter(self.warc.ArchiveIterator(self.peek, parse_http=False)), None)
        return found is not None and held.is_same(_held(found, 0))

    def _begins(self, at: int) -> bool:
        self.peek.seek(at)
        return self.peek.read(len(self.mark)) == self.mark

    def _next(self, at: int) -> int | None:
        """Where the next record begins, at a byte or behind it."""
        found: int | None = at - 1
        while found is not None:
            found = next_record(self.peek, found + 1, self.mark)
            if found is None or self._opens(found):
                return found
        return None

    def _opens(self, at: int) -> bool:
        """Whether what begins like a record is one, not bytes that look alike."""
        self.peek.seek(at)
        start = self.peek.read(512)
        if self.mark == PLAIN:
            return VERSION.match(start) is not None
        if self.mark != GZIP:
            return True
        try:
            return PLAIN.startswith(zlib.decompressobj(31).decompress(start, len(PLAIN)))
        except zlib.error:
            return False


@dataclass(slots=True)
class _Walk:
    """How far a walk has come."""

    at: int  #: the byte where it began
    watch: Watch
    avoid: Avoid
    read: int = 0  #: records
    since: int = -1  #: records since a byte where one begins
    last: int = -1  #: the last byte where one begins
    broken: bool = False

    def __post_init__(self) -> None:
        self.last = self.at

    def place(self, held: Held, alone: bool) -> Place:  # noqa: FBT001 - what was found
        """The place of the next record."""
        if self.since >= 0 and alone and held.position > self.last:
            self.last, self.since = held.position, 0
        else:
            self.since += 1
        return Place(self.last, self.since)


def _nobody(_: Place) -> None:
    """Look away."""


def _held(record: "WarcRecord", limit: int) -> Held:
    """A record, and its block up to a limit."""
    block = record.reader.read(limit) if limit else b""
    headers, length = record.headers, record.content_length
    told = headers.get("Content-Length") or ""  # cut off or absurd, it is taken as 0
    return Held(
        position=record.stream_pos,
        length=length,
        id=_clean(record.record_id),
        url=(_clean(headers.get("WARC-Target-URI")) or "").strip("<> \t\r\n") or None,
        kind=(_clean(headers.get("WARC-Type")) or "unknown").strip().lower(),
        captured=record.record_date,
        content_type=(headers.get("Content-Type") or "").strip().lower(),
        block=block,
        short=len(block) < min(length, limit) or told.strip() != str(length),
    )


@contextmanager
def _damage_noted(walk: _Walk) -> Iterator[None]:
    """Take whatever the package raises for damage; its panics are no Exception."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError):
        raise
    except BaseException:  # noqa: BLE001
        walk.broken = True


def _cut(block: bytes) -> bytes:
    """A block up to where another record begins in it."""
    end = block.find(INNER)
    return block if end < 0 else block[:end]


def _clean(value: str | None) -> str | None:
    """A text that can be written as UTF-8."""
    return None if value is None else value.encode("utf-8", "replace").decode()
