"""How much of the service its clients may take: places in the queue and bytes in memory.

All clients together have a limit, and so has each client address, which can only take a share of
it. Whoever would exceed a limit is told to try again later (429).
"""

import ipaddress
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pagelet.server.errors import HttpError
from pagelet.server.settings import Settings

IPV6_PREFIX_BITS = 64  #: IPv6 addresses that share so many bits belong to one client
REPLIES_PER_SECOND = 50  #: rate at which one worker is expected to empty the queue


def client_key(address: str) -> str:
    """The client that an address belongs to: an IPv4 address or an IPv6 network."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, IPV6_PREFIX_BITS), strict=False))


@dataclass(slots=True)
class Usage:
    """What one client takes."""

    places: int = 0  #: places in the queue
    held: int = 0  #: bytes of request bodies in memory
    open: int = 0  #: requests being read or answered


class Admission:
    """Counts what clients take, and refuses what is too much; only the event loop uses it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.inside = 0  #: requests and lines of batches, waiting or being processed
        self.places = 0  #: places in the queue that are taken
        self.held = 0  #: bytes of request bodies in memory
        self.clients: dict[str, Usage] = {}  #: clients with open requests
        #: makes room for a client that has so many places, at the cost of one that has more
        self.make_room: Callable[[int], bool] = lambda _places: False
        #: bytes of answers that clients have not read yet, of one client or (None) of all
        self.unsent: Callable[[str | None], int] = lambda _client: 0

    @property
    def held_bytes(self) -> int:
        """Bytes of requests and of unread answers in memory."""
        return self.held + self.unsent(None)

    @contextmanager
    def open_request(self, client: str) -> Iterator["HeldBytes"]:
        """Count the bytes of a request until it is answered."""
        usage = self.clients.setdefault(client, Usage())
        usage.open += 1
        held = HeldBytes(self, client)
        try:
            yield held
        finally:
            held.remove(held.size)
            usage.open -= 1
            if not usage.open:
                del self.clients[client]

    @contextmanager
    def place(self, client: str) -> Iterator[None]:
        """A place in the queue; 429 if there is none, unless another client has more of them."""
        usage = self.clients[client]
        if usage.places >= self.settings.max_client_requests:
            raise self.busy("too many of your requests are waiting")
        if self.places >= self.settings.max_requests and not self.make_room(usage.places):
            raise self.busy("too many requests are waiting")
        self.places, usage.places = self.places + 1, usage.places + 1
        try:
            with self.count():
                yield
        finally:
            self.places, usage.places = self.places - 1, usage.places - 1

    @contextmanager
    def count(self) -> Iterator[None]:
        """Count a request or a line of a batch while it waits or is processed."""
        self.inside += 1
        try:
            yield
        finally:
            self.inside -= 1

    def add_bytes(self, client: str, size: int) -> None:
        """Count bytes that have arrived; 429 if they are too many."""
        usage, settings = self.clients[client], self.settings
        if usage.held + self.unsent(client) + size > settings.max_client_bytes:
            raise self.busy("too many bytes of your requests are in memory")
        if self.held_bytes + size > settings.max_held_bytes:
            raise self.busy("too many bytes of requests are in memory")
        self.held, usage.held = self.held + size, usage.held + size

    def remove_bytes(self, client: str, size: int) -> None:
        """Count bytes that are no longer in memory."""
        usage = self.clients[client]
        self.held, usage.held = self.held - size, usage.held - size

    def busy(self, why: str) -> HttpError:
        """The error for a client that has to try again later."""
        rate = self.settings.worker_count * REPLIES_PER_SECOND
        seconds = max(1, math.ceil(self.settings.max_waiting / rate))
        return HttpError(429, "Busy", f"{why}; try again later", seconds)


@dataclass(slots=True)
class HeldBytes:
    """The bytes of one request that are in memory."""

    admission: Admission
    client: str
    size: int = 0

    def add(self, size: int) -> None:
        """Count bytes that have arrived; 429 if they are too many."""
        self.admission.add_bytes(self.client, size)
        self.size += size

    def remove(self, size: int) -> None:
        """Count bytes that are no longer needed."""
        self.admission.remove_bytes(self.client, size)
        self.size -= size
