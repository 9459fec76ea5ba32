"""Bodies of requests: read up to a limit, within a time."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from pagelet.errors import PageTooLarge
from pagelet.server.refusals import Refusal, refusal_of

DRAINED = 4  #: times the limit that is read and thrown away, so that the refusal is heard


async def read_body(request: Any, limit: int, seconds: float) -> bytes:
    """The whole body."""
    try:
        async with asyncio.timeout(seconds):
            return await _read(request, limit)
    except TimeoutError:
        raise Refusal(408, "TooSlow", f"the body did not arrive in {seconds:g} s") from None


async def _read(request: Any, limit: int) -> bytes:
    pieces, size = list[bytes](), 0
    async for piece in request.stream():
        size += len(piece)
        if size <= limit:
            pieces.append(piece)
        else:
            pieces.clear()
        if size > limit * DRAINED:
            break
    if size > limit:
        raise refusal_of(PageTooLarge("the request", limit))
    return b"".join(pieces)


async def lines_of(request: Any, limit: int, seconds: float) -> AsyncIterator[bytes]:
    """The lines of a body, blank ones left out, as they arrive; each up to a limit."""
    stream, held = request.stream(), bytearray()
    while (piece := await _next(stream, seconds)) is not None:
        looked = len(held)
        held += piece
        end = held.rfind(b"\n", looked)
        if end >= 0:
            for line in bytes(held[:end]).split(b"\n"):
                if within(line, limit).strip():
                    yield line
            del held[: end + 1]
        within(held, limit)
    if held.strip():
        yield bytes(held)


def within(line: bytes | bytearray, limit: int) -> bytes | bytearray:
    """The line, unless it is too long."""
    if len(line) > limit:
        raise refusal_of(PageTooLarge("a line", limit))
    return line


async def _next(stream: Any, seconds: float) -> bytes | None:
    try:
        async with asyncio.timeout(seconds):
            piece: bytes | None = await anext(stream, None)
    except TimeoutError:
        raise Refusal(408, "TooSlow", f"no line arrived in {seconds:g} s") from None
    return piece
