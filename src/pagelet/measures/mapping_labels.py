"""Counted rows of a page as a mapping compares them: tags, ids, classes, attributes as numbers.

The numbers come from a vocabulary that all pages of one mapping share, so that equal numbers
mean equal names on any two of them.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.page import Page, Pairs
from pagelet.columns.tree import depths
from pagelet.measures.signatures import STEP, mixed
from pagelet.tags import TEXT

Ints = NDArray[np.intp]

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
    def hashed(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """Prefix sums of the labels, each times a power of STEP, and those powers."""
        powers = np.full(len(self) + 1, STEP)
        powers[0] = 1
        powers = np.cumprod(powers)
        weighed = mixed(self.label.astype(np.uint64) + np.uint64(1)) * powers[:-1]
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
