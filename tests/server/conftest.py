"""One service for all tests of a process, and the explorer in a browser."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.chromium import Network, Room, browsing, noticing
from tests.server.browsing import Explorer
from tests.server.serving import Service, serving

#: A window with room for a page at full width: the tools of the browser miss scaled frames.
WIDE = {"viewport": {"width": 1920, "height": 900}}


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Loads no pages, needs no token, and has two workers."""
    with serving(tmp_path_factory.mktemp("service"), "--workers", "2") as running:
        yield running


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[Network]:
    """All hosts but this machine."""
    with noticing() as started:
        yield started


@pytest.fixture(scope="module")
def window(elsewhere: Network) -> Iterator[Browser]:
    with browsing(elsewhere, own="127.0.0.1") as started:
        yield started


@pytest.fixture(scope="module")
def room(window: Browser, service: Service, request: pytest.FixtureRequest) -> Room:
    """The room of all tests that ask for no other; a module says in ROOM what is special in it."""
    return Room(window, f"{service.url}/docs", **WIDE | getattr(request.module, "ROOM", {}))


@pytest.fixture
def explorer(window: Browser, room: Room, service: Service) -> Iterator[Callable[..., Explorer]]:
    """Open the explorer; when the test is over, nothing was asked of any other host."""
    opened: list[Explorer] = []
    own = (f"{service.url}/", f"blob:{service.url}/", "data:")

    def start(fragment: str = "", **options: Any) -> Explorer:
        alone = options or opened  # a second one knows nothing of the first
        tab = window.new_context(**WIDE | options).new_page() if alone else room.open()
        opened.append(Explorer(tab, service.url))
        return opened[-1].go(fragment)

    yield start
    for one in opened:
        if one.tab.context is not room.context:
            one.close()
    room.tidy()
    for one in opened:
        assert one.errors == []
        assert [url for url in one.asked if not url.startswith(own)] == []
