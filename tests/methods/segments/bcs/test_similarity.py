"""How unlike boxes are: values worked by hand, then any boxes against the definitions."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.methods.segments.bcs.options import BcsOptions
from pagelet.methods.segments.bcs.similarity import (
    alignment_score,
    base_similarity,
    lab_distance,
    lch_distance,
    ratio_difference,
    relative_distance,
    rgb_distance,
    shape_difference,
    to_lab,
)
from pagelet.methods.segments.geometry.boxes import find_neighbours
from pagelet.page.layout import boxes_of
from tests import layouts
from tests.naive import bcs as naive

LINES = boxes_of([[0, 0, 40, 10], [0, 14, 40, 24], [0, 32, 20, 42]])  # gaps 4 and 8


def test_distance_by_hand():
    # 4 of at most 4 and 8; 8 of at most 8 and 8
    assert relative_distance(LINES, find_neighbours(LINES)).tolist() == [0.75, 1]


def test_shape_by_hand():
    # ratios 4 and 2: 2 / (15 / 4); areas 400 and 200
    expected = [0, (8 / 15 + 0.5) / 2]
    assert shape_difference(LINES, find_neighbours(LINES)) == pytest.approx(expected)


def test_base_similarity_by_hand():
    shape = (8 / 15 + 0.5) / 2
    found = {rule: base_similarity(LINES, find_neighbours(LINES), BcsOptions(far=rule)).tolist()
             for rule in ("mean", "literal", "equidistant")}  # fmt: skip
    assert found["mean"] == pytest.approx([0.25, (1 + shape) / 3])
    assert found["literal"] == pytest.approx([0.25, 1])
    assert found["equidistant"] == [0, 0]  # the first line has one neighbour, so has the last


def test_almost_as_far_as_can_be_is_not_as_far_as_can_be():
    lines = boxes_of([[0, 0, 40, 10], [0, 29, 40, 39], [0, 59, 40, 69]])  # gaps 19 and 20
    found = base_similarity(lines, find_neighbours(lines), BcsOptions(far="literal"))
    assert found == pytest.approx([(1 + 0.95) / 2 / 3, 1])


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        pytest.param((4, 2), (8, 4), 0, id="the same ratio"),
        pytest.param((6, 2), (2, 6), 1, id="turned"),
        pytest.param((5, 5), (2, 5), 1, id="a square and something upright"),
        pytest.param((5, 5), (10, 5), 2 / 3, id="a square and something flat"),
        pytest.param((5, 10), (4, 10), 0.1 / 1.5, id="both upright: negative as printed"),
        pytest.param((6, 5), (1, 5), 1, id="more than 1 as printed"),
    ],
)
def test_ratio_by_hand(one, other, expected):
    boxes = boxes_of([[0, 0, *one], [0, 50, other[0], 50 + other[1]]])
    assert ratio_difference(boxes, find_neighbours(boxes)) == pytest.approx([expected])


def test_boxes_that_touch_are_alike_whatever_they_look_like():
    boxes = boxes_of([[0, 0, 10, 10], [0, 10, 90, 12]], [[0, 0, 0], [255, 255, 255]])
    assert base_similarity(boxes, find_neighbours(boxes)).tolist() == [0]


def test_alignment_by_hand():
    # left edges agree over gaps of 12, 15 and 16; a gap may be 15
    lines = boxes_of([[0, 0, 40, 10], [0, 22, 50, 32], [0, 47, 30, 57], [0, 73, 20, 83]])
    assert alignment_score(lines, find_neighbours(lines)).tolist() == [3, 3, 1]


@pytest.mark.parametrize(("gap", "expected"), [(4, 2), (4.25, 1)])
def test_a_reach_is_a_whole_number_of_pixels(gap, expected):
    lines = boxes_of([[0, 0, 40, 3], [0, 3 + gap, 40, 6 + gap]])  # 1.5 times 3 is 4.5
    assert alignment_score(lines, find_neighbours(lines)).tolist() == [expected]


def test_a_reach_belongs_to_its_pair():
    # the low pair may have gaps of 6, the high pair of 15, over which it reaches all
    lines = boxes_of([[0, 0, 40, 4], [0, 9, 40, 13], [0, 25, 40, 35], [0, 45, 40, 55]])
    assert alignment_score(lines, find_neighbours(lines)).tolist() == [2, 1, 4]


colour = st.tuples(*[st.integers(0, 255)] * 3)


@given(layouts.layouts(most=14), st.sampled_from(("mean", "literal", "equidistant")), st.booleans())
def test_base_similarity_equals_the_definitions(boxes, far, aligned):
    options = BcsOptions(far=far, aligned=aligned, shape_weight=0.5)
    each = {box.number: box for box in naive.boxes_from(boxes)}
    near = naive.neighbourhood(list(each.values()))
    pairs = find_neighbours(boxes)
    expected = [
        naive.bsim(each[m], each[n], near, options)
        for m, n in zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)
    ]
    assert base_similarity(boxes, pairs, options) == pytest.approx(expected)


# -- colours --------------------------------------------------------------------------------------


def test_colours_by_hand():
    red, black = np.array([[255, 0, 0]], np.uint8), np.array([[0, 0, 0]], np.uint8)
    assert rgb_distance(red, black) == pytest.approx([1 / sqrt(3)])
    # red in the Lab space, from tables: 53.24, 80.09, 67.20
    assert to_lab(red)[0] == pytest.approx([53.24, 80.09, 67.20], abs=0.02)
    assert lab_distance(red, black) == pytest.approx([117.34 / 258.68], abs=1e-3)
    # black has no chroma, so nothing is scaled
    assert lch_distance(red, black) == pytest.approx([117.34 / 149.70], abs=1e-3)


def test_chroma_counts_less_among_strong_colours():
    strong, weaker = np.array([[255, 0, 0]], np.uint8), np.array([[255, 60, 60]], np.uint8)
    first, second = to_lab(strong)[0], to_lab(weaker)[0]
    lightness = first[0] - second[0]
    chromas = [np.hypot(*first[1:]), np.hypot(*second[1:])]
    hue = max(((first - second)[1:] ** 2).sum() - (chromas[0] - chromas[1]) ** 2, 0)
    mean = sqrt(chromas[0] * chromas[1])
    scaled = ((chromas[0] - chromas[1]) / (1 + 0.045 * mean)) ** 2 + hue / (1 + 0.015 * mean) ** 2
    expected = sqrt(lightness**2 + scaled) / 149.70
    assert lch_distance(strong, weaker) == pytest.approx([expected], abs=1e-5)


@pytest.mark.parametrize("distance", [rgb_distance, lab_distance, lch_distance])
@given(one=colour, other=colour)
def test_a_distance_of_colours(distance, one, other):
    a, b = (np.array([each], np.uint8) for each in (one, other))
    there, back = distance(a, b)[0], distance(b, a)[0]
    assert there == back
    assert 0 <= there <= 1
    assert (there == 0) == (one == other)


@pytest.mark.parametrize(
    ("distance", "one", "other"),
    [
        (rgb_distance, (0, 0, 0), (255, 255, 255)),
        (lab_distance, (0, 255, 0), (0, 0, 255)),
        (lch_distance, (255, 255, 255), (0, 0, 255)),
    ],
)
def test_the_most_that_colours_differ(distance, one, other):
    a, b = (np.array([each], np.uint8) for each in (one, other))
    assert distance(a, b) == pytest.approx([1], abs=1e-5)
