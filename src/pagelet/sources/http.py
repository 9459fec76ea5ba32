"""One page over HTTP, within limits of size and time."""

from dataclasses import dataclass
from time import monotonic
from urllib.parse import urlsplit

import httpx

from pagelet.errors import NotHtml, PageTooLarge, Unreachable, UnsafeAddress

HEADERS = {"User-Agent": "pagelet/0.1", "Accept": "text/html,application/xhtml+xml"}
HTML_TYPES = ("text/html", "application/xhtml+xml", "application/xml", "text/xml", "text/plain")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much a page may cost."""

    max_bytes: int = 100_000_000  #: larger pages are refused, never cut
    timeout: float = 20.0  #: seconds for the whole page, redirects and body
    redirects: int = 10


@dataclass(frozen=True, slots=True)
class Fetched:
    """What a server answered."""

    url: str  #: after redirects
    body: bytes
    charset: str | None  #: what the content type header says


def fetch(url: str, limits: Limits = Limits()) -> Fetched:
    """Fetch one page; http and https only, at every redirect, all within one time limit."""
    deadline = monotonic() + limits.timeout
    try:
        with httpx.Client(headers=HEADERS) as client:
            for _ in range(limits.redirects + 1):
                answer = _get(client, url, limits, deadline)
                if isinstance(answer, Fetched):
                    return answer
                url = answer
    except httpx.TimeoutException as error:
        raise _too_slow(url, limits) from error
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        why = str(error) or type(error).__name__
        raise Unreachable(url, f"{why}; check the address") from error
    raise Unreachable(url, f"more than {limits.redirects} redirects")


def _too_slow(url: str, limits: Limits) -> Unreachable:
    return Unreachable(url, f"no whole answer in {limits.timeout:g} s; raise --timeout")


def _get(client: httpx.Client, url: str, limits: Limits, deadline: float) -> Fetched | str:
    """The page, or where a redirect leads."""
    if urlsplit(url).scheme.lower() not in ("http", "https"):
        raise UnsafeAddress(url, "only http and https addresses are fetched")
    left = deadline - monotonic()
    if left <= 0:
        raise _too_slow(url, limits)
    with client.stream("GET", url, timeout=left) as response:
        if response.next_request is not None:
            return str(response.next_request.url)
        _check(response)
        body = _body(response, limits, deadline)
        return Fetched(str(response.url), body, response.charset_encoding)


def _check(response: httpx.Response) -> None:
    """Refuse error answers and what is not HTML."""
    if not response.is_success:
        raise Unreachable(str(response.url), f"the server answered {response.status_code}")
    kind = response.headers.get("content-type", "text/html")
    if kind.split(";")[0].strip().lower() not in HTML_TYPES:
        raise NotHtml(str(response.url), kind)


def _body(response: httpx.Response, limits: Limits, deadline: float) -> bytes:
    """The body, given up as soon as it is too large or too slow."""
    chunks, size = [], 0
    for chunk in response.iter_bytes():
        size += len(chunk)
        if size > limits.max_bytes:
            raise PageTooLarge(str(response.url), limits.max_bytes)
        if monotonic() > deadline:
            raise _too_slow(str(response.url), limits)
        chunks.append(chunk)
    return b"".join(chunks)
