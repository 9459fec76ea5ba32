"""A server for each test, one browser for all, and no proxy of the machine in between."""

from collections.abc import Iterator

import pytest

from pagelet.sources.browser.render import Browser
from tests.sources.drawing import OPTIONS
from tests.sources.site import Site, served


@pytest.fixture
def site() -> Iterator[Site]:
    with served() as server:
        yield server


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Starts with the first page that is drawn."""
    with Browser(OPTIONS) as started:
        yield started


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
