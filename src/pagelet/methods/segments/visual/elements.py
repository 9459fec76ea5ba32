"""Segments by the elements of a page: what covers nearly all that is drawn is divided.

People mark elements. Of a wrapper around the whole page they mark the parts instead, so an
element is divided as long as it covers most of what is drawn.
"""

import numpy as np

from pagelet.arrays import Floats, Ints, Mask
from pagelet.methods.segments.visual.sight import room_of
from pagelet.page.boxes import Boxes
from pagelet.page.layout import Layout
from pagelet.page.table import Page
from pagelet.page.tree import nearest

#: The share of all that is drawn from which an element is divided.
SHARES = {"blocks": 0.9, "paragraphs": 0.2}

STEPS = 12  #: halvings in search of a wanted number of segments


def divide_tree(
    page: Page, layout: Layout, boxes: Boxes, granularity: str, wanted: int = 0
) -> tuple[float, Ints]:
    """The share from which elements were divided, and a group for each box."""
    covers = _covers(layout, boxes)
    if wanted:
        return _divide_into(page, layout, boxes, covers, wanted)
    share = SHARES[granularity]
    return share, groups_at(page, layout, boxes, covers > share)


def _covers(layout: Layout, boxes: Boxes) -> Floats:
    """How much of all that is drawn each row covers."""
    return np.asarray(layout.area / room_of(boxes.edges))


def groups_at(page: Page, layout: Layout, boxes: Boxes, large: Mask) -> Ints:
    """A group for each box: the topmost element that is not divided.

    An element is divided when it is large, and so are all around it; an only child goes with
    its parent. What follows one another in a line of text stays together.
    """
    own = np.bincount(boxes.row, minlength=len(page))
    drawn = page.sum_subtree(own) > 0
    inner = np.bincount(page.parent[drawn] + 1, minlength=len(page) + 1)
    only = inner[page.parent + 1] == 1
    only[: page.body + 1] = True
    divided = ~page.inside(~((large | only) & page.element & (own == 0)))
    top = drawn & ~divided & np.append(divided, True)[page.parent]
    rows = np.flatnonzero(top)
    loose = ~page.element[rows] | layout.inline[rows]
    beside = page.parent[rows[1:]] == page.parent[rows[:-1]]
    begins = np.append(True, ~(loose[1:] & loose[:-1] & beside))[: len(rows)]
    group = np.zeros(len(page), np.intp)
    group[rows] = np.cumsum(begins) - 1
    return np.asarray(group[nearest(page.parent, top)[boxes.row]])


def _divide_into(
    page: Page, layout: Layout, boxes: Boxes, covers: Floats, wanted: int
) -> tuple[float, Ints]:
    """The division whose number of segments is nearest to the wanted one, as halving finds it."""
    shares = np.unique(covers)
    best: tuple[int, float, Ints] | None = None
    low, high = 0, len(shares) - 1
    while low <= high:
        middle = (low + high) // 2
        groups = groups_at(page, layout, boxes, covers > shares[middle])
        count = int(groups.max()) + 1
        if best is None or abs(count - wanted) < best[0]:
            best = (abs(count - wanted), float(shares[middle]), groups)
        low, high = (middle + 1, high) if count > wanted else (low, middle - 1)
    assert best is not None  # a page has a row
    return best[1], best[2]
