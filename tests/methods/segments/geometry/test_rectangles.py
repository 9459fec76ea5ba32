"""Rectangles: containment against all pairs, and a grid that finds what they overlap."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.methods.segments.geometry import rectangles as geometry
from pagelet.methods.segments.geometry.rectangles import (
    MAX_CELLS_PER_RECTANGLE,
    RectangleGrid,
    contains_another,
)
from tests import layouts
from tests.effort import ends
from tests.naive.bcs import bounds, overlap

sides = st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(1, 9), st.integers(1, 9))


def all_pairs(edges) -> list[bool]:
    def inside(one, other) -> bool:
        return all(a <= b for a, b in zip(one[:2], other[:2], strict=True)) and all(
            a >= b for a, b in zip(one[2:], other[2:], strict=True)
        )

    listed = edges.tolist()
    return [any(inside(one, other) for other in listed if other != one) for one in listed]


def hard(number: int) -> np.ndarray:
    """Rectangles of which none contains another, in no order."""
    sides = [np.random.default_rng(seed).permutation(number) for seed in range(3)]
    last = 3 * number - np.sum(sides, axis=0)
    return np.stack((-sides[0], -sides[1], sides[2] + number, last + number), axis=1).astype(float)


@given(st.sets(sides, max_size=40))
def test_equals_all_pairs(found):
    edges = np.array([(x, y, x + w, y + h) for x, y, w, h in found], float).reshape(-1, 4)
    edges = np.unique(edges, axis=0)[::-1]
    assert contains_another(edges).tolist() == all_pairs(edges)


@pytest.mark.parametrize("pairs", [1, 7, 1 << 18])
def test_parts_of_the_work_add_up(pairs, monkeypatch):
    monkeypatch.setattr(geometry, "BATCH_PAIRS", pairs)
    corner = np.random.default_rng(1).integers(0, 40, (300, 2))
    size = np.random.default_rng(2).integers(1, 12, (300, 2))
    edges = np.unique(np.hstack((corner, corner + size)), axis=0).astype(float)
    assert contains_another(edges).tolist() == all_pairs(edges)


def test_many_that_contain_none():
    with ends():
        assert not contains_another(hard(20_000)).any()


def test_many_in_each_other():
    at = np.arange(20_000.0)
    nested = np.stack((at, at, 50_000 - at, 50_000 - at), axis=1)
    with ends():
        assert contains_another(nested).tolist() == [True] * 19_999 + [False]


boards = layouts.layouts(most=40, reach=30)
edge = st.integers(-3, 45)
rectangles = st.tuples(edge, edge, edge, edge).map(
    lambda r: (min(r[0], r[2]), min(r[1], r[3]), max(r[0], r[2]) + 1, max(r[1], r[3]) + 1)
)


GRID = RectangleGrid(layouts.grid(2500).edges)


def seen(cells) -> set[int]:
    return {name for cell in cells for name in cell}


@given(boards, rectangles)
def test_all_that_is_overlapped_is_found(boxes, query):
    found = seen(RectangleGrid(boxes.edges).cells_near(query))
    assert {at for at, edges in enumerate(boxes.edges) if overlap(edges, query)} <= found


@given(boards, rectangles, rectangles)
def test_all_outside_the_known_is_found(boxes, checked, more):
    query = bounds([checked, more])
    found = seen(RectangleGrid(boxes.edges).cells_near(query, checked))
    outside = {
        at
        for at, edges in enumerate(boxes.edges)
        if overlap(edges, query) and not overlap(edges, checked)
    }
    assert outside <= found


@given(boards, rectangles, rectangles, rectangles)
def test_what_grew_is_found(boxes, first, more, query):
    grid, grown = RectangleGrid(boxes.edges), bounds([first, more])
    grid.insert(-1, first)
    grid.insert(-1, grown, first)
    assert overlap(query, grown) <= (-1 in seen(grid.cells_near(query)))
    entered = [names.count(-1) for names in grid.cells_near((-99, -99, 99, 99))]
    assert max(entered) == 1  # in no cell twice


@given(st.tuples(*[st.integers(0, 49)] * 4), st.tuples(*[st.integers(0, 3)] * 4))
def test_all_around_a_known_part_of_a_grid_is_found(corners, more):
    (left, right), (top, bottom) = sorted(corners[:2]), sorted(corners[2:])
    checked = (100 * left, 30 * top, 100 * right + 80, 30 * bottom + 20)
    wider = (left - more[0], top - more[1], right + more[2], bottom + more[3])
    query = (100 * wider[0], 30 * wider[1], 100 * wider[2] + 80, 30 * wider[3] + 20)
    x, y = np.arange(2500) % 50, np.arange(2500) // 50
    inside = (left <= x) & (x <= right) & (top <= y) & (y <= bottom)
    wanted = (wider[0] <= x) & (x <= wider[2]) & (wider[1] <= y) & (y <= wider[3]) & ~inside
    found = seen(GRID.cells_near(query, checked))
    assert set(np.flatnonzero(wanted).tolist()) <= found


def test_little_is_looked_at():
    boxes = layouts.grid(2500)
    grid = RectangleGrid(boxes.edges)
    looks = [len(seen(grid.cells_near(tuple(edges)))) for edges in boxes.edges[::50].tolist()]
    assert max(looks) <= 16


def test_a_known_inside_is_not_looked_at():
    boxes = layouts.grid(2500)
    grid, (width, height) = RectangleGrid(boxes.edges), (boxes.page_width, boxes.page_height)
    assert len(seen(grid.cells_near((0, 0, width, height), (0, 0, width, height - 60)))) < 400


def test_sheets_over_each_other_are_not_entered_everywhere():
    boxes = layouts.sheets(3000)
    grid = RectangleGrid(boxes.edges)
    entries = sum(len(cell) for cell in grid.cells_near((-1, -1, 9e9, 9e9)))
    assert entries <= MAX_CELLS_PER_RECTANGLE * len(boxes)


def test_an_empty_plane():
    assert seen(RectangleGrid(np.zeros((0, 4))).cells_near((0, 0, 9, 9))) == set()
