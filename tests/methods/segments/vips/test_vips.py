"""VIPS: a page worked by hand, then any page against the slow twin."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.methods.segments.geometry.boxes import boxes_of_page
from pagelet.methods.segments.vips import (
    VipsOptions,
    VipsTree,
    coherence,
    cut_tree,
    segment_vips,
    vips_tree,
)
from pagelet.page.layout import Layout, boxes_of, empty_layout
from tests import hostile
from tests.build import html, page_of
from tests.drawings import drawing, drawings
from tests.effort import ends
from tests.naive.vips import Vips

COLUMN = ("div", ("p", "one"), ("p", "two"))
PAGE = ("body", ("div", "header"), COLUMN, COLUMN, ("hr",), ("div", "footer"))
PLACE = {
    0: (0, 0, 800, 1000),
    1: (0, 0, 800, 50),
    2: (0, 10, 200, 30),
    3: (0, 100, 380, 900),
    4: (0, 100, 380, 300),
    5: (0, 100, 300, 300),
    6: (0, 310, 380, 900),
    7: (0, 310, 300, 900),
    8: (420, 100, 800, 900),
    9: (420, 100, 800, 300),
    10: (420, 100, 800, 300),
    11: (420, 310, 800, 900),
    12: (420, 310, 800, 900),
    13: (0, 930, 800, 932),
    14: (0, 960, 800, 1000),
    15: (0, 970, 100, 990),
}

options = st.builds(
    VipsOptions,
    pdoc=st.integers(1, 11),
    width=st.sampled_from((1, 100, 350, 700)),
    height=st.sampled_from((1, 100, 400, 700)),
    rounds=st.sampled_from((1, 2, 20)),
    capped=st.booleans(),
)


def numbers(tree: VipsTree, boxes) -> dict[int, list[int]]:
    """The answer for each degree, once."""
    found: dict[int, list[int]] = {}
    for pdoc in range(1, 12):
        number = cut_tree(tree, boxes, pdoc).number.tolist()
        if number not in found.values():
            found[pdoc] = number
    return found


def paths(tree: VipsTree) -> list[tuple[int, ...]]:
    """The numbers of the parts on the way to each area."""
    found: list[tuple[int, ...]] = []
    parts = [0] * len(tree)
    for parent in tree.parent.tolist():
        found.append(() if parent < 0 else (*found[parent], parts[parent]))
        if parent >= 0:
            parts[parent] += 1
    return found


def test_a_page_worked_by_hand():
    page, layout = drawing(PAGE, PLACE)
    tree = vips_tree(page, layout)
    # The columns are too large for blocks, so the paragraphs are. Level strips: 50 pixels below
    # the header, 10 between the paragraphs, 60 with a line in it above the footer. The strip
    # between the columns is 40 wide, but the header lies across it: it is found a round later.
    header, paragraphs, footer, columns = 3 + 10, 3 + 2, 3 + 12 + 2, 3 + 8
    cuts = zip(
        tree.separator_area,
        tree.separator_weight,
        tree.separator_horizontal,
        tree.separator_low,
        tree.separator_high,
        strict=True,
    )
    assert list(cuts) == [
        (0, footer, True, 900, 960),
        (1, header, True, 50, 100),
        (4, paragraphs, True, 300, 310),
        (5, columns, False, 380, 420),
        (6, columns, False, 380, 420),
    ]
    assert tree.parent.tolist() == [-1, 0, 0, 1, 1, 4, 4, 5, 5, 6, 6]
    assert tree.doc.tolist() == [
        11 - (9 + 1),
        11 - (6 + 1),  # 9 * 8 / 12 = 6
        11,
        11,
        11 - (0 + 1),
        *(11 - (5 + 1), 11 - (5 + 1)),  # 9 * 6 / 12 = 4.5
        *[11] * 4,
    ]
    assert tree.leaf[[2, 5, 10, 7, 12, 13, 15]].tolist() == [3, 7, 8, 9, 10, 2, 2]
    assert tree.edges[[0, 1, 5, 2]].tolist() == [
        [0, 0, 800, 1000],
        [0, 0, 800, 900],
        [0, 100, 800, 300],
        [0, 930, 800, 1000],
    ]


def test_segments_of_that_page():
    page, layout = drawing(PAGE, PLACE)
    boxes = boxes_of_page(page, layout)
    assert boxes.row.tolist() == [2, 5, 7, 10, 12, 15]
    assert numbers(vips_tree(page, layout), boxes) == {
        1: [0, 0, 0, 0, 0, 1],
        4: [0, 1, 1, 1, 1, 2],
        10: [0, 1, 3, 2, 4, 5],  # from the top, then from the left
    }
    few = segment_vips(page, layout, boxes, VipsOptions(pdoc=3))
    assert (few.number.tolist(), few.threshold) == ([0, 0, 0, 0, 0, 1], 3)


def test_an_area_within_one_that_coheres_is_not_divided():
    tree = VipsTree(
        parent=np.array([-1, 0, 0, 1, 1]),
        edges=np.zeros((5, 4)),
        doc=np.array([2, 9, 11, 1, 11], np.int8),
        leaf=np.array([3, 4, 2, -1]),
        separator_area=np.zeros(0),
        separator_low=np.zeros(0),
        separator_high=np.zeros(0),
        separator_weight=np.zeros(0),
        separator_horizontal=np.zeros(0),
    )
    boxes = boxes_of([[0, at, 1, at + 1] for at in range(5)], row=[0, 1, 2, 3, -1])
    assert numbers(tree, boxes) == {
        1: [0, 0, 0, -1, -1],
        2: [0, 0, 1, -1, -1],
        9: [0, 1, 2, -1, -1],
    }


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ([], []),
        ([0], [11]),
        ([7, 0, 7], [10, 11, 10]),
        ([4, 5], [10, 1]),
        ([4, 5, 0, 13], [10, 9, 11, 1]),  # 9 * 1 / 9 = 1
        ([4, 8, 22], [10, 8, 1]),  # 9 * 4 / 18 = 2
        ([4, 9, 22], [10, 7, 1]),  # 9 * 5 / 18 = 2.5
    ],
)
def test_degree_of_coherence(weights, expected):
    assert coherence(np.array(weights, np.int64)).tolist() == expected


@given(drawings(), options)
def test_equals_the_twin(drawn, chosen):
    page, layout = drawn
    tree, slow = vips_tree(page, layout, chosen), Vips(page, layout, chosen)
    ways, areas = paths(tree), slow.areas()
    assert dict(zip(ways, tree.doc.tolist(), strict=True)) == {
        way: slow.doc(area) for way, area in areas.items()
    }
    found = [None if leaf < 0 else ways[leaf] for leaf in tree.leaf.tolist()]
    assert found == [slow.leaf(row) for row in range(len(page))]


@given(drawings(), options)
def test_segments_equal_the_twin(drawn, chosen):
    page, layout = drawn
    boxes, slow = boxes_of_page(page, layout), Vips(page, layout, chosen)
    found = segment_vips(page, layout, boxes, chosen).number.tolist()
    wanted = [slow.segment(row, chosen.pdoc) for row in boxes.row.tolist()]
    assert None not in wanted  # every box is in a segment
    assert len(set(zip(found, wanted, strict=True))) == len(set(found)) == len(set(wanted))


@given(drawings())
def test_more_coherence_divides_further(drawn):
    page, layout = drawn
    tree, boxes = vips_tree(page, layout), boxes_of_page(page, layout)
    coarse = cut_tree(tree, boxes, 1).number
    for pdoc in range(2, 12):
        fine = cut_tree(tree, boxes, pdoc).number
        assert len(set(zip(coarse, fine, strict=True))) == len(set(fine))
        coarse = fine


def test_an_empty_page():
    page = page_of(html())
    layout = Layout(**empty_layout(len(page)))
    assert len(vips_tree(page, layout)) == 1
    assert len(segment_vips(page, layout, boxes_of_page(page, layout))) == 0


def test_of_equal_separators_the_level_ones_go_first():
    corners = [(x, y, x + 100, y + 100) for y in (0, 120) for x in (0, 120)]
    page, layout = drawing(("body", *[("img",)] * 4), dict(enumerate(corners, 1)))
    tree = vips_tree(page, layout)
    # texts and images weigh less, so the level one has to be thicker: 16 to 25 are 4, 26 are 6
    assert tree.separator_horizontal.tolist() == [False, True, True]
    lower = {
        at: (x, y + 10 * (at > 2), z, w + 10 * (at > 2))
        for at, (x, y, z, w) in enumerate(corners, 1)
    }
    page, layout = drawing(("body", *[("img",)] * 4), lower)
    tree = vips_tree(page, layout)
    assert tree.separator_weight.tolist() == [7, 7, 7]
    assert tree.separator_horizontal.tolist() == [True, False, False]


def test_what_was_cut_out_goes_where_it_begins():
    columns = [(0, 0, 100, 50), (110, 0, 210, 50), (220, 0, 300, 50)]
    lower = [(left, 150, right, 200) for left, _, right, _ in columns]
    tree = ("body", *[("img",)] * 5, ("div",))
    place = dict(enumerate([*columns, lower[1], lower[2]], 1))

    def leaf(edges) -> list[int]:
        page, layout = drawing(tree, place | {6: edges})
        return vips_tree(page, layout).leaf[[4, 5, 6]].tolist()

    middle, right, _ = leaf((0, 0, 9, 9))
    assert leaf((0, 160, 300, 170)) == [middle, right, middle]  # left of all that is there
    assert leaf((205, 160, 300, 170)) == [middle, right, middle]
    assert leaf((215, 160, 300, 170)) == [middle, right, right]  # in the strip between them
    assert leaf((90, 10, 300, 170))[2] not in (middle, right)


def test_separators_with_nothing_between_them_are_one():
    columns = [(0, 0, 100, 50), (110, 0, 210, 50), (220, 0, 300, 50)]
    place = dict(enumerate([*columns, (0, 150, 100, 200), (220, 150, 300, 200)], 1))
    page, layout = drawing(("body", *[("img",)] * 5), place)
    tree = vips_tree(page, layout)
    cuts = zip(
        tree.separator_low.tolist(),
        tree.separator_high.tolist(),
        tree.separator_horizontal.tolist(),
        strict=True,
    )
    assert list(cuts) == [
        (50, 150, True),
        (100, 110, False),
        (210, 220, False),
        (100, 220, False),
    ]


def test_the_tree_contradicts_the_eye():
    # the second paragraph is drawn at the top: areas follow the eye
    page, layout = drawing(
        ("body", ("p", "below"), ("p", "above")),
        {
            0: (0, 0, 9, 99),
            1: (0, 70, 9, 90),
            2: (0, 70, 9, 90),
            3: (0, 0, 9, 20),
            4: (0, 0, 9, 20),
        },
    )
    boxes = boxes_of_page(page, layout)
    found = segment_vips(page, layout, boxes, VipsOptions(pdoc=10))
    assert dict(zip(boxes.row.tolist(), found.number.tolist(), strict=True)) == {4: 0, 2: 1}


def spiral(number: int) -> dict[int, tuple[float, ...]]:
    """Boxes around boxes, so that each cut frees one of them."""
    left, top, right, bottom = 0.0, 0.0, 8.0 * number, 8.0 * number
    place = {0: (left, top, right, bottom)}
    for at in range(1, number):
        side = at % 4
        place[at] = (
            (left, top, right - 2, top + 1),
            (right - 1, top, right, bottom - 2),
            (left + 2, bottom - 1, right, bottom),
            (left, top + 2, left + 1, bottom),
        )[side - 1]
        left, right = left + 2 * (side == 0), right - 2 * (side == 2)
        top, bottom = top + 2 * (side == 1), bottom - 2 * (side == 3)
    return place


@pytest.mark.parametrize("name", ["true depth", "width without source", "body alone", "no body"])
def test_hostile_pages(name):
    page = hostile.page(name)
    columns = empty_layout(len(page), (1000, 1e6))
    columns["top"][:] = 10 * np.arange(len(page))
    columns["right"][:], columns["bottom"][:] = 500, columns["top"] + 8
    columns["drawn"][:] = True
    layout = Layout(**columns)
    with ends():
        segment_vips(page, layout, boxes_of_page(page, layout))


def test_many_cuts_within_cuts():
    place = spiral(1500)
    page, layout = drawing(("body", *[("img",)] * 1499), place)
    with ends():
        tree = vips_tree(page, layout, VipsOptions(rounds=1000))
    assert len(tree) > 1500
