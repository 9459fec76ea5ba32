"""The explorer in a tab: what a reader does there, and what is seen."""

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, FrameLocator, Page, expect

from tests.places import SITE

STYLE = (SITE / "css" / "style.css").read_text()
LINK = re.compile(r"<link[^>]*stylesheet[^>]*>")
PASTE = """text => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  document.body.dispatchEvent(new ClipboardEvent("paste", {clipboardData, bubbles: true}));
}"""
DROP = """files => {
  const dataTransfer = new DataTransfer();
  for (const [name, text] of files) {
    dataTransfer.items.add(new File([text], name, {type: "text/html"}));
  }
  document.body.dispatchEvent(new DragEvent("drop", {dataTransfer, bubbles: true}));
}"""
MOVE = """(slider, value) => {
  slider.value = value;
  slider.dispatchEvent(new Event("input", {bubbles: true}));
}"""


def styled(name: str) -> str:
    """A page of the sample site with its style sheet in it."""
    return LINK.sub(f"<style>{STYLE}</style>", (SITE / name).read_text())


HOME = styled("index.html")
MENU = "/html/body/nav/ul"  #: of that page


class Explorer:
    """A tab with the explorer, what it asked for, and what went wrong."""

    def __init__(self, tab: Page, url: str) -> None:
        self.tab, self.url = tab, url
        self.errors: list[str] = []
        self.asked: list[str] = []
        self.dialogs: list[str] = []
        tab.on("pageerror", lambda error: self.errors.append(str(error)))
        tab.on("request", lambda request: self.asked.append(request.url))
        tab.on("dialog", lambda dialog: (self.dialogs.append(dialog.message), dialog.dismiss()))

    def go(self, fragment: str = "") -> "Explorer":
        self.tab.goto(f"{self.url}/{fragment}")
        expect(self.tab.locator("#methods [role=tab]").first).to_be_attached()
        return self

    def paste(self, html: str) -> "Explorer":
        self.tab.evaluate(PASTE, html)
        return self.drawn()

    def drop(self, *files: tuple[str, str]) -> "Explorer":
        self.tab.evaluate(DROP, [list(file) for file in files])
        return self.drawn()

    def upload(self, *files: Path) -> "Explorer":
        self.tab.set_input_files("#file", files)
        return self.drawn()

    def analyse(self, html: str) -> "Explorer":
        """Paste into the field of the first screen."""
        self.tab.fill("#html", html)
        self.tab.get_by_role("button", name="Analyse HTML").click()
        return self.drawn()

    def drawn(self) -> "Explorer":
        expect(self.tab.locator("#status")).to_contain_text("done in")
        self.frame.locator("pagelet-overlays").wait_for(state="attached")
        return self

    def method(self, name: str) -> "Explorer":
        self.tab.click(f"#method-{name}")
        return self

    def move(self, option: str, value: float) -> None:
        self.tab.locator(f"#option-{option}").evaluate(MOVE, value)

    def counts(self, told: str) -> None:
        expect(self.tab.locator("#count")).to_have_text(told)

    def rows(self) -> list[tuple[str, str]]:
        """Kind and path of all that is listed."""
        return [
            (row.locator(".kind").inner_text(), row.locator(".path").inner_text())
            for row in self.tab.locator("#list li:visible").all()
        ]

    def file(self, format: str) -> Path:
        with self.tab.expect_download() as download:
            self.tab.select_option("#export", format)
        return Path(download.value.path())

    def focused(self) -> str:
        """The name of the element that has the focus."""
        return str(self.tab.evaluate("document.activeElement.tagName"))

    @property
    def frame(self) -> FrameLocator:
        return self.tab.frame_locator("#one")

    @property
    def boxes(self) -> Any:
        return self.frame.locator("pagelet-overlays .box:visible")

    @property
    def detail(self) -> Any:
        return self.tab.locator("#detail")

    def close(self) -> None:
        try:
            self.tab.context.close()
        except Error:  # the browser is gone already
            return
