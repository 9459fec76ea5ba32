"""The clustering loop of BCS, run once for every threshold.

The loop always joins the two most alike, and the threshold only says when to stop. So one run
to the end answers all thresholds: each join has the greatest unlikeness met up to then, and a
threshold takes the joins up to its value.

Entities are named by one of their boxes, the one that has the most neighbours where they join,
so that few names change. A relation whose candidate overlaps something stays discarded while it
is sure that it would be discarded again; that saves trying it each time an entity grows.
"""

from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np

from pagelet.arrays import Floats
from pagelet.methods.segments.bcs.joins import Joins
from pagelet.methods.segments.geometry.neighbours import Plane, Rectangle, Relations, top
from pagelet.page.boxes import Boxes

GRAIN = 2**30  #: similarities are whole numbers of this part, so that sums do not depend on order
LOOKS, MORE_LOOKS = 400, 200_000  #: rectangles compared, for each box and for all; pages need 60

Key = tuple[float, float, float, float, float, float, int, int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlaps:
    """What happens to a candidate that overlaps something."""

    rounds: int = 1  #: how often overlapped boxes may be taken in before it is discarded
    absorb: bool = False  #: whether overlapped clusters are taken in as well
    forget: bool = False  #: whether the connections of a discarded candidate are lost for ever
    stop_early: bool = False  #: whether to stop when fewer than two boxes are unclustered


def join_all(
    boxes: Boxes, pairs: Relations, similarity: Floats, overlaps: Overlaps = Overlaps()
) -> Joins:
    """Join boxes and clusters, the most alike first, until no two are left that may be joined."""
    run = _Run(boxes, overlaps)
    run.connect(pairs, similarity)
    run.join()
    level = np.maximum.accumulate(np.array(run.levels)) / GRAIN
    return Joins(boxes, np.array(run.parent, np.int32), level, complete=run.looks > 0)


class _Run:
    """Entities, their relations, and the relations in order of their similarity."""

    def __init__(self, boxes: Boxes, overlaps: Overlaps) -> None:
        self.overlaps = overlaps
        self.boxes = self.loose = len(boxes)
        self.rectangle: list[Rectangle] = list(map(tuple, boxes.edges.tolist()))
        self.area: list[float] = boxes.area.tolist()
        self.number = list(range(len(boxes)))  # of the entity; clusters from `boxes` on
        self.above = list(range(len(boxes)))  # leads to the box that an entity is named by
        self.links: list[dict[int, list[int]]] = [{} for _ in range(len(boxes))]  # sum, count
        self.barred: list[dict[int, int]] = [{} for _ in range(len(boxes))]  # by which box
        self.parent = [-1] * len(boxes)
        self.levels: list[float] = []
        self.queue: list[Key] = []
        self.plane = Plane(boxes.edges)
        self.looks = LOOKS * len(boxes) + MORE_LOOKS

    def connect(self, pairs: Relations, similarity: Floats) -> None:
        """Make the relations of the boxes."""
        grains = np.rint(similarity * GRAIN).astype(np.int64).tolist()
        for one, other, sum_ in zip(
            pairs.first.tolist(), pairs.second.tolist(), grains, strict=True
        ):
            self.links[one][other] = self.links[other][one] = [sum_, 1]
            self.queue.append(self.key(one, other))
        heapify(self.queue)

    def key(self, one: int, other: int) -> Key:
        """What orders relations: similarity, joint area, then tops, lefts, age of the two."""
        sum_, count = self.links[one][other]
        a, b = self.rectangle[one], self.rectangle[other]
        if (a[1], a[0], self.number[one]) > (b[1], b[0], self.number[other]):
            one, other, a, b = other, one, b, a
        area = self.area[one] + self.area[other]
        numbers = (self.number[one], self.number[other])
        return (sum_ / count, area, a[1], b[1], a[0], b[0], *numbers, one, other)

    def join(self) -> None:
        """The loop (Algorithm 1)."""
        while self.queue and self.looks > 0:
            if self.overlaps.stop_early and self.loose < 2:
                return
            entry = heappop(self.queue)
            one, other = entry[-2:]
            if other not in self.links[one] or other in self.barred[one]:
                continue
            key = self.key(one, other)
            if key == entry:
                self.try_join(one, other, entry[0])
            elif key[0] == entry[0]:  # an entity has grown; else the new value waits as well
                heappush(self.queue, key)

    def try_join(self, one: int, other: int, similarity: float) -> None:
        """Join two entities unless the candidate is discarded."""
        parts, rectangle, blocker = self.candidate(one, other)
        if blocker is None:
            self.commit(parts, rectangle, similarity)
        elif self.overlaps.forget:
            del self.links[one][other], self.links[other][one]
        else:
            self.bar(one, other, blocker)

    def candidate(self, one: int, other: int) -> tuple[set[int], Rectangle, int | None]:
        """The parts of a candidate, its rectangle, and what forbids it, if something does."""
        parts = {one, other}
        rectangle = around(self.rectangle[one], self.rectangle[other])
        big = one if self.area[one] > self.area[other] else other
        known = self.rectangle[big] if self.is_cluster(big) else None
        for rounds_left in range(self.overlaps.rounds, -1, -1):
            found = self.overlapped(rectangle, known) - parts
            if not found:
                return parts, rectangle, None
            clusters = [] if self.overlaps.absorb else list(filter(self.is_cluster, found))
            if clusters or not rounds_left:
                return parts, rectangle, min(clusters or found)
            parts |= found
            for part in found:
                rectangle = around(rectangle, self.rectangle[part])
        raise AssertionError("the last round answers")

    def overlapped(self, rectangle: Rectangle, known: Rectangle | None) -> set[int]:
        """The entities that a rectangle overlaps; a cluster inside it is known to overlap none."""
        names = {name for cell in self.plane.near(rectangle, known) for name in cell}
        self.looks -= len(names)
        left, top_, right, bottom = rectangle
        found = set()
        for entity in {top(self.above, name) for name in names}:
            a, b, c, d = self.rectangle[entity]
            if a < right and left < c and b < bottom and top_ < d:
                found.add(entity)
        return found

    def is_cluster(self, entity: int) -> bool:
        """Whether an entity is a cluster."""
        return self.number[entity] >= self.boxes

    def commit(self, parts: set[int], rectangle: Rectangle, similarity: float) -> None:
        """Make one cluster of the parts."""
        self.loose -= sum(not self.is_cluster(part) for part in parts)
        for part in parts:
            self.parent[self.number[part]] = len(self.parent)
        name = max(parts, key=lambda part: (len(self.links[part]), -part))
        largest = max(parts, key=lambda part: self.area[part])
        self.plane.enter(largest, rectangle, self.rectangle[largest])
        self.rectangle[name], self.number[name] = rectangle, len(self.parent)
        self.area[name] = (rectangle[2] - rectangle[0]) * (rectangle[3] - rectangle[1])
        self.parent.append(-1)
        self.levels.append(similarity)
        for part in parts - {name}:
            self.above[part] = name
        for part in sorted(parts - {name}):
            self.hand_over(part, name, parts)
        self.try_barred(name)

    def hand_over(self, part: int, name: int, parts: set[int]) -> None:
        """Give the relations of a part to the cluster that it is part of now."""
        for other, link in self.links[part].items():
            blocker = self.barred[part].get(other)
            del self.links[other][part]
            self.barred[other].pop(part, None)
            if other in parts:
                continue
            mine = self.links[name].get(other)
            if mine is None:
                self.links[name][other] = self.links[other][name] = link
            else:
                mine[0] += link[0]
                mine[1] += link[1]
            if blocker is not None:  # what forbids a part forbids the whole
                self.bar(name, other, blocker)
            if other not in self.barred[name]:
                heappush(self.queue, self.key(name, other))
        self.links[part], self.barred[part] = {}, {}

    def bar(self, one: int, other: int, blocker: int) -> None:
        """Leave a relation out until it may succeed."""
        self.barred[one][other] = self.barred[other][one] = blocker

    def try_barred(self, name: int) -> None:
        """Take up those relations of a grown cluster again that may succeed now."""
        for other, blocker in list(self.barred[name].items()):
            if not self.still_barred(name, other, top(self.above, blocker)):
                del self.barred[name][other], self.barred[other][name]
                heappush(self.queue, self.key(name, other))

    def still_barred(self, one: int, other: int, blocker: int) -> bool:
        """Whether it is sure that a candidate would be discarded because of what once forbade it.

        Candidates only grow, so after the last round it is still overlapped. A cluster forbids
        the candidate; so does a box that is not overlapped before the only round, even if it
        should be in a cluster by the time the relation has its turn. Where clusters are taken
        in, nothing is sure.
        """
        if self.overlaps.absorb or blocker in (one, other):
            return False
        if self.is_cluster(blocker):
            return True
        rectangle = around(self.rectangle[one], self.rectangle[other])
        return self.overlaps.rounds == 1 and not overlap(rectangle, self.rectangle[blocker])


def around(one: Rectangle, other: Rectangle) -> Rectangle:
    """The rectangle around two."""
    return (
        min(one[0], other[0]),
        min(one[1], other[1]),
        max(one[2], other[2]),
        max(one[3], other[3]),
    )


def overlap(one: Rectangle, other: Rectangle) -> bool:
    """Whether two rectangles share more than an edge."""
    across = one[0] < other[2] and other[0] < one[2]
    return across and one[1] < other[3] and other[1] < one[3]
