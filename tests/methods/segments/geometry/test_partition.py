"""Segments as a partition of boxes: their numbers, their rows, and the reading order of boxes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import parse
from pagelet.methods.segments.geometry.partition import (
    members_of_segments,
    reading_order,
    rows_of_segments,
    segments_of,
)
from pagelet.page.layout import boxes_of
from tests.build import page_of, trees
from tests.layouts import heap, layouts, staircase
from tests.naive import segment_rows as naive

BOXES = boxes_of([[0, 50, 10, 60], [20, 0, 30, 10], [0, 0, 10, 10], [0, 80, 5, 90], [9, 9, 9, 9]])


def test_segments_are_numbered_from_the_top_then_from_the_left():
    segments = segments_of(BOXES, np.array([7, 3, 5, 7, -1]))
    assert segments.number.tolist() == [2, 1, 0, 2, -1]
    assert segments.edges.tolist() == [[0, 0, 10, 10], [20, 0, 30, 10], [0, 50, 10, 90]]
    assert members_of_segments(segments)[2].tolist() == [0, 3]
    assert segments.loose.tolist() == [4]
    assert len(segments) == 3


def test_a_page_with_loose_boxes_alone():
    segments = segments_of(BOXES, np.full(5, -1))
    assert (len(segments), segments.loose.tolist()) == (0, [0, 1, 2, 3, 4])
    assert segments.edges.shape == (0, 4)


def test_a_page_without_boxes():
    segments = segments_of(boxes_of([]), np.zeros(0, int))
    assert (len(segments), segments.loose.tolist()) == (0, [])


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


LINES = [(0, 20 * line, 90, 20 * line + 16) for line in range(3)]
BESIDE = [(120, top, 210, bottom) for _, top, _, bottom in LINES]
HEAD, FOOT = (0, -30, 210, -10), (0, 70, 210, 90)


def read(edges, rows=None, **way) -> list[int]:
    rows = range(len(edges)) if rows is None else rows
    return reading_order(boxes_of(edges, row=np.array(list(rows), np.int32)), **way).tolist()


def test_columns_are_read_one_after_the_other():
    assert read([HEAD, *LINES, *BESIDE, FOOT]) == list(range(8))


def test_a_table_is_read_row_by_row():
    cells = [cell for pair in zip(LINES, BESIDE, strict=True) for cell in pair]
    assert read([HEAD, *cells, FOOT]) == list(range(8))
    assert read(cells) == list(range(6)), "though its columns are further apart than its rows"


def test_where_the_document_contradicts_the_eye_wins():
    assert read(LINES[::-1]) == [2, 1, 0]
    assert read([FOOT, *BESIDE, *LINES, HEAD]) == [7, 4, 5, 6, 1, 2, 3, 0]


def test_lines_from_right_to_left():
    row = [(100, 0, 140, 16), (50, 0, 90, 16), (0, 0, 40, 16)]
    assert read(row, right_to_left=True) == [0, 1, 2]
    assert read(row[::-1], right_to_left=True) == [2, 1, 0]
    assert read(row) == [2, 1, 0]


def test_what_overlaps_is_read_as_it_stands_in_the_document():
    raised = [(0, 4, 40, 20), (38, 0, 50, 10), (48, 4, 90, 20)]
    assert read(raised) == [0, 1, 2]
    assert read(raised, rows=(2, 1, 0)) == [2, 1, 0]


def test_nothing_is_read_of_nothing():
    assert read([]) == []


@given(layouts())
def test_every_box_is_read_once(boxes):
    assert sorted(reading_order(boxes).tolist()) == list(range(len(boxes)))


@given(layouts())
def test_the_mirror_is_read_the_other_way(boxes):
    mirrored = boxes_of(boxes.edges[:, [2, 1, 0, 3]] * (-1, 1, -1, 1), row=boxes.row)
    assert reading_order(mirrored, right_to_left=True).tolist() == reading_order(boxes).tolist()


@pytest.mark.parametrize("layout", [heap, staircase])
def test_tangled_pages_are_read_in_time(layout):
    assert len(reading_order(layout(20_000))) == 20_000
