"""The body of a request on its way in: limited in bytes and time, and counted while it is held.

It stands between the HTTP library and the application, so that the limits hold for every route.
Once the body is read, it waits for the client to leave, and then cancels the request.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from starlette.requests import ClientDisconnect

from pagelet.errors import PageTooLarge
from pagelet.server.admission import HeldBytes
from pagelet.server.errors import HttpError, http_error
from pagelet.server.settings import Settings

DRAIN_FACTOR = 4  #: how many times the limit is read and dropped, so that the client sees the error
BUSY_DRAIN_BYTES = 100_000  #: bytes that are read and dropped when the service is busy
EMPTY = {"type": "http.request", "body": b"", "more_body": False}
DISCONNECT = {"type": "http.disconnect"}

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Any]]


class Intake:
    """Receives the body of one request, in the task that answers it."""

    def __init__(
        self, receive: Receive, held: HeldBytes, settings: Settings, headers: dict[str, str]
    ) -> None:
        self._receive, self.held, self.settings = receive, held, settings
        self.limit = settings.max_bytes
        self.seconds = settings.body_timeout  #: time that the client has left
        self.size = 0  #: bytes so far
        self.answered = False  #: whether the whole answer has been sent
        self.abandoned = False  #: whether the client left before that
        self._left = asyncio.Event()  #: the client has left, or has its answer
        self._task = asyncio.current_task()
        self._watcher: asyncio.Task[None] | None = None
        empty = headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers
        self._waiting: list[Message] = [EMPTY] if empty else []
        if empty:
            self._watch()

    async def receive(self) -> Message:
        """The next part of the body; after the last one, that the client has left."""
        if self._waiting:
            return self._waiting.pop()
        if self._watcher is not None or self._left.is_set():
            await self._left.wait()
            return DISCONNECT
        message = await self._next()
        if self.size > self.limit:
            await self._drain(message, self._too_large(), self.limit * DRAIN_FACTOR)
        if message["type"] == "http.request":
            try:
                self.held.add(len(message.get("body", b"")))
            except HttpError as error:
                await self._drain(message, error, self.size + BUSY_DRAIN_BYTES)
            if not message.get("more_body", False):
                self._watch()
        return message

    async def _next(self) -> Message:
        """The next message, within the time that the client has left."""
        loop = asyncio.get_running_loop()
        start = loop.time()
        try:
            async with asyncio.timeout(self.seconds):
                message: Message = await self._receive()
        except TimeoutError:
            if self.size > self.limit:
                raise self._too_large() from None
            limit = self.settings.body_timeout
            raise HttpError(408, "TooSlow", f"the body did not arrive in {limit:g} s") from None
        self.seconds -= loop.time() - start
        self.size += len(message.get("body", b""))
        if message["type"] == "http.disconnect":
            self.leave()
        return message

    async def _drain(self, message: Message, error: HttpError, most: int) -> None:
        """Read and drop the rest of a body that is refused, as far as that is reasonable.

        A connection that is closed before would be reset, and the client would not see why.
        """
        self.held.remove(self.held.size)
        while message.get("more_body", False) and self.size <= most:
            message = await self._next()
        raise error

    def _too_large(self) -> HttpError:
        return http_error(PageTooLarge("the request", self.limit))

    async def read_lines(self) -> AsyncIterator[tuple[bytes, int]]:
        """Yield lines that are not blank as they arrive, and the bytes to be released for each.

        The limits of bytes and time hold for each line instead of the whole body.
        """
        limit, self.limit = self.limit, sys.maxsize
        buffer, more = bytearray(), True
        while more:
            message = await self.receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnect
            piece, more = message.get("body", b""), message.get("more_body", False)
            self.held.remove(piece.count(b"\n"))
            searched = len(buffer)
            buffer += piece
            end = buffer.rfind(b"\n", searched) if more else len(buffer)
            if end >= 0:
                self.seconds = self.settings.body_timeout
                for line in bytes(buffer[:end]).split(b"\n"):
                    _check_length(len(line), limit)
                    if line.strip():
                        yield line, len(line)
                    else:
                        self.held.remove(len(line))
                del buffer[: end + 1]
            _check_length(len(buffer), limit)

    def _watch(self) -> None:
        """Wait for the client to leave, beside the task that answers."""
        self._watcher = asyncio.create_task(self._wait_for_disconnect())

    async def _wait_for_disconnect(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self.leave()

    def leave(self) -> None:
        """The client has left: cancel the task that answers it."""
        if self._left.is_set():
            return
        self._left.set()
        self.abandoned = not self.answered
        if self.abandoned and self._task not in (None, asyncio.current_task()):
            self._task.cancel()

    def close(self) -> None:
        """Stop waiting for the client to leave."""
        if self._watcher is not None:
            self._watcher.cancel()


def _check_length(length: int, limit: int) -> None:
    if length > limit:
        raise http_error(PageTooLarge("a line", limit))
