"""Reading the records of a WARC file, past damage.

After damage, reading goes on at the next place where a record begins. Several records may be
compressed as one member; then a place is the start of the member and a number of records to skip.
"""

import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import SEEK_END
from math import inf
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from pagelet.sources import compressed
from pagelet.sources.compressed import next_magic
from pagelet.sources.warc.message import import_fastwarc

if TYPE_CHECKING:
    from fastwarc.warc import WarcRecord

GZIP, ZSTD, LZ4 = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18"
PLAIN = b"WARC/"
MAGIC_BYTES = (GZIP, ZSTD, LZ4, PLAIN)  #: first bytes of a record
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
VERSION = re.compile(rb"WARC/\d\.\d+\r?\n")
INNER_RECORD = b"\r\n\r\nWARC/1."  #: start of the next record in a block whose length is too large
HEAD_BYTES = 262_144  #: bytes that a block may have beside its page
MAX_CANDIDATES = 100  #: places tried to find out how a file with a damaged start is compressed
RECORD_ENDS = (b"\r\n\r\n", b"\n\n")  #: last bytes of an uncompressed file


class Place(NamedTuple):
    """Where a record begins: a byte, row or number, and records to skip from there."""

    at: int = 0
    skip: int = 0


START = Place()

OnRecord = Callable[[Place], None]  #: called with the place of each record before it is read
Failures = Mapping[Place, tuple[str, str]]  #: error and reason of records that must not be read
NO_FAILURES: Failures = {}


def ignore_record(_: Place) -> None:
    """Do nothing with the place of a record."""


@dataclass(frozen=True, slots=True)
class ArchivedRecord:
    """A record as it stands in a WARC file."""

    position: int  #: byte of the file when its head was read; its start unless it is compressed
    length: int  #: Content-Length of its head
    id: str | None
    url: str | None
    type: str
    date: str | None  #: WARC-Date as it stands there
    content_type: str
    block: bytes
    short: bool = False  #: whether the file ended before the block did, or its length is unknown
    place: Place = START
    failure: tuple[str, str] | None = None  #: error and reason if it was not read

    @property
    def garbled(self) -> bool:
        """Whether its head has bytes that no writer puts there, as where noise joins two heads."""
        return CONTROL.search(f"{self.id}{self.url}") is not None

    def has_head_of(self, other: "ArchivedRecord") -> bool:
        """Whether two records have the same head."""
        return (self.id, self.url, self.length) == (other.id, other.url, other.length)


@dataclass(frozen=True, slots=True)
class Damage:
    """A damaged part of a WARC file; without a place it lies between two records."""

    place: Place | None = None


