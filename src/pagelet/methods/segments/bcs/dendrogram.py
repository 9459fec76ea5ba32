"""The dendrogram of box clustering, and the segments that each threshold cuts from it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pagelet.arrays import Floats, Int32s, Int64s
from pagelet.methods.segments.geometry.partition import Segments, members_of_segments, segments_of
from pagelet.page.boxes import Boxes
from pagelet.page.tree import nearest

ROUNDING = 1e-9  #: rounding error by which a level may exceed the threshold


@dataclass(frozen=True, eq=False)
class Dendrogram:
    """All merges of a run, in order: boxes are entities from 0 on, then one cluster per merge."""

    boxes: Boxes
    parent: Int32s  #: cluster that each entity was merged into; -1 for none
    level: Floats  #: threshold from which each merge is done; never falls
    complete: bool  #: whether clustering ended before its limit on comparisons

    def __len__(self) -> int:
        return len(self.level)

    def cut(self, threshold: float) -> Segments:
        """The segments for a threshold."""
        merges = int(np.searchsorted(self.level, threshold + ROUNDING, side="right"))
        return self.cut_after(merges, threshold)

    def cut_after(self, merges: int, threshold: float | None = None) -> Segments:
        """The segments after so many merges."""
        boxes, entities = len(self.boxes), len(self.boxes) + merges
        parent = self.parent[:entities]
        root = nearest(parent, (parent < 0) | (parent >= entities))[:boxes]
        groups = np.where(root >= boxes, root, -1)
        if threshold is None:
            threshold = float(self.level[merges - 1]) if merges else 0.0
        return segments_of(self.boxes, groups, threshold, complete=self.complete)

    @cached_property
    def loose(self) -> Int64s:
        """Boxes in no cluster after 0, 1, 2 ... merges."""
        return len(self.boxes) - self._merged(self.parent[: len(self.boxes)])

    @cached_property
    def clusters(self) -> Int64s:
        """Clusters after 0, 1, 2 ... merges."""
        return np.arange(len(self) + 1) - self._merged(self.parent[len(self.boxes) :])

    def _merged(self, parents: Int32s) -> Int64s:
        """How many of some entities are part of a cluster after 0, 1, 2 ... merges."""
        merges = parents[parents >= 0] - len(self.boxes)
        return np.cumsum(np.bincount(merges + 1, minlength=len(self) + 1))


# -- choice of a threshold ------------------------------------------------------------------


def cut_at_widest_range(tree: Dendrogram, max_loose: float) -> Segments:
    """The segments that stay the same over the widest range of thresholds.

    The paper leaves the threshold to the user. Only thresholds count that give more than one
    segment and leave at most a share `max_loose` of the boxes in none; when there is none, all
    merges are done. Segments with the longest lifetime, weighted by their boxes, were tried too:
    they are far smaller than the blocks that people mark.
    """
    ends = np.append(np.flatnonzero(np.diff(tree.level) > 0) + 1, len(tree))
    ends = ends[ends > 0]
    fit = (tree.loose[ends] <= max_loose * len(tree.boxes)) & (tree.clusters[ends] > 1)
    if not fit.any():
        return tree.cut_after(len(tree), 1.0)
    until = np.append(tree.level, 1.0)[ends]
    width = np.where(fit, until - tree.level[ends - 1], -1)
    best = int(ends[np.argmax(width)])
    return tree.cut_after(best)


def cut_to_count(tree: Dendrogram, wanted: int) -> Segments:
    """The segments whose number is nearest to the wanted one, with the fewest loose boxes."""
    off = np.abs(tree.clusters - wanted)
    return tree.cut_after(int(np.flatnonzero(off == off.min())[-1]))


# -- stability ------------------------------------------------------------------------------


def lifetimes(tree: Dendrogram, segments: Segments) -> tuple[Floats, Floats]:
    """The thresholds at which each segment is formed, and at which it is merged into another.

    A segment that is never merged into another one lasts up to 1.
    """
    boxes, parent = len(tree.boxes), tree.parent.tolist()
    sizes = [1] * boxes + [0] * len(tree)
    for entity, above in enumerate(parent):
        if above >= 0:
            sizes[above] += sizes[entity]
    level = [*tree.level.tolist(), 1.0]
    formed, ended = np.zeros(len(segments)), np.ones(len(segments))
    for segment, members in enumerate(members_of_segments(segments)):
        entity = int(members[0])
        while sizes[entity] < len(members):
            entity = parent[entity]
        formed[segment] = level[entity - boxes]
        ended[segment] = level[parent[entity] - boxes] if parent[entity] >= 0 else 1.0
    return formed, np.maximum(formed, ended)


def stable_range(tree: Dendrogram, segments: Segments) -> float:
    """How far the threshold can rise before the segments change."""
    after = int(np.searchsorted(tree.level, segments.threshold + ROUNDING, side="right"))
    until = float(tree.level[after]) if after < len(tree) else 1.0
    return max(until - segments.threshold, 0.0)
