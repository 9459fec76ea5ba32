"""The service and the browser of the tests of the server, and the annotator in a tab."""

from collections.abc import Iterator, Sequence
from urllib.parse import quote

import pytest
from playwright.sync_api import APIRequestContext, Browser, expect

from pagelet.annotator.routes import API
from tests.annotator.annotating import LIKE, SITE, STORY
from tests.annotator.desk import Desk
from tests.chromium import Room
from tests.server.conftest import elsewhere, service, window
from tests.server.serving import Service

__all__ = ["desk", "elsewhere", "service", "window"]
FILES = [*(STORY, *LIKE), "css/style.css", "img/logo.svg", "forum/index.html"]


def add_project(client: APIRequestContext, api: str, name: str, files: Sequence[str]) -> int:
    """A project with files of the sample site, over HTTP; its number."""
    number = client.post(f"{api}/projects", data={"name": name}).json()["id"]
    for file in files:
        address = f"{api}/projects/{number}/pages?name={quote(file)}"
        assert client.post(address, data=(SITE / file).read_bytes()).ok, file
    return number


@pytest.fixture(scope="module")
def room(window: Browser, service: Service) -> Room:
    """The room of all desks."""
    screen = {"width": 1400, "height": 900}
    return Room(window, f"{service.url}/docs", viewport=screen, accept_downloads=True)


@pytest.fixture
def desk(room: Room, service: Service, request: pytest.FixtureRequest) -> Iterator[Desk]:
    """A project of its own, with some pages of the sample site.

    A module with few pages in FILES is faster.
    """
    names = getattr(request.module, "FILES", FILES)
    tab = room.open()
    opened = Desk(tab, service.url)
    project = add_project(room.context.request, service.url + API, request.node.name, names)
    tab.add_init_script("localStorage.annotator ??= 'Ann'")
    tab.goto(f"{service.url}/annotate?project={project}")
    expect(tab.locator("#project option:checked")).to_contain_text(request.node.name)
    expect(tab.locator(".page[aria-current]")).to_be_attached()
    expect(tab.locator("#problem")).to_be_hidden()
    expect(tab.locator("#page-list li")).to_have_count(
        sum(name.endswith(".html") for name in names)
    )
    opened.open(tab.locator(".page").first.locator("span").first.inner_text())
    yield opened
    room.tidy()
    assert opened.wrong == []
