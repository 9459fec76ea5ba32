"""Hashes, equal values, names and siblings: the compiled core against Python."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pagelet import core
from pagelet.arrays import Hashes
from pagelet.page.equal import count_equal, find_equal
from pagelet.page.paths import number_siblings
from pagelet.page.signatures import (
    MULTIPLIER,
    class_checksums,
    mix,
    path_signatures,
    row_signatures,
)
from pagelet.page.tree import max_subtree
from tests.build import deep, html, page_of, trees
from tests.cores import ask_both, twins

pytestmark = twins

HASHES = st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 5), max_size=40)
NAMES = st.lists(
    st.sampled_from(["active", "open", "opened", "odd", "Last", "a-7", "x_", "-", " ", "\t", "\0"])
    | st.text(max_size=4),
    max_size=6,
).map("".join)


def hashes(values: list[int]) -> Hashes:
    return np.array(values, np.uint64)


@given(HASHES)
def test_spread_bits(values):
    numbers = hashes([*values, *values]).reshape(2, -1)
    compiled, python = ask_both(lambda: [mix(numbers).tolist(), mix(numbers[:, ::2]).tolist()])
    assert compiled == python
    assert numbers.tolist() == [values, values]


@given(HASHES)
def test_equal_values(values):
    compiled, python = ask_both(lambda: np.array(find_equal(hashes(values))).tolist())
    assert compiled == python
    assert compiled[0] == [values.index(value) for value in values]
    assert compiled[1] == [values[:at].count(value) for at, value in enumerate(values)]
    counts = ask_both(lambda: count_equal(hashes(values)).tolist())
    assert counts == ([values.count(value) for value in values],) * 2


def unmix(bits: int) -> int:
    """The number that is spread to these bits."""
    for shift, factor in ((31, None), (27, 0x94D049BB133111EB), (30, 0xBF58476D1CE4E5B9)):
        if factor is not None:
            bits = bits * pow(factor, -1, 2**64) % 2**64
        found = bits
        for _ in range(3):
            found = bits ^ found >> shift
        bits = found
    return bits


def test_values_that_fall_on_one_place_are_left_to_python():
    values = hashes([unmix(at << 32) for at in range(500)])
    assert mix(values[:3]).tolist() == [0, 1 << 32, 2 << 32]
    first, before = np.empty((2, 500), np.intp)
    assert not core.kernels.find_equal(values, first, before)
    assert find_equal(values)[0].tolist() == list(range(500))


@given(trees)
@example(html(deep(300, "x", ("b", "y")), "z"))
def test_signatures_of_paths(tree):
    page = page_of(tree)
    compiled, python = ask_both(
        lambda: [
            path_signatures(page, row_signatures(page, classes=classes)).tolist()
            for classes in (True, False)
        ]
    )
    assert compiled == python


@given(st.lists(NAMES, min_size=1, max_size=5).map(tuple))
@example(("open", "open-x", "open_", "opened", "first2nd lastly", "a\0b", "\u00c4 odd", "b a b"))
@example(("x " * 300,))
def test_checksums_of_class_names(values):
    compiled, python = ask_both(lambda: class_checksums(values).tolist())
    assert compiled == python


@given(trees)
def test_places_among_siblings(tree):
    page = page_of(tree)
    blanks = page.blank_row, page.blank_parent

    def ask():
        place, alone = number_siblings(page.tag, page.parent, blanks)
        return place.tolist(), alone.tolist()

    compiled, python = ask_both(ask)
    assert compiled == python


def test_blank_texts_out_of_order_are_left_to_python():
    tag, parent = np.array([1, 0], np.int32), np.array([-1, 0], np.int32)
    blanks = np.array([2, 1], np.int32), np.array([0, 0], np.int32)
    for place, alone in ask_both(lambda: number_siblings(tag, parent, blanks)):
        assert (place.tolist(), alone.tolist()) == ([1, 2], [True, False])


@pytest.mark.parametrize(
    ("tag", "parent", "blank_parent"),
    [
        ((1, 2**30, 2**30), (-1, 0, 0), 0),
        ((1, 1, 2), (-1, 7, 7), 0),
        ((1, 0, 0), (-1, 7, 7), 7),
        ((1, 0, 2), (-1, 0, 0), 3),
        ((-1, 0, -1), (-1, 0, 0), 0),
    ],
)
def test_rows_that_no_page_has_are_left_to_python(tag, parent, blank_parent):
    columns = np.array(tag, np.int32), np.array(parent, np.int32)
    blanks = np.array([1], np.int32), np.array([blank_parent], np.int32)
    place, alone = np.empty(3, np.int64), np.empty(3, np.bool_)
    assert not core.kernels.number_siblings(*columns, *blanks, place, alone)
    place, alone = number_siblings(*columns, blanks)
    assert len(place) == len(alone) == 3


@given(trees, st.lists(st.integers(-2, 9), min_size=1, max_size=9))
def test_largest_values_of_subtrees(tree, values):
    page = page_of(tree)
    column = np.resize(np.array(values, np.intp), len(page))
    compiled, python = ask_both(lambda: max_subtree(page.parent, page.end, column).tolist())
    assert compiled == python
    assert compiled == [max(column[row : page.end[row]].tolist()) for row in range(len(page))]


def test_broken_columns_are_refused():
    two, three = np.zeros(2, np.intp), np.zeros(3, np.intp)
    parent = np.array([-1, 0], np.int32)
    kernels = core.kernels
    with pytest.raises(ValueError, match="two places"):
        kernels.find_equal(hashes([1, 2]), two, three)
    with pytest.raises(ValueError, match="one hash"):
        kernels.sum_paths(parent, hashes([1]), int(MULTIPLIER), hashes([0, 0]))
    with pytest.raises(ValueError, match="one checksum"):
        kernels.sum_names(("a",), 9, hashes([0, 0]), stripped=False)
    with pytest.raises(ValueError, match="one value"):
        kernels.max_subtree(parent, three)
    with pytest.raises(ValueError, match="columns"):
        kernels.number_siblings(parent, parent, parent, parent, three, np.zeros(3, np.bool_))
    with pytest.raises(ValueError, match="blank"):
        kernels.number_siblings(parent, parent, parent, parent[:1], two, np.zeros(2, np.bool_))


def test_rows_before_their_parents_are_left_to_python():
    parent = np.array([1, -1], np.int32)
    assert not core.kernels.sum_paths(parent, hashes([1, 1]), 3, hashes([0, 0]))
    assert not core.kernels.max_subtree(parent, np.zeros(2, np.intp))
