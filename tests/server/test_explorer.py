"""The explorer as its users have it: pages opened, methods and options tried."""

import re
from collections.abc import Sequence

from playwright.sync_api import expect

from pagelet.api import analyse
from pagelet.page.html import parse
from pagelet.report.palette import KIND_LOOKS
from tests.server.browsing import HOME, MENU, PASTE, styled

OWN = KIND_LOOKS["slot"].words
KEEP_CLICKS = """() => {
  window.clicks = [];
  addEventListener("message", ({ data }) => data?.type === "click" && clicks.push(data), true);
}"""


def several(paths: Sequence[str]) -> str:
    return f"{paths[0]} and {len(paths) - 1} more"


def test_an_uploaded_page_is_drawn_with_the_answers_of_the_service(explorer, tmp_path):
    file = tmp_path / "home.html"
    file.write_text(HOME)
    shown = explorer("#m=all").upload(file)
    page = parse(HOME)
    every = [one for name in ("content", "menu", "clutter") for one in analyse(page, name)]
    wanted = sorted(every, key=lambda one: one.rows[0])  # as they stand in the page
    assert shown.rows() == [(one.kind, one.path or several(one.paths)) for one in wanted]
    expect(shown.boxes).to_have_count(sum(len(one.rows) for one in wanted))
    expect(shown.tab.locator("#where")).to_have_text("Skerrow Seed Library · home.html")


def test_regions_lie_over_their_nodes(explorer):
    shown = explorer().paste(HOME).method("menu")
    expect(shown.boxes).to_have_count(1)
    box = shown.boxes.first.bounding_box()
    node = shown.frame.locator("nav > ul").bounding_box()
    assert all(abs(box[side] - node[side]) <= 4 for side in box)


def test_pasted_html_is_drawn(explorer):
    shown = explorer().analyse(HOME).method("menu")
    assert shown.rows() == [("menu", MENU)]
    shown.tab.click("#new")
    shown.tab.evaluate("document.activeElement.blur()")
    shown.paste("<title>Other</title><p>No menu here.").counts("0 pagelets")
    expect(shown.tab.locator("#where")).to_contain_text("Other")


def test_several_dropped_files_are_a_site(explorer):
    names = ("index.html", "rules.html", "open-day.html", "search.html")
    shown = explorer().drop(*((name, styled(name)) for name in names)).method("template")
    expect(shown.tab.locator("#list .kind").first).to_have_text(OWN)
    assert (OWN, "/html/body/div[2]/main/div") in shown.rows()


def test_bytes_are_read_in_their_encoding(explorer, tmp_path):
    file = tmp_path / "old.html"
    file.write_bytes('<meta charset="iso-8859-2"><title>Łódź</title><p>x'.encode("iso-8859-2"))
    expect(explorer().upload(file).tab.locator("#where")).to_have_text("Łódź · old.html")


def test_a_refusal_is_told(explorer):
    shown = explorer()
    shown.tab.route(
        "**/v1/inspect", lambda route: route.fulfill(status=413, json={"message": "big"})
    )
    shown.tab.fill("#html", "<p>x")
    shown.tab.get_by_role("button", name="Analyse HTML").click()
    expect(shown.tab.get_by_role("alert")).to_have_text("big")


# -- options -----------------------------------------------------------------------------------


def test_a_slider_answers_at_once_and_the_drawing_stays(explorer):
    shown = explorer().paste(HOME).method("menu")
    shown.frame.locator("body").evaluate("body => { body.kept = true }")
    before = len(shown.asked)
    shown.move("min_score", 0.95)
    shown.counts("0 pagelets")
    expect(shown.boxes).to_have_count(0)
    assert {url.rpartition("/")[2] for url in shown.asked[before:]} == {"menu"}
    assert shown.frame.locator("body").evaluate("body => body.kept")


def test_what_would_change_the_decision_can_be_tried(explorer):
    shown = explorer().paste(HOME).method("menu")
    menu = analyse(parse(HOME), "menu")[0]
    score = menu.score
    shown.move("min_score", 0.95)
    expect(shown.detail).to_contain_text(
        f"{score:.0%} likely the menu; needed 95 %".replace("%", " %", 1)
    )
    shown.detail.locator(".set").click()
    shown.counts("1 pagelet")
    shown.tab.click("#list li button")
    expect(shown.detail.locator(".lines .met")).to_contain_text("likely the menu; needed")
    assert shown.detail.locator(".effects dt").all_inner_texts() == [
        each["text"] for each in menu.why
    ]
    shown.detail.locator(".set").click()
    shown.counts("0 pagelets")


