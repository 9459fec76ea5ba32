"""What a known template tells other methods: content lies in the slot, the menu does not."""

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.page import Mask, Page
from pagelet.measures.textblocks import TextBlocks

Floats = NDArray[np.float64]

#: What a text block loses in the template and gains in the slot, in log-odds of being content.
#: More helps more where all of the slot is content; pages have comments and adverts there too.
IN_TEMPLATE, IN_SLOT = 3.0, 2.0
OUTSIDE = 1.0  #: share of its score that a menu loses which lies in the slot altogether


def content_change(
    page: Page, blocks: TextBlocks, template: Mask | None, *, bare: bool
) -> Floats | float:
    """What a template adds to the log-odds of each block; where the bare body is wanted, no gain.

    Text that is not counted lies in neither.
    """
    if template is None:
        return 0.0
    words = np.maximum(blocks.sum(page.words), 1)
    shared = blocks.sum(page.words * template) / words
    own = blocks.sum(page.words * (page.counted & ~template)) / words
    return np.asarray((0.0 if bare else IN_SLOT) * own - IN_TEMPLATE * shared)


def menu_factor(page: Page, rows: NDArray[np.integer], template: Mask | None) -> Floats | float:
    """By what the score of each candidate for a menu is multiplied: its share in the template."""
    if template is None:
        return 1.0
    shared = page.sum_subtree(template & page.counted)[rows]
    counted = page.sum_subtree(page.counted)[rows]
    return np.asarray(1 - OUTSIDE * (1 - shared / np.maximum(counted, 1)))


def shared_links(page: Page, rows: NDArray[np.integer], template: Mask | None) -> Floats:
    """The share of the links of each row that are template; NaN where that is not known."""
    if template is None:
        return np.full(len(rows), np.nan)
    anchors = page.anchors[page.counted[page.anchors]]
    marked = np.zeros((2, len(page)))
    marked[0, anchors] = 1
    marked[1, anchors] = template[anchors]
    count, shared = (page.sum_subtree(line)[rows] for line in marked)
    return np.where(count > 0, shared / np.maximum(count, 1), np.nan)
