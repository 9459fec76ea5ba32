"""The order in which boxes are read: layouts worked by hand, and what must hold of any."""

import numpy as np
import pytest
from hypothesis import given

from pagelet.methods.segments.geometry.partition import reading_order
from pagelet.page.boxes import boxes_of
from tests.layouts import heap, layouts, staircase

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
    assert read(row, leftward=True) == [0, 1, 2]
    assert read(row[::-1], leftward=True) == [2, 1, 0]
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
    assert reading_order(mirrored, leftward=True).tolist() == reading_order(boxes).tolist()


@pytest.mark.parametrize("layout", [heap, staircase])
def test_tangled_pages_are_read_in_time(layout):
    assert len(reading_order(layout(20_000))) == 20_000
