"""Segments that are elements: a model says which elements people divide.

An item is divided when the model holds that likely and all items above it are divided; what is
not divided is a segment. Texts and inline elements that follow one another stay together.
"""

from dataclasses import dataclass

import numpy as np

from pagelet.arrays import Floats, Ints, Mask
from pagelet.methods.segments.visual.cuts import MIN_FORCED_CUT, Cuts, is_margin
from pagelet.methods.segments.visual.elements import (
    EXTRA_BOX_CHARS,
    Items,
    find_items,
    item_features,
)
from pagelet.models.trees import Trees
from pagelet.page.layout import Boxes, Layout
from pagelet.page.table import Page
from pagelet.page.tags import numbers

#: Least probability of a division, chosen on labelled pages by folds of sites.
DIVISION_THRESHOLD = 0.7
MAX_SIDE_BARS = 64  #: side bars that are looked at, the first ones
MIN_SIDE_BAR_PX = 300.0  #: least height of a side bar
MIN_BESIDE_PX = 200.0  #: least height along which a side bar and the main column stand together
OVERLAP_PX = 2.0  #: pixels by which they may overlap


@dataclass(frozen=True, slots=True)
class DivisionTarget:
    """How far a page is divided."""

    threshold: float | None = None  #: least probability of a division; None for the tuned one
    wanted: int = 0  #: number of segments to come near to; 0 for any
    least: int = 2  #: segments, as far as divisions are likely enough
    side_bars: bool = False  #: divide what HTML says has a side bar


def divide_page(
    page: Page,
    layout: Layout,
    boxes: Boxes,
    trees: Trees,
    target: DivisionTarget = DivisionTarget(),
) -> Cuts:
    """Divide a page by a threshold, or into about the wanted number of segments."""
    items = find_items(page, layout, boxes)
    likely = division_likelihood(items, trees)
    if target.side_bars:
        likely[has_side_bar(items)] = np.inf
    chosen = DIVISION_THRESHOLD if target.threshold is None else target.threshold
    if target.wanted:
        chosen = _threshold_for(items, likely, target.wanted)
    else:
        likely = _divide_further(items, likely, chosen, target.least)
    number, uncut = group_items(items, likely, chosen)
    order = np.argsort(boxes.row, kind="stable")
    groups = np.empty(len(boxes), np.intp)
    groups[order] = number
    return Cuts(groups, uncut, chosen)


def has_side_bar(items: Items) -> Mask:
    """Mark the items in which an `aside` stands beside the largest other part."""
    aside = items.page.is_tag(*numbers("aside")).copy()
    for row, role in items.page.attribute("role").items():
        aside[row] |= role.strip().lower() == "complementary"
    marked = np.zeros(len(items), np.bool_)
    if not aside.any():
        return marked
    tall = items.edges[:, 3] - items.edges[:, 1] >= MIN_SIDE_BAR_PX
    named = items.any_in_chain(aside[:, None])[:, 0] > 0
    side = np.flatnonzero(named & tall & (items.parent >= 0))[:MAX_SIDE_BARS]
    mass = items.sum(items.boxes.chars + EXTRA_BOX_CHARS)
    for at in side.tolist():
        parts = np.flatnonzero((items.parent == items.parent[at]) & (mass > 0))
        main = int(max(parts[parts != at], key=lambda part: float(mass[part]), default=at))
        marked[items.parent[at]] |= _stands_beside(items.edges[at], items.edges[main])
    return marked


def _stands_beside(one: Floats, other: Floats) -> bool:
    """Whether one part stands beside another."""
    apart = one[0] >= other[2] - OVERLAP_PX or one[2] <= other[0] + OVERLAP_PX
    level = min(one[3], other[3]) - max(one[1], other[1])
    return bool(apart and level >= MIN_BESIDE_PX)


def _divide_further(items: Items, likely: Floats, threshold: float, least: int) -> Floats:
    """The probabilities, where those of items that are divided for want of segments are 1."""
    if not len(items):
        return likely
    likely, margin = likely.copy(), is_margin(items.edges, items.edges[0])
    while True:
        whole, group = _find_groups(items, likely, threshold)
        if len(np.unique(group[~margin[whole]])) >= least:
            break
        if likely[whole].max(initial=0) <= MIN_FORCED_CUT:
            break
        likely[whole[likely[whole].argmax()]] = np.inf
    return likely


def division_likelihood(items: Items, trees: Trees) -> Floats:
    """The probability that people divide each item; 0 for those that have no parts."""
    likely = np.zeros(len(items))
    several = np.flatnonzero(items.parts > 1)
    if len(several):
        rows = item_features(items).rows[several]
        likely[several] = 1 / (1 + np.exp(-trees.predict(rows)))
    return likely


def explain_division(
    page: Page, layout: Layout, boxes: Boxes, trees: Trees, members: Ints
) -> dict[str, tuple[float, float]]:
    """The features of the smallest item around some boxes: the value and effect of each."""
    items = find_items(page, layout, boxes)
    place = np.empty(len(boxes), np.intp)
    place[np.argsort(boxes.row, kind="stable")] = np.arange(len(boxes))
    low, high = int(place[members].min()), int(place[members].max())
    around = np.flatnonzero((items.first <= low) & (items.last > high))
    row = item_features(items).rows[int(around[-1])]
    values = dict(zip(trees.names, row.tolist(), strict=True))
    return {name: (values[name], effect) for name, effect in trees.explain(row).items()}


def group_items(items: Items, likely: Floats, threshold: float) -> tuple[Ints, Floats]:
    """A group for each box in document order, and the likelihood that it is divided further.

    The whole page is divided in any case.
    """
    top, group = _find_groups(items, likely, threshold)
    uncut = np.zeros(int(group[-1]) + 1 if len(group) else 0)
    np.maximum.at(uncut, group, likely[top])
    place = np.searchsorted(items.first[top], np.arange(len(items.boxes)), side="right") - 1
    return group[np.maximum(place, 0)], uncut


def _find_groups(items: Items, likely: Floats, threshold: float) -> tuple[Ints, Ints]:
    """The topmost items that are not divided, and the group of each."""
    top = np.flatnonzero(_undivided(items, likely > threshold))
    inline = ~items.page.element[items.top[top]] | items.layout.inline[items.top[top]]
    joined = (items.parent[top[:-1]] == items.parent[top[1:]]) & inline[:-1] & inline[1:]
    return top, np.cumsum(np.append(True, ~joined)[: len(top)]) - 1


def _undivided(items: Items, likely: Mask) -> Mask:
    """Mark the topmost items that are not divided."""
    divided = likely & (items.parts > 1)
    divided[:1] = items.parts[:1] > 1
    above = items.parent
    for depth in range(1, int(items.depth.max(initial=0)) + 1):
        level = items.depth == depth
        divided[level] &= divided[above[level]]
    return np.asarray(~divided & ((above < 0) | divided[above]))


def _threshold_for(items: Items, likely: Floats, wanted: int) -> float:
    """The threshold whose number of segments is nearest to the wanted one, by bisection."""
    values = np.unique(np.append(likely, (0.0, 1.0)))
    low, high = 0, len(values) - 1
    best = (np.inf, DIVISION_THRESHOLD)
    while low <= high:
        middle = (low + high) // 2
        count = len(group_items(items, likely, float(values[middle]))[1])
        best = min(best, (abs(count - wanted), float(values[middle])))
        low, high = (middle + 1, high) if count > wanted else (low, middle - 1)
    return best[1]
