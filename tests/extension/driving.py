"""A Chromium with the extension in it, the service it asks, and sites for it to look at."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from http.server import SimpleHTTPRequestHandler
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from playwright.sync_api import BrowserContext, Worker
from playwright.sync_api import Page as Tab

from pagelet.server.app import create_app
from pagelet.server.settings import Settings
from tests.places import ROOT, SITE
from tests.sources.loopback import Loopback, ReceivedRequest

EXTENSION = ROOT / "extension"
SAMPLE = SITE
TOKEN = "a-token-that-only-tests-know"
STRANGE = "pages.test"  #: a host that is not loopback to the browser, though it leads there
KEEP = "service => import('./store.js').then(store => store.saveSettings(service))"
ACTIONS = ("menu", "template", "content", "clutter", "links", "segments")
PAGE_FILES = [
    f"page/{name}.js"
    for name in "begin palette nodes write twin sight boxes links overlay main".split()
]
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--hide-scrollbars",
    "--enable-unsafe-extension-debugging",  # lets the toolbar button be pressed
    f"--host-resolver-rules=MAP {STRANGE} 127.0.0.1",
    f"--disable-extensions-except={EXTENSION}",
    f"--load-extension={EXTENSION}",
)


class Pages(Loopback):
    """The sample site, and pages that a test writes; all it was asked is kept."""

    def __init__(self) -> None:
        super().__init__(Handler)
        self.written: dict[str, tuple[bytes, dict[str, str]]] = {}

    def write(self, path: str, html: str, **headers: str) -> str:
        """Put a page on the site; its address."""
        said = {name.replace("_", "-"): value for name, value in headers.items()}
        self.written[path] = html.encode(), {"Content-Type": "text/html; charset=utf-8"} | said
        return self.url + path

    @property
    def strange(self) -> str:
        return f"http://{STRANGE}:{self.server_port}"


class Handler(SimpleHTTPRequestHandler):
    """Answers with what was written, or else with a file of the sample site."""

    server: Pages

    def __init__(self, *args: Any) -> None:
        super().__init__(*args, directory=str(SAMPLE))

    def do_GET(self) -> None:
        self.server.requests.append(
            ReceivedRequest(self.command, self.path, dict(self.headers), b"")
        )
        written = self.server.written.get(urlsplit(self.path).path)
        if written is None:
            super().do_GET()
            return
        body, headers = written
        self.send_response(200)
        for name, value in (headers | {"Content-Length": str(len(body))}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *args: object) -> None:
        """Nobody reads it."""


@contextmanager
def serving() -> Iterator[str]:
    """The real service on a free port; its address."""
    app = create_app(Settings(port=0, token=TOKEN, workers=1, render=False))
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning", lifespan="on"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started and thread.is_alive():
        thread.join(0.01)
    try:
        host, port = server.servers[0].sockets[0].getsockname()[:2]
        yield f"http://{host}:{port}"
    finally:
        server.should_exit = True
        thread.join()


@dataclass
class Popup:
    """The popup as a tab of its own, working on another tab."""

    tab: Tab

    def pair(self, address: str, token: str) -> str:
        """Fill in the settings; what the popup says then."""
        self.tab.locator("#settings").evaluate("settings => { settings.open = true; }")
        self.tab.fill("#address", address)
        self.tab.fill("#token", token)
        self.tab.evaluate("document.querySelector('#news').className = ''")
        self.tab.click("#service button")
        return self.said()

    def press(self, action: str) -> str:
        """Press a button; what the popup says when the work is done."""
        self.tab.click(f"[data-action={action}]")
        return self.said()

    def said(self) -> str:
        self.tab.wait_for_selector("#news.done, #news.problem")
        return self.tab.inner_text("#news")

    @property
    def failed(self) -> bool:
        return "problem" in (self.tab.get_attribute("#news", "class") or "")


@dataclass
class Chromium:
    """The browser and the extension in it."""

    context: BrowserContext

    @cached_property
    def worker(self) -> Worker:
        known = self.context.service_workers
        return known[0] if known else self.context.wait_for_event("serviceworker")

    @property
    def address(self) -> str:
        return self.worker.url.rpartition("/")[0]

    def open(self, url: str) -> Tab:
        tab = self.context.new_page()
        tab.goto(url)
        return tab

    def number(self, url: str) -> int:
        """The number of the tab that shows an address."""
        ask = "async url => (await chrome.tabs.query({})).find(tab => tab.url === url).id"
        return int(self.worker.evaluate(ask, url))

    def popup(self, tab: Tab) -> Popup:
        """The popup, as the toolbar would open it on a tab."""
        opened = self.open(f"{self.address}/popup.html?tab={self.number(tab.url)}")
        opened.wait_for_selector("body[data-ready]")
        return Popup(opened)

    def press_toolbar(self, tab: Tab) -> None:
        """Press the button in the toolbar, as a person would while the tab is in front."""
        tab.bring_to_front()
        session = self.context.browser.new_browser_cdp_session()
        targets = session.send("Target.getTargets", {"filter": [{}]})["targetInfos"]
        (target,) = (
            known["targetId"]
            for known in targets
            if known["type"] == "tab" and known["url"] == tab.url
        )
        extension = urlsplit(self.address).netloc
        session.send("Extensions.triggerAction", {"id": extension, "targetId": target})
        session.detach()

    def close_tabs(self) -> None:
        for tab in self.context.pages[1:]:
            tab.close()


def inject(tab: Tab) -> None:
    """Put the files of the extension into a page, in the world of its own scripts."""
    for file in PAGE_FILES:
        tab.evaluate((EXTENSION / file).read_text(encoding="utf-8"))
