"""Connections: how many there may be, and which are closed because their client is too slow.

The HTTP library has no limit for the time in which a client sends the head of a request or reads
an answer, and does not count connections before their first request. All connections are looked at
a few times per second instead.
"""

import asyncio
import socket
import sys
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from pagelet.server.admission import client_key
from pagelet.server.settings import Settings

CHECK_SECONDS = 0.25  #: time between two looks at all connections
CLOSED_STATES = (7, 8)  #: states CLOSE and CLOSE_WAIT of a Linux TCP connection: the client left
REFUSAL = (
    b"HTTP/1.1 429 Too Many Requests\r\nconnection: close\r\nretry-after: 5\r\n"
    b"content-length: 0\r\n\r\n"
)


@dataclass(eq=False)
class ConnectionTable:
    """All open connections, and their number by client."""

    settings: Settings
    by_client: dict[str, set["LimitedProtocol"]] = field(default_factory=dict)
    closed: Counter[str] = field(default_factory=Counter)  #: connections given up, by reason
    checking: bool = False  #: whether the next look is scheduled

    @property
    def protocol(self) -> Any:
        """What the HTTP library calls for each new connection."""
        return partial(LimitedProtocol, table=self)

    def __len__(self) -> int:
        return sum(map(len, self.by_client.values()))

    def unsent(self, client: str | None) -> int:
        """Bytes of answers that a client, or all clients, have not read yet."""
        chosen = self.by_client.values() if client is None else [self.by_client.get(client, ())]
        return sum(each.transport.get_write_buffer_size() for group in chosen for each in group)

    def admit(self, connection: "LimitedProtocol") -> bool:
        """Add a connection, unless there are too many."""
        own = self.by_client.get(connection.client_key, ())
        if len(own) >= self.settings.max_client_connections:
            self.closed["too many of the client"] += 1
            return False
        if len(self) >= self.settings.max_connections:
            self.closed["too many"] += 1
            return False
        self.by_client.setdefault(connection.client_key, set()).add(connection)
        if not self.checking:
            self._schedule()
        return True

    def remove(self, connection: "LimitedProtocol") -> None:
        """Forget a connection that is closed."""
        group = self.by_client.get(connection.client_key, set())
        group.discard(connection)
        if not group:
            self.by_client.pop(connection.client_key, None)

    def _schedule(self) -> None:
        self.checking = bool(self.by_client)
        if self.checking:
            asyncio.get_running_loop().call_later(CHECK_SECONDS, self._check)

    def _check(self) -> None:
        now = asyncio.get_running_loop().time()
        for connection in [each for group in self.by_client.values() for each in group]:
            if reason := connection.find_fault(now):
                self.closed[reason] += 1
                connection.transport.abort()
        self._schedule()


class LimitedProtocol(H11Protocol):
    """One connection, with limits of time."""

    def __init__(self, *args: Any, table: ConnectionTable, **options: Any) -> None:
        super().__init__(*args, **options)
        self.table = table
        self.client_key = ""
        self.since = self.loop.time()  #: when the client was last waited for, or read something
        self.unsent = 0  #: bytes of an answer that the client had not read at the last look

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as in the base
        """Refuse a connection if there are too many."""
        super().connection_made(transport)
        self.client_key = client_key(self.client[0] if self.client else "")
        if not self.table.admit(self):
            transport.write(REFUSAL)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection; a request that is not reading notices it too."""
        self.table.remove(self)
        super().connection_lost(exc)
        scope: Any = self.scope  # None before the first request
        if scope is not None and (intake := scope["state"].get("intake")) is not None:
            intake.leave()

    def on_response_complete(self) -> None:
        """From now on the next head is waited for."""
        self.since = self.loop.time()
        super().on_response_complete()

    def find_fault(self, now: float) -> str:
        """Why the connection has to be closed; empty if it may stay."""
        unsent = self.transport.get_write_buffer_size()
        if unsent:
            stuck = self.unsent and unsent >= self.unsent
            self.since, self.unsent = self.since if stuck else now, unsent
            late = now - self.since > self.table.settings.body_timeout
            return "unread answer" if late else ""
        if self.unsent:
            self.since, self.unsent = now, 0
        cycle: Any = self.cycle  # None before the first request
        if cycle is not None and not cycle.response_complete:
            self.since = now  # the application limits the time of a request
            return "client left" if self.flow.read_paused and self._client_left() else ""
        late = now - self.since > self.table.settings.head_timeout
        return "unfinished head" if late else ""

    def _client_left(self) -> bool:
        """Whether the client has closed its side, behind data that are not read yet."""
        connection = self.transport.get_extra_info("socket")
        if sys.platform != "linux" or connection is None:
            return False
        state = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)
        return state[0] in CLOSED_STATES
