"""Features of units: an element with text by itself, and in relation to the records.

They are the input of the trees of noise.npz; a change of name, order or meaning needs a new fit.
Most of them are the same for every query and are computed once.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet import core
from pagelet.arrays import Floats, Ints, Mask
from pagelet.methods.noise.groups import QUERY_COLUMNS, Columns, Groups, variation
from pagelet.methods.noise.sheet import PLACES, TextSheet, mark_tags
from pagelet.models.features import Features, FeatureTable
from pagelet.page.equal import count_equal
from pagelet.page.table import Page
from pagelet.page.tags import BLOCK
from pagelet.page.tree import nearest, sum_path

# Features that come from the scores of groups: the record around each unit, the best group


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


def scored_features(sheet: TextSheet, sums: Columns, groups: Groups, scores: Floats) -> Features:
    """All features that come from the scores of groups."""
    best = best_records(sheet.page, sheet.units, groups, scores)
    inner = _record_features(sheet, sums, best) | _coverage_features(sheet, groups, best)
    inner = {name: np.where(best.record >= 0, values, -1) for name, values in inner.items()}
    return inner | _best_group_features(sheet, groups, scores, best)


def _record_features(sheet: TextSheet, sums: Columns, best: BestRecords) -> Features:
    """How a unit stands in the record that holds it."""
    page, units, record = sheet.page, sheet.units, np.maximum(best.record, 0)
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


def _coverage_features(sheet: TextSheet, groups: Groups, best: BestRecords) -> Features:
    """In how many records of its group a unit's path occurs, and how often in each."""
    path = groups.path[sheet.units] + 1  # a unit in no group has -1
    count = np.bincount(path)
    records = count_pairs(path, np.maximum(best.record, 0), len(count))[path]
    members = np.append(np.bincount(groups.group, minlength=groups.count), 1)[best.group]
    return {
        "coverage": records / np.maximum(members, 1),
        "per_record": count[path] / np.maximum(records, 1),
    }


