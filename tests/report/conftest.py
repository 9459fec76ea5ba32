"""A browser that opens reports, and a network that notices whatever leaves it."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread

import pytest
from playwright.sync_api import Browser, Frame, sync_playwright
from playwright.sync_api import Page as Tab

CHROMIUM = shutil.which("chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]


class Network:
    """Stands in for the whole internet, and keeps what is sent to it.

    The tools of the browser are not asked, since they miss requests of a sandboxed frame.
    """

    def __init__(self) -> None:
        sent = self.sent = []

        class Keep(StreamRequestHandler):
            timeout = 5

            def handle(self) -> None:
                sent.append(self.connection.recv(4096))

        self.server = ThreadingTCPServer(("127.0.0.1", 0), Keep)
        self.port = self.server.server_address[1]
        Thread(target=self.server.serve_forever, daemon=True).start()

    def asked(self, host: str) -> bool:
        """Whether a host was asked for anything; its name is readable in HTTP and in TLS."""
        return any(host.encode() in message for message in self.sent)


@pytest.fixture(scope="module")
def network() -> Iterator[Network]:
    started = Network()
    yield started
    started.server.shutdown()
    started.server.server_close()


@pytest.fixture(scope="module")
def browser(network) -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    everywhere = f"--host-resolver-rules=MAP * 127.0.0.1:{network.port}"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, everywhere])
        yield started
        started.close()


class Opened:
    """A report in a tab: the tab, the frame, and what went wrong."""

    def __init__(self, tab: Tab, file: Path) -> None:
        self.tab = tab
        self.errors: list[str] = []
        tab.on("pageerror", lambda error: self.errors.append(str(error)))
        tab.goto(file.as_uri())
        tab.wait_for_load_state("load")

    @property
    def frame(self) -> Frame:
        return self.tab.frames[1]

    def boxes(self) -> list[int]:
        """Numbers of the pagelets whose overlay is seen."""
        seen = self.frame.locator(".box[data-number]:visible")
        return sorted(int(box.get_attribute("data-number") or -1) for box in seen.all())


@pytest.fixture
def opened(browser, tmp_path):
    tabs = []

    def open_report(text: str, **options) -> Opened:
        file = tmp_path / "report.html"
        file.write_text(text, encoding="utf-8")
        tabs.append(browser.new_page(**options))
        return Opened(tabs[-1], file)

    yield open_report
    for tab in tabs:
        tab.close()
