"""Segments by rules, without a model: data fields."""

from dataclasses import replace

import numpy as np

from pagelet.arrays import Ints, Mask
from pagelet.methods.segments.geometry.boxes import NeighbourPairs, find_neighbours
from pagelet.methods.segments.geometry.partition import find_root
from pagelet.page.layout import TEXT, Boxes, Layout
from pagelet.page.table import Page
from pagelet.page.tree import nearest

LINE_TRIM = 0.15  #: share of its height trimmed from a line above and below: lines may overlap
MAX_LINE_GAP = 0.9  #: widest gap between two trimmed lines of a field, in line heights
MAX_WORD_GAP = 0.5  #: widest gap between two words of a field, in line heights
MIN_LINE_OVERLAP = 0.5  #: least share of the narrower line that lies under the other


def group_fields(page: Page, layout: Layout, boxes: Boxes, *, with_dom: bool = False) -> Ints:
    """A group for each box; with the elements, a field stays inside its innermost block.

    A field is a run of text in one style, over any number of lines. Two boxes are in one field
    when they are lines of text that follow closely, one below the other or side by side, in the
    same size, weight and colour. Every other box is a field of its own.
    """
    pairs = find_neighbours(_trim_lines(boxes))
    joined = _has_same_style(layout, boxes, pairs) & _is_close(boxes, pairs)
    if with_dom:
        block = nearest(page.parent, page.element & ~layout.inline)[boxes.row]
        joined &= block[pairs.first] == block[pairs.second]
    parents = list(range(len(boxes)))
    fields = pairs.take(joined)
    for one, other in zip(fields.first.tolist(), fields.second.tolist(), strict=True):
        parents[find_root(parents, one)] = find_root(parents, other)
    return np.array([find_root(parents, box) for box in range(len(boxes))], np.intp)


def _trim_lines(boxes: Boxes) -> Boxes:
    """The same boxes, lines of text a little lower."""
    trim = np.where(boxes.kind == TEXT, LINE_TRIM * boxes.height, 0)
    return replace(boxes, top=boxes.top + trim, bottom=boxes.bottom - trim)


def _has_same_style(layout: Layout, boxes: Boxes, pairs: NeighbourPairs) -> Mask:
    """Mark the pairs of lines in the same style."""
    one, other = boxes.row[pairs.first], boxes.row[pairs.second]
    text = boxes.kind == TEXT
    same = text[pairs.first] & text[pairs.second]
    same &= layout.font_size[one] == layout.font_size[other]
    same &= layout.font_weight[one] == layout.font_weight[other]
    return np.asarray(same & (boxes.colour[pairs.first] == boxes.colour[pairs.second]).all(axis=1))


def _is_close(boxes: Boxes, pairs: NeighbourPairs) -> Mask:
    """Mark the pairs of lines that follow one another closely."""
    one, other = pairs.first, pairs.second
    height = np.minimum(boxes.height[one], boxes.height[other])
    narrow = np.minimum(boxes.width[one], boxes.width[other])
    shared = np.minimum(boxes.right[one], boxes.right[other]) - np.maximum(
        boxes.left[one], boxes.left[other]
    )
    below = (pairs.gap <= MAX_LINE_GAP * height) & (shared >= MIN_LINE_OVERLAP * narrow)
    return np.asarray(np.where(pairs.vertical, below, pairs.gap <= MAX_WORD_GAP * height))