def count_pairs(group: Ints, numbers: Ints, groups: int) -> Ints:
    """The number of distinct numbers in each group."""
    size = int(numbers.max(initial=0)) + 1
    pairs = np.sort(group * size + numbers)
    new = np.ones(len(pairs), np.bool_)
    new[1:] = pairs[1:] != pairs[:-1]
    return np.bincount(pairs[new] // size, minlength=groups)


def _best_group_features(
    sheet: TextSheet, groups: Groups, scores: Floats, best: BestRecords
) -> Features:
    """How a unit and its group stand to the best group of the page."""
    page, units = sheet.page, sheet.units
    rows = groups.rows[groups.group == best.chosen] if best.chosen >= 0 else units[:0]
    first = int(rows.min()) if len(rows) else 0
    last = int(page.end[rows].max()) if len(rows) else 0
    high = np.sort(scores)[::-1]
    return {
        "score": best.best,
        "own_score": best.own,
        "score_ratio": best.best / max(float(high[:1].sum()), 1e-9),
        "best_score": high[:1].sum(),
        "next_score": high[1:2].sum(),
        "is_best": best.group == best.chosen,
        "in_best": page.inside(rows)[units],
        "before_best": units < first,
        "after_best": units >= last,
    }


# Features of a unit by itself, of the units like it, and of its neighbours

SHORT_CHARS, BARE_CHARS = 9, 2  #: characters below which a text is short, is hardly a field
MIN_LIST_ITEMS = 3  #: elements with the same path and parent that are a list
UNIT_TAGS = {
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
#: Features of places, and the name of each place in the sheet.
UNIT_PLACES = {
    "in_form": "in_control",
    "in_edge": "in_frame",
    "in_main": "in_main",
    "in_item": "in_item",
    "in_cell": "in_cell",
    "in_heading": "in_heading",
}
#: Features that are read from neighbouring units too.
NEIGHBOUR_FEATURES = ("chars", "in_link", "digit_ratio", "alike", "same_text", "said")
NEIGHBOUR_STEPS = (-2, -1, 1, 2)  #: distances of the neighbours
PRESENT_FEATURES = ("title", "price", "date", "stops")  #: how many units with one path have any


@dataclass(frozen=True, eq=False)
class Units:
    """The units of a page, and their features that do not depend on the query."""

    sheet: TextSheet
    columns: Columns
    sums: Columns
    groups: Groups

    def features(
        self, columns: Columns, sums: Columns, groups: Groups, scores: Floats
    ) -> FeatureTable:
        """All features for one query; those that do not depend on it come first."""
        changing = self._query_features(columns, sums)
        return self._fixed.extended(changing | scored_features(self.sheet, sums, groups, scores))

    @cached_property
    def _fixed(self) -> FeatureTable:
        features = self._text_features() | self._tree_features()
        paths = self._path.features(self.sheet, features, "path")
        features |= paths | self._tags.features(self.sheet, features, "tags")
        features |= self._list_features()
        features["alike"] = features["path_members"]
        features |= _neighbour_features({name: features[name] for name in NEIGHBOUR_FEATURES})
        return FeatureTable.of(features, len(self.sheet.units))

    @cached_property
    def _path(self) -> "_SamePath":
        return _SamePath.of(self.groups.path[self.sheet.units])

    @cached_property
    def _tags(self) -> "_SamePath":
        return _SamePath.of(self.groups.tag_path[self.sheet.units])

    def _query_features(self, columns: Columns, sums: Columns) -> Features:
        """Features that depend on the query."""
        features: Features = {name: self._own(columns[name]) for name in QUERY_COLUMNS}
        having = np.array([features[name] > 0 for name in QUERY_COLUMNS])
        for kind, paths in (("path", self._path), ("tags", self._tags)):
            means = paths.means(having)[:, paths.group]
            names = (f"{kind}_{name}" for name in QUERY_COLUMNS)
            features |= dict(zip(names, means, strict=True))
        item = self._item
        features["list_query"] = np.where(item >= 0, sums["query"][item], -1)
        return features | _neighbour_features({"query": features["query"]})

    def _own(self, values: Floats) -> Floats:
        return self.sheet.per_unit(values[self.sheet.rows])

    def _text_features(self) -> Features:
        """Features of the direct text of a unit."""
        sheet = self.sheet
        length = np.maximum(sheet.length, 1)
        digits, capitals, stops, commas, signs, money = sheet.kinds
        size = sheet.page.chars[sheet.rows]
        runs = sheet.per_unit(np.ones(len(sheet.rows)))
        return {
            "chars": sheet.length,
            "runs": runs,
            "run_chars": sheet.length / runs,
            "short_ratio": sheet.per_unit(size < SHORT_CHARS) / runs,
            "bare_ratio": sheet.per_unit(size < BARE_CHARS) / runs,
            "digit_ratio": digits / length,
            "capital_ratio": capitals / length,
            "sign_ratio": (stops + commas + signs) / length,
            "stops": stops,
            "price": (money > 0) & (digits > 0),
            "date": sheet.dated,
            "same_text": sheet.repetitions[0],
            "same_shape": sheet.repetitions[1],
            "page_units": len(length),
            "title": self._own(self.columns["title"]),
            "said": self._own(self.columns["said"]),
        }

    def _tree_features(self) -> Features:
        """Where a unit stands in the tree, and how dense the text is there."""
        sheet, page, units = self.sheet, self.sheet.page, self.sheet.units
        chars, inner, names = self.sums["chars"], self.sums["units"], self.columns["names"]
        above = np.maximum(page.parent[units], 0)
        higher = np.maximum(page.parent[above], 0)
        block = np.maximum(nearest(page.parent, page.is_tag(*BLOCK))[units], 0)
        before = np.cumsum(page.chars * page.counted)[units] / max(float(chars[page.body]), 1)
        features: Features = dict(
            zip(UNIT_TAGS, mark_tags(UNIT_TAGS, page.tag[units]), strict=True)
        )
        inside = dict(zip(PLACES, sheet.inside, strict=True))
        features |= {name: inside[place][units] for name, place in UNIT_PLACES.items()}
        features |= {
            "in_link": page.link[units],
            "hidden": page.hidden[units],
            "depth": page.depth[units],
            "place": before,
            "children": page.children[units],
            "subtree_chars": chars[units],
            "of_parent": sheet.length / np.maximum(chars[above], 1),
            "block_chars": chars[block],
            "of_block": sheet.length / np.maximum(chars[block], 1),
            "block_units": inner[block],
            "own_names": names[units],
            "parent_names": names[above],
            "path_names": sum_path(page.end, names)[units],
        }
        for name, rows in (("parent", above), ("higher", higher)):
            links = self.sums["link_chars"][rows]
            features[f"{name}_chars"] = chars[rows]
            features[f"{name}_units"] = inner[rows]
            features[f"{name}_link_ratio"] = links / np.maximum(chars[rows], 1)
        return features

    @cached_property
    def _listed(self) -> Mask:
        """Elements with several units and with siblings of the same path."""
        page, path = self.sheet.page, self.groups.path
        rows = np.flatnonzero(path >= 0)
        pair = path[rows] * (len(page) + 1) + page.parent[rows]
        listed = np.zeros(len(page), np.bool_)
        listed[rows] = count_equal(pair.astype(np.uint64)) >= MIN_LIST_ITEMS
        return listed & (self.sums["units"] >= 2)

    @cached_property
    def _item(self) -> Ints:
        """The innermost list item around each unit, -1 without any."""
        return nearest(self.sheet.page.parent, self._listed)[self.sheet.units]

    def _list_features(self) -> Features:
        """Features of the innermost list around each unit; its items have one path and parent."""
        sheet, sums, page = self.sheet, self.sums, self.sheet.page
        items, item = np.flatnonzero(self._listed), self._item
        paths = _SamePath.of(self.groups.path[items])
        members = paths.count
        names = ("chars", "units", "links", "images", "link_chars")
        held = np.array([sums[name][items] for name in names])
        mean, units, links, images, link_chars = paths.means(held)
        square, units_square = paths.means(held[:2] ** 2)
        chars = mean * members
        share = chars / max(float(sums["chars"][page.body]), 1)
        lists = {
            "list_members": members,
            "list_share": share,
            "list_most": share / max(float(share.max(initial=0)), 1e-9),
            "list_uneven": variation(mean, square),
            "list_uneven_units": variation(units, units_square),
            "list_units": units,
            "list_links": links,
            "list_images": images,
            "list_link_ratio": link_chars * members / np.maximum(chars, 1),
        }
        of_row = np.full(len(page) + 1, -1)
        of_row[items] = paths.group
        at = np.where(item >= 0, of_row[item], -1)
        features = {name: np.append(values, -1.0)[at] for name, values in lists.items()}
        of_item = sheet.length / np.maximum(sums["chars"][item], 1)
        return features | {"of_item": np.where(item >= 0, of_item, -1)}


@dataclass(frozen=True, slots=True, eq=False)
class _SamePath:
    """Units, or elements, grouped by their paths."""

    group: Ints  #: the group of each unit
    count: Ints  #: members of each group; 1 for paths that no unit has

    @classmethod
    def of(cls, path: Ints) -> "_SamePath":
        """From the numbers of paths; -1 is one too."""
        return cls(path + 1, np.maximum(np.bincount(path + 1), 1))

    def means(self, lines: NDArray[Any]) -> Floats:
        """The mean of each line over each group."""
        places = self.group + len(self.count) * np.arange(len(lines))[:, None]
        size = len(lines) * len(self.count)
        total = np.bincount(places.ravel(), lines.ravel(), size).reshape(len(lines), -1)
        return np.asarray(total / self.count, np.float64)

    def distinct(self, numbers: Ints) -> Floats:
        """The share of distinct numbers in each group."""
        return count_pairs(self.group, numbers, len(self.count)) / self.count

    def features(self, sheet: TextSheet, own: Features, kind: str) -> Features:
        """Features of all units with one path taken together; `own` are those of each unit."""
        count, length, size = self.count, sheet.length, max(len(sheet.page), 1)
        first, last = np.zeros(len(count)), np.zeros(len(count))
        first[self.group[::-1]], last[self.group] = sheet.units[::-1], sheet.units
        lines = [length, length**2, own["said"], own["digit_ratio"]]
        lines += [own[name] > 0 for name in PRESENT_FEATURES]
        chars, square, weight, digits, *present = self.means(np.array(lines))
        together = {
            "members": count,
            "chars": chars,
            "uneven": variation(chars, square),
            "share": chars * count / max(float(length.sum()), 1),
            "first": first / size,
            "span": (last - first) / size,
            "gap": (last - first) / np.maximum(count - 1, 1),
            "said": weight,
            "distinct_texts": self.distinct(sheet.text_numbers[0]),
            "distinct_shapes": self.distinct(sheet.text_numbers[1]),
            **dict(zip(PRESENT_FEATURES, present, strict=True)),
            "digits": digits,
        }
        values = np.array(list(together.values()))[:, self.group]
        return {f"{kind}_{name}": line for name, line in zip(together, values, strict=True)}


def _neighbour_features(features: Features) -> Features:
    """The features of the units so many places before or behind; -1 beyond the ends."""
    lines = np.array(list(features.values()))
    moved = np.full((len(NEIGHBOUR_STEPS), *lines.shape), -1.0)
    for into, step in zip(moved, NEIGHBOUR_STEPS, strict=True):
        if step > 0:
            into[:, :-step] = lines[:, step:]
        else:
            into[:, -step:] = lines[:, :step]
    return {
        f"{name}_at{step:+d}": moved[at, line]
        for line, name in enumerate(features)
        for at, step in enumerate(NEIGHBOUR_STEPS)
    }
