"""Main column and side bars are apart where a gutter parts them from top to bottom."""

from dataclasses import replace

import numpy as np
import pytest

from pagelet.methods.segments.geometry.rectangles import DOWN
from pagelet.methods.segments.visual.bars import raise_at_bars
from pagelet.methods.segments.visual.columns import join_bands, split_columns
from pagelet.methods.segments.visual.scene import SUM_COLUMNS, Scene, find_both_strips
from tests.effort import growth

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
        pytest.param([*MAIN, *SIDE, (0, 295, 900, 305)], id="a line across both"),
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


def test_a_side_bar_between_a_header_and_a_row_below():
    header = [(0, 0, 300, 40), (700, 0, 900, 40), (0, 60, 500, 80)]
    main = [(0, y, 600, y + 20) for y in range(120, 1600, 40)]
    side = [(660, y, 900, y + 20) for y in range(130, 600, 40)]
    row = [(x, 1700, x + 200, 1760) for x in (0, 220, 440, 700)]
    lines = header + main + side + row
    for shown in (lines, [(900 - right, y, 900 - left, end) for left, y, right, end in lines]):
        number = split_columns(scene(shown), np.zeros(len(shown), np.intp)).tolist()
        parts = [header, main, side, row]
        found = [{number.pop(0) for _ in part} for part in parts]
        assert [len(each) for each in found] == [1, 1, 1, 1]
        assert len(set.union(*found)) == 4


BELOW = [(left, y + 120, right, end + 120) for left, y, right, end in MAIN + SIDE]


def test_a_bar_over_all_columns_goes_with_what_is_above_it():
    """The white between the columns goes on between the logo and the links above."""
    header = [(0, 0, 200, 30), (700, 0, 900, 30), (0, 55, 300, 75)]
    page = scene(header + BELOW)
    bare = split_columns(page, np.zeros(len(page), np.intp)).tolist()
    assert bare[0] == bare[3] != bare[1] == bare[-1]
    barred = replace(page, surfaces=np.array([(0.0, 45.0, 960.0, 85.0)]))
    number = split_columns(barred, np.zeros(len(page), np.intp)).tolist()
    assert len({*number[:3]}) == 1
    assert [len({*part}) for part in (number[3 : 3 + len(MAIN)], number[3 + len(MAIN) :])] == [1, 1]
    assert len({number[0], number[3], number[-1]}) == 3


@pytest.mark.parametrize(
    ("surface", "columns_wanted"),
    [
        pytest.param((600, 0, 960, 620), 2, id="a ground as tall as the columns"),
        pytest.param((600, 0, 960, 200), 1, id="a ground that ends early"),
        pytest.param((500, 0, 960, 620), 1, id="a ground that begins elsewhere"),
    ],
)
def test_an_edge_of_a_ground_parts_columns_without_white(surface, columns_wanted):
    lines = [*MAIN, *((604, y, 900, y + 20) for y in range(0, 600, 40))]
    page = replace(scene(lines), surfaces=np.array([surface], float))
    found = split_columns(page, np.zeros(len(lines), np.intp))
    assert int(found.max()) + 1 == columns_wanted


def test_columns_of_equal_width_are_columns_unless_they_stand_in_rows():
    left = [(0, y, 440, y + 20) for y in range(0, 900, 30)]
    right = [(500, y + y // 120 * 17, 940, y + y // 120 * 17 + 20) for y in range(0, 800, 34)]
    assert columns([*left, *right]) == 2
    cards = [(x, y + z, x + 440, y + z + 20) for x in (0, 500) for y in (0, 320, 640)
             for z in range(0, 240, 30)]  # fmt: skip
    assert columns(cards) == 1


def test_short_columns_stay_where_long_ones_are_wanted():
    lines = MAIN + SIDE
    assert split_columns(scene(lines), np.zeros(len(lines), np.intp), 500).max() == 0
    assert split_columns(scene(lines), np.zeros(len(lines), np.intp), 300).max() == 1


def test_a_cut_between_columns_is_made_beside_the_bar_first():
    lines = [(0, 0, 200, 30), (700, 0, 900, 30), (0, 55, 300, 75), *BELOW]
    page = replace(scene(lines), surfaces=np.array([(0.0, 45.0, 960.0, 85.0)]))
    boxes, group = np.arange(len(page)), np.zeros(len(page), np.intp)
    strips = find_both_strips(page.edges, boxes, group)
    down = strips.axis[strips.gaps] == DOWN
    likely = np.where(down, 0.2, 0.6)
    raised = raise_at_bars(page.surfaces, strips, likely)
    assert (raised > 0.6).tolist() == [True, True] + [False] * (len(likely) - 2)
    likelier = np.where(down, 0.7, 0.6)
    assert raise_at_bars(page.surfaces, strips, likelier).tolist() == likelier.tolist()


def test_many_boxes_cost_in_proportion():
    def boxes(size: int) -> list[tuple[int, int, int, int]]:
        main = [(0, y, 600, y + 8) for y in range(0, 20 * size, 20)]
        return [*main, *((660, y, 900, y + 8) for y in range(0, 20 * size, 20)), (0, -20, 900, -10)]

    assert growth(columns, boxes, 200) < 6


def test_boxes_in_no_segment_stay_out():
    number = np.full(len(MAIN + SIDE), -1)
    assert split_columns(scene(MAIN + SIDE), number).tolist() == number.tolist()


def test_bands_join_what_lies_side_by_side():
    lines = [(0, 0, 900, 50), (0, 100, 400, 300), (450, 120, 900, 280), (0, 350, 900, 400)]
    assert join_bands(scene(lines), np.array([4, 2, 3, 0])).tolist() == [0, 1, 1, 2]


def test_a_narrow_strip_is_no_band():
    lines = [(0, 0, 900, 50), (0, 60, 200, 80), (0, 100, 900, 300)]
    assert join_bands(scene(lines), np.array([0, 1, 2])).tolist() == [0, 0, 0]
