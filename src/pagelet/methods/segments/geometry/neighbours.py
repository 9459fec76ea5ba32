"""Neighbouring boxes: Zeleny, Burget, Zendulka, IP&M 53(3), 2017, section 5.

Two boxes can be neighbours when their projections on one axis overlap by more than a point and
the boxes themselves do not. On each of its four sides a box has the nearest boxes as neighbours,
all of them when several are equally near. The relation is made symmetric.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Int32s, Ints, Mask
from pagelet.page.boxes import Boxes

#: Equally near boxes that are compared on one side of the boxes: per box, and as a reserve.
TIES_PER_BOX, RESERVE_TIES = 8, 4096


@dataclass(frozen=True, slots=True, eq=False)
class NeighbourPairs:
    """Pairs of neighbours, each pair once, by number of the first box, then of the second."""

    first: Int32s
    second: Int32s  #: always the greater number
    gap: Floats  #: pixels between the two boxes
    vertical: Mask  #: whether one box is above the other, not beside it

    def __len__(self) -> int:
        return len(self.first)

    def take(self, chosen: NDArray[Any]) -> "NeighbourPairs":
        """Some of the pairs, by mask or by number."""
        return NeighbourPairs(
            self.first[chosen], self.second[chosen], self.gap[chosen], self.vertical[chosen]
        )


def find_neighbours(boxes: Boxes) -> NeighbourPairs:
    """All pairs of neighbours; a box without area has none.

    Boxes that do not overlap have a few neighbours each. Where boxes overlap, all others can be
    equally near on one side: the number compared is then limited to those that begin last.
    """
    solid = np.flatnonzero(boxes.area > 0)
    left, top, right, bottom = boxes.edges[solid].T
    sides = [
        _pair_with_nearest(top, bottom, left, right),
        _pair_with_nearest(-bottom, -top, left, right),
        _pair_with_nearest(left, right, top, bottom),
        _pair_with_nearest(-right, -left, top, bottom),
    ]
    one, other, gap = (np.concatenate(parts) for parts in zip(*sides, strict=True))
    vertical = np.arange(len(one)) < len(sides[0][0]) + len(sides[1][0])
    first, second = solid[np.minimum(one, other)], solid[np.maximum(one, other)]
    _, chosen = np.unique(first * np.intp(len(boxes)) + second, return_index=True)
    pairs = NeighbourPairs(first.astype(np.int32), second.astype(np.int32), gap, vertical)
    return pairs.take(chosen)


def _pair_with_nearest(
    low: Floats, high: Floats, near: Floats, far: Floats
) -> tuple[Ints, Ints, Floats]:
    """Pair each box with the nearest ones behind it on an axis, and measure the gaps.

    `low` and `high` are the ends of the boxes on that axis, `near` and `far` on the other one.
    """
    coordinates, places = np.unique(np.concatenate((near, far)), return_inverse=True)
    begin, end = places[: len(near)], places[len(near) :]
    nearest = _sweep(low, high, begin, end, len(coordinates))
    one, other = _pair_equally_near(nearest, low, begin, end)
    return one, other, low[other] - high[one]


def _sweep(low: Floats, high: Floats, begin: Ints, end: Ints, coordinates: int) -> Floats:
    """The least `low` behind each box among the boxes that it overlaps from `begin` to `end`.

    A line sweeps from the back, so the box that it met last is the nearest.
    """
    boxes = len(low)
    order = np.lexsort((np.repeat((0, 1), boxes), -np.concatenate((low, high))))
    front = np.full(coordinates, np.inf)
    nearest, least = [np.inf] * boxes, np.minimum.reduce
    lows, begins, ends = low.tolist(), begin.tolist(), end.tolist()
    for event in order.tolist():
        if event < boxes:
            front[begins[event] : ends[event]] = lows[event]
        else:
            box = event - boxes
            nearest[box] = least(front[begins[box] : ends[box]])
    return np.array(nearest)


def _pair_equally_near(nearest: Floats, low: Floats, begin: Ints, end: Ints) -> tuple[Ints, Ints]:
    """All pairs of a box and one that begins where the nearest behind it begins.

    Boxes that begin on one line are in order of their other axis; those that a box overlaps lie
    between the first that reaches it and the last that begins before its end.
    """
    boxes = len(low)
    facing = np.flatnonzero(np.isfinite(nearest))
    lines, line = np.unique(low, return_inverse=True)
    step = 2 * boxes + 1  # more than the places of a line
    order = np.argsort(line * step + begin, kind="stable")
    begins = (line * step + begin)[order]
    reach = np.maximum.accumulate((line * step + end)[order])
    base = np.searchsorted(lines, nearest[facing]) * step
    last = np.searchsorted(begins, base + end[facing])
    first = np.searchsorted(reach, base + begin[facing], side="right")
    counts = np.maximum(last - first, 0)
    counts = np.minimum(counts, fair_share(counts, TIES_PER_BOX * boxes + RESERVE_TIES))
    one = np.repeat(facing, counts)
    other = order[np.repeat(last, counts) - 1 - _count_up(counts)]
    overlap = end[other] > begin[one]
    return one[overlap], other[overlap]


def fair_share(counts: Ints, total: int) -> int:
    """The greatest limit for which the limited counts sum to at most the total."""
    ordered = np.sort(counts)
    below = np.concatenate(([0], np.cumsum(ordered)))
    left = np.arange(len(counts), 0, -1)
    fits = below[:-1] + ordered * left <= total  # when all are limited to this count
    if fits.all():
        return int(ordered[-1]) if len(ordered) else 0
    at = int(np.argmin(fits))
    return int((total - below[at]) // left[at])


def _count_up(counts: Ints) -> Ints:
    """0, 1, 2 ... for each count in turn."""
    return np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
