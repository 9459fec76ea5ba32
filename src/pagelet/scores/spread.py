"""Marks of one page carried to another page of the same template.

The pages are mapped top-down as for site templates. What the mapping leaves out is looked for
below the nearest row that has a partner, a step at a time, among the children that are nobody's
partner. A mark is as sure as the weakest step of its path from body.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.page import Page
from pagelet.measures.mapping import top_down
from pagelet.measures.mapping_equal import OLDER
from pagelet.measures.mapping_labels import NONE, Ints, Labelled, Vocabulary, labelled

Floats = NDArray[np.float64]

TAG, NAMES, PLACE = 0.4, 0.35, 0.25  #: what the parts of a step's likeness weigh
LEAST = 0.2  #: likeness below which a step is not taken
LOST = -1


@dataclass(frozen=True, slots=True)
class Carried:
    """Where a row of one page is on another."""

    row: int  #: LOST when it is nowhere
    sure: float  #: 0 to 1: likeness of the weakest step from body down to it


@dataclass(frozen=True, slots=True, eq=False)
class Mapped:
    """Two pages of a site, side by side."""

    key: Labelled
    other: Labelled
    partner: Ints  #: place in the other page of each place of the key page; -1 for none
    taken: NDArray[np.bool_]  #: places of the other page that are somebody's partner

    @property
    def alike(self) -> float:
        """Share of the rows of both pages that have a partner."""
        rows = len(self.key) + len(self.other)
        return 2 * int((self.partner >= 0).sum()) / rows if rows else 0.0


def map_pages(key: Page, other: Page) -> Mapped:
    """Map the counted rows of one page on those of another."""
    words = Vocabulary()
    ours, theirs = labelled(key, words), labelled(other, words)
    partner = top_down(ours, theirs, OLDER)
    taken = np.zeros(len(theirs), np.bool_)
    taken[partner[partner >= 0]] = True
    return Mapped(ours, theirs, partner, taken)


def carry(mapped: Mapped, rows: Sequence[int]) -> list[Carried]:
    """Where rows of the key page are on the other page, each for itself."""
    places = np.searchsorted(mapped.key.rows, rows)
    return [
        _carried(mapped, int(at))
        if at < len(mapped.key) and mapped.key.rows[at] == row
        else Carried(LOST, 0.0)
        for row, at in zip(rows, places.tolist(), strict=True)
    ]


def _carried(mapped: Mapped, place: int) -> Carried:
    """Go down the path of a place, by the mapping as far as it reaches."""
    at, sure = 0, 1.0
    for step in _path(mapped.key, place)[1:]:
        partner = int(mapped.partner[step])
        found = np.array([partner]) if partner >= 0 else _free(mapped, at)
        alike = likeness(mapped, step, found)
        if not len(found) or (partner < 0 and alike.max() < LEAST):
            return Carried(LOST, 0.0)
        at = int(found[alike.argmax()])
        sure = min(sure, float(alike.max()))
    row = int(mapped.other.rows[at]) if len(mapped.other) else LOST
    return Carried(row, round(sure, 4) if row >= 0 else 0.0)


def _path(page: Labelled, place: int) -> list[int]:
    """Places from body down to a place."""
    path = []
    while place >= 0:
        path.append(place)
        place = int(page.parent[place])
    return path[::-1]


def _free(mapped: Mapped, parent: int) -> Ints:
    """Children of a place of the other page that are nobody's partner."""
    page = mapped.other
    first = page.first[parent]
    children = page.order[first : first + page.kids[parent]]
    return np.asarray(children[~mapped.taken[children]])


def likeness(mapped: Mapped, place: int, others: Ints) -> Floats:
    """How alike a place of the key page and places of the other page are by themselves, 0 to 1.

    Tag, names, and place among the siblings, counted from either end.
    """
    key, other = mapped.key, mapped.other
    same = (other.tag[others] == key.tag[place]).astype(np.float64)
    ours, siblings = _standing(key, np.array([place]))
    theirs, count = _standing(other, others)
    most = np.maximum(siblings, count)
    apart = np.minimum(abs(ours - theirs), abs((siblings - ours) - (count - theirs)))
    return np.asarray(TAG * same + NAMES * _named(mapped, place, others) + PLACE * (1 - apart / most))


def _standing(page: Labelled, places: Ints) -> tuple[Ints, Ints]:
    """Place among the siblings, and how many they are."""
    parent = page.parent[places]
    inner = parent >= 0
    at = np.zeros(len(page), np.intp)
    at[page.order] = np.arange(len(page.order))
    standing = np.where(inner, at[places] - page.first[parent], 0)
    return standing, np.where(inner, page.kids[parent], 1)


def _named(mapped: Mapped, place: int, others: Ints) -> Floats:
    """Whether ids are the same, else the share of classes in common; 1 where nobody has any."""
    key, other = mapped.key, mapped.other
    words, own = key.vocabulary, int(key.classes[place])
    shares = [
        1.0 if own == each == NONE else words.class_likeness(own, each)
        for each in other.classes[others].tolist()
    ]
    ids = other.own_id[others]
    known = (ids != NONE) | (key.own_id[place] != NONE)
    return np.where(known, ids == key.own_id[place], np.array(shares, np.float64))
