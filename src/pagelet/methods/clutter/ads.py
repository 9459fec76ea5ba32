"""What the roles of link groups do not tell: boxes headed as advertising, and size selectors."""

import re
from functools import cache, lru_cache
from string import ascii_lowercase

import numpy as np

from pagelet import core
from pagelet.arrays import Int64s, Mask, Rows
from pagelet.methods.links.groups import LinkGroups
from pagelet.methods.vocabulary import MARKS, PHRASES
from pagelet.page.table import Page
from pagelet.page.tags import BLOCK, TEXT

AD_LABELS = frozenset(PHRASES["ad"].split("|")) - {"pr", "promotion"}  #: texts that head an ad
MAX_LABEL_CHARS = 24  #: characters of a text that heads an ad
MAX_LABEL_TEXT_CHARS = 8 * MAX_LABEL_CHARS  #: characters of it with all white space around words
MAX_LEVELS = 8  #: elements above a label in which its box is looked for
MAX_AD_CHARS = 1_200  #: characters of a box of ads
MIN_SIZES = 3  #: links of a size selector
MAX_SIZE_CHARS = 8  #: characters of the longest name of a size
SIZES = re.compile(r"(?:\d?x{0,4}|xx?)[sml]|one size|\d{1,2}(?:[./]\d{1,2})?", re.IGNORECASE)
NAMED_SIZE = re.compile(r"x{0,4}[sml]|\dx[sl]|one size", re.IGNORECASE)
SIZE_WORDS = re.compile(
    r"\b(?:sizes?|größen?|groesse|tailles?|pointure|tallas?|taglia|misura|tamanhos?|maat|maten"
    r"|storlek|størrelse|rozmiar|размер|サイズ|尺码|尺寸)\b",
    re.IGNORECASE,
)
LEAD_ROWS = 8  #: rows before a group in which the word for size is looked for


def ad_boxes(page: Page) -> Rows:
    """The elements that begin with a word for advertising and hold more than that."""
    texts = ((row, page.texts[at]) for row, at in short_texts(page))
    labels = [
        row for row, text in texts if len(text) <= MAX_LABEL_TEXT_CHARS and _is_ad_label(text)
    ]
    if not labels:
        return np.zeros(0, np.intp)
    sums = np.concatenate(([0], np.cumsum(page.chars * page.counted)))
    boxes = (_box_of(page, row, sums) for row in labels)
    return np.unique(np.array([row for row in boxes if row >= 0], np.intp))


def short_texts(page: Page) -> list[tuple[int, int]]:
    """The texts outside links that are short enough to head an ad: rows, and places in `texts`.

    The compiled core leaves out those that begin like no word for one.
    """
    if core.compiled:
        columns = page.tag, page.chars, page.counted, page.link
        return core.kernels.find_pairs(page.texts, *columns, MAX_LABEL_CHARS, _label_pairs())
    short = (page.tag == TEXT) & page.counted & (page.chars <= MAX_LABEL_CHARS) & ~page.link
    rows = np.flatnonzero(short)
    return list(zip(rows.tolist(), page.ordinal[rows].tolist(), strict=True))


@cache
def _label_pairs() -> bytes:
    """For each two letters of ASCII, whether a label begins with them."""
    begun = {label[:2] for label in AD_LABELS}
    return bytes(first + second in begun for first in ascii_lowercase for second in ascii_lowercase)


@lru_cache(maxsize=1 << 14)
def _is_ad_label(text: str) -> bool:
    return " ".join(text.split()).strip(MARKS).lower() in AD_LABELS


def _box_of(page: Page, label: int, sums: Int64s) -> int:
    """The nearest block around a label that begins with it and holds other text; -1 for none."""
    row = int(page.parent[label])
    for _ in range(MAX_LEVELS):
        if row <= page.body or sums[label] > sums[row]:
            return -1
        after = int(sums[page.end[row]] - sums[label + 1])
        if after > MAX_AD_CHARS:
            return -1
        if after and page.tag[row] in BLOCK:
            return row
        row = int(page.parent[row])
    return -1


def size_selectors(groups: LinkGroups) -> Mask:
    """Mark the groups whose links choose a size of what is on sale."""
    labels, page, chars = groups.links.labels, groups.page, groups.links.label_chars
    short = (chars > 0) & (chars <= MAX_SIZE_CHARS)
    marked = (groups.over_links(~short[None])[0] == 0) & (groups.count >= MIN_SIZES)
    if not marked.any():
        return np.asarray(marked)
    size, named = np.zeros((2, len(labels)), np.bool_)
    begun, ended = (
        np.bincount(each[marked], minlength=len(labels) + 1) for each in (groups.first, groups.last)
    )
    for at in np.flatnonzero(np.cumsum(begun - ended)[:-1]).tolist():
        size[at] = SIZES.fullmatch(labels[at]) is not None
        named[at] = size[at] and NAMED_SIZE.fullmatch(labels[at]) is not None
    sizes, names = groups.over_links(np.array((size, named)))
    marked &= sizes == groups.count
    for at in np.flatnonzero(marked & (names < MIN_SIZES - 1)).tolist():
        marked[at] = _after_size_word(page, int(groups.rows[at]))
    return np.asarray(marked)


def _after_size_word(page: Page, row: int) -> bool:
    for before in range(max(row - LEAD_ROWS, 0), row):
        if page.tag[before] == TEXT and SIZE_WORDS.search(page.texts[page.ordinal[before]]):
            return True
    return False
