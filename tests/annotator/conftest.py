"""The service and the browser of the tests of the server, and the annotator in a tab."""

import shutil

import pytest
from playwright.sync_api import expect

from tests.annotator.annotating import LIKE, SITE, STORY
from tests.annotator.desk import Desk
from tests.server.conftest import elsewhere, service, window

__all__ = ["desk", "elsewhere", "service", "window"]
FILES = [*(STORY, *LIKE), "css/style.css", "img/logo.svg", "forum/index.html"]


@pytest.fixture
def desk(window, service, tmp_path, request):
    """A project of its own, with some pages of the sample site uploaded as a folder.

    A module with few pages in FILES is faster.
    """
    names = getattr(request.module, "FILES", FILES)
    folder = tmp_path / "site"
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SITE / name, folder / name)
    context = window.new_context(viewport={"width": 1400, "height": 900}, accept_downloads=True)
    tab = context.new_page()
    opened = Desk(tab, service.url)
    tab.goto(f"{service.url}/annotate")
    tab.fill("#annotator", "Ann")
    tab.click("#new-project")
    tab.fill("#project-name", request.node.name)
    tab.get_by_role("button", name="Create").click()
    expect(tab.locator("#project option:checked")).to_contain_text(request.node.name)
    tab.set_input_files("#folder", folder)
    expect(tab.locator(".page[aria-current]")).to_be_attached()
    expect(tab.locator("#problem")).to_be_hidden()
    expect(tab.locator("#page-list li")).to_have_count(
        sum(name.endswith(".html") for name in names)
    )
    opened.open(tab.locator(".page").first.locator("span").first.inner_text())
    yield opened
    assert opened.wrong == []
    context.close()
