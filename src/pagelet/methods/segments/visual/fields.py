"""The smallest segments: a run of text in one style, over as many lines as it takes.

Two boxes are of one field when they are lines of text that follow closely, one below the other
or side by side, in the same size, weight and colour. Everything else stands for itself.
"""

from dataclasses import replace

import numpy as np

from pagelet.arrays import Ints, Mask
from pagelet.methods.segments.geometry.neighbours import Relations, relations, top
from pagelet.page.boxes import TEXT, Boxes
from pagelet.page.layout import Layout
from pagelet.page.table import Page
from pagelet.page.tree import nearest

SLIM = 0.15  #: share of its height a line gives up above and below: lines may overlap a little
BELOW = 0.9  #: widest gap between two slim lines of a field, in heights of a line
BESIDE = 0.5  #: widest gap between two words of a field, in heights of a line
OVERLAP = 0.5  #: how much of the narrower line lies under the other, at least


def fields_of(page: Page, layout: Layout, boxes: Boxes, *, with_dom: bool = False) -> Ints:
    """A group for each box; with the elements, a field keeps to its innermost block."""
    pairs = relations(_slim(boxes))
    joined = _alike(layout, boxes, pairs) & _close(boxes, pairs)
    if with_dom:
        block = nearest(page.parent, page.element & ~layout.inline)[boxes.row]
        joined &= block[pairs.first] == block[pairs.second]
    above = list(range(len(boxes)))
    found = pairs.take(joined)
    for one, other in zip(found.first.tolist(), found.second.tolist(), strict=True):
        above[top(above, one)] = top(above, other)
    return np.array([top(above, box) for box in range(len(boxes))], np.intp)


def _slim(boxes: Boxes) -> Boxes:
    """The same boxes, lines of text a little lower."""
    less = np.where(boxes.kind == TEXT, SLIM * boxes.height, 0)
    return replace(boxes, top=boxes.top + less, bottom=boxes.bottom - less)


def _alike(layout: Layout, boxes: Boxes, pairs: Relations) -> Mask:
    """Mark the pairs of lines in the same style."""
    one, other = boxes.row[pairs.first], boxes.row[pairs.second]
    text = boxes.kind == TEXT
    same = text[pairs.first] & text[pairs.second]
    same &= layout.font_size[one] == layout.font_size[other]
    same &= layout.font_weight[one] == layout.font_weight[other]
    return np.asarray(same & (boxes.colour[pairs.first] == boxes.colour[pairs.second]).all(axis=1))


def _close(boxes: Boxes, pairs: Relations) -> Mask:
    """Mark the pairs of lines that follow one another closely."""
    one, other = pairs.first, pairs.second
    height = np.minimum(boxes.height[one], boxes.height[other])
    narrow = np.minimum(boxes.width[one], boxes.width[other])
    shared = np.minimum(boxes.right[one], boxes.right[other]) - np.maximum(
        boxes.left[one], boxes.left[other]
    )
    below = (pairs.gap <= BELOW * height) & (shared >= OVERLAP * narrow)
    return np.asarray(np.where(pairs.upright, below, pairs.gap <= BESIDE * height))
