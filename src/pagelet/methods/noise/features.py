"""Features of units: what an element with text is like, and how it stands to the records.

They are numbers for the trees of noise.npz; a change of name, order or meaning asks for
a new fit. Most of them are the same for every query and are worked out once.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Ints, Mask, Singles
from pagelet.methods.noise.groups import ASKED, Columns, Groups, uneven
from pagelet.methods.noise.sheet import INSIDE, Sheet, marked
from pagelet.page.table import Page
from pagelet.page.tags import BLOCK
from pagelet.page.tree import nearest, sum_path

# -- Features of units that come from the scores of groups: the record around each, the best group


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


# -- Features of units: what an element with text is like, and how it stands to the records ---


Lines = dict[str, NDArray[Any]]

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
#: Features of places, by the name that the sheet has for the place.
PLACES = {
    "in_form": "in_control",
    "in_edge": "in_frame",
    "in_main": "in_main",
    "in_item": "in_item",
    "in_cell": "in_cell",
    "in_heading": "in_heading",
}
NEAR = ("chars", "in_link", "digit_ratio", "alike", "same_text", "said")
STEPS = (-2, -1, 1, 2)  #: neighbours that are looked at
HAVING = ("title", "price", "date", "stops")  #: how many of the units alike have any


def unit_features(
    sheet: Sheet, columns: Columns, sums: Columns, groups: Groups, scores: Floats
) -> tuple[Singles, tuple[str, ...]]:
    """All features, one line a unit; and their names."""
    return Units(sheet, columns, sums, groups).features(columns, sums, groups, scores)


@dataclass(frozen=True, eq=False)
class Units:
    """The units of a page, and what is known of them whatever the query."""

    sheet: Sheet
    columns: Columns
    sums: Columns
    groups: Groups

    def features(
        self, columns: Columns, sums: Columns, groups: Groups, scores: Floats
    ) -> tuple[Singles, tuple[str, ...]]:
        """The features for one query: those that are fixed, then all others."""
        names, fixed = self._fixed
        told = self._asked(columns, sums) | scored_features(self.sheet, sums, groups, scores)
        matrix = np.empty((len(names) + len(told), len(self.sheet.units)), np.float32)
        matrix[: len(names)] = fixed
        _fill(matrix[len(names) :], told.values())
        return matrix.T, (*names, *told)

    @cached_property
    def _fixed(self) -> tuple[tuple[str, ...], Singles]:
        told = self._text() | self._tree()
        told |= self._path.told(self, told, "path") | self._tags.told(self, told, "tags")
        told |= self._lists()
        told["alike"] = told["path_members"]
        told |= _moved({name: told[name] for name in NEAR})
        matrix = np.empty((len(told), len(self.sheet.units)), np.float32)
        _fill(matrix, told.values())
        return tuple(told), matrix

    @cached_property
    def _path(self) -> "_Alike":
        return _Alike.of(self.groups.signs[self.sheet.units])

    @cached_property
    def _tags(self) -> "_Alike":
        return _Alike.of(self.groups.tag_signs[self.sheet.units])

    def _asked(self, columns: Columns, sums: Columns) -> Lines:
        """What depends on the query."""
        told: Lines = {name: self._own(columns[name]) for name in ASKED}
        having = np.array([told[name] > 0 for name in ASKED])
        for name, alike in (("path", self._path), ("tags", self._tags)):
            means = alike.means(having)[:, alike.group]
            told |= {f"{name}_{each}": mean for each, mean in zip(ASKED, means, strict=True)}
        item = self._item
        told["list_query"] = np.where(item >= 0, sums["query"][item], -1)
        return told | _moved({"query": told["query"]})

    def _own(self, values: Floats) -> Floats:
        return self.sheet.per_unit(values[self.sheet.rows])

    def _text(self) -> Lines:
        """What the direct text of a unit is like."""
        sheet = self.sheet
        length = np.maximum(sheet.length, 1)
        digits, capitals, stops, commas, signs, money = sheet.kinds
        size = sheet.page.chars[sheet.rows]
        runs = sheet.per_unit(np.ones(len(sheet.rows)))
        return {
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
            "same_text": sheet.often[0],
            "same_shape": sheet.often[1],
            "page_units": np.full(len(length), len(length)),
            "title": self._own(self.columns["title"]),
            "said": self._own(self.columns["said"]),
        }

    def _tree(self) -> Lines:
        """Where a unit stands in the tree, and how dense the text is there."""
        sheet, page, units = self.sheet, self.sheet.page, self.sheet.units
        chars, inner, names = self.sums["chars"], self.sums["units"], self.columns["names"]
        above = np.maximum(page.parent[units], 0)
        higher = np.maximum(page.parent[above], 0)
        block = np.maximum(nearest(page.parent, page.is_tag(*BLOCK))[units], 0)
        before = np.cumsum(page.chars * page.counted)[units] / max(float(chars[page.body]), 1)
        told: Lines = dict(zip(TAGS, marked(TAGS, page.tag[units]), strict=True))
        places = list(INSIDE)
        told |= {name: sheet.around[places.index(of)][units] for name, of in PLACES.items()}
        told |= {
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
            told[f"{name}_chars"] = chars[rows]
            told[f"{name}_units"] = inner[rows]
            told[f"{name}_link_ratio"] = self.sums["link_chars"][rows] / np.maximum(chars[rows], 1)
        return told

    @cached_property
    def _listed(self) -> Mask:
        """Elements that stand among alike ones of their parent, and hold several units."""
        page, signs = self.sheet.page, self.groups.signs
        rows = np.flatnonzero(signs >= 0)
        pair = signs[rows] * (len(page) + 1) + page.parent[rows]
        _, place, count = np.unique(pair, return_inverse=True, return_counts=True)
        listed = np.zeros(len(page), np.bool_)
        listed[rows] = count[place] >= SIBLINGS
        return listed & (self.sums["units"] >= 2)

    @cached_property
    def _item(self) -> Ints:
        """The innermost element of a list around each unit, -1 without any."""
        return nearest(self.sheet.page.parent, self._listed)[self.sheet.units]

    def _lists(self) -> Lines:
        """The innermost list around each unit: alike elements of one parent, taken by path."""
        sheet, sums, page = self.sheet, self.sums, self.sheet.page
        items, item = np.flatnonzero(self._listed), self._item
        alike = _Alike.of(self.groups.signs[items])
        members = alike.count
        names = ("chars", "units", "links", "images", "link_chars")
        held = np.array([sums[name][items] for name in names])
        mean, units, links, images, link_chars = alike.means(held)
        square, units_square = alike.means(held[:2] ** 2)
        chars = mean * members
        share = chars / max(float(sums["chars"][page.body]), 1)
        made = {
            "members": members,
            "share": share,
            "most": share / max(float(share.max(initial=0)), 1e-9),
            "uneven": uneven(mean, square),
            "uneven_units": uneven(units, units_square),
            "units": units,
            "links": links,
            "images": images,
            "link_ratio": link_chars * members / np.maximum(chars, 1),
        }
        of_row = np.full(len(page) + 1, -1)
        of_row[items] = alike.group
        at = np.where(item >= 0, of_row[item], -1)
        found = np.full((len(made), len(members) + 1), -1.0)
        _fill(found[:, :-1], made.values())
        told: Lines = {f"list_{name}": each for name, each in zip(made, found[:, at], strict=True)}
        told["of_item"] = np.where(item >= 0, sheet.length / np.maximum(sums["chars"][item], 1), -1)
        return told


@dataclass(frozen=True, slots=True, eq=False)
class _Alike:
    """Units, or elements, with the same path."""

    group: Ints  #: of each
    count: Ints  #: how many there are, of each group; 1 for paths that none of them has

    @classmethod
    def of(cls, signs: Ints) -> "_Alike":
        """From the numbers of paths; -1 is one too."""
        return cls(signs + 1, np.maximum(np.bincount(signs + 1), 1))

    def means(self, lines: NDArray[Any]) -> Floats:
        """The mean of each line over each group."""
        places = self.group + len(self.count) * np.arange(len(lines))[:, None]
        size = len(lines) * len(self.count)
        total = np.bincount(places.ravel(), lines.ravel(), size).reshape(len(lines), -1)
        return np.asarray(total / self.count, np.float64)

    def distinct(self, numbers: Ints) -> Floats:
        """The share of different numbers among those of each group."""
        return count_pairs(self.group, numbers, len(self.count)) / self.count

    def told(self, units: Units, told: Mapping[str, NDArray[Any]], name: str) -> Lines:
        """What the units with the same path are like, taken together."""
        sheet, count, length = units.sheet, self.count, units.sheet.length
        size = max(len(sheet.page), 1)
        first, last = np.zeros(len(count)), np.zeros(len(count))
        first[self.group[::-1]], last[self.group] = sheet.units[::-1], sheet.units
        lines = [length, length**2, told["said"], told["digit_ratio"]]
        lines += [told[each] > 0 for each in HAVING]
        chars, square, said, digits, *having = self.means(np.array(lines))
        made = {
            "members": count,
            "chars": chars,
            "uneven": uneven(chars, square),
            "share": chars * count / max(float(length.sum()), 1),
            "first": first / size,
            "span": (last - first) / size,
            "gap": (last - first) / np.maximum(count - 1, 1),
            "said": said,
            "distinct_texts": self.distinct(sheet.same[0]),
            "distinct_shapes": self.distinct(sheet.same[1]),
            **dict(zip(HAVING, having, strict=True)),
            "digits": digits,
        }
        found = np.array(list(made.values()))[:, self.group]
        return {f"{name}_{each}": line for each, line in zip(made, found, strict=True)}


def _fill(matrix: NDArray[Any], lines: Iterable[NDArray[Any]]) -> None:
    for at, line in enumerate(lines):
        matrix[at] = line


def _moved(told: Lines) -> Lines:
    """The values of the units so many places on; -1 beyond the ends."""
    lines = np.array(list(told.values()))
    moved = np.full((len(STEPS), *lines.shape), -1.0)
    for into, step in zip(moved, STEPS, strict=True):
        if step > 0:
            into[:, :-step] = lines[:, step:]
        else:
            into[:, -step:] = lines[:, :step]
    return {
        f"{name}_at{step:+d}": moved[at, line]
        for line, name in enumerate(told)
        for at, step in enumerate(STEPS)
    }
