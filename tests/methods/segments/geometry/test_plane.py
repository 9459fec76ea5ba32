"""The plane finds what a rectangle overlaps, also around one that is known."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pagelet.methods.segments.geometry.neighbours import ENTRIES, Plane
from tests import layouts
from tests.naive.bcs import bounds, overlap

boards = layouts.layouts(most=40, reach=30)
edge = st.integers(-3, 45)
rectangles = st.tuples(edge, edge, edge, edge).map(
    lambda r: (min(r[0], r[2]), min(r[1], r[3]), max(r[0], r[2]) + 1, max(r[1], r[3]) + 1)
)


GRID = Plane(layouts.grid(2500).edges)


def seen(cells) -> set[int]:
    return {name for cell in cells for name in cell}


@given(boards, rectangles)
def test_all_that_is_overlapped_is_found(boxes, asked):
    found = seen(Plane(boxes.edges).near(asked))
    assert {at for at, edges in enumerate(boxes.edges) if overlap(edges, asked)} <= found


@given(boards, rectangles, rectangles)
def test_all_outside_the_known_is_found(boxes, known, more):
    asked = bounds([known, more])
    found = seen(Plane(boxes.edges).near(asked, known))
    outside = {
        at
        for at, edges in enumerate(boxes.edges)
        if overlap(edges, asked) and not overlap(edges, known)
    }
    assert outside <= found


@given(boards, rectangles, rectangles, rectangles)
def test_what_grew_is_found(boxes, first, more, asked):
    plane, grown = Plane(boxes.edges), bounds([first, more])
    plane.enter(-1, first)
    plane.enter(-1, grown, first)
    assert overlap(asked, grown) <= (-1 in seen(plane.near(asked)))
    entered = [names.count(-1) for names in plane.near((-99, -99, 99, 99))]
    assert max(entered) == 1  # in no cell twice


@given(st.tuples(*[st.integers(0, 49)] * 4), st.tuples(*[st.integers(0, 3)] * 4))
def test_all_around_a_known_part_of_a_grid_is_found(corners, more):
    (left, right), (top, bottom) = sorted(corners[:2]), sorted(corners[2:])
    known = (100 * left, 30 * top, 100 * right + 80, 30 * bottom + 20)
    wider = (left - more[0], top - more[1], right + more[2], bottom + more[3])
    asked = (100 * wider[0], 30 * wider[1], 100 * wider[2] + 80, 30 * wider[3] + 20)
    x, y = np.arange(2500) % 50, np.arange(2500) // 50
    inside = (left <= x) & (x <= right) & (top <= y) & (y <= bottom)
    wanted = (wider[0] <= x) & (x <= wider[2]) & (wider[1] <= y) & (y <= wider[3]) & ~inside
    found = seen(GRID.near(asked, known))
    assert set(np.flatnonzero(wanted).tolist()) <= found


def test_little_is_looked_at():
    boxes = layouts.grid(2500)
    plane = Plane(boxes.edges)
    looks = [len(seen(plane.near(tuple(edges)))) for edges in boxes.edges[::50].tolist()]
    assert max(looks) <= 16


def test_a_known_inside_is_not_looked_at():
    boxes = layouts.grid(2500)
    plane, (width, height) = Plane(boxes.edges), (boxes.page_width, boxes.page_height)
    assert len(seen(plane.near((0, 0, width, height), (0, 0, width, height - 60)))) < 400


def test_sheets_over_each_other_are_not_entered_everywhere():
    boxes = layouts.sheets(3000)
    plane = Plane(boxes.edges)
    entries = sum(len(cell) for cell in plane.near((-1, -1, 9e9, 9e9)))
    assert entries <= ENTRIES * len(boxes)


def test_an_empty_plane():
    assert seen(Plane(np.zeros((0, 4))).near((0, 0, 9, 9))) == set()
