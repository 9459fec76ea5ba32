"""The content block by block: every text once, with what it says and who decided."""

import json
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pagelet
from pagelet import METHODS, analyse, parse
from pagelet.methods.content import decide_content
from pagelet.methods.content.answer import ContentAnswer, Listing
from pagelet.methods.content.rules import apply_selectors, make_selectors
from pagelet.page.tags import TEXT
from pagelet.page.textblocks import text_blocks
from tests.build import page_of, trees
from tests.cores import twins
from tests.page.test_textblocks import rows_of_each

PROFILES = list(METHODS["content"].profiles)
SELECTORS = ("div", "p", "a", "b", "body", "noscript", "li")

PAGE = parse(
    "<body><nav><a href=/a>Menu</a></nav><p>One <b>two</b> <i>three <a href=/x>four</a></i></p>"
    "<div>Five <em><a href=/y>six</a></em><p>Seven</p>eight</div>"
    "<noscript><p>Nine <a href=/z>ten</a></p></noscript>"
)


def kept_by_hand(page, *texts: str) -> ContentAnswer:
    """An answer that keeps the texts that say one of these words."""
    kept = np.array([page.text(row).strip() in texts for row in range(len(page))], np.bool_)
    return ContentAnswer.by_rows(page, kept, np.arange(len(page), dtype=np.float64))


def listed(found: ContentAnswer, *, explain: bool = True):
    return [(item.kind, item.text) for item in Listing(found).pagelets(explain=explain)]


def texts_of(page, item) -> list[int]:
    """The texts of a pagelet that are in blocks."""
    inner = [row for top in item.rows for row in page.subtree(top)]
    known = set(text_blocks(page).rows.tolist())
    return [row for row in inner if row in known]


# -- by hand ----------------------------------------------------------------------------------


def test_blocks_in_order_with_their_texts():
    found = kept_by_hand(PAGE, "One", "two", "three", "four", "Nine", "ten")
    assert listed(found) == [
        ("dropped", "Menu"),
        ("content", "One two three four"),
        ("dropped", "Five six"),
        ("dropped", "Seven"),
        ("dropped", "eight"),
        ("content", "Nine ten"),
    ]
    assert listed(found, explain=False) == [
        ("content", "One two three four"),
        ("content", "Nine ten"),
    ]


def test_a_block_is_shown_by_its_element_where_that_holds_nothing_else():
    paths = [item.paths for item in Listing(kept_by_hand(PAGE)).pagelets(explain=True)]
    assert paths == [
        ["/html/body/nav"],
        ["/html/body/p"],
        ["/html/body/div/text()[1]", "/html/body/div/em"],
        ["/html/body/div/p"],
        ["/html/body/div/text()[2]"],
        ["/html/body/noscript/p"],
    ]


def test_links_are_those_of_the_block():
    items = list(Listing(kept_by_hand(PAGE)).pagelets(explain=True))
    links = [[link.text for link in item.links] for item in items]
    assert links == [["Menu"], ["four"], ["six"], [], [], ["ten"]]


def test_a_block_that_was_decided_in_parts_is_listed_part_by_part():
    found = kept_by_hand(PAGE, "One", "two", "four")
    parts = [
        (item.kind, item.text, item.paths)
        for item in Listing(found).pagelets(explain=True)
        if item.text in ("One two", "three", "four")
    ]
    assert parts == [
        ("content", "One two", ["/html/body/p/text()[1]", "/html/body/p/b"]),
        ("dropped", "three", ["/html/body/p/i/text()[1]"]),
        ("content", "four", ["/html/body/p/i/a"]),
    ]


def test_rules_are_named_with_the_blocks_they_decide():
    overrides = apply_selectors(PAGE, make_selectors(["nav", "table"], ["p a"]))
    listing = Listing(kept_by_hand(PAGE, "One", "four").with_overrides(overrides))
    decisions = {
        item.text: (item.kind, item.reason.get("rule")) for item in listing.pagelets(explain=True)
    }
    assert decisions["Menu"] == ("content", "keep nav")
    assert decisions["four"] == ("dropped", "drop p a")
    assert decisions["One"] == ("content", None)
    assert decisions["two three"] == ("dropped", None)
    assert listing.overrides() == {"keep nav": 1, "keep table": 0, "drop p a": 2}


# -- any page ---------------------------------------------------------------------------------


@pytest.mark.parametrize("profile", PROFILES)
@given(
    tree=trees,
    keep=st.lists(st.sampled_from(SELECTORS), max_size=2),
    drop=st.none() | st.sampled_from(SELECTORS),
)
def test_every_text_is_listed_once_as_kept_or_dropped(profile, tree, keep, drop):
    page = page_of(tree)
    changes = {"keep": keep, "drop": [drop] if drop else [], "explain": True}
    options = METHODS["content"].with_options(profile, changes)
    kept = decide_content(page, options).kept_rows
    found = analyse(page, "content", profile=profile, **changes)
    rows = [row for item in found for row in texts_of(page, item)]
    assert rows == text_blocks(page).rows.tolist()
    content = [row for item in found if item.kind == "content" for row in texts_of(page, item)]
    assert content == np.flatnonzero(kept & (page.tag == TEXT)).tolist()
    few = analyse(page, "content", profile=profile, **(changes | {"explain": False}))
    assert [item.rows for item in few] == [i.rows for i in found if i.kind == "content"]


@given(trees)
def test_without_rules_the_learned_method_lists_blocks_as_they_are(tree):
    page = page_of(tree)
    found = analyse(page, "content", explain=True)
    listed = [texts_of(page, item) for item in found]
    assert listed == rows_of_each(text_blocks(page))


