"""What the features of text blocks are made of."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Hashes, Ints
from pagelet.page.table import Page
from pagelet.page.tags import numbers
from pagelet.page.textblocks import TextBlocks

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


# -- The tags that features of text blocks speak of, as bits and numbers ----------------------


#: Groups of tags, one bit each.
GROUPS = """
p; li; ul ol menu dir; dl dt dd; td th; table; h1; h2; h3; h4 h5 h6; nav; header; footer; aside;
article; main; section; form; fieldset; blockquote; pre; code samp kbd tt;
figure figcaption picture; a; button; label legend; select option optgroup datalist; strong b;
em i cite; span; small; time; address; details summary; noscript; dialog; svg math;
object video audio; font center; sup sub; textarea; caption; ins del s strike; abbr q mark
"""
NAMED = [group.split() for group in GROUPS.split(";")]
SIGHT = ("hidden", "aria_hidden")  #: columns of the page that get a bit too

_BIT = {group[0]: np.uint64(1 << at) for at, group in enumerate(NAMED)}
_BIT |= {name: np.uint64(1 << (len(NAMED) + at)) for at, name in enumerate(SIGHT)}

#: Tags that may hold a block, and tags that may lie inside one.
OUTER = {name: bit for name, bit in _BIT.items() if name not in ("a", "strong", "em", "small")}
INNER = {name: _BIT[name] for name in ("a", "strong", "em", "span", "button", "label", "time",
                                       "small", "code")}  # fmt: skip

#: Numbers of the elements that hold a block; all others are 0.
HOLDERS = {
    "p": 1, "li": 2, "td": 3, "th": 3, "div": 4, "h1": 5, "h2": 6, "h3": 7, "h4": 8, "h5": 8,
    "h6": 8, "dt": 9, "dd": 10, "pre": 11, "figcaption": 12, "section": 13, "article": 13,
    "main": 13, "label": 14, "option": 15, "blockquote": 16,
}  # fmt: skip
KNOWN_BITS = ("p", "li", "td", "div", "h1", "h2", "h3", "h4", "dt", "dd")

_BITS_BY_TAG = np.zeros(512, np.uint64)
for _group in NAMED:
    _BITS_BY_TAG[list(numbers(" ".join(_group)))] = _BIT[_group[0]]


def bits_of(page: Page) -> Hashes:
    """The bits of each row's own tag and sight."""
    bits = _BITS_BY_TAG.take(page.tag, mode="clip")
    for name in SIGHT:
        bits[getattr(page, name)] |= _BIT[name]
    return bits
