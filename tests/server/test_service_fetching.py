"""Pages that the service loads: none unless it is told to, and never from private addresses."""

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.server.serving import Service, serving

#: put before Python's own start: names that mean what the file beside it says, and a note of each
NAMES = """
import os, socket
_real = socket.getaddrinfo
def getaddrinfo(host, port, *args, **more):
    answers = {"turns.example": [["8.8.8.8"], ["127.0.0.1"]], "late.example": [["127.0.0.1"]],
               "both.example": [["8.8.8.8", "127.0.0.1"]]}
    name = host.decode() if isinstance(host, bytes) else host
    if name not in answers:
        return _real(host, port, *args, **more)
    with open(os.environ["NAMES_ASKED"], "a+") as file:
        file.seek(0)
        asked = file.read().split().count(name)
        file.write(name + "\\n")
    found = answers[name][min(asked, len(answers[name]) - 1)]
    return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in found]
socket.getaddrinfo = getaddrinfo
def create_connection(address, *args, _real=socket.create_connection, **more):
    if address[0] == "8.8.8.8":
        raise OSError("not from a test")
    return _real(address, *args, **more)
socket.create_connection = create_connection
"""
REDIRECT = b"HTTP/1.1 302 Found\r\nLocation: %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
OTHERS = "<img src={0}a><link rel=stylesheet href={0}b><p style='background:url({0}c)'>p"
FOUND = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<p>found"


class Listener:
    """Counts who connects, and answers the same to all but those who ask for its pages."""

    def __init__(self, answer: bytes, host: str = "127.0.0.1") -> None:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.socket = socket.create_server((host, 0), family=family)
        self.port, self.answer, self.contacts = self.socket.getsockname()[1], answer, 0
        self.pages = {"/found": FOUND}
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                line, _ = self.socket.accept()
            except OSError:
                return
            self.contacts += 1
            with line:
                path = line.recv(65536).decode("latin-1").split(" ")[1]
                line.sendall(self.pages.get(path, self.answer))


@contextmanager
def listening(answer: bytes, host: str = "127.0.0.1") -> Iterator[Listener]:
    listener = Listener(answer, host)
    try:
        yield listener
    finally:
        listener.socket.shutdown(socket.SHUT_RDWR)
        listener.socket.close()


@pytest.fixture(scope="module")
def private() -> Iterator[Listener]:
    """What nobody may reach."""
    with listening(FOUND) as listener:
        yield listener


@pytest.fixture(scope="module")
def private6(private) -> Iterator[Listener]:
    with listening(FOUND, "::1") as listener:
        yield listener


@pytest.fixture(scope="module")
def redirecting(private) -> Iterator[Listener]:
    """Stands for a public host: the service is told that it may be asked."""
    with listening(REDIRECT % f"http://127.0.0.1:{private.port}/secret".encode()) as listener:
        yield listener


@pytest.fixture(scope="module")
def fetching(tmp_path_factory, redirecting) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("fetching")
    (folder / "sitecustomize.py").write_text(NAMES)
    found = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
    named = {"NAMES_ASKED": str(folder / "asked"), "PYTHONPATH": found}
    allowed = ["--allow-fetch", "--allow-private", f"127.0.0.1:{redirecting.port}"]
    with serving(folder, *allowed, "--workers", "1", "--timeout", "10", **named) as running:
        running.asked = folder / "asked"
        yield running


