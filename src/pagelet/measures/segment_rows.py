"""The rows of a page that lie in a segment: whole subtrees, and texts that segments share."""

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.page import Mask, Page
from pagelet.columns.segments import Segments

Ints = NDArray[np.intp]


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
