"""Separators between visual blocks, and how heavy they are: MSR-TR-2003-79, section 4.2.

A separator is a strip across a whole area that no block of the area reaches into. The report
only says what makes one heavy; the weights are those of the programs that came after it.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

START = 3  #: weight of a separator about which nothing else is known
LIMITS = (8, 15, 25, 35, 45, 55)  #: pixels of thickness that are just not the next class
WEIGHTS = (1, 2, 4, 6, 8, 10, 12)  #: what each class of thickness adds
STEP = 10  #: pixels to the next class beyond the table
MORE = 2  #: what any other sign adds
NEAR = 1  #: pixels between a separator and a block that touches it

Strip = tuple[int, int]  #: where it begins and ends on its axis


class Separator(NamedTuple):
    """A strip with its weight."""

    low: int
    high: int
    weight: int
    level: bool  #: whether it lies level, with blocks above and below it


@dataclass(frozen=True, slots=True)
class Sight:
    """What is looked at on both sides of a separator; lists have one entry a row of the page."""

    edges: tuple[list[int], ...]  #: left, top, right, bottom
    background: list[int]
    font_size: list[float]
    font_weight: list[float]
    plain: list[bool]
    line: list[bool]  #: rows that are a line drawn across: hr
    capped: bool  #: whether thickness beyond the table counts no more


def all_separators(blocks: Sequence[int], others: Sequence[int], sight: Sight) -> list[Separator]:
    """The separators of some blocks in both directions; `others` are rows between them."""
    lines = [row for row in others if sight.line[row]]
    across = separators(blocks, lines, sight, level=True)
    return across + separators(blocks, lines, sight, level=False)


def separators(
    blocks: Sequence[int], lines: Sequence[int], sight: Sight, *, level: bool
) -> list[Separator]:
    """The separators of some blocks in one direction, in order."""
    starts, ends = sight.edges[level], sight.edges[level + 2]
    strips = free_strips((starts[block], ends[block]) for block in blocks)
    if not strips:
        return []
    ruled = crossings(strips, ((starts[line], ends[line]) for line in lines))
    sides = neighbours(strips, blocks, starts, ends)
    found = []
    for (low, high), lined, (before, after) in zip(strips, ruled, sides, strict=True):
        weight = START + thickness_weight(high - low, capped=sight.capped) + MORE * lined
        weight += contrast(before, after, sight, level=level)
        found.append(Separator(low, high, weight, level))
    return found


def free_strips(spans: Iterable[Strip]) -> list[Strip]:
    """What no span covers, between the first and the last one."""
    free: list[Strip] = []
    reach: int | None = None
    for start, end in sorted(spans):
        if reach is not None and start > reach:
            free.append((reach, start))
        reach = end if reach is None else max(reach, end)
    return free


def crossings(strips: Sequence[Strip], spans: Iterable[Strip]) -> list[bool]:
    """Whether any span reaches into each strip."""
    lows, highs = [low for low, _ in strips], [high for _, high in strips]
    change = [0] * (len(strips) + 1)
    for start, end in spans:
        first, last = bisect_right(highs, start), bisect_left(lows, end)
        if first < last:
            change[first] += 1
            change[last] -= 1
    return [open_spans > 0 for open_spans in accumulate(change[:-1])]


def neighbours(
    strips: Sequence[Strip], blocks: Sequence[int], starts: list[int], ends: list[int]
) -> list[tuple[list[int], list[int]]]:
    """The blocks that touch each strip where it begins, and where it ends."""
    lows, highs = [low for low, _ in strips], [high for _, high in strips]
    sides: list[tuple[list[int], list[int]]] = [([], []) for _ in strips]
    for block in blocks:
        at = bisect_left(lows, ends[block])
        if at < len(strips) and lows[at] - ends[block] <= NEAR:
            sides[at][0].append(block)
        at = bisect_right(highs, starts[block]) - 1
        if at >= 0 and starts[block] - highs[at] <= NEAR:
            sides[at][1].append(block)
    return sides


def thickness_weight(pixels: int, *, capped: bool) -> int:
    """What the thickness of a separator adds to its weight."""
    weight = WEIGHTS[bisect_left(LIMITS, pixels)]
    if capped or pixels <= LIMITS[-1]:
        return weight
    return weight + MORE * ((pixels - LIMITS[-1] - 1) // STEP)


def contrast(before: list[int], after: list[int], sight: Sight, *, level: bool) -> int:
    """What the difference between the blocks on both sides adds to the weight."""
    both = before + after
    added = MORE * (len({sight.background[block] for block in both}) > 1)
    if not level:
        return added
    sizes = [[sight.font_size[block] for block in side] for side in (before, after)]
    if len({*sizes[0], *sizes[1]}) > 1 or len({sight.font_weight[block] for block in both}) > 1:
        added += MORE
    if min(sizes[0]) < max(sizes[1]):
        added += MORE
    if all(sight.plain[block] for block in both):
        added -= MORE
    return added
