"""Text blocks: the lines, cells and paragraphs of a page as a reader sees them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pagelet import core
from pagelet.arrays import Int64s, Ints
from pagelet.page.table import SHADOW_ATTRIBUTE, Page
from pagelet.page.tags import BLOCK, FIRST_CUSTOM_TAG, NUMBER, RAW, TEXT, numbers
from pagelet.page.tree import nearest

UNREAD = (*RAW, *numbers("template head"))  #: tags whose text is no text of the page
CONTROLS = numbers("select optgroup option datalist textarea")  #: elements that hold choices
MAX_WORD_ROWS = 9  #: rows from one text to the next that could be one word
_HOLDERS = (*BLOCK, NUMBER["svg"], NUMBER["math"], NUMBER["noscript"], NUMBER["template"])

#: By tag: whether a word may continue across the element.
FLOWING = np.ones(FIRST_CUSTOM_TAG + 1, np.bool_)
FLOWING[[TEXT, *BLOCK, *numbers("br img input select textarea button svg iframe object wbr")]] = (
    False
)


#: By tag: whether it begins a block, and whether its text is left out; 2 for a template, whose text
#: is read where it declares a shadow root.
STARTS, LEFT_OUT = np.zeros((2, FIRST_CUSTOM_TAG + 1), np.uint8)
STARTS[list(_HOLDERS)] = 1
LEFT_OUT[list(UNREAD)] = 1
LEFT_OUT[NUMBER["template"]] = 2


@dataclass(frozen=True, slots=True, eq=False)
class TextBlocks:
    """Consecutive texts with one nearest block element and no block element between them."""

    rows: Ints  #: every text row that is in a block, in document order
    first: Ints  #: for each block, where its rows begin in `rows`
    holder: Ints  #: for each block, the row of the nearest block element
    above: Ints  #: for each row of the page, the nearest block element at or above it

    def __len__(self) -> int:
        return len(self.first)

    def texts(self, page: Page) -> list[str]:
        """The texts of all rows as written, block after block."""
        return [page.texts[at] for at in page.ordinal[self.rows].tolist()]

    @property
    def of_row(self) -> Ints:
        """For each entry of `rows`, the number of its block."""
        lengths = np.diff(np.append(self.first, len(self.rows)))
        return np.repeat(np.arange(len(self)), lengths)

    def sum(self, values: NDArray[np.integer]) -> Int64s:
        """Sum a column of the page over the rows of each block."""
        if not len(self):
            return np.zeros(0, np.int64)
        return np.asarray(np.add.reduceat(values[self.rows], self.first, dtype=np.int64))


def text_blocks(page: Page) -> TextBlocks:
    """All text blocks of a page: hidden text and noscript too, but no script, style or head."""
    return _find_blocks_compiled(page) if core.compiled else _find_blocks(page)


def _find_blocks_compiled(page: Page) -> TextBlocks:
    """The same by the compiled core."""
    above = np.empty(len(page), np.intp)
    rows, first, holder = np.empty((3, len(page.texts)), np.intp)
    texts, blocks = core.kernels.find_blocks(
        page.tag,
        page.parent,
        page.size,
        STARTS,
        LEFT_OUT,
        partial(_is_shadow, page),
        above,
        rows,
        first,
        holder,
    )
    return TextBlocks(rows[:texts], first[:blocks], holder[:blocks], above)


def _is_shadow(page: Page, row: int) -> bool:
    return row in page.attribute(SHADOW_ATTRIBUTE)


def _find_blocks(page: Page) -> TextBlocks:
    starts = page.is_tag(*_HOLDERS)
    starts[:1] = True
    above = nearest(page.parent, starts)
    rows = np.flatnonzero((page.tag == TEXT) & ~page.inside_inert(*UNREAD))
    holder = above[rows]
    begun = np.cumsum(starts)[rows]  # block elements that began before each text
    new = np.ones(len(rows), np.bool_)
    new[1:] = (holder[1:] != holder[:-1]) | (begun[1:] != begun[:-1])
    first = np.flatnonzero(new)
    return TextBlocks(rows, first, holder[first], above)


def readable_texts(page: Page) -> Ints:
    """Rows of counted texts outside controls."""
    controls = page.inside(page.is_tag(*CONTROLS))
    return np.flatnonzero((page.tag == TEXT) & page.counted & ~controls)


def join_texts(page: Page, rows: Sequence[int]) -> str:
    """Texts joined, white space collapsed; no space where there is none, as after a bold word."""
    parts = [page.text(row) for row in rows[:1]]
    for before, row in pairwise(rows):
        between = slice(before + 1, row)
        apart = (
            row - before > MAX_WORD_ROWS
            or not FLOWING[page.tag[between].clip(max=FIRST_CUSTOM_TAG)].all()
        )
        first, last = np.searchsorted(page.blank_row, (before + 1, row + 1)).tolist()
        parts += [" " if apart or first < last else "", page.text(row)]
    return " ".join("".join(parts).split())
