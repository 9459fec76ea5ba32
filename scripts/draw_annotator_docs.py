"""Make the pictures of the annotator in docs/pictures: the sample site, marked in Chromium.

Run it as `python -m`.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright
from scripts import draw_ui_docs
from scripts.draw_ui_docs import PICTURES, ROOT, SITE, STILL, small
from tests.server.serving import serving

from pagelet.annotator.database import Database
from pagelet.annotator.marks import Mark
from pagelet.annotator.transfer import add_folder
from pagelet.sources.browser.options import find_browser

STORY = "news/fog-tomatoes.html"
SIZE = {"width": 1280, "height": 800}
TRAINING_MS = 120_000
MENU = "/html/body/nav[1]/ul"
LABELLED = ("news/wall-repair.html", "guides/germination-test.html")  #: pages with MENU
COLOURS = 220  #: kinds are told apart by theirs


def marked(tab: Page) -> None:
    """A story with marks of a person, and suggestions that wait."""
    tab.fill("#annotator", "Ines")
    opened(tab, STORY)
    frame = tab.frame_locator("#frame")
    frame.locator("#main-menu a").first.click()
    for key in ("ArrowUp", "ArrowUp", "m"):
        tab.keyboard.press(key)
    expect(tab.locator("#mark-list li")).to_have_count(1)
    frame.locator("article.entry h1").click()
    tab.keyboard.press("ArrowUp")
    tab.keyboard.press("c")
    expect(tab.locator("#mark-list li")).to_have_count(2)
    tab.select_option("#suggest", "clutter")
    expect(tab.locator("#mark-list li.proposed").first).to_be_visible()


def spread(tab: Page) -> None:
    """What was carried to the other pages."""
    tab.click("#spread")
    expect(tab.locator("#spread-dialog")).to_be_visible()


def opened(tab: Page, name: str) -> None:
    """A page by its name."""
    tab.locator(".page", has=tab.get_by_text(name, exact=True)).click()
    expect(tab.locator(".page[aria-current]")).to_contain_text(name)


def review(tab: Page) -> None:
    """Another annotator, roles by two keys, and disagreements to settle."""
    tab.locator("#spread-dialog").get_by_role("button", name="Close").click()
    tab.fill("#annotator", "Mairi")
    tab.locator("#annotator").blur()
    expect(tab.locator("#mark-list li")).to_have_count(0)
    frame = tab.frame_locator("#frame")
    frame.locator("article.entry h1").click()
    for key in ("ArrowUp", "ArrowUp", "c"):
        tab.keyboard.press(key)
    expect(tab.locator("#mark-list li")).to_have_count(1)
    frame.locator("article.entry h1").click()
    for key in ("b", "t", "g"):
        tab.keyboard.press(key)
        tab.wait_for_timeout(300)
    expect(tab.locator("#difference-list li")).to_have_count(2)


def train(tab: Page) -> None:
    """The scores of a model on folds, and the model in use."""
    tab.keyboard.press("Escape")
    tab.fill("#annotator", "Ines")
    tab.locator("#annotator").blur()
    tab.click("#train")
    tab.click("#train-start")
    expect(tab.locator("#training-step")).to_contain_text("trained", timeout=TRAINING_MS)
    tab.get_by_role("button", name="Use for suggestions").click()
    expect(tab.locator("#model-list .use")).to_have_text("In use")


SHOTS: dict[str, Callable[[Page], None]] = {
    "annotator": marked,
    "annotator-spread": spread,
    "annotator-review": review,
    "annotator-train": train,
}


def main() -> None:
    """Write every picture, one after the other in one tab."""
    draw_ui_docs.COLOURS = COLOURS
    with tempfile.TemporaryDirectory() as folder:
        database = Database(Path(folder) / "marks.sqlite")
        for name in ("skerrow", "another site"):
            project = database.ensure_project(name)
            add_folder(database, project, SITE)
            for page in database.list_pages(project):
                if page.name in LABELLED:
                    database.change_marks(page.id, "Ines", add=[Mark("menu", (MENU,))])
        database.close()
        with serving(Path(folder), "--workers", "1") as service, sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=find_browser(), args=["--no-sandbox"]
            )
            tab = browser.new_page(viewport=SIZE, reduced_motion="reduce")
            tab.goto(f"{service.url}/annotate?project=1")
            for name, act in SHOTS.items():
                act(tab)
                tab.mouse.move(0, 0)
                tab.wait_for_timeout(300)  # the boxes are drawn
                path = PICTURES / f"{name}.png"
                path.write_bytes(small(tab.screenshot(style=STILL), 1080))
                print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")
            browser.close()


if __name__ == "__main__":
    main()
