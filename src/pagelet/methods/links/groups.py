"""Groups of links: elements with two or more hyperlinks whose set of links no child of them has.

The hyperlinks of a page are a table of their own, in document order. A group covers a range of
that table and a range of the page's rows, so that every sum over a group is a difference of two
prefix sums.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Ints, Rows
from pagelet.methods.links.hyperlinks import Hyperlinks, find_hyperlinks
from pagelet.page.table import Page, kept_column
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
    holders: Rows  #: all elements with two or more hyperlinks: groups and what lies around them
    kept: dict[str, Any] = field(default_factory=dict, repr=False)  #: columns that were computed

    @kept_column
    def within(self) -> Rows:
        """The group around each group; -1 for the outermost."""
        return self._find_around(self.rows)

    @kept_column
    def smallest(self) -> Rows:
        """For each hyperlink the smallest group around it; -1 where there is none."""
        return self._find_around(self.links.rows)

    def _find_around(self, rows: Rows) -> Rows:
        """The smallest group around each row, the row itself not counted; -1 for none."""
        return np.asarray(self._nearest[self.page.parent[rows]])

    @cached_property
    def _nearest(self) -> Rows:
        """For each row the smallest group that it is or lies in; -1 for none."""
        number = np.full(len(self.page) + 1, -1)
        number[self.rows] = np.arange(len(self.rows))
        return np.asarray(number[nearest(self.page.parent, number[:-1] >= 0)])


def prefix(columns: NDArray[np.generic]) -> NDArray[Any]:
    """Prefix sums of several columns, one line each."""
    sums = np.zeros((len(columns), columns.shape[1] + 1))
    np.cumsum(columns, axis=1, out=sums[:, 1:])
    return sums


def find_groups(page: Page) -> LinkGroups:
    """The groups of links of a page; what is once computed of them is kept with the page."""
    links, kept = find_hyperlinks(page), page.derived[LinkGroups]
    if "spans" not in kept:
        kept["spans"] = _find_spans(page, links)
    rows, first, last, holders = kept["spans"]
    return LinkGroups(page, rows, first, last, links, holders, kept)


def _find_spans(page: Page, links: Hyperlinks) -> tuple[Rows, Rows, Rows, Rows]:
    """The groups, where the hyperlinks of each begin and end, and all elements that hold two."""
    before, count = count_links(page, links.rows)
    candidate = page.counted & page.element & (count >= MIN_LINKS)
    # an element whose links all lie in one child that is no hyperlink is no group of its own
    holders = np.flatnonzero(candidate)
    parent = page.parent[holders]
    passes = parent[count[parent] == count[holders]]
    candidate[passes[passes >= 0]] = False
    rows = np.flatnonzero(candidate)
    return rows, before[rows], before[page.end[rows]], holders


def count_links(page: Page, links: Ints) -> tuple[Ints, Ints]:
    """Hyperlinks before each row and before the end of the page, and those below each row."""
    before = np.zeros(len(page) + 1, np.intp)
    before[links + 1] = 1
    before = np.cumsum(before)
    return before, before[page.end] - before[1:]
