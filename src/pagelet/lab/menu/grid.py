"""The paper's search for weights and thresholds: all 35,955 settings, on labelled pages.

For each page the six properties are computed once. A weighting turns them into weights by one
product; the two thresholds only change what algorithms 1 and 2 do with those weights.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from pagelet.arrays import Floats, Mask
from pagelet.lab.gold import GoldPage
from pagelet.lab.menu.examples import best_overlap, menus_of
from pagelet.methods.menu.options import MenuOptions
from pagelet.methods.menu.paper import (
    PROPERTIES,
    child_counts,
    choose_root,
    find_candidates,
    find_roots,
    properties,
)
from pagelet.page.table import Page

STEP = 0.05
#: Lowest and highest weight of each property, in steps of 0.05 (their section 4.1).
RANGES = ((0, 4), (1, 8), (5, 12), (0, 4), (0, 4), (0, 5))
MENU_THRESHOLDS = (0.80, 0.85, 0.90)
ROOT_THRESHOLDS = (0.70, 0.80, 0.90)


@dataclass(frozen=True, slots=True)
class GridSetting:
    """One setting of the grid and its mean F1 on the training pages."""

    options: MenuOptions
    f1: float


def weightings() -> Floats:
    """All weightings of the grid: 3,995 lines that sum to 1."""
    steps = [range(low, high + 1) for low, high in RANGES]
    return STEP * np.array([line for line in product(*steps) if sum(line) == 20], float)


@dataclass(frozen=True, slots=True, eq=False)
class _Prepared:
    """A page and its measures that do not depend on the setting."""

    page: Page
    values: Floats  #: one line per property
    weighed: Mask
    menus: tuple[int, ...]


def _prepare(gold: GoldPage, base: MenuOptions) -> _Prepared:
    page = gold.page
    values = properties(page, base.text_ratio_reading, base.menu_word_match)
    weighed = page.counted & page.element & (child_counts(page) > 0)
    return _Prepared(page, np.array([values[name] for name in PROPERTIES]), weighed, menus_of(gold))


def grid_search(
    pages: Sequence[GoldPage],
    base: MenuOptions = MenuOptions(),
    progress: Callable[[int, int], None] | None = None,
) -> list[GridSetting]:
    """Mean F1 of every setting, best first; `progress` is given the weightings done and in all."""
    ready = [_prepare(gold, base) for gold in pages if menus_of(gold)]
    table = weightings()
    settings = []
    for done, weighting in enumerate(table, 1):
        options = list(_options(base, weighting))
        scores = np.mean([_page_scores(page, weighting, options) for page in ready], axis=0)
        scored = zip(options, scores.tolist(), strict=True)
        settings += [GridSetting(option, f1) for option, f1 in scored]
        if progress:
            progress(done, len(table))
    return sorted(settings, key=lambda setting: -setting.f1)


def _options(base: MenuOptions, weighting: Floats) -> Iterator[MenuOptions]:
    weights: dict[str, Any] = {
        f"{name}_weight": round(float(w), 2) for name, w in zip(PROPERTIES, weighting, strict=True)
    }
    for menu, root in product(MENU_THRESHOLDS, ROOT_THRESHOLDS):
        yield replace(base, **weights, menu_threshold=menu, root_threshold=root)


def _page_scores(ready: _Prepared, weighting: Floats, options: list[MenuOptions]) -> list[float]:
    """F1 of each pair of thresholds on one page; what several pairs share is computed once."""
    weight = np.where(ready.weighed, weighting @ ready.values, -np.inf)
    rows, rule = find_candidates(ready.page, weight, options[0])
    if not len(rows):
        return [0.0] * len(options)
    roots = {root: find_roots(ready.page, weight, rows, root) for root in ROOT_THRESHOLDS}
    chosen = [
        choose_root(ready.page, weight, roots[option.root_threshold], rule, option).row
        for option in options
    ]
    score = {row: best_overlap(ready.page, row, ready.menus).f1 for row in set(chosen)}
    return [score[row] for row in chosen]
