"""The explorer by keyboard, in the dark, on a phone, and for everybody."""

import re

import pytest
from playwright.sync_api import expect

from pagelet import METHODS, analyse
from pagelet.methods.menu.options import MenuOptions
from pagelet.report.palette import KIND_LOOKS
from tests.barriers import barriers
from tests.places import ROOT
from tests.server.browsing import HOME, MENU

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
    shown.counts("20 of 76 pagelets")
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


def test_no_barrier(explorer):
    shown = explorer()
    found = barriers(shown.tab)
    shown.paste(HOME).method("menu").tab.click("#list li button")
    found += barriers(shown.tab)
    shown.tab.select_option("#compare", "clutter:paper")
    shown.tab.click("#theme")
    shown.tab.click("#theme")
    expect(shown.tab.locator("#agreement")).to_be_visible()
    found += barriers(shown.tab)
    shown.tab.click("#help")
    assert found + barriers(shown.tab) == []


@pytest.mark.parametrize(
    ("scheme", "width"), [("light", 390), ("dark", 390), ("dark", 1280)], ids=str
)
def test_no_barrier_in_the_dark_or_on_a_phone(explorer, scheme, width):
    shown = explorer("#m=all", color_scheme=scheme, viewport={"width": width, "height": 800})
    found = barriers(shown.tab)
    shown.paste(HOME)
    expect(shown.tab.locator("#list li").first).to_be_attached()
    found += barriers(shown.tab)
    for tab in ("markdown", "json", "table", "tree"):
        shown.tab.click(f"#tab-{tab}")
        expect(shown.tab.locator("#answer > *").first).to_be_attached()
        found += barriers(shown.tab)
    shown.tab.keyboard.press("j")
    for part in ("controls", "found") if width < 900 else ():
        shown.tab.click(f"#panes [data-pane={part}]")
        found += barriers(shown.tab)
    shown.tab.get_by_role("button", name="Always keep this").click()
    expect(shown.detail.locator(".effect")).to_contain_text("This ")
    assert found + barriers(shown.tab) == []


def test_every_button_has_a_tooltip_and_the_focus_stays(explorer):
    shown = explorer("#m=all").paste(HOME)
    shown.tab.locator("#list li:visible button").first.click()
    bare = shown.tab.evaluate(
        """() => [...document.querySelectorAll("button, .button, [role=tab]")]
          .filter((one) => one.checkVisibility() && !one.title).map((one) => one.outerHTML)"""
    )
    assert bare == []
    for press in ("#legend [data-kind=content]", "#method-menu", "#method-content", "#tab-text"):
        shown.tab.click(press)
        assert shown.focused() != "BODY", press
    shown.tab.keyboard.press("Escape")
    shown.tab.select_option("#option-favor", "recall")
    shown.tab.click("#reset")
    expect(shown.tab.locator("#reset")).to_be_disabled()
    assert shown.focused() != "BODY"


@pytest.mark.parametrize(
    "name",
    ["explorer/kinds.js", "explorer/explorer.css", "explorer/list.css", "../annotator.css"],
)
def test_no_interface_names_a_colour_of_a_kind(name):
    folder = PACKAGE / "server" / "static"
    path = PACKAGE / "annotator" / "static" / name[3:] if name.startswith("..") else folder / name
    text = path.read_text(encoding="utf-8")
    colours = {look.colour for look in KIND_LOOKS.values()}
    assert not colours & set(re.findall(r"#[0-9a-f]{6}", text))
