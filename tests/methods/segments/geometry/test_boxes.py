"""Boxes of a rendered page and the colours behind them: by hand, then against a plain walk."""

import numpy as np
import pytest
from hypothesis import given

from pagelet.methods.segments.geometry.boxes import (
    boxes_of_page,
    drop_containers,
    visible_background,
)
from pagelet.page.layout import KINDS, Boxes, Layout, boxes_of, empty_layout
from tests import hostile
from tests.build import page_of
from tests.drawings import drawing, drawings
from tests.effort import ends
from tests.naive.page_boxes import PageBoxes

RED, BLUE, CLEAR = (255, 0, 0, 255), (0, 0, 255, 255), (0, 0, 0, 0)


def listed(boxes: Boxes) -> list[tuple]:
    return [
        (KINDS[kind], row, tuple(edges), tuple(colour), chars)
        for kind, row, edges, colour, chars in zip(
            boxes.kind.tolist(),
            boxes.row.tolist(),
            boxes.edges.tolist(),
            boxes.colour.tolist(),
            boxes.chars.tolist(),
            strict=True,
        )
    ]


def rows(page, layout) -> list[int]:
    return boxes_of_page(page, layout).row.tolist()


def test_lines_images_and_surfaces():
    page, layout = drawing(
        ("body", ("p", "two lines"), ("img",), ("div", ("div", ("b",))), ("div",)),
        {
            0: (0, 0, 200, 200),
            1: (0, 0, 100, 40),
            2: (0, 0, 90, 40),
            3: (0, 50, 50, 99.6),
            4: (0, 100, 100, 200),  # red
            5: (10, 110, 90, 190),  # blue, and smaller
            6: (20, 120, 80, 180),  # clear
            7: (100, 100, 200, 200),  # an empty element without a background
        },
        lines={2: [(0, 0, 90, 20), (0, 20, 40, 40)]},
        background={0: (9, 9, 9, 255), 4: RED, 5: BLUE},
        colour={2: (1, 2, 3), 3: (4, 5, 6)},
    )
    assert listed(boxes_of_page(page, layout)) == [
        ("text", 2, (0, 0, 90, 20), (1, 2, 3), 9),
        ("text", 2, (0, 20, 40, 40), (1, 2, 3), 9),
        ("image", 3, (0, 50, 50, 100), (4, 5, 6), 0),
        ("surface", 5, (10, 110, 90, 190), (0, 0, 255), 0),
    ]


@pytest.mark.parametrize(
    ("element", "kind"),
    [
        *((name, "image") for name in ("img", "svg", "canvas", "video", "embed", "object")),
        *((name, "surface") for name in ("iframe", "frame")),
        *((name, None) for name in ("input", "div", "hr", "br", "b")),
    ],
)
def test_what_is_an_image_to_the_eye(element, kind):
    page, layout = drawing(("body", "t", (element,)), {1: (0, 0, 9, 9), 2: (20, 20, 30, 30)})
    kinds = [KINDS[each] for each in boxes_of_page(page, layout).kind]
    assert kinds == (["text", kind] if kind else ["text"])


def test_an_input_of_type_image_is_one():
    page, layout = drawing(("body", ("input", {"type": " Image "})), {1: (0, 0, 9, 9)})
    assert [KINDS[each] for each in boxes_of_page(page, layout).kind] == ["image"]


def test_what_lies_in_an_image_is_no_box():
    page, layout = drawing(
        ("body", ("svg", ("text", "label")), ("object", "label")),
        {
            1: (0, 0, 50, 50),
            2: (5, 5, 9, 9),
            3: (5, 5, 9, 9),
            4: (0, 60, 50, 90),
            5: (0, 70, 9, 79),
        },
    )
    assert rows(page, layout) == [1, 5]  # the object shows what stands for it


@pytest.mark.parametrize(
    ("edges", "seen"),
    [
        pytest.param((-50, 0, -10, 10), None, id="left of the page"),
        pytest.param((0, -50, 10, 0), None, id="above it"),
        pytest.param((100, 0, 120, 10), None, id="right of it"),
        pytest.param((0, 200, 10, 220), None, id="below it"),
        pytest.param((-5, 190, 10, 220), (0, 190, 10, 200), id="partly"),
        pytest.param((3, 3, 3.4, 10), None, id="less than half a pixel"),
        pytest.param((3, 3, 3.6, 10), (3, 3, 4, 10), id="more than half a pixel"),
    ],
)
def test_only_what_lies_on_the_page(edges, seen):
    page, layout = drawing(("body", ("img",)), {1: edges}, size=(100, 200))
    assert [tuple(each) for each in boxes_of_page(page, layout).edges] == ([seen] if seen else [])


def test_nothing_is_seen_of_what_is_not_drawn():
    tree = ("body", ("p", "text"), ("img",), ("div",), ("iframe",))
    place = {row: (0, row * 20, 10, row * 20 + 10) for row in range(1, 6)}
    page, layout = drawing(tree, place, background={4: RED})
    assert rows(page, layout) == [2, 3, 4, 5]
    hidden = drawing(tree, place, background={4: RED}, drawn=dict.fromkeys(range(6), False))
    assert rows(*hidden) == []


