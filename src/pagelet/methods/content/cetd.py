"""Main content by text density: Sun, Song, Liao, SIGIR 2011, doi:10.1145/2009916.2009952.

The element with the largest density sum is content; the lowest density on the way from it up
to body is the threshold for the rest of the page.
"""

from dataclasses import dataclass

import numpy as np

from pagelet.arrays import Floats, Ints, Mask
from pagelet.errors import OptionError
from pagelet.page.density import DENSITIES, density_counts, density_sum
from pagelet.page.table import Page
from pagelet.wording import must_be_one_of

DECIMALS = 6  #: decimals of the authors' program, so that rounding errors make no difference


@dataclass(frozen=True, slots=True, eq=False)
class DensityChoice:
    """The content chosen from a page, and the numbers that decided."""

    content: Mask  #: rows in sight that are content, whole subtrees
    path: Mask  #: elements above content; only their own text is kept
    tops: list[int]  #: the top rows of the content, in document order
    threshold: float  #: least density of an element that is searched; 0 without any text
    density: Floats
    density_sum: Floats


def find_content(page: Page, *, density: str = "composite", smooth: bool = False) -> DensityChoice:
    """Choose the content of a page by the named density; without visible text, nothing."""
    if density not in DENSITIES:
        raise OptionError("density", density, must_be_one_of(DENSITIES))
    counts = density_counts(page)
    own = np.round(DENSITIES[density](page, counts), DECIMALS)
    sums = np.round(density_sum(page, density, smooth=smooth, counts=counts), DECIMALS)
    if not counts.chars.any():
        nothing = np.zeros(len(page), np.bool_)
        return DensityChoice(nothing, nothing, [], 0.0, own, sums)
    tag = page.element & counts.visible
    best = largest_in_subtree(page, tag, sums)
    threshold = float(own[lineage(page, int(best[page.body]))].min())
    # Elements inside content are searched too: their best elements are content already.
    searched = tag & ~page.inside(tag & (own < threshold))
    chosen = np.zeros(len(page), np.bool_)
    chosen[best[searched]] = True
    content = page.inside(chosen)
    return DensityChoice(
        content=content & counts.visible,
        path=tag & ~content & (page.sum_subtree(chosen) > 0),
        tops=topmost(page, chosen),
        threshold=threshold,
        density=own,
        density_sum=sums,
    )


def kept_text(page: Page, choice: DensityChoice) -> Mask:
    """Mark the texts that are kept: those of the content and the own texts of the path."""
    return np.asarray(~page.element & (choice.content | choice.path[page.parent]))


def largest_in_subtree(page: Page, tag: Mask, values: Floats) -> Ints:
    """For each marked element the first marked one of its subtree with the largest value.

    One pass from the last element to the first; every element passes its best to its parent.
    """
    parents, own = page.parent.tolist(), values.tolist()
    most, where = [-np.inf] * (len(page) + 1), [-1] * (len(page) + 1)  # one more for no parent
    for row in np.flatnonzero(tag)[::-1].tolist():
        if own[row] >= most[row]:
            most[row], where[row] = own[row], row
        above = parents[row]
        if most[row] >= most[above]:
            most[above], where[above] = most[row], where[row]
    return np.array(where[:-1], np.intp)


def lineage(page: Page, row: int) -> Ints:
    """Rows from body down to a row in it, both included."""
    return page.body + np.flatnonzero(page.end[page.body : row + 1] > row)


def topmost(page: Page, marked: Mask) -> list[int]:
    """Marked rows that lie in no other marked row."""
    rows = np.flatnonzero(marked)
    covered = np.maximum.accumulate(page.end[rows])
    return [int(row) for row in rows[rows >= np.append(0, covered[:-1])]]
