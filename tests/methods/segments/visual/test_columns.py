"""Main column and side bars are apart where a gutter parts them from top to bottom."""

import numpy as np
import pytest

from pagelet.methods.segments.visual.columns import join_bands, split_columns
from pagelet.methods.segments.visual.scene import SUM_COLUMNS, Scene

MAIN = [(0, y, 600, y + 20) for y in range(0, 600, 40)]
SIDE = [(660, y, 900, y + 20) for y in range(0, 400, 40)]


def scene(lines) -> Scene:
    edges = np.array(lines, float)
    sums, ground = np.ones((len(edges), SUM_COLUMNS)), np.zeros(len(edges), np.intp)
    return Scene(edges, sums, ground, edges, (960.0, float(edges[:, 3].max())))


def columns(lines) -> int:
    return int(split_columns(scene(lines), np.zeros(len(lines), np.intp)).max()) + 1


def test_a_main_column_and_a_side_bar_are_two_segments():
    number = split_columns(scene(MAIN + SIDE), np.zeros(len(MAIN + SIDE), np.intp))
    assert number.tolist() == [0] * len(MAIN) + [1] * len(SIDE)


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([*MAIN, *SIDE, (0, 620, 900, 640)], id="a line across both"),
        pytest.param([*MAIN, *SIDE[:2]], id="too few boxes"),
        pytest.param([*MAIN, *((660, y, 900, y + 20) for y in range(0, 200, 40))], id="too short"),
        pytest.param([*MAIN, *((605, y, 900, y + 20) for y in range(0, 600, 40))], id="no gutter"),
        pytest.param([*MAIN, *((660, y, 700, y + 20) for y in range(0, 600, 40))], id="narrow"),
        pytest.param(
            [(x, y, x + 280, y + 20) for x in (0, 320, 640) for y in range(0, 600, 40)], id="a grid"
        ),
        pytest.param([(0, 0, 600, 20), (660, 0, 900, 20)] * 4, id="a row"),
    ],
)
def test_what_is_no_column_stays_in_its_segment(lines):
    assert columns(lines) == 1


def test_boxes_in_no_segment_stay_out():
    number = np.full(len(MAIN + SIDE), -1)
    assert split_columns(scene(MAIN + SIDE), number).tolist() == number.tolist()


def test_bands_join_what_lies_side_by_side():
    lines = [(0, 0, 900, 50), (0, 100, 400, 300), (450, 120, 900, 280), (0, 350, 900, 400)]
    assert join_bands(scene(lines), np.array([4, 2, 3, 0])).tolist() == [0, 1, 1, 2]


def test_a_narrow_strip_is_no_band():
    lines = [(0, 0, 900, 50), (0, 60, 200, 80), (0, 100, 900, 300)]
    assert join_bands(scene(lines), np.array([0, 1, 2])).tolist() == [0, 0, 0]
