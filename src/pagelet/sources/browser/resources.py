"""Resources that a page requests while it is drawn: from its folder, or from checked addresses.

The browser itself has no access to the network, see `process`. Its requests are served from here.
"""

import threading
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httpcore
import httpx

from pagelet.errors import PageError, Unreachable
from pagelet.sources.browser.document import LOCAL_HOST, Document, read_local
from pagelet.sources.http.addresses import AllowList
from pagelet.sources.http.loader import HEADERS
from pagelet.sources.http.messages import read_body, web_address
from pagelet.sources.http.network import CheckedTransport, Deadline
from pagelet.sources.http.politeness import Clock, HostUsage, Politeness
from pagelet.sources.limits import Limits

MAX_REQUESTS = 500  #: requests of one page
MAX_PAGE_BYTES = 200_000_000  #: decoded bytes of all resources of a page
MAX_RESOURCE_BYTES = 50_000_000  #: decoded bytes of one resource
HEADERS_PASSED = ("content-type", "content-security-policy", "content-language")
CORS_PREFIX = "access-control-"  #: prefix of CORS headers, which are passed on


@dataclass(frozen=True, slots=True)
class Resource:
    """A response for the browser."""

    body: bytes
    headers: dict[str, str]
    status: int = 200
    url: str = ""  #: address after redirects


class ResourceRefused(PageError):
    """A page may not load a resource."""


@dataclass(slots=True)
class ResourceUsage:
    """Requests and bytes of one page so far."""

    requests: int = 0
    size: int = 0  #: bytes
    lock: threading.Lock = field(default_factory=threading.Lock)

    def count_request(self, url: str) -> None:
        """Count a request; refuse it when there were too many."""
        with self.lock:
            self.requests += 1
            if self.requests > MAX_REQUESTS or self.size > MAX_PAGE_BYTES:
                raise ResourceRefused(url, "the page requested too much")

    def count_body(self, body: bytes) -> None:
        """Count the bytes of a body."""
        with self.lock:
            self.size += len(body)


class ResourceLoader:
    """Loads the resources of one page, from any thread."""

    def __init__(self, document: Document, allow_private: tuple[str, ...], limits: Limits) -> None:
        self._document, self._limits = document, limits
        self._allow_list, self._usage = AllowList(allow_private), ResourceUsage()
        self._own, self._clients = threading.local(), list[httpx.Client]()

    def close(self) -> None:
        """Close all connections."""
        for client in self._clients:
            client.close()

    def get(self, url: str, accept: str = "*/*") -> Resource:
        """Load the resource at an address; PageError when the page may not have it."""
        self._usage.count_request(url)
        resource = self._from_folder(url)
        if resource is None and not self._document.network:
            raise ResourceRefused(url, "the network is off")
        if resource is None:
            resource = self._from_web(url, accept)
        self._usage.count_body(resource.body)
        return resource

    def _from_folder(self, url: str) -> Resource | None:
        folder = self._document.folder
        if folder is None or urlsplit(url).hostname != LOCAL_HOST:
            return None
        file = read_local(folder, url, MAX_RESOURCE_BYTES)
        if file is None:
            raise ResourceRefused(url, "no such file")
        return Resource(file[0], {"content-type": file[1]}, url=url)

    def _from_web(self, url: str, accept: str) -> Resource:
        client, deadline = self._client()
        with deadline.within(self._limits.timeout):
            try:
                for _ in range(self._limits.redirects + 1):
                    web_address(url)
                    headers = {"Accept": accept}
                    with client.stream("GET", url, headers=headers) as response:
                        if response.next_request is None:
                            return _to_resource(response, url)
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
        """The client of this thread and its deadline."""
        if not hasattr(self._own, "client"):
            self._own.deadline = Deadline(Clock())
            transport = CheckedTransport(self._own.deadline, self._allow_list)
            self._own.client = httpx.Client(headers=HEADERS, transport=transport, trust_env=False)
            self._clients.append(self._own.client)
        return self._own.client, self._own.deadline


def _to_resource(response: httpx.Response, url: str) -> Resource:
    body = read_body(response, HostUsage(), Politeness(bytes=MAX_PAGE_BYTES), MAX_RESOURCE_BYTES)
    headers = {
        name: value
        for name, value in response.headers.items()
        if name in HEADERS_PASSED or name.startswith(CORS_PREFIX)
    }
    return Resource(body, headers, response.status_code, url)
