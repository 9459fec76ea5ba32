"""Equality relations between the children of mapped nodes.

Same label, same attributes, the relation of the paper's authors, and a user's own function. All
are greedy: the best pair first, ties by order; each child is matched once.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pagelet.arrays import Floats, Ints, Mask
from pagelet.methods.template.mapping import (
    NONE,
    Children,
    Matches,
    concatenate,
    match_all,
    match_by_rank,
    match_first_fit,
    match_greedily,
    number_combinations,
)
from pagelet.page.table import Page

ROUNDING = 1e-9  #: rounding error by which a similarity may miss the cut
MAX_PAIRS = 10_000  #: pairs of children of one tag above which not all are compared
BATCH_PAIRS = 1_000_000  #: pairs that are compared at once
MAX_SIBLING_OFFSET = 50  #: offset of siblings for a user's function, above MAX_PAIRS


@dataclass(frozen=True, slots=True)
class SameLabel:
    """Children of the same tag are equal: the first with the first, etc."""

    keeps_equal_lists: bool = True

    def match(self, left: Children, right: Children) -> Matches:
        """Match the children of every pair."""
        return match_by_rank(
            (left.pair, left.page.tag[left.at]), (right.pair, right.page.tag[right.at])
        )


@dataclass(frozen=True, slots=True)
class SameAttributes:
    """Children with the same tag, id, classes and attributes are equal."""

    keeps_equal_lists: bool = True

    def match(self, left: Children, right: Children) -> Matches:
        """Match the children of every pair."""
        return match_by_rank(_signature(left), _signature(right))


@dataclass(frozen=True, slots=True)
class CustomRelation:
    """A user's own function decides which rows of two pages are equal; the first match is taken.

    Where a pair has too many children, only those at similar places are compared.
    """

    equal: Callable[[Page, int, Page, int], bool]
    keeps_equal_lists: bool = False

    def match(self, left: Children, right: Children) -> Matches:
        """Match the children of every pair."""
        rows, others = left.page.rows[left.at].tolist(), right.page.rows[right.at].tolist()
        begin = np.searchsorted(right.pair, left.pair)
        end = np.searchsorted(right.pair, left.pair, "right")
        wide = left.count * (end - begin) > MAX_PAIRS
        low = np.where(
            wide, np.maximum(begin, begin + left.place - MAX_SIBLING_OFFSET), begin
        ).tolist()
        high = np.where(
            wide, np.minimum(end, begin + left.place + MAX_SIBLING_OFFSET + 1), end
        ).tolist()
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
class AuthorsRelation:
    """The relation of the authors' program: ids first, equal elements next, similarity last."""

    classes: float = 0.1
    position: float = 0.4
    attributes: float = 0.0
    children: float = 0.5
    cut: float = 0.9  #: least similarity of a match
    unnamed: float = 1.0  #: similarity of classes where neither element has one
    bare: float = 0.75  #: similarity of attributes where neither element has one
    priorities: bool = True  #: whether equal classes and attributes precede similarity
    keeps_equal_lists: bool = True

    def match(self, left: Children, right: Children) -> Matches:
        """Match the children of every pair."""
        equal = (self._match_equal_nearby, self._match_equal) if self.priorities else ()
        steps = [_match_ids, *equal, self._match_similar]
        ours, theirs = np.arange(len(left)), np.arange(len(right))
        matches: list[Matches] = []
        for step in steps:
            here, there = step(left, right)
            matches.append((ours[here], theirs[there]))
            rest, others = _all_but(len(left), here), _all_but(len(right), there)
            left, right, ours, theirs = (
                left.take(rest),
                right.take(others),
                ours[rest],
                theirs[others],
            )
        return concatenate(matches)

    def _equality_key(self, side: Children) -> tuple[Mask, tuple[Ints, ...]]:
        """Mark the children that can be equal to others, and give the columns that must agree."""
        page, at = side.page, side.at
        may = (page.attrs[at] != NONE) | (self.bare >= 1)
        may &= (page.classes[at] != NONE) | (self.unnamed >= 1)
        return may & (page.tag[at] != 0), (
            side.pair,
            page.tag[at],
            page.classes[at],
            page.attrs[at],
        )

    def _match_equal(self, left: Children, right: Children) -> Matches:
        """Match children with equal classes and attributes, at any place."""
        (may, ours), (can, theirs) = self._equality_key(left), self._equality_key(right)
        here, there = np.flatnonzero(may), np.flatnonzero(can)
        one, two = match_by_rank(
            tuple(part[here] for part in ours), tuple(part[there] for part in theirs)
        )
        return here[one], there[two]

    def _match_equal_nearby(self, left: Children, right: Children) -> Matches:
        """Match children with equal classes and attributes, at a place inside the window."""
        (may, ours), (can, theirs) = self._equality_key(left), self._equality_key(right)
        here, there = np.flatnonzero(may), np.flatnonzero(can)
        group, other = number_combinations(
            tuple(part[here] for part in ours), tuple(part[there] for part in theirs)
        )
        rest = np.isin(group, other)
        here, group = here[rest], group[rest]
        rest = np.isin(other, group)
        there, other = there[rest], other[rest]
        low, high = _window(left, right, here)
        one, two = match_first_fit(group, low, high, other, right.place[there])
        return here[one], there[two]

    def _match_similar(self, left: Children, right: Children) -> Matches:
        """Match the most similar children first, if they are similar enough."""
        ours, theirs = number_combinations(
            (left.pair, left.page.tag[left.at]), (right.pair, right.page.tag[right.at])
        )
        groups = max(ours.max(initial=-1), theirs.max(initial=-1)) + 1
        pairs = np.bincount(ours, minlength=groups) * np.bincount(theirs, minlength=groups)
        many = pairs > MAX_PAIRS
        if many.any():
            return self._match_many(left, right, many[ours], many[theirs])
        part = np.cumsum(pairs) // BATCH_PAIRS
        parts = [
            self._match_best(
                left, right, np.flatnonzero(part[ours] == at), np.flatnonzero(part[theirs] == at)
            )
            for at in np.unique(part[pairs > 0]).tolist()
        ]
        return concatenate(parts)

    def _match_best(self, left: Children, right: Children, few: Ints, others: Ints) -> Matches:
        """Match the most similar of some children first, comparing all pairs."""
        ours, theirs = number_combinations(
            (left.pair[few], left.page.tag[left.at[few]]),
            (right.pair[others], right.page.tag[right.at[others]]),
        )
        one, two = match_all(ours, theirs)
        here, there = few[one], others[two]
        similarity = self._similarity(left, right, here, there)
        enough = similarity >= self.cut - ROUNDING
        return match_greedily(here[enough], there[enough], similarity[enough])

    def _match_many(self, left: Children, right: Children, ours: Mask, theirs: Mask) -> Matches:
        """Match equal children by order where there are too many pairs to compare."""
        here, there = np.flatnonzero(ours), np.flatnonzero(theirs)
        one, two = match_by_rank(_kind(left.take(ours)), _kind(right.take(theirs)))
        few, others = np.flatnonzero(~ours), np.flatnonzero(~theirs)
        three, four = self._match_similar(left.take(~ours), right.take(~theirs))
        return concatenate([(here[one], there[two]), (few[three], others[four])])

    def _similarity(self, left: Children, right: Children, here: Ints, there: Ints) -> Floats:
        """Similarity of the children of each possible match."""
        one, two = left.page, right.page
        ours, theirs = left.at[here], right.at[there]
        words = one.vocabulary
        low, high = _window(left, right, here)
        place = right.place[there]
        steps = np.maximum(np.maximum(low - place, place - high), 0)
        least = np.minimum(left.count[here], right.count[there])
        kids, others = one.kids[ours], two.kids[theirs]
        total = self.position * (1 - steps / least)
        total += self.children * np.where(
            kids == others, 1.0, np.minimum(kids, others) / np.maximum(np.maximum(kids, others), 1)
        )
        total += self.classes * _set_similarity(
            one.classes[ours], two.classes[theirs], words.class_similarity, self.unnamed
        )
        if self.attributes:
            total += self.attributes * _set_similarity(
                one.attrs[ours], two.attrs[theirs], words.attribute_similarity, self.bare
            )
        return np.asarray(np.round(total, 9))


