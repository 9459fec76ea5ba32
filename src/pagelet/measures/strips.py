"""Groups of boxes in strips: what no box connects along an axis lies in different strips.

Many groups are cut into strips at once. Strips stand group by group, from the first to the last
in each; a gap lies between two strips that follow one another in a group.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.boxes import Floats
from pagelet.columns.page import Mask

Ints = NDArray[np.intp]

DOWN, ACROSS = 1, 0  #: the axis that strips follow one another on: the edge they begin with
SLACK = 2.0  #: pixels by which boxes on both sides of a gap may overlap


@dataclass(frozen=True, slots=True, eq=False)
class Strips:
    """Boxes in strips along one axis."""

    axis: int
    boxes: Ints  #: the boxes by group, then by where they begin
    strip: Ints  #: the strip of each of them
    group: Ints  #: the group of each strip
    begin: Floats  #: where each strip begins, and how far boxes reach up to its end
    end: Floats
    low: Floats  #: what each strip takes on the other axis
    high: Floats

    def __len__(self) -> int:
        return len(self.group)

    @property
    def gaps(self) -> Ints:
        """The strip before each gap."""
        return np.flatnonzero(self.group[1:] == self.group[:-1])

    @property
    def first(self) -> Ints:
        """The first strip of the group of each strip."""
        return np.searchsorted(self.group, self.group)

    @property
    def last(self) -> Ints:
        """The last strip of the group of each strip."""
        return np.searchsorted(self.group, self.group, side="right") - 1

    def parts(self, cut: Mask) -> Ints:
        """A number for each of the boxes: they part between groups and where a gap is cut."""
        begins = np.ones(len(self), np.bool_)
        begins[self.gaps + 1] = cut
        return np.asarray((np.cumsum(begins) - 1)[self.strip])


def strips_of(edges: Floats, boxes: Ints, group: Ints, axis: int) -> Strips:
    """Strips of some boxes, each in a group from 0 on."""
    order = np.lexsort((edges[boxes, axis], group))
    boxes, group = boxes[order], group[order]
    chosen = edges[boxes]
    reach = running(np.maximum, chosen[:, axis + 2], group)
    apart = chosen[1:, axis] >= reach[:-1] - SLACK
    begins = np.append(True, apart | (group[1:] != group[:-1]))[: len(boxes)]
    first = np.flatnonzero(begins)
    last = np.append(first[1:], len(boxes)) - 1 if len(first) else first
    other = 1 - axis
    return Strips(
        axis,
        boxes,
        np.cumsum(begins) - 1,
        group[first],
        chosen[first, axis],
        reach[last],
        np.minimum.reduceat(chosen[:, other], first),
        np.maximum.reduceat(chosen[:, other + 2], first),
    )


def running(best: np.ufunc, values: Floats, group: Ints) -> Floats:
    """The best value so far in each group, for np.maximum and np.minimum.

    Groups are moved out of each other's reach, so that one pass serves them all.
    """
    if not len(values):
        return values
    away = (values.max() - values.min() + 1) * group * (1 if best is np.maximum else -1)
    return np.asarray(best.accumulate(values + away) - away)


def running_back(best: np.ufunc, values: Floats, group: Ints) -> Floats:
    """The best value from here to the end of each group."""
    if not len(values):
        return values
    return running(best, values[::-1], group.max() - group[::-1])[::-1]
