"""The annotator in a tab of Chromium, with a project of its own."""

from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import ConsoleMessage, expect
from playwright.sync_api import Page as Tab

#: What browsers write of a refusal, and of the scripts that Playwright tries in the frame.
USUAL = ("status of 409", "'allow-scripts' permission is not set")
GRAVE = ("serious", "critical")
COLOUR_RULES = ["color-contrast", "link-in-text-block"]  #: of those that axe-core runs by itself


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


def check(tab: Tab, *, colours_only: bool = False) -> None:
    """Nothing that axe-core calls serious; the drawn page is not ours."""
    ours = {"exclude": [["#frame"]]}
    how: dict[str, object] = {
        "preload": False
    }  # else it makes copies of style sheets, which the policy forbids
    if colours_only:
        how["runOnly"] = {"type": "rule", "values": COLOUR_RULES}
    found = Axe().run(tab, context=ours, options=how).response["violations"]
    grave = [
        (each["id"], [node["html"][:120] for node in each["nodes"]])
        for each in found
        if each["impact"] in GRAVE
    ]
    assert grave == []


def check_schemes(tab: Tab) -> None:
    """The same in light and in dark, which differ in their colours alone."""
    tab.emulate_media(color_scheme="dark")
    check(tab, colours_only=True)
    tab.emulate_media(color_scheme="light")
    check(tab)
