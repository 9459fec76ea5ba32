"""Shape of the tree at each row: how broad, how early."""

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.page import Page

Floats = NDArray[np.float64]


def children(page: Page) -> NDArray[np.int64]:
    """Counted children of each row."""
    return page.sum_children(page.counted)


def amplitude(page: Page) -> Floats:
    """Amplitude of Alarte, Insa, Silva: 1 - 1/children; 0 for a row without children."""
    return 1 - 1 / np.maximum(children(page), 1)


def position(page: Page) -> Floats:
    """Position of Alarte, Insa, Silva: 1 at body, towards 0 at the end of the page."""
    before = np.cumsum(page.counted, dtype=np.float64) - page.counted
    return np.asarray(1 - before / max(int(page.counted.sum()), 1))