#: what is asked for: a private address in every spelling, or no web address at all
TABLE = {
    "plain": "http://127.0.0.1:{port}/",
    "name": "http://localhost:{port}/",
    "name with a dot": "http://localhost.:{port}/",
    "decimal": "http://2130706433:{port}/",
    "hexadecimal": "http://0x7f000001:{port}/",
    "octal": "http://0177.0.0.1:{port}/",
    "octal, whole": "http://017700000001:{port}/",
    "short": "http://127.1:{port}/",
    "other loopback": "http://127.9.8.7:{port}/",
    "unspecified": "http://0.0.0.0:{port}/",
    "nought": "http://0:{port}/",
    "wide digits": "http://１２７.０.０.１:{port}/",
    "round digits": "http://①②⑦.⓪.⓪.①:{port}/",
    "IPv6": "http://[::1]:{port6}/",
    "IPv6, long": "http://[0:0:0:0:0:0:0:1]:{port6}/",
    "IPv6 unspecified": "http://[::]:{port6}/",
    "IPv6-mapped": "http://[::ffff:127.0.0.1]:{port}/",
    "IPv6-mapped, hexadecimal": "http://[::ffff:7f00:1]:{port}/",
    "IPv6-compatible": "http://[::127.0.0.1]:{port}/",
    "IPv6-translated": "http://[64:ff9b::7f00:1]:{port}/",
    "IPv6 tunnel": "http://[2002:7f00:1::]:{port}/",
    "with a user": "http://8.8.8.8@127.0.0.1:{port}/",
    "backslash": "http://8.8.8.8\\@127.0.0.1:{port}/",
    "link-local": "http://169.254.169.254/latest/meta-data/",
    "private": "http://10.0.0.1/",
    "shared": "http://100.64.0.1/",
    "redirect to private": "http://127.0.0.1:{redirecting}/",
    "name of a private address": "http://late.example:{port}/",
    "name of both": "http://both.example:{port}/",
    "name whose answer changes": "http://turns.example:{port}/",
    "file": "file:///etc/passwd",
    "ftp": "ftp://127.0.0.1:{port}/",
    "gopher": "gopher://127.0.0.1:{port}/_x",
    "jar": "jar://127.0.0.1:{port}/",
    "no scheme": "127.0.0.1:{port}/",
    "white space": " http://127.0.0.1:{port}/",
    "tab": "ht\ttp://127.0.0.1:{port}/",
    "line break": "http://127.0.0.1:{port}/\r\nHost: a",
}


@pytest.mark.parametrize("row", TABLE)
def test_nothing_private_is_reached(fetching, private, private6, redirecting, row):
    ports = {"port": private.port, "port6": private6.port, "redirecting": redirecting.port}
    url = TABLE[row].format(**ports)
    told = fetching.post("/v1/menu", {"url": url})
    assert told.status_code in (403, 422), told.text
    assert told.json()["error"] in ("UnsafeAddress", "OptionError", "Unreachable")
    assert (private.contacts, private6.contacts) == (0, 0)


def test_a_name_is_asked_for_once_and_what_was_checked_is_used(fetching, private):
    before = fetching.asked.read_text().count("turns") if fetching.asked.exists() else 0
    fetching.post("/v1/content", {"url": f"http://turns.example:{private.port}/"})
    assert fetching.asked.read_text().count("turns") == before + 1
    assert private.contacts == 0


@pytest.mark.parametrize("name", ["segments", "inspect"])
@pytest.mark.parametrize("row", ["plain", "IPv6-mapped", "redirect to private", "file"])
def test_no_browser_reaches_it_either(fetching, private, redirecting, name, row):
    url = TABLE[row].format(port=private.port, redirecting=redirecting.port)
    more = {"render": True} if name == "inspect" else {}
    told = fetching.post(f"/v1/{name}", {"url": url, **more})
    assert told.json()["error"] == "UnsafeAddress", told.text
    assert private.contacts == 0


def test_pages_of_a_site_are_not_loaded_from_there(fetching, private):
    there = f"http://127.0.0.1:{private.port}/"
    html = "".join(f'<a href="{there}{number}">{number}</a>' for number in range(2))
    told = fetching.post("/v1/template", {"html": html, "url": there, "options": {"loads": 1}})
    assert told.status_code == 200
    assert told.json()["template"]["loads"] == 0
    assert private.contacts == 0


def test_what_is_allowed_is_loaded(fetching, redirecting):
    before = redirecting.contacts
    told = fetching.post("/v1/content", {"url": f"http://127.0.0.1:{redirecting.port}/found"})
    assert told.json()["text"] == "found"
    assert redirecting.contacts == before + 1


def test_files_of_a_page_are_not_loaded_from_there(fetching, private, redirecting):
    there = f"http://127.0.0.1:{private.port}/"
    head = FOUND.removesuffix(b"<p>found")
    redirecting.pages["/refers"] = head + OTHERS.format(there).encode()
    url = f"http://127.0.0.1:{redirecting.port}/refers"
    told = fetching.post("/v1/inspect", {"url": url})
    assert "<img" in told.json()["html"]
    assert private.contacts == 0


def test_nothing_is_loaded_unless_that_is_allowed(service, private):
    told = service.post("/v1/menu", {"url": f"http://127.0.0.1:{private.port}/"})
    assert (told.status_code, told.json()["error"]) == (403, "FetchOff")
    assert private.contacts == 0
