"""The clustering loop of BCS, run once for all thresholds, and the dendrogram it builds.

The loop always merges the two most similar entities, and the threshold only decides when to stop.
So one run to the end serves all thresholds: the level of a merge is the greatest dissimilarity up
to then, and a threshold takes the merges up to its value.

Entities are named by one of their boxes, the one with the most neighbours when they merge, so
that few names change. A relation whose candidate overlaps something stays blocked as long as it
would certainly be discarded again; that saves trying it each time an entity grows.
"""

from dataclasses import dataclass
from functools import cached_property
from heapq import heapify, heappop, heappush

import numpy as np

from pagelet.arrays import Floats, Int32s, Int64s
from pagelet.methods.segments.bcs.options import MEAN, BcsOptions
from pagelet.methods.segments.geometry.boxes import NeighbourPairs
from pagelet.methods.segments.geometry.partition import (
    Segments,
    find_root,
    members_of_segments,
    segments_of,
)
from pagelet.methods.segments.geometry.rectangles import (
    Rectangle,
    RectangleGrid,
    bounding_box,
    is_overlapping,
)
from pagelet.page.layout import Boxes
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


#: Units of a similarity of 1; sums of whole units do not depend on their order.
SIMILARITY_UNITS = 2**30
#: Rectangles that may be compared: per box, and as a reserve; usual pages need 60 per box.
COMPARISONS_PER_BOX, RESERVE_COMPARISONS = 400, 200_000

Key = tuple[float, float, float, float, float, float, int, int, int, int]


def merge_all(
    boxes: Boxes, pairs: NeighbourPairs, similarity: Floats, options: BcsOptions = MEAN
) -> Dendrogram:
    """Merge boxes and clusters, the most similar first, until no two can be merged."""
    run = _Clustering(boxes, options)
    run.connect(pairs, similarity)
    run.merge()
    level = np.maximum.accumulate(np.array(run.levels)) / SIMILARITY_UNITS
    return Dendrogram(boxes, np.array(run.parent, np.int32), level, complete=run.comparisons > 0)


