"""Rectangles on a plane, found by what they overlap.

The plane is cut into cells so that each row of cells holds about as many rectangles as the
next one, and so does each column. A rectangle that grows is only entered in the cells it has
not been in.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

import numpy as np

from pagelet.columns.boxes import Floats

Rectangle = tuple[float, float, float, float]  #: left, top, right, bottom

FILLING = 2  #: rectangles a cell should hold
ENTRIES = 16  #: cells that one rectangle may lie in, on average


class Plane:
    """Names of rectangles, by the cells they lie in."""

    def __init__(self, edges: Floats) -> None:
        cells = max(1.0, len(edges) / FILLING)
        self._columns, self._rows = _quantiles(edges, cells)
        while cells > 1 and self._spans(edges) > ENTRIES * len(edges):
            cells /= 4
            self._columns, self._rows = _quantiles(edges, max(cells, 1.0))
        self._cells: list[list[list[int]]] = [
            [[] for _ in range(len(self._columns) + 1)] for _ in range(len(self._rows) + 1)
        ]
        for name, rectangle in enumerate(map(tuple, edges.tolist())):
            if rectangle[0] < rectangle[2] and rectangle[1] < rectangle[3]:  # else it overlaps none
                self.enter(name, rectangle)

    def enter(self, name: int, rectangle: Rectangle, known: Rectangle | None = None) -> None:
        """Put a name in the cells of a rectangle, save those of one it is known to lie in."""
        for cell in self._around(rectangle, known, inner=False):
            cell.append(name)

    def near(self, rectangle: Rectangle, known: Rectangle | None = None) -> Iterator[list[int]]:
        """The names in each cell of a rectangle, save those inside one that is known."""
        return self._around(rectangle, known, inner=True)

    def _spans(self, edges: Floats) -> int:
        """In how many cells the rectangles lie, all together."""
        across = np.searchsorted(self._columns, edges[:, 2]) + 1
        across -= np.searchsorted(self._columns, edges[:, 0], side="right")
        down = np.searchsorted(self._rows, edges[:, 3]) + 1
        down -= np.searchsorted(self._rows, edges[:, 1], side="right")
        return int((across * down).sum())

    def _range(self, rectangle: Rectangle) -> tuple[int, int, int, int]:
        """First column, first row, last column, last row of the cells of a rectangle."""
        left, top, right, bottom = rectangle
        columns, rows = self._columns, self._rows
        return (
            bisect_right(columns, left),
            bisect_right(rows, top),
            bisect_left(columns, right),
            bisect_left(rows, bottom),
        )

    def _around(
        self, rectangle: Rectangle, known: Rectangle | None, *, inner: bool
    ) -> Iterator[list[int]]:
        """The cells of a rectangle that are no cells of the known one, or not inside it."""
        left, top, right, bottom = self._range(rectangle)
        skip_left, skip_right, skip_top, skip_bottom = right + 1, right, bottom + 1, bottom
        if known is not None:
            skip_left, skip_top, skip_right, skip_bottom = self._range(known)
        if known is not None and inner:  # where an edge lies further out, its own cells count
            skip_left += rectangle[0] < known[0]
            skip_top += rectangle[1] < known[1]
            skip_right -= rectangle[2] > known[2]
            skip_bottom -= rectangle[3] > known[3]
        for row in range(top, bottom + 1):
            cells = self._cells[row]
            if skip_top <= row <= skip_bottom and skip_left <= skip_right:
                yield from cells[left:skip_left]
                yield from cells[skip_right + 1 : right + 1]
            else:
                yield from cells[left : right + 1]


def _quantiles(edges: Floats, cells: float) -> tuple[list[float], list[float]]:
    """Where the plane is cut, from left to right and from top to bottom, into so many cells.

    Cells have about the shape of the rectangles.
    """
    if not len(edges):
        return [], []
    middles = (edges[:, :2] + edges[:, 2:]) / 2
    sizes = np.maximum((edges[:, 2:] - edges[:, :2]).mean(axis=0), 1e-9)
    across, down = np.maximum(np.ptp(middles, axis=0) / sizes, 1)
    columns = min(max(np.sqrt(cells * across / down), 1), cells)
    counts = (round(columns), round(cells / columns))
    cuts = [
        np.unique(np.quantile(line, np.linspace(0, 1, count + 1)[1:-1])).tolist()
        for line, count in zip(middles.T, counts, strict=True)
    ]
    return cuts[0], cuts[1]
