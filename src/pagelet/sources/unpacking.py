"""Compressed files of single pages: gzip and Zstandard by their first bytes, Brotli by its name."""

import io
from collections.abc import Iterator
from pathlib import Path

from pagelet.errors import DamagedRecord, MissingExtra, PageTooLarge
from pagelet.sources.compressed import GZIP, Codec, Unpacked, zstd_codec

ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
BROTLI_ENDING = ".br"  #: Brotli has no first bytes of its own
ENDINGS = (".gz", ".zst", BROTLI_ENDING)  #: endings of compressed files, behind that of a page
STEP_BYTES = 65_536  #: bytes that are unpacked at once


def unpack_page(data: bytes, name: str, max_bytes: int) -> bytes:
    """The bytes of a page, unpacked if they are compressed; PageTooLarge beyond the limit."""
    if data.startswith(GZIP.magic):
        pieces = _unpacked_pieces(data, GZIP, name)
    elif data.startswith(ZSTD_MAGIC):
        pieces = _unpacked_pieces(data, zstd_codec(), name)
    elif name.lower().endswith(BROTLI_ENDING):
        pieces = _brotli_pieces(data, name)
    else:
        return data
    unpacked = bytearray()
    for piece in pieces:
        unpacked += piece
        if len(unpacked) > max_bytes:
            raise PageTooLarge(name, max_bytes)
    return bytes(unpacked)


def without_ending(path: Path) -> Path:
    """The name of a file once it is unpacked."""
    return path.with_suffix("") if path.suffix.lower() in ENDINGS else path


def _unpacked_pieces(data: bytes, codec: Codec, name: str) -> Iterator[bytes]:
    """The unpacked bytes of all members, piece by piece."""
    reader, buffer = Unpacked(io.BytesIO(data), codec), bytearray(STEP_BYTES)
    while size := reader.readinto(buffer):
        yield bytes(buffer[:size])
    if reader.stopped:
        raise DamagedRecord(name, "the compressed file is damaged or cut short; get it again")


def _brotli_pieces(data: bytes, name: str) -> Iterator[bytes]:
    try:
        import brotli  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtra("compressed", "reading .br files") from error
    unpacker, rest = brotli.Decompressor(), data
    try:
        while not unpacker.is_finished():
            piece = unpacker.process(rest, output_buffer_limit=STEP_BYTES)
            rest = b""
            if not piece and unpacker.can_accept_more_data():
                raise DamagedRecord(name, "the compressed file is cut short; get it again")
            yield piece
    except brotli.error as error:
        raise DamagedRecord(name, "the compressed file is damaged; get it again") from error
