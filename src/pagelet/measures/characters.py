"""Kinds of characters, counted for many texts at once."""

import unicodedata
from functools import cache

import numpy as np
from numpy.typing import NDArray

OTHER, SPACE, DIGIT, UPPER, STOP, COMMA, SIGN, MONEY = range(8)

STOPS = ".!?…‼⁇。．｡！？؟۔।॥։።"
COMMAS = ",;:،、，；：､؛"


@cache
def kinds() -> NDArray[np.uint8]:
    """Kind of every code point below 0x10000; the last entry stands for all above."""
    table = np.zeros(0x10001, np.uint8)
    for first, last in ((0, 0x3400), (0x4DC0, 0x4E00), (0xA490, 0xAC00), (0xF900, 0x10000)):
        table[first:last] = [_kind(chr(code)) for code in range(first, last)]
    return table


def _kind(sign: str) -> int:
    if sign.isspace():
        return SPACE
    if sign in STOPS:
        return STOP
    if sign in COMMAS:
        return COMMA
    category = unicodedata.category(sign)
    by_category = {"Nd": DIGIT, "Lu": UPPER, "Lt": UPPER, "Sc": MONEY}
    return by_category.get(category, SIGN if category[0] in "PS" else OTHER)


@cache
def _ascii_kinds() -> bytes:
    return kinds()[:256].tobytes()


def kinds_of(data: str) -> NDArray[np.uint8]:
    """Kind of each code point."""
    if data.isascii():
        return np.frombuffer(data.encode("ascii").translate(_ascii_kinds()), np.uint8)
    codes = np.frombuffer(data.encode("utf-32-le", "surrogatepass"), np.uint32)
    return kinds().take(codes, mode="clip")


def count_kinds(kind: NDArray[np.uint8], first: NDArray[np.intp]) -> NDArray[np.float64]:
    """Digits, capitals, stops, commas, signs and money signs from each place to the next."""
    lengths = np.diff(np.append(first, len(kind)))
    which = np.repeat(np.arange(len(first)) * (MONEY + 1), lengths) + kind
    counted = np.bincount(which, minlength=len(first) * (MONEY + 1)).reshape(-1, MONEY + 1)
    return np.ascontiguousarray(counted[:, DIGIT:].T, np.float64)
