"""The report in a browser: what a reader sees and does, and what a page cannot."""

import html
import re
from itertools import pairwise

import pytest
from playwright.sync_api import CDPSession

from pagelet.api import analyse
from pagelet.page.html import parse
from pagelet.pagelets import Pagelets
from pagelet.report import report
from pagelet.report.palette import KIND_LOOKS
from tests.barriers import barriers
from tests.places import SITE
from tests.report.hand_made import HOSTILE, found

REDRAWN = """new Promise((done) => {
  dispatchEvent(new Event("resize"));
  requestAnimationFrame(() => requestAnimationFrame(done));
})"""
SCROLLED = """last => new Promise((done) => {
  const seen = () => last.getBoundingClientRect().top < innerHeight;
  const look = () => (seen() ? done(true) : setTimeout(look));
  look();
})"""
#: left and right edge of each label, and whether nothing lies above it
UPPERMOST = """labels => {
  const root = labels[0].getRootNode();
  root.host.style.setProperty("pointer-events", "auto", "important");
  return labels.map((label) => {
    const { left, right, top, bottom } = label.getBoundingClientRect();
    const across = [left + 1, (left + right) / 2, right - 1];
    const above = across.map((x) => root.elementFromPoint(x, (top + bottom) / 2));
    return [left, right, above.every((each) => each === label)];
  });
}"""

NESTED = """<body style="margin: 0"><div style="height: 400px"><nav style="height: 200px">
<a href="https://example.org/">Home</a></nav> plain <i>text</i> and <i>more</i> of it</div>
<p style="display: none">hidden</p><p style="visibility: hidden">hidden too</p>
<ul style="margin: 0; padding: 0"><li style="float: left">floats</li></ul>
<div style="height: 3000px"></div><p id=last>last</p>"""
NESTED_MARKS = (
    ("clutter", "/html/body/div[1]", 2),
    ("menu", "/html/body/div[1]/nav", 0.97),
    ("noise", "/html/body/p[1]", 1),
    ("noise", "/html/body/p[2]", 1),
    ("slot", "/html/body/div[1]/text()[3]", 1),
    ("content", "/html/body/ul", 1),
    ("content", "/html/body/p[3]", 1),
)


@pytest.fixture
def nested(opened):
    page = parse(NESTED)
    shown = opened(report(page, found(page, *NESTED_MARKS)))
    shown.frame.locator(".box:visible").first.wait_for()
    return shown


def test_every_visible_pagelet_has_an_overlay(nested):
    assert nested.boxes() == [0, 1, 4, 5, 6]
    assert nested.errors == []


def test_overlays_lie_where_the_nodes_are(nested):
    node = nested.frame.locator("#last").bounding_box()
    box = nested.frame.locator('.box[data-number="6"]').bounding_box()
    around = {"y": node["y"] - 2, "height": node["height"] + 4, "x": 0, "width": node["width"]}
    assert box == around, "2 px outside the text, but not outside the page"
    text = nested.frame.locator('.box[data-number="4"]').bounding_box()
    assert text["width"] < 60, "the text between two elements, not the whole line"


def test_nested_overlays_do_not_hide_each_other(nested):
    outer = nested.frame.locator('.box[data-number="0"]').bounding_box()
    inner = nested.frame.locator('.box[data-number="1"]').bounding_box()
    assert inner["x"] - outer["x"] == inner["y"] - outer["y"] == 3
    labels = [label.bounding_box() for label in nested.frame.locator(".label:visible").all()]
    assert len(labels) >= 2
    assert labels[0]["x"] != labels[1]["x"]


NEST = "<body style='margin:0'>" + "<div>" * 6 + "<nav>text</nav>" + "</div>" * 6
NEST_STYLE = "<style>div { width: 900px } nav { height: 60px }</style>"


