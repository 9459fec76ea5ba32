"""Separators of VIPS: weights worked by hand, then any blocks against the twin."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.methods.segments.vips.areas import (
    BlockStyles,
    free_intervals,
    separators_along,
    thickness_weight,
)
from tests.naive import vips as naive

places = st.tuples(st.integers(0, 40), st.integers(0, 40), st.integers(1, 30), st.integers(1, 30))
looks = st.tuples(
    places, st.integers(0, 1), st.sampled_from((12, 16)), st.sampled_from((400, 700)), st.booleans()
)


def styles(*blocks, capped: bool = True, rules: frozenset[int] = frozenset()) -> BlockStyles:
    """Blocks as (left, top, right, bottom), background, font size, font weight, plain."""
    edges, background, size, weight, plain = zip(*blocks, strict=True)
    return BlockStyles(
        edges=tuple(list(side) for side in zip(*edges, strict=True)),
        background=list(background),
        font_size=list(size),
        font_weight=list(weight),
        plain=list(plain),
        rule=[row in rules for row in range(len(blocks))],
        capped=capped,
    )


def weight(one: tuple, other: tuple, gap: int = 1, *, horizontal: bool = True) -> int:
    """What lies between two blocks: each is background, font size, font weight, plain."""
    first = (0, 0, 9, 9)
    second = (0, 9 + gap, 9, 30 + gap) if horizontal else (9 + gap, 0, 30 + gap, 9)
    (found,) = separators_along(
        [0, 1], [], styles((first, *one), (second, *other)), horizontal=horizontal
    )
    return found.weight


@pytest.mark.parametrize(
    ("pixels", "expected"),
    [
        *((1, 1), (8, 1), (9, 2), (15, 2), (16, 4), (25, 4), (26, 6), (35, 6), (36, 8), (45, 8)),
        *((46, 10), (55, 10), (56, 12), (65, 12), (66, 12), (1000, 12)),
    ],
)
def test_thickness(pixels, expected):
    assert thickness_weight(pixels, capped=True) == expected


@pytest.mark.parametrize(("pixels", "expected"), [(55, 10), (56, 12), (65, 12), (66, 14), (76, 16)])
def test_thickness_without_a_limit(pixels, expected):
    assert thickness_weight(pixels, capped=False) == expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        pytest.param((0, 16, 400, False), (0, 16, 400, False), 4, id="alike"),
        pytest.param((0, 16, 400, False), (1, 16, 400, False), 6, id="another background"),
        pytest.param((0, 16, 400, False), (0, 12, 400, False), 6, id="smaller below"),
        pytest.param((0, 12, 400, False), (0, 16, 400, False), 8, id="larger below"),
        pytest.param((0, 16, 400, False), (0, 16, 700, False), 6, id="bolder"),
        pytest.param((0, 16, 400, False), (0, 12, 700, False), 6, id="smaller and bolder"),
        pytest.param((0, 16, 400, True), (0, 16, 400, True), 2, id="texts"),
        pytest.param((0, 16, 400, True), (0, 16, 400, False), 4, id="text on one side"),
    ],
)
def test_both_sides_are_compared(one, other, expected):
    assert weight(one, other) == expected


def test_only_backgrounds_are_compared_from_left_to_right():
    assert weight((0, 12, 400, True), (0, 16, 700, True), horizontal=False) == 4
    assert weight((0, 12, 400, True), (1, 16, 700, True), horizontal=False) == 6


@pytest.mark.parametrize(("away", "added"), [(0, 2), (1, 2), (2, 0)])
def test_only_what_touches_is_compared(away, added):
    plain, bold = (0, 16, 400, False), (0, 16, 700, False)
    first, last = ((0, 0, 9, 10), *plain), ((0, 20, 9, 30), *plain)
    above, below = ((20, 0, 29, 10 - away), *bold), ((20, 20 + away, 29, 30), *bold)
    for other in (above, below):
        found = separators_along([0, 1, 2], [], styles(first, last, other), horizontal=True)
        assert [tuple(each) for each in found] == [(10, 20, 3 + 2 + added, True)]


def test_a_line_makes_it_heavier():
    plain = (0, 16, 400, False)
    blocks = [(0, 0, 9, 10), (0, 20, 9, 30), (0, 31, 9, 40), (0, 14, 9, 15), (0, 2, 9, 3)]
    rows = styles(*((edges, *plain) for edges in blocks))
    assert [each.weight for each in separators_along([0, 1, 2], [], rows, horizontal=True)] == [
        5,
        4,
    ]
    assert [each.weight for each in separators_along([0, 1, 2], [3, 4], rows, horizontal=True)] == [
        7,
        4,
    ]
    assert [each.weight for each in separators_along([0, 1, 2], [4], rows, horizontal=True)] == [
        5,
        4,
    ]


def test_strips_lie_between():
    assert free_intervals([]) == []
    assert free_intervals([(3, 9)]) == []
    assert free_intervals([(8, 9), (0, 3), (1, 2), (3, 5)]) == [(5, 8)]


@given(st.lists(looks, max_size=8), st.lists(places, max_size=3), st.booleans(), st.booleans())
def test_equals_splitting_and_shortening(found, lines, horizontal, capped):
    marked = [(place, 0, 16, 400, False) for place in lines]
    boxes = [((x, y, x + w, y + h), *look) for (x, y, w, h), *look in found + marked]
    nodes = [
        naive.Node(row, "", edges, plain, False, (background,), (size, weight))
        for row, (edges, background, size, weight, plain) in enumerate(boxes)
    ]
    wanted = naive.separators(nodes[: len(found)], nodes[len(found) :], horizontal, capped)
    if not boxes:
        return
    rows = range(len(boxes))
    fast = separators_along(
        rows[: len(found)], rows[len(found) :], styles(*boxes, capped=capped), horizontal=horizontal
    )
    assert sorted((each.low, each.high, each.weight) for each in fast) == sorted(
        (each.low, each.high, each.weight) for each in wanted
    )
