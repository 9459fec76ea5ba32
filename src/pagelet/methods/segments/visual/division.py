"""Segments that are elements: a model says which elements people divide.

An item is divided when the model holds that likely and all items above it are divided; what is
not divided is a segment. Texts and inline elements that follow one another stay together.
"""

import numpy as np

from pagelet.arrays import Floats, Ints, Mask
from pagelet.methods.segments.visual.cuts import Cuts
from pagelet.methods.segments.visual.elements import Items, find_items, item_features
from pagelet.models.trees import Trees
from pagelet.page.layout import Boxes, Layout
from pagelet.page.table import Page

#: Least probability of a division, chosen on labelled pages by folds of sites.
DIVISION_THRESHOLD = 0.6


def divide_page(
    page: Page,
    layout: Layout,
    boxes: Boxes,
    trees: Trees,
    *,
    threshold: float | None = None,
    wanted: int = 0,
) -> Cuts:
    """Divide a page by a threshold, or into about the wanted number of segments."""
    items = find_items(page, layout, boxes)
    likely = division_likelihood(items, trees)
    if wanted:
        threshold = _threshold_for(items, likely, wanted)
    chosen = DIVISION_THRESHOLD if threshold is None else threshold
    number, uncut = group_items(items, likely, chosen)
    order = np.argsort(boxes.row, kind="stable")
    groups = np.empty(len(boxes), np.intp)
    groups[order] = number
    return Cuts(groups, uncut, chosen)


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
    top = np.flatnonzero(_undivided(items, likely > threshold))
    inline = ~items.page.element[items.top] | items.layout.inline[items.top]
    one, other = top[:-1], top[1:]
    joined = (items.parent[one] == items.parent[other]) & inline[one] & inline[other]
    group = np.cumsum(np.append(True, ~joined)[: len(top)]) - 1
    uncut = np.zeros(int(group[-1]) + 1 if len(group) else 0)
    np.maximum.at(uncut, group, likely[top])
    place = np.searchsorted(items.first[top], np.arange(len(items.boxes)), side="right") - 1
    return group[np.maximum(place, 0)], uncut


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
