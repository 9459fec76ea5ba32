"""Which boxes lie next to each other: Zeleny, Burget, Zendulka, IP&M 53(3), 2017, section 5.

Two boxes can be neighbours when their projections on one axis overlap by more than a point and
the boxes themselves do not. On each of its four sides a box has as neighbours those that are
nearest, all of them when several are equally near; who is a neighbour also has one.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Int32s, Ints, Mask
from pagelet.page.boxes import Boxes

TIES, MORE_TIES = 8, 4096  #: equally near boxes looked at on one side, for each box and for all


@dataclass(frozen=True, slots=True, eq=False)
class Relations:
    """Pairs of neighbours, each pair once, by number of the first box, then of the second."""

    first: Int32s
    second: Int32s  #: always the greater number
    gap: Floats  #: pixels between the two boxes
    upright: Mask  #: whether one is above the other, not beside it

    def __len__(self) -> int:
        return len(self.first)

    def take(self, chosen: NDArray[Any]) -> "Relations":
        """Some of the pairs, by mask or by number."""
        return Relations(
            self.first[chosen], self.second[chosen], self.gap[chosen], self.upright[chosen]
        )


def relations(boxes: Boxes) -> Relations:
    """All pairs of neighbours; a box without area has none.

    Boxes that do not overlap have a few neighbours each. Where boxes overlap, the equally near
    ones of a side can be all others: then only so many are looked at, those that begin last.
    """
    there = np.flatnonzero(boxes.area > 0)
    left, top, right, bottom = boxes.edges[there].T
    sides = [
        facing(top, bottom, left, right),
        facing(-bottom, -top, left, right),
        facing(left, right, top, bottom),
        facing(-right, -left, top, bottom),
    ]
    one, other, gap = (np.concatenate(parts) for parts in zip(*sides, strict=True))
    upright = np.arange(len(one)) < len(sides[0][0]) + len(sides[1][0])
    first, second = there[np.minimum(one, other)], there[np.maximum(one, other)]
    _, chosen = np.unique(first * np.intp(len(boxes)) + second, return_index=True)
    found = Relations(first.astype(np.int32), second.astype(np.int32), gap, upright)
    return found.take(chosen)


def facing(low: Floats, high: Floats, near: Floats, far: Floats) -> tuple[Ints, Ints, Floats]:
    """For each box the nearest ones behind it on an axis: pairs, and the gap of each.

    `low` and `high` are the ends of the boxes on that axis, `near` and `far` on the other one.
    """
    cuts, places = np.unique(np.concatenate((near, far)), return_inverse=True)
    begin, end = places[: len(near)], places[len(near) :]
    found = _sweep(low, high, begin, end, len(cuts))
    one, other = _equally_near(found, low, begin, end)
    return one, other, low[other] - high[one]


def _sweep(low: Floats, high: Floats, begin: Ints, end: Ints, cuts: int) -> Floats:
    """The least `low` behind each box among the boxes that it overlaps from `begin` to `end`.

    The boxes come in from the back, so what came in last is what is nearest.
    """
    boxes = len(low)
    order = np.lexsort((np.repeat((0, 1), boxes), -np.concatenate((low, high))))
    nearest = np.full(cuts, np.inf)
    found, least = [np.inf] * boxes, np.minimum.reduce
    lows, begins, ends = low.tolist(), begin.tolist(), end.tolist()
    for event in order.tolist():
        if event < boxes:
            nearest[begins[event] : ends[event]] = lows[event]
        else:
            box = event - boxes
            found[box] = least(nearest[begins[box] : ends[box]])
    return np.array(found)


def _equally_near(found: Floats, low: Floats, begin: Ints, end: Ints) -> tuple[Ints, Ints]:
    """All pairs of a box and one that begins where the nearest behind it begins.

    Boxes that begin on one line are in order of their other axis; those that a box overlaps lie
    between the first that reaches it and the last that begins before its end.
    """
    boxes = len(low)
    asking = np.flatnonzero(np.isfinite(found))
    lines, line = np.unique(low, return_inverse=True)
    step = 2 * boxes + 1  # more than the places of a line
    order = np.argsort(line * step + begin, kind="stable")
    begins = (line * step + begin)[order]
    reach = np.maximum.accumulate((line * step + end)[order])
    base = np.searchsorted(lines, found[asking]) * step
    last = np.searchsorted(begins, base + end[asking])
    first = np.searchsorted(reach, base + begin[asking], side="right")
    counts = np.maximum(last - first, 0)
    counts = np.minimum(counts, fair_share(counts, TIES * boxes + MORE_TIES))
    one = np.repeat(asking, counts)
    other = order[np.repeat(last, counts) - 1 - _places(counts)]
    overlap = end[other] > begin[one]
    return one[overlap], other[overlap]


def fair_share(counts: Ints, total: int) -> int:
    """The greatest number to which all counts can be cut so that they sum to the total at most."""
    ordered = np.sort(counts)
    below = np.concatenate(([0], np.cumsum(ordered)))
    left = np.arange(len(counts), 0, -1)
    whole = below[:-1] + ordered * left <= total  # fits when cut to this count
    if whole.all():
        return int(ordered[-1]) if len(ordered) else 0
    at = int(np.argmin(whole))
    return int((total - below[at]) // left[at])


def _places(counts: Ints) -> Ints:
    """0, 1, 2 ... for each count in turn."""
    return np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)


# -- Things that hang together, each group named by one of them -------------------------------


def top(above: list[int], member: int) -> int:
    """The one that stands for all that hang together with a member; the way up is halved."""
    while above[member] != member:
        above[member] = above[above[member]]
        member = above[member]
    return member


# -- Rectangles on a plane, found by what they overlap ----------------------------------------


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
