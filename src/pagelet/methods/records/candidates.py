"""Candidates for the records of a page: groups of elements, or of stretches of siblings.

Elements with one path of tags and class names are a group, and so are those with one path of
tags, the children of one element with the same tag, and the parts of a flat run. Every member is
a span of rows, so that any count over a member is one subtraction of prefix sums.
"""

from dataclasses import dataclass

import numpy as np

from pagelet.arrays import Hashes, Ints, Mask
from pagelet.page.runs import MIN_PARTS, Siblings, find_runs
from pagelet.page.signatures import MULTIPLIER, mix, path_signatures, row_signatures
from pagelet.page.table import Page
from pagelet.page.tags import numbers
from pagelet.page.textblocks import readable_texts

#: How the members of a group were found, in the order of the model.
FAMILIES = ("names", "tags", "look", "siblings", "run", "single")
NAMES, TAGS, LOOK, SIBLINGS, RUN, SINGLE = range(len(FAMILIES))
LONE_TAGS = numbers("li tr article dl section")  #: tags of elements that may be a single record
PARTS = numbers("td th dt dd option optgroup caption thead tfoot")
#: tags of elements that are always parts of something larger


@dataclass(frozen=True, slots=True, eq=False)
class RecordCandidates:
    """The groups of a page; the members of one group are disjoint and in document order."""

    page: Page
    start: Ints  #: first row of each member, group by group
    stop: Ints  #: first row after each member
    group: Ints  #: number of the group of each member
    family: Ints  #: for each group how it was found, a place in FAMILIES

    @property
    def count(self) -> Ints:
        """The number of members of each group."""
        return np.bincount(self.group, minlength=len(self.family))

    @property
    def first(self) -> Ints:
        """For each group the place of its first member."""
        return np.cumsum(self.count) - self.count

    def members(self, group: int) -> slice:
        """The places of the members of one group."""
        begin, end = np.searchsorted(self.group, (group, group + 1)).tolist()
        return slice(begin, end)


def find_candidates(page: Page) -> RecordCandidates:
    """All groups of elements or stretches with text, each set of members once."""
    texts = readable_texts(page)
    held = np.zeros(len(page), np.int64)
    held[texts] = 1
    held = page.sum_subtree(held)
    usable = page.element & page.counted & (held > 0) & ~page.is_tag(*PARTS)
    usable[: page.body + 1] = False
    parts = [*_element_groups(page, np.flatnonzero(usable)), *_runs(page, texts, held > 0)]
    if not parts:
        none = np.zeros(0, np.intp)
        return RecordCandidates(page, none, none, none, none)
    return _distinct(page, parts)


@dataclass(frozen=True, slots=True, eq=False)
class _Groups:
    """Groups of one family; members group by group."""

    start: Ints
    stop: Ints
    count: Ints
    family: int


def _element_groups(page: Page, rows: Ints) -> list[_Groups]:
    names, tags = (row_signatures(page, classes=each)[rows] for each in (True, False))
    parent = page.parent[rows].astype(np.uint64) * MULTIPLIER
    keys = {
        NAMES: path_signatures(page, row_signatures(page, classes=True))[rows],
        TAGS: path_signatures(page, row_signatures(page, classes=False))[rows],
        LOOK: mix(parent + names),
        SIBLINGS: mix(parent + tags),
    }
    groups = [_group_by(page, rows, key, family) for family, key in keys.items()]
    lone = rows[_lone(page, rows)]
    return [*groups, _Groups(lone, page.end[lone], np.ones(len(lone), np.intp), SINGLE)]


def _lone(page: Page, rows: Ints) -> Mask:
    """Mark the elements that may be the one record of a page: the only ones of their tag there."""
    tag = page.tag[rows].astype(np.uint64)
    key = mix(page.parent[rows].astype(np.uint64) * MULTIPLIER + tag)
    _, kind, count = np.unique(key, return_inverse=True, return_counts=True)
    return np.asarray(page.is_tag(*LONE_TAGS)[rows] & (count[kind] == 1))


def _group_by(page: Page, rows: Ints, key: Hashes, family: int) -> _Groups:
    """Rows with the same key, two at least."""
    order = np.argsort(key, kind="stable")
    new = np.append(True, np.diff(key[order]) != 0)[: len(order)]
    number = np.cumsum(new) - 1
    count = np.bincount(number) if len(order) else np.zeros(0, np.intp)
    members = rows[order][count[number] >= MIN_PARTS]
    return _Groups(members, page.end[members], count[count >= MIN_PARTS], family)


def _runs(page: Page, texts: Ints, held: Mask) -> list[_Groups]:
    """The parts of flat runs, a group per run."""
    below = held & (np.arange(len(page)) > page.body)
    parents = np.flatnonzero((page.sum_children(below) >= MIN_PARTS) & page.counted)
    spans: list[tuple[int, int]] = []
    count = []
    for run in find_runs(Siblings.of(page, texts), parents.tolist()):
        spans += [(rows[0], int(page.end[rows[-1]])) for rows in run.parts]
        count.append(len(run.parts))
    start, stop = np.array(spans, np.intp).reshape(-1, 2).T
    return [_Groups(start, stop, np.array(count, np.intp), RUN)]


def _distinct(page: Page, parts: list[_Groups]) -> RecordCandidates:
    """All groups in one table; of groups with the same members the first is kept."""
    start, stop = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("start", "stop")
    )
    count = np.concatenate([part.count for part in parts])
    family = np.concatenate([np.full(len(part.count), part.family) for part in parts])
    group = np.repeat(np.arange(len(count)), count)
    span = mix(start.astype(np.uint64) * MULTIPLIER + stop.astype(np.uint64))
    begin = np.cumsum(count) - count
    key = np.add.reduceat(span, begin) if len(span) else np.zeros(0, np.uint64)
    _, first = np.unique(key, return_index=True)
    kept = np.zeros(len(count), np.bool_)
    kept[first] = True
    chosen = kept[group]
    return RecordCandidates(
        page, start[chosen], stop[chosen], (np.cumsum(kept) - 1)[group[chosen]], family[kept]
    )
