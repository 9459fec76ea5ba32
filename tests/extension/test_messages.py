"""What people are told when something is not as it should be."""

import json
import socket
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler

import pytest
from playwright.sync_api import Page as Tab

from tests.extension.driving import ACTIONS, KEEP, TOKEN, Chromium, Pages, Popup
from tests.sources.loopback import Loopback, running


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def test_service_not_running(article: Tab, popup: Popup) -> None:
    address = f"http://127.0.0.1:{free_port()}"
    assert popup.pair(address, TOKEN).startswith("The service is not running at this address.")
    for action in ACTIONS:
        said = popup.press(action)
        assert (
            said == f"The service is not running at this address. Run “pagelet serve”.\n{address}"
        )
        assert popup.failed
    assert article.locator("pagelet-overlay").count() == 0
    assert popup.tab.is_visible("#address")


def test_wrong_token(popup: Popup, service: str) -> None:
    wrong = "The service rejected this token. Copy the token that “pagelet serve” prints."
    assert popup.pair(service, "another-token-altogether").startswith(wrong)
    assert popup.press("menu").startswith(wrong)
    assert popup.failed


def test_no_token_yet(popup: Popup) -> None:
    popup.tab.evaluate("import('./store.js').then(s => s.saveSettings({token: ''}))")
    assert popup.press("menu").startswith("Not paired yet.")


ELSEWHERE = (
    "https://127.0.0.1:8707",
    "http://192.0.2.1:8707",
    "http://127.0.0.1.elsewhere.invalid",
    "http://localhost@elsewhere.invalid",
    "http://user:word@127.0.0.1",
    "file:///tmp",
)


def test_the_token_is_sent_to_this_machine_only(popup: Popup) -> None:
    for address in ELSEWHERE:
        assert popup.pair(address, TOKEN).startswith("The address must begin with http://127.0.0.1")
        kept = popup.tab.evaluate("import('./store.js').then(store => store.loadSettings())")
        assert kept["address"] != address


def test_the_address_that_serve_prints_holds_the_token(popup: Popup, service: str) -> None:
    said = popup.pair(f"{service}/", f"{service}/#token={TOKEN}")
    assert said == "Connected. The service accepts the token."
    assert popup.tab.input_value("#token") == TOKEN


def test_something_else_answers(popup: Popup, site: Pages) -> None:
    assert popup.pair(site.url, TOKEN).startswith(OTHER)


class Refusing(Loopback):
    """Stands in for a service that answers whatever it is told to."""

    status, body = 200, b""

    def __init__(self) -> None:
        super().__init__(Refuses)


class Refuses(BaseHTTPRequestHandler):
    server: Refusing

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(self.server.status)
        self.send_header("Content-Length", str(len(self.server.body)))
        self.end_headers()
        self.wfile.write(self.server.body)

    do_GET = do_POST  # noqa: N815 - the name the library looks for

    def log_message(self, *args: object) -> None:
        """Nobody reads it."""


@pytest.fixture(scope="module")
def refusing() -> Iterator[Refusing]:
    with running(Refusing()) as server:
        yield server


OTHER = "The program at this address is not the pagelet service."
NOTHING = "Nothing found on this page."
REFUSALS = {
    403: "The service rejected the request.",
    404: OTHER,
    413: "The page is too large for the service.",
    421: OTHER,
    422: "Something went wrong.",
    429: "The service is busy. Try again in a moment.",
    503: "Something went wrong.",
}
SENSELESS = {b"<p>Hello": OTHER, b"[]": NOTHING, b'{"pagelets": 7}': NOTHING, b"null": NOTHING}


def test_refusals_and_the_words_of_the_service(popup: Popup, refusing: Refusing) -> None:
    popup.tab.evaluate(KEEP, {"address": refusing.url, "token": TOKEN})
    refusing.body = json.dumps({"error": "AnError", "message": "<b>why</b> it is so"}).encode()
    for refusing.status, message in REFUSALS.items():
        assert popup.press("menu") == f"{message}\n<b>why</b> it is so"


def test_answers_that_make_no_sense(popup: Popup, refusing: Refusing) -> None:
    popup.tab.evaluate(KEEP, {"address": refusing.url, "token": TOKEN})
    refusing.status = 200
    for refusing.body, message in SENSELESS.items():
        assert popup.press("menu") == message


@pytest.mark.parametrize("url", ["chrome://version", "about:blank"])
def test_pages_of_the_browser(url: str, chromium: Chromium, service: str) -> None:
    tab = chromium.open(url)
    tab.bring_to_front()
    number = chromium.worker.evaluate("async () => (await chrome.tabs.query({active: true}))[0].id")
    popup = Popup(chromium.open(f"{chromium.address}/popup.html?tab={number}"))
    popup.tab.wait_for_selector("body[data-ready]")
    popup.pair(service, TOKEN)
    assert popup.press("menu").startswith(
        "The browser does not allow extensions to read this page,"
    )


@pytest.mark.parametrize(("name", "kind"), [("/a.txt", "text/plain"), ("/a.svg", "image/svg+xml")])
def test_not_a_page(name: str, kind: str, chromium: Chromium, site: Pages, service: str) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
    popup = chromium.popup(chromium.open(site.write(name, svg, Content_Type=kind)))
    popup.pair(service, TOKEN)
    assert popup.press("content").startswith("This is not a web page")


def test_nothing_found(chromium: Chromium, site: Pages, service: str) -> None:
    popup = chromium.popup(chromium.open(site.write("/empty.html", "<title>Empty</title>")))
    popup.pair(service, TOKEN)
    nothing = "Nothing found on this page."
    assert popup.press("menu") == nothing
    assert popup.press("content") == nothing
    assert popup.press("template").startswith("No linked page of this site could be read")


def test_an_answer_that_is_gone(chromium: Chromium, article: Tab, popup: Popup) -> None:
    opened = chromium.open(f"{chromium.address}/answer.html?answer=none")
    opened.wait_for_selector("#title:not(:empty)")
    assert opened.inner_text("#title").startswith("This result is no longer stored.")
