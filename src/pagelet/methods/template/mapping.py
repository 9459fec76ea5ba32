"""Equal top-down mapping of two pages, level by level.

Alarte, Insa, Silva, Tamarit: a one-to-one set of pairs of nodes, equal under some relation,
closed towards the root. Bodies form a pair; the children of a pair are matched by the
relation, all pairs of one level together. Subtrees with the same labels all the way down map
row by row, and are not looked into.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np

from pagelet.arrays import Floats, Hashes, Ints, Mask
from pagelet.page.signatures import MULTIPLIER, mix
from pagelet.page.table import Page, Pairs
from pagelet.page.tags import TEXT
from pagelet.page.tree import depths

# -- Joins of two lists by groups: by rank, by every pair, by the first that fits, by the best


Matched = tuple[Ints, Ints]  #: indices into two lists, a match each


def numbered(ours: tuple[Ints, ...], theirs: tuple[Ints, ...]) -> tuple[Ints, Ints]:
    """One number for each combination of some columns, the same on both sides."""
    columns = [np.concatenate(parts) for parts in zip(ours, theirs, strict=True)]
    number = columns[0]
    for column in columns[1:]:
        number = number * (column.max(initial=0) + 1) + column
        if number.max(initial=0) > 2**40:
            number = np.unique(number, return_inverse=True)[1]
    number = np.unique(number, return_inverse=True)[1]
    return number[: len(ours[0])], number[len(ours[0]) :]


def by_rank(ours: tuple[Ints, ...], theirs: tuple[Ints, ...]) -> Matched:
    """Match the first of each combination with the first, the second with the second, and so on."""
    group, other = numbered(ours, theirs)
    here, rank = _ranks(group)
    there, place = _ranks(other)
    many = np.int64(max(rank.max(initial=0), place.max(initial=0)) + 1)
    _, one, two = np.intersect1d(
        group[here] * many + rank, other[there] * many + place,
        assume_unique=True, return_indices=True,
    )  # fmt: skip
    return here[one], there[two]


def _ranks(group: Ints) -> tuple[Ints, Ints]:
    """Entries sorted by group, and the rank of each among its equals."""
    order = np.argsort(group, kind="stable")
    count = np.bincount(group) if len(group) else np.zeros(0, np.intp)
    begin = np.cumsum(count) - count
    return order, np.arange(len(group)) - begin[group[order]]


def joined(found: Sequence[Matched]) -> Matched:
    """Matches found one after the other as one."""
    none = np.zeros(0, np.intp)
    return (
        np.concatenate([none, *(here for here, _ in found)]),
        np.concatenate([none, *(there for _, there in found)]),
    )


def product(ours: Ints, theirs: Ints) -> Matched:
    """Every entry of one side with every entry of the other that has the same group."""
    here, there = np.argsort(ours, kind="stable"), np.argsort(theirs, kind="stable")
    count = np.bincount(theirs, minlength=int(ours.max(initial=-1)) + 1)
    begin = np.cumsum(count) - count
    times = count[ours[here]]
    left = np.repeat(here, times)
    inside = np.arange(len(left)) - np.repeat(np.cumsum(times) - times, times)
    return left, there[begin[ours[left]] + inside]


def first_fit(group: Ints, low: Ints, high: Ints, other: Ints, place: Ints) -> Matched:
    """Match each entry, in order, with the first free one of its group inside its window.

    Windows of a group move on, so what lies before one is never wanted again.
    """
    order, theirs = np.argsort(group, kind="stable"), np.argsort(other, kind="stable")
    begin = np.searchsorted(other[theirs], np.arange(other.max(initial=-1) + 2))
    places, bounds = place[theirs].tolist(), begin.tolist()
    here, there, last, at = [], [], -1, 0
    listed = zip(
        order.tolist(), *(part[order].tolist() for part in (group, low, high)), strict=True
    )
    for entry, own, first, final in listed:
        if own != last:
            last, at = own, bounds[own]
        while at < bounds[own + 1] and places[at] < first:
            at += 1
        if at < bounds[own + 1] and places[at] <= final:
            here.append(entry)
            there.append(at)
            at += 1
    return np.array(here, np.intp), theirs[np.array(there, np.intp)]


def greedy(here: Ints, there: Ints, alike: Floats) -> Matched:
    """Take the most alike pair first, ties by order, each child once."""
    order = np.lexsort((there, here, -alike))
    taken, used = set(), set()
    found = []
    for one, two in zip(here[order].tolist(), there[order].tolist(), strict=True):
        if one not in taken and two not in used:
            taken.add(one)
            used.add(two)
            found.append((one, two))
    pairs = np.array(found, np.intp).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


# -- Counted rows of a page as a mapping compares them: tags, ids, classes, attributes as numbers


NONE = 0  #: number of no id, of no class, of no attribute
LONGEST = 2000  #: characters of a class attribute that are read
MOST = 64  #: attributes of an element that are read


@dataclass(eq=False)
class Vocabulary:
    """Numbers for names; the same words have the same number on every page."""

    names: dict[str, int] = field(default_factory=dict)
    ids: dict[str, int] = field(default_factory=lambda: {"": NONE})
    classes: dict[frozenset[str], int] = field(default_factory=lambda: {frozenset(): NONE})
    attrs: dict[frozenset[tuple[str, str]], int] = field(
        default_factory=lambda: {frozenset(): NONE}
    )
    labels: dict[tuple[int, ...], int] = field(default_factory=dict)
    _read: dict[Pairs, tuple[int, int, int]] = field(default_factory=dict)
    _class_sets: list[frozenset[str]] = field(default_factory=list)
    _attr_sets: list[frozenset[tuple[str, str]]] = field(default_factory=list)

    def said(self, pairs: Pairs) -> tuple[int, int, int]:
        """Numbers of the id, the classes and the other attributes of an element."""
        found = self._read.get(pairs)
        if found is None:
            found = self._read[pairs] = self._numbers(pairs[:MOST])
        return found

    def _numbers(self, pairs: Pairs) -> tuple[int, int, int]:
        said = {name: value or "" for name, value in pairs}
        classes, own = said.pop("class", "")[:LONGEST], said.pop("id", "").strip()
        return (
            self.ids.setdefault(own, len(self.ids)),
            self.classes.setdefault(frozenset(classes.split()), len(self.classes)),
            self.attrs.setdefault(frozenset(said.items()), len(self.attrs)),
        )

    def class_likeness(self, one: int, other: int) -> float:
        """Share of the class names that two elements have in common."""
        if len(self._class_sets) < len(self.classes):
            self._class_sets = list(self.classes)
        return _share(self._class_sets[one], self._class_sets[other])

    def attr_likeness(self, one: int, other: int) -> float:
        """Share of the attributes that two elements have in common."""
        if len(self._attr_sets) < len(self.attrs):
            self._attr_sets = list(self.attrs)
        return _share(self._attr_sets[one], self._attr_sets[other])


def _share(one: frozenset[object], other: frozenset[object]) -> float:
    both = len(one & other)
    return both / max(len(one) + len(other) - both, 1)


@dataclass(frozen=True, eq=False)
class Labelled:
    """The counted rows of a page, body first; places among them, not rows, name the nodes."""

    page: Page
    vocabulary: Vocabulary
    rows: Ints  #: the row of each place
    parent: Ints  #: place of the parent; -1 for body
    size: Ints  #: places in the subtree, its own counted
    kids: Ints  #: children
    tag: Ints  #: number of the name; 0 for a text
    own_id: Ints
    classes: Ints
    attrs: Ints
    label: Ints  #: number of all that stands in the element itself, and of its children

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def order(self) -> Ints:
        """Places sorted by parent, body left out: the children of each stand together."""
        return np.argsort(self.parent, kind="stable")[1:]

    @cached_property
    def first(self) -> Ints:
        """Where in `order` the children of each place begin."""
        return np.cumsum(self.kids) - self.kids

    @cached_property
    def depth(self) -> Ints:
        """Edges up to body."""
        return depths(np.arange(len(self)) + self.size).astype(np.intp)

    @cached_property
    def hashed(self) -> tuple[Hashes, Hashes]:
        """Prefix sums of the labels, each times a power of MULTIPLIER, and those powers."""
        powers = np.full(len(self) + 1, MULTIPLIER)
        powers[0] = 1
        powers = np.cumprod(powers)
        weighed = mix(self.label.astype(np.uint64) + np.uint64(1)) * powers[:-1]
        sums = np.zeros(len(self) + 1, np.uint64)
        np.cumsum(weighed, out=sums[1:])
        return sums, powers


def labelled(page: Page, vocabulary: Vocabulary) -> Labelled:
    """Number the counted rows of a page."""
    rows = np.flatnonzero(page.counted)
    place = np.full(len(page) + 1, -1, np.intp)  # the last stands for no parent
    place[rows] = np.arange(len(rows))
    parent = place[page.parent[rows]] if len(rows) else np.zeros(0, np.intp)
    kids = np.bincount(parent + 1, minlength=len(rows) + 1)[1:]
    size = page.sum_subtree(page.counted)[rows].astype(np.intp)
    said = np.zeros((3, len(rows)), np.intp)
    elements = np.flatnonzero(page.tag[rows] != TEXT)
    attrs = page.attrs
    numbers = [vocabulary.said(attrs[at]) for at in page.ordinal[rows[elements]].tolist()]
    said[:, elements] = np.array(numbers, np.intp).reshape(-1, 3).T
    tag = _names(page, vocabulary)[page.tag[rows]]
    columns = np.stack((tag, *said, kids))
    label = _labels(columns, vocabulary)
    own_id, classes, other = said
    return Labelled(page, vocabulary, rows, parent, size, kids, tag, own_id, classes, other, label)


def _names(page: Page, vocabulary: Vocabulary) -> Ints:
    """The vocabulary's number of each tag number of the page; 0 for a text."""
    known = vocabulary.names
    numbers = [known.setdefault(name, len(known) + 1) for name in page.names[1:]]
    return np.array([0, *numbers], np.intp)