class WarcReader:
    """Reads the records of a file; `peek` is the same file, opened a second time."""

    def __init__(
        self, file: BinaryIO, peek: BinaryIO, limit: int, *, max_damage: float = inf
    ) -> None:
        self.damage = 0  #: places that could not be read; reading ends at `max_damage`
        self._warc = import_fastwarc()
        self._file, self._peek, self._limit = file, peek, limit + HEAD_BYTES
        self._max_damage = max_damage
        head = file.read(8)
        magic = next((magic for magic in MAGIC_BYTES if head.startswith(magic)), None)
        self._magic = magic or self._search_magic()
        self._first_record: tuple[int, ArchivedRecord | None] | None = None  #: last head by place
        self._pending = False  #: whether damage was met that belongs to no record yet
        self._counted = False  #: whether the damage behind the last record was counted

    def records(
        self,
        start: Place = START,
        on_record: OnRecord = ignore_record,
        avoid: Failures = NO_FAILURES,
    ) -> Iterator[ArchivedRecord | Damage]:
        """Read all records from a place on, and the damage before, between and behind them."""
        at: int | None = start.at
        skip = start.skip
        while at is not None and self.damage < self._max_damage:
            walk = _Walk(at, on_record, avoid)
            yield from self._walk(walk, skip)
            if walk.broken and not walk.avoided:
                yield from self._salvage(walk, skip)
            if not walk.read and (walk.broken or at > 0 or not self._ends_whole(at)):
                self._count_damage(behind_record=False)
                yield Damage(Place(at))
            skip = 0
            self._pending = walk.broken and walk.read > 0
            if self._pending:
                self._count_damage(behind_record=True)
            at = None if self._is_over(walk) else self._next(walk.last + 1)
            if at is None and self._is_damage_left(walk):
                yield Damage()

    def _is_over(self, walk: "_Walk") -> bool:
        """Whether nothing can follow; fastwarc may have ended early in a compressed file."""
        return self._magic == PLAIN and not walk.broken

    def _is_damage_left(self, walk: "_Walk") -> bool:
        """Whether there is damage behind the last record that no record stands for."""
        if not walk.read or walk.short:
            return False
        return walk.broken or not self._ends_whole(walk.last)

    def _walk(self, walk: "_Walk", skip: int) -> Iterator[ArchivedRecord | Damage]:
        """Read the records from a byte on, up to the end or the first damage."""
        held: ArchivedRecord | None = None
        for record in self._read(walk):
            if held is not None:
                place = walk.place(held, self._begins_alone(walk, held, record))
                if walk.read > skip + 1:
                    yield replace(held, place=place)
            elif self._pending:
                self._pending = False
                yield Damage()
            held = record
        if held is not None:
            place = walk.place(held, self._is_at_position(held))
            walk.short = held.short
            walk.broken |= held.short
            if walk.read > skip:
                block = _cut(held.block) if walk.broken else held.block
                yield replace(held, place=place, block=block)

    def _read(self, walk: "_Walk") -> Iterator[ArchivedRecord]:
        """Read records with fastwarc until it fails."""
        self._file.seek(walk.at)
        walk.on_record(Place(walk.at))
        with _note_damage(walk):
            for record in self._warc.ArchiveIterator(
                self._file, parse_http=False, auto_decode="none"
            ):
                name = Place(walk.at, walk.read)  # where it begins is not known yet
                walk.on_record(name)
                if name in walk.avoid:
                    walk.read += 1
                    yield replace(_convert(record, 0), failure=walk.avoid[name])
                    walk.broken = walk.avoided = True
                    return
                found = self._convert(record)
                walk.read += 1
                yield found

    def _convert(self, record: "WarcRecord") -> ArchivedRecord:
        try:
            return _convert(record, self._limit)
        except MemoryError:
            failure = "MemoryError", "MemoryError: no memory to read the record"
            return replace(_convert(record, 0), failure=failure)

    def _salvage(self, walk: "_Walk", skip: int) -> Iterator[ArchivedRecord]:
        """Read what fastwarc has left of a damaged member, as an unpacked file of its own."""
        done = walk.since + 1 if walk.read else 0
        if walk.last == walk.at:
            done = max(done, skip)
        with self._unpack_member(walk.last) as files:
            if files is None:
                return
            inner = WarcReader(*files, self._limit - HEAD_BYTES)
            records = (each for each in inner.records() if isinstance(each, ArchivedRecord))
            for number, record in enumerate(_without_cut_end(records)):
                place = Place(walk.last, number)
                walk.on_record(place)
                if place in walk.avoid:
                    return
                if number >= done:
                    walk.read, walk.since, walk.short = walk.read + 1, number, record.short
                    yield replace(record, place=place)

    @contextmanager
    def _unpack_member(self, at: int) -> Iterator[tuple[BinaryIO, BinaryIO] | None]:
        """A damaged member as a temporary file, opened twice; None if it holds no records."""
        if self._magic not in (GZIP, ZSTD):
            yield None
            return
        codec = compressed.GZIP if self._magic == GZIP else compressed.zstd_codec()
        with NamedTemporaryFile(prefix="pagelet-") as file:
            size = compressed.unpack_member(self._file, codec, at, file)
            with Path(file.name).open("rb") as first, Path(file.name).open("rb", 0) as second:
                is_plain = second.read(len(PLAIN)) == PLAIN
                yield (first, second) if size and is_plain else None

    def _count_damage(self, *, behind_record: bool) -> None:
        """Count a damaged place; one that ended a walk fails once more as the start of the next."""
        self.damage += behind_record or not self._counted
        self._counted = behind_record

    # -- places ---------------------------------------------------------------------------

    def _begins_alone(self, walk: "_Walk", held: ArchivedRecord, following: ArchivedRecord) -> bool:
        """Whether a record begins at its position, which several records may share.

        While a member has more records, fastwarc gives the place of that member or of the next.
        """
        if held.position <= walk.last:
            return False
        if walk.previous < held.position < following.position:
            return self._begins(held.position)
        return self._is_at_position(held)

    def _is_at_position(self, held: ArchivedRecord) -> bool:
        """The same by reading once more: whether the first record from there on is this one."""
        at = held.position
        if not self._begins(at):
            return False
        if self._first_record is None or self._first_record[0] != at:
            self._first_record = at, self._read_head(at)
        head = self._first_record[1]
        return head is not None and held.has_head_of(head)

    def _read_head(self, at: int) -> ArchivedRecord | None:
        """The head of the first record from a byte on."""
        with _note_damage(_Walk(0, ignore_record, NO_FAILURES)):
            self._peek.seek(at)
            for record in self._warc.ArchiveIterator(self._peek, parse_http=False):
                return _convert(record, 0)
        return None

    def _ends_whole(self, at: int) -> bool:
        """Whether the file ends where a record does; `at` is where the last member begins."""
        size = self._peek.seek(0, SEEK_END)
        if self._magic == PLAIN:
            self._peek.seek(max(size - 4, 0))
            return size == 0 or self._peek.read(4).endswith(RECORD_ENDS)
        checks = {
            GZIP: compressed.gzip_ends_whole,
            ZSTD: compressed.zstd_ends_whole,
            LZ4: compressed.lz4_ends_whole,
        }
        return checks[self._magic](self._peek, at)

    def _begins(self, at: int) -> bool:
        self._peek.seek(at)
        return self._peek.read(len(self._magic)) == self._magic

    def _next(self, at: int) -> int | None:
        """The byte where the next record begins, at a byte or behind it."""
        while (begin := next_magic(self._peek, at, self._magic)) is not None:
            if self._is_record(begin, self._magic):
                return begin
            self._count_damage(behind_record=False)
            if self.damage >= self._max_damage:
                return None
            at = begin + 1
        return None

    def _search_magic(self) -> bytes:
        """The first bytes of records in a file whose own first bytes are damaged."""
        return next((magic for magic in MAGIC_BYTES if self._has_records(magic)), PLAIN)

    def _has_records(self, magic: bytes) -> bool:
        """Whether a record begins with these bytes; bodies of pages may be compressed as well."""
        at = -1
        for _ in range(MAX_CANDIDATES):
            begin = next_magic(self._peek, at + 1, magic)
            if begin is None:
                return False
            if self._is_record(begin, magic) and self._read_head(begin) is not None:
                return True
            at = begin
        return False

    def _is_record(self, at: int, magic: bytes) -> bool:
        """Whether the bytes after the magic bytes are those of a record."""
        self._peek.seek(at)
        start = self._peek.read(512)
        if magic == PLAIN:
            return VERSION.match(start) is not None
        if magic != GZIP:
            return True
        try:
            return PLAIN.startswith(zlib.decompressobj(31).decompress(start, len(PLAIN)))
        except zlib.error:
            return False


