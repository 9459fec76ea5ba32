"""Gaps of pages that people divided: what is seen at each, and whether they cut there."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pagelet.arrays import Floats, Ints, Mask
from pagelet.lab.segments.gold import SUB, TOP
from pagelet.methods.segments.visual.gaps import gap_measures
from pagelet.methods.segments.visual.sight import ACROSS, DOWN, Sight, Strips, room_of, strips_of
from pagelet.page.boxes import Boxes

#: The level of people's blocks that each granularity is fitted to.
LEVELS = {"blocks": TOP, "paragraphs": SUB}
DEEPEST = 8  #: cuts inside cuts that are learned from
LARGE = {"blocks": 0.7, "paragraphs": 0.0}  #: groups are learned from that cover so much
STRADDLING = 0.08  #: share of the smaller side that may belong to blocks on both sides
PICTURE = 3  #: characters that a box counts for beside those it has


@dataclass(frozen=True, slots=True, eq=False)
class Gaps:
    """The gaps of one page."""

    measures: Floats  #: one line a gap
    cut: Mask  #: whether people's blocks part there


def gaps_of(sight: Sight, boxes: Boxes, block: Ints, large: float) -> Gaps:
    """All gaps of the groups that one comes by when a page is cut as people did."""
    weight = boxes.chars.astype(np.intp) + PICTURE
    found = list(_gaps(sight, block, weight, large)) if len(sight) else []
    if not found:
        return Gaps(np.zeros((0, 0)), np.zeros(0, np.bool_))
    measures, cut = zip(*found, strict=True)
    return Gaps(np.concatenate(measures), np.concatenate(cut))


def _gaps(sight: Sight, block: Ints, weight: Ints, large: float) -> Iterator[tuple[Floats, Mask]]:
    room = room_of(sight.edges)
    waiting = [(np.arange(len(sight)), 0)]
    while waiting:
        group, depth = waiting.pop()
        if len(group) < 2 or depth > DEEPEST or room_of(sight.edges[group]) < large * room:
            continue
        parts: list[Ints] = []
        for axis in (DOWN, ACROSS):
            strips = strips_of(sight.edges, group, np.zeros(len(group), np.intp), axis)
            if len(strips) < 2:
                continue
            told, good = parted(strips, block, weight)
            measures = np.column_stack(list(gap_measures(sight, strips).values()))
            yield measures[told], good[told]
            if not parts and good.any():
                number = strips.parts(good)
                parts = [strips.boxes[number == part] for part in range(int(number[-1]) + 1)]
        waiting += [(part, depth + 1) for part in parts]


def parted(strips: Strips, block: Ints, weight: Ints) -> tuple[Mask, Mask]:
    """Mark the gaps of one group with blocks on both sides, and those that part blocks.

    Hardly any block may lie on both sides. What lies in no block is not counted.
    """
    names, number = np.unique(block[strips.boxes], return_inverse=True)
    count = np.where(block[strips.boxes] >= 0, weight[strips.boxes], 0)
    table = np.zeros((len(strips), len(names)))
    np.add.at(table, (strips.strip, number.ravel()), count)
    before = np.cumsum(table, axis=0)[:-1]
    behind = table.sum(axis=0) - before
    both = np.minimum(before, behind).sum(axis=1)
    smaller = np.minimum(before.sum(axis=1), behind.sum(axis=1))
    told = smaller > 0
    return told, told & (both <= STRADDLING * smaller)
