"""Pages over HTTP: politely, within limits, from public addresses only.

The rules are written down in docs/loading.md.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
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
from pagelet.sources.http import robots
from pagelet.sources.http.addresses import Admission
from pagelet.sources.http.answers import (
    ACCEPTED,
    Fetched,
    Request,
    body_of,
    check,
    following,
    pieces_of,
    web_address,
)
from pagelet.sources.http.cache import ONLY_KEPT, Cache, NotKept, was_kept
from pagelet.sources.http.network import Transport, Watch
from pagelet.sources.http.politeness import (
    AGAIN,
    LONGEST_WAIT,
    NAMED,
    Clock,
    Host,
    Politeness,
    asked_wait,
    back_off,
    in_scope,
)
from pagelet.sources.limits import Limits

__all__ = ["Fetched", "Limits", "Loader", "Politeness", "Request", "fetch"]

HEADERS = {
    "User-Agent": f"{robots.AGENT}/0.1",
    "Accept": "text/html,application/xhtml+xml",
    "Accept-Encoding": ACCEPTED,
}
BROKEN = (httpcore.NetworkError, httpcore.ProtocolError, httpcore.ProxyError)
MISTAKEN = (httpx.HTTPError, httpx.InvalidURL, ValueError)

T = TypeVar("T")
Read = Callable[[Request, httpx.Response, Host], T]  #: what is made of an answer


def fetch(url: str, limits: Limits = Limits(), allow_private: tuple[str, ...] = ()) -> Fetched:
    """Fetch one page that a user names."""
    with Loader(limits, replace(NAMED, allow_private=allow_private)) as loader:
        return loader.load(url)


class Loader:
    """Loads pages, one at a time.

    While it is open it keeps cookies, the robots.txt of each site, and what each host has cost.
    With a cache, answers outlast it, and those that are still fresh cost nothing.
    """

    def __init__(
        self,
        limits: Limits = Limits(),
        politeness: Politeness = Politeness(),
        clock: Clock = Clock(),
        cache: Cache | None = None,
    ) -> None:
        self.limits, self.politeness = limits, politeness
        self._clock, self._watch = clock, Watch(clock)
        self._hosts: dict[str, Host] = defaultdict(lambda: Host(delay=politeness.delay))
        self._rules: dict[str, robots.Rules] = {}
        admission = Admission(politeness.allow_private)
        network = Transport(self._watch, admission)
        keeper = None if cache is None else cache.over(network, admission)
        self._keeps = keeper is not None
        self._client = httpx.Client(headers=HEADERS, transport=keeper or network, trust_env=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all connections and forget the cookies."""
        self._client.close()

    def load(self, request: Request | str) -> Fetched:
        """Load a page, through redirects that stay in scope, all within one time limit."""
        asked = Request(request) if isinstance(request, str) else request
        start, chain = web_address(asked.url), list[str]()
        with self._watch.allow(self.limits.timeout):
            for _ in range(self.limits.redirects + 1):
                answer = self._kept(asked, self._page)
                if answer is None:
                    self._ask_robots(asked.url)
                    answer = self._exchange(asked, self._page, pages=1)
                if isinstance(answer, Fetched):
                    return replace(answer, redirects=tuple(chain))
                chain.append(asked.url)
                if not in_scope(web_address(answer.url).host, start.host, self.politeness.scope):
                    raise OutOfScope(asked.url, answer.url)
                asked = answer
        why = (
            f"more than {self.limits.redirects} redirects; the site sends its visitors in a circle"
        )
        raise Unreachable(str(start), why)

    def _page(self, request: Request, response: httpx.Response, host: Host) -> Fetched | Request:
        """The page, or where a redirect leads."""
        if (onward := following(request, response)) is not None:
            return onward
        check(response)
        body = body_of(response, host, self.politeness, self.limits.max_bytes)
        return Fetched(str(response.url), body, response.charset_encoding, response.status_code)

    # -- one request --------------------------------------------------------------------------

    def _kept(self, request: Request, read: Read[T]) -> T | None:
        """What the cache may answer by itself; None when the server is to be asked."""
        if not self._keeps or request.method != "GET":
            return None
        try:
            with self._sent(request, only_kept=True) as response:
                return read(request, response, Host())
        except (NotKept, *MISTAKEN):  # a mistake is made again, and told, when the server is asked
            return None

    def _exchange(self, request: Request, read: Read[T], pages: int = 0) -> T:
        """Send a request when it is its turn, again if that may help, and read the answer."""
        host = self._hosts[web_address(request.url).host]
        for attempt in count():
            self._take_turn(host, request.url)
            host.pages += pages
            try:
                with self._charged(host, request.url), self._sent(request) as response:
                    wait = self._wait(request, response, host, attempt)
                    if wait is None:
                        return read(request, response, Host() if was_kept(response) else host)
            except BROKEN as error:
                if attempt >= self.politeness.retries or not _may_repeat(request, error):
                    raise _unreachable(request.url, error) from error
                wait = back_off(attempt)
            host.ready = max(host.ready, self._clock.now() + wait)
        raise AssertionError("counting has no end")

    def _take_turn(self, host: Host, url: str) -> None:
        """Wait until the host may be asked again, if its budgets allow that."""
        wait = max(host.ready - self._clock.now(), 0.0)
        host.check(url, self.politeness, wait)
        if wait:
            self._watch.wait(wait)
            host.seconds += wait

    @contextmanager
    def _charged(self, host: Host, url: str) -> Iterator[None]:
        """Charge the time of a request to its host; mistakes and time-outs become our errors."""
        started = self._clock.now()
        try:
            with self._watch.at_most(self.politeness.seconds - host.seconds):
                yield
        except httpcore.TimeoutException as error:
            if host.seconds + self._clock.now() - started >= self.politeness.seconds:
                raise BudgetSpent(url, "seconds", self.politeness.seconds) from error
            why = f"no whole answer in {self.limits.timeout:g} s; raise --timeout"
            raise Unreachable(url, why) from error
        except MISTAKEN as error:
            raise _unreachable(url, error) from error
        finally:
            ended = self._clock.now()
            host.seconds += ended - started
            host.ready = max(host.ready, ended + host.delay)

    @contextmanager
    def _sent(self, request: Request, *, only_kept: bool = False) -> Iterator[httpx.Response]:
        """The answer to a request, whose body is still to be read."""
        kind = {} if request.content_type is None else {"Content-Type": request.content_type}
        told = {ONLY_KEPT: only_kept}
        with self._client.stream(
            request.method, request.url, content=request.body, headers=kind, extensions=told
        ) as response:
            yield response

    def _wait(
        self, request: Request, response: httpx.Response, host: Host, attempt: int
    ) -> float | None:
        """Seconds after which a request is sent again; None when its answer is to be taken."""
        if response.status_code not in AGAIN:
            return None
        asked = asked_wait(response.headers.get("retry-after")) or 0.0
        host.ready = self._clock.now() + min(asked, LONGEST_WAIT)
        again = attempt < self.politeness.retries and request.method == "GET"
        return max(asked, back_off(attempt)) if again and asked <= LONGEST_WAIT else None

    # -- robots.txt ---------------------------------------------------------------------------

    def _ask_robots(self, address: str) -> None:
        """Refuse an address that the robots.txt of its site does not allow."""
        if not self.politeness.robots:
            return
        url = web_address(address)
        site = f"{url.scheme}://{url.netloc.decode('ascii')}"
        if site not in self._rules:
            with self._watch.allow(self.limits.timeout):
                self._rules[site] = self._rules_at(f"{site}/robots.txt")
            host = self._hosts[url.host]
            host.delay = max(host.delay, self._rules[site].delay)
            host.ready = max(host.ready, self._clock.now() + host.delay)
        if not self._rules[site].allow(str(url)):
            raise Disallowed(address, self._rules[site].refusal)

    def _rules_at(self, address: str) -> robots.Rules:
        asked = Request(address)
        try:
            for _ in range(robots.REDIRECTS + 1):
                answer = self._kept(asked, self._read_rules)
                answer = answer or self._exchange(asked, self._read_rules)
                if isinstance(answer, robots.Rules):
                    return answer
                asked = answer
        except BudgetSpent:
            raise
        except PageError as error:
            if isinstance(error, UnsafeAddress) and asked.url == address:
                raise  # the page lies there too
            return robots.Rules(trouble=error.why)
        return robots.EVERYTHING

    def _read_rules(
        self, request: Request, response: httpx.Response, host: Host
    ) -> robots.Rules | Request:
        """The rules of an answer, or where a redirect leads."""
        if (onward := following(request, response)) is not None:
            return onward
        if not response.is_success:
            return robots.of_status(response.status_code)
        body = bytearray()
        for piece in pieces_of(response, host, self.politeness, 2 * robots.MAX_BYTES):
            body += piece
            if len(body) > robots.MAX_BYTES:
                break
        return robots.read(bytes(body))


def _may_repeat(request: Request, error: Exception) -> bool:
    """Whether a broken request may be sent again; a POST only if nothing of it was sent."""
    return request.method == "GET" or isinstance(error, httpcore.ConnectError)


def _unreachable(url: str, error: Exception) -> Unreachable:
    return Unreachable(url, f"{str(error) or type(error).__name__}; check the address")
