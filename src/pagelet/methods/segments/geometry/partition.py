"""Segments of a rendered page: each box lies in one segment or in none."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Int32s, Ints, Mask
from pagelet.page.boxes import Boxes
from pagelet.page.table import Page

NOTHING = (np.inf, np.inf, -np.inf, -np.inf)  #: edges around no box


@dataclass(frozen=True, eq=False)
class Segments:
    """A flat division of the boxes; segments are numbered from the top, then from the left."""

    boxes: Boxes
    number: Int32s  #: the segment of each box; -1 when it lies in none
    threshold: float = 1.0  #: the value that gave this division, in the units of its method
    complete: bool = True  #: false when the page was too tangled to go on to the end

    def __len__(self) -> int:
        return len(self.edges)

    @cached_property
    def edges(self) -> Floats:
        """Left, top, right, bottom around the boxes of each segment."""
        return edges_around(self.boxes, self.number)

    @property
    def loose(self) -> Ints:
        """The boxes that lie in no segment."""
        return np.flatnonzero(self.number < 0)

    def members(self, segment: int) -> Ints:
        """The boxes of one segment, in the order they were drawn."""
        return np.flatnonzero(self.number == segment)


def segments_of(
    boxes: Boxes, groups: NDArray[np.integer], threshold: float = 1.0, *, complete: bool = True
) -> Segments:
    """Segments from a group for each box: any number from 0 on, -1 for none."""
    names, number = np.unique(groups, return_inverse=True)
    number = number - np.searchsorted(names, 0)  # the group -1 comes first and stays -1
    edges = edges_around(boxes, number)
    order = np.lexsort((np.arange(len(edges)), edges[:, 0], edges[:, 1]))
    place = np.empty(len(order) + 1, np.int32)  # the last place answers for -1
    place[order], place[-1] = np.arange(len(order)), -1
    return Segments(boxes, place[number], threshold, complete)


def edges_around(boxes: Boxes, number: NDArray[np.integer]) -> Floats:
    """Left, top, right, bottom around the boxes with each number from 0 on."""
    inside = number >= 0
    count = int(number.max(initial=-1)) + 1
    found = np.tile(np.array(NOTHING), (count, 1))
    edges = boxes.edges[inside]
    np.minimum.at(found[:, :2], number[inside], edges[:, :2])
    np.maximum.at(found[:, 2:], number[inside], edges[:, 2:])
    return found


# -- The rows of a page that lie in a segment: whole subtrees, and texts that segments share --


def rows_of_segments(page: Page, segments: Segments) -> list[tuple[int, ...]]:
    """The top rows of each segment, in document order.

    A row is whole when all boxes in its subtree lie in one segment; top rows are whole, and what
    is above them is not. A text or image whose own boxes lie in several segments, or partly in
    none, is a row of each segment that has some of it.
    """
    order = _in_document(segments)
    number, row = segments.number[order], segments.boxes.row[order].astype(np.intp)
    whole = whole_rows(page, row, number)
    above = page.parent
    inner = np.arange(len(page)) >= max(page.body, 0)
    tops = np.flatnonzero(whole & inner & ~((above >= max(page.body, 0)) & whole[above]))
    first = np.searchsorted(row, tops)
    broken = np.flatnonzero((number >= 0) & ~whole[row])
    rows = np.concatenate((tops, row[broken]))
    found: list[list[int]] = [[] for _ in range(len(segments))]
    numbers = np.concatenate((number[first], number[broken]))
    for segment, top in _distinct(numbers, rows):
        found[segment].append(top)
    return [tuple(rows) for rows in found]


def members_of_segments(segments: Segments) -> list[Ints]:
    """The boxes of each segment, in the order they were drawn."""
    order = np.argsort(segments.number, kind="stable")
    ends = np.cumsum(np.bincount(segments.number + 1, minlength=len(segments) + 1))
    return np.split(order, ends)[1 : len(segments) + 1]


def whole_rows(page: Page, row: Ints, number: NDArray[np.integer]) -> Mask:
    """Mark the rows with boxes below them that all lie in one segment.

    Boxes come with their rows in document order, so a subtree is a slice of them, and it is
    whole where the segment does not change inside the slice.
    """
    rows = np.arange(len(page))
    first, last = np.searchsorted(row, rows), np.searchsorted(row, page.end)
    some = last > first
    changes = np.concatenate(([0], np.cumsum(number[1:] != number[:-1])))
    whole = np.zeros(len(page), np.bool_)
    begin, end = first[some], last[some] - 1
    whole[some] = (changes[begin] == changes[end]) & (number[begin] >= 0)
    return whole


def _in_document(segments: Segments) -> Ints:
    """The boxes whose row is known, by their rows."""
    known = np.flatnonzero(segments.boxes.row >= 0)
    return np.asarray(known[np.argsort(segments.boxes.row[known], kind="stable")])


def _distinct(numbers: NDArray[np.integer], rows: Ints) -> list[tuple[int, int]]:
    """Pairs of a segment and a row, each once, rows in document order."""
    return sorted(set(zip(numbers.tolist(), rows.tolist(), strict=True)))


# -- In which order boxes are read: along the cuts that their layout allows -------------------


DEEPEST = 24  #: cuts inside cuts; what is left is read in the order of the document
WIDE = 0.5  #: share of the widest gap from which a gap is cut together with it
DOWN, ACROSS = 1, 0  #: the edge by which parts follow one another: top or left


@dataclass(frozen=True, slots=True)
class _Cut:
    """Parts of a group in the order they are read."""

    parts: list[Ints]
    keeps: bool  #: whether the parts follow one another in the document, too
    gap: float  #: the widest gap between two parts


def reading_order(boxes: Boxes, *, leftward: bool = False) -> Ints:
    """The boxes in the order they are read; `leftward` where lines run from right to left."""
    edges = boxes.edges
    if leftward:
        edges = edges[:, [2, 1, 0, 3]] * (-1, 1, -1, 1)
    place = np.empty(len(boxes), np.intp)
    place[np.argsort(boxes.row, kind="stable")] = np.arange(len(boxes))
    read: list[Ints] = []
    waiting = [(np.arange(len(boxes)), 0)]
    while waiting:
        group, depth = waiting.pop()
        cut = _best(edges, place, group) if depth < DEEPEST and len(group) > 1 else None
        if cut is None:
            read.append(group[np.argsort(place[group])] if len(group) > 1 else group)
        else:
            waiting += [(part, depth + 1) for part in reversed(cut.parts)]
    return np.concatenate(read)


def _best(edges: Floats, place: Ints, group: Ints) -> _Cut | None:
    """The better of the two cuts; None when there is no cut at all."""
    cuts = (_cut(edges, place, group, axis) for axis in (DOWN, ACROSS))
    return max(filter(None, cuts), key=lambda cut: (cut.keeps, cut.gap), default=None)


def _cut(edges: Floats, place: Ints, group: Ints, axis: int) -> _Cut | None:
    """The parts that lie apart on one axis."""
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
    at = np.flatnonzero(kept if kept.any() else gaps >= max(WIDE * widest, 0)) + 1
    return _Cut(np.split(order, at), bool(kept.any()), widest)
