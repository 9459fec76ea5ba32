"""Box Clustering Segmentation, definition by definition, all pairs and all boxes each time."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import floor, sqrt

GRAIN = 2**30


@dataclass(frozen=True)
class Box:
    number: int
    left: float
    top: float
    right: float
    bottom: float
    colour: tuple[int, int, int] = (0, 0, 0)

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def area(self) -> float:
        return self.width * self.height


def boxes_from(boxes) -> list[Box]:
    """The boxes of a page that have an area."""
    lines = zip(boxes.edges.tolist(), boxes.colour.tolist(), strict=True)
    found = [Box(at, *edges, tuple(colour)) for at, (edges, colour) in enumerate(lines)]
    return [box for box in found if box.area > 0]


# -- definitions 2 to 4 -------------------------------------------------------------------------


def pov(m: Box, n: Box) -> str:
    if min(m.right, n.right) > max(m.left, n.left):
        return "x"
    if min(m.bottom, n.bottom) > max(m.top, n.top):
        return "y"
    return "o"


def pos(m: Box, n: Box) -> str:
    if pov(m, n) == "x" and m.bottom <= n.top:
        return "above"
    if pov(m, n) == "x" and m.top >= n.bottom:
        return "below"
    if pov(m, n) == "y" and m.right <= n.left:
        return "left"
    if pov(m, n) == "y" and m.left >= n.right:
        return "right"
    return "other"


def gap(m: Box, n: Box) -> float:
    return {
        "above": n.top - m.bottom,
        "below": m.top - n.bottom,
        "left": n.left - m.right,
        "right": m.left - n.right,
        "other": float("inf"),
    }[pos(m, n)]


def direct(m: Box, boxes: list[Box]) -> list[Box]:
    """N(m): on each side those with none nearer."""
    return [
        n
        for n in boxes
        if pos(m, n) != "other"
        and not any(pos(m, k) == pos(m, n) and gap(m, k) < gap(m, n) for k in boxes)
    ]


def neighbourhood(boxes: list[Box]) -> dict[Box, list[Box]]:
    """N of every box, each pair put in both lists."""
    found = {m: set(direct(m, boxes)) for m in boxes}
    return {m: [n for n in boxes if n in found[m] or m in found[n]] for m in boxes}


# -- section 6.1 --------------------------------------------------------------------------------


def distance(m: Box, n: Box, near: dict[Box, list[Box]]) -> float:
    if gap(m, n) == 0:
        return 0.0
    widest = [max(gap(box, k) for k in near[box]) for box in (m, n)]
    return (gap(m, n) / widest[0] + gap(m, n) / widest[1]) / 2


def even(m: Box, near: dict[Box, list[Box]]) -> bool:
    return len({gap(m, k) for k in near[m]}) == 1


def ratio(m: Box, n: Box) -> float:
    r, q = m.width / m.height, n.width / n.height
    if r == q:
        return 0.0
    r, q = max(r, q), min(r, q)
    if r == 1:
        return 1.0
    return min(abs((r - q) / ((r * r - 1) / r)), 1.0)


def shape(m: Box, n: Box) -> float:
    return (ratio(m, n) + 1 - min(m.area, n.area) / max(m.area, n.area)) / 2


def colour(m: Box, n: Box) -> float:
    return sqrt(sum(((a - b) / 255) ** 2 for a, b in zip(m.colour, n.colour, strict=True))) / sqrt(
        3
    )


def side(m: Box, n: Box) -> str | None:
    names = ("left", "right") if pos(m, n) in ("above", "below") else ("top", "bottom")
    return next((name for name in names if getattr(m, name) == getattr(n, name)), None)


def alignment(m: Box, n: Box, near: dict[Box, list[Box]]) -> int:
    """Boxes of the line that a pair stands in."""
    reach = floor(1.5 * min(m.width, m.height, n.width, n.height))
    if side(m, n) is None or gap(m, n) > reach:
        return 1
    seen, queue = {m, n}, [m, n]
    while queue:
        box = queue.pop()
        for k in near[box]:
            in_line = side(box, k) == side(m, n) and gap(box, k) <= reach
            if k not in seen and pov(box, k) == pov(m, n) and in_line:
                seen.add(k)
                queue.append(k)
    return len(seen)


def bsim(m: Box, n: Box, near: dict[Box, list[Box]], options) -> float:
    d = distance(m, n, near)
    if options.far == "equidistant" and (even(m, near) or even(n, near)):
        d = 0.0
    if d == 0:
        return 0.0
    if options.far == "literal" and d == 1:
        return 1.0
    weights = (options.distance_weight, options.shape_weight, options.colour_weight)
    parts = (d, shape(m, n), colour(m, n))
    mean = sum(w * part for w, part in zip(weights, parts, strict=True)) / sum(weights)
    if options.aligned:
        mean /= 2 * alignment(m, n, near)
    return min(mean, 1.0)


# -- section 7 ----------------------------------------------------------------------------------


@dataclass(eq=False)
class Entity:
    """A box or a cluster."""

    members: list[Box]
    age: int
    cluster: bool

    @property
    def edges(self) -> tuple[float, float, float, float]:
        return bounds([(m.left, m.top, m.right, m.bottom) for m in self.members])

    @property
    def area(self) -> float:
        left, top, right, bottom = self.edges
        return (right - left) * (bottom - top)


def bounds(many):
    lefts, tops, rights, bottoms = zip(*many, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def overlap(one, other) -> bool:
    across = min(one[2], other[2]) > max(one[0], other[0])
    return across and min(one[3], other[3]) > max(one[1], other[1])


class Bcs:
    """Algorithm 1 for one page and one threshold."""

    def __init__(self, boxes, options) -> None:
        self.options, self.all = options, len(boxes)
        found = boxes_from(boxes)
        near = neighbourhood(found)
        self.base = {
            frozenset((m, n)): round(bsim(m, n, near, options) * GRAIN)
            for m, n in combinations(found, 2)
            if n in near[m]
        }
        self.entities = [Entity([box], box.number, cluster=False) for box in found]
        self.age = self.all
        self.discarded: set[frozenset[Entity]] = set()

    def csim(self, one: Entity, other: Entity) -> Fraction | None:
        """Mean of all connections between two entities; None without one."""
        pairs = [frozenset((m, n)) for m in one.members for n in other.members]
        sums = [self.base[pair] for pair in pairs if pair in self.base]
        return Fraction(sum(sums), len(sums) * GRAIN) if sums else None

    def relations(self):
        for one, other in combinations(self.entities, 2):
            similarity = self.csim(one, other)
            if similarity is not None and frozenset((one, other)) not in self.discarded:
                first, second = sorted((one, other), key=lambda e: (e.edges[1], e.edges[0], e.age))
                tops = (first.edges[1], second.edges[1])
                lefts = (first.edges[0], second.edges[0])
                yield (
                    similarity,
                    first.area + second.area,
                    *tops,
                    *lefts,
                    first.age,
                    second.age,
                    (
                        first,
                        second,
                    ),
                )

    def candidate(self, one: Entity, other: Entity) -> list[Entity] | None:
        """The parts of a candidate; None when it is discarded."""
        parts = [one, other]
        for turn in range(self.options.rounds + 1):
            rectangle = bounds([part.edges for part in parts])
            met = [e for e in self.entities if e not in parts and overlap(e.edges, rectangle)]
            if not met:
                return parts
            if turn == self.options.rounds:
                return None
            if any(e.cluster for e in met) and not self.options.absorb:
                return None
            parts += met
        return None

    def run(self, threshold: float) -> set[frozenset[int]]:
        """The clusters, as numbers of boxes."""
        while True:
            loose = [e for e in self.entities if not e.cluster]
            empty = self.all - sum(len(e.members) for e in self.entities)
            if self.options.stop_early and len(loose) + empty < 2:
                break
            best = min(self.relations(), default=None, key=lambda relation: relation[:-1])
            if best is None or best[0] > threshold + 1e-9:
                break
            one, other = best[-1]
            parts = self.candidate(one, other)
            if parts is None:
                self.discard(one, other)
            else:
                self.commit(parts)
        clusters = [e for e in self.entities if e.cluster]
        return {frozenset(m.number for m in e.members) for e in clusters}

    def discard(self, one: Entity, other: Entity) -> None:
        self.discarded.add(frozenset((one, other)))
        if self.options.forget:
            for m in one.members:
                for n in other.members:
                    self.base.pop(frozenset((m, n)), None)

    def commit(self, parts: list[Entity]) -> None:
        members = [m for part in parts for m in part.members]
        self.entities = [e for e in self.entities if e not in parts]
        self.entities.append(Entity(members, self.age, cluster=True))
        self.age += 1
