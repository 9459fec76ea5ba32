"""Relations of equality between children, for the mapping of two pages.

Same label, same everything, the relation of the paper's authors, and a user's own function.
All are greedy: the best pair first, ties by order; both are then taken.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pagelet.arrays import Floats, Ints, Mask
from pagelet.methods.template.mapping import (
    NONE,
    Children,
    Matched,
    by_rank,
    first_fit,
    greedy,
    joined,
    numbered,
    product,
)
from pagelet.page.table import Page

SLACK = 1e-9  #: a likeness that meets the cut but for rounding meets it
PAIRS = 10_000  #: pairs of children of one tag that are all compared; of more, equal ones only
TOGETHER = 1_000_000  #: pairs that are compared at once
BAND = 50  #: how far apart siblings may stand for a user's function, where there are more


@dataclass(frozen=True, slots=True)
class SameLabel:
    """Children of the same tag are equal: the first with the first, and so on."""

    sure: bool = True

    def match(self, left: Children, right: Children) -> Matched:
        """Match the children of every pair."""
        return by_rank((left.pair, left.page.tag[left.at]), (right.pair, right.page.tag[right.at]))


@dataclass(frozen=True, slots=True)
class SameAttributes:
    """Children with the same tag, id, classes and attributes are equal."""

    sure: bool = True

    def match(self, left: Children, right: Children) -> Matched:
        """Match the children of every pair."""
        return by_rank(_signature(left), _signature(right))


@dataclass(frozen=True, slots=True)
class Asked:
    """A user's own function says which rows of two pages are equal; the first that fits is taken.

    Where a pair has too many children, only those that stand near each other are compared.
    """

    equal: Callable[[Page, int, Page, int], bool]
    sure: bool = False

    def match(self, left: Children, right: Children) -> Matched:
        """Match the children of every pair."""
        rows, others = left.page.rows[left.at].tolist(), right.page.rows[right.at].tolist()
        begin = np.searchsorted(right.pair, left.pair)
        end = np.searchsorted(right.pair, left.pair, "right")
        wide = left.count * (end - begin) > PAIRS
        low = np.where(wide, np.maximum(begin, begin + left.place - BAND), begin).tolist()
        high = np.where(wide, np.minimum(end, begin + left.place + BAND + 1), end).tolist()
        free, here, there = bytearray(b"\1" * len(others)), [], []
        for at, row in enumerate(rows):
            for to in range(low[at], high[at]):
                if free[to] and self.equal(left.page.page, row, right.page.page, others[to]):
                    free[to] = 0
                    here.append(at)
                    there.append(to)
                    break
        return np.array(here, np.intp), np.array(there, np.intp)


@dataclass(frozen=True, slots=True, kw_only=True)
class Authors:
    """The relation of the authors' program: ids first, equal elements next, likeness last."""

    classes: float = 0.1
    position: float = 0.4
    attributes: float = 0.0
    children: float = 0.5
    cut: float = 0.9  #: least likeness of a match
    unnamed: float = 1.0  #: likeness of classes where neither element has one
    bare: float = 0.75  #: likeness of attributes where neither element has one
    priorities: bool = True  #: whether equal classes and attributes go before likeness
    sure: bool = True

    def match(self, left: Children, right: Children) -> Matched:
        """Match the children of every pair."""
        steps = [_same_id, *((self._same_here, self._same) if self.priorities else ()), self._alike]
        ours, theirs = np.arange(len(left)), np.arange(len(right))
        found: list[Matched] = []
        for step in steps:
            here, there = step(left, right)
            found.append((ours[here], theirs[there]))
            rest, others = _all_but(len(left), here), _all_but(len(right), there)
            left, right, ours, theirs = (
                left.take(rest),
                right.take(others),
                ours[rest],
                theirs[others],
            )
        return joined(found)

    def _equal(self, side: Children) -> tuple[Mask, tuple[Ints, ...]]:
        """Which children may be equal to others at all, and what then must be the same."""
        page, at = side.page, side.at
        may = (page.attrs[at] != NONE) | (self.bare >= 1)
        may &= (page.classes[at] != NONE) | (self.unnamed >= 1)
        return may & (page.tag[at] != 0), (
            side.pair,
            page.tag[at],
            page.classes[at],
            page.attrs[at],
        )

    def _same(self, left: Children, right: Children) -> Matched:
        """Equal classes and attributes, wherever they stand."""
        (may, ours), (can, theirs) = self._equal(left), self._equal(right)
        here, there = np.flatnonzero(may), np.flatnonzero(can)
        one, two = by_rank(
            tuple(part[here] for part in ours), tuple(part[there] for part in theirs)
        )
        return here[one], there[two]

    def _same_here(self, left: Children, right: Children) -> Matched:
        """Equal classes and attributes, and a place inside the window."""
        (may, ours), (can, theirs) = self._equal(left), self._equal(right)
        here, there = np.flatnonzero(may), np.flatnonzero(can)
        group, other = numbered(
            tuple(part[here] for part in ours), tuple(part[there] for part in theirs)
        )
        rest = np.isin(group, other)
        here, group = here[rest], group[rest]
        rest = np.isin(other, group)
        there, other = there[rest], other[rest]
        low, high = _window(left, right, here)
        one, two = first_fit(group, low, high, other, right.place[there])
        return here[one], there[two]

    def _alike(self, left: Children, right: Children) -> Matched:
        """The most alike first, of those that are alike enough."""
        ours, theirs = numbered(
            (left.pair, left.page.tag[left.at]), (right.pair, right.page.tag[right.at])
        )
        groups = max(ours.max(initial=-1), theirs.max(initial=-1)) + 1
        pairs = np.bincount(ours, minlength=groups) * np.bincount(theirs, minlength=groups)
        many = pairs > PAIRS
        if many.any():
            return self._of_many(left, right, many[ours], many[theirs])
        part = np.cumsum(pairs) // TOGETHER
        found = [
            self._best(
                left, right, np.flatnonzero(part[ours] == at), np.flatnonzero(part[theirs] == at)
            )
            for at in np.unique(part[pairs > 0]).tolist()
        ]
        return joined(found)

    def _best(self, left: Children, right: Children, few: Ints, others: Ints) -> Matched:
        """The most alike first, of some children, all pairs compared."""
        ours, theirs = numbered(
            (left.pair[few], left.page.tag[left.at[few]]),
            (right.pair[others], right.page.tag[right.at[others]]),
        )
        one, two = product(ours, theirs)
        here, there = few[one], others[two]
        alike = self._likeness(left, right, here, there)
        enough = alike >= self.cut - SLACK
        return greedy(here[enough], there[enough], alike[enough])

    def _of_many(self, left: Children, right: Children, ours: Mask, theirs: Mask) -> Matched:
        """Where too many children would be compared, equal ones match by order."""
        here, there = np.flatnonzero(ours), np.flatnonzero(theirs)
        one, two = by_rank(_kind(left.take(ours)), _kind(right.take(theirs)))
        few, others = np.flatnonzero(~ours), np.flatnonzero(~theirs)
        three, four = self._alike(left.take(~ours), right.take(~theirs))
        return joined([(here[one], there[two]), (few[three], others[four])])

    def _likeness(self, left: Children, right: Children, here: Ints, there: Ints) -> Floats:
        """How alike the children of each possible match are."""
        one, two = left.page, right.page
        ours, theirs = left.at[here], right.at[there]
        words = one.vocabulary
        low, high = _window(left, right, here)
        place = right.place[there]
        steps = np.maximum(np.maximum(low - place, place - high), 0)
        least = np.minimum(left.count[here], right.count[there])
        kids, others = one.kids[ours], two.kids[theirs]
        alike = self.position * (1 - steps / least)
        alike += self.children * np.where(
            kids == others, 1.0, np.minimum(kids, others) / np.maximum(np.maximum(kids, others), 1)
        )
        alike += self.classes * _shares(
            one.classes[ours], two.classes[theirs], words.class_likeness, self.unnamed
        )
        if self.attributes:
            alike += self.attributes * _shares(
                one.attrs[ours], two.attrs[theirs], words.attr_likeness, self.bare
            )
        return np.asarray(np.round(alike, 9))


