"""Whole elements as segments by one rule: what covers most of the drawn area is divided.

The trivial way to use the tree, for comparison with the learned one.
"""

import numpy as np

from pagelet.arrays import Floats, Ints, Mask
from pagelet.methods.segments.visual.scene import bounding_area
from pagelet.page.layout import Boxes, Layout
from pagelet.page.table import Page
from pagelet.page.tree import nearest

#: Share of the drawn area that an element covers, above which it is divided.
DIVIDED_SHARES = {"blocks": 0.9, "paragraphs": 0.2}


def group_by_element(
    page: Page, layout: Layout, boxes: Boxes, granularity: str, wanted: int = 0
) -> tuple[float, Ints]:
    """The share above which elements are divided, and a group for each box.

    People mark elements. Of a wrapper around the whole page they mark the parts instead, so an
    element is divided as long as it covers most of the drawn area.
    """
    coverage = np.asarray(layout.area / bounding_area(boxes.edges))
    if wanted:
        return _divide_into(page, layout, boxes, coverage, wanted)
    share = DIVIDED_SHARES[granularity]
    return share, group_undivided(page, layout, boxes, coverage > share)


def group_undivided(page: Page, layout: Layout, boxes: Boxes, large: Mask) -> Ints:
    """A group for each box: its topmost element that is not divided.

    An element is divided when it and all its ancestors are large; an only child goes with its
    parent. Inline siblings that follow one another stay together.
    """
    own = np.bincount(boxes.row, minlength=len(page))
    drawn = page.sum_subtree(own) > 0
    inner = np.bincount(page.parent[drawn] + 1, minlength=len(page) + 1)
    only = inner[page.parent + 1] == 1
    only[: page.body + 1] = True
    divided = ~page.inside(~((large | only) & page.element & (own == 0)))
    top = drawn & ~divided & np.append(divided, True)[page.parent]
    rows = np.flatnonzero(top)
    inline = ~page.element[rows] | layout.inline[rows]
    siblings = page.parent[rows[1:]] == page.parent[rows[:-1]]
    begins = np.append(True, ~(inline[1:] & inline[:-1] & siblings))[: len(rows)]
    group = np.zeros(len(page), np.intp)
    group[rows] = np.cumsum(begins) - 1
    return np.asarray(group[nearest(page.parent, top)[boxes.row]])


def _divide_into(
    page: Page, layout: Layout, boxes: Boxes, coverage: Floats, wanted: int
) -> tuple[float, Ints]:
    """The grouping whose number of segments is nearest to the wanted one, by bisection."""
    shares = np.unique(coverage)
    best: tuple[int, float, Ints] | None = None
    low, high = 0, len(shares) - 1
    while low <= high:
        middle = (low + high) // 2
        groups = group_undivided(page, layout, boxes, coverage > shares[middle])
        count = int(groups.max()) + 1
        if best is None or abs(count - wanted) < best[0]:
            best = (abs(count - wanted), float(shares[middle]), groups)
        low, high = (middle + 1, high) if count > wanted else (low, middle - 1)
    assert best is not None  # a page has a row
    return best[1], best[2]
