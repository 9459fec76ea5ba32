"""Whose request is next: clients take turns, so that none has to wait for all requests of another.

The client with the fewest requests being processed is next; among equals, the one that has had the
least time of the workers. Time is counted as in start-time fair queueing (Goyal, Vin, Cheng, 1996):
who arrives begins at the virtual time of the turn assigned last, not at zero.
"""

import asyncio
from collections import Counter, deque

from pagelet.server.errors import HttpError

MAX_ACCOUNTS = 1_000  #: clients whose time is remembered while they have no request


class Turns:
    """A number of slots, and the requests that wait for one; only the event loop uses it."""

    def __init__(self, slots: int) -> None:
        self.free = slots
        self.running: Counter[str] = Counter()  #: slots in use, by client
        self.waiting: dict[str, deque[asyncio.Future[None]]] = {}  #: by client, in order
        self.virtual = 0.0  #: virtual time, in seconds of work
        self.due: dict[str, float] = {}  #: virtual time up to which a client has had its share

    async def take(self, client: str, seconds: float) -> None:
        """Wait for a slot, at most so many seconds; 503 if none becomes free."""
        turn = asyncio.get_running_loop().create_future()
        self.waiting.setdefault(client, deque()).append(turn)
        self._assign()
        try:
            async with asyncio.timeout(seconds):
                await turn
        except BaseException as error:
            pushed_out = turn.done() and not turn.cancelled() and turn.exception() is not None
            if not self._withdraw(client, turn) and not pushed_out:  # the slot came just now
                self.release(client)
            if isinstance(error, TimeoutError):
                why = "no worker was free in time; try again later"
                raise HttpError(503, "Waited", why, 5) from None
            raise

    def release(self, client: str, seconds: float = 0.0) -> None:
        """Give a slot back that was used for so many seconds."""
        self.free += 1
        self.due[client] = max(self.due.get(client, 0.0), self.virtual) + seconds
        self.running[client] -= 1
        if not self.running[client]:
            del self.running[client]
        self._assign()
        if len(self.due) > MAX_ACCOUNTS:
            self.due = {each: due for each, due in self.due.items() if due > self.virtual}

    def _assign(self) -> None:
        while self.free and self.waiting:
            client = min(self.waiting, key=self._rank)
            turn = self.waiting[client].popleft()
            if not self.waiting[client]:
                del self.waiting[client]
            self.free -= 1
            self.running[client] += 1
            self.virtual = max(self.virtual, self.due.get(client, 0.0))
            turn.set_result(None)

    def _rank(self, client: str) -> tuple[int, float]:
        return self.running[client], max(self.due.get(client, 0.0), self.virtual)

    def push_out(self, places: int, error: Exception) -> bool:
        """Send the last request of the client with the most waiting ones away, if they are more.

        So a full queue is open to a client that has only so many places.
        """
        client = max(self.waiting, key=lambda each: len(self.waiting[each]), default="")
        if not client or len(self.waiting[client]) <= places + 1:
            return False
        self.waiting[client].pop().set_exception(error)
        return True

    def _withdraw(self, client: str, turn: "asyncio.Future[None]") -> bool:
        """Remove a request that waits; false if it has got its slot already."""
        turns = self.waiting.get(client, deque())
        if turn not in turns:
            return False
        turns.remove(turn)
        if not turns:
            del self.waiting[client]
        return True
