"""A real browser, on a network that notices whatever leaves it."""

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread
from typing import Any

from playwright.sync_api import Browser, expect, sync_playwright
from playwright.sync_api import Page as Tab

FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
PATIENCE = 120_000  #: milliseconds to wait for a browser; a slow machine is no fault
expect.set_options(timeout=PATIENCE)
#: font set-ups of the tests that measure widths: files of tests/fonts
FONTS = ("dejavu", "liberation")


def find_chromium() -> str:
    """Path of the browser that the set-up installs."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    assert path, "Chromium is missing: run sh scripts/browser chromium"
    return path


def font_environment(fonts: str) -> dict[str, str]:
    """Environment of a browser that sees one font set-up and no other font."""
    shared = Path(sys.prefix) / "share"
    folder = shared / "fonts" / "truetype" / fonts
    assert [*folder.glob("*.ttf")], f"{folder} is empty: run sh scripts/fonts {shared / 'fonts'}"
    config = Path(__file__).parent / "fonts" / f"{fonts}.conf"
    return os.environ | {"FONTCONFIG_FILE": str(config), "XDG_DATA_HOME": str(shared)}


def wait_until(holds: Callable[[], bool], otherwise: str) -> None:
    """Wait for what the tools of the browser cannot wait for."""
    end = time.monotonic() + PATIENCE / 1000
    while not holds():
        assert time.monotonic() < end, otherwise
        time.sleep(0.02)


class Network:
    """Stands in for the whole internet, and keeps what is sent to it.

    The tools of the browser are not asked, since they miss requests of a sandboxed frame.
    """

    def __init__(self) -> None:
        sent: list[bytes] = []

        class Keep(StreamRequestHandler):
            timeout = 60

            def handle(self) -> None:
                sent.append(self.connection.recv(4096))

        self.sent = sent
        self.server = ThreadingTCPServer(("127.0.0.1", 0), Keep)
        self.server.daemon_threads = True  # a connection that sends nothing is not waited for
        self.port = self.server.server_address[1]
        Thread(target=self.server.serve_forever, daemon=True).start()

    def asked(self, host: str) -> bool:
        """Whether a host was asked for anything; its name is readable in HTTP and in TLS."""
        return any(host.encode() in message for message in self.sent)

    def wait_for(self, host: str) -> None:
        """Wait until a host is asked for something."""
        wait_until(lambda: self.asked(host), f"{host} was not asked for anything")

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@contextmanager
def noticing() -> Iterator[Network]:
    """A network, for as long as it is needed."""
    started = Network()
    try:
        yield started
    finally:
        started.close()


@contextmanager
def browsing(network: Network, *, own: str = "", fonts: str = "") -> Iterator[Browser]:
    """A browser for which every host is the network, but for one of its own."""
    hosts = f"MAP * 127.0.0.1:{network.port}" + (f",EXCLUDE {own}" if own else "")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=find_chromium(),
            args=[*FLAGS, f"--host-resolver-rules={hosts}"],
            env=font_environment(fonts) if fonts else None,
        )
        started.on("context", lambda context: context.set_default_timeout(PATIENCE))
        yield started
        started.close()


#: What a site has kept, of which nothing stays.
FORGET = """async () => {
  localStorage.clear();
  const ended = ({ name }) => new Promise((done, failed) => {
    const asked = indexedDB.deleteDatabase(name);
    asked.onsuccess = done;
    asked.onerror = asked.onblocked = failed;
  });
  await Promise.all((await indexedDB.databases()).map(ended));
}"""


class Room:
    """A context for many tests, which have a tab each and find nothing of one another.

    The tabs run in the process of the one that opens them: a context for each test would start
    several processes, which takes longer than most tests.
    """

    def __init__(self, browser: Browser, url: str, **options: Any) -> None:
        self.context = browser.new_context(**options)
        self.opener = self.context.new_page()
        self.opener.goto(url)

    def open(self) -> Tab:
        """A tab that nobody has used."""
        with self.opener.expect_popup() as opened:
            self.opener.evaluate("() => void open()")
        return opened.value

    def tidy(self) -> None:
        """Close the tabs and forget what they kept."""
        for tab in self.context.pages:
            if tab is not self.opener:
                tab.close()
        self.context.clear_cookies()
        self.opener.evaluate(FORGET)
