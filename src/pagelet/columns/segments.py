"""Segments of a rendered page: each box lies in one segment or in none."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.boxes import Boxes, Floats
from pagelet.columns.page import Rows

NOTHING = (np.inf, np.inf, -np.inf, -np.inf)  #: edges around no box


@dataclass(frozen=True, eq=False)
class Segments:
    """A flat division of the boxes; segments are numbered from the top, then from the left."""

    boxes: Boxes
    number: Rows  #: the segment of each box; -1 when it lies in none
    threshold: float = 1.0  #: the value that gave this division, in the units of its method
    complete: bool = True  #: false when the page was too tangled to go on to the end

    def __len__(self) -> int:
        return len(self.edges)

    @cached_property
    def edges(self) -> Floats:
        """Left, top, right, bottom around the boxes of each segment."""
        return edges_around(self.boxes, self.number)

    @property
    def loose(self) -> NDArray[np.intp]:
        """The boxes that lie in no segment."""
        return np.flatnonzero(self.number < 0)

    def members(self, segment: int) -> NDArray[np.intp]:
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
