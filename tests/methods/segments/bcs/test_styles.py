"""Fonts and backgrounds as further cues of box clustering."""

import numpy as np
import pytest

from pagelet.methods.segments.bcs.options import MEAN, BcsOptions
from pagelet.methods.segments.bcs.similarity import BoxStyles, base_similarity, style_difference
from pagelet.methods.segments.geometry.boxes import find_neighbours
from pagelet.page.layout import boxes_of

BOXES = boxes_of([(0, 0, 100, 20), (0, 30, 100, 50), (0, 70, 100, 90)])
STYLES = BoxStyles(
    np.array([16.0, 16.0, 32.0]),
    np.array([400.0, 400.0, 400.0]),
    np.array([(255, 255, 255), (255, 255, 255), (0, 0, 0)], np.uint8),
)


def test_alike_styles_differ_by_nothing_and_unlike_ones_by_much():
    assert style_difference(STYLES, find_neighbours(BOXES)).tolist() == [0, (0.5 + 1) / 2]


def test_the_weight_moves_the_mean():
    pairs = find_neighbours(BOXES)
    plain = base_similarity(BOXES, pairs, MEAN, STYLES)
    styled = base_similarity(BOXES, pairs, BcsOptions(style_weight=1), STYLES)
    assert plain.tolist() == base_similarity(BOXES, pairs).tolist()
    assert styled == pytest.approx((plain * 3 + np.array([0, 0.75])) / 4)
