"""Groups of elements that a template made alike: which of them are the records of a page.

Elements with one path of tags and class names are a group, and so are those with one path of
tags. A learned model predicts for each group how well its texts cover the records.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pagelet import core
from pagelet.arrays import Floats, Hashes, Ints
from pagelet.methods.noise.sheet import PLACES, TextSheet, mark_tags
from pagelet.models.features import Features, FeatureTable
from pagelet.page.table import Page
from pagelet.page.tree import sum_path

Columns = dict[str, Floats]

MIN_MEMBERS = 2  #: elements of the smallest group
QUERY_COLUMNS = ("query", "phrase")  #: columns that change with the query
#: Columns that are summed over subtrees.
SUMMED = (
    "chars", "texts", "units", "link_chars", "links", "images", "headings", "fresh", "kinds",
    "long", "very_long", "digits", "hidden", "rows", *QUERY_COLUMNS, "title", "names", "said",
)  # fmt: skip
VARYING = ("chars", "texts", "rows", "links")  #: counts whose variation is a feature
#: Counts of which the share of members with any is a feature.
PRESENT = ("query", "phrase", "title", "links", "images", "long", "headings")
PAGE_SHARES = ("chars", "texts", "query", "phrase", "title")  #: counts as shares of the page's
TEXT_RATIOS = ("fresh", "kinds", "long", "digits", "hidden", "said")  #: counts per text
COMPARED = ("chars_share", "query_share", "texts_share", "members")  #: compared with the largest
GROUP_PLACES = ("in_edge", "in_main", "in_form")
GROUP_TAGS = {
    "is_item": "li",
    "is_line": "tr",
    "is_cell": "td th dd",
    "is_division": "div section article",
    "is_link": "a",
    "is_inline": "p span b em strong i",
    "is_choice": "option",
}
STANDING = (*GROUP_PLACES, *GROUP_TAGS, "depth", "own_names", "path_names")
#: The features in the order of the model.
GROUP_FEATURES = (
    "family", "members", *(f"mean_{name}" for name in SUMMED),
    *(f"has_{name}" for name in PRESENT), *STANDING,
    *(f"uneven_{name}" for name in VARYING), *(f"{name}_share" for name in PAGE_SHARES),
    *(f"{name}_ratio" for name in TEXT_RATIOS), "link_ratio", "first", "last", "filled", "gap",
    "uneven_gap", "per_parent", "of_parent", "parent_members",
    "query_lift", *(f"most_{name}" for name in COMPARED), *(f"page_{name}" for name in PAGE_SHARES),
    "page_link_ratio", "page_rows",
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """The groups of a page; a row may be in one of each family."""

    rows: Ints  #: rows of members, group by group, those of a group in document order
    group: Ints  #: the group of each entry of `rows`
    features: FeatureTable
    path: Ints  #: number of each row's path of tags and class names; -1 for rows without text
    tag_path: Ints  #: number of each row's path of tags alone

    @property
    def count(self) -> int:
        """The number of groups."""
        return len(self.features.rows)

    def for_query(self, columns: Columns, sums: Columns) -> "Groups":
        """The same groups for another query."""
        members = _Members(self.rows, self.group, np.bincount(self.group, minlength=self.count))
        first = int((self.features["family"] == 0).sum())
        held = {name: sums[name] for name in QUERY_COLUMNS}
        totals = _totals(columns, (*QUERY_COLUMNS, "texts"))
        changed = members.contents(held, totals)
        texts = members.total(sums["texts"][self.rows]) / members.count
        changed["query_lift"] = members.lift(changed["mean_query"], texts, totals)
        return replace(self, features=self.features.updated(changed | _compared(changed, first)))


def subtree_sums(page: Page, columns: Mapping[str, Floats]) -> Columns:
    """Sums of all columns over all subtrees."""
    if core.compiled:
        sums = np.empty((len(columns), len(page)))
        core.kernels.sum_subtrees(tuple(columns.values()), page.size, sums)
        return dict(zip(columns, sums, strict=True))
    stacked = np.zeros((len(columns), len(page) + 1))
    for line, values in zip(stacked, columns.values(), strict=True):
        line[1:] = values
    np.cumsum(stacked, axis=1, out=stacked)
    return dict(zip(columns, stacked.take(page.end, axis=1) - stacked[:, :-1], strict=True))


def find_groups(sheet: TextSheet, columns: Columns, sums: Columns) -> Groups:
    """All groups of elements with text, and their features."""
    page = sheet.page
    inside = page.element & page.counted & (sums["texts"] > 0)
    inside[: page.body + 1] = False
    rows = np.flatnonzero(inside)
    families = [_PathFamily.of(len(page), rows, each[rows]) for each in sheet.signatures]
    numbers = [family.number for family in families]
    if not len(rows):
        none = FeatureTable.of(dict.fromkeys(GROUP_FEATURES, 0), 0)
        return Groups(rows, rows, none, *numbers)
    first = len(families[0].count)
    count = np.concatenate([family.count for family in families])
    members = _Members(
        np.concatenate([family.rows for family in families]),
        np.repeat(np.arange(len(count)), count),
        count,
    )
    totals = _totals(columns, (*PAGE_SHARES, "link_chars"))
    features: Features = {"family": np.arange(len(count)) >= first, "members": count}
    features |= members.contents({name: sums[name] for name in SUMMED}, totals)
    lift = members.lift(features["mean_query"], features["mean_texts"], totals)
    features |= {"query_lift": lift, **members.standing(sheet, columns["names"])}
    features |= members.ratios(features, sums)
    features |= members.spacing(page, features) | members.parents(page, sums, features)
    held = [f.held(above) for f, above in zip(families, members.above(page, first), strict=True)]
    features["parent_members"] = members.total(np.concatenate(held)) / count
    features |= _compared(features, first) | _page_features(totals, page)
    table = FeatureTable.of({name: features[name] for name in GROUP_FEATURES}, len(count))
    return Groups(members.rows, members.group, table, *numbers)


def _totals(columns: Columns, names: tuple[str, ...]) -> dict[str, float]:
    """The sums of columns over the page."""
    return {name: float(columns[name].sum()) for name in names}


@dataclass(frozen=True, slots=True, eq=False)
class _PathFamily:
    """The groups by one kind of path."""

    number: Ints  #: for each row the number of its path
    every: Ints  #: for each path the number of rows that have it
    rows: Ints  #: members of groups that are large enough, group by group
    count: Ints  #: members of each group

    @classmethod
    def of(cls, size: int, rows: Ints, signatures: Hashes) -> "_PathFamily":
        order = np.argsort(signatures, kind="stable")
        ordered = signatures[order]
        new = np.ones(len(rows), np.bool_)
        new[1:] = ordered[1:] != ordered[:-1]
        path = np.cumsum(new) - 1
        every = np.bincount(path)
        number = np.full(size, -1)
        number[rows[order]] = path
        return cls(
            number, every, rows[order][every[path] >= MIN_MEMBERS], every[every >= MIN_MEMBERS]
        )

    def held(self, above: NDArray[np.integer]) -> Floats:
        """How many rows have the path of each of these rows; 0 for what is in no group."""
        return np.asarray(np.append(self.every, 0)[self.number[above]], np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class _Members:
    """The members of all groups, group by group, and the features made of them."""

    rows: Ints
    group: Ints
    count: Ints

    def total(self, values: Floats) -> Floats:
        """Sum over the members of each group; the last axis is that of the members."""
        if not len(self.rows):
            return np.zeros((*values.shape[:-1], 0))
        begin = np.cumsum(self.count) - self.count
        return np.asarray(np.add.reduceat(values, begin, axis=-1), np.float64)

    def contents(self, sums: Columns, totals: Mapping[str, float]) -> Features:
        """What the subtrees of members hold."""
        held = np.array([values[self.rows] for values in sums.values()])
        at = dict(zip(sums, held, strict=True))
        present = [name for name in PRESENT if name in sums]
        has = np.array([at[name] for name in present]) > 0
        means = self.total(np.concatenate((held, has))) / self.count
        names = [f"mean_{name}" for name in sums] + [f"has_{name}" for name in present]
        features: Features = dict(zip(names, means, strict=True))
        for name in (name for name in PAGE_SHARES if name in sums):
            total = features[f"mean_{name}"] * self.count
            features[f"{name}_share"] = total / max(totals[name], 1)
            features[f"page_{name}"] = totals[name]
        return features

    def lift(self, query: Floats, texts: Floats, totals: Mapping[str, float]) -> Floats:
        """How much oftener the group's texts match the query than the rest of the page.

        Log of the ratio, half a match added on both sides; 0 without any match.
        """
        inside, held = query * self.count, np.maximum(texts * self.count, 1)
        outside = np.maximum(totals["query"] - inside, 0)
        rest = np.maximum(totals["texts"] - held, 1)
        ratio = (inside + 0.5) / (held + 1) * (rest + 1) / (outside + 0.5)
        return np.asarray(np.where(totals["query"] > 0, np.log(ratio), 0.0))

    def standing(self, sheet: TextSheet, names: Floats) -> Features:
        """Where members stand and what they are; those of a group have one path of tags."""
        page, rows = sheet.page, self.rows
        first = rows[np.cumsum(self.count) - self.count]
        named = np.stack((names[rows], sum_path(page.end, names)[rows]))
        lines = (
            *sheet.inside[[list(PLACES).index(name) for name in GROUP_PLACES]][:, first],
            *mark_tags(GROUP_TAGS, page.tag[first]),
            page.depth[first],
            *self.total(named) / self.count,
        )
        return dict(zip(STANDING, lines, strict=True))

    def ratios(self, features: Features, sums: Columns) -> Features:
        """How even members are, and what share of their texts and characters is of a kind."""
        count = self.count
        square = self.total(np.array([sums[name][self.rows] for name in VARYING]) ** 2) / count
        texts = np.maximum(features["mean_texts"] * count, 1)
        chars = np.maximum(features["mean_chars"] * count, 1)
        return {
            **{
                f"uneven_{name}": variation(features[f"mean_{name}"], each)
                for name, each in zip(VARYING, square, strict=True)
            },
            **{f"{name}_ratio": features[f"mean_{name}"] * count / texts for name in TEXT_RATIOS},
            "link_ratio": features["mean_link_chars"] * count / chars,
        }

    def spacing(self, page: Page, features: Features) -> Features:
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
            "filled": features["mean_rows"] * count / np.maximum(last - first, 1),
            "gap": mean,
            "uneven_gap": np.where(count > 2, variation(mean, square), -1),
        }

    def above(self, page: Page, first: int) -> list[NDArray[np.integer]]:
        """The parents of members, of those in the first groups and of all others."""
        return np.split(page.parent[self.rows], [int(self.count[:first].sum())])

    def parents(self, page: Page, sums: Columns, features: Features) -> Features:
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
            "of_parent": features["mean_chars"] * self.count / np.maximum(held, 1),
        }


def variation(mean: Floats, square: Floats) -> Floats:
    """Coefficient of variation (standard deviation over mean), from mean and mean square."""
    return np.sqrt(np.maximum(square - mean**2, 0)) / np.maximum(mean, 1e-9)


def _compared(features: Features, first: int) -> Features:
    """Features over the largest of their family; the first family has the `first` groups."""
    shares = {}
    for name in (name for name in COMPARED if name in features):
        parts = np.split(np.asarray(features[name], np.float64), [first])
        largest = [part / max(float(part.max(initial=0)), 1e-9) for part in parts]
        shares[f"most_{name}"] = np.concatenate(largest)
    return shares


def _page_features(totals: Mapping[str, float], page: Page) -> Features:
    """Features of the page, the same for every group."""
    return {
        "page_link_ratio": totals["link_chars"] / max(totals["chars"], 1),
        "page_rows": len(page),
    }