def test_every_label_of_nested_regions_can_be_read(opened):
    """None lies over another, and no outline crosses one, whatever their kinds."""
    page = parse(NEST_STYLE + NEST)
    kinds = ("menu", "segment", "record", "clutter", "links", "slot")
    marks = [(kind, f"/html/body{'/div' * at}", 0.5) for at, kind in enumerate(kinds, 1)]
    shown = opened(report(page, found(page, *marks)))
    shown.frame.locator(".label:visible").first.wait_for()
    labels = shown.frame.locator(".label:visible").evaluate_all(UPPERMOST)
    assert len(labels) == len([kind for kind in kinds if KIND_LOOKS[kind].labelled])
    assert all(upper for _left, _right, upper in labels)
    ordered = sorted(labels)
    assert all(one[1] <= two[0] for one, two in pairwise(ordered))


def test_hidden_pagelets_are_grey_in_the_list(nested):
    nested.tab.locator("li.unseen").first.wait_for()
    unseen = nested.tab.locator("li.unseen").evaluate_all("all => all.map(li => li.dataset.number)")
    assert unseen == ["2", "3"]


def test_legend_hides_a_kind(nested):
    chip = nested.tab.get_by_role("button", name="menu")
    assert chip.first.get_attribute("aria-pressed") == "true"
    chip.first.click()
    nested.frame.locator('.box[data-number="1"]').wait_for(state="hidden")
    assert nested.boxes() == [0, 4, 5, 6]
    assert not nested.tab.locator('li[data-number="1"]').is_visible()
    chip.first.press("Space")
    nested.frame.locator('.box[data-number="1"]').wait_for()
    assert nested.boxes() == [0, 1, 4, 5, 6]


def test_hovering_shows_the_reason(nested):
    nested.frame.locator("nav").hover()
    tip = nested.tab.locator("#tip")
    tip.wait_for()
    kinds = tip.locator(".kind").all_inner_texts()
    assert kinds == ["menu", "clutter"], "the innermost first"
    assert tip.locator("section").first.inner_text().split("\n") == [
        *("menu", "0.97", "method", "menu", "link ratio", "0.25", "why", "</script>")
    ]


def test_clicking_a_region_selects_it_and_then_the_one_around_it(nested):
    chosen = nested.tab.locator("li.chosen")
    nested.frame.locator("nav a").click()
    chosen.wait_for()
    assert chosen.get_attribute("data-number") == "1"
    nested.frame.locator("nav a").click()
    nested.tab.locator('li.chosen[data-number="0"]').wait_for()
    assert nested.frame.url == "about:srcdoc", "links lead nowhere"


def test_choosing_in_the_list_scrolls_to_the_region(nested):
    nested.tab.locator('li[data-number="6"] button').click()
    assert nested.frame.locator("#last").evaluate(SCROLLED)
    assert nested.frame.locator(".box.chosen").get_attribute("data-number") == "6"
    assert "link ratio" in nested.tab.locator("li.chosen .reason").inner_text()


def test_keys_reach_everything(nested):
    nested.tab.locator("#filter").focus()
    nested.tab.keyboard.press("Tab")
    nested.tab.keyboard.press("End")
    nested.tab.keyboard.press("ArrowUp")
    nested.tab.keyboard.press("Enter")
    assert nested.tab.locator("li.chosen").get_attribute("data-number") == "5"
    nested.tab.keyboard.press("Escape")
    assert nested.tab.locator("li.chosen").count() == 0


MANY = (
    "<style>nav, p { height: 60px }</style><body><nav>Menu</nav><main>"
    + "<p>kept</p>" * 2
    + "</main>"
    + "<p>gone</p>" * 9
)
MANY_MARKS = (
    *(("dropped", f"/html/body/p[{n}]", 0.1) for n in range(1, 10)),
    *(("content", f"/html/body/main/p[{n}]", 0.9) for n in (1, 2)),
    ("menu", "/html/body/nav", 1),
)


