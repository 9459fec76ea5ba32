"""The gaps between strips, with values that many of their features need."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Ints
from pagelet.methods.segments.visual.scene import Scene, Strips


@dataclass(frozen=True, slots=True, eq=False)
class GapPlaces:
    """The gaps of some strips."""

    scene: Scene
    strips: Strips
    at: Ints  #: strip before each gap
    group: Ints  #: group of each gap
    axis: Ints  #: axis of each gap
    first: Ints  #: first strip of its group
    last: Ints  #: last strip of its group
    low: Floats  #: where each group begins on the other axis
    high: Floats  #: where each group ends on the other axis
    length: Floats  #: length of the gap's group along the axis
    across: Floats  #: length of the gap's group across the axis

    @classmethod
    def of(cls, scene: Scene, strips: Strips) -> "GapPlaces":
        """All gaps of some strips."""
        at = strips.gaps
        group = strips.group[at]
        heads = strips.heads
        low = np.minimum.reduceat(strips.low, heads)
        high = np.maximum.reduceat(strips.high, heads)
        tails = np.append(heads[1:], len(strips)) - 1
        first, last = heads[group], tails[group]
        return cls(
            scene,
            strips,
            at,
            group,
            strips.axis[at],
            first,
            last,
            low,
            high,
            strips.end[last] - strips.begin[first],
            (high - low)[group],
        )

    def sides(self, values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Sums of the values of the strips before, and behind, each gap."""
        total = self.running(values)
        here = total[self.at + 1]
        return here - total[self.first], total[self.last + 1] - here

    def running(self, values: NDArray[Any]) -> NDArray[Any]:
        """Sums of the values of all strips before each one, and of all."""
        total = np.zeros((len(values) + 1, values.shape[1]), values.dtype)
        np.cumsum(values, axis=0, out=total[1:])
        return total

    def pair(self, values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """The values of the strip before, and of the strip behind, each gap."""
        return values[self.at], values[self.at + 1]
