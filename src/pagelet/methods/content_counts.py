"""What the features of text blocks are made of."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.page import Page
from pagelet.measures.textblocks import TextBlocks

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Named = Iterator[tuple[str, NDArray[Any]]]  #: features by name, one value a block

LONG = 25  #: blocks of so many words are running text


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """What the features of one page are made of."""

    page: Page
    blocks: TextBlocks
    words: Floats
    linked: Floats  #: words inside links
    chars: Floats
    kinds: Floats  #: digits, capitals, stops, commas, signs, money signs
    density: Floats  #: share of the words that is inside links
    tag: Floats  #: what kind of element holds the block, as numbered in HOLDERS
    row: Ints  #: the first row of each block
    total: float  #: words of the page

    def below(self, values: Floats) -> Floats:
        """Prefix sums over the rows of the page of values given for blocks."""
        prefix = np.zeros((len(values), len(self.page) + 1))
        prefix[:, self.row + 1] = values
        return np.cumsum(prefix, axis=1)
