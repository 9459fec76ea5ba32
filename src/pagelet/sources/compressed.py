"""Compressed files read past damage: all that can be unpacked, then the next whole part.

gzip and Zstandard files are members behind each other. Where a member is damaged or cut short,
the bytes before the damage come out, reading stops until `pass_damage` is called, and goes on at
the next member that can be unpacked.
"""

import io
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, BinaryIO

from pagelet.errors import MissingExtra

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

SEARCH_BYTES = 2**20  #: bytes searched at once for the next member
MAX_MEMBER_BYTES = 2**31  #: bytes of a damaged member that are unpacked to a file
STEP_BYTES = 4096  #: bytes unpacked at once; with Zstandard, they may become 128 MB
SKIPPABLE_FRAME = b"\x2a\x4d\x18"  #: bytes 2 to 4 of a Zstandard frame that holds no data


@dataclass(frozen=True, slots=True)
class Codec:
    """How the members of a file are compressed."""

    magic: bytes  #: first bytes of a member
    unpacker: Callable[[], Any]  #: makes an object that unpacks one member
    errors: tuple[type[Exception], ...]  #: raised where a member is damaged

    def starts(self, head: bytes) -> bool:
        """Whether a member may begin with these bytes."""
        return head.startswith(self.magic) or (
            self.magic != GZIP.magic and head[1:4] == SKIPPABLE_FRAME
        )


GZIP = Codec(b"\x1f\x8b\x08", lambda: zlib.decompressobj(31), (zlib.error,))


def zstd_codec() -> Codec:
    """The codec of Zstandard."""
    zstandard = import_zstandard("reading")
    return Codec(
        b"\x28\xb5\x2f\xfd",
        lambda: zstandard.ZstdDecompressor().decompressobj(),
        (zstandard.ZstdError,),
    )


def import_zstandard(doing: str) -> Any:
    """The package zstandard; MissingExtra if it is not installed."""
    try:
        import zstandard  # noqa: PLC0415 - an extra
    except ImportError as error:
        extra = "compressed" if doing == "reading" else "bulk"
        raise MissingExtra(extra, f"{doing} .zst files") from error
    return zstandard


