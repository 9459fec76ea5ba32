"""Marks of one page carried to another page of the same template.

The pages are mapped top-down as for site templates. What the mapping leaves out is looked for
below the nearest row that has a partner, a step at a time, among the children that are nobody's
partner. A mark is as sure as the weakest step of its path from body.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pagelet.arrays import Floats, Ints, Mask
from pagelet.methods.template.equality import OLDER
from pagelet.methods.template.mapping import DEEPEST, NONE, Labelled, Vocabulary, labelled, top_down
from pagelet.page.table import Page
from pagelet.page.tree import join_path

Standing = tuple[Ints, Ints]  #: place of each among its siblings, and how many they are

TAG, NAMES, PLACE = 0.4, 0.35, 0.25  #: what the parts of a step's likeness weigh
LEAST = 0.2  #: likeness below which a step is not taken
LOST = -1


@dataclass(frozen=True, slots=True)
class Carried:
    """Where a row of one page is on another."""

    row: int  #: LOST when it is nowhere
    sure: float  #: 0 to 1: likeness of the weakest step from body down to it


@dataclass(frozen=True, eq=False)
class Mapped:
    """Two pages of a site, side by side."""

    key: Labelled
    other: Labelled
    partner: Ints  #: place in the other page of each place of the key page; -1 for none

    @property
    def alike(self) -> float:
        """Share of the rows of both pages that have a partner."""
        rows = len(self.key) + len(self.other)
        return 2 * int((self.partner >= 0).sum()) / rows if rows else 0.0

    @cached_property
    def taken(self) -> Mask:
        """Places of the other page that are somebody's partner."""
        taken = np.zeros(len(self.other), np.bool_)
        taken[self.partner[self.partner >= 0]] = True
        return taken

    @cached_property
    def standing(self) -> tuple[Standing, Standing]:
        """Places among siblings on both pages."""
        return _standing(self.key), _standing(self.other)

    @cached_property
    def sure(self) -> Floats:
        """Likeness of the weakest step from body down to each place that has a partner."""
        steps = np.ones(len(self.key))
        here = np.flatnonzero(self.partner >= 0)
        steps[here] = likeness(self, here, self.partner[here])
        depth = int(self.key.depth.max(initial=0))
        return np.asarray(join_path(self.key.parent, depth, steps, np.minimum, 1.0))


def map_pages(key: Page, other: Page) -> Mapped:
    """Map the counted rows of one page on those of another."""
    words = Vocabulary()
    ours, theirs = labelled(key, words), labelled(other, words)
    return Mapped(ours, theirs, top_down(ours, theirs, OLDER))


def carry(mapped: Mapped, rows: Sequence[int]) -> list[Carried]:
    """Where rows of the key page are on the other page, each for itself."""
    places = np.searchsorted(mapped.key.rows, rows)
    return [
        _carried(mapped, at)
        if at < len(mapped.key) and mapped.key.rows[at] == row
        else Carried(LOST, 0.0)
        for row, at in zip(rows, places.tolist(), strict=True)
    ]


def _carried(mapped: Mapped, place: int) -> Carried:
    """By the mapping as far down as it reaches, then a step at a time."""
    steps: list[int] = []
    while place >= 0 and mapped.partner[place] < 0 and len(steps) <= DEEPEST:
        steps.append(place)
        place = int(mapped.key.parent[place])
    if place < 0 or len(steps) > DEEPEST:
        return Carried(LOST, 0.0)
    at, sure = int(mapped.partner[place]), float(mapped.sure[place])
    for step in reversed(steps):
        free = _free(mapped, at)
        alike = likeness(mapped, np.full(len(free), step), free)
        if alike.max(initial=0.0) < LEAST:
            return Carried(LOST, 0.0)
        at, sure = int(free[alike.argmax()]), min(sure, float(alike.max()))
    return Carried(int(mapped.other.rows[at]), round(sure, 4))


def _free(mapped: Mapped, parent: int) -> Ints:
    """Children of a place of the other page that are nobody's partner."""
    page = mapped.other
    first = page.first[parent]
    children = page.order[first : first + page.kids[parent]]
    return np.asarray(children[~mapped.taken[children]])


def likeness(mapped: Mapped, places: Ints, others: Ints) -> Floats:
    """How alike places of the key page and of the other page are by themselves, 0 to 1.

    Tag, names, and place among the siblings, counted from either end.
    """
    same = mapped.key.tag[places] == mapped.other.tag[others]
    (standing, siblings), (place, count) = mapped.standing
    ours, theirs = standing[places], place[others]
    from_end = abs((siblings[places] - ours) - (count[others] - theirs))
    most = np.maximum(siblings[places], count[others])
    near = 1 - np.minimum(abs(ours - theirs), from_end) / most
    return np.asarray(TAG * same + NAMES * _named(mapped, places, others) + PLACE * near)


def _standing(page: Labelled) -> Standing:
    """Place of each among its siblings, and how many they are."""
    at = np.zeros(len(page), np.intp)
    at[page.order] = np.arange(len(page.order))
    inner = page.parent >= 0
    standing = np.where(inner, at - page.first[page.parent], 0)
    return standing, np.where(inner, page.kids[page.parent], 1)


def _named(mapped: Mapped, places: Ints, others: Ints) -> Floats:
    """Whether ids are the same, else the share of classes in common; 1 where nobody has any."""
    key, other = mapped.key, mapped.other
    pairs, back = np.unique(
        np.stack((key.classes[places], other.classes[others])), axis=1, return_inverse=True
    )
    share = key.vocabulary.class_likeness
    shares = [1.0 if one == two == NONE else share(one, two) for one, two in pairs.T.tolist()]
    own, theirs = key.own_id[places], other.own_id[others]
    known = (own != NONE) | (theirs != NONE)
    return np.where(known, own == theirs, np.array(shares, np.float64)[back.ravel()])
