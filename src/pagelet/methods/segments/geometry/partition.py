"""Segments as a partition of the boxes: each box lies in one segment or in none."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Int32s, Ints, Mask
from pagelet.methods.segments.geometry.rectangles import ACROSS, DOWN, bounding_boxes
from pagelet.page.layout import Boxes
from pagelet.page.table import Page


def find_root(parents: list[int], member: int) -> int:
    """Return the root of a member's set, halving the path to it on the way."""
    while parents[member] != member:
        parents[member] = parents[parents[member]]
        member = parents[member]
    return member


@dataclass(frozen=True, eq=False)
class Segments:
    """A flat partition of the boxes; segments are numbered from the top, then from the left."""

    boxes: Boxes
    number: Int32s  #: the segment of each box; -1 when it lies in none
    threshold: float = 1.0  #: parameter value that gave these segments, in the units of its method
    complete: bool = True  #: whether segmentation ended before its limit on comparisons

    def __len__(self) -> int:
        return len(self.edges)

    @cached_property
    def edges(self) -> Floats:
        """Bounding box of each segment."""
        return bounding_boxes(self.boxes.edges, self.number)

    @property
    def loose(self) -> Ints:
        """The boxes that lie in no segment."""
        return np.flatnonzero(self.number < 0)


def segments_of(
    boxes: Boxes, groups: NDArray[np.integer], threshold: float = 1.0, *, complete: bool = True
) -> Segments:
    """Segments from a group for each box: any number from 0 on, -1 for none."""
    names, number = np.unique(groups, return_inverse=True)
    number = number - np.searchsorted(names, 0)  # the group -1 comes first and stays -1
    edges = bounding_boxes(boxes.edges, number)
    order = np.lexsort((np.arange(len(edges)), edges[:, 0], edges[:, 1]))
    place = np.empty(len(order) + 1, np.int32)  # the last place is that of -1
    place[order], place[-1] = np.arange(len(order)), -1
    return Segments(boxes, place[number], threshold, complete)


# -- rows -----------------------------------------------------------------------------------


def rows_of_segments(page: Page, segments: Segments) -> list[tuple[int, ...]]:
    """The top rows of each segment, in document order.

    A row is whole when all boxes in its subtree lie in one segment; a top row is whole and its
    parent is not. A text or image whose own boxes lie in several segments, or partly in none, is
    a row of each segment that has some of it.
    """
    order = _boxes_by_row(segments)
    number, row = segments.number[order], segments.boxes.row[order].astype(np.intp)
    whole = whole_rows(page, row, number)
    above = page.parent
    inner = np.arange(len(page)) >= max(page.body, 0)
    tops = np.flatnonzero(whole & inner & ~((above >= max(page.body, 0)) & whole[above]))
    first = np.searchsorted(row, tops)
    broken = np.flatnonzero((number >= 0) & ~whole[row])
    rows = np.concatenate((tops, row[broken]))
    top_rows: list[list[int]] = [[] for _ in range(len(segments))]
    numbers = np.concatenate((number[first], number[broken]))
    for segment, top in sorted(set(zip(numbers.tolist(), rows.tolist(), strict=True))):
        top_rows[segment].append(top)
    return [tuple(rows) for rows in top_rows]


def members_of_segments(segments: Segments) -> list[Ints]:
    """The boxes of each segment, in paint order."""
    order = np.argsort(segments.number, kind="stable")
    ends = np.cumsum(np.bincount(segments.number + 1, minlength=len(segments) + 1))
    return np.split(order, ends)[1 : len(segments) + 1]


def whole_rows(page: Page, row: Ints, number: NDArray[np.integer]) -> Mask:
    """Mark the rows that hold boxes which all lie in one segment.

    Boxes are given by their rows in document order, so a subtree is a slice of them, and it is
    whole where the segment does not change inside the slice.
    """
    rows = np.arange(len(page))
    first, last = np.searchsorted(row, rows), np.searchsorted(row, page.end)
    filled = last > first
    changes = np.concatenate(([0], np.cumsum(number[1:] != number[:-1])))
    whole = np.zeros(len(page), np.bool_)
    begin, end = first[filled], last[filled] - 1
    whole[filled] = (changes[begin] == changes[end]) & (number[begin] >= 0)
    return whole


def _boxes_by_row(segments: Segments) -> Ints:
    """The boxes that have a row, in document order."""
    boxes = np.flatnonzero(segments.boxes.row >= 0)
    return np.asarray(boxes[np.argsort(segments.boxes.row[boxes], kind="stable")])


# -- reading order --------------------------------------------------------------------------


MAX_CUT_DEPTH = 24  #: nested cuts; deeper groups are read in document order
WIDE_GAP_SHARE = 0.5  #: share of the widest gap from which a gap is cut together with it


@dataclass(frozen=True, slots=True)
class _ReadingCut:
    """Parts of a group in reading order."""

    parts: list[Ints]
    in_document_order: bool  #: whether the parts also follow one another in the document
    gap: float  #: widest gap between two parts


def reading_order(boxes: Boxes, *, right_to_left: bool = False) -> Ints:
    """The boxes in reading order, by recursive cuts along the gaps of their layout (XY cut)."""
    edges = boxes.edges
    if right_to_left:
        edges = edges[:, [2, 1, 0, 3]] * (-1, 1, -1, 1)
    place = np.empty(len(boxes), np.intp)
    place[np.argsort(boxes.row, kind="stable")] = np.arange(len(boxes))
    order: list[Ints] = []
    stack = [(np.arange(len(boxes)), 0)]
    while stack:
        group, depth = stack.pop()
        cut = _best_cut(edges, place, group) if depth < MAX_CUT_DEPTH and len(group) > 1 else None
        if cut is None:
            order.append(group[np.argsort(place[group])] if len(group) > 1 else group)
        else:
            stack += [(part, depth + 1) for part in reversed(cut.parts)]
    return np.concatenate(order)


def _best_cut(edges: Floats, place: Ints, group: Ints) -> _ReadingCut | None:
    """The better cut of the two axes; None when no gap can be cut."""
    cuts = (_cut(edges, place, group, axis) for axis in (DOWN, ACROSS))
    return max(filter(None, cuts), key=lambda cut: (cut.in_document_order, cut.gap), default=None)


def _cut(edges: Floats, place: Ints, group: Ints, axis: int) -> _ReadingCut | None:
    """Cut a group at the gaps on one axis, at those that keep document order if there are any."""
    order = group[np.argsort(edges[group, axis], kind="stable")]
    reach = np.maximum.accumulate(edges[order, axis + 2])[:-1]
    gaps = edges[order[1:], axis] - reach
    before = np.maximum.accumulate(place[order])[:-1]
    after = np.minimum.accumulate(place[order][::-1])[::-1][1:]
    free, keeps = gaps >= 0, before < after
    if not free.any():
        return None
    kept = free & keeps
    widest = float(gaps[kept if kept.any() else free].max())
    at = np.flatnonzero(kept if kept.any() else gaps >= max(WIDE_GAP_SHARE * widest, 0)) + 1
    return _ReadingCut(np.split(order, at), bool(kept.any()), widest)
