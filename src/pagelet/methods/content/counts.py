"""The text blocks of a page with everything that is counted in them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import NamedTuple, TypeAlias, overload

import numpy as np

from pagelet import core
from pagelet.arrays import Bytes, Floats, Ints, Mask
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER
from pagelet.page.textblocks import TextBlocks
from pagelet.page.words import BLANK, MONEY, character_kinds, count_kinds, kind_table

#: Numbers of the elements that hold a block; all others are 0.
HOLDERS = {
    "p": 1, "li": 2, "td": 3, "th": 3, "div": 4, "h1": 5, "h2": 6, "h3": 7, "h4": 8, "h5": 8,
    "h6": 8, "dt": 9, "dd": 10, "pre": 11, "figcaption": 12, "section": 13, "article": 13,
    "main": 13, "label": 14, "option": 15, "blockquote": 16,
}  # fmt: skip

#: The same by number of the tag; the last one stands for all above.
HOLDERS_BY_TAG = np.zeros(max(NUMBER.values()) + 2)
HOLDERS_BY_TAG[[NUMBER[name] for name in HOLDERS]] = list(HOLDERS.values())


KEPT_CHARS = 301  #: characters of each block that are kept for what its text states


class TextList(Sequence[str]):
    """The text of each block, its pieces joined by one space; made when it is needed."""

    def __init__(self, count: int, read_pieces: Callable[[int], Iterable[str]]) -> None:
        """`read_pieces` gives the texts of a block as written."""
        self._count, self._read_pieces = count, read_pieces
        self._made: dict[int, str] = {}

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        if at not in self._made:
            self._made[at] = " ".join(map(str.strip, self._read_pieces(at)))
        return self._made[at]


def list_texts(page: Page, blocks: TextBlocks) -> TextList:
    """The text of each block of a page."""
    reader = reader_of(page)
    if reader is not None and reader.blocks == len(blocks):
        return TextList(len(blocks), partial(core.kernels.read_block, reader))
    bounds = [*blocks.first.tolist(), len(blocks.rows)]

    @cache
    def places() -> list[int]:
        """The place of each text among the texts of the page."""
        return list(page.ordinal[blocks.rows].tolist())

    def read_pieces(at: int) -> list[str]:
        return [page.texts[place] for place in places()[bounds[at] : bounds[at + 1]]]

    return TextList(len(blocks), read_pieces)


@dataclass(frozen=True, eq=False)
class BlockCounts:
    """The text blocks of one page with everything that is counted in them."""

    page: Page
    blocks: TextBlocks
    texts: Sequence[str]  #: the text of each block, its pieces joined by one space
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
    scanned: "core.kernels.BlockTexts | None" = (
        None  #: the texts, where the compiled core read them
    )


@dataclass(frozen=True, eq=False)
class BlockWords:
    """The text blocks of one page with their words alone, for those who list them."""

    page: Page
    blocks: TextBlocks
    texts: Sequence[str]  #: as in BlockCounts, and so are the others
    words: Floats
    density: Floats
    tag: Floats
    row: Ints
    total: float


class Characters(NamedTuple):
    """Kinds of characters of blocks, and their texts."""

    texts: Sequence[str]
    kinds: Floats
    first_kind: Bytes
    last_kind: Bytes
    scanned: "core.kernels.BlockTexts | None" = None


class Words(NamedTuple):
    """Words, links and places of blocks."""

    words: Floats
    linked: Floats
    chars: Floats
    density: Floats
    tag: Floats
    pieces: Ints
    row: Ints


def count_blocks(page: Page, blocks: TextBlocks) -> BlockCounts:
    """Count words, characters and links of the text blocks of a page."""
    words = (_sum_words_compiled if core.compiled else _sum_words)(page, blocks)
    characters = (scan_characters if core.compiled else count_characters)(page, blocks)
    return BlockCounts(
        page,
        blocks,
        **words._asdict(),
        **characters._asdict(),
        total=max(float(words.words.sum()), 1.0),
    )


def count_words(page: Page, blocks: TextBlocks) -> BlockWords:
    """Count the words and links of the text blocks of a page; no character is looked at."""
    words = (_sum_words_compiled if core.compiled else _sum_words)(page, blocks)
    texts, total = list_texts(page, blocks), max(float(words.words.sum()), 1.0)
    return BlockWords(page, blocks, texts, words.words, words.density, words.tag, words.row, total)


def _sum_words(page: Page, blocks: TextBlocks) -> Words:
    rows, first = blocks.rows, blocks.first
    columns = np.array((page.words[rows], page.words[rows] * page.link[rows], page.chars[rows]))
    words, linked, chars = np.add.reduceat(columns, first, axis=1).astype(np.float64)
    tag = HOLDERS_BY_TAG.take(page.tag[blocks.holder], mode="clip")
    pieces = np.append(first[1:], len(rows)) - first
    return Words(words, linked, chars, linked / np.maximum(words, 1), tag, pieces, rows[first])


def _sum_words_compiled(page: Page, blocks: TextBlocks) -> Words:
    """The same by the compiled core."""
    sums, counts = np.empty((5, len(blocks))), np.empty((2, len(blocks)), np.intp)
    core.kernels.sum_blocks(
        page.words,
        page.chars,
        page.link,
        page.tag,
        blocks.rows,
        blocks.first,
        blocks.holder,
        HOLDERS_BY_TAG,
        sums,
        counts,
    )
    return Words(*sums, *counts)


def count_characters(page: Page, blocks: TextBlocks) -> Characters:
    """Count the kinds of characters of all blocks."""
    first = blocks.first
    last = np.append(first[1:], len(blocks.rows)) - 1
    texts = [text.strip() for text in blocks.texts(page)]
    bounds = np.zeros(len(texts) + 1, np.intp)
    np.cumsum(np.fromiter(map(len, texts), np.intp, len(texts)), out=bounds[1:])
    kind = character_kinds("".join(texts))
    kinds = count_kinds(kind, bounds[first])
    return Characters(
        _joined(texts, first, last), kinds, kind[bounds[first]], kind[bounds[last + 1] - 1]
    )


def scan_characters(page: Page, blocks: TextBlocks) -> Characters:
    """The same by the compiled core; lone surrogates, which UTF-8 lacks, are left to Python."""
    kinds = np.empty((MONEY - BLANK, len(blocks)))
    first_kind, last_kind = np.empty((2, len(blocks)), np.uint8)
    places = page.ordinal[blocks.rows]
    try:
        scanned = core.kernels.BlockTexts(
            page.texts, places, blocks.first, kind_table(), KEPT_CHARS
        )
    except UnicodeEncodeError:
        return count_characters(page, blocks)
    scanned.fill_characters(kinds, first_kind, last_kind)
    keep_scanned(page, scanned)
    return Characters(list_texts(page, blocks), kinds, first_kind, last_kind, scanned)


def count_kept_words(page: Page, kept: Mask) -> int:
    """The words of the rows that are kept."""
    if core.compiled:
        return core.kernels.count_marked(page.words, kept.view(np.uint8))
    return int(page.words[kept].sum())


Scanned: TypeAlias = "tuple[core.kernels.BlockTexts, core.kernels.BlockReader | None]"


def keep_scanned(
    page: Page,
    scanned: "core.kernels.BlockTexts",
    reader: "core.kernels.BlockReader | None" = None,
) -> None:
    """Keep the texts of the blocks of a page, and what read them, for what comes later."""
    page.derived["blocks"]["scanned"] = scanned, reader


def scanned_texts(page: Page) -> "core.kernels.BlockTexts | None":
    """The texts of the blocks of a page, where the compiled core has read them."""
    return page.derived["blocks"].get("scanned", (None, None))[0] if core.compiled else None


def reader_of(page: Page) -> "core.kernels.BlockReader | None":
    """What read the blocks of a page for their features, where the compiled core did."""
    return page.derived["blocks"].get("scanned", (None, None))[1] if core.compiled else None


def _joined(texts: list[str], first: Ints, last: Ints) -> list[str]:
    bounds = zip(first.tolist(), last.tolist(), strict=True)
    return [texts[one] if one == two else " ".join(texts[one : two + 1]) for one, two in bounds]
