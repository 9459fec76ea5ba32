"""Digests of pages and sums over them: the compiled core against Python."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pagelet import core
from pagelet.methods.template.leaves import sum_attributes, sum_texts
from pagelet.methods.template.slot import _add_places
from pagelet.methods.template.table import (
    PlaceSums,
    digest_page,
    name_checksums,
    parents,
    sum_below,
    template_probability,
)
from tests.build import deep, html, page_of, trees
from tests.cores import ask_both, twins

pytestmark = twins

PARTS = st.sampled_from(["a", "B-", "_x", "current", "7", " ", "\u00a0", "\u2003", "\0", "\ud800"])
TEXTS = st.lists(PARTS | st.text(max_size=4), max_size=8).map("".join)
KEYS = st.sampled_from(["src", "alt", "type", "name", "value", "id"])


@given(st.lists(TEXTS, max_size=5).map(tuple))
@example(("  ", "\u00e4 b\t\n c ", "x\x1cy", "\ud800 x", "word " * 900, "\u00e4" * 3000))
def test_checksums_of_texts(texts):
    places = np.arange(len(texts))[::-1].copy()
    compiled, python = ask_both(lambda: sum_texts(texts, places).tolist())
    assert compiled == python


@given(st.lists(st.lists(st.tuples(KEYS, st.none() | TEXTS), max_size=4).map(tuple)).map(tuple))
@example(((("src", "x" * 3000), ("src", None)), (), (("alt", "a  b"), ("value", "\ud800"))))
def test_checksums_of_attributes(attrs):
    places = np.arange(len(attrs))
    compiled, python = ask_both(lambda: sum_attributes(attrs, places).tolist())
    assert compiled == python


NO_SURROGATES = TEXTS.filter(lambda text: "\ud800" not in text)


@given(st.lists(NO_SURROGATES, min_size=1, max_size=5).map(tuple))
@example(("-_ a-1", "b a", "", "_-", "Open open-er", "x\0current", "c" * 3000))
def test_checksums_of_names(values):
    compiled, python = ask_both(lambda: name_checksums(values).tolist())
    assert compiled == python


@given(trees)
@example(html(deep(200, "x", ("img", {"src": "a"})), ("br",)))
def test_digests(tree):
    def ask():
        page = digest_page(page_of(tree))
        columns = page.place, page.size, page.before, page.after, parents(page.size)
        below = sum_below(page, np.arange(len(page)) / 7)
        return [column.tolist() for column in (*columns, below)]

    compiled, python = ask_both(ask)
    assert compiled == python


RECORD = ("li", ("b", "x"), ("i", "y"))
RECORDS = html(("ul", *[RECORD] * 5, ("li", ("b", "z"))), ("ol", *[("li", ("i", "y"))] * 3), "end")


@given(trees, st.lists(st.integers(0, 3), min_size=1, max_size=9))
@example(RECORDS, [0, 3])
@example(RECORDS, [3, 3, 3, 0])
@example(html(*[RECORD] * 9), [0])
def test_probability_to_be_template(tree, shared):
    def ask():
        page = digest_page(page_of(tree))
        return template_probability(page, np.resize(np.array(shared), len(page)), 3).tolist()

    compiled, python = ask_both(ask)
    assert compiled == python


def test_broken_digests_are_refused():
    size, place = np.array([2, 1]), np.zeros(2, np.uint64)
    factors, least, kernels = (3, 5), (4, 0.6), core.kernels
    one, two = np.zeros(1, np.bool_), np.zeros(2, np.bool_)
    for sizes, marks, why in (
        (size, two, "fewer leaves"),
        (size, one[:0], "more leaves"),
        (np.array([3, 1]), one, "broken"),
        (size[:1], one, "place for each row"),
    ):
        with pytest.raises(ValueError, match=why):
            kernels.mark_records(sizes, place, marks, factors, least, marks.copy())
    with pytest.raises(ValueError, match="mark for each leaf"):
        kernels.mark_records(size, place, one, factors, least, two)
    with pytest.raises(ValueError, match="two hashes"):
        kernels.pair_leaves(place, (3, 5, 7), place.copy(), place[:1].copy())


def test_what_does_not_exist_is_refused():
    none, sums = np.array([1]), np.zeros(1, np.uint64)
    kernels = core.kernels
    with pytest.raises(IndexError, match="text"):
        kernels.sum_texts(("a",), none, 9, sums)
    with pytest.raises(IndexError, match="element"):
        kernels.sum_attributes(((),), none, {"src": 0}, 9, sums)
    with pytest.raises(ValueError, match="text"):
        kernels.sum_texts(("a",), none, 9, sums[:0])
    with pytest.raises(ValueError, match="element"):
        kernels.sum_attributes(((),), none, {"src": 0}, 9, sums[:0])
    with pytest.raises(ValueError, match="leaves"):
        kernels.sum_leaves(np.array([1]), np.zeros(0), np.zeros((2, 1)))
    with pytest.raises(ValueError, match="broken"):
        kernels.sum_leaves(np.array([2]), np.zeros(0), np.zeros((2, 1)))
    with pytest.raises(ValueError, match="two sums"):
        kernels.sum_leaves(np.array([1]), np.zeros(1), np.zeros((2, 2)))
    with pytest.raises(ValueError, match="parent"):
        kernels.find_parents(np.array([1]), np.zeros(0, np.intp))


@given(trees, st.lists(st.integers(0, 40), max_size=9), st.integers(1, 3))
def test_sums_of_other_pages_at_the_same_places(tree, chosen, pages):
    own = digest_page(page_of(tree))
    known = own.place[[at for at in chosen if at < len(own.place)]]
    place = np.unique(np.append(known, np.arange(3, dtype=np.uint64)))
    sums = np.arange(2.0 * len(place)).reshape(2, -1) / 7
    others = PlaceSums(place, sums, 1.0, 1.0)

    def add():
        below = sum_below(own, np.ones(len(own)))
        return [each.tolist() for each in _add_places(own, others, 2 / pages, below)]

    compiled, python = ask_both(add)
    assert compiled == python


def test_leaves_and_places_that_do_not_fit_are_refused():
    kernels, few, pair = core.kernels, np.ones(1, np.intp), np.zeros((2, 1))
    with pytest.raises(ValueError, match="leaf"):
        kernels.weigh_leaves(few, 0, few > 0, (0.1, 0.8), 5, np.zeros(1))
    with pytest.raises(ValueError, match="two sums"):
        kernels.add_places(
            few, few.astype(np.uint64), few.astype(np.uint64), pair, 1.0, pair, np.zeros((1, 1))
        )
