"""Elements are divided where the model holds it likely, from the whole page down."""

import numpy as np
import pytest
from hypothesis import given

from pagelet.methods.segments.geometry.boxes import boxes_of_page
from pagelet.methods.segments.visual.cuts import is_margin
from pagelet.methods.segments.visual.division import (
    DivisionTarget,
    divide_page,
    group_items,
    has_side_bar,
)
from pagelet.methods.segments.visual.elements import MAX_ITEM_DEPTH, find_items, item_features
from pagelet.models.trees import load_shipped
from pagelet.page.html import parse as page_of
from pagelet.page.tags import numbers
from tests.build import documents
from tests.build import page_of as built
from tests.drawn import drawn, placed

MODEL = load_shipped("pagelet.methods.segments.visual", "segments_dom")


def naive_groups(items, likely, threshold):
    """Walk down from the whole page, one item at a time."""
    group = [-1] * len(items.boxes)
    count, waiting = 0, [[0]] if len(items) else []
    while waiting:
        run = False
        for item in waiting.pop():
            parts = np.flatnonzero(items.parent == item).tolist()
            if len(parts) > 1 and (item == 0 or likely[item] > threshold):
                waiting.append(parts)
                run = False
                continue
            row = items.top[item]
            inline = not items.page.element[row] or items.layout.inline[row]
            count += not (run and inline)
            run = inline
            for box in range(items.first[item], items.last[item]):
                group[box] = count
    return group


@given(documents)
def test_groups_equal_a_walk_from_the_whole_page(tree):
    page = built(tree)
    given = drawn(page)
    items = find_items(page, given.layout, boxes_of_page(page, given.layout))
    likely = np.random.default_rng(len(page)).random(len(items)) * (items.parts > 1)

    number, uncut = group_items(items, likely, 0.4)

    wanted = naive_groups(items, likely, 0.4)
    pairs = set(zip(number.tolist(), wanted, strict=True))
    assert len(pairs) == len(set(wanted)) == len(uncut)


@given(documents)
def test_items_hold_their_parts(tree):
    page = built(tree)
    given = drawn(page)
    items = find_items(page, given.layout, boxes_of_page(page, given.layout))
    inner = np.flatnonzero(items.parent >= 0)
    above = items.parent[inner]

    assert (items.first[above] <= items.first[inner]).all()
    assert (items.last[above] >= items.last[inner]).all()
    assert (items.depth[above] + 1 == items.depth[inner]).all()
    assert (items.edges[above, :2] <= items.edges[inner, :2]).all()
    assert np.isfinite(item_features(items).rows).all() if len(items) else True


def test_a_wrapper_is_divided_and_its_parts_are_not():
    page = page_of(
        "<body><div><header>head</header><main><p>one</p><p>two</p></main><footer>foot</footer>"
    )
    texts = np.flatnonzero(page.tag == 0).tolist()
    lines = [(0, 0, 600, 50), (0, 100, 600, 150), (0, 200, 600, 250), (0, 400, 600, 450)]
    given = placed(page, dict(zip(texts, lines, strict=True)))
    boxes = boxes_of_page(page, given.layout)

    groups = [
        divide_page(page, given.layout, boxes, MODEL, DivisionTarget(wanted=wanted)).number.tolist()
        for wanted in (3, 4)
    ]

    assert divide_page(page, given.layout, boxes, MODEL).number.tolist() == [0, 1, 1, 2]
    never = DivisionTarget(threshold=1.0, least=3)
    assert divide_page(page, given.layout, boxes, MODEL, never).number.tolist() == [0, 1, 1, 2]
    assert groups == [[0, 1, 1, 2], [0, 1, 2, 3]]


def test_deep_pages_end_at_the_greatest_depth():
    page = page_of("<body>" + "a<div>b<br>" * 200)
    texts = np.flatnonzero(page.tag == 0).tolist()
    given = placed(page, {row: (0, 20 * at, 50, 20 * at + 10) for at, row in enumerate(texts)})
    boxes = boxes_of_page(page, given.layout)
    items = find_items(page, given.layout, boxes)

    number, _ = group_items(items, np.ones(len(items)), 0.5)

    assert items.depth.max() < MAX_ITEM_DEPTH
    assert len(boxes) == 400
    assert number.min() == 0


SIDE_BAR = "<body><div><main><p>one two three</p><p>four</p></main><{0}><p>more</p></{1}></div>"


@pytest.mark.parametrize(
    ("html", "side", "parted"),
    [
        (SIDE_BAR.format("aside", "aside"), (700, 0, 900, 500), True),
        (SIDE_BAR.format("div role=complementary", "div"), (700, 0, 900, 500), True),
        (SIDE_BAR.format("div", "div"), (700, 0, 900, 500), False),
        (SIDE_BAR.format("aside", "aside"), (0, 700, 600, 1100), False),  # below
        (SIDE_BAR.format("aside", "aside"), (700, 0, 900, 90), False),  # as low as a note
    ],
)
def test_an_aside_beside_the_main_part_is_a_side_bar(html, side, parted):
    page = page_of(html)
    texts = np.flatnonzero(page.tag == 0).tolist()
    lines = [(0, 0, 600, 300), (0, 320, 600, 600), side]
    given = placed(page, dict(zip(texts, lines, strict=True)))
    items = find_items(page, given.layout, boxes_of_page(page, given.layout))
    assert has_side_bar(items).tolist() == [parted] + [False] * (len(items) - 1)
    target = DivisionTarget(threshold=1.0, least=1, side_bars=True)
    found = divide_page(page, given.layout, items.boxes, MODEL, target)
    assert found.number[0] == found.number[1]
    assert np.isfinite(found.uncut).all()


def test_the_sides_of_a_frame_are_not_counted_among_three_segments():
    """What lies between two narrow pictures is divided, as a page without the pictures is."""
    page = page_of(
        "<body><img src=a.png><div><header>head</header><main><p>one</p><p>two</p></main>"
        "<footer>foot</footer></div><img src=b.png>"
    )
    texts = np.flatnonzero(page.tag == 0).tolist()
    left, right = np.flatnonzero(page.is_tag(*numbers("img"))).tolist()
    lines = [(60, 0, 540, 50), (60, 100, 540, 150), (60, 200, 540, 250), (60, 400, 540, 450)]
    frame = {left: (0, 0, 20, 450), right: (580, 0, 600, 450)}
    given = placed(page, dict(zip(texts, lines, strict=True)) | frame)
    items = find_items(page, given.layout, boxes_of_page(page, given.layout))
    assert is_margin(items.edges, items.edges[0]).sum() == 2
    never = DivisionTarget(threshold=1.0, least=3)
    found = divide_page(page, given.layout, items.boxes, MODEL, never)
    assert len(found.uncut) == 5
