"""Visual separator detection: Cai, Yu, Wen, Ma, MSR-TR-2003-79, section 4.2.

A separator is a strip across a whole area that no block of the area reaches into. The report
only names what makes a separator heavier; the weights are those of later programs.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

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