class _Clustering:
    """Entities, their relations, and a queue of the relations by similarity."""

    def __init__(self, boxes: Boxes, options: BcsOptions) -> None:
        self.options = options
        self.boxes = self.loose = len(boxes)
        self.rectangle: list[Rectangle] = list(map(tuple, boxes.edges.tolist()))
        self.area: list[float] = boxes.area.tolist()
        self.number = list(range(len(boxes)))  # of each entity; clusters from `boxes` on
        self.names = list(range(len(boxes)))  # union-find: the root is the name of the entity
        self.links: list[dict[int, list[int]]] = [{} for _ in range(len(boxes))]  # sum and count
        self.blocked: list[dict[int, int]] = [{} for _ in range(len(boxes))]  # to a blocking box
        self.parent = [-1] * len(boxes)
        self.levels: list[float] = []
        self.queue: list[Key] = []
        self.grid = RectangleGrid(boxes.edges)
        self.comparisons = COMPARISONS_PER_BOX * len(boxes) + RESERVE_COMPARISONS

    def connect(self, pairs: NeighbourPairs, similarity: Floats) -> None:
        """Add the relations of neighbouring boxes."""
        units = np.rint(similarity * SIMILARITY_UNITS).astype(np.int64).tolist()
        for one, other, sum_ in zip(
            pairs.first.tolist(), pairs.second.tolist(), units, strict=True
        ):
            self.links[one][other] = self.links[other][one] = [sum_, 1]
            self.queue.append(self.key(one, other))
        heapify(self.queue)

    def key(self, one: int, other: int) -> Key:
        """Sort key of a relation: similarity, total area, then tops, lefts and ages of the two."""
        sum_, count = self.links[one][other]
        a, b = self.rectangle[one], self.rectangle[other]
        if (a[1], a[0], self.number[one]) > (b[1], b[0], self.number[other]):
            one, other, a, b = other, one, b, a
        area = self.area[one] + self.area[other]
        numbers = (self.number[one], self.number[other])
        return (sum_ / count, area, a[1], b[1], a[0], b[0], *numbers, one, other)

    def merge(self) -> None:
        """Run the loop (Algorithm 1)."""
        while self.queue and self.comparisons > 0:
            if self.options.stop_early and self.loose < 2:
                return
            entry = heappop(self.queue)
            one, other = entry[-2:]
            if other not in self.links[one] or other in self.blocked[one]:
                continue
            key = self.key(one, other)
            if key == entry:
                self.try_merge(one, other, entry[0])
            elif key[0] == entry[0]:  # an entity has grown; another value is queued already
                heappush(self.queue, key)

    def try_merge(self, one: int, other: int, similarity: float) -> None:
        """Merge two entities unless the candidate is discarded."""
        parts, rectangle, blocker = self.candidate(one, other)
        if blocker is None:
            self.commit(parts, rectangle, similarity)
        elif self.options.forget:
            del self.links[one][other], self.links[other][one]
        else:
            self.block(one, other, blocker)

    def candidate(self, one: int, other: int) -> tuple[set[int], Rectangle, int | None]:
        """The parts of a candidate, its bounding box, and the entity that blocks it, if any."""
        parts = {one, other}
        rectangle = bounding_box(self.rectangle[one], self.rectangle[other])
        large = one if self.area[one] > self.area[other] else other
        checked = self.rectangle[large] if self.is_cluster(large) else None
        for rounds_left in range(self.options.rounds, -1, -1):
            overlapped = self.overlapped(rectangle, checked) - parts
            if not overlapped:
                return parts, rectangle, None
            clusters = [] if self.options.absorb else list(filter(self.is_cluster, overlapped))
            if clusters or not rounds_left:
                return parts, rectangle, min(clusters or overlapped)
            parts |= overlapped
            for part in overlapped:
                rectangle = bounding_box(rectangle, self.rectangle[part])
        raise AssertionError("the last round returns")

    def overlapped(self, rectangle: Rectangle, checked: Rectangle | None) -> set[int]:
        """The entities that a rectangle overlaps, outside a part that was checked before."""
        boxes = {box for cell in self.grid.cells_near(rectangle, checked) for box in cell}
        self.comparisons -= len(boxes)
        entities = {find_root(self.names, box) for box in boxes}
        return {entity for entity in entities if is_overlapping(rectangle, self.rectangle[entity])}

    def is_cluster(self, entity: int) -> bool:
        """Whether an entity is a cluster."""
        return self.number[entity] >= self.boxes

    def commit(self, parts: set[int], rectangle: Rectangle, similarity: float) -> None:
        """Merge the parts into one cluster."""
        self.loose -= sum(not self.is_cluster(part) for part in parts)
        for part in parts:
            self.parent[self.number[part]] = len(self.parent)
        name = max(parts, key=lambda part: (len(self.links[part]), -part))
        largest = max(parts, key=lambda part: self.area[part])
        self.grid.insert(largest, rectangle, self.rectangle[largest])
        self.rectangle[name], self.number[name] = rectangle, len(self.parent)
        self.area[name] = (rectangle[2] - rectangle[0]) * (rectangle[3] - rectangle[1])
        self.parent.append(-1)
        self.levels.append(similarity)
        for part in parts - {name}:
            self.names[part] = name
        for part in sorted(parts - {name}):
            self.transfer_links(part, name, parts)
        self.retry_blocked(name)

    def transfer_links(self, part: int, name: int, parts: set[int]) -> None:
        """Move the relations of a part to its cluster."""
        for other, link in self.links[part].items():
            blocker = self.blocked[part].get(other)
            del self.links[other][part]
            self.blocked[other].pop(part, None)
            if other in parts:
                continue
            own = self.links[name].get(other)
            if own is None:
                self.links[name][other] = self.links[other][name] = link
            else:
                own[0] += link[0]
                own[1] += link[1]
            if blocker is not None:  # what blocks a part blocks the whole
                self.block(name, other, blocker)
            if other not in self.blocked[name]:
                heappush(self.queue, self.key(name, other))
        self.links[part], self.blocked[part] = {}, {}

    def block(self, one: int, other: int, blocker: int) -> None:
        """Leave a relation out until its candidate can succeed."""
        self.blocked[one][other] = self.blocked[other][one] = blocker

    def retry_blocked(self, name: int) -> None:
        """Queue the blocked relations of a grown cluster that can succeed now."""
        for other, blocker in list(self.blocked[name].items()):
            if not self.stays_blocked(name, other, find_root(self.names, blocker)):
                del self.blocked[name][other], self.blocked[other][name]
                heappush(self.queue, self.key(name, other))

    def stays_blocked(self, one: int, other: int, blocker: int) -> bool:
        """Whether a candidate would certainly be discarded again because of its blocker.

        Candidates only grow, so after the last round the blocker is still overlapped. A cluster
        blocks the candidate; so does a box that is not overlapped before the only round, even if
        it is in a cluster by the time of the relation's turn. Where clusters are taken in,
        nothing is certain.
        """
        if self.options.absorb or blocker in (one, other):
            return False
        if self.is_cluster(blocker):
            return True
        rectangle = bounding_box(self.rectangle[one], self.rectangle[other])
        return self.options.rounds == 1 and not is_overlapping(rectangle, self.rectangle[blocker])
