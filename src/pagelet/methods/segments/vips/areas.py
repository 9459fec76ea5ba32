"""Separators and content structure: Cai, Yu, Wen, Ma, MSR-TR-2003-79, sections 4.2 and 4.3.

A separator is a strip across a whole area that no block of the area reaches into. The report
only names what makes a separator heavier; the weights are those of later programs.

An area holds blocks and other rows, such as a horizontal rule. An only block is divided. Then
the area is split at its heaviest separators, its parts at the next ones, and so on; the parts
that remain are divided in the next round.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby, pairwise
from typing import NamedTuple

import numpy as np

from pagelet.methods.segments.vips.blocks import CUT_OUT, DIVIDING_RULES, VisualBlocks

BASE_WEIGHT = 3  #: weight of every separator
THICKNESS_LIMITS_PX = (8, 15, 25, 35, 45, 55)  #: greatest thickness of each class but the last
THICKNESS_WEIGHTS = (1, 2, 4, 6, 8, 10, 12)  #: weight that each class of thickness adds
THICKNESS_STEP_PX = 10  #: pixels per class beyond the last limit
CUE_WEIGHT = 2  #: weight that any other visual cue adds
TOUCHING_PX = 1  #: greatest distance of a separator and a block that touches it

Interval = tuple[int, int]  #: begin and end on an axis


class Separator(NamedTuple):
    """An interval between blocks, with its weight."""

    low: int
    high: int
    weight: int
    horizontal: bool  #: whether there are blocks above and below it, not left and right


@dataclass(frozen=True, slots=True)
class BlockStyles:
    """Visible properties of blocks that separators depend on; lists have one entry per row."""

    edges: tuple[list[int], ...]  #: left, top, right, bottom
    background: list[int]
    font_size: list[float]
    font_weight: list[float]
    plain: list[bool]
    rule: list[bool]  #: rows that are a horizontal rule: hr
    capped: bool  #: whether thickness beyond the last limit adds no more weight


def find_separators(
    blocks: Sequence[int], others: Sequence[int], styles: BlockStyles
) -> list[Separator]:
    """The separators of some blocks in both directions; `others` are rows between them."""
    rules = [row for row in others if styles.rule[row]]
    return [
        separator
        for horizontal in (True, False)
        for separator in separators_along(blocks, rules, styles, horizontal=horizontal)
    ]


def separators_along(
    blocks: Sequence[int], rules: Sequence[int], styles: BlockStyles, *, horizontal: bool
) -> list[Separator]:
    """The separators of some blocks in one direction, in order."""
    starts, ends = styles.edges[horizontal], styles.edges[horizontal + 2]
    gaps = free_intervals((starts[block], ends[block]) for block in blocks)
    if not gaps:
        return []
    ruled = crossed_intervals(gaps, ((starts[rule], ends[rule]) for rule in rules))
    sides = touching_blocks(gaps, blocks, starts, ends)
    separators = []
    for (low, high), has_rule, (before, after) in zip(gaps, ruled, sides, strict=True):
        weight = BASE_WEIGHT + thickness_weight(high - low, capped=styles.capped)
        weight += CUE_WEIGHT * has_rule
        weight += contrast_weight(before, after, styles, horizontal=horizontal)
        separators.append(Separator(low, high, weight, horizontal))
    return separators


def free_intervals(covered: Iterable[Interval]) -> list[Interval]:
    """The gaps between intervals."""
    free: list[Interval] = []
    reach: int | None = None
    for start, end in sorted(covered):
        if reach is not None and start > reach:
            free.append((reach, start))
        reach = end if reach is None else max(reach, end)
    return free


def crossed_intervals(intervals: Sequence[Interval], others: Iterable[Interval]) -> list[bool]:
    """Whether any other interval overlaps each interval."""
    lows, highs = [low for low, _ in intervals], [high for _, high in intervals]
    change = [0] * (len(intervals) + 1)
    for start, end in others:
        first, last = bisect_right(highs, start), bisect_left(lows, end)
        if first < last:
            change[first] += 1
            change[last] -= 1
    return [crossing > 0 for crossing in accumulate(change[:-1])]


def touching_blocks(
    gaps: Sequence[Interval], blocks: Sequence[int], starts: list[int], ends: list[int]
) -> list[tuple[list[int], list[int]]]:
    """The blocks that touch each gap at its begin, and at its end."""
    lows, highs = [low for low, _ in gaps], [high for _, high in gaps]
    sides: list[tuple[list[int], list[int]]] = [([], []) for _ in gaps]
    for block in blocks:
        at = bisect_left(lows, ends[block])
        if at < len(gaps) and lows[at] - ends[block] <= TOUCHING_PX:
            sides[at][0].append(block)
        at = bisect_right(highs, starts[block]) - 1
        if at >= 0 and starts[block] - highs[at] <= TOUCHING_PX:
            sides[at][1].append(block)
    return sides


def thickness_weight(pixels: int, *, capped: bool) -> int:
    """Weight that the thickness of a separator adds."""
    weight = THICKNESS_WEIGHTS[bisect_left(THICKNESS_LIMITS_PX, pixels)]
    if capped or pixels <= THICKNESS_LIMITS_PX[-1]:
        return weight
    return weight + CUE_WEIGHT * ((pixels - THICKNESS_LIMITS_PX[-1] - 1) // THICKNESS_STEP_PX)


def contrast_weight(
    before: list[int], after: list[int], styles: BlockStyles, *, horizontal: bool
) -> int:
    """Weight that differences between the blocks on both sides add."""
    both = before + after
    added = CUE_WEIGHT * (len({styles.background[block] for block in both}) > 1)
    if not horizontal:
        return added
    sizes = [[styles.font_size[block] for block in side] for side in (before, after)]
    if len({*sizes[0], *sizes[1]}) > 1 or len({styles.font_weight[block] for block in both}) > 1:
        added += CUE_WEIGHT
    if min(sizes[0]) < max(sizes[1]):
        added += CUE_WEIGHT
    if all(styles.plain[block] for block in both):
        added -= CUE_WEIGHT
    return added


BACKGROUND_RULE = 8  #: rule that makes blocks of children on another background


class Area(NamedTuple):
    """A part of the page that may be divided further."""

    number: int
    blocks: list[int]  #: rows, in document order
    others: list[int]  #: rows that are no blocks


class AreaSeparator(NamedTuple):
    """A separator between two parts of an area."""

    area: int
    low: int
    high: int
    weight: int
    horizontal: bool  #: whether there are parts above and below it, not left and right


@dataclass(slots=True)
class AreaTree:
    """All areas, each after its parent, and the rows that the smallest areas hold."""

    parent: list[int] = field(default_factory=list)
    weight: list[int] = field(default_factory=list)  #: weight of its separators; 0 for none
    holder: dict[int, int] = field(default_factory=dict)  #: smallest area of each row
    separators: list[AreaSeparator] = field(default_factory=list)

    def add_area(self, parent: int) -> int:
        """Add an area, and return its number."""
        self.parent.append(parent)
        self.weight.append(0)
        return len(self.parent) - 1

    def settle(self, area: Area) -> None:
        """Keep an area undivided."""
        self.holder.update(dict.fromkeys((*area.blocks, *area.others), area.number))


def build_areas(root: int, blocks: VisualBlocks, styles: BlockStyles, rounds: int) -> AreaTree:
    """Build all areas of a page, from the row of the whole page."""
    tree, rules = AreaTree(), _BlockRules(blocks)
    areas = [Area(tree.add_area(-1), [root], [])]
    for _ in range(rounds):
        parts: list[Area] = []
        for area in areas:
            divided = _divide_only_block(area, rules)
            if separators := find_separators(divided.blocks, divided.others, styles):
                parts += _AreaSplit(divided, styles, tree).split(separators)
            else:
                tree.settle(area)
        areas = parts
    for area in areas:
        tree.settle(area)
    return tree


class _BlockRules:
    """The rules of the rows as lists, which are faster than arrays to read one by one."""

    def __init__(self, blocks: VisualBlocks) -> None:
        self.rule: list[int] = blocks.rule.tolist()
        self.contrasting: list[bool] = blocks.contrasting.tolist()
        self.divides: list[bool] = np.isin(blocks.rule, DIVIDING_RULES).tolist()
        self._children: list[int] = blocks.children.tolist()
        self._first: list[int] = blocks.first.tolist()

    def children(self, row: int) -> list[int]:
        """The visible children of a row."""
        return self._children[self._first[row] : self._first[row + 1]]

    def divide(self, row: int) -> tuple[list[int], list[int]]:
        """The blocks below a divided row, and the other rows."""
        blocks, others = [], []
        stack = [(child, False) for child in reversed(self.children(row))]
        while stack:
            child, by_background = stack.pop()
            if self.rule[child] == CUT_OUT:
                others.append(child)
            elif self.divides[child] and not (by_background and self.contrasting[child]):
                by = self.rule[child] == BACKGROUND_RULE
                stack += [(inner, by) for inner in reversed(self.children(child))]
            else:
                blocks.append(child)
        return blocks, others


def _divide_only_block(area: Area, rules: _BlockRules) -> Area:
    """Divide the only block of an area, as long as there is only one: rule 3."""
    blocks, others = area.blocks, area.others
    while len(blocks) == 1 and rules.children(blocks[0]):
        blocks, more = rules.divide(blocks[0])
        others = others + more
    return Area(area.number, blocks, others)


class _SplitArea(NamedTuple):
    """Where an area was split, and its parts."""

    horizontal: bool
    lows: list[int]  #: where the separators begin
    sides: list[int]  #: number of separators before each part
    parts: list[int]


class _AreaSplit:
    """One area while it is split at the separators of its blocks."""

    def __init__(self, area: Area, styles: BlockStyles, tree: AreaTree) -> None:
        self._area, self._styles, self._tree = area, styles, tree
        self._splits: dict[int, _SplitArea] = {}  # by number of the area
        self._several = {area.number: area.blocks}  # parts with more than one block
        self._single: dict[int, list[int]] = {}

    def split(self, separators: list[Separator]) -> list[Area]:
        """Split the area at all separators, the heaviest first, into the smallest parts."""
        ordered = sorted(separators, key=lambda one: (-one.weight, not one.horizontal, one.low))
        for _, group in groupby(ordered, lambda one: (one.weight, one.horizontal)):
            self._split_parts(list(group))
        others: dict[int, list[int]] = {}
        for row in self._area.others:
            others.setdefault(self._part_of(row), []).append(row)
        parts = self._single | self._several
        return [Area(part, parts[part], others.get(part, [])) for part in sorted(parts)]

    def _split_parts(self, group: list[Separator]) -> None:
        """Split every part at separators of one weight and one direction."""
        lows = [separator.low for separator in group]
        starts = self._styles.edges[group[0].horizontal]
        parts, self._several = self._several, {}
        for number, blocks in parts.items():
            sides: dict[int, list[int]] = {}
            for block in blocks:
                sides.setdefault(bisect_right(lows, starts[block]), []).append(block)
            if len(sides) == 1:
                self._several[number] = blocks
            else:
                self._split_part(number, sides, group, lows)

    def _split_part(
        self, number: int, sides: dict[int, list[int]], group: list[Separator], lows: list[int]
    ) -> None:
        """Make an area of the blocks on each side of the separators."""
        order = sorted(sides)
        parts = [self._tree.add_area(number) for _ in order]
        for part, side in zip(parts, order, strict=True):
            into = self._several if len(sides[side]) > 1 else self._single
            into[part] = sides[side]
        _, _, weight, horizontal = group[0]
        self._splits[number] = _SplitArea(horizontal, lows, order, parts)
        self._tree.weight[number] = weight
        self._tree.separators += [
            AreaSeparator(number, group[one].low, group[other - 1].high, weight, horizontal)
            for one, other in pairwise(order)
        ]

    def _part_of(self, row: int) -> int:
        """The part in which a row begins."""
        number = self._area.number
        while number in self._splits:
            split = self._splits[number]
            side = bisect_right(split.lows, self._styles.edges[split.horizontal][row])
            at = bisect_right(split.sides, side) - 1
            number = split.parts[max(at, 0)]
        return number
