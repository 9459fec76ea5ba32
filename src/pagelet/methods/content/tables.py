"""Rows of data tables, which are kept or dropped whole.

A cell says nothing without the others of its row. Tables that only lay out the page are left
alone: their cells hold a side bar or an article.
"""

import numpy as np

from pagelet.arrays import Floats, Ints, Mask
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER, numbers
from pagelet.page.textblocks import TextBlocks
from pagelet.page.tree import nearest

MAX_CELL_BLOCKS = 4  #: text blocks of the fullest cell of a data row
MAX_ROW_WORDS = 400
MAX_CELLS = 60  #: cells with text in a data row
CELLS = numbers("td th")


def data_rows(page: Page, blocks: TextBlocks) -> Ints | None:
    """For each block, the number of the data row that holds it, or -1; None if there is none."""
    row_tag = page.tag == NUMBER["tr"]
    if not row_tag.any() or not len(blocks):
        return None
    cell = nearest(page.parent, page.is_tag(*CELLS))[blocks.holder]
    row = nearest(page.parent, row_tag)[blocks.holder]
    inside = (cell >= 0) & (page.parent[cell] == row)
    if not inside.any():
        return None
    size = len(page)
    words = np.bincount(row[inside], blocks.sum(page.words)[inside], size)
    filled = np.unique(cell[inside], return_counts=True)
    cells = np.bincount(page.parent[filled[0]], minlength=size)
    fullest = np.zeros(size, np.intp)
    np.maximum.at(fullest, page.parent[filled[0]], filled[1])
    tables = page.sum_subtree(page.tag == NUMBER["table"])
    data = (cells >= 2) & (cells <= MAX_CELLS) & (fullest <= MAX_CELL_BLOCKS)
    data &= (words <= MAX_ROW_WORDS) & (tables == 0)
    return np.where(inside & data[row], row, -1)


def mark_rows(row: Ints | None, blocks: int) -> Mask:
    """Mark the blocks in data rows."""
    return np.zeros(blocks, np.bool_) if row is None else np.asarray(row >= 0)


def join_rows(values: Floats, words: Floats, row: Ints) -> Floats:
    """Values where the blocks of a data row all have their mean, words counted."""
    inside = row >= 0
    weight = np.maximum(words[inside], 1)
    total = np.bincount(row[inside], values[inside] * weight)
    mean = total / np.maximum(np.bincount(row[inside], weight), 1e-9)
    joined = values.copy()
    joined[inside] = mean[row[inside]]
    return joined


def whole_rows(marked: Mask, words: Floats, row: Ints) -> Mask:
    """Marks where the blocks of a data row are all marked, or none, as most of its words are."""
    return np.asarray(join_rows(marked.astype(np.float64), words, row) >= 0.5)
