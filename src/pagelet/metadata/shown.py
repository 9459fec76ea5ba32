"""The texts of rows as people read them: white space folded, what is not shown left out."""

import numpy as np

from pagelet import core
from pagelet.arrays import Ints
from pagelet.metadata.naming import MAX_NAME_CHARS
from pagelet.page.table import Page
from pagelet.page.tags import TEXT


def text_rows(page: Page) -> Ints:
    """The texts that people may see, in document order."""
    return np.flatnonzero((page.tag == TEXT) & page.counted)


def short_text(page: Page, row: int) -> str:
    """The text of a row; empty where it is too long for a name or a date."""
    return short_texts(page, [row])[0]


def short_texts(page: Page, rows: list[int]) -> list[str]:
    """The texts of some rows; empty where they are too long for a name or a date."""
    if core.compiled:
        return shown_texts(page).read_short(rows, MAX_NAME_CHARS)
    return [_short_text(page, row) for row in rows]


def _short_text(page: Page, row: int) -> str:
    inner = slice(row, row + int(page.size[row]))
    if page.size[row] > MAX_NAME_CHARS or page.chars[inner].sum() > MAX_NAME_CHARS:
        return ""
    return page.inner_text(row)


def folded_texts(page: Page, rows: list[int], most: int) -> list[str]:
    """The beginnings of the texts that some rows are, so many characters before folding."""
    if core.compiled:
        return shown_texts(page).read_texts(rows, most)
    return [" ".join(page.text(row)[:most].split()) for row in rows]


def rows_within(page: Page, rows: list[int], tag: int, levels: int) -> list[int]:
    """Which rows have a tag among so many elements around them, by their places in the list."""
    if core.compiled:
        return core.kernels.find_within(page.parent, page.tag, rows, levels, tag)
    above, inside = np.array(rows, np.intp), np.zeros(len(rows), np.bool_)
    for _ in range(levels):
        above = np.where(above < 0, -1, page.parent[above])
        inside |= (above >= 0) & (page.tag[above] == tag)
    return list(np.flatnonzero(inside).tolist())


def shown_texts(page: Page) -> "core.kernels.ShownTexts":
    """The texts of a page for the compiled core. Read once."""
    known = page.derived["shown"]
    if "texts" not in known:
        known["texts"] = core.kernels.ShownTexts(
            page.tag, page.size, page.chars, page.counted, page.texts
        )
    texts: core.kernels.ShownTexts = known["texts"]
    return texts
