"""A server that misbehaves as its address says."""

import gzip
import ssl
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

from pagelet.sources.http.loader import Loader, Politeness
from pagelet.sources.http.politeness import Clock
from pagelet.sources.options import Limits
from tests.sources.loopback import Loopback, ReceivedRequest, running

RUSSIAN = "Привет, мир"
BLOCK = b"x" * 65_536


class Site(Loopback):
    """The server, its requests, and its robots.txt."""

    def __init__(self) -> None:
        super().__init__(Handler)
        self.failed: Counter[str] = Counter()
        self.robots = (404, b"")


class Handler(BaseHTTPRequestHandler):
    """Responds by path; the query has the details."""

    server: Site

    def do_GET(self) -> None:
        path, query = urlsplit(self.path).path, parse_qs(urlsplit(self.path).query)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.requests.append(
            ReceivedRequest(self.command, self.path, dict(self.headers), body)
        )
        name = path.strip("/").replace(".", "_") or "page"
        getattr(self, f"do_{name}")({name: values[0] for name, values in query.items()})

    do_POST = do_GET  # noqa: N815 - the name the library looks for

    def respond(self, body: bytes, status: int = 200, **headers: str) -> None:
        self.begin(status, Content_Length=str(len(body)), **headers)
        self.wfile.write(body)

    def begin(self, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def do_robots_txt(self, query: dict[str, str]) -> None:
        status, body = self.server.robots
        if status in (301, 302):
            self.respond(b"", status, Location=body.decode())
        else:
            self.respond(body, status, Content_Type="text/plain")

    def do_page(self, query: dict[str, str]) -> None:
        self.respond(
            b"<p>A page.</p>", **({"Content_Type": query["type"]} if "type" in query else {})
        )

    def do_charset(self, query: dict[str, str]) -> None:
        self.respond(RUSSIAN.encode("koi8-r"), Content_Type=f"text/html; charset={query['is']}")

    def do_utf8(self, query: dict[str, str]) -> None:
        self.respond(RUSSIAN.encode(), Content_Type="text/html; charset=iso-8859-1")

    def do_status(self, query: dict[str, str]) -> None:
        self.respond(b"<p>sorry</p>", int(query["code"]), Content_Type="text/html")

    def do_fail(self, query: dict[str, str]) -> None:
        """Fail so many times, then answer; a status of 0 hangs up."""
        self.server.failed[self.path] += 1
        if self.server.failed[self.path] > int(query["times"]):
            self.respond(b"<p>At last.</p>")
        elif query["code"] == "0":
            self.close_connection = True
        else:
            wait = {"Retry_After": query["wait"]} if "wait" in query else {}
            self.respond(b"", int(query["code"]), **wait)

    def do_cut(self, query: dict[str, str]) -> None:
        """Less than was promised, the first time."""
        self.server.failed[self.path] += 1
        self.begin(Content_Length="10")
        self.wfile.write(b"x" * (10 if self.server.failed[self.path] > 1 else 5))
        self.close_connection = True

    def do_to(self, query: dict[str, str]) -> None:
        time.sleep(float(query.get("after", 0)))
        self.respond(b"", int(query.get("code", 302)), Location=query["url"])

    def do_loop(self, query: dict[str, str]) -> None:
        self.respond(b"", 302, Location="/loop")

    def do_echo(self, query: dict[str, str]) -> None:
        request = self.server.requests[-1]
        kind = request.headers.get("Content-Type", "no type")
        cookie = request.headers.get("Cookie", "no cookie")
        self.respond(f"{request.method}|{kind}|{cookie}|{request.body.decode()}".encode())

    def do_cookie(self, query: dict[str, str]) -> None:
        self.respond(b"", 302, Location="/echo", Set_Cookie="session=abc; Path=/; HttpOnly")

    def do_large(self, query: dict[str, str]) -> None:
        self.respond(b"x" * int(query["bytes"]), Content_Type="text/html")

    def do_promise(self, query: dict[str, str]) -> None:
        """The length of a large body, and no body."""
        self.begin(Content_Type="text/html", Content_Length="1000000000")
        self.server.stop.wait(60)

    def do_gigabyte(self, query: dict[str, str]) -> None:
        self.begin(Content_Type="text/html")
        for _ in range(2**30 // len(BLOCK)):
            self.wfile.write(BLOCK)

    def do_packed(self, query: dict[str, str]) -> None:
        body = gzip.compress(b"x" * int(query["bytes"]))
        self.respond(body, Content_Type="text/html", Content_Encoding=query.get("as", "gzip"))

    def do_hollow(self, query: dict[str, str]) -> None:
        """A packed body without end that unpacks to nothing."""
        self.begin(Content_Type="text/html", Content_Encoding="gzip")
        self.wfile.write(gzip.compress(b"")[:10])
        while not self.server.stop.is_set():
            self.wfile.write(b"\0\0\0\xff\xff" * 10_000)

    def do_silent(self, query: dict[str, str]) -> None:
        self.server.stop.wait(60)

    def do_drip(self, query: dict[str, str]) -> None:
        """One byte at a time, each well within any time-out of a single read."""
        self.begin(Content_Type="text/html")
        self.drip()

    def do_drip_head(self, query: dict[str, str]) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Long: ")
        self.drip()

    def drip(self) -> None:
        for _ in range(80):
            if self.server.stop.wait(0.1):
                return
            self.wfile.write(b"x")
            self.wfile.flush()

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def served(tls: ssl.SSLContext | None = None) -> Iterator[Site]:
    server = Site()
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    with running(server):
        yield server


class StillClock(Clock):
    """A clock on which time passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.time, self.naps = 0.0, []

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time += seconds
        self.naps.append(seconds)


def loader(site: Site, clock: StillClock | None = None, **polite) -> Loader:
    """A loader that may ask the site, on whose clock no time passes."""
    politeness = Politeness(**{"allow_private": (site.place,), "robots": False, **polite})
    return Loader(Limits(timeout=60.0), politeness, clock or StillClock())
