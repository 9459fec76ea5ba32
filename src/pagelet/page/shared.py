"""What a known template tells other methods: content lies in the slot, the menu does not."""

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats
from pagelet.page.site import Shared
from pagelet.page.table import Page
from pagelet.page.textblocks import TextBlocks

#: What a text block gains or loses, in log-odds of being content: when other pages have the same
#: words, when it lies in the template but no other page has its words, when it lies in the slot.
#: More for the slot helps more where all of it is content; others have comments and adverts there.
SAID_AGAIN, AROUND, IN_SLOT = -5.0, -1.0, 2.0
LIFT = 0.05  #: what the score of a menu gains that lies in the template


def content_change(
    page: Page, blocks: TextBlocks, template: Shared | None, *, bare: bool
) -> Floats | float:
    """What a template adds to the log-odds of each block; where the bare body is wanted, no gain.

    Text that is not counted lies in neither.
    """
    if template is None:
        return 0.0
    again = template.rows * template.likewise
    slot = (page.counted & ~template.rows) * (0.0 if bare else IN_SLOT)
    change = page.words * (SAID_AGAIN * again + AROUND * (template.rows - again) + slot)
    sums = np.concatenate(([0.0], np.cumsum(change[blocks.rows])))
    last = np.append(blocks.first, len(blocks.rows))[1:]
    return np.asarray((sums[last] - sums[blocks.first]) / np.maximum(blocks.sum(page.words), 1))


def menu_change(
    page: Page, rows: NDArray[np.integer], template: Shared | None
) -> tuple[Floats | float, float]:
    """By what the score of each candidate for a menu is multiplied, and what the best one gains.

    A menu lies in the template: what lies there in part counts in part.
    """
    if template is None:
        return 1.0, 0.0
    shared = page.sum_subtree(template.rows & page.counted)[rows]
    counted = page.sum_subtree(page.counted)[rows]
    return np.asarray(shared / np.maximum(counted, 1)), LIFT


def shared_links(page: Page, rows: NDArray[np.integer], template: Shared | None) -> Floats:
    """The share of the links of each row that are template; NaN where that is not known."""
    if template is None:
        return np.full(len(rows), np.nan)
    anchors = page.anchors[page.counted[page.anchors]]
    marked = np.zeros((2, len(page)))
    marked[0, anchors] = 1
    marked[1, anchors] = template.rows[anchors]
    count, shared = (page.sum_subtree(line)[rows] for line in marked)
    return np.where(count > 0, shared / np.maximum(count, 1), np.nan)
