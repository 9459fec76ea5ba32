"""A server with responses given by a test, and a listener that must not be connected to."""

import gzip
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from urllib.parse import urlsplit

from tests.sources.loopback import Loopback, ReceivedRequest, running


@dataclass(frozen=True)
class CannedResponse:
    """A response."""

    body: bytes
    headers: dict[str, str] = field(default_factory=dict)
    status: int = 200
    drips: bool = False  #: whether the body comes byte by byte, without end


class Unruly(Loopback):
    """The server; an address with a query falls back to the one without."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(Handler)
        self.responses: dict[str, CannedResponse] = {}
        self.otherwise: Callable[[str], CannedResponse] = lambda path: CannedResponse(
            b"<p>Sorry", status=404
        )
        self.statuses: list[int] = []

    def serve(
        self,
        path: str,
        body: str | bytes,
        headers: dict[str, str] | None = None,
        *,
        status: int = 200,
        packed: bool = False,
        drips: bool = False,
    ) -> None:
        """Set the response of an address."""
        data = body.encode() if isinstance(body, str) else body
        sent = {"Content-Type": "text/html"} | (headers or {})
        if packed:
            data, sent = gzip.compress(data), sent | {"Content-Encoding": "gzip"}
        self.responses[path] = CannedResponse(data, sent, status, drips)


class Handler(BaseHTTPRequestHandler):
    """Sends the responses of the test; 304 where the client has them already."""

    server: Unruly

    def do_GET(self) -> None:
        server, path = self.server, urlsplit(self.path).path
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        server.requests.append(ReceivedRequest(self.command, self.path, dict(self.headers), body))
        response = (
            server.responses.get(self.path) or server.responses.get(path) or server.otherwise(path)
        )
        headers = response.headers
        etag = headers.get("ETag")
        unchanged = "If-Modified-Since" in self.headers
        if unchanged or (etag and self.headers.get("If-None-Match") == etag):
            self.respond(304, headers, b"")
        elif response.drips:
            self.respond(response.status, headers, None)
            while not server.stop.wait(0.02):
                self.wfile.write(b"x")
        else:
            self.respond(response.status, headers, response.body)

    do_POST = do_GET  # noqa: N815 - the name the library looks for

    def respond(self, status: int, headers: dict[str, str], body: bytes | None) -> None:
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
    """A listening address, and a check whether anything connected to it."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)

        def visited() -> bool:
            try:
                listener.accept()[0].close()
            except BlockingIOError:
                return False
            return True

        yield f"127.0.0.1:{listener.getsockname()[1]}", visited
