"""Comments of readers: kept, dropped or apart, by option, target and type of page."""

import json

import numpy as np
import pytest

import pagelet
from pagelet.methods.content.comments import place_comments
from pagelet.models.features import FeatureTable
from pagelet.page.html import parse

BODY = "".join(
    f"<p>On day {at} the council met to settle the matter of the mill; nobody found a buyer.</p>"
    for at in range(8)
)
SAID = "My own mill has been for sale since the flood of that year."
ARTICLE = (
    f"<html lang=en><title>The mill is for sale</title><article><h1>The mill is for sale</h1>{BODY}"
    f"</article><div id=comments><h3>1 Comment</h3><div class=comment><p>{SAID}</p></div>"
    "<form><label>Your name</label></form></div>"
)
URL = "https://news.example/2026/02/the-mill-is-for-sale"
LAST = "On day 7 the council met"


@pytest.mark.parametrize(
    ("changes", "there"),
    [
        ({}, False),
        ({"target": "article"}, False),
        ({"target": "all"}, True),
        ({"comments": "keep"}, True),
        ({"comments": "drop"}, False),
        ({"comments": "drop", "target": "all"}, False),
        ({"comments": "apart"}, False),
    ],
)
def test_comments_in_the_text_of_an_article(changes, there):
    text = pagelet.extract(ARTICLE, URL, **changes)
    assert (SAID in text, LAST in text) == (there, True)
    assert "Your name" not in text or changes.get("target") == "all"


def test_comments_apart_are_a_field():
    found = pagelet.extract_content(ARTICLE, comments="apart", url=URL)
    assert SAID in found.extra["comments"]
    assert "Your name" not in found.extra["comments"]
    assert SAID not in found.extra["text"]
    assert found.source.comments == found.extra["comments"]
    form = json.loads(pagelet.extract(ARTICLE, URL, format="json", comments="apart"))
    assert form["comments"] == found.extra["comments"]


def test_there_is_no_field_unless_apart_is_wanted():
    assert "comments" not in pagelet.extract_content(ARTICLE, url=URL).extra


def test_a_page_without_comments_has_an_empty_field():
    found = pagelet.extract_content(f"<h1>Mill</h1>{BODY}", comments="apart")
    assert found.extra["comments"] == ""


def features(share: float = 0.2, **columns: list[float]) -> FeatureTable:
    zero = dict.fromkeys(
        ("link_density", "in_form", "in_button", "in_label", "in_select", "in_textarea"), 0
    )
    own = {name: np.array(values) for name, values in columns.items()}
    return FeatureTable.of(zero | own | {"page_thread": share}, 3)


TABLE = features(in_thread=[0, 1, 1], words=[30, 12, 1])
QUESTION = '<script type="application/ld+json">{"@type": "QAPage"}</script>'


@pytest.mark.parametrize(
    ("likely", "html", "excluded"),
    [
        ({"article": 0.9, "forum": 0.02}, "", [False, True, True]),
        ({"article": 0.9, "forum": 0.1}, "", [False] * 3),
        ({"article": 0.1, "forum": 0.9}, "", [False] * 3),
        ({"article": 0.2, "product": 0.7}, "", [False] * 3),
        ({"article": 0.9, "forum": 0.02}, QUESTION, [False] * 3),
    ],
)
def test_on_its_own_the_type_of_the_page_decides(likely, html, excluded):
    placed = place_comments(parse(html), TABLE, likely, ("auto", "auto"))
    assert placed.excluded.tolist() == excluded
    assert not placed.added.any()
    assert not placed.apart.any()


def test_a_thread_that_is_most_of_the_page_is_left_to_the_model():
    long = features(share=0.6, in_thread=[0, 1, 1], words=[30, 40, 5])
    assert not place_comments(parse(""), long, {"article": 1.0}, ("auto", "auto")).excluded.any()


def test_texts_are_added_and_other_parts_of_a_thread_are_not():
    placed = place_comments(parse(""), TABLE, {"article": 1.0}, ("keep", "auto"))
    assert placed.added.tolist() == [False, True, False]
