"""Servers on the loopback address that tests start."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeVar


@dataclass(frozen=True)
class ReceivedRequest:
    """A request as the server received it."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class Loopback(ThreadingHTTPServer):
    """A server on a free port with a list of its requests; `stop` is set when it ends."""

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.stop = threading.Event()
        self.requests: list[Any] = []  # ReceivedRequest, or paths

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self.server_port}"

    @property
    def url(self) -> str:
        return f"http://{self.place}"

    @property
    def paths(self) -> list[str]:
        return [request.path for request in self.requests]

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore clients that closed the connection."""


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