@pytest.fixture
def many(opened):
    page = parse(MANY)
    shown = opened(report(page, found(page, *MANY_MARKS)))
    shown.frame.locator(".box:visible").first.wait_for()
    return shown


def numbers(shown) -> list[int]:
    items = shown.tab.locator("#list li:visible").evaluate_all(
        "all => all.map(li => li.dataset.number)"
    )
    return [-1 if number is None else int(number) for number in items]


def test_dropped_blocks_are_hidden_at_first(many):
    assert many.boxes() == [9, 10, 11]
    assert numbers(many) == [11, 9, 10], "in page order"
    assert many.tab.locator("#count").inner_text() == "3 of 12 pagelets"
    chip = many.tab.locator("#legend [data-kind=dropped]")
    assert chip.get_attribute("aria-pressed") == "false"
    chip.click()
    assert numbers(many) == [11, 9, 10, *range(9)]
    many.frame.locator('.box[data-number="0"]').wait_for()
    assert many.boxes() == list(range(12))
    chip.press("Enter")
    assert numbers(many) == [11, 9, 10]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1680), ("dark", 390)], ids=str)
def test_no_barrier(opened, scheme, width):
    page = parse((SITE / "index.html").read_bytes())
    every = [analyse(page, name) for name in ("menu", "content")]
    size = {"width": width, "height": 800}
    shown = opened(report(page, every, folder=SITE), color_scheme=scheme, viewport=size)
    shown.tab.locator("#list li button").first.click()
    views = shown.tab.locator("#views button:visible")
    for view in views.all():
        view.click()
        assert barriers(shown.tab) == []


def test_a_dropped_block_can_be_chosen_in_the_page(many):
    many.frame.locator("body > p").nth(3).click()
    many.tab.locator("li.chosen").wait_for()
    assert numbers(many) == [11, 9, 10, 3]
    assert many.tab.locator("li.chosen").get_attribute("data-number") == "3"
    many.frame.locator(".spot").wait_for()
    many.tab.keyboard.press("Escape")
    many.frame.locator(".spot").wait_for(state="detached")
    assert numbers(many) == [11, 9, 10]


def test_labels_do_not_cover_what_is_read(many):
    visible = many.frame.locator(".label:visible").all_inner_texts()
    assert visible == ["menu 1"]
    many.frame.locator("main p").first.hover()
    many.frame.get_by_text("content 0.9").first.wait_for()


def test_effects_have_signs(opened):
    page = parse((SITE / "index.html").read_bytes())
    shown = opened(report(page, [analyse(page, "clutter")]))
    shown.tab.locator("#list li button").first.click()
    effects = shown.tab.locator("li.chosen dd.effects span:first-child").all_inner_texts()
    assert {each[0] for each in effects} == {"+", "−"}


def test_filter(nested):
    nested.tab.locator("#filter").fill("home")
    assert nested.tab.locator("#count").inner_text() == "2 of 7 pagelets"


def test_nothing_of_a_hostile_page_runs(opened, network):
    page = parse(HOSTILE)
    shown = opened(report(page, found(page, ("menu", "/html/body/nav", 1))))
    shown.frame.locator(".box:visible").wait_for()
    shown.tab.wait_for_timeout(500)
    assert shown.frame.evaluate("document.documentElement.dataset.ran") is None
    assert shown.errors == []
    assert shown.frame.url == "about:srcdoc"
    assert not network.asked("evil.example")


@pytest.mark.parametrize(
    ("host", "hostile"),
    [
        ("evil.example", re.sub("<meta[^>]*>|<iframe[^>]*>", "", HOSTILE)),
        ("picture.example", '<img src="https://picture.example/x.png">'),
        ("sheet.example", '<link rel="stylesheet" href="http://sheet.example/x.css">'),
        ("style.example", '<style>@import "http://style.example/x.css";</style>'),
        ("refresh.example", '<meta http-equiv="refresh" content="0;url=http://refresh.example">'),
    ],
    ids=lambda value: value if value.endswith(".example") else "",
)
def test_the_policy_holds_where_the_cleaning_fails(opened, network, host, hostile):
    page = parse("<p>x")
    text = report(page, found(page, ("menu", "/html/body/p", 1)))
    shown = opened(text.replace("<p data-pagelet", f"{html.escape(hostile)}<p data-pagelet", 1))
    shown.tab.wait_for_timeout(500)
    assert shown.frame.evaluate("document.documentElement.dataset.ran") is None
    assert not network.asked(host)


