"""What a run of BCS joined, and the segments that follow for each threshold."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pagelet.arrays import Floats, Int32s, Int64s
from pagelet.methods.segments.geometry.partition import Segments, members_of_segments, segments_of
from pagelet.page.boxes import Boxes

SLACK = 1e-9  #: a similarity that meets the threshold but for rounding meets it


@dataclass(frozen=True, eq=False)
class Joins:
    """All joins of a run: boxes are entities from 0 on, the cluster of each join follows."""

    boxes: Boxes
    parent: Int32s  #: the cluster that an entity became part of; -1 when of none
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
    def loose(self) -> Int64s:
        """Boxes in no cluster after 0, 1, 2 ... joins."""
        return len(self.boxes) - self._taken(self.parent[: len(self.boxes)])

    @cached_property
    def clusters(self) -> Int64s:
        """Clusters after 0, 1, 2 ... joins."""
        return np.arange(len(self) + 1) - self._taken(self.parent[len(self.boxes) :])

    def _taken(self, parents: Int32s) -> Int64s:
        """How many of some entities have become parts after 0, 1, 2 ... joins."""
        joins = parents[parents >= 0] - len(self.boxes)
        return np.cumsum(np.bincount(joins + 1, minlength=len(self) + 1))


# -- Where to stop joining without being told: the paper leaves its threshold to the user -----


def auto_segments(joins: Joins, max_loose: float) -> Segments:
    """The segments that stay the same over the widest range of thresholds.

    Only thresholds count that leave at most such a share of the boxes in no segment, and give
    more than one; when there are none, all joins are done. Segments that live longest, weighted
    by their boxes, were tried too: they are far too small for people's blocks.
    """
    ends = np.append(np.flatnonzero(np.diff(joins.level) > 0) + 1, len(joins))
    ends = ends[ends > 0]
    fit = (joins.loose[ends] <= max_loose * len(joins.boxes)) & (joins.clusters[ends] > 1)
    if not fit.any():
        return joins.after(len(joins), 1.0)
    until = np.append(joins.level, 1.0)[ends]
    width = np.where(fit, until - joins.level[ends - 1], -1)
    best = int(ends[np.argmax(width)])
    return joins.after(best)


def counted_segments(joins: Joins, wanted: int) -> Segments:
    """The segments whose number is nearest to the wanted one, with the fewest loose boxes."""
    off = np.abs(joins.clusters - wanted)
    return joins.after(int(np.flatnonzero(off == off.min())[-1]))


# -- How long segments last: from the threshold that joins them to the one that joins them on -


def lives_of(joins: Joins, segments: Segments) -> tuple[Floats, Floats]:
    """The threshold from which each segment is there, and that from which it is part of another.

    A segment that never becomes part of another one lasts up to 1.
    """
    boxes, parent = len(joins.boxes), joins.parent.tolist()
    held = [1] * boxes + [0] * len(joins)
    for entity, above in enumerate(parent):
        if above >= 0:
            held[above] += held[entity]
    level = [*joins.level.tolist(), 1.0]
    made, ended = np.zeros(len(segments)), np.ones(len(segments))
    for segment, members in enumerate(members_of_segments(segments)):
        entity = int(members[0])
        while held[entity] < len(members):
            entity = parent[entity]
        made[segment] = level[entity - boxes]
        ended[segment] = level[parent[entity] - boxes] if parent[entity] >= 0 else 1.0
    return made, np.maximum(made, ended)


def steady_at(joins: Joins, segments: Segments) -> float:
    """How far the threshold may rise before anything changes."""
    after = int(np.searchsorted(joins.level, segments.threshold + SLACK, side="right"))
    until = float(joins.level[after]) if after < len(joins) else 1.0
    return max(until - segments.threshold, 0.0)
