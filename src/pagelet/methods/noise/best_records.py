"""The record around each unit: its element in the group above it that looks most like records."""

from dataclasses import dataclass

import numpy as np

from pagelet import core
from pagelet.arrays import Floats, Ints
from pagelet.methods.noise.groups import Groups
from pagelet.page.table import Page


@dataclass(frozen=True, slots=True, eq=False)
class BestRecords:
    """For each unit the group above it that looks most like the records."""

    best: Floats  #: the score of that group; -1 without any
    record: Ints  #: the element of the group that holds the unit, -1 without any
    group: Ints  #: the number of that group, -1 without any
    own: Floats  #: the best score of the unit's own groups
    chosen: int  #: the best group of the page, -1 without any


def best_records(page: Page, units: Ints, groups: Groups, scores: Floats) -> BestRecords:
    """Find the best group above every unit; of equal ones the outermost."""
    own, which = np.full(len(page) + 1, -1.0), np.full(len(page) + 1, -1)
    order = np.argsort(scores[groups.group], kind="stable")  # the best is written last
    rows, group = groups.rows[order], groups.group[order]
    own[rows] = scores[group]
    which[rows] = group
    best, who = _best_above(page, own, np.where(which >= 0, np.arange(len(page) + 1), -1))
    record = who[units]
    chosen = int(np.argmax(scores)) if len(scores) else -1
    return BestRecords(
        best[units], record, np.where(record >= 0, which[record], -1), own[units], chosen
    )


def _best_above(page: Page, own: Floats, who: Ints) -> tuple[Floats, Ints]:
    """The best value at or above each row, and whose it is; of equal ones the outermost.

    The last value stands above all rows.
    """
    if core.compiled:
        best, whose = own.copy(), who.copy()
        if core.kernels.take_best(page.parent, best, whose):
            return best, whose
    best, up, reach = own, np.append(page.parent, -1).astype(np.intp), 1
    while reach <= int(page.depth.max(initial=0)) + 1:
        above = best[up]
        higher = above >= best
        who, best = np.where(higher, who[up], who), np.where(higher, above, best)
        up, reach = up[up], reach * 2
    return best, who
