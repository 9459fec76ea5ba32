"""Segmentations that take no thought, to be scored beside those that do.

People marked elements, so a split along the tree gets the edges of their blocks for nothing.
"""

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.boxes import Boxes
from pagelet.columns.layout import Layout
from pagelet.columns.page import Page
from pagelet.columns.segments import Segments, segments_of
from pagelet.columns.tree import nearest

HEAD, FOOT = 150.0, 50.0  #: pixels of the first and of the last band
MOST = 0.8  #: share of the page from which an element is divided further


def whole_page(boxes: Boxes) -> Segments:
    """One segment a page."""
    return segments_of(boxes, np.zeros(len(boxes), np.int64))


def each_box(boxes: Boxes) -> Segments:
    """One segment a box."""
    return segments_of(boxes, np.arange(len(boxes)))


def three_bands(boxes: Boxes) -> Segments:
    """What lies at the top, at the bottom, and all between; the middle of a box decides."""
    middle = (boxes.top + boxes.bottom) / 2
    low = middle >= boxes.page_height - FOOT
    return segments_of(boxes, np.where(middle < HEAD, 0, np.where(low, 2, 1)))


def split_tree(page: Page, layout: Layout, boxes: Boxes, most: float | None = None) -> Segments:
    """The children of the first element with several; what covers most of the page is divided.

    Only elements that hold boxes count. Without `most` nothing is divided further.
    """
    own = np.bincount(boxes.row[boxes.row >= 0], minlength=len(page))
    children = _children(page, np.asarray(page.sum_subtree(own) > 0))
    limit = np.inf if most is None else most * layout.page_width * layout.page_height
    large = (layout.area > limit).tolist()
    parts = np.zeros(len(page), np.bool_)
    whole = [row for row in children if page.parent[row] < 0]
    while whole:
        row = whole.pop()
        while len(children[row]) == 1:
            row = children[row][0]
        for part in children[row] or [row]:
            if large[part] and part != row:
                whole.append(part)
            else:
                parts[part] = True
    return segments_of(boxes, np.append(nearest(page.parent, parts), -1)[boxes.row])


def _children(page: Page, kept: NDArray[np.bool_]) -> dict[int, list[int]]:
    """The children of every kept row that are kept."""
    rows = np.flatnonzero(kept)
    found: dict[int, list[int]] = {row: [] for row in rows.tolist()}
    for row, parent in zip(rows.tolist(), page.parent[rows].tolist(), strict=True):
        if parent >= 0:
            found[parent].append(row)
    return found
