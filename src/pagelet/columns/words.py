"""Characters and words of many texts at once."""

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

SPACE, LETTER, IDEOGRAPH = 0, 1, 2
_LAST = 0x30000  #: code points from here on are taken for ideographs


def _kinds() -> NDArray[np.uint8]:
    """Kind of every code point: white space, part of a word, or a word by itself."""
    kinds = np.full(_LAST + 1, LETTER, np.uint8)
    kinds[[code for code in range(0x3001) if chr(code).isspace()]] = SPACE
    for first, last in ((0x3040, 0x30FF), (0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x20000, _LAST)):
        kinds[first : last + 1] = IDEOGRAPH
    return kinds


KINDS = _kinds()
ASCII_KINDS = KINDS[:256].tobytes()  #: the same as a table for bytes.translate


def code_kinds(data: str) -> NDArray[np.uint8]:
    """Kind of each code point of data: SPACE, LETTER or IDEOGRAPH."""
    if data.isascii():
        return np.frombuffer(data.encode("ascii").translate(ASCII_KINDS), np.uint8)
    codes = np.frombuffer(data.encode("utf-32-le", "surrogatepass"), np.uint32)
    return KINDS.take(codes, mode="clip")


def measure(texts: list[str]) -> tuple[Ints, Ints]:
    """Characters and words of each text.

    Characters: code points once runs of white space are folded to one space and the ends
    are trimmed. Words: runs of anything but white space, where every Han or kana sign is a
    word of its own.
    """
    bounds = np.zeros(len(texts) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)), out=bounds[1:])
    kind = code_kinds("".join(texts))
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


def _count(bounds: Ints, found: NDArray[np.intp]) -> Ints:
    """Count what was found between consecutive bounds."""
    return np.diff(np.searchsorted(found, bounds))
