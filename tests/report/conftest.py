"""A browser that opens reports, and a network that notices whatever leaves it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Frame
from playwright.sync_api import Page as Tab

from tests.chromium import Network, Room, browsing, noticing

#: A window with room for a page at full width: the tools of the browser miss scaled frames.
WIDE = {"viewport": {"width": 1680, "height": 720}}


@pytest.fixture(scope="module")
def network() -> Iterator[Network]:
    with noticing() as started:
        yield started


@pytest.fixture(scope="module")
def browser(network) -> Iterator[Browser]:
    with browsing(network) as started:
        yield started


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


@pytest.fixture(scope="module")
def room(browser, tmp_path_factory) -> Room:
    """The room of all reports that ask for no other."""
    file = tmp_path_factory.mktemp("room") / "empty.html"
    file.touch()
    return Room(browser, file.as_uri(), **WIDE)


@pytest.fixture
def opened(browser, room, tmp_path):
    alone = []

    def open_report(text: str, **options) -> Opened:
        file = tmp_path / "report.html"
        file.write_text(text, encoding="utf-8")
        if not options:
            return Opened(room.open(), file)
        alone.append(browser.new_page(**WIDE | options))
        return Opened(alone[-1], file)

    yield open_report
    for tab in alone:
        tab.close()
    room.tidy()
