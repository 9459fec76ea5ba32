"""Sums and joins over the way up from a node: against a walk, and how far sums are exact."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.page.tree import join_path, sum_path
from tests.build import deep, html, page_of, trees
from tests.naive import tree as plain

WHOLE = 2**40  #: the most that one node adds where paths are distinguished


def numbered(tree, values):
    """The nodes of a tree, each with a value."""
    nodes = list(plain.walk(plain.read(tree)))
    return {node: values[at % len(values)] for at, node in enumerate(nodes)}


@given(trees, st.lists(st.integers(-WHOLE, WHOLE), min_size=1, max_size=9))
def test_sums_equal_the_walk_exactly(tree, values):
    page, value = page_of(tree), numbered(tree, values)
    found = sum_path(page.end, np.array(list(value.values()), np.float64))
    assert found.tolist() == [sum(value[up] for up in plain.chain(node)) for node in value]


@given(trees, st.lists(st.floats(-4, 4, width=32), min_size=1, max_size=9))
def test_sums_of_fractions_are_close(tree, values):
    page, value = page_of(tree), numbered(tree, values)
    found = sum_path(page.end, np.array(list(value.values())))
    expected = [sum(value[up] for up in plain.chain(node)) for node in value]
    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_a_column_that_is_read_only_is_not_changed():
    page = page_of(html(("p", "a")))
    values = np.arange(len(page), dtype=np.float64)
    values.flags.writeable = False
    assert sum_path(page.end, values).tolist() == [0, 1, 3, 6, 4, 9, 15]


@pytest.mark.parametrize("levels", [512, 8_000])
def test_sums_stay_exact_below_the_deepest_page_of_a_parser(levels):
    page = page_of(html(deep(levels, "x"), deep(levels, "y"), "z"))
    found = sum_path(page.end, np.full(len(page), WHOLE - 1.0))
    assert found.max() < 2**53
    assert found.tolist() == ((page.depth.astype(np.int64) + 1) * (WHOLE - 1)).tolist()


def test_beyond_that_sums_are_no_longer_exact():
    page = page_of(html(deep(20_000, "x"), "z"))
    found = sum_path(page.end, np.full(len(page), WHOLE - 1.0))
    assert found.max() > 2**53


@given(trees, st.lists(st.integers(0, 2**63), min_size=1, max_size=9))
def test_bits_are_joined_as_the_walk_joins_them(tree, values):
    page, value = page_of(tree), numbered(tree, values)
    column = np.array(list(value.values()), np.uint64)
    found = join_path(page.parent, int(page.depth.max()), column, np.bitwise_or, 0)
    assert found.dtype == np.uint64
    for bits, node in zip(found.tolist(), value, strict=True):
        expected = 0
        for up in plain.chain(node):
            expected |= value[up]
        assert bits == expected


@given(trees, st.lists(st.integers(-9, 9), min_size=1, max_size=9))
def test_the_highest_value_on_the_way_up(tree, values):
    page, value = page_of(tree), numbered(tree, values)
    column = np.array(list(value.values()), np.int64)
    found = join_path(page.parent, int(page.depth.max()), column, np.maximum, -99)
    assert found.tolist() == [max(value[up] for up in plain.chain(node)) for node in value]


@pytest.mark.parametrize("levels", [1, 2, 3, 4, 7, 8, 9, 1_000])
def test_the_root_is_reached_from_any_depth(levels):
    page = page_of(("html", deep(levels, "x")))
    column = np.zeros(len(page), np.int64)
    column[0] = 5
    found = join_path(page.parent, int(page.depth.max()), column, np.maximum, 0)
    assert found.tolist() == [5] * len(page)


def test_a_root_alone():
    page = page_of(("html",))
    assert sum_path(page.end, np.array([2.5])).tolist() == [2.5]
    assert join_path(page.parent, 0, np.array([7]), np.maximum, 0).tolist() == [7]
