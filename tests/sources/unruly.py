"""A real server on this machine whose answers a test writes down, and a listener nobody may ask."""

import gzip
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler
from urllib.parse import urlsplit

from tests.sources.loopback import Asked, Loopback, running


@dataclass(frozen=True)
class Said:
    """An answer."""

    body: bytes
    headers: dict[str, str] = field(default_factory=dict)
    status: int = 200
    drips: bool = False  #: a byte at a time, without end


class Unruly(Loopback):
    """The server; an address with a query is answered like the one without, if need be."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(Handler)
        self.answers: dict[str, Said] = {}
        self.otherwise: Callable[[str], Said] = lambda path: Said(b"<p>Sorry", status=404)
        self.statuses: list[int] = []

    def says(
        self,
        path: str,
        body: str | bytes,
        headers: dict[str, str] | None = None,
        *,
        status: int = 200,
        packed: bool = False,
        drips: bool = False,
    ) -> None:
        """Have an address answered so."""
        data = body.encode() if isinstance(body, str) else body
        told = {"Content-Type": "text/html"} | (headers or {})
        if packed:
            data, told = gzip.compress(data), told | {"Content-Encoding": "gzip"}
        self.answers[path] = Said(data, told, status, drips)


class Handler(BaseHTTPRequestHandler):
    """Answers what was written down; 304 where the reader has that already."""

    server: Unruly

    def do_GET(self) -> None:
        server, path = self.server, urlsplit(self.path).path
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        server.asked.append(Asked(self.command, self.path, dict(self.headers), body))
        said = server.answers.get(self.path) or server.answers.get(path) or server.otherwise(path)
        headers = {
            name: value.format(now=formatdate(usegmt=True)) if value == "{now}" else value
            for name, value in said.headers.items()
        }
        etag = headers.get("ETag")
        unchanged = "If-Modified-Since" in self.headers
        if unchanged or (etag and self.headers.get("If-None-Match") == etag):
            self.answer(304, headers, b"")
        elif said.drips:
            self.answer(said.status, headers, None)
            while not server.stop.wait(0.02):
                self.wfile.write(b"x")
        else:
            self.answer(said.status, headers, said.body)

    do_POST = do_GET  # noqa: N815 - the name the library looks for

    def answer(self, status: int, headers: dict[str, str], body: bytes | None) -> None:
        self.server.statuses.append(status)
        self.send_response_only(status)
        if "Date" not in headers:
            self.send_header("Date", self.date_time_string())
        for name, value in headers.items():
            self.send_header(name, value)
        if body is not None and status != 304:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if body:
            self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def unruly() -> Iterator[Unruly]:
    with running(Unruly()) as server:
        yield server


@contextmanager
def forbidden() -> Iterator[tuple[str, Callable[[], bool]]]:
    """A place that listens, and a way to see whether anybody ever came."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)

        def visited() -> bool:
            try:
                listener.accept()[0].close()
            except BlockingIOError:
                return False
            return True

        yield f"127.0.0.1:{listener.getsockname()[1]}", visited
