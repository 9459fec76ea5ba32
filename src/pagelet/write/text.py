"""Kept text rows as plain text, from the columns alone.

All texts and the gaps between them are joined to one string, whose white space is folded at once.
Placeholders stand for new lines, tabs and preformatted texts until then.
"""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from itertools import pairwise

import numpy as np
from turbohtml import CData, Text

from pagelet import core
from pagelet.arrays import Bytes, Ints, Mask
from pagelet.page.html import parse_dom
from pagelet.page.table import Page
from pagelet.page.tags import BLOCK, FIRST_CUSTOM_TAG, TEXT, numbers
from pagelet.write.inline import (
    SCRIPTS,
    WHOLE,
    are_apart,
    displayed,
    mark_scripts,
    seen_apart,
)

# -- gaps between the kept rows ---------------------------------------------------------------

#: Gaps between two rows, from weak to strong.
JOINED, SPACE, BREAK, LINE, CELL, ROW = range(6)

#: Tags that leave the words around them joined; an unknown tag separates them by a space.
FORMATTING = numbers(
    "a abbr acronym b basefont bdi bdo big blink cite code data del dfn em font i ins kbd label"
    " link mark meta nobr noscript param q rb rp rt rtc ruby s samp script slot small source span"
    " strike strong style sub sup template time track tt u var wbr"
)
BREAKS = numbers("br")
CELLS = numbers("td th")
ROWS = numbers("table caption thead tbody tfoot tr")
PREFORMATTED = numbers("pre textarea listing xmp plaintext")  #: tags whose white space is kept


def _effects() -> Bytes:
    """The gap that each tag makes; the last place is for names that HTML lacks."""
    effects = np.full(FIRST_CUSTOM_TAG + 1, SPACE, np.uint8)
    effects[TEXT] = JOINED
    effects[list(FORMATTING)] = JOINED
    effects[list(BREAKS)] = BREAK
    effects[list(BLOCK + PREFORMATTED)] = LINE
    effects[list(CELLS)] = CELL
    effects[list(ROWS)] = ROW
    return effects


EFFECTS = _effects()
#: The same with a bit for each of: preformatted, scripts, pieces that belong together.
TAG_BITS = EFFECTS.copy()
for _bit, _tags in ((8, PREFORMATTED), (16, tuple(SCRIPTS)), (32, WHOLE)):
    TAG_BITS[list(_tags)] |= _bit


def gaps(page: Page, rows: Ints) -> Bytes:
    """The strongest gap between each of the rows and the next; one fewer than rows.

    Place k of the effects combines what comes just before row k, and row k itself: ends of
    elements, blank texts, the start of row k.
    """
    if len(rows) < 2:
        return np.zeros(0, np.uint8)
    gap = _last_gaps(page, rows)
    if gap is None:
        gap = _find_gaps(page, rows)
        page.derived["gaps"]["last"] = (rows.copy(), gap)
    return gap.copy()


def _last_gaps(page: Page, rows: Ints) -> Bytes | None:
    """The gaps between the rows that were last asked for: blocks and Markdown ask for the same."""
    known, gap = page.derived["gaps"].get("last", (None, None))
    return gap if known is not None and np.array_equal(known, rows) else None


def _styled_gaps(page: Page) -> list[tuple[int, int]]:
    """Rows with the gaps that their own styles make."""
    pairs = zip(displayed(page), (LINE, SPACE), strict=True)
    return [(row, strength) for rows_of, strength in pairs for row in rows_of]


def _find_gaps(page: Page, rows: Ints) -> Bytes:
    """The gaps by tags, styles and blank texts, and between elements that are seen apart."""
    if core.compiled:
        gap = np.empty(len(rows) - 1, np.uint8)
        apart = partial(are_apart, page)
        with suppress(UnicodeEncodeError):  # lone surrogates are left to Python
            _writer(page).find_gaps(rows, page.texts, _styled_gaps(page), apart, gap)
            return gap
    gap = _gaps_by_tags(page, rows)
    gap[seen_apart(page, rows, np.flatnonzero(gap == JOINED))] = SPACE
    return gap


def _writer(page: Page) -> "core.kernels.PlainWriter":
    columns = (page.tag, page.chars, page.size, page.parent, page.blank_row)
    return core.kernels.PlainWriter(columns, TAG_BITS)


def _gaps_by_tags(page: Page, rows: Ints) -> Bytes:
    """The gaps by tags, styles and blank texts."""
    code = EFFECTS.take(page.tag, mode="clip")
    for styled, strength in zip(displayed(page), (LINE, SPACE), strict=True):
        code[styled] = np.maximum(code[styled], strength)
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


def preformatted(page: Page) -> Mask | None:
    """Mark the rows whose white space is kept; None when there are none."""
    tops = page.is_tag(*PREFORMATTED)
    return page.inside(tops) if tops.any() else None


# -- the text ---------------------------------------------------------------------------------

PLACEHOLDERS = NEW_LINE, TAB, KEPT_TEXT = "\0", "\1", "\2"
#: Characters between two texts, by the gap between them.
BETWEEN = ("", " ", f" {NEW_LINE} ", f" {NEW_LINE} ", f" {TAB} ", f" {NEW_LINE} ")
PREFORMATTED_GAPS = ("", " ", "\n")
#: Replacement of placeholder characters in texts, as parsers replace them.
NO_PLACEHOLDERS = dict.fromkeys((0, 1, 2), "\ufffd")


