"""Features of units: what an element with text is like, and how it stands to the records.

They are numbers for the trees of models/noise.npz; a change of name, order or meaning asks for
a new fit.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.page import Page
from pagelet.columns.tree import nearest, sum_path
from pagelet.methods.noise_groups import Columns, Groups, uneven
from pagelet.methods.noise_sheet import Sheet
from pagelet.tags import BLOCK, HEADINGS, numbers

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

SHORT, BARE = 9, 2  #: characters below which a text must be a whole field, can be none
SIBLINGS = 3  #: alike elements of one parent that are a list
TAGS = {
    "is_link": "a",
    "is_heading": "h1 h2 h3 h4 h5 h6",
    "is_span": "span",
    "is_paragraph": "p",
    "is_item": "li",
    "is_cell": "td",
    "is_division": "div",
    "is_stressed": "b strong em i mark",
    "is_control": "button option select label input",
}
PLACES = {
    "in_form": "form select button label",
    "in_edge": "nav header footer aside",
    "in_main": "main article",
    "in_item": "li",
    "in_cell": "td",
}
NEAR = ("chars", "in_link", "digit_ratio", "query", "alike", "same_text", "said")
STEPS = (-2, -1, 1, 2)  #: neighbours that are looked at


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
    own[groups.rows[order]] = scores[groups.group[order]]
    which[groups.rows[order]] = groups.group[order]
    best, who = own.copy(), np.where(which >= 0, np.arange(len(page) + 1), -1)
    up, reach = np.append(page.parent, -1).astype(np.intp), 1
    while reach <= int(page.depth.max(initial=0)):
        higher = best[up] >= best
        who, best = np.where(higher, who[up], who), np.where(higher, best[up], best)
        up, reach = up[up], reach * 2
    record = who[units]
    chosen = int(np.argmax(scores)) if len(scores) else -1
    return Scored(best[units], record, np.where(record >= 0, which[record], -1), own[units], chosen)


def unit_features(
    sheet: Sheet, columns: Columns, sums: Columns, groups: Groups, scores: Floats
) -> tuple[Floats, tuple[str, ...]]:
    """All features, one line a unit."""
    found = best_records(sheet.page, sheet.units, groups, scores)
    told = _text(sheet, columns) | _tree(sheet, sums, columns["names"])
    told |= _alike(sheet, told, groups.signs[sheet.units], "path")
    told |= _alike(sheet, told, groups.tag_signs[sheet.units], "tags")
    told |= _lists(sheet, sums, groups)
    told |= _records(sheet, sums, found) | _against(sheet, groups, scores, found)
    told |= _coverage(sheet, groups, found)
    told["alike"] = told["path_members"]
    for name in NEAR:
        told |= {f"{name}_at{step:+d}": _moved(told[name], step) for step in STEPS}
    return np.stack(list(told.values()), axis=1), tuple(told)


def _moved(values: Floats, step: int) -> Floats:
    """The value of the unit so many places on; -1 beyond the ends."""
    moved = np.full(len(values), -1.0)
    if step > 0:
        moved[:-step] = values[step:]
    else:
        moved[-step:] = values[:step]
    return moved


def _text(sheet: Sheet, columns: Columns) -> Columns:
    """What the direct text of a unit is like."""
    length = np.maximum(sheet.length, 1)
    digits, capitals, stops, commas, signs, money = sheet.kinds
    size = sheet.page.chars[sheet.rows]
    runs = sheet.per_unit(np.ones(len(sheet.rows)))
    same, alike = sheet.same
    told: dict[str, NDArray[Any]] = {
        "chars": sheet.length,
        "runs": runs,
        "run_chars": sheet.length / runs,
        "short_ratio": sheet.per_unit(size < SHORT) / runs,
        "bare_ratio": sheet.per_unit(size < BARE) / runs,
        "digit_ratio": digits / length,
        "capital_ratio": capitals / length,
        "sign_ratio": (stops + commas + signs) / length,
        "stops": stops,
        "price": (money > 0) & (digits > 0),
        "date": sheet.dated,
        "same_text": np.bincount(same)[same].astype(np.float64),
        "same_shape": np.bincount(alike)[alike].astype(np.float64),
        "page_units": np.full(len(length), len(length)),
    }
    names = ("query", "phrase", "title", "said")
    told |= {name: sheet.per_unit(columns[name][sheet.rows]) for name in names}
    return {name: np.asarray(values, np.float64) for name, values in told.items()}


def _tree(sheet: Sheet, sums: Columns, names: Floats) -> Columns:
    """Where a unit stands in the tree, and how dense the text is there."""
    page, units, chars = sheet.page, sheet.units, sums["chars"]
    above = np.maximum(page.parent[units], 0)
    higher = np.maximum(page.parent[above], 0)
    block = np.maximum(nearest(page.parent, page.is_tag(*BLOCK))[units], 0)
    before = np.cumsum(page.chars * page.counted)[units] / max(float(chars[page.body]), 1)
    told: dict[str, NDArray[Any]] = {
        name: page.is_tag(*numbers(tags))[units] for name, tags in TAGS.items()
    }
    told |= {name: page.inside(page.is_tag(*numbers(tags)))[units] for name, tags in PLACES.items()}
    told |= {
        "in_link": page.link[units],
        "in_heading": page.inside(page.is_tag(*HEADINGS))[units],
        "hidden": page.hidden[units],
        "depth": page.depth[units],
        "place": before,
        "children": page.children[units],
        "subtree_chars": chars[units],
        "of_parent": sheet.length / np.maximum(chars[above], 1),
        "block_chars": chars[block],
        "of_block": sheet.length / np.maximum(chars[block], 1),
        "block_units": sums["units"][block],
        "own_names": names[units],
        "parent_names": names[above],
        "path_names": sum_path(page.end, names)[units],
    }
    for name, rows in (("parent", above), ("higher", higher)):
        told[f"{name}_chars"] = chars[rows]
        told[f"{name}_units"] = sums["units"][rows]
        told[f"{name}_link_ratio"] = sums["link_chars"][rows] / np.maximum(chars[rows], 1)
    return {name: np.asarray(values, np.float64) for name, values in told.items()}


def _alike(sheet: Sheet, told: Columns, signs: Ints, name: str) -> Columns:
    """What the units with the same path are like, taken together."""
    _, group, count = np.unique(signs, return_inverse=True, return_counts=True)
    units, size, length = sheet.units, max(len(sheet.page), 1), sheet.length

    def mean(values: Floats) -> Floats:
        return np.bincount(group, values, len(count)) / count

    first, last = np.full(len(count), size), np.zeros(len(count), np.intp)
    np.minimum.at(first, group, units)
    np.maximum.at(last, group, units)
    chars = mean(length)
    made = {
        "members": count.astype(np.float64),
        "chars": chars,
        "uneven": uneven(chars, mean(length**2)),
        "share": chars * count / max(float(length.sum()), 1),
        "first": first / size,
        "span": (last - first) / size,
        "gap": (last - first) / np.maximum(count - 1, 1),
        "said": mean(told["said"]),
    }
    for at, kind in zip(sheet.same, ("texts", "shapes"), strict=True):
        pairs = np.unique(group * (len(units) + 1) + at) // (len(units) + 1)
        made[f"distinct_{kind}"] = np.bincount(pairs, minlength=len(count)) / count
    for each in ("query", "phrase", "title", "price", "date", "stops"):
        made[each] = mean((told[each] > 0).astype(np.float64))
    made["digits"] = mean(told["digit_ratio"])
    return {f"{name}_{each}": values[group] for each, values in made.items()}


def _lists(sheet: Sheet, sums: Columns, groups: Groups) -> Columns:
    """The innermost list around each unit: alike elements of one parent, taken by their path."""
    page, units = sheet.page, sheet.units
    rows = np.flatnonzero(groups.signs >= 0)
    pair = groups.signs[rows] * (len(page) + 1) + page.parent[rows]
    _, place, count = np.unique(pair, return_inverse=True, return_counts=True)
    listed = np.zeros(len(page), np.bool_)
    listed[rows] = count[place] >= SIBLINGS
    listed &= sums["units"] >= 2
    items = np.flatnonzero(listed)
    item = nearest(page.parent, listed)[units]
    _, group, members = np.unique(groups.signs[items], return_inverse=True, return_counts=True)
    of_row = np.full(len(page) + 1, -1)
    of_row[items] = group

    def mean(name: str, power: int = 1) -> Floats:
        return np.bincount(group, sums[name][items] ** power, len(members)) / members

    chars = mean("chars") * members
    share = chars / max(float(sums["chars"][page.body]), 1)
    made = {
        "members": members.astype(np.float64),
        "share": share,
        "most": share / max(float(share.max(initial=0)), 1e-9),
        "uneven": uneven(mean("chars"), mean("chars", 2)),
        "uneven_units": uneven(mean("units"), mean("units", 2)),
        "units": mean("units"),
        "links": mean("links"),
        "images": mean("images"),
        "link_ratio": mean("link_chars") * members / np.maximum(chars, 1),
    }
    at = np.where(item >= 0, of_row[item], -1)
    told = {f"list_{name}": np.append(values, -1.0)[at] for name, values in made.items()}
    told["list_query"] = np.where(item >= 0, sums["query"][item], -1)
    told["of_item"] = np.where(item >= 0, sheet.length / np.maximum(sums["chars"][item], 1), -1)
    return told


def _records(sheet: Sheet, sums: Columns, found: Scored) -> Columns:
    """How a unit stands in the record that holds it."""
    page, units, record = sheet.page, sheet.units, np.maximum(found.record, 0)
    unit = np.zeros(len(page))
    unit[units] = 1
    before = np.cumsum(unit) - unit
    order = np.arange(len(units)) - before[record]
    longest = np.zeros(len(page))
    np.maximum.at(longest, record, sheet.length)
    told = {
        "record_chars": sums["chars"][record],
        "record_units": sums["units"][record],
        "record_order": order,
        "record_rest": sums["units"][record] - order,
        "record_depth": (page.depth[units] - page.depth[record]).astype(np.float64),
        "of_record": sheet.length / np.maximum(sums["chars"][record], 1),
        "of_longest": sheet.length / np.maximum(longest[record], 1),
        "record_query": sums["query"][record],
        "record_title": sums["title"][record],
    }
    return {name: np.where(found.record >= 0, values, -1) for name, values in told.items()}


def _against(sheet: Sheet, groups: Groups, scores: Floats, found: Scored) -> Columns:
    """How a unit and its group stand to the best group of the page."""
    page, units = sheet.page, sheet.units
    rows = groups.rows[groups.group == found.chosen] if found.chosen >= 0 else units[:0]
    first = int(rows.min()) if len(rows) else 0
    last = int(page.end[rows].max()) if len(rows) else 0
    high = np.sort(scores)[::-1]
    told = {
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
    return {name: np.asarray(values, np.float64) for name, values in told.items()}


def _coverage(sheet: Sheet, groups: Groups, found: Scored) -> Columns:
    """In how many records of its group a unit's path is found, and how often in each."""
    size = len(sheet.page) + 1
    _, sign, count = np.unique(groups.signs[sheet.units], return_inverse=True, return_counts=True)
    pairs = np.unique(sign * size + np.maximum(found.record, 0)) // size
    records = np.bincount(pairs, minlength=len(count))
    members = np.append(np.bincount(groups.group, minlength=groups.count), 1)[found.group]
    return {
        "coverage": np.where(found.record >= 0, records[sign] / np.maximum(members, 1), -1),
        "per_record": np.where(found.record >= 0, count[sign] / np.maximum(records[sign], 1), -1),
    }
