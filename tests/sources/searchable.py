"""A hidden web of our own: a small search application over SQLite, with every misbehaviour."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlencode, urlsplit

from tests.sources.loopback import Loopback, running

BEASTS = "whale shark otter heron lynx badger newt raven adder stoat".split()
THINGS = "song dream harbour ledger garden winter mirror lantern orchard voyage".split()
ROWS = [
    (n, f"The {beast} and the {thing}", f"{beast} tales")
    for n, (beast, thing) in enumerate(((b, t) for b in BEASTS for t in THINGS), 1)
]
SHOWN = 6  #: records on a result page

FORM = """<!doctype html><html><head><meta charset=utf-8><title>Library</title></head><body>
<h1>The reading room</h1><p>Books on the {beast} and others.</p>
<form id=login action=/login method=post><input name=user><input type=password name=secret></form>
<form id=find action=/search role=search method={method}><label for=q>Title words</label>
<input id=q name=q required><select name=series><option value="">any<option>whale tales
<option>otter tales</select><input type=hidden name=lang value=en>
<button name=go value=1>Search</button></form></body></html>"""


class Library(BaseHTTPRequestHandler):
    """Answers by path; some words make it misbehave."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # or every answer waits for the reader's receipt

    def do_GET(self) -> None:
        self.server.requests.append(self.path)
        path, query = urlsplit(self.path).path, urlsplit(self.path).query
        self.route(path, {name: values[0] for name, values in parse_qs(query).items()})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.requests.append(f"{self.path} {body}")
        self.route(self.path, {name: values[0] for name, values in parse_qs(body).items()})

    def route(self, path: str, query: dict[str, str]) -> None:
        if path in ("/", "/post"):
            method = "post" if path == "/post" else "get"
            self.respond(FORM.format(method=method, beast=BEASTS[0]).encode())
        elif path == "/search":
            getattr(self, f"when_{query.get('q')}", self.results)(query)
        else:
            self.respond(b"no such page", 404)

    def respond(
        self, body: bytes, status: int = 200, kind: str = "text/html; charset=utf-8"
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def results(self, query: dict[str, str]) -> None:
        words, first = query.get("q", ""), int(query.get("start", 0))
        with sqlite3.connect(self.server.database) as database:
            found = database.execute(
                "select id, title, series from books where title like ? and series like ?"
                " order by id limit ? offset ?",
                (f"%{words}%", f"%{query.get('series', '')}%", SHOWN + 1, first),
            ).fetchall()
        database.close()
        lines = "".join(
            f"<tr><td>{n}</td><td>{escape(title)}</td><td>{escape(series)}</td></tr>"
            for n, title, series in found[:SHOWN]
        )
        more = ""
        if len(found) > SHOWN:
            target = urlencode({**query, "start": first + SHOWN})
            more = f"<p><a href='/search?{escape(target)}'>Next</a></p>"
        text = f"<title>Results</title><p>Results for {escape(words)}</p><table>{lines}</table>"
        self.respond(f"{text}{more}<p>The reading room</p>".encode())

    def when_hang(self, query: dict[str, str]) -> None:
        self.server.stop.wait(60)

    def when_loop(self, query: dict[str, str]) -> None:
        self.send_response(302)
        self.send_header("Location", self.path)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def when_broken(self, query: dict[str, str]) -> None:
        self.respond(b"<p>sorry", 500)

    def when_huge(self, query: dict[str, str]) -> None:
        """As much as is read, up to 1 GB; nothing says how much it will be."""
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        try:
            for _ in range(16_384):
                self.wfile.write(b"x" * 65_536)
        except OSError:  # the reader went away, as it should
            pass

    def when_liar(self, query: dict[str, str]) -> None:
        self.respond("<p>Привет, мир".encode("koi8-r"), kind="text/html; charset=utf-8")

    def when_slow(self, query: dict[str, str]) -> None:
        time.sleep(0.05)
        self.results(query)

    def log_message(self, *args: object) -> None:
        pass


class Server(Loopback):
    """The application at `address`, whose books are in a database."""

    def __init__(self, database: str) -> None:
        super().__init__(Library)
        self.database, self.host, self.address = database, self.place, f"{self.url}/"


@contextmanager
def library(folder) -> Iterator[Server]:
    """The application; `requests` has every request it got."""
    server = Server(str(folder / "books.db"))
    with sqlite3.connect(server.database) as database:
        database.execute("create table books (id integer, title text, series text)")
        database.executemany("insert into books values (?, ?, ?)", ROWS)
    database.close()
    with running(server):
        yield server
