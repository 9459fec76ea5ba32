"""Kept text rows as plain text, from the columns alone.

All texts and what parts them are put into one string, whose white space is folded in one go.
Signs that no text needs stand for new lines, tabs and texts that stay as written until then.
"""

from itertools import compress, pairwise

import numpy as np
from turbohtml import CData, Text

from pagelet.columns.page import Mask, Page
from pagelet.parse.excerpt_gaps import (
    BREAK,
    LINE,
    SPACE,
    Codes,
    Places,
    gaps,
    without_broken_rows,
    written,
)
from pagelet.parse.html import parse_dom
from pagelet.tags import TEXT

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


def _folded(texts: list[str], gap: Codes) -> str:
    """The texts with what parts them, white space folded."""
    whole = _joined(texts, gap)
    if sum(map(whole.count, SIGNS)) != np.count_nonzero(gap >= BREAK):
        whole = _joined([text.translate(UNSIGNED) for text in texts], gap)
    return _with_lines(whole)


def _with_lines(whole: str) -> str:
    """Fold white space and put lines and tabs where their signs are."""
    folded = " ".join(whole.split())
    return folded.replace(f" {NEW_LINE} ", "\n").replace(f" {TAB} ", "\t")


def _joined(texts: list[str], gap: Codes) -> str:
    pieces = [""] * (2 * len(texts) - 1)
    pieces[::2] = texts
    pieces[1::2] = [BETWEEN[code] for code in gap.tolist()]
    return "".join(pieces)


def _with_written(page: Page, rows: Places, texts: list[str], gap: Codes, inside: Mask) -> str:
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


def written_gaps(page: Page, rows: Places, gap: Codes, follows: Mask) -> dict[int, str]:
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
