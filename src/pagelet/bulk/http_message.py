"""An HTTP answer as archives keep it: its head, and its body unpacked as far as it goes."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pagelet.errors import PageTooLarge, Unreachable
from pagelet.sources.folder import begins_like_a_page
from pagelet.sources.http.answers import decoded
from pagelet.sources.warc import fastwarc_library

HEAD = re.compile(rb"HTTP/\d[.\d]*[ \t]+(\d{3})[^\n]*\n")
END = re.compile(rb"\r?\n\r?\n")
SIZE = re.compile(rb"([0-9a-fA-F]{1,15})[ \t]*(?:;[^\n]*)?\r?\n")
CHARSET = re.compile(r"charset\s*=\s*[\"']?([^\s\"';]+)", re.I)
LONGEST_HEAD = 262_144  #: bytes in which the head of an answer must end
KNOWN = ("content-type", "content-encoding", "transfer-encoding")


@dataclass(frozen=True, slots=True)
class Message:
    """An answer: its status and what its head says of the body; None where it says nothing."""

    status: int | None
    kind: str | None  #: content type, lower case, without parameters
    charset: str | None
    encoding: str  #: content encodings in the order they were applied
    chunked: bool
    raw: bytes  #: the body as it was kept


def read_message(block: bytes) -> Message:
    """Read an answer; a block without a head is all body."""
    first = HEAD.match(block)
    if first is None:
        return Message(None, None, None, "", chunked=False, raw=block)
    end = END.search(block, first.end() - 2, LONGEST_HEAD)
    head = block[first.end() : end.start() if end else len(block)]
    told = _fields(head)
    kind = told.get("content-type", "")
    charset = CHARSET.search(kind)
    return Message(
        status=int(first[1]),
        kind=kind.partition(";")[0].strip().lower() or None,
        charset=charset[1] if charset else None,
        encoding=told.get("content-encoding", ""),
        chunked="chunked" in told.get("transfer-encoding", "").lower(),
        raw=block[end.end() :] if end else b"",
    )


def _fields(head: bytes) -> dict[str, str]:
    """The fields that matter here; the last of a name is taken."""
    found = {}
    for line in head.split(b"\n"):
        name, _, value = line.partition(b":")
        key = name.strip().lower().decode("latin-1")
        if key in KNOWN:
            found[key] = value.strip().decode("latin-1")
    return found


def body_of(message: Message, limit: int, source: str) -> bytes:
    """The body unpacked; as it was kept where the head speaks of a packing it does not have."""
    for data in _readings(message):
        try:
            body = _bounded(_unpacked(data, message.encoding, source), limit, source)
        except (Unreachable, OSError):
            continue
        if body or not data:
            return body
    kept = message.raw
    if not begins_like_a_page(kept):
        raise Unreachable(source, f"the body cannot be unpacked from {message.encoding!r}")
    return _bounded([kept], limit, source)


def _readings(message: Message) -> Iterator[bytes]:
    """The body without its chunks, if it has any, then as it was kept."""
    if message.chunked and (whole := unchunked(message.raw)) is not None:
        yield whole
    yield message.raw


def unchunked(data: bytes) -> bytes | None:
    """The body of a chunked answer; what was cut off ends early, None if it is not chunked."""
    pieces: list[bytes] = []
    at = 0
    while at < len(data):
        size = SIZE.match(data, at)
        if size is None:
            return b"".join(pieces) if pieces else None
        length = int(size[1], 16)
        if length == 0:
            return b"".join(pieces)
        pieces.append(data[size.end() : size.end() + length])
        at = size.end() + length
        at += 2 if data[at : at + 2] == b"\r\n" else data[at : at + 1] == b"\n"
    return b"".join(pieces)


def _unpacked(data: bytes, encodings: str, source: str) -> Iterable[bytes]:
    pieces: Iterable[bytes] = [data]
    for name in reversed([each.strip().lower() for each in encodings.split(",")]):
        if name in ("br", "zstd"):
            pieces = _streamed(pieces, name)
        else:
            pieces = decoded(pieces, name, source)
    return pieces


def _streamed(pieces: Iterable[bytes], name: str) -> Iterator[bytes]:
    """Unpack what the standard library cannot, a little at a time."""
    from io import BytesIO  # noqa: PLC0415 - few bodies are packed so

    fastwarc_library()  # says which packages are missing
    from fastwarc import stream_io  # noqa: PLC0415 - an extra

    reader = {"br": "BrotliReader", "zstd": "ZstdReader"}[name]
    stream = getattr(stream_io, reader)(BytesIO(b"".join(pieces)))
    while piece := stream.read(65_536):
        yield piece


def _bounded(pieces: Iterable[bytes], limit: int, source: str) -> bytes:
    held, size = [], 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size > limit:
            raise PageTooLarge(source, limit)
    return b"".join(held)
