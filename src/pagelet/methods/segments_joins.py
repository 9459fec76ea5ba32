"""What a run of BCS joined, and the segments that follow for each threshold."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.boxes import Boxes, Floats
from pagelet.columns.page import Rows
from pagelet.columns.segments import Segments, segments_of

SLACK = 1e-9  #: a similarity that meets the threshold but for rounding meets it


@dataclass(frozen=True, eq=False)
class Joins:
    """All joins of a run: boxes are entities from 0 on, the cluster of each join follows."""

    boxes: Boxes
    parent: Rows  #: the cluster that an entity became part of; -1 when of none
    level: Floats  #: the threshold from which each join is done; never falls
    complete: bool  #: false when there was too much overlap to go on to the end

    def __len__(self) -> int:
        return len(self.level)

    def at(self, threshold: float) -> Segments:
        """The segments for a threshold."""
        done = int(np.searchsorted(self.level, threshold + SLACK, side="right"))
        return self.after(done, threshold)

    def after(self, joins: int, threshold: float | None = None) -> Segments:
        """The segments after so many joins."""
        boxes = len(self.boxes)
        up = np.append(self.parent[: boxes + joins], -1).astype(np.intp)
        here = np.arange(boxes + joins + 1)
        up = np.where((up < 0) | (up >= boxes + joins), here, up)
        while ((higher := up[up]) != up).any():
            up = higher
        groups = np.where(up[:boxes] >= boxes, up[:boxes], -1)
        if threshold is None:
            threshold = float(self.level[joins - 1]) if joins else 0.0
        return segments_of(self.boxes, groups, threshold, complete=self.complete)

    @cached_property
    def loose(self) -> NDArray[np.int64]:
        """Boxes in no cluster after 0, 1, 2 ... joins."""
        return len(self.boxes) - self._taken(self.parent[: len(self.boxes)])

    @cached_property
    def clusters(self) -> NDArray[np.int64]:
        """Clusters after 0, 1, 2 ... joins."""
        return np.arange(len(self) + 1) - self._taken(self.parent[len(self.boxes) :])

    def _taken(self, parents: Rows) -> NDArray[np.int64]:
        """How many of some entities have become parts after 0, 1, 2 ... joins."""
        joins = parents[parents >= 0] - len(self.boxes)
        return np.cumsum(np.bincount(joins + 1, minlength=len(self) + 1))
