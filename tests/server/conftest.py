"""One service for all tests of a process, and the explorer in a browser."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.chromium import Network, browsing, noticing
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


@pytest.fixture
def explorer(window: Browser, service: Service) -> Iterator[Callable[..., Explorer]]:
    """Open the explorer; when the test is over, nothing was asked of any other host."""
    opened: list[Explorer] = []
    own = (f"{service.url}/", f"blob:{service.url}/", "data:")

    def start(fragment: str = "", **options: Any) -> Explorer:
        context = window.new_context(**WIDE | options)
        opened.append(Explorer(context.new_page(), service.url))
        return opened[-1].go(fragment)

    yield start
    for one in opened:
        one.close()
        assert one.errors == []
        assert [url for url in one.asked if not url.startswith(own)] == []
