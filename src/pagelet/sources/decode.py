"""Compressed bodies, a little at a time, so that a small answer cannot become a huge one."""

import zlib
from collections.abc import Iterable, Iterator
from typing import Any

from pagelet.errors import Unreachable

ACCEPTED = "gzip, deflate"  #: what is asked for; zlib can be told when to stop
STEP = 65_536  #: most bytes that come out at once
GZIP, ZLIB, BARE = 16 + zlib.MAX_WBITS, zlib.MAX_WBITS, -zlib.MAX_WBITS


def decoded(chunks: Iterable[bytes], encoding: str, url: str) -> Iterator[bytes]:
    """The body behind its content encoding, in pieces of at most STEP bytes when compressed."""
    name = encoding.strip().lower()
    if name in ("", "identity"):
        return iter(chunks)
    if name in ("gzip", "x-gzip", "deflate"):
        return _inflated(chunks, name, url)
    raise Unreachable(url, f"the answer is encoded as {encoding!r}, not as asked; try another page")


def _inflated(chunks: Iterable[bytes], encoding: str, url: str) -> Iterator[bytes]:
    """Unpack; behind a whole member come further ones, or padding that is left out."""
    unpack, whole = None, False
    try:
        for chunk in chunks:
            data = chunk
            while data:
                if unpack is None and whole and not data.startswith(b"\x1f"):
                    return
                unpack = unpack or zlib.decompressobj(_window(encoding, data))
                yield from _pieces(unpack, data)
                data, whole = unpack.unused_data, unpack.eof
                unpack = None if whole else unpack
    except zlib.error as error:
        raise Unreachable(url, "the compressed answer is broken; try again") from error
    if unpack is not None:
        raise Unreachable(url, "the compressed answer is cut short; try again")


def _window(encoding: str, start: bytes) -> int:
    """What zlib is to expect: by the book, deflate has a head, but some servers leave it out."""
    if encoding != "deflate":
        return GZIP
    return ZLIB if start[0] & 0x0F == zlib.DEFLATED else BARE


def _pieces(unpack: Any, data: bytes) -> Iterator[bytes]:
    """All that comes of some input, never more than STEP at a time."""
    piece = b""
    while data or len(piece) == STEP:  # a full step may have left something inside
        piece = unpack.decompress(data, STEP)
        if piece:
            yield piece
        data = unpack.unconsumed_tail
