"""The texts around the heading of a page, where people read who wrote it and when."""

from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pagelet import core
from pagelet.arrays import Mask
from pagelet.metadata.lookup import StructuredData, key_of
from pagelet.metadata.patterns import COMMENT, OTHER_ITEM
from pagelet.metadata.shown import folded_texts, shown_texts, text_rows
from pagelet.page.table import Page, tag_table
from pagelet.page.tags import NUMBER, numbers

TEXTS_BEFORE = 14  #: texts before the heading that are read
TEXTS_AFTER = 60  #: texts after the heading that are read
LONG_TEXT_CHARS = 160  #: characters of a text that is part of the body
MAX_LONG_TEXTS = 3  #: texts of the body after which a byline is not looked for
MAX_LINE_CHARS = 2000  #: characters of a text that are read
#: Texts after a heading where a body begins, and how many of them are long.
TEXTS_OF_BODY, LONG_TEXTS_OF_BODY = 12, 2
CONTENT_HEADINGS = numbers("h1 h2 h3 h4 h5")
MAX_OTHER_CHARS = 8  #: characters that a text has more than twice those of the title it is
MAX_TITLE_ROWS = 3000  #: texts that are compared with the title where no heading shows it


class OpeningLines(NamedTuple):
    """The texts after the heading, then those before it, the nearest first."""

    rows: list[int]
    texts: list[str]  #: white space folded
    distances: list[int]  #: texts between each and the heading; negative before the heading

    def text_at(self, distance: int) -> str | None:
        """The text at a distance; None where it is not among these."""
        known = distance in self.distances
        return self.texts[self.distances.index(distance)] if known else None


@dataclass(frozen=True, slots=True)
class Opening:
    """The texts near the heading, and what on the page does not belong to it."""

    heading: int  #: row of the heading, or of the text that is the title; -1 for none
    lines: OpeningLines
    others: Mask  #: rows of comments, of teasers for other pages, of navigation


def read_opening(data: StructuredData, heading: int, title: str | None) -> Opening:
    """The texts near the heading; the heading's own texts are left out."""
    page = data.page
    first = heading if heading >= 0 else _find_text(page, title)
    first = first if first >= 0 else _content_heading(page)
    others = _other_parts(data, first)
    return Opening(first, _read_lines(page, first, others), others)


def _read_lines(page: Page, heading: int, others: Mask) -> OpeningLines:
    """The texts near a heading that are not among the others."""
    if heading < 0:
        return OpeningLines([], [], [])
    if core.compiled:
        most = (TEXTS_AFTER, MAX_LONG_TEXTS, TEXTS_BEFORE)
        texts = shown_texts(page)
        lines = texts.read_around(heading, others, most, LONG_TEXT_CHARS, MAX_LINE_CHARS)
        return OpeningLines(*lines)
    rows = text_rows(page)
    before, after = np.searchsorted(rows, (heading, page.end[heading])).tolist()
    behind = rows[after : after + TEXTS_AFTER]
    long = np.cumsum(page.chars[behind] >= LONG_TEXT_CHARS)
    behind = behind[: int(np.searchsorted(long, MAX_LONG_TEXTS)) + 1]
    ahead = rows[max(0, before - TEXTS_BEFORE) : before][::-1]
    near = np.concatenate((behind, ahead))
    distances = np.concatenate((np.arange(len(behind)) + 1, -np.arange(len(ahead)) - 1))
    kept = ~others[near]
    read = near[kept].tolist()
    return OpeningLines(read, folded_texts(page, read, MAX_LINE_CHARS), distances[kept].tolist())


def _other_parts(data: StructuredData, heading: int) -> Mask:
    """Mark the rows of comments, of teasers for other pages, and of navigation.

    What holds the heading, or half of the text unless it is comments, is the page itself whatever
    it is called.
    """
    page, tags = data.page, (NUMBER["nav"], NUMBER["select"])
    comments, others = data.rows_by_name(COMMENT), data.rows_by_name(OTHER_ITEM)
    if core.compiled:
        marks = np.empty(len(page), np.bool_)
        columns = (page.tag, page.size, page.chars)
        core.kernels.mark_others(columns, comments, others, tags, heading, marks)
        return marks
    marked = np.array([*comments, *others, *np.flatnonzero(page.is_tag(*tags))], np.int64)
    sums = np.concatenate(([0], np.cumsum(page.chars)))
    chars = sums[page.end[marked]] - sums[marked]
    holds = (marked <= heading) & (heading < page.end[marked])
    small = (2 * chars < sums[-1]) | (np.arange(len(marked)) < len(comments))
    return page.inside(np.asarray(marked[~holds & small], np.int64))


def _find_text(page: Page, title: str | None) -> int:
    """The first text that is the title; -1 for none."""
    if not title or not (key := key_of(title)):
        return -1
    rows = _rows_like(page, key, 2 * len(title) + MAX_OTHER_CHARS)
    return next((row for row in rows if key_of(page.text(row)) == key), -1)


def _rows_like(page: Page, key: str, most: int) -> list[int]:
    """The texts of at most so many characters that may have a key, or some more of them."""
    if core.compiled:
        with suppress(UnicodeEncodeError):  # lone surrogates are left to Python
            return shown_texts(page).find_keyed(key.encode(), len(key), most, MAX_TITLE_ROWS)
    rows = text_rows(page)
    near = (page.chars[rows] >= len(key)) & (page.chars[rows] <= most)
    return list(rows[near][:MAX_TITLE_ROWS].tolist())


def _content_heading(page: Page) -> int:
    """The first heading that texts of a body follow; -1 for none."""
    if core.compiled:
        limits = (TEXTS_OF_BODY, LONG_TEXTS_OF_BODY, LONG_TEXT_CHARS)
        return shown_texts(page).find_followed(tag_table(CONTENT_HEADINGS), *limits)
    rows = text_rows(page)
    headings = np.flatnonzero(page.is_tag(*CONTENT_HEADINGS))
    long = np.concatenate(([0], np.cumsum(page.chars[rows] >= LONG_TEXT_CHARS)))
    after = np.searchsorted(rows, page.end[headings])
    end = np.minimum(after + TEXTS_OF_BODY, len(rows))
    followed = headings[long[end] - long[after] >= LONG_TEXTS_OF_BODY]
    return int(followed[0]) if len(followed) else -1
