"""Neighbours of boxes: pages worked by hand, then all pairs one by one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.methods.segments.geometry import boxes as visual_boxes
from pagelet.methods.segments.geometry.boxes import fair_share, find_neighbours
from pagelet.page.layout import boxes_of
from tests import layouts
from tests.naive import bcs as naive


def pairs(boxes) -> dict[tuple[int, int], tuple[float, bool]]:
    found = find_neighbours(boxes)
    keys = zip(found.first.tolist(), found.second.tolist(), strict=True)
    values = zip(found.gap.tolist(), found.vertical.tolist(), strict=True)
    listed = list(zip(keys, values, strict=True))
    assert len(dict(listed)) == len(listed)
    return dict(listed)


def test_only_the_nearest_of_a_side():
    lines = boxes_of([[0, 0, 50, 10], [0, 15, 50, 25], [0, 30, 50, 40]])
    assert pairs(lines) == {(0, 1): (5, True), (1, 2): (5, True)}


def test_all_that_are_equally_near():
    header = boxes_of([[0, 0, 90, 10], [0, 20, 30, 30], [40, 20, 60, 35], [70, 21, 90, 30]])
    assert pairs(header) == {
        (0, 1): (10, True),
        (0, 2): (10, True),
        (0, 3): (11, True),  # the header is nearest above it
        (1, 2): (10, False),
        (2, 3): (10, False),
    }


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        pytest.param([10, 0, 20, 10], (0, False), id="side by side, touching"),
        pytest.param([0, 10, 10, 20], (0, True), id="one on the other, touching"),
        pytest.param([10, 10, 20, 20], None, id="corner to corner"),
        pytest.param([30, 30, 40, 40], None, id="no common projection"),
        pytest.param([9, 9, 20, 20], None, id="overlapping"),
        pytest.param([2, 2, 8, 8], None, id="inside"),
        pytest.param([20, 5, 20, 8], None, id="without width"),
        pytest.param([12, 9, 20, 30], (2, False), id="one pixel of common projection"),
    ],
)
def test_two_boxes(other, expected):
    found = pairs(boxes_of([[0, 0, 10, 10], other]))
    assert found == ({(0, 1): expected} if expected else {})


@given(layouts.layouts(most=14) | layouts.layouts(most=30, reach=60))
def test_equals_all_pairs(boxes):
    each = naive.boxes_from(boxes)
    near = naive.neighbourhood(each)
    expected = {
        (m.number, n.number): (naive.gap(m, n), naive.pov(m, n) == "x")
        for m in each
        for n in near[m]
        if m.number < n.number
    }
    assert pairs(boxes) == expected


@given(layouts.layouts(most=20))
def test_fractions_of_pixels(boxes):
    small = boxes_of(boxes.edges / 3)
    assert pairs(small).keys() == pairs(boxes).keys()


def test_boxes_all_over_each_other_have_so_many_neighbours(monkeypatch):
    monkeypatch.setattr(visual_boxes, "RESERVE_TIES", 0)
    boxes = layouts.staircase(1000)
    assert len(find_neighbours(boxes)) <= 2 * visual_boxes.TIES_PER_BOX * len(boxes)


@pytest.mark.parametrize("layout", [layouts.grid, layouts.columns])
def test_boxes_that_do_not_overlap_keep_all_neighbours(layout, monkeypatch):
    boxes = layout(900)
    expected = pairs(boxes)
    monkeypatch.setattr(visual_boxes, "RESERVE_TIES", 0)
    assert pairs(boxes) == expected


@given(st.lists(st.integers(0, 9), max_size=8), st.integers(0, 40))
def test_a_fair_share_is_the_greatest_that_fits(counts, total):
    share = fair_share(np.array(counts, int), total)
    assert sum(min(count, share) for count in counts) <= total
    if share < max(counts, default=0):
        assert sum(min(count, share + 1) for count in counts) > total
