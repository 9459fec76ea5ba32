"""The texts around the heading of a page, where people read who wrote it and when."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pagelet import core
from pagelet.arrays import Ints, Mask
from pagelet.metadata.lookup import StructuredData, key_of
from pagelet.metadata.patterns import COMMENT, OTHER_ITEM
from pagelet.metadata.shown import folded_texts, text_rows
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER

TEXTS_BEFORE = 14  #: texts before the heading that are read
TEXTS_AFTER = 60  #: texts after the heading that are read
LONG_TEXT_CHARS = 160  #: characters of a text that is part of the body
MAX_LONG_TEXTS = 3  #: texts of the body after which a byline is not looked for
MAX_LINE_CHARS = 2000  #: characters of a text that are read
TEXTS_OF_BODY = 12  #: texts after a heading of which two are long where a body begins
MAX_TITLE_ROWS = 3000  #: texts that are compared with the title where no heading shows it


class OpeningLine(NamedTuple):
    """A text near the heading."""

    row: int
    text: str  #: white space folded
    distance: int  #: texts between it and the heading; negative before the heading


@dataclass(frozen=True, slots=True)
class Opening:
    """The texts near the heading, and what on the page does not belong to it."""

    heading: int  #: row of the heading, or of the text that is the title; -1 for none
    lines: list[
        OpeningLine
    ]  #: the texts after the heading, then those before it, the nearest first
    others: Mask  #: rows of comments, of teasers for other pages, of navigation


def read_opening(data: StructuredData, heading: int, title: str | None) -> Opening:
    """The texts near the heading; the heading's own texts are left out."""
    page, rows = data.page, text_rows(data.page)
    first = heading if heading >= 0 else _find_text(page, rows, title)
    first = first if first >= 0 else _content_heading(page, rows)
    others = _other_parts(data, first)
    if first < 0 or not len(rows):
        return Opening(-1, [], others)
    before, after = np.searchsorted(rows, (first, page.end[first])).tolist()
    behind = rows[after : after + TEXTS_AFTER]
    long = np.cumsum(page.chars[behind] >= LONG_TEXT_CHARS)
    behind = behind[: int(np.searchsorted(long, MAX_LONG_TEXTS)) + 1]
    ahead = rows[max(0, before - TEXTS_BEFORE) : before][::-1]
    lines = [*_read_lines(page, behind, others, 1), *_read_lines(page, ahead, others, -1)]
    return Opening(first, lines, others)


def _read_lines(page: Page, rows: Ints, others: Mask, sign: int) -> list[OpeningLine]:
    """Texts from the heading on that are not among the others; a sign for those before it."""
    kept = np.flatnonzero(~others[rows])
    read = rows[kept].tolist()
    texts = folded_texts(page, read, MAX_LINE_CHARS)
    distances = (sign * (kept + 1)).tolist()
    return list(map(OpeningLine, read, texts, distances))


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


def _find_text(page: Page, rows: Ints, title: str | None) -> int:
    """The first text that is the title; -1 for none."""
    if not title or not (key := key_of(title)):
        return -1
    near = (page.chars[rows] >= len(key)) & (page.chars[rows] <= 2 * len(title) + 8)
    alike = rows[near][:MAX_TITLE_ROWS]
    return next((row for row, text in _begun_with(page, alike, key[0]) if key_of(text) == key), -1)


def _begun_with(page: Page, rows: Ints, letter: str) -> Iterator[tuple[int, str]]:
    """The texts of rows but for those that begin with another letter or digit of ASCII."""
    places = page.ordinal[rows]
    if core.compiled:
        with suppress(UnicodeEncodeError):  # lone surrogates are left to Python
            kept = core.kernels.find_starting(page.texts, places, ord(letter))
            rows, places = rows[kept], places[kept]
    for row, place in zip(rows.tolist(), places.tolist(), strict=True):
        text = page.texts[place]
        begun = text.lstrip()[:1].lower()
        if not (begun.isascii() and begun.isalnum()) or begun == letter:
            yield row, text


def _content_heading(page: Page, rows: Ints) -> int:
    """The first heading that texts of a body follow; -1 for none."""
    headings = np.flatnonzero(page.is_tag(*(NUMBER[f"h{level}"] for level in range(1, 6))))
    long = np.concatenate(([0], np.cumsum(page.chars[rows] >= LONG_TEXT_CHARS)))
    after = np.searchsorted(rows, page.end[headings])
    end = np.minimum(after + TEXTS_OF_BODY, len(rows))
    followed = headings[long[end] - long[after] >= 2]
    return int(followed[0]) if len(followed) else -1
