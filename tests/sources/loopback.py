"""What every server that a test starts on this machine has."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeVar


@dataclass(frozen=True)
class Asked:
    """A request as the server saw it."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class Loopback(ThreadingHTTPServer):
    """A server on a free port, and what it was asked; `stop` is set when it ends."""

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.stop = threading.Event()
        self.asked: list[Any] = []  # Asked, or as a handler tells it

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self.server_port}"

    @property
    def url(self) -> str:
        return f"http://{self.place}"

    @property
    def paths(self) -> list[str]:
        return [asked.path for asked in self.asked]

    def handle_error(self, request: object, client_address: object) -> None:
        """The reader went away, as it should."""


Server = TypeVar("Server", bound=Loopback)


@contextmanager
def running(server: Server) -> Iterator[Server]:
    """The server while the block runs."""
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        server.stop.set()
        server.shutdown()
        thread.join()
        server.server_close()
