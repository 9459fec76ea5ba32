"""What lies between the rows of an excerpt: nothing, white space, a new line, a new cell.

Every row and every end of a row may part the text around it. The gap between two rows of an
excerpt is the strongest thing found between them, whether or not it was kept.
"""

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.page import Mask, Page
from pagelet.tags import BLOCK, KNOWN, TEXT, numbers

#: What may lie between two rows, from weak to strong.
JOINED, SPACE, BREAK, LINE, CELL, ROW = range(6)

#: Tags that leave the words around them joined; anything unknown parts them by a space.
FORMATTING = numbers(
    "a abbr acronym b basefont bdi bdo big blink cite code data del dfn em font i ins kbd label"
    " link mark meta nobr noscript param q rb rp rt rtc ruby s samp script slot small source span"
    " strike strong style sub sup template time track tt u var wbr"
)
BREAKS = numbers("br")
CELLS = numbers("td th")
ROWS = numbers("table caption thead tbody tfoot tr")
WRITTEN = numbers("pre textarea listing xmp plaintext")  #: their white space stays as written

Codes = NDArray[np.uint8]
Places = NDArray[np.intp]


def _effects() -> Codes:
    """What each tag does to the text around it; the last place is for names HTML lacks."""
    effects = np.full(KNOWN + 1, SPACE, np.uint8)
    effects[TEXT] = JOINED
    effects[list(FORMATTING)] = JOINED
    effects[list(BREAKS)] = BREAK
    effects[list(BLOCK + WRITTEN)] = LINE
    effects[list(CELLS)] = CELL
    effects[list(ROWS)] = ROW
    return effects


EFFECTS = _effects()


def gaps(page: Page, rows: Places) -> Codes:
    """The strongest thing between each row and the next of these; one fewer than rows.

    Place k of the effects stands for what comes just before row k, or is row k: ends of
    elements, blank texts, the start of row k itself.
    """
    if len(rows) < 2:
        return np.zeros(0, np.uint8)
    code = EFFECTS.take(page.tag, mode="clip")
    effect = np.zeros(len(page) + 1, np.uint8)
    effect[:-1] = code
    effect[:-1][page.chars > 0] = SPACE
    effect[rows] = JOINED
    effect[page.blank_row] = np.maximum(effect[page.blank_row], SPACE)
    parting = np.flatnonzero(code)
    np.maximum.at(effect, page.end[parting], code[parting])
    return np.asarray(np.maximum.reduceat(effect[: rows[-1] + 1], rows[:-1] + 1))


def without_broken_rows(gap: Codes) -> Codes:
    """Gaps where the cells of a table row get lines of their own if one of them has several."""
    cell = gap == CELL
    if not cell.any():
        return gap
    table_row = np.cumsum(gap == ROW)
    broken = np.bincount(table_row, (gap == LINE) | (gap == BREAK)) > 0
    return np.where(cell & broken[table_row], np.uint8(LINE), gap)


def written(page: Page) -> Mask | None:
    """Mark what lies where white space stays as written; None when there is no such place."""
    places = page.is_tag(*WRITTEN)
    return page.inside(places) if places.any() else None
