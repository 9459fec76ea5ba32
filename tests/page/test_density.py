"""Text densities: every count and formula against the definition, then pages by hand."""

from math import e, log

import numpy as np
import pytest
from hypothesis import given

from pagelet import parse
from pagelet.page.builder import PageBuilder
from pagelet.page.density import (
    DENSITIES,
    composite_text_density,
    density_counts,
    density_sum,
    linkless_text_density,
    run_density,
    text_density,
)
from tests import hostile
from tests.build import deep, html, page_of, trees
from tests.cases import case
from tests.effort import ends
from tests.naive import density as naive
from tests.naive import tree as plain

PAGES = trees | naive.linked_pages
LINK = ("a", {"href": "/"}, "four")
FIRST = 5  #: row of the first element in the body of html()


def expected(tree, count):
    """A count for every element in sight, 0 for every other row."""
    seen = (node if node.name and naive.visible(node) else None for node in nodes(tree))
    return [0 if node is None else count(node) for node in seen]


def nodes(tree):
    return list(plain.walk(plain.read(tree)))


@given(PAGES)
def test_counts_equal_the_walk(tree):
    found = density_counts(page_of(tree))
    assert found.visible.tolist() == [naive.visible(node) for node in nodes(tree)]
    assert found.chars.tolist() == expected(tree, naive.chars)
    assert found.tags.tolist() == expected(tree, naive.tags)
    assert found.link_chars.tolist() == expected(tree, naive.link_chars)
    assert found.link_tags.tolist() == expected(tree, naive.link_tags)


@pytest.mark.parametrize("density", DENSITIES)
@given(tree=PAGES)
def test_densities_and_sums_equal_the_formulas(density, tree):
    page, share = page_of(tree), naive.share(plain.body_of(plain.read(tree)))
    found = DENSITIES[density](page)
    assert (found >= 0).all()
    wanted = expected(tree, lambda node: naive.DENSITY[density](node, share))
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9)
    for smooth in (False, True):
        wanted = expected(
            tree,
            lambda node, smooth=smooth: naive.density_sum(node, share, density, smooth=smooth),
        )
        found = density_sum(page, density, smooth=smooth)
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9)


def test_without_a_name_the_sum_is_the_composite_one():
    page = page_of(html(("div", "some words", LINK)))
    assert density_sum(page).tolist() == density_sum(page, "composite").tolist()
    assert density_sum(page).tolist() != density_sum(page, "plain").tolist()


# -- link tags -------------------------------------------------------------------------------

LINK_TAGS = {
    "a link": (("div", LINK), 1),
    "an a without href": (("div", ("a", "x")), 1),
    "button and select": (("div", ("button", "x"), ("select", ("option", "y"))), 3),
    "what lies in a link": (("div", ("a", ("b", ("i", "x")))), 3),
    "a wrapper of links": (("div", ("p", LINK, LINK)), 3),
    "wrappers of wrappers": (("div", ("ul", ("li", LINK), ("li", LINK))), 5),
    "a wrapper with a word of its own": (("div", ("p", LINK, "x")), 1),
    "a wrapper with a word further down": (("div", ("p", LINK, ("b", "x"))), 1),
    "a wrapper with an empty element": (("div", ("p", LINK, ("img",))), 1),
    "the empty element spoils all above it": (("div", ("ul", ("li", LINK, ("br",)))), 1),
    "but not its neighbours": (("div", ("ul", ("li", LINK), ("li", ("br",)))), 2),
    "no link in the wrapper": (("div", ("p",)), 0),
    "a link without text": (("div", ("p", ("a", ("img",)))), 3),
    "a hidden word spoils nothing": (("div", ("p", LINK, ("b", {"hidden": ""}, "x"))), 2),
    "a hidden link is none": (("div", ("a", {"hidden": ""}, "x"), ("p", "y")), 0),
    "a script is none": (("div", ("p", ("script", "x"), LINK)), 2),
    "a link has what is in it": (("a", ("b", "x"), ("i", "y")), 2),
    "a link in a link": (("a", ("span", ("button", "x"), ("i", "y"))), 3),
}


@pytest.mark.parametrize(("tree", "count"), LINK_TAGS.values(), ids=LINK_TAGS)
def test_link_tags(tree, count):
    assert density_counts(page_of(html(tree))).link_tags[FIRST] == count


def test_inside_a_link_only_links_below_count():
    page = page_of(html(("a", ("span", ("b", "x"), ("button", ("i", "y"))))))
    span = FIRST + 1
    assert page.name(span) == "span"
    assert density_counts(page).link_tags[span] == 2  # the button and the i in it


# -- what is in sight ------------------------------------------------------------------------

HIDDEN_BODIES = {
    "body": ("html", ("body", {"style": "display:none"})),
    "html": ("html", {"hidden": ""}, ("body",)),
}


@pytest.mark.parametrize("tree", HIDDEN_BODIES.values(), ids=HIDDEN_BODIES)
def test_a_hidden_body_is_shown_but_not_what_is_hidden_in_it(tree):
    *above, body = tree
    inner = ("p", "words"), ("p", {"hidden": ""}, "gone"), ("p", {"style": "display:none"}, "gone")
    page = page_of((*above, (*body, *inner)))
    assert text_density(page)[page.body] == 5


def test_a_frameset_has_no_density():
    page = hostile.page("frameset")
    assert not density_sum(page).any()


# -- runs of text ----------------------------------------------------------------------------

RUNS = {
    "text before, between and after": (("p", "aa", ("b",), "bbb", ("b",), "cccc"), [2, 3, 4]),
    "a hidden element splits nothing": (("p", ("b",), "aa", ("i", {"hidden": ""}, "x"), "bb"), [4]),
    "nor does a script": (("p", ("b",), "aa", ("script", "x"), "bb"), [4]),
    "text of children is theirs": (("p", "aa", ("b", "x")), [2]),
}


@pytest.mark.parametrize(("tree", "lengths"), RUNS.values(), ids=RUNS)
def test_runs_of_direct_text(tree, lengths):
    page = page_of(html(tree))
    own = run_density(np.array(lengths), 0.0).sum()
    children = composite_text_density(page)[page.parent == FIRST].sum()
    assert density_sum(page)[FIRST] == pytest.approx(own + children)


def test_a_comment_splits_no_run():
    page = parse("<p>aa<!-- x -->bbb<b></b></p>")
    assert density_sum(page, "plain")[page.body + 1] == 5
    assert density_sum(page)[page.body + 1] == pytest.approx(5 * log(5) / log(log(1 + e)))


def test_a_tiny_share_of_link_text_leaves_the_sum_finite():
    assert np.isfinite(run_density(np.array([1, 2, 10**6]), 1e-17)).all()


# -- hostile pages ---------------------------------------------------------------------------


def test_hostile_pages_have_finite_densities():
    for name in hostile.QUICK:
        with case(name), ends():
            page = hostile.page(name)
            for density, measure in DENSITIES.items():
                assert np.isfinite(measure(page)).all()
                assert np.isfinite(density_sum(page, density)).all()


def test_a_page_without_rows():
    page = PageBuilder().page()
    assert density_sum(page).tolist() == linkless_text_density(page).tolist() == []


def test_link_tags_of_a_deep_page():
    levels = 100_000
    page = page_of(html(deep(levels, LINK)))
    with ends():
        found = density_counts(page).link_tags
    assert found[page.body] == levels + 1  # every element holds nothing but the link
    page = page_of(html(deep(levels, LINK, ("br",))))
    assert density_counts(page).link_tags[page.body] == 1
