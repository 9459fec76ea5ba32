"""Requests, and responses read within limits: refused early, decoded a little at a time."""

import zlib
from collections.abc import Collection, Iterable, Iterator
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
from pagelet.sources.http.politeness import HostUsage, Politeness, parse_retry_after

HTML_TYPES = ("text/html", "application/xhtml+xml", "application/xml", "text/xml", "text/plain")
ADVICE = {
    401: "it wants a login, which pagelet has not",
    403: "it does not serve the page to programs",
    404: "there is no such page; check the address",
    410: "the page is gone",
    429: "too many requests; try again later",
    503: "it is too busy; try again later",
}


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request to a server."""

    url: str
    method: str = "GET"
    body: bytes | None = None
    content_type: str | None = None

    def __post_init__(self) -> None:
        if self.method not in ("GET", "POST"):
            raise OptionError("method", self.method, "only GET and POST are sent")


@dataclass(frozen=True, slots=True)
class Fetched:
    """A response, read and decoded."""

    url: str  #: address after redirects
    body: bytes  #: decoded body
    charset: str | None  #: charset of the content type header
    status: int = 200
    redirects: tuple[str, ...] = ()  #: addresses that led here, in order


def web_address(text: str) -> httpx.URL:
    """Parse an http or https address with a host."""
    try:
        url = httpx.URL(text)
        host = url.host  # decoded here, which fails for a broken international name
    except (httpx.InvalidURL, ValueError) as error:
        raise Unreachable(text, f"{error}; check the address") from error
    if url.scheme not in ("http", "https"):
        raise UnsafeAddress(text, "only http and https addresses are fetched; give one of these")
    if not host:
        raise Unreachable(text, "there is no host in it; check the address")
    return url


def without_credentials(url: httpx.URL) -> httpx.URL:
    """An address without user name and password."""
    return url.copy_with(userinfo=b"") if url.userinfo else url


def redirect_of(request: HttpRequest, response: httpx.Response) -> HttpRequest | None:
    """The request that a redirect leads to: 307 and 308 keep a POST, all others make it a GET."""
    target = response.next_request
    if target is None:
        return None
    if target.method == request.method:
        return HttpRequest(str(target.url), request.method, request.body, request.content_type)
    return HttpRequest(str(target.url))


#: what sitemaps and feeds are sent as; both may be packed
ANNOUNCEMENT_TYPES = (
    *HTML_TYPES, "application/rss+xml", "application/atom+xml", "application/rdf+xml",
    "application/feed+json", "application/json", "application/gzip", "application/x-gzip",
    "application/octet-stream", "binary/octet-stream",
)  # fmt: skip


def check_response(response: httpx.Response, types: Collection[str] = HTML_TYPES) -> None:
    """Refuse error statuses and content of other types, which are those of HTML as a rule."""
    if not response.is_success:
        status = response.status_code
        advice = ADVICE.get(status, "try again later" if status >= 500 else "check the address")
        if wait := parse_retry_after(response.headers.get("retry-after")):
            advice += f", in {wait:,.0f} s"
        raise ErrorStatus(str(response.url), status, advice)
    content_type = response.headers.get("content-type", "text/html")
    if content_type.split(";")[0].strip().lower() not in types:
        raise NotHtml(str(response.url), content_type)


def read_body(
    response: httpx.Response, usage: HostUsage, politeness: Politeness, limit: int
) -> bytes:
    """Read and decode the body, up to the limit and the byte budget of the host."""
    url, length = str(response.url), response.headers.get("content-length", "")
    if length.isdecimal() and int(length) > limit:
        raise PageTooLarge(url, limit)
    pieces, size = [], 0
    for piece in iter_body(response, usage, politeness, limit):
        size += len(piece)
        if size > limit:
            raise PageTooLarge(url, limit)
        pieces.append(piece)
    return b"".join(pieces)


def iter_body(
    response: httpx.Response, usage: HostUsage, politeness: Politeness, limit: int
) -> Iterator[bytes]:
    """Decode the body piece by piece; its bytes on the network count for the host's budget."""
    url = str(response.url)

    def raw() -> Iterator[bytes]:
        size = 0
        for chunk in response.iter_raw():
            size, usage.bytes = size + len(chunk), usage.bytes + len(chunk)
            if usage.bytes > politeness.bytes:
                raise BudgetSpent(url, "bytes", politeness.bytes)
            if size > limit:  # many compressed bytes may decode to none
                raise PageTooLarge(url, limit)
            yield chunk

    return decode(raw(), response.headers.get("content-encoding", ""), url)


# -- content encodings --------------------------------------------------------------------

ACCEPT_ENCODING = "gzip, deflate"  #: encodings whose output zlib can limit
STEP_BYTES = 65_536  #: most bytes that are decoded at once
GZIP, ZLIB, RAW_DEFLATE = 16 + zlib.MAX_WBITS, zlib.MAX_WBITS, -zlib.MAX_WBITS


def decode(chunks: Iterable[bytes], encoding: str, url: str) -> Iterator[bytes]:
    """Undo one content encoding, in pieces of at most STEP_BYTES when it is compressed."""
    name = encoding.strip().lower()
    if name in ("", "identity"):
        return iter(chunks)
    if name in ("gzip", "x-gzip", "deflate"):
        return _inflate(chunks, name, url)
    raise Unreachable(
        url,
        f"the response is encoded as {encoding!r}, which was not requested; try another page",
    )


def _inflate(chunks: Iterable[bytes], encoding: str, url: str) -> Iterator[bytes]:
    """Decompress; behind a whole member come further ones, or padding that is left out."""
    unpack, whole = None, False
    try:
        for chunk in chunks:
            data = chunk
            while data:
                if unpack is None and whole and not data.startswith(b"\x1f"):
                    return
                unpack = unpack or zlib.decompressobj(_window_bits(encoding, data))
                yield from _decompress(unpack, data)
                data, whole = unpack.unused_data, unpack.eof
                unpack = None if whole else unpack
    except zlib.error as error:
        raise Unreachable(url, "the compressed response is damaged; try again") from error
    if unpack is not None:
        raise Unreachable(url, "the compressed response is cut short; try again")


def _window_bits(encoding: str, start: bytes) -> int:
    """The format zlib is to expect; deflate has a zlib header, but some servers leave it out."""
    if encoding != "deflate":
        return GZIP
    return ZLIB if start[0] & 0x0F == zlib.DEFLATED else RAW_DEFLATE


def _decompress(unpack: Any, data: bytes) -> Iterator[bytes]:
    """All output of some input, at most STEP_BYTES at a time."""
    piece = b""
    while data or len(piece) == STEP_BYTES:  # a full step may have left something inside
        piece = unpack.decompress(data, STEP_BYTES)
        if piece:
            yield piece
        data = unpack.unconsumed_tail
