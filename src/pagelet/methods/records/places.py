"""Where the rows of records stand: hashes of places that are the same in every record."""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from pagelet.arrays import Hashes, Ints
from pagelet.page.signatures import mix, place_signatures, row_signatures
from pagelet.page.table import Page
from pagelet.page.tags import BLOCK, numbers
from pagelet.page.tree import nearest

CELLS = numbers("td th")
MAX_COLUMN_SPAN = 1000  #: columns that one cell may span


class Span(NamedTuple):
    """The rows of one record: an element, or siblings in a row."""

    start: int
    stop: int


class RecordRows:
    """The rows of the records of one page."""

    def __init__(self, page: Page, spans: Sequence[Span]) -> None:
        self.page, self.spans = page, spans
        whole = [page.end[span.start] == span.stop for span in spans]
        start = np.array([span.start for span in spans], np.intp)
        self.base: Ints = np.where(np.array(whole, np.bool_), start, page.parent[start])
        #: element of each record, or the one that holds its siblings

    @cached_property
    def anchor(self) -> Ints:
        """For each row the hyperlink at or above it; -1."""
        anchors = np.zeros(len(self.page), np.bool_)
        anchors[self.page.anchors] = True
        return nearest(self.page.parent, anchors)

    @cached_property
    def block(self) -> Ints:
        """For each row the nearest block at or above it."""
        return nearest(self.page.parent, self.page.is_tag(*BLOCK))

    def inside(self, rows: Ints) -> tuple[Ints, Ints]:
        """Those of the rows that lie in records, and the record of each."""
        start = np.array([span.start for span in self.spans], np.intp)
        stop = np.array([span.stop for span in self.spans], np.intp)
        record = np.searchsorted(start, rows, side="right") - 1
        inside = rows < np.append(stop, 0)[record]  # a row before all records has record -1
        return rows[inside], record[inside]

    def places(self, rows: Ints, record: Ints) -> tuple[Hashes, Hashes]:
        """For each row the hashes of its place by names and by tags; cells count by column."""
        page, above = self.page, self.base[record]
        cell = nearest(page.parent, page.is_tag(*CELLS))[rows]
        column = np.where(cell > above, self._cell_columns[cell], 0).astype(np.uint64)
        shift = mix(column) * (column > 0)
        names, tags = (
            place_signatures(page, row_signatures(page, classes=each), rows, above) + shift
            for each in (True, False)
        )
        return names, tags

    @cached_property
    def _cell_columns(self) -> Ints:
        """For each cell the number of its column from 1, spans counted."""
        page = self.page
        cells = np.flatnonzero(page.is_tag(*CELLS))
        span = np.ones(len(page), np.intp)
        for row, value in page.attribute("colspan").items():
            digits = value.strip()
            if digits.isascii() and digits.isdigit():
                span[row] = min(max(int(digits[:6]), 1), MAX_COLUMN_SPAN)
        order = cells[np.argsort(page.parent[cells], kind="stable")]
        new = np.flatnonzero(np.diff(page.parent[order], prepend=-2))
        before = np.cumsum(span[order]) - span[order]
        column = np.zeros(len(page) + 1, np.intp)
        column[order] = before - np.repeat(before[new], np.diff(np.append(new, len(order)))) + 1
        return column
