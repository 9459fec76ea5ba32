"""Connections to checked addresses only, under one deadline, through a proxy if one is set.

httpx has no hook below its transport, so the connection pools of httpcore are used, which have one.
"""

import ssl
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from math import inf
from typing import Any
from urllib.request import getproxies, proxy_bypass

import httpcore
import httpx

from pagelet.errors import Unreachable, UnsafeAddress
from pagelet.sources.http.addresses import AllowList
from pagelet.sources.http.politeness import Clock

SEND_BYTES = 65_536  #: most bytes sent between two checks of the deadline
PORTS = {"http": 80, "https": 443}


class Deadline:
    """Seconds left for a response; polite waiting does not count."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._ends = clock, inf

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Give the block some seconds; the time left outside does not change."""
        outside = self._ends - self._clock.now()
        self._ends = self._clock.now() + seconds
        try:
            yield
        finally:
            self._ends = self._clock.now() + outside

    @contextmanager
    def at_most(self, seconds: float) -> Iterator[None]:
        """Give the block some seconds, or the time left if that is less."""
        before = self._ends
        self._ends = min(before, self._clock.now() + seconds)
        try:
            yield
        finally:
            self._ends = before

    def wait(self, seconds: float) -> None:
        """Sleep without using up the time left."""
        self._clock.sleep(seconds)
        self._ends += seconds

    def left(self) -> float:
        """Seconds left; an error when there are none."""
        left = self._ends - self._clock.now()
        if left <= 0:
            raise httpcore.ReadTimeout("no time is left")
        return left


class DeadlineStream(httpcore.NetworkStream):
    """A connection whose reads and writes end at the deadline."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._stream, self._deadline = stream, deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002
        """Read some bytes."""
        return self._stream.read(max_bytes, self._seconds())

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002
        """Send all bytes, a part at a time."""
        for start in range(0, len(buffer), SEND_BYTES):
            self._stream.write(buffer[start : start + SEND_BYTES], self._seconds())

    def close(self) -> None:
        """Close the connection."""
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002
    ) -> httpcore.NetworkStream:
        """Encrypt the connection; the certificate is checked against the name."""
        stream = self._stream.start_tls(ssl_context, server_hostname, self._seconds())
        return DeadlineStream(stream, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        """State of the connection for the pool, such as whether it is still open."""
        return self._stream.get_extra_info(info)

    def _seconds(self) -> float | None:
        left = self._deadline.left()
        return None if left == inf else left


class CheckedBackend(httpcore.NetworkBackend):
    """Opens connections; with an allow-list, to checked addresses only."""

    def __init__(self, deadline: Deadline, allow_list: AllowList | None) -> None:
        self._deadline, self._allow_list = deadline, allow_list
        self._system = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect to the first address that accepts, each given a fair share of the time."""
        addresses = [host]
        if self._allow_list is not None:
            addresses = self._allow_list.addresses(host, port, self._deadline.left())
        for more, address in zip(range(len(addresses) - 1, -1, -1), addresses, strict=True):
            share = self._deadline.left() / (more + 1)
            try:
                stream = self._system.connect_tcp(
                    address, port, share, local_address, socket_options
                )
                return DeadlineStream(stream, self._deadline)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                if not more:
                    raise
        raise httpcore.ConnectError("the host has no address")


class CheckedTransport(httpx.BaseTransport):
    """Sends the requests of an httpx client over checked connections.

    The time-outs of the client are not used: the deadline holds for the whole response.
    """

    def __init__(self, deadline: Deadline, allow_list: AllowList) -> None:
        self._deadline, self._allow_list = deadline, allow_list
        self._pools: dict[str | None, httpcore.ConnectionPool] = {}

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request; the caller reads the body of the response."""
        url = request.url
        target = httpcore.URL(
            scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
        )
        raw_request = httpcore.Request(
            request.method, target, headers=request.headers.raw, content=request.stream
        )
        try:
            response = self._pool_for(url).handle_request(raw_request)
        except (UnsafeAddress, Unreachable) as error:
            raise type(error)(str(url), error.why) from error
        return httpx.Response(
            response.status, headers=response.headers, stream=ResponseBody(response)
        )

    def close(self) -> None:
        """Close all connections."""
        for pool in self._pools.values():
            pool.close()

    def _pool_for(self, url: httpx.URL) -> httpcore.ConnectionPool:
        """The connections to use; a proxy resolves by itself, so the host is checked here."""
        host, port, proxy = url.raw_host.decode("ascii"), url.port or PORTS[url.scheme], None
        if not self._allow_list.includes(host, port):
            proxy = proxy_for(url.scheme, host, port)
        if proxy is not None:
            self._allow_list.addresses(host, port, self._deadline.left())
        if proxy not in self._pools:
            self._pools[proxy] = self._new_pool(proxy)
        return self._pools[proxy]

    def _new_pool(self, proxy: str | None) -> httpcore.ConnectionPool:
        if proxy is None:
            backend = CheckedBackend(self._deadline, self._allow_list)
            return httpcore.ConnectionPool(ssl_context=tls_context(), network_backend=backend)
        parsed = httpx.Proxy(proxy)
        if parsed.url.scheme not in PORTS:
            raise Unreachable(proxy, "the proxy that is set is neither http nor https; unset it")
        return httpcore.HTTPProxy(
            str(parsed.url),
            proxy_auth=parsed.raw_auth,
            ssl_context=tls_context(),
            network_backend=CheckedBackend(self._deadline, None),
        )


class ResponseBody(httpx.SyncByteStream):
    """The body of a response as it comes from the network."""

    def __init__(self, response: httpcore.Response) -> None:
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        return self._response.iter_stream()

    def close(self) -> None:
        """Close the response, read or not."""
        self._response.close()


@lru_cache(maxsize=1)
def tls_context() -> ssl.SSLContext:
    """The certificate checks; read once, since that takes longer than a small page."""
    return httpx.create_ssl_context()


def proxy_for(scheme: str, host: str, port: int) -> str | None:
    """The proxy that the environment sets for a host."""
    if proxy_bypass(f"{host}:{port}"):
        return None
    proxies = getproxies()
    return proxies.get(scheme) or proxies.get("all")