@dataclass(slots=True)
class _Walk:
    """State of reading from one byte up to the next damage."""

    at: int  #: byte where it began
    on_record: OnRecord
    avoid: Failures
    read: int = 0  #: records read
    since: int = -1  #: records since the last byte where one begins
    previous: int = -1  #: position of the last record
    last: int = -1  #: last byte where a record begins
    broken: bool = False
    avoided: bool = False  #: whether it ended at a record that must not be read
    short: bool = False  #: whether its last record is cut short, which that record shows

    def __post_init__(self) -> None:
        self.last = self.at

    def place(self, held: ArchivedRecord, alone: bool) -> Place:  # noqa: FBT001 - computed
        """The place of the next record."""
        if self.since >= 0 and alone and held.position > self.last:
            self.last, self.since = held.position, 0
        else:
            self.since += 1
        self.previous = held.position
        return Place(self.last, self.since)


def _convert(record: "WarcRecord", limit: int) -> ArchivedRecord:
    """A record of fastwarc with its block up to a limit."""
    block = record.reader.read(limit) if limit else b""
    headers, length = record.headers, record.content_length
    sent_length = headers.get("Content-Length") or ""  # cut off or absurd, fastwarc takes it as 0
    return ArchivedRecord(
        position=record.stream_pos,
        length=length,
        id=_clean(record.record_id),
        url=(_clean(headers.get("WARC-Target-URI")) or "").strip("<> \t\r\n") or None,
        type=(_clean(headers.get("WARC-Type")) or "unknown").strip().lower(),
        date=_clean(headers.get("WARC-Date")),
        content_type=(headers.get("Content-Type") or "").strip().lower(),
        block=block,
        short=len(block) < min(length, limit) or sent_length.strip() != str(length),
    )


@contextmanager
def _note_damage(walk: _Walk) -> Iterator[None]:
    """Catch whatever fastwarc raises on damage; its panics are no Exception."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError):
        raise
    except BaseException:  # noqa: BLE001
        walk.broken = True


def _without_cut_end(records: Iterator[ArchivedRecord]) -> Iterator[ArchivedRecord]:
    """All records but the last one, if that is cut short."""
    held: ArchivedRecord | None = None
    for record in records:
        if held is not None:
            yield held
        held = record
    if held is not None and not held.short:
        yield held


def _cut(block: bytes) -> bytes:
    """A block up to where another record begins in it."""
    end = block.find(INNER_RECORD)
    return block if end < 0 else block[:end]


def _clean(value: str | None) -> str | None:
    """A text that can be written as UTF-8."""
    return None if value is None else value.encode("utf-8", "replace").decode()
