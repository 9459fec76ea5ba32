"""What the roles of link groups do not tell: boxes headed as advertising, and size selectors."""

import re
from functools import lru_cache

import numpy as np

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
    short = (page.tag == TEXT) & page.counted & (page.chars <= MAX_LABEL_CHARS) & ~page.link
    rows = np.flatnonzero(short)
    texts = [page.texts[at] for at in page.ordinal[rows].tolist()]
    labels = [
        row
        for row, text in zip(rows.tolist(), texts, strict=True)
        if len(text) <= MAX_LABEL_TEXT_CHARS and _is_ad_label(text)
    ]
    if not labels:
        return np.zeros(0, np.intp)
    sums = np.concatenate(([0], np.cumsum(page.chars * page.counted)))
    boxes = (_box_of(page, row, sums) for row in labels)
    return np.unique(np.array([row for row in boxes if row >= 0], np.intp))


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
    labels, page = groups.links.labels, groups.page
    chars = groups.links.label_chars
    short = np.flatnonzero((chars > 0) & (chars <= MAX_SIZE_CHARS)).tolist()
    sized = [at for at in short if SIZES.fullmatch(labels[at])] if len(short) >= MIN_SIZES else []
    if len(sized) < MIN_SIZES:
        return np.zeros(len(groups), np.bool_)
    size, named = np.zeros((2, len(labels)), np.bool_)
    size[sized] = True
    named[sized] = [bool(NAMED_SIZE.fullmatch(labels[at])) for at in sized]
    sizes, names = groups.over_links(np.array((size, named)))
    marked = (sizes == groups.count) & (sizes >= MIN_SIZES)
    for at in np.flatnonzero(marked & (names < MIN_SIZES - 1)).tolist():
        marked[at] = _after_size_word(page, int(groups.rows[at]))
    return np.asarray(marked)


def _after_size_word(page: Page, row: int) -> bool:
    for before in range(max(row - LEAD_ROWS, 0), row):
        if page.tag[before] == TEXT and SIZE_WORDS.search(page.texts[page.ordinal[before]]):
            return True
    return False
