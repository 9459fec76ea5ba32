"""Areas within areas of a page, parted at separators: MSR-TR-2003-79, section 4.3.

An area holds blocks and what is no block, such as a line that was drawn. Where it holds a single
block, that one is divided. Then it is parted at its heaviest separators, its parts at the next
ones, and so on; the parts that are left are divided in the next round.
"""

from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np

from pagelet.methods.segments.vips.blocks import CUT, DIVIDING, Blocks
from pagelet.methods.segments.vips.separators import Separator, Sight, all_separators

BY_BACKGROUND = 8  #: the rule that makes blocks of children on another background


class Area(NamedTuple):
    """A part of the page that may be divided further."""

    number: int
    blocks: list[int]  #: rows, in document order
    others: list[int]  #: rows that show nothing by themselves


class Strip(NamedTuple):
    """A separator between two parts of an area."""

    area: int
    low: int
    high: int
    weight: int
    level: bool  #: whether it lies level, with one part above and one below


@dataclass(slots=True)
class Division:
    """All areas, each after the one it is part of, and the rows that the last ones hold."""

    parent: list[int] = field(default_factory=list)
    weight: list[int] = field(default_factory=list)  #: of the separators of an area; 0 for none
    holder: dict[int, int] = field(default_factory=dict)  #: the last area that holds a row
    strips: list[Strip] = field(default_factory=list)

    def area(self, parent: int) -> int:
        """The number of a new area."""
        self.parent.append(parent)
        self.weight.append(0)
        return len(self.parent) - 1

    def settle(self, area: Area) -> None:
        """Keep an area as it is."""
        self.holder.update(dict.fromkeys((*area.blocks, *area.others), area.number))


def divide(root: int, blocks: Blocks, sight: Sight, rounds: int) -> Division:
    """All areas of a page, from the row that is the whole page."""
    division, rules = Division(), _Rules(blocks)
    waiting = [Area(division.area(-1), [root], [])]
    for _ in range(rounds):
        parted: list[Area] = []
        for area in waiting:
            whole = _divided(area, rules)
            if found := all_separators(whole.blocks, whole.others, sight):
                parted += _Parting(whole, sight, division).all_parts(found)
            else:
                division.settle(area)
        waiting = parted
    for area in waiting:
        division.settle(area)
    return division


class _Rules:
    """The rules as lists, which are faster to ask one by one."""

    def __init__(self, blocks: Blocks) -> None:
        self.rule: list[int] = blocks.rule.tolist()
        self.apart: list[bool] = blocks.apart.tolist()
        self.divides: list[bool] = np.isin(blocks.rule, DIVIDING).tolist()
        self._children: list[int] = blocks.children.tolist()
        self._first: list[int] = blocks.first.tolist()

    def children(self, row: int) -> list[int]:
        """The rows right below a row."""
        return self._children[self._first[row] : self._first[row + 1]]

    def below(self, row: int) -> tuple[list[int], list[int]]:
        """The blocks below a row that is divided, and what is no block."""
        blocks, others = [], []
        waiting = [(child, False) for child in reversed(self.children(row))]
        while waiting:
            child, coloured = waiting.pop()
            if self.rule[child] == CUT:
                others.append(child)
            elif self.divides[child] and not (coloured and self.apart[child]):
                by = self.rule[child] == BY_BACKGROUND
                waiting += [(inner, by) for inner in reversed(self.children(child))]
            else:
                blocks.append(child)
        return blocks, others


def _divided(area: Area, rules: _Rules) -> Area:
    """The area with its only block divided, as often as there is only one: rule 3."""
    blocks, others = area.blocks, area.others
    while len(blocks) == 1 and rules.children(blocks[0]):
        blocks, more = rules.below(blocks[0])
        others = others + more
    return Area(area.number, blocks, others)


class _Cut(NamedTuple):
    """Where an area was cut, and the parts."""

    level: bool
    lows: list[int]  #: where the separators begin
    sides: list[int]  #: how many of them lie before each part
    parts: list[int]


class _Parting:
    """One area while it is parted at separators of its blocks."""

    def __init__(self, area: Area, sight: Sight, division: Division) -> None:
        self._area, self._sight, self._division = area, sight, division
        self._cuts: dict[int, _Cut] = {}  # by number of what was cut
        self._several = {area.number: area.blocks}  # parts with more than one block
        self._single: dict[int, list[int]] = {}

    def all_parts(self, found: list[Separator]) -> list[Area]:
        """The smallest parts, with what each of them holds."""
        found = sorted(found, key=lambda each: (-each.weight, not each.level, each.low))
        for _, group in groupby(found, lambda each: (each.weight, each.level)):
            self._cut_all(list(group))
        others: dict[int, list[int]] = {}
        for row in self._area.others:
            others.setdefault(self._place(row), []).append(row)
        parts = self._single | self._several
        return [Area(part, parts[part], others.get(part, [])) for part in sorted(parts)]

    def _cut_all(self, group: list[Separator]) -> None:
        """Cut every part at separators of one weight and one direction."""
        lows = [each.low for each in group]
        starts = self._sight.edges[group[0].level]
        parts, self._several = self._several, {}
        for number, blocks in parts.items():
            sides: dict[int, list[int]] = {}
            for block in blocks:
                sides.setdefault(bisect_right(lows, starts[block]), []).append(block)
            if len(sides) == 1:
                self._several[number] = blocks
            else:
                self._cut(number, sides, group, lows)

    def _cut(
        self, number: int, sides: dict[int, list[int]], group: list[Separator], lows: list[int]
    ) -> None:
        """Make areas of the blocks on the sides of separators."""
        order = sorted(sides)
        parts = [self._division.area(number) for _ in order]
        for part, side in zip(parts, order, strict=True):
            into = self._several if len(sides[side]) > 1 else self._single
            into[part] = sides[side]
        _, _, weight, level = group[0]
        self._cuts[number] = _Cut(level, lows, order, parts)
        self._division.weight[number] = weight
        self._division.strips += [
            Strip(number, group[one].low, group[other - 1].high, weight, level)
            for one, other in pairwise(order)
        ]

    def _place(self, row: int) -> int:
        """The part in which a row begins that is no block."""
        number = self._area.number
        while number in self._cuts:
            cut = self._cuts[number]
            side = bisect_right(cut.lows, self._sight.edges[cut.level][row])
            at = bisect_right(cut.sides, side) - 1
            number = cut.parts[max(at, 0)]
        return number
