"""The query of a form: its words, and every measure against a plain walk."""

from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.page.query import (
    NO_QUERY,
    Query,
    body_distance,
    matches,
    page_words,
    query_score,
    simple_matches,
    url_query,
    words_of,
)
from tests import hostile
from tests.build import deep, html, page_of, trees
from tests.cases import case
from tests.effort import ends
from tests.naive import query as naive
from tests.naive import tree as plain

WANTED = frozenset(("home", "two", "words", "日", "kana", "menu"))


def nodes(tree):
    return list(plain.walk(plain.read(tree)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Kids' Crafts", ["kids", "crafts"]),
        ("a 7 42", ["42"]),
        ("ＦＵＬＬ width", ["full", "width"]),
        ("日本 kana", ["日", "本", "kana"]),
        ("naïve-Straße", ["naïve", "straße"]),
        ("nul\0byte", ["nul", "byte"]),
        ("", []),
    ],
)
def test_words_of_a_text(text, expected):
    assert words_of(text) == expected


def test_a_query_keeps_phrases_beside_words_and_labels_apart():
    found = Query.of(["Kids crafts", "paper"], ["Search for"])
    assert found.words == {"kids", "crafts", "paper"}
    assert found.phrases == {"kids crafts"}
    assert found.labels == {"search", "for"}
    assert found
    assert not NO_QUERY
    assert (found | Query.of(["glue"])).words == {"kids", "crafts", "paper", "glue"}


@pytest.mark.parametrize(
    ("url", "words", "labels"),
    [
        ("https://a.example/s?q=kids+crafts&page=2", {"kids", "crafts"}, {"page"}),
        ("https://a.example/s", set(), set()),
        ("https://[broken?q=word", set(), set()),
        (None, set(), set()),
        ("https://a.example/?" + "&".join(f"q{at}=word" for at in range(500)), set(), set()),
    ],
)
def test_the_query_string_of_an_address(url, words, labels):
    assert url_query(url) == Query(frozenset(words), url_query(url).phrases, frozenset(labels))


@given(trees)
def test_matches_equal_a_plain_count(tree):
    expected = [naive.matches(node, WANTED) for node in nodes(tree)]
    assert matches(page_of(tree), WANTED).tolist() == expected


@given(st.text(max_size=30) | st.sampled_from(("two words", "Two  words two words", "words")))
def test_words_equal_a_plain_split(text):
    assert words_of(text) == naive.words(text.replace("\0", " "))


@given(trees, st.sampled_from(("two words", "a b", "かな", "日 本", "か な kana", "home home")))
def test_phrases_equal_a_plain_count(tree, phrase):
    page = page_of(tree)
    found = page_words(page)
    texts = [node for node in nodes(tree) if not node.name and plain.counted(node)]
    expected = [naive.phrases(node, phrase) for node in texts if len(phrase.split()) > 1]
    if expected:
        assert found.count_phrases(frozenset((phrase,))).tolist() == expected


@given(trees)
def test_query_score_equals_a_walk_up_from_every_text(tree):
    page = page_of(tree)
    expected = [naive.query_score(node, WANTED) if node.name else 0 for node in nodes(tree)]
    np.testing.assert_allclose(query_score(page, matches(page, WANTED)), expected)


@given(trees)
def test_simple_matches_and_distance_equal_a_walk(tree):
    page = page_of(tree)
    expected = [naive.simple_matches(node, WANTED) for node in nodes(tree)]
    assert simple_matches(page, matches(page, WANTED)).tolist() == expected
    assert body_distance(page).tolist() == [naive.body_distance(node) for node in nodes(tree)]


def test_a_page_by_hand():
    page = page_of(html(("div", ("p", "beans and more Beans"), "tomato"), ("p", "beans")))
    found = matches(page, frozenset(("beans",)))
    div, paragraph = page.row("/html/body/div"), page.row("/html/body/div/p")
    score = query_score(page, found)
    assert (score[paragraph], score[div]) == (2, 1)
    assert score[page.body] == pytest.approx(2 / 3 + 1 / 2)
    assert simple_matches(page, found)[[paragraph, div]].tolist() == [2, 0]


def work_of(page):
    """Elements that all steps of QueryScore look at."""
    seen = []

    def counted(values, **options):
        seen.append(len(values))
        return np.unique(values, **options)

    matched = matches(page, WANTED)
    with patch("pagelet.page.query.np", SimpleNamespace(**vars(np) | {"unique": counted})):
        query_score(page, matched)
    return sum(seen)


@given(trees)
def test_the_work_of_query_score_grows_with_the_page(tree):
    one, ten = (work_of(page_of(html(*[("div", tree)] * copies))) for copies in (1, 10))
    assert ten <= 10 * one
    deepest = max(int(page_of(html(("div", tree))).depth.max()), 1)
    assert one <= deepest * len(page_of(html(("div", tree))))


def test_query_score_looks_once_at_matches_that_meet():
    page = page_of(html(("ul", *[("li", ("p", "two words"))] * 100)))
    assert work_of(page) == 100 + 100 + 100 + 1 + 1 + 0


def test_many_phrases_and_deep_pages_end():
    phrases = frozenset(f"word{at} other{at}" for at in range(5_000))
    with ends():
        page = page_of(html(deep(2_000, *(["word1 other1"] * 20))))
        assert page_words(page).count_phrases(phrases).sum() == 20
        query_score(page, matches(page, frozenset(("word1",))))


def test_hostile_pages():
    for name in hostile.QUICK:
        with case(name), ends():
            page = hostile.page(name)
            assert np.isfinite(query_score(page, matches(page, WANTED))).all()
