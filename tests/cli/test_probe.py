"""`pagelet probe`: what it prints, where, and what it leaves behind."""

import json
import re
import sys
from http.server import BaseHTTPRequestHandler
from subprocess import Popen
from threading import Event

import pytest

from pagelet.cli import probe as command
from pagelet.cli.output import console
from pagelet.sources.http import loader as loading
from pagelet.sources.http.identity import Identity
from tests.sources.loopback import Loopback, running
from tests.sources.searchable import library


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with library(tmp_path_factory.mktemp("library")) as running:
        yield running


@pytest.fixture
def probe(run, server):
    def runner(*arguments):
        manners = ("--delay", 0, "--retries", 0, "--allow-private", server.host)
        return run("probe", server.address, *manners, *arguments)

    return runner


def test_a_run_and_another(probe, tmp_path):
    arguments = ("-o", tmp_path, "--value", "q=whale", "--value", "q=broken")
    code, out, err = probe(*arguments)
    assert code == 0
    assert re.fullmatch(rf"probing http://\S+: 50 requests at most, to {tmp_path}\n", err)
    first, covered, trouble, where = out.splitlines()
    assert re.fullmatch(r"\d+ records by 1 of 2 queries; new: \d+ 0", covered)
    assert first.startswith("2 requests, 1 page, 14 new texts, ")
    assert trouble.startswith("ErrorStatus: 1, such as http://127.0.0.1:")
    assert where == f"submissions: {tmp_path}/submissions.jsonl"
    _, out, _ = probe(*arguments)
    assert out.startswith("2 requests, 2 of them from earlier runs, ")
    assert len((tmp_path / "submissions.jsonl").read_text().splitlines()) == 2


def test_a_dry_run_prints_the_requests_alone(probe, server):
    server.requests.clear()
    code, out, err = probe("--dry-run", "--value", "q=whale", "--each", "series")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        f"GET {server.address}search?q=whale&series=whale+tales&lang=en&go=1",
        f"GET {server.address}search?q=whale&series=otter+tales&lang=en&go=1",
    ]
    assert [path for path in server.requests if "search" in path] == []


def test_a_dry_run_of_post(run, server):
    manners = ("--delay", 0, "--allow-private", server.host, "--dry-run", "--value", "q=x")
    _, out, _ = run("probe", f"{server.address}post", *manners)
    assert out.splitlines() == [
        f"POST {server.address}search",
        "  application/x-www-form-urlencoded",
        "  q=x&series=&lang=en&go=1",
    ]


@pytest.mark.parametrize(
    ("arguments", "code", "why"),
    [
        ((), 2, "give --output DIR, or --dry-run"),
        (("--dry-run", "--value", "nothing"), 2, "FIELD=TEXT"),
        (("--dry-run", "--form-name", "x"), 2, "the page has login, find"),
        (("--dry-run", "--submissions", "-1"), 2, "submissions"),
    ],
)
def test_mistakes(probe, arguments, code, why):
    found, out, err = probe(*arguments)
    assert (found, out) == (code, "")
    assert why in err


def test_a_private_address_is_refused(run, server, tmp_path):
    code, _, err = run("probe", server.address, "-o", tmp_path)
    assert code == 3
    assert "--allow-private" in err


def test_a_spent_budget_is_no_mistake(probe, tmp_path):
    code, out, err = probe("-o", tmp_path, "--pages", 2, "--value", "q=whale", "--value", "q=newt")
    assert code == 0
    assert out.startswith("1 request, 1 page,")
    assert "2 pages" in err
    assert "--pages" in err


def test_a_stop_from_the_keyboard_keeps_what_there_is(probe, tmp_path, monkeypatch):
    real = command.probe

    def stopped(*arguments):
        yield next(real(*arguments))
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "probe", stopped)
    code, out, err = probe("-o", tmp_path, "--value", "q=whale", "--value", "q=newt")
    assert code == 130
    assert err.splitlines()[1:] == ["stopped; run the same command again to continue"]
    assert out.startswith("1 request, 1 page,")


def test_on_a_terminal_every_submission_is_told(probe, tmp_path, monkeypatch):
    def terminal(*, error=False):
        made = console(error=error)
        made._force_terminal = error
        return made

    monkeypatch.setattr(command, "console", terminal)
    _, out, err = probe("-o", tmp_path, "--value", "q=whale", "--value", "q=broken", "--paging", 1)
    told = [line for line in err.splitlines() if "q=" in line]
    assert len(told) == 3
    assert "requests" in err
    assert "6 new of 6 records" in told[0]
    assert "(page of 1)" in told[1]
    assert "ErrorStatus" in told[2]
    assert "q=whale" not in out


