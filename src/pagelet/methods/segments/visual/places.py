"""The gaps between strips, with values that many of their features need."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Ints
from pagelet.methods.segments.visual.scene import Scene, Strips, running_best


@dataclass(frozen=True, slots=True, eq=False)
class GapPlaces:
    """The gaps of some strips."""

    scene: Scene
    strips: Strips
    at: Ints  #: strip before each gap
    first: Ints  #: first strip of its group
    last: Ints  #: last strip of its group
    low: Floats  #: where the group begins on the other axis, up to each strip
    high: Floats  #: where the group ends on the other axis, up to each strip
    length: Floats  #: length of the group along the axis
    across: Floats  #: length of the group across the axis

    @classmethod
    def of(cls, scene: Scene, strips: Strips) -> "GapPlaces":
        """All gaps of some strips."""
        at = strips.gaps
        first, last = strips.first[at], strips.last[at]
        low = running_best(np.minimum, strips.low, strips.group)
        high = running_best(np.maximum, strips.high, strips.group)
        length = strips.end[last] - strips.begin[first]
        return cls(scene, strips, at, first, last, low, high, length, high[last] - low[last])

    def sides(self, values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Sums of the values of the strips before, and behind, each gap."""
        total = np.zeros((len(values) + 1, values.shape[1]), values.dtype)
        np.cumsum(values, axis=0, out=total[1:])
        here = total[self.at + 1]
        return here - total[self.first], total[self.last + 1] - here

    def pair(self, values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """The values of the strip before, and of the strip behind, each gap."""
        return values[self.at], values[self.at + 1]
