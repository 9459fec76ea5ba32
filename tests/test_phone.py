"""Report, explorer and annotator fit a phone, whatever fonts are installed."""

from collections.abc import Iterator
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Browser, expect
from playwright.sync_api import Page as Tab

from pagelet.api import analyse
from pagelet.page.html import parse
from pagelet.page.layout import Rendering
from pagelet.report import report
from tests.annotator.annotating import LIKE, STORY
from tests.chromium import FONTS, browsing, noticing
from tests.drawn import drawn
from tests.places import SITE
from tests.server.browsing import HOME, Explorer
from tests.server.conftest import service

__all__ = ["service"]

WIDTHS = (360, 390)  #: CSS pixels of usual phones
SIZE = {"width": 390, "height": 844}
WORD = "Seedlibrarycataloguesupplement" * 6
#: a page whose title, address and texts cannot be broken at spaces
LONG = (
    f"<title>{WORD}</title><nav><ul><li><a href=/{WORD}>{WORD}</a><li><a href=/b>b</a>"
    f"<li><a href=/c>c</a></ul></nav><main><h1>{WORD}</h1><p>{WORD}</main>"
)
PAGES = ("sample", "long words")
#: elements that stick out of the window and cannot be scrolled to within their own box
OUTSIDE = """width => [...document.querySelectorAll("body *")].filter((element) => {
  const { left, right, width: wide } = element.getBoundingClientRect();
  if (!wide || (left > -1 && right < width + 1)) return false;
  for (let box = element.parentElement; box !== document.body; box = box.parentElement) {
    if (getComputedStyle(box).overflowX !== "visible") return false;
  }
  return true;
}).map((element) => element.outerHTML.slice(0, 120))"""


def check(tab: Tab) -> None:
    """Nothing is wider than the window, and the browser did not zoom out."""
    for width in WIDTHS:
        tab.set_viewport_size(SIZE | {"width": width})
        assert tab.evaluate(OUTSIDE, width) == []
        assert tab.evaluate("[document.documentElement.scrollWidth, innerWidth]") == [width] * 2


@pytest.fixture(scope="module", params=FONTS)
def browser(request) -> Iterator[Browser]:
    with (
        noticing() as network,
        browsing(network, own="127.0.0.1", fonts=request.param) as started,
    ):
        yield started


def families(tab: Tab) -> set[str]:
    """Font families that the browser really draws a heading and a path with."""
    session = tab.context.new_cdp_session(tab)
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    session.send("CSS.enable")
    found = set()
    for selector in ("h1", "pre"):
        node = session.send("DOM.querySelector", {"nodeId": root, "selector": selector})
        used = session.send("CSS.getPlatformFontsForNode", {"nodeId": node["nodeId"]})
        found |= {font["familyName"] for font in used["fonts"]}
    return found


def test_the_fonts_are_those_of_the_set_up(browser, request):
    tab = browser.new_page()
    tab.set_content("<h1 style='font-family: Arial, system-ui'>Title</h1><pre>/html/body</pre>")
    expected = {
        "dejavu": {"DejaVu Sans", "DejaVu Sans Mono"},
        "liberation": {"Liberation Sans", "Liberation Mono"},
    }
    assert families(tab) == expected[request.node.callspec.params["browser"]]


def pictured(html: bytes) -> Rendering:
    """A page with boxes and a picture."""
    rendering, out = drawn(parse(html)), BytesIO()
    size = (int(rendering.layout.page_width), int(rendering.layout.page_height))
    Image.new("RGB", size).save(out, "PNG")
    return Rendering(rendering.page, rendering.layout, out.getvalue())


@pytest.mark.parametrize("html", [(SITE / "index.html").read_bytes(), LONG.encode()], ids=PAGES)
def test_report(browser, tmp_path, html):
    page = pictured(html)
    answers = [analyse(page, "menu"), analyse(page, "segments", profile="paper")]
    file = tmp_path / "report.html"
    file.write_text(report(page, answers, folder=SITE), encoding="utf-8")
    tab = browser.new_page(viewport=SIZE)
    tab.goto(file.as_uri())
    check(tab)
    tab.get_by_role("button", name="Picture", exact=True).click()
    check(tab)
    assert tab.locator("#threshold").bounding_box()["width"] > 60
    tab.locator("#list li:visible button").last.click()
    check(tab)


@pytest.mark.parametrize("html", [HOME, LONG], ids=PAGES)
def test_explorer(browser, service, html):
    context = browser.new_context(viewport=SIZE, is_mobile=True, has_touch=True)
    explorer = Explorer(context.new_page(), service.url).go()
    tab = explorer.tab
    check(tab)
    explorer.paste(html)
    for part, within in (("controls", "#methods"), ("found", "#list"), ("page", "#one")):
        tab.click(f"#panes [data-pane={part}]")
        expect(tab.locator(within)).to_be_visible()
        check(tab)
        assert tab.locator(f"#{part}").evaluate("part => part.scrollWidth <= part.clientWidth")
    tab.click("#panes [data-pane=found]")
    tab.locator("#list li:visible button").first.click()
    expect(explorer.detail).to_be_visible()
    check(tab)
    tab.click("#help")
    check(tab)


def test_annotator(browser, service, tmp_path, request):
    folder = tmp_path / "site"
    for name in (STORY, *LIKE):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes((SITE / name).read_bytes())
    (folder / f"{WORD[:90]}.html").write_text(LONG)
    tab = browser.new_page(viewport=SIZE)
    tab.goto(f"{service.url}/annotate")
    check(tab)
    expect(tab.locator("#new-project:visible, #frame:visible")).to_have_count(1)
    show(tab, "Pages")
    tab.click("#new-project")
    check(tab)
    name = f"{request.node.name} {WORD}"[:100]
    tab.fill("#project-name", name)
    tab.get_by_role("button", name="Create").click()
    expect(tab.locator("#project")).to_contain_text(name)
    tab.set_input_files("#folder", folder)
    expect(tab.locator("#page-list li")).to_have_count(len(LIKE) + 2)
    show(tab, "Pages")
    tab.locator(".page", has=tab.get_by_text(STORY, exact=True)).click()
    expect(tab.locator(".page[aria-current]")).to_contain_text(STORY)
    check(tab)
    tab.frame_locator("#frame").locator("article.entry h1").first.click()
    tab.keyboard.press("ArrowUp")
    tab.keyboard.press("c")
    expect(tab.locator("#mark-list strong")).to_have_text(["content"])
    tab.select_option("#suggest", "menu")
    show(tab, "Marks")
    expect(tab.locator("#mark-list strong")).to_have_text(["content", "menu"])
    show(tab, "Page")
    tab.click("#spread")
    expect(tab.locator("#spread-rows").get_by_role("button").first).to_be_in_viewport()
    check(tab)
    assert tab.locator(".wide").evaluate("table => table.scrollWidth <= table.clientWidth")


def show(tab: Tab, pane: str) -> None:
    """Go to one part of the annotator, which fits."""
    tab.locator("#panes").get_by_role("button", name=pane, exact=True).click()
    expect(tab.locator(f"#{pane.lower()}")).to_be_visible()
    check(tab)