#: Weights beside the later ones in the authors' program, probably those of the paper.
AUTHORS_OLDER = AuthorsRelation(
    classes=0.8, position=0.1, attributes=0.0, children=0.1, unnamed=0.99
)
AUTHORS_LATER = AuthorsRelation()


def _signature(side: Children) -> tuple[Ints, ...]:
    page, at = side.page, side.at
    return side.pair, page.tag[at], page.own_id[at], page.classes[at], page.attrs[at]


def _kind(side: Children) -> tuple[Ints, ...]:
    page, at = side.page, side.at
    return side.pair, page.tag[at], page.classes[at], page.kids[at]


def _match_ids(left: Children, right: Children) -> Matches:
    """Match elements with the same tag and id."""
    here = np.flatnonzero(left.page.own_id[left.at] != NONE)
    there = np.flatnonzero(right.page.own_id[right.at] != NONE)
    ours, theirs = left.at[here], right.at[there]
    one, two = match_by_rank(
        (left.pair[here], left.page.tag[ours], left.page.own_id[ours]),
        (right.pair[there], right.page.tag[theirs], right.page.own_id[theirs]),
    )
    return here[one], there[two]


def _window(left: Children, right: Children, here: Ints) -> tuple[Ints, Ints]:
    """First and last place among the other siblings that is equivalent to a child's own."""
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


def _set_similarity(
    one: Ints, two: Ints, similarity: Callable[[int, int], float], neither: float
) -> Floats:
    """Similarity of two columns of sets, each pair of sets compared once."""
    shares = (one == two).astype(np.float64)
    shares[(one == NONE) & (two == NONE)] = neither
    differ = np.flatnonzero((one != two) & (one != NONE) & (two != NONE))
    if len(differ):
        wide = np.int64(two.max()) + 1
        pairs, back = np.unique(one[differ] * wide + two[differ], return_inverse=True)
        values = [similarity(*divmod(int(pair), int(wide))) for pair in pairs.tolist()]
        shares[differ] = np.array(values)[back]
    return np.asarray(shares)
