"""What is asked of a server, and how its answer is read: refused early, never held too large."""

import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx

from pagelet.errors import (
    BudgetSpent,
    ErrorStatus,
    NotHtml,
    OptionError,
    PageTooLarge,
    Unreachable,
    UnsafeAddress,
)
from pagelet.sources.http.politeness import Host, Politeness, asked_wait

# -- Compressed bodies, a little at a time, so that a small answer cannot become a huge one ---


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


# -- What is asked of a server, and how its answer is read: refused early, never held too large


HTML_TYPES = ("text/html", "application/xhtml+xml", "application/xml", "text/xml", "text/plain")
ADVICE = {
    401: "it wants a login, which pagelet has not",
    403: "it does not serve the page to programs",
    404: "there is no such page; check the address",
    410: "the page is gone",
    429: "it was asked too often; try again later",
    503: "it is too busy; try again later",
}


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of a server."""

    url: str
    method: str = "GET"
    body: bytes | None = None
    content_type: str | None = None

    def __post_init__(self) -> None:
        if self.method not in ("GET", "POST"):
            raise OptionError("method", self.method, "only GET and POST are sent")


@dataclass(frozen=True, slots=True)
class Fetched:
    """What a server answered."""

    url: str  #: after redirects
    body: bytes  #: unpacked
    charset: str | None  #: what the content type header says
    status: int = 200
    redirects: tuple[str, ...] = ()  #: the addresses that led here, in the order they were asked


def web_address(text: str) -> httpx.URL:
    """An address of http or https, with a host."""
    try:
        url = httpx.URL(text)
    except (httpx.InvalidURL, ValueError) as error:
        raise Unreachable(text, f"{error}; check the address") from error
    if url.scheme not in ("http", "https"):
        raise UnsafeAddress(text, "only http and https addresses are fetched; give one of these")
    if not url.host:
        raise Unreachable(text, "there is no host in it; check the address")
    return url


def following(request: Request, response: httpx.Response) -> Request | None:
    """The request that a redirect asks for: 307 and 308 keep a POST, all others make it a GET."""
    asked = response.next_request
    if asked is None:
        return None
    if asked.method == request.method:
        return Request(str(asked.url), request.method, request.body, request.content_type)
    return Request(str(asked.url))


def check(response: httpx.Response) -> None:
    """Refuse error answers and what is not HTML."""
    if not response.is_success:
        status = response.status_code
        advice = ADVICE.get(status, "try again later" if status >= 500 else "check the address")
        if wait := asked_wait(response.headers.get("retry-after")):
            advice += f", in {wait:,.0f} s"
        raise ErrorStatus(str(response.url), status, advice)
    kind = response.headers.get("content-type", "text/html")
    if kind.split(";")[0].strip().lower() not in HTML_TYPES:
        raise NotHtml(str(response.url), kind)


def body_of(response: httpx.Response, host: Host, politeness: Politeness, most: int) -> bytes:
    """The body, unpacked; given up as soon as it is too large or too dear."""
    url, said = str(response.url), response.headers.get("content-length", "")
    if said.isdecimal() and int(said) > most:
        raise PageTooLarge(url, most)
    pieces, size = [], 0
    for piece in pieces_of(response, host, politeness, most):
        size += len(piece)
        if size > most:
            raise PageTooLarge(url, most)
        pieces.append(piece)
    return b"".join(pieces)


def pieces_of(
    response: httpx.Response, host: Host, politeness: Politeness, most: int
) -> Iterator[bytes]:
    """The body in pieces, unpacked; what came over the network is charged to the host."""
    url = str(response.url)

    def packed() -> Iterator[bytes]:
        size = 0
        for chunk in response.iter_raw():
            size, host.bytes = size + len(chunk), host.bytes + len(chunk)
            if host.bytes > politeness.bytes:
                raise BudgetSpent(url, "bytes", politeness.bytes)
            if size > most:  # packed things of nothing unpack to nothing
                raise PageTooLarge(url, most)
            yield chunk

    return decoded(packed(), response.headers.get("content-encoding", ""), url)