def write_text(page: Page, kept: Mask) -> str:
    """Write the kept texts: one line per block, one per table row, white space folded.

    The cells of a table row are separated by tabs unless one of them has several lines itself.
    """
    if core.compiled:
        with suppress(UnicodeEncodeError):  # lone surrogates are left to Python
            text = _write_plain(page, kept)
            if text is not None:
                return text
    is_text = page.tag == TEXT
    rows = np.flatnonzero(is_text & kept)
    if not len(rows):
        return ""
    texts = [page.texts[at] for at in np.flatnonzero(kept[is_text]).tolist()]
    gap = gaps(page, rows)
    mark_scripts(page, rows, texts, kept)
    inside = preformatted(page)
    if inside is None or not inside[rows].any():
        return _fold(texts, without_broken_rows(gap))
    return _join_preformatted(page, rows, texts, gap, inside[rows])


def _write_plain(page: Page, kept: Mask) -> str | None:
    """The same by the compiled core; None where some texts are preformatted, or scripts."""
    marked = np.ascontiguousarray(kept).view(np.uint8)
    gap = None
    if page.derived["gaps"]:  # some rows are known: perhaps these
        gap = _last_gaps(page, np.flatnonzero(kept & (page.tag == TEXT)))
    styled = _styled_gaps(page) if gap is None else []
    return _writer(page).write(marked, page.texts, styled, partial(are_apart, page), gap)


def _fold(texts: list[str], gap: Bytes) -> str:
    """Join the texts and fold their white space."""
    if core.compiled:
        with suppress(UnicodeEncodeError):  # lone surrogates are left to Python
            return core.kernels.fold_texts(texts, gap)
    whole = _join(texts, gap)
    if sum(map(whole.count, PLACEHOLDERS)) != np.count_nonzero(gap >= BREAK):
        whole = _join(_without_placeholders(texts), gap)
    return _place_lines(whole)


def _without_placeholders(texts: list[str]) -> list[str]:
    """The texts with other characters for placeholders; all are joined, as hardly any has one."""
    joined = "".join(texts)
    if not any(sign in joined for sign in PLACEHOLDERS):
        return texts
    return [text.translate(NO_PLACEHOLDERS) for text in texts]


def _place_lines(whole: str) -> str:
    """Fold white space and put lines and tabs in place of their placeholders."""
    folded = " ".join(whole.split())
    return folded.replace(f" {NEW_LINE} ", "\n").replace(f" {TAB} ", "\t")


def _join(texts: list[str], gap: Bytes) -> str:
    pieces = [""] * (2 * len(texts) - 1)
    pieces[::2] = texts
    pieces[1::2] = [BETWEEN[code] for code in gap.tolist()]
    return "".join(pieces)


def _join_preformatted(page: Page, rows: Ints, texts: list[str], gap: Bytes, inside: Mask) -> str:
    """Join the texts where some are preformatted: a placeholder stands for each run of those."""
    follows = inside[1:] & inside[:-1] & (gap < LINE)
    starts = np.flatnonzero(np.concatenate(([True], ~follows)))
    between = preformatted_gaps(page, rows, gap, follows)
    shown, runs, folded_texts = [], [], _without_placeholders(texts)
    bounds = pairwise([*starts.tolist(), len(rows)])
    for is_kept, (first, last) in zip(inside[starts].tolist(), bounds, strict=True):
        if not is_kept:
            shown.append(folded_texts[first])
            continue
        run = [texts[first]]
        for at in range(first + 1, last):
            run += (between[at - 1], texts[at])
        shown.append(f" {KEPT_TEXT} ")
        runs.append(trim_blank_lines("".join(run)))
    folded = _place_lines(_join(shown, without_broken_rows(gap)[starts[1:] - 1])).split(KEPT_TEXT)
    pieces = [""] * (2 * len(folded) - 1)
    pieces[::2] = folded
    pieces[1::2] = runs
    return "".join(pieces)


def trim_blank_lines(text: str) -> str:
    """A preformatted text without the blank lines at its start and end."""
    text = text.rstrip()
    blank = len(text) - len(text.lstrip())
    return text[text.rfind("\n", 0, blank) + 1 :]


def preformatted_gaps(page: Page, rows: Ints, gap: Bytes, follows: Mask) -> dict[int, str]:
    """The white space, as in the source, between each marked row and the next."""
    places = np.flatnonzero(follows)
    written = map(PREFORMATTED_GAPS.__getitem__, gap[places].tolist())
    between = dict(zip(places.tolist(), written, strict=True))
    spaced = np.flatnonzero(follows & (gap == SPACE))
    first = np.searchsorted(page.blank_row, rows[spaced], "right")
    last = np.searchsorted(page.blank_row, rows[spaced + 1], "right")
    if (first < last).any():
        blanks = read_blanks(page)
        for at, one, end in zip(spaced.tolist(), first.tolist(), last.tolist(), strict=True):
            between[at] = "".join(blanks[one:end]) or between[at]
    return between


def read_blanks(page: Page) -> Sequence[str]:
    """The blank texts of a page, which its columns do not hold; spaces where nobody knows them."""
    if page.blank_texts is not None:
        return page.blank_texts
    if page.source is None:
        return [" "] * len(page.blank_row)
    nodes = parse_dom(page.source).descendants
    texts = (node.data for node in nodes if isinstance(node, Text | CData))
    blanks = [text for text in texts if not text.strip()]
    return blanks if len(blanks) == len(page.blank_row) else [" "] * len(page.blank_row)
