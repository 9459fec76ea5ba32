"""How pages come into the explorer, what stays with them, and what goes when they do."""

import re

from playwright.sync_api import expect
from scripts.write_large_page import write_large_page

from pagelet import analyse
from tests.chromium import wait_until
from tests.places import SITE
from tests.server.browsing import HOME, Explorer, styled

ENTROPY = " ".join(f"{n * 7919 % 100_003:x}{n * 104_729 % 999_983:x}" for n in range(9000))


def test_the_first_screen_takes_a_sample_and_says_what_is_missing(explorer):
    shown = explorer()
    expect(shown.tab.locator("#url")).to_be_focused()
    shown.tab.keyboard.press("Enter")
    alert = shown.tab.get_by_role("alert")
    expect(alert).to_have_text("Type the address of a page first.")
    shown.tab.fill("#url", "example.com")
    shown.tab.keyboard.press("Enter")
    expect(alert).to_contain_text("does not load addresses")
    shown.tab.get_by_role("button", name="Try the sample page").click()
    shown.drawn()
    expect(shown.tab.locator("#where")).to_contain_text("How a harbour freezes")
    expect(alert).to_be_hidden()
    assert shown.focused() == "BUTTON"


def test_a_large_page_survives_a_reload_and_is_among_the_recent_ones(explorer):
    shown = explorer().paste(f"{HOME}<!-- {ENTROPY} -->").method("menu")
    shown.counts("1 pagelet")
    expect(shown.tab).to_have_url(re.compile("m=menu.*d="))
    shown.tab.reload()
    shown.drawn().counts("1 pagelet")
    shown.tab.fill("#filter", "home")
    shown.tab.click("#list li button")
    shown.tab.click("#new")
    expect(shown.tab.locator("#count")).to_have_text("No page yet")
    expect(shown.detail).to_be_hidden()
    expect(shown.tab.locator("#legend button")).to_have_count(0)
    expect(shown.tab.locator("#filter")).to_have_value("")
    assert "#" not in shown.tab.url
    recent = shown.tab.locator("#recent-list button")
    expect(recent).to_have_count(1)
    recent.click()
    shown.drawn().counts("1 pagelet")
    shown.tab.click("#new")
    shown.tab.click("#forget")
    expect(shown.tab.locator("#recent")).to_be_hidden()
    assert shown.focused() != "BODY"


def test_a_link_holds_nothing_of_other_methods(explorer):
    shown = explorer().paste(HOME).method("clutter")
    shown.tab.select_option("#profile", "paper")
    shown.tab.click("#list li button")
    shown.method("menu").counts("1 pagelet")
    shown.tab.click("#link")
    address = shown.tab.input_value("#address")
    assert "m=menu" in address
    assert "clutter" not in address
    assert "paper" not in address


def test_a_folder_brings_the_style_sheets(explorer, tmp_path):
    folder = tmp_path / "site"
    (folder / "css").mkdir(parents=True)
    (folder / "css" / "style.css").write_bytes((SITE / "css" / "style.css").read_bytes())
    (folder / "index.html").write_bytes((SITE / "index.html").read_bytes())
    shown = explorer().upload(folder / "index.html")
    banner = shown.tab.locator("#banner")
    expect(banner).to_contain_text("1 style sheet is missing")
    shown.tab.set_input_files("#add-folder", folder)
    expect(banner).to_be_hidden()
    expect(shown.frame.locator("body > nav")).to_have_css("background-color", "rgb(18, 80, 91)")
    shown.tab.evaluate("document.activeElement.blur()")
    expect(shown.tab).to_have_url(re.compile("z="))
    shown.tab.reload()  # the link has the page alone; the rest is kept in this browser
    shown.drawn()
    expect(banner).to_be_hidden()
    expect(shown.tab.locator("#where")).to_contain_text("index.html")
    expect(shown.frame.locator("body > nav")).to_have_css("background-color", "rgb(18, 80, 91)")
    shown.tab.click("#new")
    shown.tab.set_input_files("#folder", folder)
    shown.drawn()
    expect(banner).to_be_hidden()


CLIPBOARD = {"permissions": ["clipboard-read", "clipboard-write"]}
#: What is said of programs for a page with others of its site.
COPIED = {
    "python": "python copied",
    "curl": "curl copied, without the other pages of the site",
}


def test_pages_of_the_site_are_added_to_an_open_page(explorer, tmp_path):
    shown = explorer(**CLIPBOARD).paste(HOME).method("template")
    expect(shown.tab.locator("#nothing")).to_contain_text("add other pages of the site")
    files = []
    for name in ("rules.html", "open-day.html", "search.html"):
        files.append(tmp_path / name)
        files[-1].write_text(styled(name))
    shown.tab.set_input_files("#site-files", files)
    expect(shown.tab.locator("#site-note")).to_contain_text("3 other pages")
    shown.tab.set_input_files("#site-files", files[:2])
    expect(shown.tab.locator("#problem")).to_have_text("These pages are here already.")
    expect(shown.tab.locator("#site-note")).to_contain_text("3 other pages")
    shown.tab.reload()
    shown.drawn()
    expect(shown.tab.locator("#site-note")).to_contain_text("3 other pages")
    expect(shown.tab.locator("#list .kind").first).to_have_text("the page's own part")
    for language, status in COPIED.items():
        shown.tab.select_option("#copy-as", language)
        expect(shown.tab.locator("#status")).to_have_text(status)
    shown.tab.locator("#list li button").first.click()
    expect(shown.detail).to_contain_text("other pages: the page's own part")
    shown.tab.click("#site-clear")
    expect(shown.tab.locator("#nothing")).to_be_visible()


