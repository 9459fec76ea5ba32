"""Shapes of a PDF page: rectangles, and pieces that make up drawings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.sources.pdf.shapes import PaintedObject, fill_ratio, intersect, merge_drawings

RED, BLUE = (255, 0, 0, 255), (0, 0, 255, 255)


def piece(order, *edges, background=RED):
    return PaintedObject(edges=edges, order=order, is_piece=True, background=background)


def shape(order, *edges):
    return PaintedObject(edges=edges, order=order, background=BLUE)


def test_pieces_are_one_image_of_their_mean_colour():
    (found,) = merge_drawings(
        [piece(0, 0, 0, 10, 10), piece(1, 10, 0, 40, 10, background=BLUE)], []
    )
    assert found == PaintedObject(edges=(0, 0, 40, 10), order=0, is_image=True, colour=(64, 0, 191))


def test_a_text_in_between_parts_two_drawings():
    pieces = [piece(at, at, 0, at + 5, 5) for at in (0, 1, 3, 4)]
    assert [each.edges for each in merge_drawings(pieces, [2])] == [(0, 0, 6, 5), (3, 0, 9, 5)]


def test_pieces_far_apart_stand_alone():
    found = merge_drawings([piece(0, 0, 0, 5, 5), piece(1, 9, 0, 14, 5)], [])
    assert [(each.edges, each.is_piece, each.is_image) for each in found] == [
        ((0, 0, 5, 5), False, False),
        ((9, 0, 14, 5), False, False),
    ]


def test_an_outline_that_stands_alone_is_nothing():
    assert merge_drawings([piece(0, 0, 0, 5, 5, background=(0, 0, 0, 0))], []) == []


def test_what_is_painted_over_a_drawing_is_part_of_it():
    ground, over, out = shape(0, 0, 0, 9, 9), shape(3, 2, 2, 15, 4), shape(4, 2, 2, 17, 4)
    after = shape(6, 2, 2, 4, 4)
    found = merge_drawings(
        [ground, piece(1, 0, 0, 5, 5), piece(2, 4, 4, 9, 9), over, out, after], [5]
    )
    assert [each.order for each in found] == [0, 1, 4, 6]


@pytest.mark.parametrize(
    ("points", "share"),
    [
        ([(0, 0), (4, 0), (4, 3), (0, 3)], 1),
        ([(0, 0), (4, 0), (4, 3)], 0.5),
        ([(0, 3), (4, 3), (4, 0), (0, 0), (0, 3)], 1),
        ([(0, 0), (4, 0)], 1),
    ],
    ids=["rectangle", "triangle", "the other way round and closed", "a line"],
)
def test_share_filled(points, share):
    assert fill_ratio(points) == share


sides = st.tuples(*[st.integers(0, 5)] * 4).map(
    lambda it: (min(it[0], it[2]), min(it[1], it[3]), max(it[0], it[2]), max(it[1], it[3]))
)


@given(sides, sides)
def test_common_has_the_points_of_both(one, other):
    found = intersect(one, other)
    cells = {
        (x, y)
        for x in range(5)
        for y in range(5)
        if all(a <= x < c and b <= y < d for a, b, c, d in (one, other))
    }
    left, bottom, right, top = found
    assert cells == {(x, y) for x in range(left, right) for y in range(bottom, top)}
    assert intersect(one, None) == intersect(None, one) == one
