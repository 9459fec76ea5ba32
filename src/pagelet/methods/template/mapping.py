"""Equal top-down mapping of two pages, level by level.

Alarte, Insa, Silva, Tamarit: a one-to-one set of pairs of nodes, equal under some relation,
closed towards the root. The bodies form a pair; the children of a pair are matched by the
relation, all pairs of one level together. Subtrees with equal labels all the way down are mapped
row by row without matching.
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

# -- matching of two lists ------------------------------------------------------------------


Matches = tuple[Ints, Ints]  #: indices into two lists, one pair per match


def number_combinations(ours: tuple[Ints, ...], theirs: tuple[Ints, ...]) -> tuple[Ints, Ints]:
    """Number the combinations of some columns, the same on both sides."""
    columns = [np.concatenate(parts) for parts in zip(ours, theirs, strict=True)]
    number = columns[0]
    for column in columns[1:]:
        number = number * (column.max(initial=0) + 1) + column
        if number.max(initial=0) > 2**40:
            number = np.unique(number, return_inverse=True)[1]
    number = np.unique(number, return_inverse=True)[1]
    return number[: len(ours[0])], number[len(ours[0]) :]


def match_by_rank(ours: tuple[Ints, ...], theirs: tuple[Ints, ...]) -> Matches:
    """Match the first of each combination with the first, the second with the second, etc."""
    group, other = number_combinations(ours, theirs)
    here, rank = _ranks(group)
    there, place = _ranks(other)
    stride = np.int64(max(rank.max(initial=0), place.max(initial=0)) + 1)
    _, one, two = np.intersect1d(
        group[here] * stride + rank, other[there] * stride + place,
        assume_unique=True, return_indices=True,
    )  # fmt: skip
    return here[one], there[two]


def _ranks(group: Ints) -> tuple[Ints, Ints]:
    """Entries sorted by group, and the rank of each in its group."""
    order = np.argsort(group, kind="stable")
    count = np.bincount(group) if len(group) else np.zeros(0, np.intp)
    begin = np.cumsum(count) - count
    return order, np.arange(len(group)) - begin[group[order]]


def concatenate(parts: Sequence[Matches]) -> Matches:
    """Concatenate matches."""
    none = np.zeros(0, np.intp)
    return (
        np.concatenate([none, *(here for here, _ in parts)]),
        np.concatenate([none, *(there for _, there in parts)]),
    )


def match_all(ours: Ints, theirs: Ints) -> Matches:
    """Match every entry of one side with every entry of the other in the same group."""
    here, there = np.argsort(ours, kind="stable"), np.argsort(theirs, kind="stable")
    count = np.bincount(theirs, minlength=int(ours.max(initial=-1)) + 1)
    begin = np.cumsum(count) - count
    times = count[ours[here]]
    left = np.repeat(here, times)
    inside = np.arange(len(left)) - np.repeat(np.cumsum(times) - times, times)
    return left, there[begin[ours[left]] + inside]


def match_first_fit(group: Ints, low: Ints, high: Ints, other: Ints, place: Ints) -> Matches:
    """Match each entry, in order, with the first free one of its group inside its window.

    Windows of a group move forward, so nothing before a window is needed again.
    """
    order, theirs = np.argsort(group, kind="stable"), np.argsort(other, kind="stable")
    begin = np.searchsorted(other[theirs], np.arange(other.max(initial=-1) + 2))
    places, bounds = place[theirs].tolist(), begin.tolist()
    here, there, last, at = [], [], -1, 0
    entries = zip(
        order.tolist(), *(part[order].tolist() for part in (group, low, high)), strict=True
    )
    for entry, own, first, final in entries:
        if own != last:
            last, at = own, bounds[own]
        while at < bounds[own + 1] and places[at] < first:
            at += 1
        if at < bounds[own + 1] and places[at] <= final:
            here.append(entry)
            there.append(at)
            at += 1
    return np.array(here, np.intp), theirs[np.array(there, np.intp)]


def match_greedily(here: Ints, there: Ints, similarity: Floats) -> Matches:
    """Take the most similar pair first, ties by order, each child once."""
    order = np.lexsort((there, here, -similarity))
    taken, used = set(), set()
    matches = []
    for one, two in zip(here[order].tolist(), there[order].tolist(), strict=True):
        if one not in taken and two not in used:
            taken.add(one)
            used.add(two)
            matches.append((one, two))
    pairs = np.array(matches, np.intp).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


# -- labelled pages -------------------------------------------------------------------------


NONE = 0  #: number that stands for no id, no class, or no attribute
MAX_CLASS_CHARS = 2000  #: characters of a class attribute that are read
MAX_ATTRIBUTES = 64  #: attributes of an element that are read


@dataclass(eq=False)
class Vocabulary:
    """Numbers for tags, ids, classes and attributes, the same on every page."""

    names: dict[str, int] = field(default_factory=dict)
    ids: dict[str, int] = field(default_factory=lambda: {"": NONE})
    classes: dict[frozenset[str], int] = field(default_factory=lambda: {frozenset(): NONE})
    attrs: dict[frozenset[tuple[str, str]], int] = field(
        default_factory=lambda: {frozenset(): NONE}
    )
    labels: dict[tuple[int, ...], int] = field(default_factory=dict)
    _numbers: dict[Pairs, tuple[int, int, int]] = field(default_factory=dict)
    _class_sets: list[frozenset[str]] = field(default_factory=list)
    _attr_sets: list[frozenset[tuple[str, str]]] = field(default_factory=list)

    def numbers_of(self, pairs: Pairs) -> tuple[int, int, int]:
        """Numbers of the id, the classes and the other attributes of an element."""
        numbers = self._numbers.get(pairs)
        if numbers is None:
            numbers = self._numbers[pairs] = self._number(pairs[:MAX_ATTRIBUTES])
        return numbers

    def _number(self, pairs: Pairs) -> tuple[int, int, int]:
        attributes = {name: value or "" for name, value in pairs}
        classes = attributes.pop("class", "")[:MAX_CLASS_CHARS]
        own_id = attributes.pop("id", "").strip()
        return (
            self.ids.setdefault(own_id, len(self.ids)),
            self.classes.setdefault(frozenset(classes.split()), len(self.classes)),
            self.attrs.setdefault(frozenset(attributes.items()), len(self.attrs)),
        )

    def class_similarity(self, one: int, other: int) -> float:
        """Jaccard index of the class names of two elements."""
        if len(self._class_sets) < len(self.classes):
            self._class_sets = list(self.classes)
        return _jaccard(self._class_sets[one], self._class_sets[other])

    def attribute_similarity(self, one: int, other: int) -> float:
        """Jaccard index of the attributes of two elements."""
        if len(self._attr_sets) < len(self.attrs):
            self._attr_sets = list(self.attrs)
        return _jaccard(self._attr_sets[one], self._attr_sets[other])


def _jaccard(one: frozenset[object], other: frozenset[object]) -> float:
    both = len(one & other)
    return both / max(len(one) + len(other) - both, 1)


@dataclass(frozen=True, eq=False)
class LabelledPage:
    """The counted rows of a page, body first; a node is named by its place among them."""

    page: Page
    vocabulary: Vocabulary
    rows: Ints  #: row of each place
    parent: Ints  #: place of the parent; -1 for body
    size: Ints  #: places in the subtree, its root included
    kids: Ints  #: number of children
    tag: Ints  #: number of the tag; 0 for a text
    own_id: Ints
    classes: Ints
    attrs: Ints
    label: Ints  #: number of the combination of tag, id, classes, attributes and children

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def order(self) -> Ints:
        """Places sorted by parent, without body: the children of one parent are adjacent."""
        return np.argsort(self.parent, kind="stable")[1:]

    @cached_property
    def first(self) -> Ints:
        """Where in `order` the children of each place begin."""
        return np.cumsum(self.kids) - self.kids

    @cached_property
    def depth(self) -> Ints:
        """Number of edges up to body."""
        return depths(np.arange(len(self)) + self.size).astype(np.intp)

    @cached_property
    def hashed(self) -> tuple[Hashes, Hashes]:
        """Rolling hash: prefix sums of the labels times powers of MULTIPLIER, and those powers."""
        powers = np.full(len(self) + 1, MULTIPLIER)
        powers[0] = 1
        powers = np.cumprod(powers)
        weighed = mix(self.label.astype(np.uint64) + np.uint64(1)) * powers[:-1]
        sums = np.zeros(len(self) + 1, np.uint64)
        np.cumsum(weighed, out=sums[1:])
        return sums, powers


def label_page(page: Page, vocabulary: Vocabulary, *, words: bool = False) -> LabelledPage:
    """Number the tags, ids, classes and attributes of the counted rows of a page.

    With `words`, texts of different words have different tags, so they are never equal.
    """
    rows = np.flatnonzero(page.counted)
    place = np.full(len(page) + 1, -1, np.intp)  # the last stands for no parent
    place[rows] = np.arange(len(rows))
    parent = place[page.parent[rows]] if len(rows) else np.zeros(0, np.intp)
    kids = np.bincount(parent + 1, minlength=len(rows) + 1)[1:]
    size = page.sum_subtree(page.counted)[rows].astype(np.intp)
    named = np.zeros((3, len(rows)), np.intp)
    elements = np.flatnonzero(page.tag[rows] != TEXT)
    pairs = page.attrs
    numbers = [vocabulary.numbers_of(pairs[at]) for at in page.ordinal[rows[elements]].tolist()]
    named[:, elements] = np.array(numbers, np.intp).reshape(-1, 3).T
    tag = _tag_numbers(page, vocabulary)[page.tag[rows]]
    if words:
        texts = page.tag[rows] == TEXT
        tag[texts] = _word_numbers(page, rows[texts], vocabulary)
    label = _labels(np.stack((tag, *named, kids)), vocabulary)
    own_id, classes, attrs = named
    return LabelledPage(
        page, vocabulary, rows, parent, size, kids, tag, own_id, classes, attrs, label
    )


def _tag_numbers(page: Page, vocabulary: Vocabulary) -> Ints:
    """The number in the vocabulary of each tag number of the page; 0 for a text."""
    names = vocabulary.names
    numbers = [names.setdefault(name, len(names) + 1) for name in page.names[1:]]
    return np.array([0, *numbers], np.intp)


def _word_numbers(page: Page, rows: Ints, vocabulary: Vocabulary) -> Ints:
    """Numbers for the words of texts, beside those of tags."""
    names, texts = vocabulary.names, page.texts
    keys = (f"\n{' '.join(texts[at].split())}" for at in page.ordinal[rows].tolist())
    return np.array([names.setdefault(key, len(names) + 1) for key in keys], np.intp)


def _labels(columns: Ints, vocabulary: Vocabulary) -> Ints:
    """Number the combinations of the columns."""
    labels = vocabulary.labels
    numbers = [labels.setdefault(key, len(labels)) for key in zip(*columns.tolist(), strict=True)]
    return np.array(numbers, np.intp)


# -- top-down mapping -----------------------------------------------------------------------


MAX_DEPTH = 1000  #: levels that are mapped; the parser itself stops at about half of that


@dataclass(frozen=True, slots=True, eq=False)
class Children:
    """The children of one side of many pairs."""

    page: LabelledPage
    at: Ints  #: places of the children
    pair: Ints  #: pair that each is a child of
    place: Ints  #: index among its siblings
    count: Ints  #: number of siblings, itself included

    def __len__(self) -> int:
        return len(self.at)

    def take(self, chosen: Mask) -> "Children":
        """Some of the children."""
        parts = (self.at, self.pair, self.place, self.count)
        return Children(self.page, *(part[chosen] for part in parts))


class Relation(Protocol):
    """Decides which children of a pair are equal; each child is in one match at most."""

    @property
    def keeps_equal_lists(self) -> bool:
        """Whether equal lists of labels are always matched one by one, in order."""

    def match(self, left: Children, right: Children) -> Matches:
        """Match the children of every pair."""


def top_down(key: LabelledPage, other: LabelledPage, relation: Relation) -> Ints:
    """The partner of each place of the key page in the other page; -1 where there is none."""
    partner = np.full(len(key), -1, np.intp)
    left = right = np.zeros(1 if len(key) and len(other) else 0, np.intp)
    for _ in range(MAX_DEPTH):
        if not len(left):
            break
        partner[left] = right
        if relation.keeps_equal_lists:
            same = _same_below(key, other, left, right)
            _fill(partner, left[same], right[same], key.size)
            left, right = left[~same], right[~same]
        ours, theirs = children_of(key, left), children_of(other, right)
        here, there = relation.match(ours, theirs)
        left, right = ours.at[here], theirs.at[there]
    return partner


def children_of(page: LabelledPage, parents: Ints) -> Children:
    """The children of some places, in order."""
    count = page.kids[parents]
    pair = np.repeat(np.arange(len(parents)), count)
    place = np.arange(len(pair)) - (np.cumsum(count) - count)[pair]
    at = page.order[page.first[parents][pair] + place]
    return Children(page, at, pair, place, count[pair])


def _same_below(key: LabelledPage, other: LabelledPage, left: Ints, right: Ints) -> Mask:
    """Whether the subtrees of each pair have the same labels below their roots, in order."""
    same = (key.size[left] == other.size[right]) & (key.kids[left] == other.kids[right])
    (ours, powers), (theirs, more) = key.hashed, other.hashed
    one = (ours[left + key.size[left]] - ours[left + 1]) * more[right]
    two = (theirs[right + other.size[right]] - theirs[right + 1]) * powers[left]
    return np.asarray(same & (one == two))


def _fill(partner: Ints, left: Ints, right: Ints, size: Ints) -> None:
    """Map equal subtrees place by place."""
    count = size[left]
    inside = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    partner[np.repeat(left, count) + inside] = np.repeat(right, count) + inside


def drop_shells(key: LabelledPage, partner: Ints) -> Ints:
    """The mapping without elements none of whose leaves is mapped."""
    leaves = key.size == 1
    sums = np.concatenate(([0], np.cumsum(leaves & (partner >= 0))))
    at = np.arange(len(key))
    return np.where(sums[at + key.size] > sums[at], partner, -1)


def count_votes(partners: Sequence[Ints], places: int) -> Ints:
    """Number of pages in which each place has a partner."""
    votes = np.zeros(places, np.intp)
    for partner in partners:
        votes += partner >= 0
    return votes