def test_a_click_on_what_is_no_pagelet_tells_why_not(explorer):
    shown = explorer().paste(HOME).method("clutter")
    shown.tab.select_option("#profile", "paper")
    shown.move("text_threshold", 0.6)
    expect(shown.tab.locator("#list .path").last).to_have_text("/html/body/footer/div")
    shown.counts("7 pagelets")
    shown.frame.locator("footer").click(position={"x": 3, "y": 3})
    expect(shown.detail.locator("h2")).to_have_text("No clutter here: 1")
    expect(shown.detail.locator(".missed").first).to_contain_text("needed 0.6")


def test_a_click_means_what_was_drawn_when_it_was_made(explorer):
    """A click may be on its way while the answer changes: its number is that of older items."""
    shown = explorer()
    shown.tab.evaluate(KEEP_CLICKS)
    shown.paste(HOME).method("clutter")
    shown.counts("7 pagelets")
    shown.frame.locator("footer").click(position={"x": 3, "y": 3})
    expect(shown.detail.locator(".path")).to_have_text("/html/body/footer")
    old = shown.tab.evaluate("clicks.at(-1)")
    shown.tab.select_option("#profile", "paper")
    expect(shown.detail).to_contain_text("clutter, paper")
    shown.move("text_threshold", 0.6)
    expect(shown.tab.locator("#list .path").last).to_have_text("/html/body/footer/div")
    shown.frame.locator("body").evaluate("(_, old) => parent.postMessage(old, '*')", old)
    expect(shown.detail.locator("h2")).to_have_text("No clutter here: 1")


def test_a_click_on_a_dropped_block_tells_why_it_is_no_content(explorer):
    shown = explorer().paste(HOME).method("content")
    offer = shown.detail.get_by_role("button", name="favor → recall")
    with shown.tab.expect_response("**/v1/content"):  # what would change is tried first
        shown.frame.locator("footer p").first.click()
    expect(shown.detail.locator("h2")).to_contain_text("dropped")
    shown.frame.get_by_text("The Net Loft, 3 Capstan Lane").first.click()
    expect(shown.detail).to_contain_text("The Net Loft")
    offer.click()
    expect(shown.tab.locator("#option-favor")).to_have_value("recall")
    expect(shown.detail.locator("h2")).to_contain_text("content")
    with shown.tab.expect_response("**/v1/content"):
        shown.frame.locator("footer p").first.click()
    expect(shown.detail.locator("h2")).to_contain_text("dropped")
    expect(shown.detail.locator(".set")).to_have_count(0)  # recall leaves it out too


def test_a_click_chooses_the_innermost_and_then_the_one_around(explorer):
    shown = explorer("#m=all").paste(HOME)
    for title in ("menu", "clutter", "menu"):
        shown.frame.locator("nav").get_by_text("Forum").first.click()
        expect(shown.detail.locator("h2")).to_contain_text(title)


def test_the_threshold_of_segments_is_a_slider(explorer):
    shown = explorer(viewport={"width": 1700, "height": 900}).paste(HOME)
    with shown.tab.expect_response("**/v1/segments"):
        shown.method("segments")
    with shown.tab.expect_response("**/v1/segments"):
        shown.tab.select_option("#option-method", "bcs")
    counts = []
    for threshold in (0.1, 0.75):
        with shown.tab.expect_response("**/v1/segments") as answer:
            shown.move("threshold", threshold)
        told = answer.value.json()
        assert told["segments"]["threshold"] == threshold
        assert told["layout"]["placed"] == told["layout"]["given"] > 100
        noun = "pagelet" if len(told["pagelets"]) == 1 else "pagelets"
        shown.counts(f"{len(told['pagelets'])} {noun}")
        counts.append(len(told["pagelets"]))
    assert counts[0] > counts[1]


