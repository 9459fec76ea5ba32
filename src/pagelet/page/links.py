"""Links below each row: their number, and their share of the text and of the tree."""

import numpy as np

from pagelet.arrays import Floats, Int64s, Mask
from pagelet.page.table import Page


def anchor_mask(page: Page) -> Mask:
    """Mark the counted hyperlinks."""
    anchors = np.zeros(len(page), np.bool_)
    anchors[page.anchors] = True
    return anchors & page.counted


def links_below(page: Page) -> Int64s:
    """Hyperlinks below each row, the row itself not counted."""
    anchors = anchor_mask(page)
    return page.sum_subtree(anchors) - anchors


def nodes_below(page: Page) -> Int64s:
    """Counted rows below each row, the row itself not counted."""
    return page.sum_subtree(page.counted) - page.counted


def plain_chars(page: Page) -> Int64s:
    """Counted characters of each subtree that are outside hyperlinks."""
    return page.sum_subtree(page.chars * (page.counted & ~page.link))


def link_ratio(page: Page) -> Floats:
    """Link ratio of Alarte, Insa, Silva: (H + D) / 2D, or 0 with fewer than two links.

    H: hyperlinks below the row; D: rows below the row.
    """
    H, D = links_below(page), nodes_below(page)
    return np.where(H >= 2, (H + D) / (2 * np.maximum(D, 1)), 0.0)
