"""Which template made a page, as a few numbers: a sample of the paths of tags and class names.

Pages of one template have the same paths, however often and with whatever words. The smallest
numbers of the paths are a fair sample of them, and the share that two samples have in common
is that of the paths (Broder: On the resemblance and containment of documents, 1997).
"""

import numpy as np

from pagelet.columns.page import Page
from pagelet.measures.signatures import Signs, own_signs, path_signs

KEPT = 128  #: numbers of a fingerprint
DEEPEST = 12  #: levels below body; what is further in is content


def fingerprint(page: Page) -> Signs:
    """The smallest numbers of the paths of a page's elements, in order; none for an empty page."""
    if not len(page):
        return np.zeros(0, np.uint64)
    signs = path_signs(page, own_signs(page, classes=True))
    top = int(page.depth[page.body]) if page.body >= 0 else 0
    structure = page.element & page.counted & (page.depth <= top + DEEPEST)
    return np.unique(signs[structure])[:KEPT]


def likeness(one: Signs, other: Signs) -> float:
    """The share of their paths that two pages have in common, by their fingerprints."""
    least = np.union1d(one, other)[:KEPT]
    if not len(least):
        return 0.0
    return float((np.isin(least, one) & np.isin(least, other)).mean())