def test_a_page_of_the_web_loads_its_pictures(opened, network):
    page = parse("<p><img src=a.png>", url="http://site.example/x.html")
    shown = opened(report(page, found(page, ("menu", "/html/body/p", 1))))
    network.wait_for("site.example")
    assert shown.errors == []


def test_names_in_the_page_do_not_stand_in_for_what_the_drawing_uses(opened):
    page = parse(
        '<form name="createElement"><img name="addEventListener">'
        '<input id="checkVisibility"><input name="getBoundingClientRect"> text</form>'
    )
    shown = opened(report(page, found(page, ("menu", "/html/body/form", 1))))
    shown.frame.locator(".box:visible").wait_for()
    assert shown.errors == []


def test_only_the_frame_is_listened_to(nested):
    nested.tab.evaluate("postMessage({ type: 'click', number: 0 }, '*')")
    nested.tab.wait_for_timeout(100)
    assert nested.tab.locator("li.chosen").count() == 0


def test_declared_shadow_roots_are_drawn(opened):
    page = parse("<div><template shadowrootmode=open><p>in the shadow</p></template></div>")
    shown = opened(report(page, found(page, ("content", "/html/body/div/template/p", 1))))
    shown.frame.locator(".box:visible").wait_for()
    assert shown.boxes() == [0]


def test_an_empty_page_says_so(opened):
    shown = opened(report(parse(""), [Pagelets(parse(""), "menu", "default")]))
    assert shown.tab.locator("#nothing").inner_text() == "No pagelets found by menu."
    assert shown.errors == []


def test_the_sample_site(opened, network):
    page = parse((SITE / "index.html").read_bytes())
    every = [analyse(page, name) for name in ("menu", "clutter", "content")]
    shown = opened(report(page, every, folder=SITE))
    shown.frame.locator(".box[data-number]:visible").first.wait_for()
    kinds = [each.kind for result in every for each in result]
    assert shown.boxes() == [at for at, kind in enumerate(kinds) if kind != "dropped"]
    shown.tab.get_by_role("button", name="Content", exact=True).click()
    assert shown.tab.locator("#content h2").first.inner_text() == "Seed that knows the sea"
    assert "](" not in shown.tab.locator("#content").inner_text()
    assert not shown.tab.locator("#drawing").is_visible()
    assert shown.errors == []
    loaded = "[...document.images].every(img => img.complete && img.naturalWidth > 0)"
    assert shown.frame.evaluate(loaded)
    assert not any(map(network.asked, ("example.org", "example.com", "skerrow")))


def layouts(session: CDPSession) -> int:
    """How many times the browser has laid out a document so far."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return sum(int(each["value"]) for each in metrics if each["name"] == "LayoutCount")


def test_many_pagelets_are_drawn_in_a_few_layouts(opened):
    page = parse("<ul>" + "<li><a href=/a>one</a></li>" * 3000 + "</ul>")
    marks = [("noise", f"/html/body/ul/li[{n}]", 1) for n in range(1, 3001)]
    text = report(page, found(page, *marks))
    shown = opened(text)
    shown.frame.locator(".box").first.wait_for()
    session = shown.tab.context.new_cdp_session(shown.frame)
    session.send("Performance.enable")
    before = layouts(session)
    shown.frame.evaluate(REDRAWN)
    assert shown.frame.locator(".box").count() == 3000
    assert 0 < layouts(session) - before < 10  # not one per box