def _labels(columns: Ints, vocabulary: Vocabulary) -> Ints:
    """One number for each combination of the columns."""
    known = vocabulary.labels
    found = [known.setdefault(key, len(known)) for key in zip(*columns.tolist(), strict=True)]
    return np.array(found, np.intp)


# -- Equal top-down mapping of two pages, level by level --------------------------------------


DEEPEST = 1000  #: levels that are mapped; the parser itself stops at about half of that


@dataclass(frozen=True, slots=True, eq=False)
class Children:
    """The children of one side of many pairs."""

    page: Labelled
    at: Ints  #: places of the children
    pair: Ints  #: which pair's child each is
    place: Ints  #: place among its siblings
    count: Ints  #: how many siblings there are, itself counted

    def __len__(self) -> int:
        return len(self.at)

    def take(self, chosen: Mask) -> "Children":
        """Some of the children."""
        parts = (self.at, self.pair, self.place, self.count)
        return Children(self.page, *(part[chosen] for part in parts))


class Relation(Protocol):
    """Which children of a pair are equal: matches, each child in one at most."""

    @property
    def sure(self) -> bool:
        """Whether equal lists of labels are always matched one by one, in order."""

    def match(self, left: Children, right: Children) -> Matched:
        """Match the children of every pair."""


def top_down(key: Labelled, other: Labelled, relation: Relation) -> Ints:
    """The partner of each place of the key page in the other page; -1 where there is none."""
    partner = np.full(len(key), -1, np.intp)
    left = right = np.zeros(1 if len(key) and len(other) else 0, np.intp)
    for _ in range(DEEPEST):
        if not len(left):
            break
        partner[left] = right
        if relation.sure:
            same = _same_below(key, other, left, right)
            _fill(partner, left[same], right[same], key.size)
            left, right = left[~same], right[~same]
        ours, theirs = children(key, left), children(other, right)
        here, there = relation.match(ours, theirs)
        left, right = ours.at[here], theirs.at[there]
    return partner


