"""The paper's search for weights and thresholds: all 35,955 settings, on labelled pages.

For each page the six properties are computed once. A weighting turns them into weights by one
product; the two thresholds only change what algorithms 1 and 2 do with those weights. The time
of a setting is the sum of the steps it takes, whether or not another setting shares them.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from time import perf_counter
from typing import Any

import numpy as np

from pagelet.arrays import Floats, Mask, Rows
from pagelet.lab.figures import NO_OVERLAP, Figures, Overlap
from pagelet.lab.gold import GoldPage
from pagelet.lab.menu.examples import Regions, best_overlap, menus_of
from pagelet.methods.menu.options import MenuOptions, PaperMenuOptions
from pagelet.methods.menu.paper import (
    PROPERTIES,
    child_counts,
    choose_root,
    find_candidates,
    find_roots,
    properties,
)
from pagelet.page.table import Page

Clock = Callable[[], float]  #: returns seconds

STEP = 0.05
#: Lowest and highest weight of each property, in steps of 0.05 (their section 4.1).
RANGES = ((0, 4), (1, 8), (5, 12), (0, 4), (0, 4), (0, 5))
MENU_THRESHOLDS = (0.80, 0.85, 0.90)
ROOT_THRESHOLDS = (0.70, 0.80, 0.90)
#: Options that the search sets.
SEARCHED = (*(f"{name}_weight" for name in PROPERTIES), "menu_threshold", "root_threshold")
F1_DIGITS = 9  #: decimals beyond which two values of F1 are equal


@dataclass(frozen=True, slots=True)
class GridSetting:
    """One setting of the grid and its means over the training pages."""

    options: MenuOptions
    recall: float
    precision: float
    f1: float
    seconds: float  #: time of a page

    def to_dict(self) -> dict[str, Any]:
        """What `--options` reads, and the figures it was chosen for."""
        figures = {"recall": self.recall, "precision": self.precision, "f1": self.f1}
        return {
            "method": "menu",
            "profile": self.options.profile,
            "options": {name: getattr(self.options, name) for name in SEARCHED},
            "figures": {**figures, "seconds": self.seconds},
        }


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
    menus: Regions
    seconds: float  #: time that the measures took
    overlaps: dict[int, Overlap] = field(default_factory=dict)  #: of the rows chosen so far

    def overlap(self, row: int) -> Overlap:
        """Overlap of a row with the menu."""
        if row not in self.overlaps:
            self.overlaps[row] = best_overlap(self.page, row, self.menus)
        return self.overlaps[row]


def _prepare(gold: GoldPage, base: MenuOptions, clock: Clock) -> _Prepared:
    page, start = gold.page, clock()
    values = properties(page, base.text_ratio_reading, base.menu_word_match)
    weighed = page.counted & page.element & (child_counts(page) > 0)
    table = np.array([values[name] for name in PROPERTIES])
    return _Prepared(page, table, weighed, menus_of(gold), clock() - start)


def grid_search(
    pages: Sequence[GoldPage],
    base: MenuOptions = PaperMenuOptions(),
    progress: Callable[[int, int], None] | None = None,
    clock: Clock = perf_counter,
) -> list[GridSetting]:
    """Every setting and its figures, best F1 first, of equals the fastest first.

    `progress` is given the weightings done and in all.
    """
    ready = [_prepare(gold, base, clock) for gold in pages if menus_of(gold)]
    table = weightings()
    settings = []
    for done, weighting in enumerate(table, 1):
        options = list(_options(base, weighting))
        figures = np.mean([_figures(page, weighting, options, clock) for page in ready], axis=0)
        scored = zip(options, figures.tolist(), strict=True)
        settings += [GridSetting(option, *each) for option, each in scored]
        if progress:
            progress(done, len(table))
    return sorted(settings, key=lambda setting: (-round(setting.f1, F1_DIGITS), setting.seconds))


def _options(base: MenuOptions, weighting: Floats) -> Iterator[MenuOptions]:
    weights: dict[str, Any] = {
        f"{name}_weight": round(float(w), 2) for name, w in zip(PROPERTIES, weighting, strict=True)
    }
    for menu, root in product(MENU_THRESHOLDS, ROOT_THRESHOLDS):
        yield replace(base, **weights, menu_threshold=menu, root_threshold=root)


def _figures(
    ready: _Prepared, weighting: Floats, options: list[MenuOptions], clock: Clock
) -> list[tuple[float, float, float, float]]:
    """Recall, precision, F1 and seconds of each pair of thresholds on one page.

    What several pairs share is computed once, and its time is added to each of them.
    """
    start = clock()
    weight = np.where(ready.weighed, weighting @ ready.values, -np.inf)
    rows, rule = find_candidates(ready.page, weight, options[0])
    shared = ready.seconds + clock() - start
    if not len(rows):
        return [_line(NO_OVERLAP, shared)] * len(options)
    roots: dict[float, tuple[Rows, float]] = {}
    for threshold in ROOT_THRESHOLDS:
        start = clock()
        found = find_roots(ready.page, weight, rows, threshold)
        roots[threshold] = found, shared + clock() - start
    lines = []
    for option in options:
        found, before = roots[option.root_threshold]
        start = clock()
        row = choose_root(ready.page, weight, found, rule, option).row
        lines.append(_line(ready.overlap(row), before + clock() - start))
    return lines


def _line(overlap: Overlap, seconds: float) -> tuple[float, float, float, float]:
    return overlap.recall, overlap.precision, overlap.f1, seconds


#: Columns of the paper's table of the best setting, and our names for them.
TABLE = {
    "menu": "menu_threshold", "root": "root_threshold", "amplitude": "amplitude_weight",
    "link": "link_ratio_weight", "text": "text_ratio_weight", "ul": "ul_ratio_weight",
    "representative": "representative_weight", "position": "position_weight",
}  # fmt: skip
PUBLISHED = ("published", 0.8, 0.7, 0.2, 0.1, 0.3, 0.2, 0.1, 0.1, 0.941, 0.9791, 0.9409, 4770.0)
BEST = 5  #: settings shown of the grid


def grid_table(settings: Sequence[GridSetting], pages: int) -> Figures:
    """The best settings as the paper's table has them, and the published one."""
    rows = [
        (
            str(place),
            *(getattr(setting.options, name) for name in TABLE.values()),
            *(setting.recall, setting.precision, setting.f1, setting.seconds * 1000),
        )
        for place, setting in enumerate(settings[:BEST], 1)
    ]
    columns = ("setting", *TABLE, "recall", "precision", "F1", "ms")
    note = "Best F1 first, of equals the fastest. ms: time of a page that is parsed."
    title = f"{len(settings):,} settings on {pages} pages"
    return Figures(title, columns, (*rows, PUBLISHED), (note,))
