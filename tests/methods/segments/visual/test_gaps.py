"""Gaps between boxes: fast measures equal slow ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.methods.segments.geometry.rectangles import ACROSS, DOWN
from pagelet.methods.segments.visual.gaps import FEATURE_NAMES, gap_features
from pagelet.methods.segments.visual.scene import SUM_COLUMNS, Scene, find_both_strips, find_strips
from tests.naive import gaps as naive


@st.composite
def scenes(draw) -> Scene:
    """A few boxes of any look on a small board, with edges of grounds among them."""
    boxes = draw(st.integers(1, 12))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    at = random.integers(0, (40, 120), (boxes, 2)).astype(float)
    size = random.integers(1, (30, 12), (boxes, 2))
    surfaces = random.integers(0, 60, (draw(st.integers(0, 5)), 2)).astype(float)
    sums = random.integers(1, 50, (boxes, SUM_COLUMNS)).astype(float)
    sums[:, 0] = 1  # a box counts as one
    return Scene(
        np.hstack((at, at + size)),
        sums,
        random.integers(0, draw(st.sampled_from((1, 3, 60))), boxes),
        np.hstack((surfaces, surfaces + random.integers(1, 40, surfaces.shape))),
        (80.0, 140.0),
    )


@given(scenes(), st.sampled_from((DOWN, ACROSS)), st.data())
def test_every_measure_equals_its_slow_twin(scene, axis, data):
    """All groups are looked at together, and each as if it were alone."""
    group = np.array(
        data.draw(st.lists(st.integers(0, 2), min_size=len(scene), max_size=len(scene)))
    )
    group = np.unique(group, return_inverse=True)[1]
    strips = find_strips(scene.edges, np.arange(len(scene)), group, axis)
    groups = [np.flatnonzero(group == at).tolist() for at in range(group.max() + 1)]
    expected = [gap for each in groups for gap in naive.measures(scene, each, axis)]

    number = strips.parts(np.ones(len(strips.gaps), bool))
    parts = [strips.boxes[number == part].tolist() for part in range(len(strips))]
    assert parts == [part for each in groups for part in naive.strips(scene, each, axis)]
    if expected:
        table = gap_features(scene, strips)
        assert set(table.names) == set(expected[0]) == set(FEATURE_NAMES)
        for name in table.names:
            assert table[name] == pytest.approx([float(gap[name]) for gap in expected]), name


@given(scenes(), st.data())
def test_both_directions_together_equal_each_alone(scene, data):
    """Groups from top to bottom come first, then the same from left to right."""
    group = np.array(
        data.draw(st.lists(st.integers(0, 2), min_size=len(scene), max_size=len(scene)))
    )
    group, boxes = np.unique(group, return_inverse=True)[1], np.arange(len(scene))
    both = find_both_strips(scene.edges, boxes, group)
    alone = [find_strips(scene.edges, boxes, group, axis) for axis in (DOWN, ACROSS)]
    assert both.boxes.tolist() == [box for each in alone for box in each.boxes.tolist()]
    assert both.axis.tolist() == [DOWN] * len(alone[0]) + [ACROSS] * len(alone[1])
    rows = [gap_features(scene, each).rows for each in alone if len(each.gaps)]
    if rows:
        assert gap_features(scene, both).rows == pytest.approx(np.concatenate(rows))


def test_boxes_that_overlap_by_a_hair_are_parted():
    edges = np.array([(0, 0, 10, 12), (0, 11, 10, 20), (0, 17, 10, 30)], float)

    assert len(find_strips(edges, np.arange(3), np.zeros(3, int), DOWN)) == 2


def test_a_box_over_all_leaves_no_gap():
    edges = np.array([(0, 0, 10, 90), (20, 0, 30, 10), (20, 40, 30, 50)], float)

    assert len(find_strips(edges, np.arange(3), np.zeros(3, int), DOWN)) == 1
    assert len(find_strips(edges, np.arange(3), np.zeros(3, int), ACROSS)) == 2
