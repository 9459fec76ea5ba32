"""Which members of a group are records: those that have most of what most members have.

A line of page numbers, a heading or an advertisement among the records has other places inside;
and elements beside the records, or in another list, that have the same places inside are records.
"""

from dataclasses import dataclass

import numpy as np

from pagelet.arrays import Floats, Hashes, Ints
from pagelet.methods.records.candidates import RecordCandidates
from pagelet.page.signatures import place_signatures, row_signatures
from pagelet.page.table import Page

COMMON_SHARE = 0.5  #: share of members from which on a place is common
MIN_COMMON_PLACES = 3  #: common places that are needed to compare members
MIN_COVERAGE = 0.5  #: share of the common places that a record has
MIN_LIKE_COVERAGE = 0.7  #: the same for a record outside the group
MIN_CHARS_SHARE = 0.02  #: characters of a record, as a share of the median


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """The places that most records of a page have."""

    common: Hashes  #: sorted

    def coverage(self, page: Page, start: Ints, stop: Ints) -> Floats:
        """For each span the share of the common places that it has."""
        member, place = _places(page, start, stop)
        known = np.isin(place, self.common)
        held = np.bincount(member[known], minlength=len(start))
        return np.asarray(held / max(len(self.common), 1))

    @property
    def usable(self) -> bool:
        """Whether there are enough places to compare."""
        return len(self.common) >= MIN_COMMON_PLACES


def find_pattern(page: Page, start: Ints, stop: Ints) -> Pattern:
    """The places that at least half of the spans have."""
    _, place = _places(page, start, stop)
    places, count = np.unique(place, return_counts=True)
    return Pattern(places[count >= COMMON_SHARE * len(start)])


def _places(page: Page, start: Ints, stop: Ints) -> tuple[Ints, Hashes]:
    """Each place in each span once: the number of the span, and the hash of the place."""
    size = stop - start
    member = np.repeat(np.arange(len(start)), size)
    rows = np.arange(len(member)) - np.repeat(np.cumsum(size) - size, size) + np.repeat(start, size)
    base = np.where(page.end[start] == stop, start, page.parent[start])[member]
    below = (rows != base) & page.counted[rows]
    rows, base, member = rows[below], base[below], member[below]
    place = place_signatures(page, row_signatures(page, classes=False), rows, base)
    order = np.lexsort((place, member))
    member, place = member[order], place[order]
    new = np.ones(len(order), np.bool_)
    new[1:] = (np.diff(member) != 0) | (place[1:] != place[:-1])
    return member[new], place[new]


def select_members(candidates: RecordCandidates, group: int) -> tuple[Ints, Ints, Pattern]:
    """Start and stop of the members of a group that are like most of them, and the pattern."""
    page, places = candidates.page, candidates.members(group)
    start, stop = candidates.start[places], candidates.stop[places]
    pattern = find_pattern(page, start, stop)
    if len(start) > 2 and pattern.usable:
        kept = pattern.coverage(page, start, stop) >= MIN_COVERAGE
        start, stop = start[kept], stop[kept]
    return start, stop, pattern


def find_like(
    candidates: RecordCandidates, groups: Ints, pattern: Pattern, taken: tuple[Ints, Ints]
) -> list[tuple[Ints, Ints, int]]:
    """Members of other groups that have the pattern and overlap nothing that is taken."""
    page = candidates.page
    like_spans: list[tuple[Ints, Ints, int]] = []
    start, stop = taken
    for group in groups.tolist():
        places = candidates.members(group)
        first, last = candidates.start[places], candidates.stop[places]
        free = ~_overlaps(first, last, start, stop)
        first, last = first[free], last[free]
        if not len(first):
            continue
        like = pattern.coverage(page, first, last) >= MIN_LIKE_COVERAGE
        if like.any():
            like_spans.append((first[like], last[like], group))
            start, stop = (
                np.sort(np.append(a, b[like])) for a, b in ((start, first), (stop, last))
            )
    return like_spans


def _overlaps(
    first: Ints, last: Ints, start: Ints, stop: Ints
) -> "np.ndarray[tuple[int, ...], np.dtype[np.bool_]]":
    """Mark the spans that share a row with one of some sorted, disjoint spans."""
    at = np.searchsorted(stop, first, side="right")
    begin = np.append(start, np.iinfo(np.intp).max)[at]
    return np.asarray(begin < last)
