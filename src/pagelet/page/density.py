"""Text density of elements: Sun, Song, Liao, SIGIR 2011, doi:10.1145/2009916.2009952.

Only visible text and elements count: those counted and not hidden. Links are `a`, `button` and
`select`, with or without an address, as in the authors' program; see docs/methods/cetd.md.
"""

from dataclasses import dataclass

import numpy as np

from pagelet.arrays import Floats, Int64s, Ints, Mask
from pagelet.page.styles import style_hides
from pagelet.page.table import Page
from pagelet.page.tags import numbers
from pagelet.page.tree import nearest

LINKS = numbers("a button select")


@dataclass(frozen=True, slots=True)
class DensityCounts:
    """Counts of each subtree; 0 for every row that is no visible element."""

    visible: Mask  #: rows that are counted and not hidden
    linked: Mask  #: rows that are links or lie in one
    chars: Int64s  #: C, characters of the subtree
    tags: Int64s  #: T, elements below
    link_chars: Int64s  #: LC, characters of the subtree that lie in links
    link_tags: Int64s  #: LT, elements below that are links, lie in links, or hold links alone


def visible(page: Page) -> Mask:
    """Mark the rows that are counted and not hidden. A hidden body is shown all the same."""
    if page.body < 0 or not page.hidden[page.body]:
        return page.counted & ~page.hidden
    styled = [row for row, value in page.attribute("style").items() if style_hides(value)]
    hidden = np.array([*page.attribute("hidden"), *styled], np.int32)
    return page.counted & ~page.inside(hidden[hidden > page.body])


def density_counts(page: Page) -> DensityCounts:
    """Count characters and elements, and those of links, in every subtree."""
    shown = visible(page)
    tag = page.element & shown
    linked = page.inside(page.is_tag(*LINKS) & tag)
    chars = page.sum_subtree(page.chars * shown) * tag
    link_chars = page.sum_subtree(page.chars * (shown & linked)) * tag
    tags = (page.sum_subtree(tag) - tag) * tag
    link_tags = tags - _plain_tags(page, tag, tags, chars - link_chars)
    return DensityCounts(shown, linked, chars, tags, link_chars, link_tags)


def _plain_tags(page: Page, tag: Mask, tags: Int64s, plain_chars: Int64s) -> Int64s:
    """Elements below each element that are no link tags: T - LT.

    A link tag is a link, lies in a link below the given element, or is entirely link: it
    holds elements, all of them link tags, and no text outside links. So one leaf that is no
    link spoils every element above it, up to the next link.
    """
    link = page.is_tag(*LINKS) & tag
    around = nearest(page.parent, link)  # the innermost link around each row

    def outside_links(marked: Mask) -> Int64s:
        """Marked elements of each subtree, without those that lie in links of the subtree.

        Each link subtracts the elements marked in it, so that ancestors do not count them.
        """
        settled = np.bincount(around[marked] + 1, minlength=len(page) + 1)[1:]
        return np.asarray(page.sum_subtree(marked - settled))

    spoilt = outside_links(tag & ~link & (tags == 0)) > 0
    plain = tag & ~link & (spoilt | (plain_chars > 0))
    return (outside_links(plain) - plain) * tag


def text_density(page: Page, counts: DensityCounts | None = None) -> Floats:
    """Characters per element, TD = C / T; T of 0 is taken as 1."""
    counts = counts or density_counts(page)
    return counts.chars / np.maximum(counts.tags, 1)


def linkless_text_density(page: Page, counts: DensityCounts | None = None) -> Floats:
    """Characters outside links per element, (C - LC) / T; T of 0 is taken as 1."""
    counts = counts or density_counts(page)
    return (counts.chars - counts.link_chars) / np.maximum(counts.tags, 1)


def composite_text_density(page: Page, counts: DensityCounts | None = None) -> Floats:
    """Characters per element, lowered where text and elements are links.

        CTD = C/T ln(C/LC T/LT) / ln ln(C/nLC LC + r C + e),  r = LC/C of body

    C, LC, nLC: characters of the subtree, in links, outside; T, LT: elements below, link tags
    below. A count of 0 is taken as 1, also where it is a factor; without text CTD is 0.
    """
    counts = counts or density_counts(page)
    each = counts.chars, counts.tags, counts.link_chars, counts.link_tags
    C, T, LC, LT = (np.maximum(count, 1) for count in each)
    nLC = np.maximum(counts.chars - counts.link_chars, 1)
    beyond_e = C / nLC * LC + link_share(page, counts) * C
    base = np.log1p(np.log1p(beyond_e / np.e))  # ln ln(e + x) = log1p(log1p(x / e))
    return np.where(counts.chars > 0, C / T * np.log(C / LC * (T / LT)) / base, 0.0)


#: The densities by name: the paper's, then two simpler ones.
DENSITIES = {
    "composite": composite_text_density,
    "plain": text_density,
    "linkless": linkless_text_density,
}


def density_sum(
    page: Page,
    density: str = "composite",
    *,
    smooth: bool = False,
    counts: DensityCounts | None = None,
) -> Floats:
    """Densities of the children, each run of direct text counted as a leaf; own density of a leaf.

    A run of n characters weighs n ln n / ln ln(r n + e), without links on the page, or with
    `smooth`, n ln n / ln ln(1 + r n + e). The simpler densities count it with n.
    """
    counts = counts or density_counts(page)
    own = DENSITIES[density](page, counts)
    holder, chars = text_runs(page, counts)
    if density == "composite":
        weight = run_density(chars, link_share(page, counts), smooth=smooth)
    else:
        weight = chars * (1.0 - counts.linked[holder] if density == "linkless" else 1.0)
    runs = np.bincount(holder, weight, minlength=len(page))
    return np.where(counts.tags > 0, page.sum_children(own) + runs, own)


def run_density(chars: Int64s, share: float, *, smooth: bool = False) -> Floats:
    """Composite density of runs of direct text, on a page with this share of link text."""
    beyond_e = share * chars + (smooth or share == 0)  # never 0: ln ln e is 0
    return np.asarray(chars * np.log(chars) / np.log1p(np.log1p(beyond_e / np.e)))


def link_share(page: Page, counts: DensityCounts) -> float:
    """Share of the page's characters that lie in links; 0 without any character."""
    chars = int(counts.chars[page.body]) if len(page) else 0
    return int(counts.link_chars[page.body]) / chars if chars else 0.0


def text_runs(page: Page, counts: DensityCounts) -> tuple[Ints, Int64s]:
    """Parents and characters of the runs of text: texts with no visible element between them."""
    rows = np.flatnonzero(counts.visible)
    holder = np.where(page.element[rows], -1, page.parent[rows])
    first = np.flatnonzero(np.diff(holder, prepend=-2))
    chars = np.add.reduceat(page.chars[rows], first, dtype=np.int64)
    is_text = holder[first] >= 0
    return holder[first][is_text], chars[is_text]
