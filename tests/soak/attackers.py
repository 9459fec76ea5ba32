"""Clients that do harm to a service, in a process of their own: python attackers.py PORT ATTACK.

Each kind of attack has one address, and goes on until the process is ended. The process is nice:
it stands for other machines, and its own processor time shall not be counted as the service's.
"""

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress

HOST = "127.0.0.1"
PAGE = "<ul>" + "".join(f"<li><a href=/{n}>link {n}</a>" for n in range(20_000))
BODY = json.dumps({"html": PAGE}).encode()
RETRY_SECONDS = 0.5  #: time after which an attacker that was sent away comes back

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Attack = Callable[[int, Connection], Awaitable[None]]


def head(port: int, path: str, length: int, kind: str = "application/json") -> bytes:
    lines = f"POST {path} HTTP/1.1", f"host: {HOST}:{port}", f"content-type: {kind}"
    return "\r\n".join((*lines, f"content-length: {length}", "", "")).encode()


async def trickle(connection: Connection, piece: bytes) -> None:
    """Send a piece from time to time, for as long as the service takes it."""
    reader, writer = connection
    reading = asyncio.create_task(reader.read())
    while not reading.done():
        writer.write(piece)
        await asyncio.wait([reading], timeout=1)
    reading.exception()  # the service may have reset the connection


async def send_head(port: int, connection: Connection) -> None:
    """A head that never ends."""
    connection[1].write(b"GET / HTTP/1.1\r\n")
    await trickle(connection, b"x: y\r\n")


async def send_batch(port: int, connection: Connection) -> None:
    """A batch whose first line never ends."""
    connection[1].write(head(port, "/v1/menu/batch", 10**9, "application/x-ndjson"))
    await trickle(connection, b" ")


async def send_body(port: int, connection: Connection) -> None:
    """A large body that stops short of its end."""
    writer, size = connection[1], 12_000_000
    writer.write(head(port, "/v1/content", size))
    for _ in range(size // 100_000 - 1):
        writer.write(b" " * 100_000)
        await writer.drain()
        await asyncio.sleep(0.005)
    await trickle(connection, b" ")


async def leave(port: int, connection: Connection) -> None:
    """A request that takes long, whose client does not wait for the answer."""
    connection[1].write(head(port, "/v1/inspect", len(BODY)) + BODY)
    await connection[1].drain()
    await asyncio.sleep(1)


#: number of connections, address, and what is done with each
ATTACKS: dict[str, tuple[int, str, Attack]] = {
    "heads": (1005, "127.0.0.2", send_head),
    "batches": (66, "127.0.0.3", send_batch),
    "bodies": (120, "127.0.0.4", send_body),
    "leavers": (40, "127.0.0.5", leave),
}


async def repeat(port: int, address: str, attack: Attack, began: asyncio.Event) -> None:
    while True:
        with suppress(OSError):
            connection = await asyncio.open_connection(HOST, port, local_addr=(address, 0))
            began.set()
            try:
                await attack(port, connection)
            finally:
                connection[1].close()
        began.set()
        await asyncio.sleep(RETRY_SECONDS)


async def run(port: int, names: list[str]) -> None:
    began, tasks = [], []
    for count, address, attack in (ATTACKS[name] for name in names):
        for _ in range(count):
            began.append(asyncio.Event())
            tasks.append(asyncio.create_task(repeat(port, address, attack, began[-1])))
    await asyncio.gather(*(each.wait() for each in began))
    print("begun", flush=True)
    await asyncio.gather(*tasks)


if __name__ == "__main__":
    os.nice(19)
    chosen = list(ATTACKS) if sys.argv[2] == "all" else [sys.argv[2]]
    asyncio.run(run(int(sys.argv[1]), chosen))
