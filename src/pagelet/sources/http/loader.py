"""Pages over HTTP: politely, within limits, from public addresses only.

The rules are documented in docs/loading.md.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Self, TypeVar

import httpcore
import httpx

from pagelet.errors import (
    BudgetSpent,
    Disallowed,
    OutOfScope,
    PageError,
    Unreachable,
    UnsafeAddress,
)
from pagelet.page.addresses import strip_credentials
from pagelet.sources.http.addresses import AllowList
from pagelet.sources.http.cache import ONLY_IF_CACHED, Cache, CacheMiss, is_from_cache
from pagelet.sources.http.cookies import make_cookie_jar
from pagelet.sources.http.identity import DEFAULT_AGENT, Identity
from pagelet.sources.http.messages import (
    ACCEPT_ENCODING,
    HTML_TYPES,
    Fetched,
    HttpRequest,
    check_response,
    iter_body,
    read_body,
    redirect_of,
    web_address,
    without_credentials,
)
from pagelet.sources.http.network import CheckedTransport, Deadline
from pagelet.sources.http.politeness import (
    MAX_WAIT_SECONDS,
    RETRY_STATUSES,
    SINGLE_PAGE,
    Clock,
    HostUsage,
    Politeness,
    back_off,
    in_scope,
    parse_retry_after,
)
from pagelet.sources.http.robots import (
    ALLOW_ALL,
    MAX_ROBOTS_BYTES,
    MAX_ROBOTS_REDIRECTS,
    RobotsRules,
    parse_robots,
    robots_for_status,
)
from pagelet.sources.options import Limits

__all__ = ["Fetched", "HttpRequest", "Limits", "Loader", "Politeness", "Request", "fetch"]

Request = HttpRequest  #: former name, kept for users

HEADERS = {
    "User-Agent": DEFAULT_AGENT,
    "Accept": "text/html,application/xhtml+xml",
    "Accept-Encoding": ACCEPT_ENCODING,
}
CONNECTION_ERRORS = (httpcore.NetworkError, httpcore.ProtocolError, httpcore.ProxyError)
REQUEST_ERRORS = (httpx.HTTPError, httpx.InvalidURL, ValueError)

T = TypeVar("T")
Reader = Callable[[HttpRequest, httpx.Response, HostUsage], T]  #: turns a response into a result


def fetch(url: str, limits: Limits = Limits(), allow_private: tuple[str, ...] = ()) -> Fetched:
    """Fetch one page that a user names."""
    with Loader(limits, replace(SINGLE_PAGE, allow_private=allow_private)) as loader:
        return loader.load(url)


class Loader:
    """Loads pages, one at a time.

    While it is open it keeps cookies, the robots.txt of each site, and the usage of each host.
    With a cache, responses outlast it, and those that are still fresh cost nothing.
    """

    def __init__(
        self,
        limits: Limits = Limits(),
        politeness: Politeness = Politeness(),
        clock: Clock = Clock(),
        cache: Cache | None = None,
        identity: Identity = Identity(),
    ) -> None:
        self.limits, self.politeness, self.identity = limits, politeness, identity
        self._clock, self._deadline = clock, Deadline(clock)
        self._usage: dict[str, HostUsage] = defaultdict(lambda: HostUsage(delay=politeness.delay))
        self._robots: dict[str, RobotsRules] = {}
        allow_list = AllowList(politeness.allow_private)
        network = CheckedTransport(self._deadline, allow_list)
        transport: httpx.BaseTransport = network
        if cache is not None and not identity.private_headers:  # what one user sees is not kept
            from pagelet.sources.http.cache_store import open_cache  # noqa: PLC0415 - uses hishel

            transport = open_cache(cache, network, allow_list)
        self._has_cache = transport is not network
        self._credentials: dict[str, tuple[str, str]] = {}  # by origin
        self._client = httpx.Client(
            headers=HEADERS | {"User-Agent": identity.user_agent},
            transport=transport,
            trust_env=False,
            cookies=make_cookie_jar(),
        )
        self._named = httpx.URL()  # address that a user named; its server gets the user's headers

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections and drop the cookies."""
        self._client.close()

    def load(self, request: HttpRequest | str, types: Collection[str] = HTML_TYPES) -> Fetched:
        """Load a page, through redirects that stay in scope, all within one time limit.

        A response whose content type is not among `types` is refused.
        """
        read = partial(self._read_page, types=types)
        current = HttpRequest(request) if isinstance(request, str) else request
        current = replace(current, url=self.take_credentials(current.url))
        start, chain = web_address(current.url), list[str]()
        self._named = start
        with self._deadline.within(self.limits.timeout):
            for _ in range(self.limits.redirects + 1):
                result = self._from_cache(current, read)
                if result is None:
                    self._check_robots(current.url)
                    result = self._exchange(current, read, pages=1)
                if isinstance(result, Fetched):
                    return replace(result, redirects=tuple(chain))
                chain.append(current.url)
                if not in_scope(web_address(result.url).host, start.host, self.politeness.scope):
                    raise OutOfScope(current.url, result.url)
                current = replace(result, url=strip_credentials(result.url))
        why = (
            f"more than {self.limits.redirects} redirects; the site sends its visitors in a circle"
        )
        raise Unreachable(str(start), why)

    def take_credentials(self, address: str) -> str:
        """An address without user name and password, which are sent to its origin from now on."""
        url = web_address(address)
        if not url.userinfo:
            return address
        bare = without_credentials(url)
        self._credentials[_origin(bare)] = (url.username, url.password)
        return str(bare)

    def _read_page(
        self,
        request: HttpRequest,
        response: httpx.Response,
        usage: HostUsage,
        *,
        types: Collection[str],
    ) -> Fetched | HttpRequest:
        """The page, or the request that a redirect leads to."""
        if (redirect := redirect_of(request, response)) is not None:
            return redirect
        check_response(response, types)
        body = read_body(response, usage, self.politeness, self.limits.max_bytes)
        return Fetched(str(response.url), body, response.charset_encoding, response.status_code)

    # -- one request --------------------------------------------------------------------------

    def _from_cache(self, request: HttpRequest, read: Reader[T]) -> T | None:
        """The result from a fresh cache entry; None when a request must be sent."""
        if not self._has_cache or request.method != "GET":
            return None
        try:
            with self._send(request, only_if_cached=True) as response:
                return read(request, response, HostUsage())
        except (CacheMiss, *REQUEST_ERRORS):  # an error is raised again by the real request
            return None

    def _exchange(self, request: HttpRequest, read: Reader[T], pages: int = 0) -> T:
        """Send a request in its turn, with retries, and read the response."""
        usage = self._usage[web_address(request.url).host]
        for attempt in count():
            self._wait_for_turn(usage, request.url)
            usage.pages += pages
            try:
                with self._charge(usage, request.url), self._send(request) as response:
                    wait = self._retry_wait(request, response, usage, attempt)
                    if wait is None:
                        charged = HostUsage() if is_from_cache(response) else usage
                        return read(request, response, charged)
            except CONNECTION_ERRORS as error:
                if attempt >= self.politeness.retries or not _is_repeatable(request, error):
                    raise _unreachable(request.url, error) from error
                wait = back_off(attempt)
            usage.ready = max(usage.ready, self._clock.now() + wait)
        raise AssertionError("counting has no end")

    def _wait_for_turn(self, usage: HostUsage, url: str) -> None:
        """Wait until the next request to the host is due, if its budgets allow that."""
        wait = max(usage.ready - self._clock.now(), 0.0)
        usage.check(url, self.politeness, wait)
        if wait:
            self._deadline.wait(wait)
            usage.seconds += wait

    @contextmanager
    def _charge(self, usage: HostUsage, url: str) -> Iterator[None]:
        """Charge the time of a request to its host; raise its errors as those of pagelet."""
        started = self._clock.now()
        try:
            with self._deadline.at_most(self.politeness.seconds - usage.seconds):
                yield
        except httpcore.TimeoutException as error:
            if usage.seconds + self._clock.now() - started >= self.politeness.seconds:
                raise BudgetSpent(url, "seconds", self.politeness.seconds) from error
            why = f"no complete response in {self.limits.timeout:g} s; raise --timeout"
            raise Unreachable(url, why) from error
        except REQUEST_ERRORS as error:
            raise _unreachable(url, error) from error
        finally:
            ended = self._clock.now()
            usage.seconds += ended - started
            usage.ready = max(usage.ready, ended + usage.delay)

    @contextmanager
    def _send(
        self, request: HttpRequest, *, only_if_cached: bool = False
    ) -> Iterator[httpx.Response]:
        """Send a request; the body of the response is still to be read."""
        headers = {} if request.content_type is None else {"Content-Type": request.content_type}
        headers |= self._private_headers(request.url)
        with self._client.stream(
            request.method,
            request.url,
            content=request.body,
            headers=headers,
            auth=self._credentials.get(_origin(web_address(request.url))),
            extensions={ONLY_IF_CACHED: only_if_cached},
        ) as response:
            yield response

    def _private_headers(self, url: str) -> dict[str, str]:
        """The user's own headers, for the server that the user named and over no weaker scheme."""
        address, named = web_address(url), self._named
        weaker = named.scheme == "https" and address.scheme == "http"
        if weaker or (address.host, address.port) != (named.host, named.port):
            return {}
        headers = dict(self.identity.private_headers)
        if own := headers.get("Cookie"):  # as a header of its own it would replace the jar's
            kept = self._client.build_request("GET", url).headers.get("cookie")
            headers["Cookie"] = f"{own}; {kept}" if kept else own
        return headers

    def _retry_wait(
        self, request: HttpRequest, response: httpx.Response, usage: HostUsage, attempt: int
    ) -> float | None:
        """Seconds before a retry; None when the response is to be used."""
        if response.status_code not in RETRY_STATUSES:
            return None
        retry_after = parse_retry_after(response.headers.get("retry-after")) or 0.0
        usage.ready = self._clock.now() + min(retry_after, MAX_WAIT_SECONDS)
        if attempt >= self.politeness.retries or request.method != "GET":
            return None
        return max(retry_after, back_off(attempt)) if retry_after <= MAX_WAIT_SECONDS else None

    # -- robots.txt ---------------------------------------------------------------------------

    def _check_robots(self, address: str) -> None:
        """Refuse an address that the robots.txt of its site does not allow."""
        if not self.politeness.robots:
            return
        rules = self.robots(address)
        if not rules.allow(str(web_address(address))):
            raise Disallowed(address, rules.refusal)

    def robots(self, address: str) -> RobotsRules:
        """The rules of the site that an address belongs to, loaded once."""
        url = web_address(address)
        site = _origin(url)
        if site not in self._robots:
            with self._deadline.within(self.limits.timeout):
                self._robots[site] = self._load_robots(f"{site}/robots.txt")
            usage = self._usage[url.host]
            usage.delay = max(usage.delay, self._robots[site].delay)
            usage.ready = max(usage.ready, self._clock.now() + usage.delay)
        return self._robots[site]

    def _load_robots(self, address: str) -> RobotsRules:
        current = HttpRequest(address)
        try:
            for _ in range(MAX_ROBOTS_REDIRECTS + 1):
                result = self._from_cache(current, self._read_robots)
                result = result or self._exchange(current, self._read_robots)
                if isinstance(result, RobotsRules):
                    return result
                current = result
        except BudgetSpent:
            raise
        except PageError as error:
            if isinstance(error, UnsafeAddress) and current.url == address:
                raise  # the page has the same host
            return RobotsRules(trouble=error.why)
        return ALLOW_ALL

    def _read_robots(
        self, request: HttpRequest, response: httpx.Response, usage: HostUsage
    ) -> RobotsRules | HttpRequest:
        """The rules in a response, or the request that a redirect leads to."""
        if (redirect := redirect_of(request, response)) is not None:
            return redirect
        if not response.is_success:
            return robots_for_status(response.status_code)
        body = bytearray()
        for piece in iter_body(response, usage, self.politeness, 2 * MAX_ROBOTS_BYTES):
            body += piece
            if len(body) > MAX_ROBOTS_BYTES:
                break
        return parse_robots(bytes(body), self.identity.product)


def _origin(url: httpx.URL) -> str:
    return f"{url.scheme}://{url.netloc.decode('ascii')}"


def _is_repeatable(request: HttpRequest, error: Exception) -> bool:
    """Whether a failed request may be sent again; a POST only if nothing of it was sent."""
    return request.method == "GET" or isinstance(error, httpcore.ConnectError)


def _unreachable(url: str, error: Exception) -> Unreachable:
    return Unreachable(url, f"{str(error) or type(error).__name__}; check the address")