class Unpacked(io.RawIOBase):
    """The unpacked bytes of a file; at damage it seems to end until that is passed."""

    def __init__(
        self, file: BinaryIO, codec: Codec, start: int = 0, *, one_member: bool = False
    ) -> None:
        self.stopped = False  #: whether reading has stopped at damage
        self._file, self._codec, self._one_member = file, codec, one_member
        self._start = self._at = start  #: where the member begins, and the next byte of the file
        self._steps = 0  #: pieces of the member that were unpacked
        self._unpacker: Any = None  #: None between two members
        self._ready = memoryview(b"")  #: unpacked, but not read yet
        self._given, self._ended = 0, False

    def readable(self) -> bool:
        """It is for reading."""
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        """Read some bytes; 0 at the end and at damage."""
        while not self._ready and not self._ended and not self.stopped:
            self._unpack_step()
        view = memoryview(buffer).cast("B")
        size = min(len(view), len(self._ready))
        view[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        self._given += size
        return size

    def tell(self) -> int:
        """How many bytes were read."""
        return self._given

    def pass_damage(self) -> None:
        """Go on at the next member that can be unpacked."""
        self.stopped, self._unpacker = False, None
        at = self._start + 1  # bytes of the next member may have been taken for this one's
        while (begin := next_magic(self._file, at, self._codec.magic)) is not None:
            if self._can_unpack(begin):
                self._at = begin
                return
            at = begin + 1
        self._ended = True

    def _unpack_step(self) -> None:
        """Unpack the next bytes of the file."""
        if self._unpacker is None and not self._open_member():
            return
        self._file.seek(self._at)
        data = self._file.read(STEP_BYTES)
        if not data:
            self.stopped = True  # cut short
            return
        try:
            self._ready = memoryview(self._unpacker.decompress(data))
        except self._codec.errors:
            self._ready, self.stopped = memoryview(self._unpack_up_to_damage(data)), True
            return
        self._steps += 1
        self._at += len(data)
        if self._unpacker.eof:
            self._at -= len(self._unpacker.unused_data)
            self._unpacker, self._ended = None, self._one_member

    def _open_member(self) -> bool:
        """Begin the next member, behind padding; False at the end and where there is none."""
        self._file.seek(self._at)
        head = self._file.read(STEP_BYTES)
        while head and not head.strip(b"\0"):
            self._at += len(head)
            head = self._file.read(STEP_BYTES)
        self._at += len(head) - len(head.lstrip(b"\0"))
        self._start, self._steps = self._at, 0
        self._ended = not head
        self.stopped = bool(head) and not self._codec.starts(head.lstrip(b"\0"))
        if self._ended or self.stopped:
            return False
        self._unpacker = self._codec.unpacker()
        return True

    def _unpack_up_to_damage(self, data: bytes) -> bytes:
        """What the bytes before the damage give: the member once more, in the end byte by byte."""
        unpacker, unpacked = self._codec.unpacker(), io.BytesIO()
        self._file.seek(self._start)
        try:
            for _ in range(self._steps):
                unpacker.decompress(self._file.read(STEP_BYTES))
            for at in range(len(data)):
                unpacked.write(unpacker.decompress(data[at : at + 1]))
        except self._codec.errors:
            pass
        return unpacked.getvalue()

    def _can_unpack(self, begin: int) -> bool:
        self._file.seek(begin)
        try:
            self._codec.unpacker().decompress(self._file.read(STEP_BYTES))
        except self._codec.errors:
            return False
        return True


def unpack_member(file: BinaryIO, codec: Codec, at: int, out: IO[bytes]) -> int:
    """Write what can be unpacked of one member, up to a limit; its bytes, 0 if the disk is full."""
    unpacked, buffer, size = Unpacked(file, codec, at, one_member=True), bytearray(65_536), 0
    try:
        while size < MAX_MEMBER_BYTES and (read := unpacked.readinto(buffer)):
            out.write(memoryview(buffer)[:read])
            size += read
        out.flush()
    except OSError:
        return 0
    return size


def next_magic(file: BinaryIO, place: int, magic: bytes) -> int | None:
    """The next byte, at a place or behind it, where magic bytes stand."""
    file.seek(place)
    rest = b""
    while piece := file.read(SEARCH_BYTES):
        data = rest + piece
        if (at := data.find(magic)) >= 0:
            return place - len(rest) + at
        rest = data[1 - len(magic) :]
        place += len(piece)
    return None


# -- whether a file ends where its last member does -------------------------------------------


def gzip_ends_whole(file: BinaryIO, at: int) -> bool:
    """Whether all members from a byte on are whole."""
    unpacked, buffer = Unpacked(file, GZIP, at), bytearray(STEP_BYTES)
    while unpacked.readinto(buffer):
        pass
    return not unpacked.stopped


def zstd_ends_whole(file: BinaryIO, at: int) -> bool:
    """The same for Zstandard frames, by the lengths of their blocks alone (RFC 8878)."""
    return _frames_end_whole(file, at, _after_zstd_frame)


def lz4_ends_whole(file: BinaryIO, at: int) -> bool:
    """The same for LZ4 frames."""
    return _frames_end_whole(file, at, _after_lz4_frame)


def _frames_end_whole(
    file: BinaryIO, at: int, after_frame: Callable[[BinaryIO, int, int], int]
) -> bool:
    """Whether frames, of which both formats have some to skip, end where the file does."""
    size = file.seek(0, io.SEEK_END)
    while at < size:
        head = _read_at(file, at, 8)
        if head[1:4] == SKIPPABLE_FRAME:
            at += 8 + int.from_bytes(head[4:8], "little")
        else:
            at = after_frame(file, at, head[4] if len(head) > 4 else 0)
    return at == size


def _after_zstd_frame(file: BinaryIO, at: int, flags: int) -> int:
    single, sizes = flags >> 5 & 1, (flags >> 6, flags & 3)
    content = (single, 2, 4, 8)[sizes[0]]
    at += 5 + (not single) + (0, 1, 2, 4)[sizes[1]] + content
    last = 0
    while not last:
        block = int.from_bytes(_read_at(file, at, 3).ljust(3, b"\1"), "little")
        last, kind, size = block & 1, block >> 1 & 3, block >> 3
        at += 3 + (1 if kind == 1 else size)
    return at + 4 * (flags >> 2 & 1)


def _after_lz4_frame(file: BinaryIO, at: int, flags: int) -> int:
    at += 7 + 8 * (flags >> 3 & 1) + 4 * (flags & 1)
    while len(block := _read_at(file, at, 4)) == 4:
        at += 4
        size = int.from_bytes(block, "little") & 0x7FFFFFFF  # the highest bit: not compressed
        if size == 0:
            return at + 4 * (flags >> 2 & 1)
        at += size + 4 * (flags >> 4 & 1)
    return at + 4  # behind the end of the file


def _read_at(file: BinaryIO, at: int, size: int) -> bytes:
    file.seek(at)
    return file.read(size)
