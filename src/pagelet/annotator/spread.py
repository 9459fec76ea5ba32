"""Marks carried over from a page of the same template.

The pages are mapped top-down as for site templates. A row without a partner is searched for below
its nearest ancestor that has one, step by step, among the children without a partner. The
confidence of a row is the likeness of the weakest step on its path from body.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pagelet.annotator.marks import SPREAD, Mark
from pagelet.arrays import Floats, Ints, Mask
from pagelet.methods.template.equality import AUTHORS_OLDER
from pagelet.methods.template.mapping import (
    MAX_DEPTH,
    NONE,
    LabelledPage,
    Vocabulary,
    label_page,
    top_down,
)
from pagelet.page.table import Page
from pagelet.page.tree import join_path

Positions = tuple[Ints, Ints]  #: index of each node among its siblings, and their number

TAG_WEIGHT, NAME_WEIGHT, POSITION_WEIGHT = 0.4, 0.35, 0.25  #: weights within a step's likeness
MIN_LIKENESS = 0.2  #: likeness below which a step is not taken
LOST = -1  #: row of a node that has no counterpart


@dataclass(frozen=True, slots=True)
class Carried:
    """The counterpart of a row on another page."""

    row: int  #: LOST if there is none
    sure: float  #: likeness of the weakest step from body, 0 to 1


@dataclass(frozen=True, eq=False)
class Mapped:
    """Two pages of a site, mapped onto each other."""

    key: LabelledPage
    other: LabelledPage
    partner: Ints  #: index in the other page for each index of the key page; -1 for none

    @property
    def alike(self) -> float:
        """Share of the rows of both pages that have a partner."""
        rows = len(self.key) + len(self.other)
        return 2 * int((self.partner >= 0).sum()) / rows if rows else 0.0

    @cached_property
    def taken(self) -> Mask:
        """Nodes of the other page that have a partner."""
        taken = np.zeros(len(self.other), np.bool_)
        taken[self.partner[self.partner >= 0]] = True
        return taken

    @cached_property
    def positions(self) -> tuple[Positions, Positions]:
        """Positions among siblings on both pages."""
        return _positions(self.key), _positions(self.other)

    @cached_property
    def sure(self) -> Floats:
        """Likeness of the weakest step from body to each node that has a partner."""
        steps = np.ones(len(self.key))
        here = np.flatnonzero(self.partner >= 0)
        steps[here] = likeness(self, here, self.partner[here])
        depth = int(self.key.depth.max(initial=0))
        return np.asarray(join_path(self.key.parent, depth, steps, np.minimum, 1.0))


def map_pages(key: Page, other: Page) -> Mapped:
    """Map the counted rows of one page to those of another."""
    words = Vocabulary()
    first, second = label_page(key, words), label_page(other, words)
    return Mapped(first, second, top_down(first, second, AUTHORS_OLDER))


def spread_marks(mapped: Mapped, marks: Sequence[Mark]) -> tuple[list[Mark], list[Mark]]:
    """The marks of the key page carried to the other page, and those that have no place there.

    A mark of several elements keeps those that have a counterpart. Its confidence is the lowest of
    theirs times their share. Of two marks with the same elements, the one with the higher
    confidence is kept.
    """
    key, other = mapped.key.page, mapped.other.page
    carried: dict[tuple[str, tuple[str, ...]], Mark] = {}
    missed = []
    for mark in marks:
        counterparts = carry(mapped, [key.row(path) for path in mark.paths])
        placed = {each.row: each.sure for each in counterparts if each.row != LOST}
        if not placed:
            missed.append(mark)
            continue
        sure = min(placed.values()) * len(placed) / len(mark.paths)
        paths = tuple(map(other.path, sorted(placed)))
        same = carried.get((mark.kind, paths))
        if same is None or (same.sure or 0) < sure:
            carried[mark.kind, paths] = Mark(mark.kind, paths, SPREAD, sure=round(sure, 4))
    return list(carried.values()), missed


def carry(mapped: Mapped, rows: Sequence[int]) -> list[Carried]:
    """The counterparts of rows of the key page, each by itself."""
    places = np.searchsorted(mapped.key.rows, rows)
    return [
        _carry_one(mapped, at)
        if at < len(mapped.key) and mapped.key.rows[at] == row
        else Carried(LOST, 0.0)
        for row, at in zip(rows, places.tolist(), strict=True)
    ]


def _carry_one(mapped: Mapped, place: int) -> Carried:
    """Follow the mapping as far down as it reaches, then go step by step."""
    steps: list[int] = []
    while place >= 0 and mapped.partner[place] < 0 and len(steps) <= MAX_DEPTH:
        steps.append(place)
        place = int(mapped.key.parent[place])
    if place < 0 or len(steps) > MAX_DEPTH:
        return Carried(LOST, 0.0)
    at, sure = int(mapped.partner[place]), float(mapped.sure[place])
    for step in reversed(steps):
        free = _free(mapped, at)
        alike = likeness(mapped, np.full(len(free), step), free)
        if alike.max(initial=0.0) < MIN_LIKENESS:
            return Carried(LOST, 0.0)
        at, sure = int(free[alike.argmax()]), min(sure, float(alike.max()))
    return Carried(int(mapped.other.rows[at]), round(sure, 4))


def _free(mapped: Mapped, parent: int) -> Ints:
    """Children of a node of the other page that have no partner."""
    page = mapped.other
    first = page.first[parent]
    children = page.order[first : first + page.kids[parent]]
    return np.asarray(children[~mapped.taken[children]])


def likeness(mapped: Mapped, places: Ints, others: Ints) -> Floats:
    """Likeness of nodes of the key page and of the other page, 0 to 1.

    Compares tag, names, and position among the siblings, counted from either end.
    """
    same = mapped.key.tag[places] == mapped.other.tag[others]
    (position, siblings), (other_position, other_siblings) = mapped.positions
    first, second = position[places], other_position[others]
    from_end = abs((siblings[places] - first) - (other_siblings[others] - second))
    most = np.maximum(siblings[places], other_siblings[others])
    near = 1 - np.minimum(abs(first - second), from_end) / most
    names = _name_likeness(mapped, places, others)
    return np.asarray(TAG_WEIGHT * same + NAME_WEIGHT * names + POSITION_WEIGHT * near)


def _positions(page: LabelledPage) -> Positions:
    at = np.zeros(len(page), np.intp)
    at[page.order] = np.arange(len(page.order))
    inner = page.parent >= 0
    position = np.where(inner, at - page.first[page.parent], 0)
    return position, np.where(inner, page.kids[page.parent], 1)


def _name_likeness(mapped: Mapped, places: Ints, others: Ints) -> Floats:
    """Whether ids are equal, else the share of classes in common; 1 if neither has any."""
    key, other = mapped.key, mapped.other
    pairs, back = np.unique(
        np.stack((key.classes[places], other.classes[others])), axis=1, return_inverse=True
    )
    share = key.vocabulary.class_similarity
    shares = [1.0 if one == two == NONE else share(one, two) for one, two in pairs.T.tolist()]
    own, theirs = key.own_id[places], other.own_id[others]
    has_id = (own != NONE) | (theirs != NONE)
    return np.where(has_id, own == theirs, np.array(shares, np.float64)[back.ravel()])
