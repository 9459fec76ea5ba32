"""The service, the site and the browser with the extension, each started once for all files."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page as Tab
from playwright.sync_api import Playwright, sync_playwright

from tests.chromium import PATIENCE, find_chromium
from tests.extension.driving import FLAGS, KEEP, TOKEN, Chromium, Pages, Popup, serving
from tests.sources.loopback import running


@pytest.fixture(scope="package")
def service() -> Iterator[str]:
    with serving() as address:
        yield address


@pytest.fixture(scope="package")
def site() -> Iterator[Pages]:
    with running(Pages()) as server:
        yield server


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """One for all browsers: a second one is refused while the first runs."""
    with sync_playwright() as running_playwright:
        yield running_playwright


@pytest.fixture(scope="package")
def started(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    context = playwright.chromium.launch_persistent_context(
        tmp_path_factory.mktemp("profile"),
        executable_path=find_chromium(),
        headless=False,
        args=list(FLAGS),
    )
    context.set_default_timeout(PATIENCE)
    yield Chromium(context)
    context.close()


@pytest.fixture
def chromium(started: Chromium) -> Iterator[Chromium]:
    yield started
    started.close_tabs()


@pytest.fixture
def article(chromium: Chromium, site: Pages) -> Tab:
    """A page of the sample site."""
    return chromium.open(f"{site.url}/news/wall-repair.html")


@pytest.fixture
def popup(chromium: Chromium, article: Tab, service: str) -> Popup:
    """The popup on that page, paired with the service."""
    opened = chromium.popup(article)
    opened.tab.evaluate(KEEP, {"address": service, "token": TOKEN})
    return opened


@pytest.fixture(scope="package")
def tab(playwright: Playwright) -> Iterator[Tab]:
    """A tab without the extension, for files of it that work on any page."""
    browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
    opened = browser.new_page(viewport={"width": 1000, "height": 700})
    opened.set_default_timeout(PATIENCE)
    yield opened
    browser.close()
