"""Equal top-down mapping of two pages, level by level.

Alarte, Insa, Silva, Tamarit: a one-to-one set of pairs of nodes, equal under some relation,
closed towards the root. Bodies form a pair; the children of a pair are matched by the
relation, all pairs of one level together. Subtrees with the same labels all the way down map
row by row, and are not looked into.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pagelet.measures.mapping_join import Matched
from pagelet.measures.mapping_labels import Ints, Labelled

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

    def take(self, chosen: NDArray[np.bool_]) -> "Children":
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


def _same_below(key: Labelled, other: Labelled, left: Ints, right: Ints) -> NDArray[np.bool_]:
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
