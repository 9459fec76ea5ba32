"""The annotator in a tab of Chromium, with a project of its own."""

from pathlib import Path

from playwright.sync_api import ConsoleMessage, expect
from playwright.sync_api import Page as Tab

#: What browsers write of a refusal, and of the scripts that Playwright tries in the frame.
USUAL = ("status of 409", "'allow-scripts' permission is not set")


class Desk:
    """The annotator in a tab, and what went wrong in it."""

    def __init__(self, tab: Tab, url: str) -> None:
        self.tab, self.url = tab, url
        self.wrong: list[str] = []
        self.asked: list[str] = []
        tab.on("pageerror", lambda error: self.wrong.append(str(error)))
        tab.on("console", self._said)
        tab.on("request", lambda request: self.asked.append(request.url))

    def _said(self, said: ConsoleMessage) -> None:
        if said.type == "error" and not any(usual in said.text for usual in USUAL):
            self.wrong.append(said.text)

    def open(self, name: str) -> None:
        self.tab.locator(".page", has=self.tab.get_by_text(name, exact=True)).click()
        expect(self.tab.locator(".page[aria-current]")).to_contain_text(name)
        expect(self.drawn("body")).to_be_attached()

    def drawn(self, selector: str):
        return self.tab.frame_locator("#frame").locator(selector).first

    def click(self, selector: str, **how) -> None:
        self.drawn(selector).click(position={"x": 4, "y": 4}, **how)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.tab.keyboard.press(key)

    def says(self, text: str) -> None:
        expect(self.tab.locator("#status")).to_contain_text(text)

    def has_marks(self, *kinds: str) -> None:
        expect(self.tab.locator("#mark-list strong")).to_have_text(list(kinds))


def downloaded(desk: Desk, what: str, folder: Path) -> Path:
    with desk.tab.expect_download() as coming:
        desk.tab.select_option("#export", what)
    path = folder / coming.value.suggested_filename
    coming.value.save_as(path)
    return path
