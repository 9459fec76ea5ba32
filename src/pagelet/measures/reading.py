"""In which order boxes are read: along the cuts that their layout allows.

A group of boxes is cut where a straight line crosses none of them: into bands from the top, or
into columns from the side where reading begins, and so on inside each part. Cuts that keep to
the order of the document go first; where there are none, the widest gaps are cut. What cannot
be cut is read in the order of the document.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.boxes import Boxes, Floats

Ints = NDArray[np.intp]

DEEPEST = 24  #: cuts inside cuts; what is left is read in the order of the document
WIDE = 0.5  #: share of the widest gap from which a gap is cut together with it
DOWN, ACROSS = 1, 0  #: the edge by which parts follow one another: top or left


@dataclass(frozen=True, slots=True)
class _Cut:
    """Parts of a group in the order they are read."""

    parts: list[Ints]
    keeps: bool  #: whether the parts follow one another in the document, too
    gap: float  #: the widest gap between two parts


def reading_order(boxes: Boxes, *, leftward: bool = False) -> Ints:
    """The boxes in the order they are read; `leftward` where lines run from right to left."""
    edges = boxes.edges
    if leftward:
        edges = edges[:, [2, 1, 0, 3]] * (-1, 1, -1, 1)
    place = np.empty(len(boxes), np.intp)
    place[np.argsort(boxes.row, kind="stable")] = np.arange(len(boxes))
    read: list[Ints] = []
    waiting = [(np.arange(len(boxes)), 0)]
    while waiting:
        group, depth = waiting.pop()
        cut = _best(edges, place, group) if depth < DEEPEST and len(group) > 1 else None
        if cut is None:
            read.append(group[np.argsort(place[group])] if len(group) > 1 else group)
        else:
            waiting += [(part, depth + 1) for part in reversed(cut.parts)]
    return np.concatenate(read)


def _best(edges: Floats, place: Ints, group: Ints) -> _Cut | None:
    """The better of the two cuts; None when there is no cut at all."""
    cuts = (_cut(edges, place, group, axis) for axis in (DOWN, ACROSS))
    return max(filter(None, cuts), key=lambda cut: (cut.keeps, cut.gap), default=None)


def _cut(edges: Floats, place: Ints, group: Ints, axis: int) -> _Cut | None:
    """The parts that lie apart on one axis."""
    order = group[np.argsort(edges[group, axis], kind="stable")]
    reach = np.maximum.accumulate(edges[order, axis + 2])[:-1]
    gaps = edges[order[1:], axis] - reach
    before = np.maximum.accumulate(place[order])[:-1]
    after = np.minimum.accumulate(place[order][::-1])[::-1][1:]
    free, keeps = gaps >= 0, before < after
    if not free.any():
        return None
    kept = free & keeps
    widest = float(gaps[kept if kept.any() else free].max())
    at = np.flatnonzero(kept if kept.any() else gaps >= max(WIDE * widest, 0)) + 1
    return _Cut(np.split(order, at), bool(kept.any()), widest)