def test_flags_reach_what_they_name(monkeypatch, run, server):
    seen = {}

    class Loader:
        def __init__(self, limits, politeness, *, identity):
            seen.update(limits=limits, politeness=politeness, identity=identity)
            raise SystemExit(9)

    monkeypatch.setattr(loading, "Loader", Loader)
    code, _, _ = run(
        "probe", "https://example.org/", "--delay", 2.5, "--no-robots", "--retries", 4, "--bytes",
        7, "--seconds", 8, "--scope", "a", "--scope", "b", "--max-bytes", 5, "--redirects", 1,
        "--user-agent", "fernbot/2", "--header", "X-Key: k", "--cookie", "a=b",
    )  # fmt: skip
    assert code == 9
    manners, limits = seen["politeness"], seen["limits"]
    assert (manners.delay, manners.robots, manners.retries) == (2.5, False, 4)
    assert (manners.bytes, manners.seconds, manners.scope) == (7, 8.0, ("a", "b"))
    assert (limits.max_bytes, limits.redirects, limits.timeout) == (5, 1, 20.0)
    assert seen["identity"] == Identity(
        user_agent="fernbot/2", header=("X-Key: k",), cookie=("a=b",)
    )


def test_lines_are_json(probe, tmp_path):
    probe("-o", tmp_path, "--value", "q=whale")
    (line,) = (tmp_path / "submissions.jsonl").read_text().splitlines()
    assert json.loads(line)["labels"] == {"q": "Title words"}


# -- two probes in one folder ------------------------------------------------------------------


class Gate(BaseHTTPRequestHandler):
    """The form at once; results only while the gate is open."""

    def do_GET(self) -> None:
        self.server.requests.append(self.path)
        if self.path.startswith("/search"):
            self.server.asked.set()
            while not self.server.open.wait(0.05):
                if self.server.stop.is_set():
                    return
        form = "<form action=/search role=search><input name=q type=search></form>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(f"<p>{self.path}</p>{form}".encode())


def test_a_second_probe_is_refused_until_the_first_is_gone(run, tmp_path):
    gate = Loopback(Gate)
    gate.asked, gate.open = Event(), Event()
    with running(gate):
        arguments = ["probe", f"{gate.url}/", "-o", tmp_path, "--allow-private", gate.place]
        arguments += ["--delay", "0", "--no-robots", "--value", "q=newt"]
        first = Popen([sys.executable, "-m", "pagelet", *map(str, arguments)])
        try:
            assert gate.asked.wait(120)
            code, out, err = run(*arguments)
            assert (code, out) == (2, "")
            assert "another process writes to it" in err
        finally:
            first.kill()
            first.wait(120)
        gate.open.set()
        code, out, _ = run(*arguments)
    assert (code, out[:18]) == (0, "1 request, 1 page,")
    assert [path for path in gate.requests if path == "/"] == ["/"], "the form was kept"


# -- page links by their role ---------------------------------------------------------------------


class Sessions(BaseHTTPRequestHandler):
    """A search whose further pages are kept in a session: their addresses have no query."""

    def do_GET(self) -> None:
        self.server.requests.append(self.path)
        if self.path == "/":
            text = (
                "<h1>Beasts</h1><form role=search action=/search><input name=q type=search></form>"
            )
        else:
            number = int(self.path.rpartition("start=")[2]) if "start=" in self.path else 1
            items = "".join(
                f"<li><a href='/beast/{number}{at}'>The whale of chapter {number}.{at}</a>"
                "<p>A long tale of the sea, told by those who were there when it happened.</p>"
                for at in range(6)
            )
            pages = " ".join(
                f"<a href='/results?session=7&amp;start={each}'>{each}</a>"
                for each in range(1, 4)
                if each != number
            )
            if number < 3:
                pages += f" <a href='/results?session=7&amp;start={number + 1}'>Next</a>"
            text = f"<h1>Results for whale</h1><ol>{items}</ol><div class=pages>{pages}</div>"
        body = f"<!doctype html><title>Beasts</title>{text}".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None: ...


def test_page_links_are_followed_by_their_role(run, tmp_path):
    with running(Loopback(Sessions)) as server:
        manners = ("--delay", 0, "--retries", 0, "--allow-private", server.place)
        arguments = ("-o", tmp_path, "--value", "q=whale", "--paging", 5)
        code, _, err = run("probe", f"{server.url}/", *manners, *arguments)
        assert (code, err.count("\n")) == (0, 1)
        sent = [path for path in server.requests if "robots" not in path]
    assert sent == ["/", "/search?q=whale", *(f"/results?session=7&start={n}" for n in (2, 3))]
    lines = [json.loads(line) for line in (tmp_path / "submissions.jsonl").read_text().splitlines()]
    assert [line["origin"] for line in lines] == ["own", "paging", "paging"]
