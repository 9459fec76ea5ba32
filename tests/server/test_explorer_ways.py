"""The explorer by keyboard, in the dark, on a phone, and for everybody."""

import re
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from pagelet import METHODS, analyse
from pagelet.methods.menu.options import MenuOptions
from pagelet.report.document import KIND_COLOURS, UNLABELLED_KINDS
from tests.places import ROOT
from tests.server.browsing import HOME, MENU, Explorer

PACKAGE = ROOT / "src" / "pagelet"


def test_everything_by_keyboard(explorer):
    shown = explorer()
    shown.tab.locator("#html").focus()
    shown.tab.keyboard.insert_text(HOME)
    shown.tab.keyboard.press("Tab")
    shown.tab.keyboard.press("Enter")
    shown.drawn()
    shown.tab.keyboard.press("2")
    shown.counts("1 pagelet")
    shown.tab.keyboard.press("j")
    expect(shown.detail.locator(".path")).to_have_text(MENU)
    shown.tab.keyboard.press("]")
    expect(shown.tab.locator("#option-min_score")).to_have_value(
        f"{MenuOptions().min_score + 0.01:.2f}"
    )
    shown.tab.keyboard.press("p")
    expect(shown.tab.locator("#profile")).to_have_value("paper")
    shown.tab.keyboard.press("Escape")
    expect(shown.detail).to_be_hidden()
    shown.tab.keyboard.press("0")
    shown.tab.keyboard.press("/")
    shown.tab.keyboard.type("kettle")
    expect(shown.tab.locator("#list li:visible")).to_have_count(1)
    shown.tab.keyboard.press("Escape")
    shown.tab.keyboard.press("?")
    expect(shown.tab.locator("#keys")).to_be_visible()


def test_keys_work_inside_the_drawing_too(explorer):
    shown = explorer().paste(HOME)
    shown.frame.locator("h1").click()
    shown.tab.keyboard.press("3")
    third = list(METHODS)[2]
    shown.counts(f"{len(analyse(HOME, third))} pagelets")


def test_light_and_dark(explorer):
    shown = explorer(color_scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    seen = [shown.tab.evaluate(ground)]
    for _ in range(2):
        shown.tab.click("#theme")
        seen.append(shown.tab.evaluate(ground))
    assert seen == ["rgb(22, 25, 29)", "rgb(255, 255, 255)", "rgb(22, 25, 29)"]


def test_a_phone_shows_one_part_at_a_time(explorer):
    phone = {"width": 360, "height": 700}
    shown = explorer(viewport=phone, is_mobile=True, has_touch=True).paste(HOME)
    parts = {"controls": "#methods", "found": "#list", "page": "#one"}
    for part, within in parts.items():
        shown.tab.click(f"#panes [data-pane={part}]")
        expect(shown.tab.locator(within)).to_be_visible()
        for other in parts.keys() - {part}:
            expect(shown.tab.locator(parts[other])).to_be_hidden()


def test_no_serious_barrier(explorer):
    axe, shown = Axe(), explorer()
    found = serious(axe, shown)
    shown.paste(HOME).method("menu").tab.click("#list li button")
    found += serious(axe, shown)
    shown.tab.select_option("#compare", "clutter:paper")
    shown.tab.click("#theme")
    shown.tab.click("#theme")
    expect(shown.tab.locator("#agreement")).to_be_visible()
    found += serious(axe, shown)
    shown.tab.click("#help")
    assert found + serious(axe, shown) == []


def serious(axe: Any, shown: Explorer) -> list[tuple[str, str]]:
    """What axe-core finds in the explorer's own document; drawn pages are what they are."""
    context = {"include": [["html"]], "exclude": [["iframe"]]}
    violations = axe.run(shown.tab, context=context).response["violations"]
    return [
        (one["id"], node["html"])
        for one in violations
        for node in one["nodes"]
        if one["impact"] in ("serious", "critical")
    ]


def test_colours_are_those_of_the_report():
    text = (PACKAGE / "server" / "static" / "explorer" / "kinds.js").read_text()
    written = re.findall(r'^  (\w+): \["(#\w+)", "(#\w+)"\]', text, re.M)
    assert {kind: tuple(colours) for kind, *colours in written} == KIND_COLOURS
    unlabelled = re.search(r"UNLABELLED = \[(.*?)\]", text)
    assert unlabelled is not None
    assert tuple(re.findall(r'"(\w+)"', unlabelled[1])) == UNLABELLED_KINDS
    text = (PACKAGE / "annotator" / "static" / "annotator.css").read_text()
    marked = re.findall(r"^\.kind-(\w+) { --colour: (#\w+); --ink: (#\w+); }", text, re.M)
    assert {kind: tuple(colours) for kind, *colours in marked}.items() <= KIND_COLOURS.items()
    unmarked = set(KIND_COLOURS) - {kind for kind, *_ in marked}
    assert unmarked == {"dropped", "links", "record"}  # what nobody marks by hand
