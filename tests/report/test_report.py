"""The report: what it may hold, and where the pagelets are marked."""

import html
import json
import re

import pytest
import turbohtml

from pagelet.api import analyse
from pagelet.methods import METHODS
from pagelet.methods.menu.options import MenuOptions
from pagelet.page.html import parse
from pagelet.pagelets import KINDS, Pagelet, Pagelets
from pagelet.report import report
from pagelet.report.document import describe_likelihood, to_script_json
from pagelet.report.palette import KIND_LOOKS, OTHER_LOOK
from tests.places import SITE
from tests.report.hand_made import HOSTILE, drawing_of, found


def data_of(text: str) -> dict:
    element = turbohtml.parse(text).select_one("#data")
    assert element is not None
    return json.loads(element.text)


def test_is_self_contained():
    page = parse((SITE / "index.html").read_bytes())
    text = report(page, [analyse(page, "menu")], folder=SITE)
    document = turbohtml.parse(text)
    assert document.select("link, script[src], img") == []
    drawing = drawing_of(text)
    assert drawing.select("link[href], script[src]") == []
    pictures = drawing.select("img")
    assert pictures
    assert all((img.attr("src") or "").startswith("data:image/svg+xml") for img in pictures)
    assert any("--paper: #fbf8f0" in style.text for style in drawing.select("style"))
    assert "loads nothing from the network" in text


def test_takes_out_what_acts():
    drawing = drawing_of(report(parse(HOSTILE), []))
    (script,) = drawing.select("script")
    assert script.text.startswith('"use strict"')
    assert drawing.select("base, iframe, object, embed, noscript, set, animate, link") == []
    kept = [meta.attr("http-equiv") for meta in drawing.select("meta[http-equiv]")]
    assert kept == ["Content-Security-Policy", "x-dns-prefetch-control"]
    for element in drawing.select("*"):
        for name in element.attrs:
            assert not name.startswith("on")
            assert "script:" not in re.sub(r"\s", "", element.attr(name) or "")
    assert "https://evil.example" not in drawing.serialize()


def test_keeps_the_look():
    drawing = drawing_of(report(parse(HOSTILE), []))
    styles = "".join(style.text for style in drawing.select("style"))
    assert "rgb(1, 2, 3)" in styles
    assert "rgb(4, 5, 6)" in styles, "a style sheet for readers without scripts"
    assert drawing.select_one("nav#menu.top") is not None
    box = drawing.select_one("span[style]")
    assert box is not None
    assert "width:200px;height:80px" in (box.attr("style") or "")


@pytest.mark.parametrize("source", ["", " ", "<!-- -->", "<frameset><frame src=x></frameset>"])
def test_an_empty_page_is_a_report(source):
    page = parse(source)
    without_boxes = [name for name, method in METHODS.items() if "boxes" not in method.needs]
    text = report(page, [analyse(page, name) for name in without_boxes])
    assert data_of(text)["pagelets"] == []
    assert turbohtml.parse(text).select_one("#list") is not None


def test_marks_the_right_nodes():
    page = parse("<body><div id=a><p id=b>one<br>two</p></div><p id=c>three</p>")
    path = "/html/body/div/p"
    marked = found(
        page,
        ("menu", "/html/body/div", 1),
        ("clutter", "/html/body/p", 2),
        ("noise", "/html/body/div", 0),
        ("slot", f"{path}/text()[2]", 1),
    )
    drawing = drawing_of(report(page, marked))
    attributes = {
        element.attr("id"): (element.attr("data-pagelet"), element.attr("data-pagelet-text"))
        for element in drawing.select("[id]")
    }
    assert attributes == {"a": ("0 2", None), "b": (None, "3:1"), "c": ("1", None)}


def test_a_page_cannot_mark_itself():
    drawing = drawing_of(report(parse('<p data-pagelet="0">x'), []))
    assert drawing.select("[data-pagelet]") == []


def test_several_rows_are_one_pagelet():
    page = parse("<p>one<p>two<p>three")
    rows = tuple(page.row(f"/html/body/p[{n}]") for n in (1, 3))
    one = Pagelets(page, "segments", "default", (Pagelet(page, rows, "segment", 1),))
    text = report(page, [one])
    assert [p.attr("data-pagelet") for p in drawing_of(text).select("p")] == ["0", None, "0"]
    (item,) = data_of(text)["pagelets"]
    assert (item["others"], item["text"]) == (1, "one three")


