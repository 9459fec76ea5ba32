"""Features of units: what an element with text is like, and how it stands to the records.

They are numbers for the trees of models/noise.npz; a change of name, order or meaning asks for
a new fit. Most of them are the same for every query and are worked out once.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.tree import nearest, sum_path
from pagelet.methods.noise_groups import ASKED, Columns, Groups, uneven
from pagelet.methods.noise_scored import count_pairs, scored_features
from pagelet.methods.noise_sheet import INSIDE, Sheet, marked
from pagelet.tags import BLOCK

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Lines = dict[str, NDArray[Any]]
Singles = NDArray[np.float32]  #: trees are faster on them

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
    def _listed(self) -> NDArray[np.bool_]:
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
