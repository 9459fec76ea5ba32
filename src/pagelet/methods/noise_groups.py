"""Groups of elements that a template made alike: which of them are the records of a page.

Elements with one path of tags and class names are a group, and so are those with one path of
tags. A learned model says of each group how well its texts would cover the records.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.page import Page
from pagelet.columns.tree import sum_path
from pagelet.measures.signatures import grouped, own_signs, path_signs
from pagelet.methods.noise_sheet import Sheet
from pagelet.tags import numbers

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Columns = dict[str, Floats]

FEWEST = 2  #: elements of a group
VARYING = ("chars", "texts", "rows", "links")  #: counts whose evenness is told
PRESENT = ("query", "phrase", "title", "links", "images", "long", "headings")  #: asked of each
SHARED = ("chars", "texts", "query", "phrase", "title")  #: of the page's, how much the group has
OF_TEXTS = ("fresh", "kinds", "long", "digits", "hidden", "said")  #: of the group's texts
COMPARED = ("chars_share", "query_share", "texts_share", "members")  #: with the page's largest
PLACES = {
    "in_edge": "nav header footer aside select",
    "in_main": "main article",
    "in_form": "form",
}
KINDS = {
    "is_item": "li",
    "is_line": "tr",
    "is_cell": "td th dd",
    "is_division": "div section article",
    "is_link": "a",
    "is_inline": "p span b em strong i",
    "is_choice": "option",
}


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """The groups of a page; a row may be in one of each family."""

    rows: Ints  #: rows of members, family by family
    group: Ints  #: the group of each entry of `rows`
    features: Floats  #: a line a group
    names: tuple[str, ...]
    signs: Ints  #: for each row of the page, the number of its path of tags and class names
    tag_signs: Ints  #: the same by tags alone

    @property
    def count(self) -> int:
        """How many groups there are."""
        return len(self.features)


def subtree_sums(page: Page, columns: Mapping[str, Floats]) -> Columns:
    """Sums of all columns over all subtrees."""
    stacked = np.zeros((len(columns), len(page) + 1))
    for line, values in zip(stacked, columns.values(), strict=True):
        np.cumsum(values, out=line[1:])
    return dict(zip(columns, stacked[:, page.end] - stacked[:, :-1], strict=True))


def find_groups(sheet: Sheet, columns: Columns, sums: Columns) -> Groups:
    """All groups of elements with text, and what is known of each."""
    page = sheet.page
    inside = page.element & page.counted & (sums["texts"] > 0)
    inside[: page.body + 1] = False
    rows = np.flatnonzero(inside)
    whole = {name: float(column.sum()) for name, column in columns.items()}
    about = _about(page, sums, columns["names"])
    parts, members, groups, signs, first = [], [], [], [], 0
    if not len(rows):
        return Groups(rows, rows, np.zeros((0, 0)), (), *np.full((2, len(page)), -1))
    for family, classes in enumerate((True, False)):
        group, count = grouped(path_signs(page, own_signs(page, classes=classes))[rows])
        number = np.full(len(page), -1)
        number[rows] = group
        signs.append(number)
        found = _Family(page, rows, group, count, sums)
        kept = count >= FEWEST
        told = {"family": np.full(len(count), family), **found.told(about, whole)}
        told = {name: np.asarray(values, np.float64)[kept] for name, values in told.items()}
        parts.append(told | _compared(told) | _of_page(whole, page, int(kept.sum())))
        place, chosen = np.cumsum(kept) - 1 + first, kept[group]
        members.append(rows[chosen])
        groups.append(place[group][chosen])
        first += int(kept.sum())
    names = tuple(parts[0])
    features = np.concatenate([np.stack([part[name] for name in names], axis=1) for part in parts])
    return Groups(np.concatenate(members), np.concatenate(groups), features, names, *signs)


def _about(page: Page, sums: Columns, names: Floats) -> Columns:
    """What is asked of each member: its subtree's sums, where it stands, what it is."""
    about = {f"mean_{name}": values for name, values in sums.items()}
    about |= {f"has_{name}": (sums[name] > 0).astype(np.float64) for name in PRESENT}
    about |= {
        name: page.inside(page.is_tag(*numbers(tags))).astype(np.float64)
        for name, tags in PLACES.items()
    }
    about |= {name: page.is_tag(*numbers(tags)).astype(np.float64) for name, tags in KINDS.items()}
    return about | {
        "depth": page.depth.astype(np.float64),
        "own_names": names,
        "path_names": sum_path(page.end, names),
    }


