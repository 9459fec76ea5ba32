"""Segments by rules: elements that cover most of a page are divided, fields are runs of text."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from pagelet.methods.segments.geometry.boxes import boxes_of_page
from pagelet.methods.segments.visual.rules import group_by_element, group_fields, group_undivided
from pagelet.page.html import parse as page_of
from pagelet.page.layout import IMAGE, TEXT, Layout, boxes_of, empty_layout
from tests.build import documents
from tests.build import page_of as built
from tests.drawn import drawn, placed


def naive_groups(page, layout, boxes, large):
    """Walk down from the root, one element at a time."""
    kids = {row: [] for row in range(-1, len(page))}
    for row, parent in enumerate(page.parent.tolist()):
        if any(row <= box < row + page.size[row] for box in boxes.row.tolist()):
            kids[parent].append(row)
    group, count, waiting = {}, -1, [kids[-1]]
    while waiting:
        run = False
        level = waiting.pop()
        for row in level:
            divided = (
                page.element[row]
                and row not in boxes.row
                and (large[row] or len(level) == 1 or row <= page.body)
            )
            if divided:
                waiting.append(kids[row])
                run = False
                continue
            loose = not page.element[row] or layout.inline[row]
            count += not (run and loose)
            run = loose
            for box in np.flatnonzero((boxes.row >= row) & (boxes.row < row + page.size[row])):
                group[int(box)] = count
    return [group[box] for box in range(len(boxes))]


def same(one, other) -> bool:
    """Whether two groupings put the same boxes together."""
    return len(set(zip(one, other, strict=True))) == len(set(one)) == len(set(other))


@given(documents)
def test_groups_equal_a_walk_from_the_root(tree):
    page = built(tree)
    given = drawn(page)
    boxes = boxes_of_page(given.page, given.layout)
    large = np.random.default_rng(len(page)).random(len(page)) < 0.6

    found = group_undivided(page, given.layout, boxes, large)

    assert same(found.tolist(), naive_groups(page, given.layout, boxes, large))


def test_a_wrapper_is_divided_and_its_parts_are_not():
    page = page_of(
        "<body><div><header>head</header><main><p>one</p><p>two</p></main><footer>foot</footer>"
    )
    texts = np.flatnonzero(page.tag == 0).tolist()
    lines = [(0, 0, 600, 50), (0, 100, 600, 150), (0, 200, 600, 250), (0, 400, 600, 450)]
    given = placed(page, dict(zip(texts, lines, strict=True)))
    boxes = boxes_of_page(page, given.layout)

    share, groups = group_by_element(page, given.layout, boxes, "blocks")

    assert (share, groups.tolist()) == (0.9, [0, 1, 1, 2])
    assert group_by_element(page, given.layout, boxes, "blocks", 4)[1].tolist() == [0, 1, 2, 3]
    assert group_by_element(page, given.layout, boxes, "blocks", 3)[1].tolist() == [0, 1, 1, 2]


def test_texts_in_one_line_stay_together():
    page = page_of("<body>one <b>two</b> three<div>four</div>five")
    texts = np.flatnonzero(page.tag == 0).tolist()
    lines = [(x, 0, x + 50, 20) for x in (0, 60, 120)] + [(0, 40, 50, 60), (0, 80, 50, 100)]
    given = placed(page, dict(zip(texts, lines, strict=True)))
    columns = given.layout
    inline = np.zeros(len(page), bool)
    inline[page.parent[texts[1]]] = True
    layout = replace(columns, inline=inline)
    boxes = boxes_of_page(page, layout)

    assert group_undivided(page, layout, boxes, np.zeros(len(page), bool)).tolist() == [
        0,
        0,
        0,
        1,
        2,
    ]


PAGE = page_of("<body><p>one two</p><p>three<b>four</b></p><img>")
ONE, THREE, FOUR = np.flatnonzero(PAGE.tag == 0).tolist()


def layout() -> Layout:
    columns = empty_layout(len(PAGE), (500, 500))
    columns["font_size"][:] = 16
    columns["inline"][PAGE.parent[FOUR]] = True
    return Layout(**columns)


def fields(edges, row, kind=TEXT, colour=(0, 0, 0), drawn=None, *, with_dom=False) -> list[int]:
    found = group_fields(
        PAGE, drawn or layout(), boxes_of(edges, colour, kind, row), with_dom=with_dom
    )
    return np.unique(found, return_inverse=True)[1].tolist()


LINE, BELOW, FAR = (0, 0, 200, 20), (0, 22, 150, 42), (0, 60, 150, 80)
BESIDE, APART = (205, 0, 260, 20), (230, 0, 290, 20)


@pytest.mark.parametrize(
    ("edges", "together"),
    [
        ((LINE, BELOW), True),
        ((LINE, (0, 18, 150, 38)), True),  # lines may overlap a little
        ((LINE, FAR), False),
        ((LINE, BESIDE), True),
        ((LINE, APART), False),
        ((LINE, (190, 22, 400, 42)), False),  # hardly below
    ],
)
def test_lines_that_follow_closely_are_one_field(edges, together):
    assert (len(set(fields(edges, (ONE, ONE)))) == 1) == together


def test_another_colour_size_or_weight_begins_a_field():
    assert len(set(fields((LINE, BELOW), (ONE, THREE), colour=[(0, 0, 0), (9, 0, 0)]))) == 2
    for name in ("font_size", "font_weight"):
        column = getattr(layout(), name).copy()
        column[THREE] += 1
        other = replace(layout(), **{name: column})
        assert len(set(fields((LINE, BELOW), (ONE, THREE), drawn=other))) == 2


def test_a_picture_stands_for_itself():
    assert len(set(fields((LINE, BELOW), (ONE, len(PAGE) - 1), (TEXT, IMAGE)))) == 2


def test_with_the_elements_a_field_keeps_to_its_block():
    lines = (LINE, BELOW, (155, 22, 200, 42))
    assert fields(lines, (ONE, THREE, FOUR)) == [0, 0, 0]
    apart = fields(lines, (ONE, THREE, FOUR), with_dom=True)
    assert apart[1] == apart[2] != apart[0]
