"""Features of units that come from the scores of groups: the record around each, the best group."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.page import Page
from pagelet.methods.noise_groups import Columns, Groups
from pagelet.methods.noise_sheet import Sheet

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """For each unit the group above it that looks most like the records."""

    best: Floats  #: the score of that group; -1 without any
    record: Ints  #: the element of the group that holds the unit, -1 without any
    group: Ints
    own: Floats  #: the best score of the unit's own groups
    chosen: int  #: the best group of the page, -1 without any


def best_records(page: Page, units: Ints, groups: Groups, scores: Floats) -> Scored:
    """Look above every unit for the best group; of equal ones the outermost."""
    own, which = np.full(len(page) + 1, -1.0), np.full(len(page) + 1, -1)
    order = np.argsort(scores[groups.group], kind="stable")  # the best is written last
    rows, group = groups.rows[order], groups.group[order]
    own[rows] = scores[group]
    which[rows] = group
    best, who = own, np.where(which >= 0, np.arange(len(page) + 1), -1)
    up, reach, depth = np.append(page.parent, -1).astype(np.intp), 1, int(page.depth.max(initial=0))
    while reach <= depth:
        above = best[up]
        higher = above >= best
        who, best = np.where(higher, who[up], who), np.where(higher, above, best)
        up, reach = up[up], reach * 2
    record = who[units]
    chosen = int(np.argmax(scores)) if len(scores) else -1
    return Scored(best[units], record, np.where(record >= 0, which[record], -1), own[units], chosen)


def scored_features(
    sheet: Sheet, sums: Columns, groups: Groups, scores: Floats
) -> dict[str, NDArray[Any]]:
    """All features that come from the scores."""
    found = best_records(sheet.page, sheet.units, groups, scores)
    told = _records(sheet, sums, found) | _coverage(sheet, groups, found)
    told = {name: np.where(found.record >= 0, values, -1) for name, values in told.items()}
    return told | _against(sheet, groups, scores, found)


def _records(sheet: Sheet, sums: Columns, found: Scored) -> dict[str, NDArray[Any]]:
    """How a unit stands in the record that holds it."""
    page, units, record = sheet.page, sheet.units, np.maximum(found.record, 0)
    order = np.arange(len(units)) - np.searchsorted(units, record)
    longest = np.zeros(len(page))
    np.maximum.at(longest, record, sheet.length)
    chars, inner = sums["chars"][record], sums["units"][record]
    return {
        "record_chars": chars,
        "record_units": inner,
        "record_order": order,
        "record_rest": inner - order,
        "record_depth": page.depth[units] - page.depth[record],
        "of_record": sheet.length / np.maximum(chars, 1),
        "of_longest": sheet.length / np.maximum(longest[record], 1),
        "record_query": sums["query"][record],
        "record_title": sums["title"][record],
    }


def _coverage(sheet: Sheet, groups: Groups, found: Scored) -> dict[str, NDArray[Any]]:
    """In how many records of its group a unit's path is found, and how often in each."""
    sign = groups.signs[sheet.units] + 1  # a unit in no group has -1
    count = np.bincount(sign)
    records = count_pairs(sign, np.maximum(found.record, 0), len(count))[sign]
    members = np.append(np.bincount(groups.group, minlength=groups.count), 1)[found.group]
    return {
        "coverage": records / np.maximum(members, 1),
        "per_record": count[sign] / np.maximum(records, 1),
    }


def count_pairs(group: Ints, numbers: Ints, groups: int) -> Ints:
    """How many different numbers each group has."""
    size = int(numbers.max(initial=0)) + 1
    pairs = np.sort(group * size + numbers)
    new = np.ones(len(pairs), np.bool_)
    new[1:] = pairs[1:] != pairs[:-1]
    return np.bincount(pairs[new] // size, minlength=groups)


def _against(
    sheet: Sheet, groups: Groups, scores: Floats, found: Scored
) -> dict[str, NDArray[Any]]:
    """How a unit and its group stand to the best group of the page."""
    page, units = sheet.page, sheet.units
    rows = groups.rows[groups.group == found.chosen] if found.chosen >= 0 else units[:0]
    first = int(rows.min()) if len(rows) else 0
    last = int(page.end[rows].max()) if len(rows) else 0
    high = np.sort(scores)[::-1]
    return {
        "score": found.best,
        "own_score": found.own,
        "score_ratio": found.best / max(float(high[:1].sum()), 1e-9),
        "best_score": np.full(len(units), high[:1].sum()),
        "next_score": np.full(len(units), high[1:2].sum()),
        "is_best": found.group == found.chosen,
        "in_best": page.inside(rows)[units],
        "before_best": units < first,
        "after_best": units >= last,
    }
