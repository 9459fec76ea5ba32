"""The features of the paper: matches of a query by hand, and every measure against a plain walk."""

from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given

from pagelet.methods.noise.paper import body_distance, matches, query_score
from tests import hostile
from tests.build import deep, html, page_of, trees
from tests.cases import case
from tests.effort import ends
from tests.naive import query as naive
from tests.naive import tree as plain

WANTED = frozenset(("home", "two", "words", "日", "kana", "menu"))


def nodes(tree):
    return list(plain.walk(plain.read(tree)))


@given(trees)
def test_matches_equal_a_plain_count(tree):
    expected = [naive.matches(node, WANTED) for node in nodes(tree)]
    assert matches(page_of(tree), WANTED).tolist() == expected


@given(trees)
def test_query_score_equals_a_walk_up_from_every_text(tree):
    page = page_of(tree)
    expected = [naive.query_score(node, WANTED) if node.name else 0 for node in nodes(tree)]
    np.testing.assert_allclose(query_score(page, matches(page, WANTED)), expected)


@given(trees)
def test_simple_matches_and_distance_equal_a_walk(tree):
    page = page_of(tree)
    expected = [naive.simple_matches(node, WANTED) for node in nodes(tree)]
    assert page.sum_children(matches(page, WANTED)).tolist() == expected
    assert body_distance(page).tolist() == [naive.body_distance(node) for node in nodes(tree)]


def test_a_page_by_hand():
    page = page_of(html(("div", ("p", "beans and more Beans"), "tomato"), ("p", "beans")))
    found = matches(page, frozenset(("beans",)))
    div, paragraph = page.row("/html/body/div"), page.row("/html/body/div/p")
    score = query_score(page, found)
    assert (score[paragraph], score[div]) == (2, 1)
    assert score[page.body] == pytest.approx(2 / 3 + 1 / 2)
    assert page.sum_children(found)[[paragraph, div]].tolist() == [2, 0]


def work_of(page):
    """Elements that all steps of QueryScore look at."""
    seen = []

    def counted(values, **options):
        seen.append(len(values))
        return np.unique(values, **options)

    matched = matches(page, WANTED)
    with patch("pagelet.methods.noise.paper.np", SimpleNamespace(**vars(np) | {"unique": counted})):
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


def test_hostile_pages():
    for name in hostile.QUICK:
        with case(name), ends():
            page = hostile.page(name)
            assert np.isfinite(query_score(page, matches(page, WANTED))).all()


def test_a_deep_page_ends():
    with ends():
        page = page_of(html(deep(2_000, *(["word1 other1"] * 20))))
        assert query_score(page, matches(page, frozenset(("word1",)))).any()
