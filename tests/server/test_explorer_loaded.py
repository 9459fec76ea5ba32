"""Pages that the service loads for the explorer: drawn with their files, asked for once."""

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler

import pytest
from playwright.sync_api import expect

from tests.chromium import wait_until
from tests.server.browsing import SITE, Explorer
from tests.server.serving import Service, serving
from tests.sources.loopback import Loopback, running


class Handler(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def send_head(self):
        self.server.requests.append(self.path)
        return super().send_head()


@pytest.fixture(scope="module")
def site() -> Iterator[Loopback]:
    with running(Loopback(partial(Handler, directory=str(SITE)))) as server:
        yield server


@pytest.fixture(scope="module")
def fetching(tmp_path_factory: pytest.TempPathFactory, site: Loopback) -> Iterator[Service]:
    allowed = ("--allow-fetch", "--allow-private", site.place, "--no-render", "--workers", "1")
    with serving(tmp_path_factory.mktemp("fetching"), *allowed) as started:
        yield started


def test_a_loaded_page_is_drawn_as_it_looks_and_loaded_once(fetching, site, window):
    shown = Explorer(window.new_page(), fetching.url).go()
    shown.tab.fill("#url", f"{site.place}/index.html")
    shown.tab.click("#load button")
    shown.drawn().method("menu")
    shown.move("min_score", 0.95)
    shown.counts("0 pagelets")
    expect(shown.frame.locator("body > nav")).to_have_css("background-color", "rgb(18, 80, 91)")
    picture = shown.frame.locator("img").first
    wait_until(lambda: picture.evaluate("image => image.naturalWidth") > 0, "no picture")
    shown.tab.click("#link")
    address = shown.tab.input_value("#address")
    again = Explorer(window.new_page(), fetching.url).go(address[address.index("#") :]).drawn()
    again.counts("0 pagelets")
    assert shown.errors + again.errors == []
    elsewhere = [url for url in shown.asked if not url.startswith(fetching.url)]
    assert [url for url in elsewhere if not url.startswith("data:")] == []
    assert [path for path in site.requests if path == "/index.html"] == ["/index.html"] * 2


def test_a_loaded_page_stays_one_when_pages_are_added(fetching, site, window):
    tab = window.new_page()
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=fetching.url)
    shown = Explorer(tab, fetching.url).go(f"#u={site.url}/index.html").drawn()
    tab.set_input_files("#site-files", [SITE / "rules.html", SITE / "open-day.html"])
    expect(tab.locator("#site-note")).to_contain_text("2 other pages")
    nav = shown.frame.locator("body > nav")
    expect(nav).to_have_css("background-color", "rgb(18, 80, 91)")
    tab.select_option("#copy-as", "python")
    expect(tab.locator("#status")).to_have_text("python copied")
    assert f'pagelet.load("{site.url}/index.html")' in tab.evaluate(
        "navigator.clipboard.readText()"
    )
    tab.reload()
    shown.drawn()
    expect(tab.locator("#site-note")).to_contain_text("2 other pages")
    expect(nav).to_have_css("background-color", "rgb(18, 80, 91)")
    assert shown.errors == []