def test_is_the_same_every_time():
    page = parse((SITE / "index.html").read_bytes())
    texts = {report(page, [analyse(page, "clutter")], folder=SITE) for _ in range(2)}
    assert len(texts) == 1


def test_embedded_json_cannot_leave_its_element():
    odd = "</script><!-- <script> \u2028 \ud800 \x00 \U0001f600"
    text = to_script_json({"odd": odd, "not a number": float("nan")})
    assert re.search(r"[<>&\u0080-\uffff]", text) is None
    assert json.loads(text) == {"odd": odd, "not a number": "nan"}


def test_odd_texts_survive():
    odd = "Ünï ﷽ \U0001f600 &amp; \"quotes\" 'and' {{data}} \\1 $& <b>bold"
    page = parse(f"<title>{{{{script}}}} &lt;/title></title><p>{odd}</p>")
    text = report(page, found(page, ("menu", "/html/body/p", 1)))
    paragraph = drawing_of(text).select_one("p")
    assert paragraph is not None
    assert paragraph.text == html.unescape(odd.replace("<b>", ""))
    assert data_of(text)["pagelets"][0]["reason"]["why"] == "</script>"
    assert turbohtml.parse(text).select_one("h1").text == "{{script}} </title>"


def test_every_kind_has_a_colour():
    assert tuple(KIND_LOOKS) == KINDS
    assert len({look.colour for look in KIND_LOOKS.values()}) == len(KINDS)


def test_kinds_that_a_method_adds_have_a_colour_too():
    page = parse("<p>a</p>")
    kinds = data_of(report(page, found(page, ("heading", "/html/body/p", 1))))["kinds"]
    assert [(kind["name"], kind["colour"]) for kind in kinds] == [("heading", OTHER_LOOK.colour)]


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("<div>" * 50_000 + "deep", id="deep"),
        pytest.param("<p class=a>text <a href=/b>b</a></p>" * 140_000, id="5 MB"),
    ],
)
def test_large_pages(source):
    page = parse(source)
    assert len(report(page, [], folder=SITE)) > len(source) // 2


@pytest.mark.parametrize("part", ["@import a url('", "url(", "a{", "(", "'\n", "/*", ";("])
def test_large_styles_that_no_browser_reads_are_dropped(part):
    css = part * (200_000 // len(part)) + "("
    (style,) = drawing_of(report(parse(f"<style>{css}</style>"), [], folder=SITE)).select("style")
    assert "url" not in style.text
    assert "(" not in style.text


def test_says_what_the_page_is_as_a_whole():
    page = parse("<p>x")
    extra = {"page_type": "forum", "page_types": {"forum": 0.75}, "confidence": 0.5}
    told = Pagelets(page, "content", "default", (), lambda: extra)
    where = turbohtml.parse(report(page, [told])).select_one(".where")
    assert where is not None
    assert where.text == "local file · forum, 75 % likely · confidence 50 %"


def test_says_how_likely_each_part_is_and_how_likely_it_had_to_be():
    page = parse((SITE / "index.html").read_bytes())
    results = [analyse(page, "content", explain=True), analyse(page, "menu")]
    items = data_of(report(page, results, options={"menu": MenuOptions(min_score=0.4)}))
    (menu,) = (item for item in items["pagelets"] if item["kind"] == "menu")
    assert menu["likely"] == f"{results[1][0].score:.0%} likely the menu; needed 40%".replace(
        "%", " %"
    )
    assert all("likely content; needed" in item["likely"] for item in items["pagelets"][:-1])
    found = {item["likely"] for item in data_of(report(page, results))["pagelets"][-1:]}
    assert found == {""}  # without options, nothing is known of what was needed


@pytest.mark.parametrize(
    ("kind", "score", "words"),
    [
        ("content", 0.39, "by itself 39 % likely content; needed 46 %"),
        ("dropped", 0.39, "39 % likely content; needed 46 %"),
        ("dropped", 0.9999, "by itself 100 % likely content; needed 46 %"),
        ("content", 0.998, "99.8 % likely content; needed 46 %"),
    ],
)
def test_what_overruled_a_likelihood_is_told_apart(kind, score, words):
    pagelet = Pagelet(parse("<p>a"), (2,), kind, score)
    assert describe_likelihood(pagelet, "content", 0.46) == words


def test_lists_what_is_in_noscript():
    page = parse("<body><noscript><p>without scripts<script>x</script></p></noscript>")
    text = report(page, found(page, ("dropped", "/html/body/noscript/p", 0)))
    assert data_of(text)["pagelets"][0]["text"] == "without scripts"
