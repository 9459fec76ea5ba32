"""The HTTP responses that a WARC file holds: heads parsed, bodies decoded within limits."""

import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from pagelet.errors import DamagedRecord, MissingExtra, PageTooLarge, Unreachable
from pagelet.sources.folder import looks_like_html

STATUS_LINE = re.compile(rb"HTTP/\d[.\d]*[ \t]+(\d{3})[^\n]*\n")
HEAD_END = re.compile(rb"\r?\n\r?\n")
CHUNK_SIZE = re.compile(rb"([0-9a-fA-F]{1,15})[ \t]*(?:;[^\n]*)?\r?\n")
CHARSET = re.compile(r"charset\s*=\s*[\"']?([^\s\"';]+)", re.I)
MAX_HEAD_BYTES = 262_144  #: bytes in which the head of a response must end
MAX_ENCODINGS = 5  #: content encodings of one body that are undone
HEADERS_READ = ("content-type", "content-encoding", "transfer-encoding")
PAGE_TYPES = ("text/html", "application/xhtml+xml", None)  #: content types of pages; None: not sent


@dataclass(frozen=True, slots=True)
class HttpMessage:
    """An archived response: status, headers about the body, and the body as archived."""

    raw: bytes  #: body as archived
    status: int | None = None
    content_type: str | None = None  #: media type in lower case, without parameters
    charset: str | None = None
    encoding: str = ""  #: content encodings in the order they were applied
    chunked: bool = False
    cut: bool = False  #: whether it ends within its head


def parse_message(block: bytes) -> HttpMessage:
    """Parse a response; a block without a head is all body."""
    first = STATUS_LINE.match(block)
    if first is None:
        return HttpMessage(block, cut=block.startswith(b"HTTP/") and b"\n" not in block)
    end = HEAD_END.search(block, first.end() - 2, MAX_HEAD_BYTES)
    headers = _parse_headers(block[first.end() : end.start() if end else len(block)])
    content_type = headers.get("content-type", "")
    charset = CHARSET.search(content_type)
    return HttpMessage(
        raw=block[end.end() :] if end else b"",
        status=int(first[1]),
        content_type=content_type.partition(";")[0].strip().lower() or None,
        charset=charset[1] if charset else None,
        encoding=headers.get("content-encoding", ""),
        chunked="chunked" in headers.get("transfer-encoding", "").lower(),
        cut=end is None and (len(block) > MAX_HEAD_BYTES or not block.endswith(b"\n")),
    )


def _parse_headers(head: bytes) -> dict[str, str]:
    """The headers that describe the body; the last one of a name wins."""
    headers = {}
    for line in head.split(b"\n"):
        name, _, value = line.partition(b":")
        key = name.strip().lower().decode("latin-1")
        if key in HEADERS_READ:
            headers[key] = value.strip().decode("latin-1")
    return headers


def decode_body(message: HttpMessage, limit: int, source: str) -> bytes:
    """Decode the body; where the headers name an encoding it does not have, take it as it is."""
    encodings = _encodings(message, source)
    for data in _dechunked_variants(message):
        try:
            body = _join(_decode(data, encodings, limit, source), limit, source)
        except (Unreachable, OSError):
            continue
        if body or not data:
            return body
    if not looks_like_html(message.raw):
        raise Unreachable(source, f"the body cannot be unpacked from {message.encoding[:60]!r}")
    return _join([message.raw], limit, source)


def _encodings(message: HttpMessage, source: str) -> list[str]:
    """The content encodings in the order they were applied."""
    names = [each.strip().lower() for each in message.encoding.split(",")]
    encodings = [name for name in names if name not in ("", "identity")]
    if len(encodings) > MAX_ENCODINGS:
        why = f"{len(encodings):,} content encodings, where at most {MAX_ENCODINGS} are undone"
        raise DamagedRecord(source, why)
    return encodings


def _dechunked_variants(message: HttpMessage) -> Iterator[bytes]:
    """The body without chunk sizes, if it has them, then as archived."""
    if message.chunked and (whole := dechunk(message.raw)) is not None:
        yield whole
    yield message.raw


def dechunk(data: bytes) -> bytes | None:
    """Join the chunks of a body, the last of which may be cut off; None if it is not chunked."""
    pieces: list[bytes] = []
    at = 0
    while at < len(data):
        size = CHUNK_SIZE.match(data, at)
        if size is None:
            return b"".join(pieces) if pieces else None
        length = int(size[1], 16)
        if length == 0:
            return b"".join(pieces)
        pieces.append(data[size.end() : size.end() + length])
        at = size.end() + length
        at += 2 if data[at : at + 2] == b"\r\n" else data[at : at + 1] == b"\n"
    return b"".join(pieces)


def _decode(data: bytes, encodings: list[str], limit: int, source: str) -> Iterable[bytes]:
    pieces: Iterable[bytes] = [data]
    if not encodings:
        return pieces
    from pagelet.sources.http.messages import decode  # noqa: PLC0415 - loads httpx

    for name in reversed(encodings):
        if name in ("br", "zstd"):
            pieces = _decode_stream(_join(pieces, limit, source), name)
        else:
            pieces = decode(pieces, name, source)
    return pieces


def _decode_stream(data: bytes, name: str) -> Iterator[bytes]:
    """Decode Brotli or Zstandard piece by piece with fastwarc."""
    import_fastwarc()  # reports a missing extra
    from fastwarc import stream_io  # noqa: PLC0415 - an extra

    reader = {"br": "BrotliReader", "zstd": "ZstdReader"}[name]
    stream = getattr(stream_io, reader)(BytesIO(data))
    while piece := stream.read(65_536):
        yield piece


def _join(pieces: Iterable[bytes], limit: int, source: str) -> bytes:
    joined, size = [], 0
    for piece in pieces:
        joined.append(piece)
        size += len(piece)
        if size > limit:
            raise PageTooLarge(source, limit)
    return b"".join(joined)


def import_fastwarc() -> Any:
    """The module `fastwarc.warc`, which comes with the extra `bulk`."""
    try:
        with warnings.catch_warnings():  # fastwarc warns of its own parts
            warnings.simplefilter("ignore", DeprecationWarning)
            from fastwarc import warc  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtra("bulk", "reading WARC files") from error
    return warc
