"""Whose request is next: clients take turns, so that none has to wait for all requests of another.

The client with the fewest requests being processed is next; among equals, the one whose last turn
is longest ago.
"""

import asyncio
from collections import Counter, deque

from pagelet.server.errors import HttpError


class Turns:
    """A number of slots, and the requests that wait for one; only the event loop uses it."""

    def __init__(self, slots: int) -> None:
        self.free = slots
        self.running: Counter[str] = Counter()  #: slots in use, by client
        self.waiting: dict[str, deque[asyncio.Future[None]]] = {}  #: by client, in order
        self.last: dict[str, int] = {}  #: number of the last turn of clients that are here
        self.assigned = 0  #: turns so far

    async def take(self, client: str, seconds: float) -> None:
        """Wait for a slot, at most so many seconds; 503 if none becomes free."""
        turn = asyncio.get_running_loop().create_future()
        self.waiting.setdefault(client, deque()).append(turn)
        self._assign()
        try:
            async with asyncio.timeout(seconds):
                await turn
        except BaseException as error:
            if not self._withdraw(client, turn):  # the slot came at the last moment
                self.release(client)
            if isinstance(error, TimeoutError):
                why = "no worker was free in time; try again later"
                raise HttpError(503, "Waited", why, 5) from None
            raise

    def release(self, client: str) -> None:
        """Give a slot back."""
        self.free += 1
        self.running[client] -= 1
        if not self.running[client]:
            del self.running[client]
        self._assign()
        self._forget(client)

    def _assign(self) -> None:
        while self.free and self.waiting:
            client = min(
                self.waiting, key=lambda each: (self.running[each], self.last.get(each, 0))
            )
            turn = self.waiting[client].popleft()
            if not self.waiting[client]:
                del self.waiting[client]
            self.free, self.assigned = self.free - 1, self.assigned + 1
            self.running[client] += 1
            self.last[client] = self.assigned
            turn.set_result(None)

    def _withdraw(self, client: str, turn: "asyncio.Future[None]") -> bool:
        """Remove a request that waits; false if it has got its slot already."""
        turns = self.waiting.get(client, deque())
        if turn not in turns:
            return False
        turns.remove(turn)
        if not turns:
            del self.waiting[client]
        self._forget(client)
        return True

    def _forget(self, client: str) -> None:
        """Forget the last turn of a client that has no more requests."""
        if client not in self.waiting and client not in self.running:
            self.last.pop(client, None)
