"""Groups of links: elements with two or more hyperlinks whose set of links no child of them has.

The hyperlinks of a page are a table of their own, in document order. A group covers a range of
that table and a range of the page's rows, so that every sum over a group is a difference of two
prefix sums.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagelet import core
from pagelet.arrays import Floats, Ints, Rows
from pagelet.methods.links.hyperlinks import Hyperlinks, find_hyperlinks
from pagelet.page.table import Page
from pagelet.page.tree import nearest

MIN_LINKS = 2  #: hyperlinks below an element that can be a group


@dataclass(frozen=True, eq=False)
class LinkHolders:
    """Elements with hyperlinks, in document order."""

    page: Page
    rows: Rows  #: the elements
    first: Rows  #: the first hyperlink of each
    last: Rows  #: one past its last hyperlink

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def count(self) -> Floats:
        """Hyperlinks of each element."""
        return (self.last - self.first).astype(float)

    @cached_property
    def end(self) -> Rows:
        """First row after each element."""
        return self.page.end[self.rows]

    @cached_property
    def parent(self) -> Rows:
        """Parent of each element; that of the root is the root."""
        return np.maximum(self.page.parent[self.rows], 0)

    def over_links(self, columns: NDArray[np.generic]) -> Floats:
        """Sums of columns of the hyperlinks over each element: one line per column."""
        sums = prefix(columns)
        return np.asarray(sums[:, self.last] - sums[:, self.first])


@dataclass(frozen=True, eq=False)
class LinkGroups(LinkHolders):
    """The groups of links of a page."""

    links: Hyperlinks
    spans: "LinkSpans" = field(repr=False)
    kept: dict[str, Any] = field(default_factory=dict, repr=False)  #: columns that were computed

    @property
    def holders(self) -> Rows:
        """All elements with two or more hyperlinks: groups and what lies around them."""
        return self.spans.holders

    @property
    def within(self) -> Rows:
        """The group around each group; -1 for the outermost."""
        return self.spans.within

    @property
    def inner(self) -> Ints:
        """How many groups each group is directly around."""
        return self.spans.inner

    @property
    def smallest(self) -> Rows:
        """For each hyperlink the smallest group around it; -1 where there is none."""
        return self.spans.smallest


def prefix(columns: NDArray[np.generic]) -> NDArray[Any]:
    """Prefix sums of several columns, one line each."""
    sums = np.zeros((len(columns), columns.shape[1] + 1))
    np.cumsum(columns, axis=1, out=sums[:, 1:])
    return sums


def find_groups(page: Page) -> LinkGroups:
    """The groups of links of a page; what is once computed of them is kept with the page."""
    links, spans = find_hyperlinks(page), find_spans(page)
    bounds = spans.first, spans.last
    return LinkGroups(page, spans.rows, *bounds, links, spans, page.derived[LinkGroups])


class LinkSpans(NamedTuple):
    """The elements that hold two hyperlinks or more, and the groups among them."""

    holders: Rows
    holder_first: Rows  #: the first hyperlink of each holder
    holder_last: Rows  #: one past its last hyperlink
    heir: Rows  #: the child of each holder that holds most hyperlinks; -1 for none
    rows: Rows  #: the groups
    first: Rows  #: the first hyperlink of each group
    last: Rows
    within: Rows  #: the group around each group; -1 for the outermost
    inner: Ints  #: how many groups each group is directly around
    smallest: Rows  #: for each hyperlink the smallest group around it; -1 for none


def find_spans(page: Page) -> LinkSpans:
    """The holders and groups of a page, found once."""
    kept = page.derived[LinkSpans]
    if "spans" not in kept:
        rows = find_hyperlinks(page).rows
        find = _find_compiled if core.compiled else _find_spans
        kept["spans"] = find(page, rows)
    spans: LinkSpans = kept["spans"]
    return spans


def _find_compiled(page: Page, links: Ints) -> LinkSpans:
    found = np.empty((len(LinkSpans._fields) - 1, len(page)), np.intp)
    smallest = np.empty(len(links), np.intp)
    holders, groups = core.kernels.find_groups(
        page.tag, page.size, page.parent, page.counted, links, MIN_LINKS, found, smallest
    )
    lines = (*found[:HOLDER_LINES, :holders].copy(), *found[HOLDER_LINES:, :groups].copy())
    return LinkSpans._make((*lines, smallest))


HOLDER_LINES = 4  #: columns of LinkSpans that are about holders


def _find_spans(page: Page, links: Ints) -> LinkSpans:
    """The same by numpy."""
    before, count = count_links(page, links)
    candidate = page.counted & page.element & (count >= MIN_LINKS)
    # an element whose links all lie in one child that is no hyperlink is no group of its own
    holders = np.flatnonzero(candidate)
    parent = page.parent[holders]
    passes = parent[count[parent] == count[holders]]
    candidate[passes[passes >= 0]] = False
    rows = np.flatnonzero(candidate)
    of_holders, of_groups = ((before[each], before[page.end[each]]) for each in (holders, rows))
    within, smallest = _find_around(page, rows, (rows, links))
    inner = np.bincount(within + 1, minlength=len(rows) + 1)[1:]
    heir = _find_heirs(page, holders, of_holders[1] - of_holders[0])
    return LinkSpans(holders, *of_holders, heir, rows, *of_groups, within, inner, smallest)


def _find_around(page: Page, groups: Rows, wanted: Iterable[Rows]) -> Iterator[Rows]:
    """The smallest group around each of some rows, the row itself not counted; -1 for none."""
    number = np.full(len(page) + 1, -1)
    number[groups] = np.arange(len(groups))
    around = np.append(number[nearest(page.parent, number[:-1] >= 0)], -1)
    for rows in wanted:
        yield around[page.parent[rows]]


def _find_heirs(page: Page, rows: Rows, count: Ints) -> Rows:
    """Of the holders below each holder, the child with the most links, the first of equals."""
    order = np.lexsort((-rows, count))
    heir = np.full(len(page) + 1, -1)
    heir[page.parent[rows[order]]] = rows[order]
    return np.asarray(heir[rows])


def count_links(page: Page, links: Ints) -> tuple[Ints, Ints]:
    """Hyperlinks before each row and before the end of the page, and those below each row."""
    before = np.zeros(len(page) + 1, np.intp)
    before[links + 1] = 1
    before = np.cumsum(before)
    return before, before[page.end] - before[1:]