def test_text_for_screen_readers_is_not_seen():
    tree = ("body", ("div", ("b", "skip to content")), ("div", "seen"))
    place = {
        1: (0, 0, 1, 1),
        2: (0, 0, 90, 20),
        3: (0, 0, 90, 20),
        4: (0, 30, 1, 50),
        5: (0, 30, 90, 50),
    }
    assert rows(*drawing(tree, place, inline={2: True})) == [5]


def test_a_chain_is_one_box():
    tree = ("body", ("div", ("div", ("i",), ("i",))), ("div", ("b",)))
    place = {
        1: (0, 0, 100, 50),
        2: (0, 0, 100, 40),
        3: (0, 0, 10, 10),
        4: (20, 0, 30, 10),
        5: (0, 60, 100, 90),
        6: (0, 60, 50, 80),
    }
    coat = dict.fromkeys(range(1, 7), RED)
    assert rows(*drawing(tree, place, background=coat)) == [3, 4, 6]
    coat[4] = coat[6] = CLEAR
    assert rows(*drawing(tree, place, background=coat)) == [3, 5]
    assert rows(*drawing(tree, place, background=coat, pictured={6: True})) == [3, 6]


def test_the_smallest_of_a_chain_need_not_be_the_innermost():
    place = {1: (0, 0, 10, 10), 2: (0, 0, 50, 50)}
    tree = ("body", ("div", ("div",)))
    assert rows(*drawing(tree, place, background={1: RED, 2: RED})) == [1]
    assert rows(*drawing(tree, place | {2: place[1]}, background={1: RED, 2: RED})) == [2]


def test_a_chain_with_a_text_or_an_image_is_that():
    tree = ("body", ("div", ("a", "text")), ("div", ("a", ("img",))))
    place = {
        1: (0, 0, 90, 20),
        2: (0, 0, 80, 20),
        3: (0, 30, 80, 40),  # reaches out, so that nothing contains it
        4: (0, 50, 90, 70),
        5: (0, 50, 80, 70),
        6: (0, 80, 80, 90),
    }
    found = drawing(tree, place, background={1: RED, 2: RED, 4: RED, 5: RED})
    assert rows(*found) == [3, 6]


def test_boxes_come_as_they_were_painted():
    page, layout = drawing(
        ("body", ("img",), ("img",), ("img",)),
        {1: (0, 0, 9, 9), 2: (10, 0, 19, 9), 3: (20, 0, 29, 9)},
        paint={1: 5, 2: 3, 3: 5},
    )
    assert rows(page, layout) == [2, 1, 3]


def test_what_contains_a_box_is_none():
    boxes = boxes_of(
        [
            [0, 0, 100, 100],
            [0, 0, 100, 50],  # contains the next, with one edge in common
            [0, 10, 20, 30],
            [10, 20, 60, 60],  # overlaps
            [70, 70, 80, 80],
            [70, 70, 80, 80],  # the same again
            [70, 70, 70, 80],  # without an area
        ],
        row=range(7),
    )
    assert drop_containers(boxes).row.tolist() == [2, 3, 5]


@given(drawings())
def test_equals_a_plain_walk(drawn):
    assert listed(boxes_of_page(*drawn)) == PageBoxes(*drawn).all()


@pytest.mark.parametrize("name", ["true depth", "width without source", "body alone", "no body"])
def test_hostile_pages(name):
    page = hostile.page(name)
    columns = empty_layout(len(page), (1000, 1000))
    columns["right"][:] = np.arange(len(page), 0, -1)
    columns["bottom"][:] = 10
    columns["drawn"][:], columns["background"][:] = True, 99
    with ends():
        boxes_of_page(page, Layout(**columns))


def test_a_page_without_rows():
    assert len(boxes_of_page(page_of(("body",)), Layout(**empty_layout(1)))) == 0


def test_backgrounds_show_through():
    page, layout = drawing(
        ("html", ("body", ("div", ("p", "text")), ("p", "text"))),
        dict.fromkeys((0, 2, 3, 4, 5, 6), (0, 0, 9, 9)),  # body has no place
        background={
            1: (0, 100, 0, 255),
            2: (200, 0, 100, 51),  # a fifth
            3: (0, 0, 0, 0),
            5: (9, 9, 9, 255),
        },
        drawn={5: False},
    )
    green, mixed = [0, 100, 0], [40, 80, 20]
    assert visible_background(page, layout).tolist() == [
        [255] * 3,
        green,
        *[mixed] * 3,
        green,
        green,
    ]


@given(drawings())
def test_backgrounds_equal_a_walk_up(drawn):
    page, layout = drawn
    walk = PageBoxes(page, layout)
    assert visible_background(page, layout).tolist() == [
        list(walk.background(row)) for row in range(len(page))
    ]
