"""Groups of elements that a template made alike: which of them are the records of a page.

Elements with one path of tags and class names are a group, and so are those with one path of
tags. A learned model says of each group how well its texts would cover the records.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Hashes, Ints, Singles
from pagelet.methods.noise.sheet import INSIDE, Sheet, marked
from pagelet.page.table import Page
from pagelet.page.tree import sum_path

Columns = dict[str, Floats]

FEWEST = 2  #: elements of a group
ASKED = ("query", "phrase")  #: columns that change with the query
SUMMED = (
    "chars", "texts", "units", "link_chars", "links", "images", "headings", "fresh", "kinds",
    "long", "very_long", "digits", "hidden", "rows", *ASKED, "title", "names", "said",
)  # fmt: skip
VARYING = ("chars", "texts", "rows", "links")  #: counts whose evenness is told
PRESENT = ("query", "phrase", "title", "links", "images", "long", "headings")  #: asked of each
SHARED = ("chars", "texts", "query", "phrase", "title")  #: of the page's, how much the group has
OF_TEXTS = ("fresh", "kinds", "long", "digits", "hidden", "said")  #: of the group's texts
COMPARED = ("chars_share", "query_share", "texts_share", "members")  #: with the page's largest
PLACES = ("in_edge", "in_main", "in_form")
KINDS = {
    "is_item": "li",
    "is_line": "tr",
    "is_cell": "td th dd",
    "is_division": "div section article",
    "is_link": "a",
    "is_inline": "p span b em strong i",
    "is_choice": "option",
}
#: The features in order.
NAMES = (
    "family", "members", *(f"mean_{name}" for name in SUMMED),
    *(f"has_{name}" for name in PRESENT), *PLACES, *KINDS, "depth", "own_names", "path_names",
    *(f"uneven_{name}" for name in VARYING), *(f"{name}_share" for name in SHARED),
    *(f"{name}_ratio" for name in OF_TEXTS), "link_ratio", "first", "last", "filled", "gap",
    "uneven_gap", "per_parent", "of_parent", "parent_members",
    *(f"most_{name}" for name in COMPARED), *(f"page_{name}" for name in SHARED),
    "page_link_ratio", "page_rows",
)  # fmt: skip
PLACE = {name: at for at, name in enumerate(NAMES)}


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """The groups of a page; a row may be in one of each family."""

    rows: Ints  #: rows of members, group by group, those of a group in document order
    group: Ints  #: the group of each entry of `rows`
    features: Singles  #: a line a group
    names: tuple[str, ...]
    signs: Ints  #: for each row of the page, the number of its path of tags and class names
    tag_signs: Ints  #: the same by tags alone

    @property
    def count(self) -> int:
        """How many groups there are."""
        return len(self.features)

    def asked(self, columns: Columns, sums: Columns) -> "Groups":
        """The same groups for another query."""
        members = _Members(self.rows, self.group, np.bincount(self.group, minlength=self.count))
        matrix = self.features.T.copy()
        first = int((matrix[PLACE["family"]] == 0).sum())
        told = members.told({name: sums[name] for name in ASKED}, _whole(columns, ASKED))
        _fill(matrix, told | _compared(told, first))
        return replace(self, features=matrix.T)


def subtree_sums(page: Page, columns: Mapping[str, Floats]) -> Columns:
    """Sums of all columns over all subtrees."""
    stacked = np.zeros((len(columns), len(page) + 1))
    for line, values in zip(stacked, columns.values(), strict=True):
        line[1:] = values
    np.cumsum(stacked, axis=1, out=stacked)
    return dict(zip(columns, stacked.take(page.end, axis=1) - stacked[:, :-1], strict=True))


def find_groups(sheet: Sheet, columns: Columns, sums: Columns) -> Groups:
    """All groups of elements with text, and what is known of each."""
    page = sheet.page
    inside = page.element & page.counted & (sums["texts"] > 0)
    inside[: page.body + 1] = False
    rows = np.flatnonzero(inside)
    families = [_Family.of(len(page), rows, signs[rows]) for signs in sheet.signs]
    if not len(rows):
        none = np.zeros((0, len(NAMES)), np.float32)
        return Groups(rows, rows, none, NAMES, *(family.number for family in families))
    first = len(families[0].count)
    count = np.concatenate([family.count for family in families])
    members = _Members(
        np.concatenate([family.rows for family in families]),
        np.repeat(np.arange(len(count)), count),
        count,
    )
    whole = _whole(columns, SUMMED)
    told: dict[str, Any] = {"family": np.arange(len(count)) >= first, "members": count}
    told |= members.told({name: sums[name] for name in SUMMED}, whole)
    told |= members.standing(sheet, columns["names"])
    told |= members.ratios(told, sums)
    told |= members.placed(page, told) | members.parents(page, sums, told)
    held = [f.held(above) for f, above in zip(families, members.above(page, first), strict=True)]
    told["parent_members"] = members.total(np.concatenate(held)) / count
    told |= _compared(told, first) | _of_page(whole, page)
    matrix = np.empty((len(NAMES), len(count)), np.float32)
    _fill(matrix, told)
    return Groups(members.rows, members.group, matrix.T, NAMES, *(f.number for f in families))


def _fill(matrix: NDArray[Any], told: Mapping[str, Any]) -> None:
    for name, values in told.items():
        matrix[PLACE[name]] = values


def _whole(columns: Columns, names: tuple[str, ...]) -> dict[str, float]:
    """The sums of a page."""
    return {name: float(columns[name].sum()) for name in names}


@dataclass(frozen=True, slots=True, eq=False)
class _Family:
    """Groups by one kind of path."""

    number: Ints  #: for each row the number of its path
    every: Ints  #: for each path how many rows have it
    rows: Ints  #: members of groups that are large enough, group by group
    count: Ints  #: of each group

    @classmethod
    def of(cls, size: int, rows: Ints, signs: Hashes) -> "_Family":
        order = np.argsort(signs, kind="stable")
        ordered = signs[order]
        new = np.ones(len(rows), np.bool_)
        new[1:] = ordered[1:] != ordered[:-1]
        path = np.cumsum(new) - 1
        every = np.bincount(path)
        number = np.full(size, -1)
        number[rows[order]] = path
        return cls(number, every, rows[order][every[path] >= FEWEST], every[every >= FEWEST])

    def held(self, above: NDArray[np.integer]) -> Floats:
        """How many rows have the path of each of these rows; 0 for what is in no group."""
        return np.asarray(np.append(self.every, 0)[self.number[above]], np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class _Members:
    """The members of all groups, group by group, and what they are like."""

    rows: Ints
    group: Ints
    count: Ints

    def total(self, values: Floats) -> Floats:
        """Sum over the members of each group; the last axis is that of the members."""
        if not len(self.rows):
            return np.zeros((*values.shape[:-1], 0))
        begin = np.cumsum(self.count) - self.count
        return np.asarray(np.add.reduceat(values, begin, axis=-1), np.float64)

    def told(self, sums: Columns, whole: Mapping[str, float]) -> dict[str, Any]:
        """What the subtrees of members hold."""
        held = np.array([values[self.rows] for values in sums.values()])
        at = dict(zip(sums, held, strict=True))
        present = [name for name in PRESENT if name in sums]
        has = np.array([at[name] for name in present]) > 0
        means = self.total(np.concatenate((held, has))) / self.count
        names = [f"mean_{name}" for name in sums] + [f"has_{name}" for name in present]
        told: dict[str, Any] = dict(zip(names, means, strict=True))
        for name in (name for name in SHARED if name in sums):
            told[f"{name}_share"] = told[f"mean_{name}"] * self.count / max(whole[name], 1)
            told[f"page_{name}"] = whole[name]
        return told

    def standing(self, sheet: Sheet, names: Floats) -> dict[str, Any]:
        """Where members stand and what they are."""
        page, rows = sheet.page, self.rows
        places = sheet.around[[list(INSIDE).index(name) for name in PLACES]][:, rows]
        more = np.stack((page.depth[rows], names[rows], sum_path(page.end, names)[rows]))
        lines = np.concatenate((places, marked(KINDS, page.tag[rows]), more))
        found = (*PLACES, *KINDS, "depth", "own_names", "path_names")
        return dict(zip(found, self.total(lines) / self.count, strict=True))

    def ratios(self, told: Mapping[str, Any], sums: Columns) -> dict[str, Any]:
        """How even members are, and what share of their texts and characters is of a kind."""
        count = self.count
        square = self.total(np.array([sums[name][self.rows] for name in VARYING]) ** 2) / count
        made = {
            f"uneven_{name}": uneven(told[f"mean_{name}"], each)
            for name, each in zip(VARYING, square, strict=True)
        }
        texts = np.maximum(told["mean_texts"] * count, 1)
        made |= {f"{name}_ratio": told[f"mean_{name}"] * count / texts for name in OF_TEXTS}
        chars = np.maximum(told["mean_chars"] * count, 1)
        return made | {"link_ratio": told["mean_link_chars"] * count / chars}

    def placed(self, page: Page, told: Mapping[str, Any]) -> dict[str, Any]:
        """Where the groups begin and end, and how evenly their members follow each other."""
        size, count, rows = max(len(page), 1), self.count, self.rows
        ends = np.cumsum(count)
        first, last = rows[ends - count], page.end[rows[ends - 1]]
        step = np.diff(rows, prepend=0).astype(np.float64)
        step[ends - count] = 0
        gaps = np.maximum(count - 1, 1)
        mean, square = self.total(np.stack((step, step**2))) / gaps
        return {
            "first": first / size,
            "last": last / size,
            "filled": told["mean_rows"] * count / np.maximum(last - first, 1),
            "gap": mean,
            "uneven_gap": np.where(count > 2, uneven(mean, square), -1),
        }

    def above(self, page: Page, first: int) -> list[NDArray[np.integer]]:
        """The parents of members, of those in the first groups and of all others."""
        return np.split(page.parent[self.rows], [int(self.count[:first].sum())])

    def parents(self, page: Page, sums: Columns, told: Mapping[str, Any]) -> dict[str, Any]:
        """How many parents the members have, and how much of their text the members hold.

        Members of a group stand at one depth, so that those of one parent follow each other.
        """
        above = page.parent[self.rows]
        new = np.diff(above, prepend=-1) != 0
        new[np.cumsum(self.count) - self.count] = True
        parents = self.total(new.astype(np.float64))
        held = self.total(sums["chars"][above]) / self.count * parents
        return {
            "per_parent": self.count / parents,
            "of_parent": told["mean_chars"] * self.count / np.maximum(held, 1),
        }


def uneven(mean: Floats, square: Floats) -> Floats:
    """Standard deviation over mean, from the mean and the mean square."""
    return np.sqrt(np.maximum(square - mean**2, 0)) / np.maximum(mean, 1e-9)


def _compared(told: Mapping[str, Any], first: int) -> dict[str, Any]:
    """Features compared with the largest of the family; `first` groups are of the first one."""
    made = {}
    for name in (name for name in COMPARED if name in told):
        parts = np.split(np.asarray(told[name], np.float64), [first])
        most = [part / max(float(part.max(initial=0)), 1e-9) for part in parts]
        made[f"most_{name}"] = np.concatenate(most)
    return made


def _of_page(whole: Mapping[str, float], page: Page) -> dict[str, Any]:
    """Features of the page, the same for every group."""
    return {
        "page_link_ratio": whole["link_chars"] / max(whole["chars"], 1),
        "page_rows": len(page),
    }