@given(trees)
def test_the_text_of_a_block_is_that_of_its_rows(tree):
    page = page_of(tree)
    for item in analyse(page, "content", profile="paper", explain=True):
        written = "".join("".join(page.text(row).split()) for row in texts_of(page, item))
        assert "".join(item.text.split()) == written


# -- the JSON form ----------------------------------------------------------------------------

ARTICLE = """<html lang=en><title>Rain ahead</title><link rel=canonical href="/rain">
<h1>Rain ahead</h1><p>It will rain all day, <a href="/more">say those</a> who know it, and then
it will <img src=a.png alt=Cloud> rain all night, and nobody will be dry.</p>"""


@pytest.mark.parametrize("profile", PROFILES)
def test_json_says_what_is_known_of_the_page(profile):
    page = parse(ARTICLE, url="https://example.org/rain?from=feed")
    form = json.loads(analyse(page, "content", profile=profile, keep=["p"]).to_json())
    assert form["url"] == "https://example.org/rain?from=feed"
    assert form["canonical"] == "https://example.org/rain"
    assert (form["title"], form["language"], form["author"]) == ("Rain ahead", "en", None)
    assert form["overrides"] == {"keep p": 1}
    assert "all night" in form["text"]
    assert "[say those](https://example.org/more)" in form["markdown"]
    learned = profile == "default"
    assert (form["page_type"] is not None, form["confidence"] is not None) == (learned, learned)
    assert sum(form["page_types"].values()) == pytest.approx(float(learned), abs=1e-3)


def test_json_has_links_and_images_if_wanted():
    page = parse(ARTICLE, url="https://example.org/")
    form = analyse(page, "content", keep=["p"], links=False, images=True).to_dict()
    assert "more" not in form["markdown"]
    assert "![Cloud](https://example.org/a.png)" in form["markdown"]


@pytest.mark.parametrize("profile", PROFILES)
def test_an_empty_page_has_every_name(profile):
    form = analyse(parse(""), "content", profile=profile).to_dict()
    full = analyse(parse(ARTICLE), "content", profile=profile).to_dict()
    assert [name for name in form if name != "empty"] == list(full)
    assert form["empty"] == "the page has no text"
    assert form["confidence"] == (0.0 if profile == "default" else None)
    assert (form["pagelets"], form["text"], form["markdown"], form["title"]) == ([], "", "", None)


@pytest.mark.parametrize(
    ("html", "why"),
    [
        (
            "<script>draw()</script>",
            "the page has no text; its scripts may write some in a browser",
        ),
        ("<p>gone", "all text was dropped"),
    ],
)
def test_an_answer_without_text_has_no_confidence_and_says_why(html, why):
    form = json.loads(pagelet.extract(html, format="json-compact", drop=["p"]))
    assert (form["text"], form["confidence"], form["empty"]) == ("", 0.0, why)


def test_text_of_structured_data_is_not_empty():
    words = " ".join(f"word{number}" for number in range(40))
    data = json.dumps({"@type": "Article", "articleBody": words})
    html = f'<script type="application/ld+json">{data}</script>'
    form = json.loads(pagelet.extract(html, format="json-compact"))
    assert words in form["text"]
    assert "empty" not in form
    assert form["confidence"] > 0


def test_texts_are_written_without_the_parts_of_json(monkeypatch):
    monkeypatch.setattr(Listing, "pagelets", None)
    monkeypatch.setattr(sys.modules["pagelet.metadata.facts"], "metadata", None)
    for form in ("text", "markdown", "html"):
        assert "all night" in pagelet.extract(ARTICLE, format=form, keep=["p"])


@given(trees, st.sampled_from(PROFILES), st.lists(st.sampled_from(SELECTORS), max_size=2))
def test_forms_are_those_of_the_pagelets(tree, profile, dropped):
    result = pagelet.extract_content(page_of(tree), profile=profile, drop=tuple(dropped))
    for reasons in (True, False):
        forms = [item.to_dict(reasons=reasons) for item in result]
        assert result.to_dict(reasons=reasons)["pagelets"] == forms
    assert result.to_json() == json.dumps(result.to_dict(), ensure_ascii=False)


@pytest.mark.parametrize(
    "html",
    [
        "<p>CO<sub>2</sub> and x<sup>n+1</sup> or <a href=/a>a</a><a href=/b><img alt=b></a>",
        "<p>one<br><b>two</b>three<span>four</span></p><p>five<aside>six</aside></p>" * 2,
        "<svg><text>a</text></svg><h1>T &amp; U</h1><p>1 < 2\x00</p><pre> a\n b</pre>",
        "<o:p>a</o:p><p>b<x-y><a href='b?\"c'>c \\ d</a>\te</x-y><a href=' '>f</a><a href=/> </a>",
        "<p>a<a href=//user:password@b.example/>b</a></p><noscript><a href=c>d</a></noscript>",
    ],
)
@pytest.mark.parametrize("url", [None, "https://a.example/b/c"])
def test_forms_of_odd_texts(html, url):
    html = f"<title>T</title><main>{html}<p>{'word ' * 30}</main>"
    result = pagelet.extract_content(html, url=url)
    assert result.to_dict()["pagelets"] == [item.to_dict() for item in result]
    assert result.to_json() == json.dumps(result.to_dict(), ensure_ascii=False)


@twins
def test_forms_are_written_by_the_core(monkeypatch):
    html = f"<title>T</title><main><h1>T</h1><p>a <a href=/b>b</a><p>{'word ' * 30}</main>"
    known = pagelet.extract_content(html).to_json()
    monkeypatch.setattr(Listing, "forms", None)
    assert pagelet.extract_content(html).to_json() == known
