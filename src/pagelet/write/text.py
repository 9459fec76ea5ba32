"""Kept text rows as plain text, from the columns alone.

All texts and what parts them are put into one string, whose white space is folded in one go.
Signs that no text needs stand for new lines, tabs and texts that stay as written until then.
"""

from itertools import compress, pairwise

import numpy as np
from turbohtml import CData, Text

from pagelet.arrays import Bytes, Ints, Mask
from pagelet.page.html import parse_dom
from pagelet.page.table import Page
from pagelet.page.tags import BLOCK, FIRST_CUSTOM_TAG, TEXT, numbers

# -- What lies between the rows of an excerpt: nothing, white space, a new line, a new cell ---


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


def _effects() -> Bytes:
    """What each tag does to the text around it; the last place is for names HTML lacks."""
    effects = np.full(FIRST_CUSTOM_TAG + 1, SPACE, np.uint8)
    effects[TEXT] = JOINED
    effects[list(FORMATTING)] = JOINED
    effects[list(BREAKS)] = BREAK
    effects[list(BLOCK + WRITTEN)] = LINE
    effects[list(CELLS)] = CELL
    effects[list(ROWS)] = ROW
    return effects


EFFECTS = _effects()


def gaps(page: Page, rows: Ints) -> Bytes:
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


def without_broken_rows(gap: Bytes) -> Bytes:
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


# -- Kept text rows as plain text, from the columns alone -------------------------------------


SIGNS = NEW_LINE, TAB, AS_WRITTEN = "\0", "\1", "\2"
#: What is put between two texts, by the gap between them.
BETWEEN = ("", " ", f" {NEW_LINE} ", f" {NEW_LINE} ", f" {TAB} ", f" {NEW_LINE} ")
BETWEEN_WRITTEN = ("", " ", "\n")
UNSIGNED = dict.fromkeys((0, 1, 2), "\ufffd")  #: as parsers do with what no text may hold


def text_of_rows(page: Page, kept: Mask) -> str:
    """The kept texts: a line a block, cells of a table row on one line, white space folded.

    The cells of a table row are parted by tabs unless one of them has several lines itself.
    """
    is_text = page.tag == TEXT
    rows = np.flatnonzero(is_text & kept)
    if not len(rows):
        return ""
    texts = list(compress(page.texts, kept[is_text].tolist()))
    gap = gaps(page, rows)
    inside = written(page)
    if inside is None or not inside[rows].any():
        return _folded(texts, without_broken_rows(gap))
    return _with_written(page, rows, texts, gap, inside[rows])


def _folded(texts: list[str], gap: Bytes) -> str:
    """The texts with what parts them, white space folded."""
    whole = _joined(texts, gap)
    if sum(map(whole.count, SIGNS)) != np.count_nonzero(gap >= BREAK):
        whole = _joined([text.translate(UNSIGNED) for text in texts], gap)
    return _with_lines(whole)


def _with_lines(whole: str) -> str:
    """Fold white space and put lines and tabs where their signs are."""
    folded = " ".join(whole.split())
    return folded.replace(f" {NEW_LINE} ", "\n").replace(f" {TAB} ", "\t")


def _joined(texts: list[str], gap: Bytes) -> str:
    pieces = [""] * (2 * len(texts) - 1)
    pieces[::2] = texts
    pieces[1::2] = [BETWEEN[code] for code in gap.tolist()]
    return "".join(pieces)


def _with_written(page: Page, rows: Ints, texts: list[str], gap: Bytes, inside: Mask) -> str:
    """The same where some texts stay as written: a sign stands for each run of them."""
    follows = inside[1:] & inside[:-1] & (gap < LINE)
    starts = np.flatnonzero(np.concatenate(([True], ~follows)))
    between = written_gaps(page, rows, gap, follows)
    shown, as_written = [], []
    for first, last in pairwise([*starts.tolist(), len(rows)]):
        if not inside[first]:
            shown.append(texts[first].translate(UNSIGNED))
            continue
        run = [texts[first]]
        for at in range(first + 1, last):
            run += (between[at - 1], texts[at])
        shown.append(f" {AS_WRITTEN} ")
        as_written.append(trimmed("".join(run)))
    folded = _with_lines(_joined(shown, without_broken_rows(gap)[starts[1:] - 1])).split(AS_WRITTEN)
    pieces = [""] * (2 * len(folded) - 1)
    pieces[::2] = folded
    pieces[1::2] = as_written
    return "".join(pieces)


def trimmed(text: str) -> str:
    """A text as written without the blank lines it begins and ends with."""
    text = text.rstrip()
    blank = len(text) - len(text.lstrip())
    return text[text.rfind("\n", 0, blank) + 1 :]


def written_gaps(page: Page, rows: Ints, gap: Bytes, follows: Mask) -> dict[int, str]:
    """The white space, as written, between each row that is marked and the next."""
    between = {at: BETWEEN_WRITTEN[gap[at]] for at in np.flatnonzero(follows).tolist()}
    spaced = np.flatnonzero(follows & (gap == SPACE))
    first = np.searchsorted(page.blank_row, rows[spaced], "right")
    last = np.searchsorted(page.blank_row, rows[spaced + 1], "right")
    if (first < last).any():
        blanks = blank_texts(page)
        for at, one, end in zip(spaced.tolist(), first.tolist(), last.tolist(), strict=True):
            between[at] = "".join(blanks[one:end]) or between[at]
    return between


def blank_texts(page: Page) -> list[str]:
    """The blank texts as written, which the columns do not hold; single spaces without source."""
    if page.source is None:
        return [" "] * len(page.blank_row)
    nodes = parse_dom(page.source).descendants
    texts = (node.data for node in nodes if isinstance(node, Text | CData))
    found = [text for text in texts if not text.strip()]
    return found if len(found) == len(page.blank_row) else [" "] * len(page.blank_row)
