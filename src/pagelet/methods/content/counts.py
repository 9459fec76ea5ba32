"""The text blocks of a page with everything that is counted in them."""

from dataclasses import dataclass

import numpy as np

from pagelet.arrays import Bytes, Floats, Ints
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER
from pagelet.page.textblocks import TextBlocks
from pagelet.page.words import character_kinds, count_kinds

#: Numbers of the elements that hold a block; all others are 0.
HOLDERS = {
    "p": 1, "li": 2, "td": 3, "th": 3, "div": 4, "h1": 5, "h2": 6, "h3": 7, "h4": 8, "h5": 8,
    "h6": 8, "dt": 9, "dd": 10, "pre": 11, "figcaption": 12, "section": 13, "article": 13,
    "main": 13, "label": 14, "option": 15, "blockquote": 16,
}  # fmt: skip

_HOLDERS_BY_TAG = np.zeros(max(NUMBER.values()) + 2)
_HOLDERS_BY_TAG[[NUMBER[name] for name in HOLDERS]] = list(HOLDERS.values())


@dataclass(frozen=True, slots=True, eq=False)
class BlockCounts:
    """The text blocks of one page with everything that is counted in them."""

    page: Page
    blocks: TextBlocks
    texts: list[str]  #: the text of each block, its pieces joined by one space
    pieces: Ints  #: texts that make up each block
    words: Floats
    linked: Floats  #: words inside links
    chars: Floats
    kinds: Floats  #: digits, capitals, stops, commas, signs, money signs
    first_kind: Bytes  #: kind of the first character
    last_kind: Bytes  #: kind of the last character
    density: Floats  #: share of the words that is inside links
    tag: Floats  #: element that holds the block, as numbered in HOLDERS
    row: Ints  #: first row of each block
    total: float  #: words of the page, at least 1


def count_blocks(page: Page, blocks: TextBlocks) -> BlockCounts:
    """Count words, characters and links of the text blocks of a page."""
    rows, first = blocks.rows, blocks.first
    last = np.append(first[1:], len(rows)) - 1
    columns = np.array((page.words[rows], page.chars[rows], page.words[rows] * page.link[rows]))
    words, chars, linked = np.add.reduceat(columns, first, axis=1).astype(np.float64)
    texts = [text.strip() for text in blocks.texts(page)]
    bounds = np.zeros(len(texts) + 1, np.intp)
    np.cumsum(np.fromiter(map(len, texts), np.intp, len(texts)), out=bounds[1:])
    kind = character_kinds("".join(texts))
    return BlockCounts(
        page=page,
        blocks=blocks,
        texts=_joined(texts, first, last),
        pieces=last - first + 1,
        words=words,
        linked=linked,
        chars=chars,
        kinds=count_kinds(kind, bounds[first]),
        first_kind=kind[bounds[first]],
        last_kind=kind[bounds[last + 1] - 1],
        density=linked / np.maximum(words, 1),
        tag=_HOLDERS_BY_TAG.take(page.tag[blocks.holder], mode="clip"),
        row=rows[first],
        total=max(words.sum(), 1.0),
    )


def _joined(texts: list[str], first: Ints, last: Ints) -> list[str]:
    bounds = zip(first.tolist(), last.tolist(), strict=True)
    return [texts[one] if one == two else " ".join(texts[one : two + 1]) for one, two in bounds]
