"""Rows of segments: a page worked by hand, then any page against a plain walk."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pagelet import parse
from pagelet.methods.segments.geometry.partition import (
    members_of_segments,
    rows_of_segments,
    segments_of,
)
from pagelet.page.boxes import boxes_of
from tests.build import page_of, trees
from tests.naive import segment_rows as naive

PAGE = parse("<body><div><p>one</p><p>two</p></div><p>three</p><p>four</p>")
TEXTS = [PAGE.row(f"/html/body/div/p[{n}]") + 1 for n in (1, 2)]
TEXTS += [PAGE.row(f"/html/body/p[{n}]") + 1 for n in (1, 2)]


def divided(rows, groups, page=PAGE):
    """Segments of boxes that stand one below the other."""
    edges = [(0, 10 * at, 10, 10 * at + 5) for at in range(len(rows))]
    return segments_of(boxes_of(edges, row=np.array(rows, np.int32)), np.array(groups, np.int32))


def paths(rows, groups):
    found = rows_of_segments(PAGE, divided(rows, groups))
    return [[PAGE.path(row) for row in each] for each in found]


def test_a_segment_has_the_highest_rows_that_lie_in_it():
    assert paths(TEXTS, [0, 0, 1, 2]) == [
        ["/html/body/div"],
        ["/html/body/p[1]"],
        ["/html/body/p[2]"],
    ]


def test_one_segment_is_the_body():
    assert paths(TEXTS, [0, 0, 0, 0]) == [["/html/body"]]


def test_a_row_that_is_partly_in_none_keeps_what_is_above_it_out():
    assert paths(TEXTS, [0, -1, 0, 0]) == [
        ["/html/body/div/p[1]", "/html/body/p[1]", "/html/body/p[2]"]
    ]


def test_a_text_of_two_segments_is_a_row_of_both():
    one, two, *_ = TEXTS
    assert paths([one, two, two], [0, 0, 1]) == [
        ["/html/body/div/p[1]", "/html/body/div/p[2]/text()[1]"],
        ["/html/body/div/p[2]/text()[1]"],
    ]


def test_what_has_no_box_does_not_matter():
    assert paths(TEXTS[:2], [0, 0]) == [["/html/body"]]


def test_members():
    assert [list(each) for each in members_of_segments(divided(TEXTS, [1, -1, 0, 1]))] == [
        [0, 3],
        [2],
    ]
    assert members_of_segments(divided([], [])) == []
    assert members_of_segments(divided(TEXTS, [-1] * 4)) == []


@given(trees, st.data())
def test_equals_a_plain_walk(tree, data):
    page = page_of(tree)
    boxes = data.draw(st.integers(0, 12))
    rows = [data.draw(st.integers(-1, len(page) - 1)) for _ in range(boxes)]
    groups = [data.draw(st.integers(-1, 3)) for _ in range(boxes)]
    segments = divided(rows, groups, page)
    found = rows_of_segments(page, segments)
    assert found == naive.rows_of_segments(page, segments)