#: Weights that stand beside the later ones in the authors' program, probably the paper's own.
OLDER = Authors(classes=0.8, position=0.1, attributes=0.0, children=0.1, unnamed=0.99)
LATER = Authors()


def _signature(side: Children) -> tuple[Ints, ...]:
    page, at = side.page, side.at
    return side.pair, page.tag[at], page.own_id[at], page.classes[at], page.attrs[at]


def _kind(side: Children) -> tuple[Ints, ...]:
    page, at = side.page, side.at
    return side.pair, page.tag[at], page.classes[at], page.kids[at]


def _same_id(left: Children, right: Children) -> Matched:
    """Elements of one tag with the same id."""
    here = np.flatnonzero(left.page.own_id[left.at] != NONE)
    there = np.flatnonzero(right.page.own_id[right.at] != NONE)
    ours, theirs = left.at[here], right.at[there]
    one, two = by_rank(
        (left.pair[here], left.page.tag[ours], left.page.own_id[ours]),
        (right.pair[there], right.page.tag[theirs], right.page.own_id[theirs]),
    )
    return here[one], there[two]


def _window(left: Children, right: Children, here: Ints) -> tuple[Ints, Ints]:
    """First and last place among the other siblings that is as good as a child's own."""
    count, place = left.count[here], left.place[here]
    others = np.zeros(int(left.pair.max(initial=-1)) + 1, np.intp)
    seen = right.pair < len(others)
    others[right.pair[seen]] = right.count[seen]
    more = others[left.pair[here]] - count
    return np.maximum(place + np.minimum(more, 0), 0), place + np.maximum(more, 0)


def _all_but(count: int, taken: Ints) -> Mask:
    rest = np.ones(count, np.bool_)
    rest[taken] = False
    return rest


def _shares(one: Ints, two: Ints, likeness: Callable[[int, int], float], neither: float) -> Floats:
    """How alike two columns of sets are, each pair of sets compared once."""
    shares = (one == two).astype(np.float64)
    shares[(one == NONE) & (two == NONE)] = neither
    differ = np.flatnonzero((one != two) & (one != NONE) & (two != NONE))
    if len(differ):
        wide = np.int64(two.max()) + 1
        pairs, back = np.unique(one[differ] * wide + two[differ], return_inverse=True)
        found = [likeness(*divmod(int(pair), int(wide))) for pair in pairs.tolist()]
        shares[differ] = np.array(found)[back]
    return np.asarray(shares)
