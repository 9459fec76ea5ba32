"""Connections to checked addresses only, all within one time limit, past a proxy where one is set.

httpx has no seam below its transport, so the pools of httpcore are used, which have one.
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
from pagelet.sources.http.addresses import Admission
from pagelet.sources.http.politeness import Clock

WRITTEN = 65_536  #: most bytes sent between two looks at the watch
PORTS = {"http": 80, "https": 443}


class Watch:
    """How many seconds are left for an answer; time that is waited away is not counted."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._ends = clock, inf

    @contextmanager
    def allow(self, seconds: float) -> Iterator[None]:
        """Give the block so many seconds; what was left outside is left after it."""
        outside = self._ends - self._clock.now()
        self._ends = self._clock.now() + seconds
        try:
            yield
        finally:
            self._ends = self._clock.now() + outside

    @contextmanager
    def at_most(self, seconds: float) -> Iterator[None]:
        """Give the block so many seconds, or what is left if that is less."""
        before = self._ends
        self._ends = min(before, self._clock.now() + seconds)
        try:
            yield
        finally:
            self._ends = before

    def wait(self, seconds: float) -> None:
        """Sleep without using up the time that is left."""
        self._clock.sleep(seconds)
        self._ends += seconds

    def left(self) -> float:
        """Seconds left; an error when there are none."""
        left = self._ends - self._clock.now()
        if left <= 0:
            raise httpcore.ReadTimeout("no time is left")
        return left


class WatchedStream(httpcore.NetworkStream):
    """A connection whose every read and write ends when the time is up."""

    def __init__(self, stream: httpcore.NetworkStream, watch: Watch) -> None:
        self._stream, self._watch = stream, watch

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002
        """Some bytes."""
        return self._stream.read(max_bytes, self._seconds())

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002
        """Send all bytes, a part at a time."""
        for start in range(0, len(buffer), WRITTEN):
            self._stream.write(buffer[start : start + WRITTEN], self._seconds())

    def close(self) -> None:
        """End the connection."""
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002
    ) -> httpcore.NetworkStream:
        """The same connection, encrypted; the certificate is checked against the name."""
        stream = self._stream.start_tls(ssl_context, server_hostname, self._seconds())
        return WatchedStream(stream, self._watch)

    def get_extra_info(self, info: str) -> Any:
        """What the pool asks of a connection, such as whether it is still open."""
        return self._stream.get_extra_info(info)

    def _seconds(self) -> float | None:
        left = self._watch.left()
        return None if left == inf else left


class Network(httpcore.NetworkBackend):
    """Makes connections; with an admission, to admitted addresses only."""

    def __init__(self, watch: Watch, admission: Admission | None) -> None:
        self._watch, self._admission, self._system = watch, admission, httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """A connection to the first address that answers, each given a fair share of the time."""
        found = [host]
        if self._admission is not None:
            found = self._admission.addresses(host, port, self._watch.left())
        for more, address in zip(range(len(found) - 1, -1, -1), found, strict=True):
            share = self._watch.left() / (more + 1)
            try:
                stream = self._system.connect_tcp(
                    address, port, share, local_address, socket_options
                )
                return WatchedStream(stream, self._watch)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                if not more:
                    raise
        raise httpcore.ConnectError("the host has no address")


class Transport(httpx.BaseTransport):
    """Sends requests of an httpx client over the connections made here.

    The time-outs of the client are not used: the watch has the whole answer in view.
    """

    def __init__(self, watch: Watch, admission: Admission) -> None:
        self._watch, self._admission = watch, admission
        self._pools: dict[str | None, httpcore.ConnectionPool] = {}

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request; the body of the answer is read by the caller."""
        url = request.url
        where = httpcore.URL(
            scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
        )
        asked = httpcore.Request(
            request.method, where, headers=request.headers.raw, content=request.stream
        )
        try:
            answer = self._pool_for(url).handle_request(asked)
        except (UnsafeAddress, Unreachable) as error:
            raise type(error)(str(url), error.why) from error
        return httpx.Response(answer.status, headers=answer.headers, stream=Body(answer))

    def close(self) -> None:
        """End all connections."""
        for pool in self._pools.values():
            pool.close()

    def _pool_for(self, url: httpx.URL) -> httpcore.ConnectionPool:
        """The connections to use; with a proxy, which resolves by itself, the host is checked."""
        host, port, proxy = url.raw_host.decode("ascii"), url.port or PORTS[url.scheme], None
        if not self._admission.named(host, port):
            proxy = proxy_for(url.scheme, host, port)
        if proxy is not None:
            self._admission.addresses(host, port, self._watch.left())
        if proxy not in self._pools:
            self._pools[proxy] = self._new_pool(proxy)
        return self._pools[proxy]

    def _new_pool(self, proxy: str | None) -> httpcore.ConnectionPool:
        if proxy is None:
            network = Network(self._watch, self._admission)
            return httpcore.ConnectionPool(ssl_context=tls(), network_backend=network)
        known = httpx.Proxy(proxy)
        if known.url.scheme not in PORTS:
            raise Unreachable(proxy, "the proxy that is set is neither http nor https; unset it")
        return httpcore.HTTPProxy(
            str(known.url),
            proxy_auth=known.raw_auth,
            ssl_context=tls(),
            network_backend=Network(self._watch, None),
        )


class Body(httpx.SyncByteStream):
    """The body of an answer, as it comes from the network."""

    def __init__(self, answer: httpcore.Response) -> None:
        self._answer = answer

    def __iter__(self) -> Iterator[bytes]:
        return self._answer.iter_stream()

    def close(self) -> None:
        """End the answer, read or not."""
        self._answer.close()


@lru_cache(maxsize=1)
def tls() -> ssl.SSLContext:
    """How certificates are checked; read once, since that takes longer than a small page."""
    return httpx.create_ssl_context()


def proxy_for(scheme: str, host: str, port: int) -> str | None:
    """The proxy that the environment names for a host."""
    if proxy_bypass(f"{host}:{port}"):
        return None
    named = getproxies()
    return named.get(scheme) or named.get("all")
