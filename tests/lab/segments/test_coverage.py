"""Elements that cover most of a page are divided."""

from dataclasses import replace

import numpy as np
from hypothesis import given

from pagelet.lab.segments.coverage import group_by_element, group_undivided
from pagelet.methods.segments.geometry.boxes import boxes_of_page
from pagelet.page.html import parse as page_of
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
