"""Copies of a menu: the same links elsewhere in the page, for phones or in a bar that sticks."""

from typing import Any

import numpy as np

from pagelet.methods.menu.features import find_candidates
from pagelet.page.table import Page

MIN_SHARED = 0.8  #: share of a copy's links that the menu has too
MIN_COVERED = 0.6  #: share of the menu's addresses that a copy has
MIN_ADDRESSES = 2  #: addresses that a menu needs to have copies


def menu_copies(page: Page, menu: int) -> list[dict[str, Any]]:
    """Path and number of links of each copy of a menu, in document order."""
    return [
        {"path": page.path(row), "links": int(np.diff(_range(page, row))[0])}
        for row in find_copies(page, menu)
    ]


def find_copies(page: Page, menu: int) -> list[int]:
    """Elements outside the menu that hold its links and few others, none inside another."""
    candidates = find_candidates(page)
    addresses = _addresses(page, menu)
    if candidates is None or len(addresses) < MIN_ADDRESSES:
        return []
    known = [page.hrefs[row].strip() in addresses for row in candidates.links.rows.tolist()]
    shared = candidates.over_links(np.array([known]))[0] / candidates.count
    outside = (candidates.rows >= page.end[menu]) | (candidates.end <= menu)
    chosen: dict[int, float] = {}
    for at in np.flatnonzero(outside & (shared >= MIN_SHARED)).tolist():
        row = int(candidates.rows[at])
        covered = len(_addresses(page, row) & addresses) / len(addresses)
        if covered >= MIN_COVERED:
            chosen[row] = covered * float(shared[at])
    # the best of what lies in each other; of equals the innermost
    copies: list[int] = []
    for row in sorted(chosen, key=lambda row: (-chosen[row], page.size[row], row)):
        if all(row >= page.end[other] or page.end[row] <= other for other in copies):
            copies.append(row)
    return sorted(copies)


def _range(page: Page, row: int) -> Any:
    return np.searchsorted(page.anchors, (row, page.end[row]))


def _addresses(page: Page, row: int) -> set[str]:
    """The addresses of pages that links below a row lead to."""
    first, last = _range(page, row)
    hrefs = (page.hrefs[each].strip() for each in page.anchors[first:last].tolist())
    return {href for href in hrefs if href and not href.startswith(("#", "javascript:"))}