def test_controls_are_those_that_the_service_lists(explorer, service):
    shown = explorer().paste(HOME)
    with service.client() as client:
        methods = client.get("/v1/methods").json()["methods"]
    for method in methods:
        shown.method(method["name"])
        found = shown.tab.locator("#options [data-option]")
        expect(found.first).to_be_attached()
        names = set(found.evaluate_all("all => all.map(one => one.dataset.option)"))
        listed = {option["name"] for option in method["options"]}
        marked = {
            o["name"]
            for o in method["options"]
            if re.fullmatch("paper profile|method (?:cetd|bcs|vips)", o["applies_to"])
        }
        assert listed - marked <= names <= listed
        assert not names & marked


def test_a_profile_has_options_of_its_own(explorer):
    shown = explorer().paste(HOME).method("menu")
    expect(shown.tab.locator("#option-candidate_threshold")).to_have_count(0)
    shown.tab.select_option("#profile", "paper")
    expect(shown.tab.locator("#option-candidate_threshold")).to_have_value("0.85")
    shown.tab.click("#list li button")
    expect(shown.detail.locator(".lines .met")).to_contain_text("needed 0.85")


def test_two_methods_side_by_side(explorer):
    shown = explorer().paste(HOME).method("menu")
    shown.tab.select_option("#compare", "clutter:paper")
    expect(shown.tab.locator("#agreement")).to_have_text(
        "0 in both, 1 only in A, 6 only in B: 0 % the same"
    )
    expect(shown.boxes).to_have_count(1)
    expect(shown.tab.frame_locator("#two").locator("pagelet-overlays .box:visible")).to_have_count(
        6
    )
    expect(shown.tab.locator("#list .where")).to_have_text(["B", "B", "A", *["B"] * 4])
    shown.tab.select_option("#compare", "")
    expect(shown.tab.locator("#two")).to_be_hidden()


def test_the_second_drawing_is_outlined_again_when_the_method_changes(explorer):
    shown = explorer().paste(HOME).method("menu")
    shown.tab.select_option("#compare", "menu:paper")
    second = shown.tab.frame_locator("#two").locator("pagelet-overlays .box:visible")
    for name, told in (
        ("content", "1 only in B"),
        ("menu", "1 in both"),
        ("clutter", "1 only in B"),
    ):
        shown.method(name)
        expect(shown.tab.locator("#agreement")).to_contain_text(told)
        expect(second).to_have_count(1)


def test_a_template_without_a_site_tells_what_is_missing(explorer):
    shown = explorer().paste(HOME).method("template")
    expect(shown.tab.locator("#nothing")).to_contain_text(
        "open this page together with other pages of its site"
    )
    shown.method("menu")
    expect(shown.tab.locator("#nothing")).to_be_hidden()
    shown.tab.fill("#filter", "no such words")
    expect(shown.tab.locator("#nothing")).to_have_text("No pagelet matches.")


def test_an_address_that_may_not_be_loaded_is_told(explorer):
    shown = explorer()
    expect(shown.tab.locator("#url-note")).to_contain_text("--allow-fetch")
    shown.tab.evaluate(PASTE, "https://example.org/")
    expect(shown.tab.get_by_role("alert")).to_contain_text("does not load addresses")
    linked = explorer("#u=https%3A%2F%2Fexample.org%2F")
    expect(linked.tab.locator("#absent")).to_contain_text("does not contain the page")


def test_a_pagelet_stands_below_the_one_that_it_lies_in(explorer):
    shown = explorer("#m=all").paste(HOME)
    inner = shown.tab.locator('#list li[aria-level="2"]:visible')
    expect(inner.locator(".path")).to_have_text([MENU])
    shown.tab.click("#legend [data-kind=clutter]")
    expect(inner).to_have_count(0)
    shown.tab.click("#legend [data-kind=clutter]")
    expect(inner).to_have_count(1)


def test_kinds_can_be_hidden(explorer):
    shown = explorer("#m=all").paste(HOME)
    shown.tab.click("#legend [data-kind=content]")
    expect(shown.boxes).to_have_count(len(analyse(HOME, "menu")) + len(analyse(HOME, "clutter")))
    shown.tab.click("#legend [data-kind=dropped]")
    expect(shown.tab.locator("#list li:visible").first).to_contain_text("dropped")
