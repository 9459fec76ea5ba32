"""Signatures: one number for the path of tags and class names down to a row.

Rows that a template made alike have the same number, on every page of the site. A number is a
sum over the path, each element weighed by its depth, in arithmetic modulo 2 ** 64: one
cumulative sum for a page.
"""

import re
from collections.abc import Sequence
from zlib import crc32

import numpy as np

from pagelet.arrays import Hashes, Ints
from pagelet.page.table import Page

STATE = re.compile(r"active|current|selected|open\b|first|last|odd|even|\d+")  #: says no place
STEP = np.uint64(0x9E3779B97F4A7C15)  #: odd, so that no power of it is 0
END = "\0"  #: stands between classes
LONGEST = 200  #: characters of a class that are read


def mixed(numbers: Hashes) -> Hashes:
    """Numbers spread over all bits (the finalizer of splitmix64)."""
    mix = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mix = (mix ^ (mix >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mix ^ (mix >> np.uint64(31))


def own_signs(page: Page, *, classes: bool) -> Hashes:
    """A number for each row's tag, and for its class names without counters and states."""
    signs = mixed(page.tag.astype(np.uint64) + np.uint64(1))
    rows, number, values = page.distinct("class")
    if classes and values:
        names = names_of(values)
        known = np.array([crc32(name.encode()) + 1 if name else 0 for name in names], np.uint64)
        name = known[number]
        signs[rows] = np.where(name > 0, mixed(signs[rows] + name * STEP), signs[rows])
    return signs


def name_of(value: str) -> str:
    """Class names in order, without counters and states."""
    return names_of([value])[0]


def names_of(values: Sequence[str]) -> list[str]:
    """The same of many values, all read at once."""
    joined = END.join([value[:LONGEST] for value in values])
    if joined.count(END) >= len(values):
        joined = END.join(value[:LONGEST].replace(END, " ") for value in values)
    return [" ".join(sorted(said.split())) for said in STATE.sub("", joined.lower()).split(END)]


def path_signs(page: Page, own: Hashes) -> Hashes:
    """A number for the path from the root down to each row, the row itself counted.

    Before a row begins, all rows before it have ended but those above it; a row ends behind all
    of them and all below it.
    """
    if not len(page):
        return own
    power = np.full(int(page.depth.max()) + 1, STEP)
    power[0] = 1
    weighed = own * np.cumprod(power)[page.depth]
    ended = np.zeros(len(page) + 1, np.uint64)
    ended[page.end - page.depth] = weighed
    np.cumsum(ended, out=ended)
    return mixed(np.cumsum(weighed) - ended[np.arange(len(page)) - page.depth])


def grouped(signs: Hashes) -> tuple[Ints, Ints]:
    """The group of each entry, equal ones in one, and the entries of each group."""
    _, group, count = np.unique(signs, return_inverse=True, return_counts=True)
    return group, count