@dataclass(frozen=True, eq=False)
class _Family:
    """Groups by one kind of path."""

    page: Page
    rows: Ints
    group: Ints
    count: Ints
    sums: Columns

    def total(self, values: Floats) -> Floats:
        """Sum over the members of each group; the last axis is that of the members."""
        return np.asarray(np.add.reduceat(values[..., self.order], self.begin, axis=-1), np.float64)

    @cached_property
    def order(self) -> Ints:
        """Places of the members, group by group, in document order."""
        return np.argsort(self.group, kind="stable")

    @cached_property
    def begin(self) -> Ints:
        """Where each group begins in that order."""
        return np.cumsum(self.count) - self.count

    def told(self, about: Columns, whole: Mapping[str, float]) -> Columns:
        """Features of all groups."""
        lines = self.total(np.stack([values[self.rows] for values in about.values()])) / self.count
        mean = dict(zip(about, lines, strict=True))
        total = {name: mean[f"mean_{name}"] * self.count for name in self.sums}
        told = {"members": self.count.astype(np.float64), **mean}
        for name in VARYING:
            square = self.total(self.sums[name][self.rows] ** 2) / self.count
            told[f"uneven_{name}"] = uneven(mean[f"mean_{name}"], square)
        told |= {f"{name}_share": total[name] / max(whole[name], 1) for name in SHARED}
        told |= {f"{name}_ratio": total[name] / np.maximum(total["texts"], 1) for name in OF_TEXTS}
        told["link_ratio"] = total["link_chars"] / np.maximum(total["chars"], 1)
        return told | self._placed(total) | self._parents(total)

    def _placed(self, total: Columns) -> Columns:
        """Where the groups begin and end, and how evenly their members follow each other."""
        page, groups, size = self.page, len(self.count), max(len(self.page), 1)
        rows, line = self.rows[self.order], self.group[self.order]
        first, last = rows[self.begin], np.maximum.reduceat(page.end[rows], self.begin)
        step = np.diff(rows)
        same = line[1:] == line[:-1]
        gaps = np.maximum(self.count - 1, 1)
        mean = np.bincount(line[1:][same], step[same], groups) / gaps
        square = np.bincount(line[1:][same], step[same].astype(np.float64) ** 2, groups) / gaps
        return {
            "first": first / size,
            "last": last / size,
            "filled": total["rows"] / np.maximum(last - first, 1),
            "gap": mean,
            "uneven_gap": np.where(self.count > 2, uneven(mean, square), -1),
        }

    def _parents(self, total: Columns) -> Columns:
        """How many parents the members have, and how much of their text the members hold."""
        above = self.page.parent[self.rows]
        pairs = np.unique(self.group * (len(self.page) + 1) + above)
        parents = np.bincount(pairs // (len(self.page) + 1), minlength=len(self.count))
        held = self.total(self.sums["chars"][above]) / self.count * parents
        members = np.zeros(len(self.page))
        members[self.rows] = self.count[self.group]
        return {
            "per_parent": self.count / parents,
            "of_parent": total["chars"] / np.maximum(held, 1),
            "parent_members": self.total(members[above]) / self.count,
        }


def uneven(mean: Floats, square: Floats) -> Floats:
    """Standard deviation over mean, from the mean and the mean square."""
    return np.sqrt(np.maximum(square - mean**2, 0)) / np.maximum(mean, 1e-9)


def _compared(told: Columns) -> Columns:
    """Features compared with the largest of the family."""
    return {
        f"most_{name}": told[name] / max(float(told[name].max(initial=0)), 1e-9)
        for name in COMPARED
    }


def _of_page(whole: Mapping[str, float], page: Page, groups: int) -> Columns:
    """Features of the page, the same for every group."""
    told = {f"page_{name}": whole[name] for name in SHARED}
    told["page_link_ratio"] = whole["link_chars"] / max(whole["chars"], 1)
    told["page_rows"] = len(page)
    return {name: np.full(groups, value) for name, value in told.items()}
