"""Answers to what a page asks for while it is drawn: from its folder, or through checked loading.

The browser has no way to the network of its own, see browser_process. Whatever it asks for is
loaded here, from addresses that were checked, and handed to it.
"""

import threading
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httpcore
import httpx

from pagelet.errors import PageError, Unreachable
from pagelet.sources.browser.document import HOST, Document, local_file
from pagelet.sources.http.addresses import AllowList
from pagelet.sources.http.loader import HEADERS
from pagelet.sources.http.messages import ACCEPT_ENCODING, read_body, web_address
from pagelet.sources.http.network import CheckedTransport, Deadline
from pagelet.sources.http.politeness import Clock, HostUsage, Politeness
from pagelet.sources.limits import Limits

REQUESTS = 500  #: most things one page may ask for
BYTES = 200_000_000  #: most bytes of all of them, unpacked
EACH = 50_000_000  #: most bytes of one of them
KEPT = ("content-type", "content-security-policy", "content-language")
SHARED = "access-control-"  #: headers that say who may read an answer


@dataclass(frozen=True, slots=True)
class Answer:
    """What the browser is told."""

    body: bytes
    headers: dict[str, str]
    status: int = 200
    url: str = ""  #: after redirects


class Refused(PageError):
    """A page asked for something it may not have."""


@dataclass(slots=True)
class Spent:
    """What one page has asked for so far."""

    requests: int = 0
    size: int = 0  #: bytes
    lock: threading.Lock = field(default_factory=threading.Lock)

    def ask(self, url: str) -> None:
        """Count a request; refuse it when there were too many."""
        with self.lock:
            self.requests += 1
            if self.requests > REQUESTS or self.size > BYTES:
                raise Refused(url, "the page asked for too much")

    def take(self, body: bytes) -> None:
        """Count what was answered."""
        with self.lock:
            self.size += len(body)


class Answers:
    """Answers for one page; may be asked from several threads."""

    def __init__(self, document: Document, allow_private: tuple[str, ...], limits: Limits) -> None:
        self._document, self._limits = document, limits
        self._allow_list, self._spent = AllowList(allow_private), Spent()
        self._own, self._clients = threading.local(), list[httpx.Client]()

    def close(self) -> None:
        """End all connections."""
        for client in self._clients:
            client.close()

    def get(self, url: str, accept: str = "*/*") -> Answer:
        """What lies at an address; PageError when the page may not have it."""
        self._spent.ask(url)
        answer = self._from_folder(url)
        if answer is None and not self._document.network:
            raise Refused(url, "the network is off")
        if answer is None:
            answer = self._from_web(url, accept)
        self._spent.take(answer.body)
        return answer

    def _from_folder(self, url: str) -> Answer | None:
        folder = self._document.folder
        if folder is None or urlsplit(url).hostname != HOST:
            return None
        found = local_file(folder, url, EACH)
        if found is None:
            raise Refused(url, "no such file")
        return Answer(found[0], {"content-type": found[1]}, url=url)

    def _from_web(self, url: str, accept: str) -> Answer:
        client, deadline = self._client()
        with deadline.within(self._limits.timeout):
            try:
                for _ in range(self._limits.redirects + 1):
                    web_address(url)
                    headers = {"Accept": accept}
                    with client.stream("GET", url, headers=headers) as response:
                        if response.next_request is None:
                            return _answer(response, url)
                        url = str(response.next_request.url)
            except (
                httpcore.TimeoutException,
                httpcore.NetworkError,
                httpcore.ProtocolError,
                httpcore.ProxyError,
                httpx.HTTPError,
                httpx.InvalidURL,
                ValueError,
            ) as error:
                raise Unreachable(url, str(error) or type(error).__name__) from error
        raise Unreachable(url, "too many redirects")

    def _client(self) -> tuple[httpx.Client, Deadline]:
        """The connections of this thread and the deadline over them."""
        if not hasattr(self._own, "client"):
            self._own.deadline = Deadline(Clock())
            headers = {**HEADERS, "Accept-Encoding": ACCEPT_ENCODING}
            transport = CheckedTransport(self._own.deadline, self._allow_list)
            self._own.client = httpx.Client(headers=headers, transport=transport, trust_env=False)
            self._clients.append(self._own.client)
        return self._own.client, self._own.deadline


def _answer(response: httpx.Response, url: str) -> Answer:
    body = read_body(response, HostUsage(), Politeness(bytes=BYTES), EACH)
    headers = {
        name: value
        for name, value in response.headers.items()
        if name in KEPT or name.startswith(SHARED)
    }
    return Answer(body, headers, response.status_code, url)