def children(page: Labelled, parents: Ints) -> Children:
    """The children of some places, in order."""
    count = page.kids[parents]
    pair = np.repeat(np.arange(len(parents)), count)
    place = np.arange(len(pair)) - (np.cumsum(count) - count)[pair]
    at = page.order[page.first[parents][pair] + place]
    return Children(page, at, pair, place, count[pair])


def _same_below(key: Labelled, other: Labelled, left: Ints, right: Ints) -> Mask:
    """Whether the subtrees of each pair have the same labels below their roots, in order."""
    same = (key.size[left] == other.size[right]) & (key.kids[left] == other.kids[right])
    (ours, powers), (theirs, more) = key.hashed, other.hashed
    one = (ours[left + key.size[left]] - ours[left + 1]) * more[right]
    two = (theirs[right + other.size[right]] - theirs[right + 1]) * powers[left]
    return np.asarray(same & (one == two))


def _fill(partner: Ints, left: Ints, right: Ints, size: Ints) -> None:
    """Map equal subtrees row by row."""
    count = size[left]
    inside = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    partner[np.repeat(left, count) + inside] = np.repeat(right, count) + inside


def votes(partners: Sequence[Ints], places: int) -> Ints:
    """In how many pages each place has a partner."""
    counted = np.zeros(places, np.intp)
    for partner in partners:
        counted += partner >= 0
    return counted