def test_the_query_is_sent_with_the_page(explorer):
    shown = explorer().paste(HOME).method("noise")
    with shown.tab.expect_request("**/v1/noise") as asked:
        shown.tab.fill("#query", "tomato fog")
        shown.tab.keyboard.press("Enter")
    assert asked.value.post_data_json["query"] == ["tomato", "fog"]
    shown.tab.locator("#list li:visible button").first.click()
    expect(shown.detail.locator(".lines")).to_contain_text("likely content; needed 30 %")
    expect(shown.tab).to_have_url(re.compile(r"q=tomato"))
    shown.method("menu")
    expect(shown.tab.locator("#query-field")).to_be_hidden()
    expect(shown.tab).not_to_have_url(re.compile(r"q=tomato"))


def test_loading_shows_the_step_and_can_be_cancelled(explorer):
    shown = explorer()
    shown.tab.route("**/v1/inspect", lambda _: None)  # never answered
    shown.tab.fill("#html", HOME)
    shown.tab.get_by_role("button", name="Analyse HTML").click()
    expect(shown.tab.locator("#step")).to_contain_text("…")
    expect(shown.tab.locator("#progress")).to_be_visible()
    cancel = shown.tab.get_by_role("button", name="Cancel")
    expect(cancel).to_be_focused()
    cancel.click()
    expect(shown.tab.locator("#start")).to_be_visible()
    expect(shown.tab.locator("#status")).to_have_text("cancelled")
    assert shown.focused() != "BODY"


def test_a_page_that_takes_too_long_says_what_to_do(explorer):
    shown = explorer()
    told = {"error": "TooSlow", "message": "inspect: took more than 20 seconds; raise --timeout"}
    shown.tab.route("**/v1/inspect", lambda route: route.fulfill(status=503, json=told))
    shown.tab.evaluate("document.activeElement.blur()")
    shown.tab.fill("#html", HOME)
    shown.tab.get_by_role("button", name="Analyse HTML").click()
    expect(shown.tab.get_by_role("alert")).to_have_text(
        "This page took over 20 s: restart with pagelet serve --timeout 60"
    )


def test_reasons_of_a_large_page_are_fetched_one_by_one(explorer):
    """Its boxes are painted near the window alone."""
    rows = 1500
    blocks = list(analyse(write_large_page(rows), "content", explain=True))
    kept = sum(block.kind == "content" for block in blocks)
    shown = explorer().paste(write_large_page(rows))
    assert shown.tab.inner_text("#count") == f"{kept} of {len(blocks)} pagelets"
    painted = shown.frame.locator("pagelet-overlays .box").count()
    assert 50 < painted < rows
    with shown.tab.expect_request("**/v1/content") as asked:
        shown.tab.locator("#list li:visible button").nth(5).click()
    assert asked.value.post_data_json["path"].startswith("/html/body/main")
    shown.detail.locator(".effects dt").first.wait_for()  # to expect it, the tools read every row
    assert shown.tab.evaluate("document.querySelectorAll('#detail .links li').length") == 1
    with shown.tab.expect_response(lambda each: "brief" not in each.request.post_data) as whole:
        shown.tab.click("#tab-json")
    assert {"links", "reason"} <= whole.value.json()["pagelets"][0].keys()
    assert whole.value.json()["markdown"].startswith("# Register of harbours")


def test_pages_are_drawn_at_1280_pixels_and_scaled(explorer):
    shown = explorer(viewport={"width": 1280, "height": 800}).paste(HOME)
    wait_for_width(shown, 1280)
    box = shown.tab.locator("#one").bounding_box()
    room = shown.tab.locator(".hold").first.bounding_box()
    assert abs(box["width"] - room["width"]) < 2
    shown.tab.select_option("#width", "0")
    wait_for_width(shown, round(room["width"]))


def test_labels_keep_their_size_where_the_page_is_scaled(explorer):
    shown = explorer(viewport={"width": 1280, "height": 800}).paste(HOME).method("clutter")
    label = shown.frame.locator(".label:visible").first

    def seen() -> float:
        wide, room = (shown.tab.locator(each).first for each in ("#one", ".hold"))
        share = room.evaluate("e => e.clientWidth") / wide.evaluate("e => e.offsetWidth")
        return float(label.evaluate("label => label.offsetHeight")) * min(1.0, share)

    wait_until(lambda: 15 <= seen() <= 17, "labels are smaller than usual")
    shown.tab.select_option("#width", "0")
    wait_for_width(shown, shown.tab.locator(".hold").first.evaluate("hold => hold.clientWidth"))
    wait_until(lambda: label.evaluate("label => label.offsetHeight") == 16, "labels are larger")


def wait_for_width(shown: Explorer, width: int) -> None:
    """The frame has a process of its own, which is told of its size."""
    inner = shown.frame.locator("html")
    wait_until(lambda: inner.evaluate("() => innerWidth") == width, f"not {width} pixels wide")


def test_differences_can_be_walked(explorer):
    shown = explorer().paste(HOME).method("menu")
    shown.tab.select_option("#compare", "clutter:paper")
    expect(shown.tab.locator("#agreement")).to_contain_text("1 only in A, 6 only in B")
    shown.tab.locator("#differences").press("Space")  # a click might reach the old frame
    expect(shown.tab.locator("#differences")).to_be_checked()
    badges = shown.tab.locator("#list li:visible .where").all_inner_texts()
    assert set(badges) <= {"A", "B"}
    shown.tab.click("#next-difference")
    first = shown.tab.locator("#list li.chosen .path").inner_text()
    shown.tab.keyboard.press("n")
    expect(shown.tab.locator("#list li.chosen .path")).not_to_have_text(first)
    scores = shown.tab.locator("#list li:visible .score").all_inner_texts()
    assert all(score[:2] in ("A ", "B ") for score in scores)
