"""Pages worked by hand for Sun, Song, Liao, SIGIR 2011; ln ln(1 + e) = 0.272514."""

from math import e, log

import numpy as np
import pytest

from pagelet.methods.content.cetd import find_content, kept_text
from pagelet.page.density import (
    composite_text_density,
    density_counts,
    density_sum,
    linkless_text_density,
    run_density,
    text_density,
)
from tests.build import html, page_of

BODY = 4  #: row of body in html()


def link(chars):
    return ("a", {"href": "/"}, "x" * chars)


def p(*inner):
    return ("p", *("x" * part if isinstance(part, int) else part for part in inner))


# -- a menu and an article -------------------------------------------------------------------

ARTICLE = html(("div", link(5), link(5)), ("div", p(100), p(80, link(20))))

#: 30 of 210 characters lie in links, so r = 1/7.
#:                              row  C    T  LC  LT
ROWS = {  #                                        of body: 3 for the menu and its wrapper, 1
    "body": (BODY, 210, 7, 30, 4),
    "menu": (5, 10, 2, 10, 2),
    "link in the menu": (6, 5, 0, 5, 0),
    "article": (10, 200, 3, 20, 1),
    "first paragraph": (11, 100, 0, 0, 0),
    "second paragraph": (13, 100, 1, 20, 1),
    "link in the paragraph": (15, 20, 0, 20, 0),
}


@pytest.mark.parametrize(("row", "C", "T", "LC", "LT"), ROWS.values(), ids=ROWS)
def test_counts_of_the_article_page(row, C, T, LC, LT):
    found = density_counts(page_of(ARTICLE))
    counts = found.chars, found.tags, found.link_chars, found.link_tags
    assert tuple(count[row] for count in counts) == (C, T, LC, LT)


DENSITY = {
    # 30 ln(7 · 7/4) / ln ln(210/180 · 30 + 30 + e) = 30 · 2.5055 / 1.43872
    "body": 52.2444,
    "menu": 0.0,  # 5 ln(1 · 1)
    "link in the menu": 0.0,  # 5 ln(5/5 · 1/1)
    # 66.667 ln(10 · 3) / ln ln(200/180 · 20 + 200/7 + e) = 66.667 · 3.4012 / 1.38126
    "article": 164.1594,
    # LC = LT = T = 1 for 0: 100 ln 100 / ln ln(100/100 + 100/7 + e) = 100 · 4.60517 / 1.06146
    "first paragraph": 433.8517,
    # 100 ln 5 / ln ln(100/80 · 20 + 100/7 + e) = 100 · 1.60944 / 1.31849
    "second paragraph": 122.0670,
    "link in the paragraph": 0.0,
}

SUM = {
    "body": 0.0 + 164.1594,
    "menu": 0.0 + 0.0,
    "link in the menu": 0.0,
    "article": 433.8517 + 122.0670,
    "first paragraph": 433.8517,  # no element in it: its own density
    # the 80 characters before the link: 80 ln 80 / ln ln(80/7 + e) = 80 · 4.38203 / 0.97437
    "second paragraph": 359.7841 + 0.0,
    "link in the paragraph": 0.0,
}


@pytest.mark.parametrize("name", ROWS)
def test_densities_of_the_article_page(name):
    page, row = page_of(ARTICLE), ROWS[name][0]
    assert composite_text_density(page)[row] == pytest.approx(DENSITY[name], abs=1e-4)
    assert density_sum(page)[row] == pytest.approx(SUM[name], abs=2e-4)


def test_simpler_densities_of_the_article_page():
    page = page_of(ARTICLE)
    rows = [row for row, *_ in ROWS.values()]
    assert text_density(page)[rows].tolist() == [30, 5, 5, 200 / 3, 100, 100, 20]
    assert linkless_text_density(page)[rows].tolist() == [180 / 7, 0, 0, 60, 100, 80, 0]
    assert density_sum(page, "plain")[rows].tolist() == [5 + 200 / 3, 10, 5, 200, 100, 100, 20]
    assert density_sum(page, "linkless")[rows].tolist() == [60, 0, 0, 180, 100, 80, 0]


def test_choice_of_the_article_page():
    page = page_of(ARTICLE)
    choice = find_content(page)
    assert choice.threshold == pytest.approx(52.2444, abs=1e-4)  # body, below the article
    assert choice.tops == [10]
    assert np.flatnonzero(choice.content).tolist() == list(range(10, 17))
    assert np.flatnonzero(choice.path).tolist() == [BODY]


# -- two articles and direct text of body ----------------------------------------------------

#: No links, so CTD = C/T ln(C T) / 0.272514.
#: body             C = 511, T = 14   36.5 ln 7154 = 323.96   sum 737.8 + 460.5 + 3.6 + 5 ln 5
#: four paragraphs  C = 400, T = 4    100 ln 1600  = 737.78   sum 4 · 460.52, the largest
#: one paragraph    C = 100, T = 1    100 ln 100   = 460.52   denser than body
#: crumbs           C = 6, T = 6      1 ln 36      = 3.58     thinner than body
TWO = html("hello", ("div", *[p(100)] * 4), ("div", p(100)), ("section", *[("span", "x")] * 6))


def test_what_is_as_dense_as_the_thinnest_element_above_the_best_is_content_too():
    page = page_of(TWO)
    choice = find_content(page)
    assert choice.threshold == pytest.approx(36.5 * log(7154) / log(log(1 + e)))
    assert [page.path(row) for row in choice.tops] == ["/html/body/div[1]", "/html/body/div[2]"]
    # div[2] and its paragraph have the same sum: the first of them is taken
    assert np.flatnonzero(choice.path).tolist() == [BODY]
    kept = np.flatnonzero(kept_text(page, choice)).tolist()
    assert [len(page.text(row)) for row in kept] == [5, 100, 100, 100, 100, 100]


# -- zeros -----------------------------------------------------------------------------------


def leaf(chars, r):
    """Density of an element with text and nothing else, on a page with this share of links."""
    return chars * log(chars) / log(log(1 + r * chars + e))


def test_on_a_page_without_links_a_run_of_text_weighs_what_a_leaf_does():
    page = page_of(html(p(40), "x" * 40))
    assert composite_text_density(page)[5] == pytest.approx(leaf(40, 0))
    assert density_sum(page)[BODY] == pytest.approx(2 * leaf(40, 0))


def test_a_run_of_text_explodes_where_links_are_few_and_is_smoothed():
    few = 0.0001
    (run,) = run_density(np.array([100]), few)
    assert run == pytest.approx(125_000, rel=0.01)
    assert leaf(100, few) == pytest.approx(1690, rel=0.01)
    assert run_density(np.array([100]), few, smooth=True) == pytest.approx(leaf(100, few))


@pytest.mark.parametrize("tree", [p(1), p(1, ("b",)), link(1)], ids=["leaf", "run", "link"])
def test_a_single_character_has_no_density(tree):
    page = page_of(html(tree))
    assert density_sum(page)[5] == 0.0


def test_a_link_has_no_density_at_any_length():
    assert composite_text_density(page_of(html(p(9), link(1000))))[7] == 0.0


def test_a_mixed_element_has_little_but_never_less_than_none():
    # all elements are links, all but one character too: C/T ln(C/LC), 21 ln(21/20) / ...
    page = page_of(html(("div", link(20), "x")))
    wanted = 21 * log(21 / 20) / log(log(21 / 1 * 20 + 20 / 21 * 21 + e))
    assert composite_text_density(page)[5] == pytest.approx(wanted)
    assert wanted > 0
