"""Rows in trees and values of attributes: the compiled core against Python."""

import numpy as np
import pytest
from hypothesis import given

from pagelet import core
from pagelet.page.html import parse
from pagelet.page.tree import nearest, or_path
from tests.build import page_of, trees
from tests.cores import ask_both, twins

pytestmark = twins


@given(trees)
def test_nearest_marked_rows(tree):
    page = page_of(tree)
    compiled, python = ask_both(lambda: nearest(page.parent, page.tag % 3 == 1).tolist())
    assert compiled == python


@given(trees)
def test_places_among_elements_and_texts(tree):
    compiled, python = ask_both(lambda: page_of(tree).ordinal)
    assert compiled.tolist() == python.tolist()
    assert compiled.dtype == python.dtype


@given(trees)
def test_bits_of_rows_and_of_all_above_them(tree):
    page = page_of(tree)
    bits = page.tag.astype(np.int64)
    compiled, python = ask_both(lambda: or_path(page.parent, page.depth, bits).tolist())
    assert compiled == python


@pytest.mark.parametrize(
    "html",
    [
        "<p>a<script>b</script><noscript><p>c</noscript>d",
        "<template><p>a<template><b>b</b></template></template>c",
        '<div><template shadowrootmode="open"><template>a</template>b</template>c</div>',
        '<template><template shadowrootmode="open">a</template></template><style></style>b',
        "<frameset><frame></frameset>",
        "",
    ],
)
def test_counted_rows(html):
    def ask():
        return parse(html).counted.tolist()

    compiled, python = ask_both(ask)
    assert compiled == python


def test_columns_that_are_broken_count_nothing():
    tag, size = np.array([[0, 1], [2, 5]], np.int32)
    marked = np.array([False, True])
    mark = core.kernels.mark_counted
    with pytest.raises(ValueError, match="broken"):
        mark(tag, size, marked, [], 0, np.zeros(2, np.bool_))
    with pytest.raises(IndexError, match="body"):
        mark(tag, size, marked, [], 2, np.zeros(2, np.bool_))
    with pytest.raises(ValueError, match="mark"):
        mark(tag, size, marked, [], 0, np.zeros(3, np.bool_))


def test_tags_below_zero_are_refused():
    tag, size, marked = np.array([[0, -1_000_000], [2, 1]], np.int32).tolist(), None, np.zeros(5)
    tag, size, marked = np.array(tag[0], np.int32), np.array(tag[1], np.int32), marked > 0
    with pytest.raises(ValueError, match="broken"):
        core.kernels.mark_counted(tag, size, marked, [], 0, np.zeros(2, np.bool_))
    with pytest.raises(ValueError, match="broken"):
        core.kernels.find_tagged(tag, marked, 9)


def test_nodes_before_their_parents_are_left_to_python():
    parent, marked = np.array([1, 2, -1]), np.array([False, False, True])
    assert ask_both(lambda: nearest(parent, marked).tolist()) == ([2, 2, 2], [2, 2, 2])


def test_different_values_of_an_attribute():
    html = "<p class=b><p class=a><p class><p class=b><p class='\u00e4 a'><i id=x>"

    def ask():
        page = parse(html)
        return [
            (rows.tolist(), numbers.tolist(), values)
            for rows, numbers, values in map(page.distinct, ("class", "id", "title"))
        ]

    compiled, python = ask_both(ask)
    assert compiled == python
    assert compiled[0][1:] == ([0, 1, 2, 0, 3], ("b", "a", "", "\u00e4 a"))


def test_arrays_of_another_length_are_refused():
    with pytest.raises(ValueError, match="mark"):
        core.kernels.find_nearest(np.zeros(2, np.intp), np.zeros(1, np.bool_), np.zeros(2, np.intp))
    with pytest.raises(ValueError, match="place"):
        core.kernels.fill_ordinals(np.zeros(2, np.int32), np.zeros(1, np.intp))
    with pytest.raises(ValueError, match="row"):
        core.kernels.number_values({1: "x"}, np.zeros(2, np.intp), np.zeros(1, np.intp))
