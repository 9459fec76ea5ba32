"""Groups of elements that a template made alike: which of them are the records of a page.

Elements with one path of tags and class names are a group, and so are those with one path of
tags. A learned model predicts for each group how well its texts cover the records. The features of
groups are a column program (see pagelet.models.columns).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet import core
from pagelet.arrays import Floats, Hashes, Ints
from pagelet.methods.links.features import mark_kinds, unpack_bits
from pagelet.methods.noise.sheet import PLACES, LexiconColumns, TextSheet
from pagelet.models.columns import (
    FeatureColumn,
    Kind,
    Program,
    either,
    maximum,
    stack,
    trace_program,
)
from pagelet.models.columns.program import Outputs
from pagelet.models.features import FeatureTable
from pagelet.page.query import Query
from pagelet.page.table import Page

MIN_MEMBERS = 2  #: elements of the smallest group
QUERY_COLUMNS = ("query", "phrase")  #: columns that change with the query
#: Columns that are summed over subtrees.
SUMMED = (
    "chars", "texts", "units", "link_chars", "links", "images", "headings", "fresh", "kinds",
    "long", "very_long", "digits", "hidden", "rows", *QUERY_COLUMNS, "title", "names", "said",
)  # fmt: skip
LINE = {name: at for at, name in enumerate(SUMMED)}  #: the line of each in a table of them
VARYING = ("chars", "texts", "rows", "links")  #: counts whose variation is a feature
#: Counts of which the share of members with any is a feature.
PRESENT = ("query", "phrase", "title", "links", "images", "long", "headings")
PAGE_SHARES = ("chars", "texts", "query", "phrase", "title")  #: counts as shares of the page's
TOTALS = (*PAGE_SHARES, "link_chars")  #: counts of the whole page
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
#: The features in the order of the model.
GROUP_FEATURES = (
    "family", "members", *(f"mean_{name}" for name in SUMMED),
    *(f"has_{name}" for name in PRESENT),
    *GROUP_PLACES, *GROUP_TAGS, "depth", "own_names", "path_names",
    *(f"uneven_{name}" for name in VARYING), *(f"{name}_share" for name in PAGE_SHARES),
    *(f"{name}_ratio" for name in TEXT_RATIOS), "link_ratio", "first", "last", "filled", "gap",
    "uneven_gap", "per_parent", "of_parent", "parent_members",
    "query_lift", *(f"most_{name}" for name in COMPARED), *(f"page_{name}" for name in PAGE_SHARES),
    "page_link_ratio", "page_rows",
)  # fmt: skip


# -- columns of a page, and their sums ---------------------------------------------------------


def page_columns(sheet: TextSheet, query: Query, lexicon: LexiconColumns) -> FeatureTable:
    """The columns that are summed, one line each."""
    lines = np.zeros((len(SUMMED), len(sheet.page)))
    for name, values in (sheet.columns | {"names": lexicon.names}).items():
        lines[LINE[name]] = values
    texts = sheet.text_columns | sheet.query_columns(query) | {"said": lexicon.words}
    _fill_texts(lines, sheet, texts)
    return FeatureTable(SUMMED, lines, LINE)


def columns_for_query(sheet: TextSheet, columns: FeatureTable, query: Query) -> FeatureTable:
    """The columns for another query; the same ones where it changes nothing."""
    changed = sheet.query_columns(query)
    if all(np.array_equal(values, columns[name][sheet.rows]) for name, values in changed.items()):
        return columns
    lines = columns.lines.copy()
    _fill_texts(lines, sheet, changed)
    return replace(columns, lines=lines)


def _fill_texts(lines: Floats, sheet: TextSheet, values: Mapping[str, NDArray[Any]]) -> None:
    rows = sheet.rows
    for name, each in values.items():
        lines[LINE[name]][rows] = each


def subtree_sums(page: Page, columns: FeatureTable) -> FeatureTable:
    """Sums of all columns over all subtrees."""
    lines = columns.lines
    if core.compiled:
        sums = np.empty(lines.shape)
        core.kernels.sum_subtrees(tuple(lines), page.size, sums)
    else:
        before = np.zeros((len(lines), len(page) + 1))
        np.cumsum(lines, axis=1, out=before[:, 1:])
        sums = before.take(page.end, axis=1) - before[:, :-1]
    return replace(columns, lines=sums)


# -- groups ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """The groups of a page, those by class names first; a row may be in one of each family."""

    rows: Ints  #: rows of members, group by group, those of a group in document order
    group: Ints  #: the group of each entry of `rows`
    members: Ints  #: members of each group
    family: Ints  #: of each group: 0 by tags and class names, 1 by tags alone
    path: Ints  #: number of each row's path of tags and class names; -1 for rows without text
    tag_path: Ints  #: number of each row's path of tags alone

    @property
    def count(self) -> int:
        """The number of groups."""
        return len(self.members)

    @classmethod
    def of_paths(cls, size: int, rows: Ints, signatures: tuple[Hashes, Hashes]) -> "Groups":
        """The groups of rows by both kinds of paths; `size` is the number of all rows."""
        named, bare = (_PathFamily.of(size, rows, each[rows]) for each in signatures)
        members = np.concatenate((named.members, bare.members))
        place = np.arange(len(members))
        return cls(
            np.concatenate((named.rows, bare.rows)),
            np.repeat(place, members),
            members,
            (place >= len(named.members)).astype(np.intp),
            named.number,
            bare.number,
        )


def find_groups(sheet: TextSheet, sums: FeatureTable) -> Groups:
    """All groups of elements with text."""
    page = sheet.page
    inside = page.element & page.counted & (sums["texts"] > 0)
    inside[: page.body + 1] = False
    return Groups.of_paths(len(page), np.flatnonzero(inside), sheet.signatures)


@dataclass(frozen=True, slots=True, eq=False)
class _PathFamily:
    """The groups by one kind of path."""

    number: Ints  #: for each row the number of its path
    rows: Ints  #: members of groups that are large enough, group by group
    members: Ints  #: members of each group

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
        return cls(number, rows[order][every[path] >= MIN_MEMBERS], every[every >= MIN_MEMBERS])


# -- features ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class PageMeasures:
    """What features of groups and of units are made of."""

    sheet: TextSheet
    columns: FeatureTable  #: a line for each of SUMMED
    sums: FeatureTable  #: the same, summed over subtrees
    groups: Groups

    @classmethod
    def of(cls, sheet: TextSheet, columns: FeatureTable) -> "PageMeasures":
        """The measures of a page, given its columns."""
        sums = subtree_sums(sheet.page, columns)
        return cls(sheet, columns, sums, find_groups(sheet, sums))

    def with_columns(self, columns: FeatureTable) -> "PageMeasures":
        """The same for columns of another query; the groups do not depend on it."""
        sums = subtree_sums(self.sheet.page, columns)
        return PageMeasures(self.sheet, columns, sums, self.groups)


def group_features(measures: PageMeasures) -> FeatureTable:
    """All features of all groups."""
    page, groups = measures.sheet.page, measures.groups
    columns, sums = measures.columns, measures.sums
    totals = columns.lines[[LINE[name] for name in TOTALS]].sum(axis=1)
    lift = _query_lift(groups, sums, dict(zip(TOTALS, totals.tolist(), strict=True)))
    values = (
        *(page.tag, page.parent, page.size, page.depth, measures.sheet.place_bits),
        *(groups.path, groups.tag_path, columns.lines, sums.lines),
        *(groups.rows, groups.group, groups.members, groups.family, lift),
        totals[:, None],
    )
    return feature_program().run(values, groups.count)


def _query_lift(groups: Groups, sums: FeatureTable, totals: Mapping[str, float]) -> Floats:
    """How much oftener the texts of each group match the query than the rest of the page.

    Log of the ratio, half a match added on both sides; 0 without any match.
    """
    if not totals["query"] or not groups.count:
        return np.zeros(groups.count)
    matches, texts = (
        np.bincount(groups.group, sums[name][groups.rows]) / groups.members * groups.members
        for name in ("query", "texts")
    )
    held = np.maximum(texts, 1)
    outside = np.maximum(totals["query"] - matches, 0)
    rest = np.maximum(totals["texts"] - held, 1)
    ratio = (matches + 0.5) / (held + 1) * (rest + 1) / (outside + 0.5)
    return np.asarray(np.log(ratio))


#: Every input of the program with its kind and its lines, in order.
INPUTS: dict[str, tuple[Kind, int]] = {
    **dict.fromkeys(("tag", "parent", "size", "depth", "places"), (Kind.INT, 1)),
    **dict.fromkeys(("path", "tag_path"), (Kind.INT, 1)),
    **dict.fromkeys(("columns", "sums"), (Kind.REAL, len(SUMMED))),
    **dict.fromkeys(("rows", "group", "members", "family"), (Kind.INT, 1)),
    "query_lift": (Kind.REAL, 1),
    "totals": (Kind.REAL, len(TOTALS)),
}


@dataclass(frozen=True, slots=True, eq=False)
class PathGroupInputs:
    """The inputs as columns, for the functions that write features."""

    # -- one value per row of the page --------------------------------------------------------
    tag: FeatureColumn
    parent: FeatureColumn
    size: FeatureColumn
    depth: FeatureColumn
    places: FeatureColumn  #: the places that it lies in, as bits
    path: FeatureColumn  #: number of its path of tags and class names, or -1
    tag_path: FeatureColumn  #: number of its path of tags, or -1
    columns: FeatureColumn  #: a line for each of SUMMED
    sums: FeatureColumn  #: the same, summed over subtrees
    # -- one value per member -------------------------------------------------------------------
    rows: FeatureColumn
    group: FeatureColumn
    # -- one value per group --------------------------------------------------------------------
    members: FeatureColumn
    family: FeatureColumn
    query_lift: FeatureColumn
    # -- one value per page ---------------------------------------------------------------------
    totals: FeatureColumn  #: a line for each of TOTALS

    @property
    def end(self) -> FeatureColumn:
        """First row after each subtree."""
        return self.tag.places() + self.size

    @property
    def first(self) -> FeatureColumn:
        """Where the members of each group begin."""
        return self.members.running_sum() - self.members

    @property
    def is_first(self) -> FeatureColumn:
        """Mark the first member of each group."""
        return (self.group.places() == 0) | (self.group != self.group.shift(1))

    def total(self, values: FeatureColumn) -> FeatureColumn:
        """Sums over the members of each group."""
        return values.sum_by(self.group)

    def column(self, name: str) -> FeatureColumn:
        """One of the columns that are summed."""
        return self.columns.line(LINE[name])

    def sum(self, name: str) -> FeatureColumn:
        """One of the sums over subtrees."""
        return self.sums.line(LINE[name])

    def page_total(self, name: str) -> FeatureColumn:
        """One of the counts of the whole page."""
        return self.totals.line(TOTALS.index(name))


@cache
def feature_program() -> Program:
    """The program of all features, in the order that models depend on."""
    return trace_program(INPUTS, lambda given: _write_features(PathGroupInputs(**given)))


def _write_features(given: PathGroupInputs) -> Outputs:
    features = {"family": given.family, "members": given.members, "query_lift": given.query_lift}
    features |= _content_features(given) | _standing_features(given)
    features |= _ratio_features(given, features) | _spacing_features(given, features)
    features |= _parent_features(given, features) | _compared_features(given, features)
    links = given.page_total("link_chars") / maximum(given.page_total("chars"), 1)
    features |= {"page_link_ratio": links, "page_rows": given.tag.count()}
    return {name: features[name] for name in GROUP_FEATURES}


ColumnFeatures = dict[str, FeatureColumn]


def _content_features(given: PathGroupInputs) -> ColumnFeatures:
    """What the subtrees of members hold."""
    held = given.sums[given.rows]
    has = stack(*(held.line(LINE[name]) for name in PRESENT)) > 0
    means, shares = (given.total(lines) / given.members for lines in (held, has))
    features = {f"mean_{name}": means.line(at) for at, name in enumerate(SUMMED)}
    features |= {f"has_{name}": shares.line(at) for at, name in enumerate(PRESENT)}
    for name in PAGE_SHARES:
        whole = given.page_total(name)
        features[f"{name}_share"] = features[f"mean_{name}"] * given.members / maximum(whole, 1)
        features[f"page_{name}"] = whole
    return features


def _standing_features(given: PathGroupInputs) -> ColumnFeatures:
    """Where members stand and what they are; those of a group have one path of tags."""
    row, names = given.rows[given.first], given.column("names")
    places = unpack_bits(given.places[row], len(PLACES))
    kinds = mark_kinds(given.tag[row], GROUP_TAGS)
    named = stack(names, names.sum_above(given.end))[given.rows]
    means = given.total(named) / given.members
    return {
        **{name: places.line(list(PLACES).index(name)) for name in GROUP_PLACES},
        **{name: kinds.line(at) for at, name in enumerate(GROUP_TAGS, 1)},
        "depth": given.depth[row],
        "own_names": means.line(0),
        "path_names": means.line(1),
    }


def _ratio_features(given: PathGroupInputs, features: ColumnFeatures) -> ColumnFeatures:
    """How even members are, and what share of their texts and characters is of a kind."""
    members = given.members
    held = stack(*(given.sum(name) for name in VARYING))[given.rows]
    squares = given.total(held * held) / members
    texts = maximum(features["mean_texts"] * members, 1)
    chars = maximum(features["mean_chars"] * members, 1)
    return {
        **{
            f"uneven_{name}": variation(features[f"mean_{name}"], squares.line(at))
            for at, name in enumerate(VARYING)
        },
        **{f"{name}_ratio": features[f"mean_{name}"] * members / texts for name in TEXT_RATIOS},
        "link_ratio": features["mean_link_chars"] * members / chars,
    }


def _spacing_features(given: PathGroupInputs, features: ColumnFeatures) -> ColumnFeatures:
    """Where the groups begin and end, and how evenly their members follow each other."""
    members, rows, size = given.members, given.rows, given.tag.count()
    first, last = rows[given.first], given.end[rows[given.members.running_sum() - 1]]
    step = either(given.is_first, 0, rows - rows.shift(1))
    means = given.total(stack(step, step * step)) / maximum(members - 1, 1)
    mean, square = means.line(0), means.line(1)
    return {
        "first": first / size,
        "last": last / size,
        "filled": features["mean_rows"] * members / maximum(last - first, 1),
        "gap": mean,
        "uneven_gap": either(members > 2, variation(mean, square), -1.0),
    }


def _parent_features(given: PathGroupInputs, features: ColumnFeatures) -> ColumnFeatures:
    """How many parents the members have, what they hold, and how many others are like them.

    Members of a group stand at one depth, so that those of one parent follow each other.
    """
    above, members = given.parent[given.rows], given.members
    new = given.is_first | (above != above.shift(1))
    named, bare = (_count_alike(path)[above] for path in (given.path, given.tag_path))
    alike = either(given.family[given.group] == 0, named, bare)
    totals = given.total(stack(new * 1, given.sum("chars")[above], alike))
    parents = totals.line(0)
    held = totals.line(1) / members * parents
    return {
        "per_parent": members / parents,
        "of_parent": features["mean_chars"] * members / maximum(held, 1),
        "parent_members": totals.line(2) / members,
    }


def _count_alike(path: FeatureColumn) -> FeatureColumn:
    """How many rows have the path of each row; 0 for rows without a path."""
    return either(path >= 0, (path + 1).count_by_group()[path + 1], 0)


def _compared_features(given: PathGroupInputs, features: ColumnFeatures) -> ColumnFeatures:
    """Features over the largest of their family."""
    compared = stack(*(features[name] for name in COMPARED))
    shares = compared / maximum(compared.max_by(given.family), 1e-9)[given.family]
    return {f"most_{name}": shares.line(at) for at, name in enumerate(COMPARED)}


def variation(mean: FeatureColumn, square: FeatureColumn) -> FeatureColumn:
    """Coefficient of variation (standard deviation over mean), from mean and mean square."""
    return maximum(square - mean * mean, 0.0).root() / maximum(mean, 1e-9)
