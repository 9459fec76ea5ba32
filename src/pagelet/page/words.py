"""Characters, words and kinds of characters, counted for many texts at once."""

import unicodedata
from functools import cache

import numpy as np

from pagelet import core
from pagelet.arrays import Bytes, Floats, Int64s, Ints

SPACE, LETTER, IDEOGRAPH = 0, 1, 2
_LAST = 0x30000  #: code points from here on are taken for ideographs


def _word_table() -> Bytes:
    """Kind of every code point: white space, part of a word, or a word by itself."""
    kinds = np.full(_LAST + 1, LETTER, np.uint8)
    kinds[[code for code in range(0x3001) if chr(code).isspace()]] = SPACE
    for first, last in ((0x3040, 0x30FF), (0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x20000, _LAST)):
        kinds[first : last + 1] = IDEOGRAPH
    return kinds


WORD_TABLE = _word_table()
ASCII_WORD_TABLE = WORD_TABLE[:256].tobytes()  #: kinds as a table for bytes.translate


def _word_kinds(data: str) -> Bytes:
    """Kind of each code point of data: SPACE, LETTER or IDEOGRAPH."""
    if data.isascii():
        return np.frombuffer(data.encode("ascii").translate(ASCII_WORD_TABLE), np.uint8)
    codes = np.frombuffer(data.encode("utf-32-le", "surrogatepass"), np.uint32)
    return WORD_TABLE.take(codes, mode="clip")


def measure_texts(texts: list[str]) -> tuple[Int64s, Int64s]:
    """Characters and words of each text.

    Characters: code points once runs of white space are folded to one space and the ends
    are trimmed. Words: runs of anything but white space, where every Han or kana character is
    a word of its own.
    """
    if core.compiled:
        chars, words = np.empty((2, len(texts)), np.int64)
        core.kernels.measure_texts(texts, WORD_TABLE, chars, words)
        return chars, words
    bounds = np.zeros(len(texts) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)), out=bounds[1:])
    kind = _word_kinds("".join(texts))
    before = np.empty_like(kind)
    before[1:] = kind[:-1]
    before[bounds[:-1][bounds[:-1] < len(kind)]] = SPACE
    begins = np.flatnonzero((kind != SPACE) & (before == SPACE))  # of runs without white space
    runs, spaces = _count(bounds, begins), _count(bounds, np.flatnonzero(kind == SPACE))
    words = runs
    if kind.size and kind.max() == IDEOGRAPH:
        word = (kind == IDEOGRAPH) | ((kind == LETTER) & (before != LETTER))
        words = _count(bounds, np.flatnonzero(word))
    return np.diff(bounds) - spaces + np.maximum(runs - 1, 0), words


def _count(bounds: Int64s, places: Ints) -> Int64s:
    """Count the places between consecutive bounds."""
    return np.diff(np.searchsorted(places, bounds))


# -- kinds of characters ----------------------------------------------------------------------

OTHER, BLANK, DIGIT, UPPER, STOP, COMMA, SIGN, MONEY = range(8)

STOPS = ".!?…‼⁇。．｡！？؟۔।॥։።"
COMMAS = ",;:،、，；：､؛"


BLANK_CATEGORIES = ("Zs", "Zl", "Zp", "Cc")  #: categories of all white space
KIND_BY_CATEGORY = {"Nd": DIGIT, "Lu": UPPER, "Lt": UPPER, "Sc": MONEY}


class CategoryKinds(dict[str, int]):
    """The kind of each Unicode category."""

    def __missing__(self, category: str) -> int:
        self[category] = SIGN if category[0] in "PS" else OTHER
        return self[category]


@cache
def kind_table() -> Bytes:
    """Kind of every code point below 0x10000; the last entry stands for all above."""
    table, kinds = np.zeros(0x10001, np.uint8), CategoryKinds(KIND_BY_CATEGORY)
    for first, last in ((0, 0x3400), (0x4DC0, 0x4E00), (0xA490, 0xAC00), (0xF900, 0x10000)):
        categories = list(map(unicodedata.category, map(chr, range(first, last))))
        table[first:last] = list(map(kinds.__getitem__, categories))
        for code, category in enumerate(categories, first):
            if category in BLANK_CATEGORIES and chr(code).isspace():
                table[code] = BLANK
    for kind, characters in ((STOP, STOPS), (COMMA, COMMAS)):
        table[list(map(ord, characters))] = kind
    return table


@cache
def _asciikind_table() -> bytes:
    return kind_table()[:256].tobytes()


def character_kinds(data: str) -> Bytes:
    """Kind of each code point of data, from OTHER to MONEY."""
    if data.isascii():
        return np.frombuffer(data.encode("ascii").translate(_asciikind_table()), np.uint8)
    codes = np.frombuffer(data.encode("utf-32-le", "surrogatepass"), np.uint32)
    return kind_table().take(codes, mode="clip")


def count_kinds(kind: Bytes, first: Ints) -> Floats:
    """Digits, capitals, stops, commas, symbols and currency signs from each place to the next."""
    lengths = np.diff(np.append(first, len(kind)))
    which = np.repeat(np.arange(len(first)) * (MONEY + 1), lengths) + kind
    counted = np.bincount(which, minlength=len(first) * (MONEY + 1)).reshape(-1, MONEY + 1)
    return np.ascontiguousarray(counted[:, DIGIT:].T, np.float64)


def count_kinds_in(data: str, first: Ints) -> Floats:
    """The same, given the characters themselves."""
    if not core.compiled:
        return count_kinds(character_kinds(data), first)
    counts = np.zeros((MONEY + 1 - DIGIT, len(first)))
    core.kernels.count_kinds_in(data, first, kind_table(), counts)
    return counts


def fold_each(texts: list[str]) -> list[str]:
    """The texts with white space folded."""
    if core.compiled:
        return core.kernels.fold_each(texts)
    return [" ".join(text.split()) for text in texts]
