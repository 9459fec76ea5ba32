"""Signatures: a hash of the path of tags and class names down to each row.

Rows that a template made alike have the same signature, on every page of the site. A signature is
a sum over the path, each element weighed by its depth, in arithmetic modulo 2 ** 64: one
cumulative sum per page.
"""

import re
from collections.abc import Sequence
from zlib import crc32

import numpy as np

from pagelet import core
from pagelet.arrays import Hashes, Ints
from pagelet.page.table import Page

#: States and counters in class names.
STATE = re.compile(r"active|current|selected|open\b|first|last|odd|even|\d+")
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  #: odd factor of hashes, so that no power of it is 0
INVERSE = np.uint64(pow(int(MULTIPLIER), -1, 2**64))  #: what undoes one factor
END = "\0"  #: separator between classes
MAX_CLASS_CHARS = 200  #: characters of a class attribute that are read


def mix(numbers: Hashes) -> Hashes:
    """Spread numbers over all bits (the finalizer of splitmix64)."""
    if core.compiled:
        mixed = np.array(numbers, np.uint64, order="C")
        core.kernels.mix(mixed.reshape(-1))
        return mixed
    bits = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


NO_VALUES: tuple[Ints, Ints, tuple[str, ...]] = (np.zeros(0, np.intp), np.zeros(0, np.intp), ())


def row_signatures(page: Page, *, classes: bool) -> Hashes:
    """A hash of each row's tag, and with `classes` of its class names (see class_keys)."""
    signatures = mix(page.tag.astype(np.uint64) + np.uint64(1))
    rows, number, values = page.distinct("class") if classes else NO_VALUES
    if values:
        name, tag = class_checksums(values)[number], signatures[rows]
        signatures[rows] = np.where(name > 0, mix(tag + name * MULTIPLIER), tag)
    return signatures


def class_checksums(values: tuple[str, ...]) -> Hashes:
    """The checksum of the class names of each value (see class_keys), plus 1; 0 without any."""
    if not core.compiled:
        return _sum_keys(class_keys(values))
    sums = np.empty(len(values), np.uint64)
    others = core.kernels.sum_names(values, MAX_CLASS_CHARS, sums, stripped=False)
    if others:
        sums[others] = _sum_keys(class_keys([values[at] for at in others]))
    return sums


def _sum_keys(keys: Sequence[str]) -> Hashes:
    return np.array([crc32(key.encode()) + 1 if key else 0 for key in keys], np.uint64)


def class_keys(values: Sequence[str]) -> list[str]:
    """The class names of each value in alphabetical order, states and counters removed."""
    joined = END.join([value[:MAX_CLASS_CHARS] for value in values])
    if joined.count(END) >= len(values):
        joined = END.join(value[:MAX_CLASS_CHARS].replace(END, " ") for value in values)
    return [" ".join(sorted(names.split())) for names in STATE.sub("", joined.lower()).split(END)]


def path_signatures(page: Page, own: Hashes) -> Hashes:
    """A hash of the path from the root down to each row, the row itself counted."""
    if not len(page):
        return own
    sums = _path_sums(page, own)
    if not core.compiled:
        return mix(sums)
    core.kernels.mix(sums)
    return sums


def place_signatures(page: Page, own: Hashes, rows: Ints, above: Ints) -> Hashes:
    """A hash of the path from a row above each row down to it, the row above not counted.

    It is the same wherever in a tree, and in whichever page, the two rows are.
    """
    if not len(rows):
        return np.zeros(0, np.uint64)
    sums = _path_sums(page, own)
    inverse = np.full(int(page.depth.max()) + 1, INVERSE)
    inverse[0] = 1
    return mix((sums[rows] - sums[above]) * np.cumprod(inverse)[page.depth[above]])


def _path_sums(page: Page, own: Hashes) -> Hashes:
    """Sums over the path down to each row, each row weighed by its depth.

    Before a row begins, all rows before it have ended except its ancestors; a row ends after all
    rows below it.
    """
    if core.compiled:
        sums = np.empty(len(page), np.uint64)
        if core.kernels.sum_paths(page.parent, own, int(MULTIPLIER), sums):
            return sums
    power = np.full(int(page.depth.max()) + 1, MULTIPLIER)
    power[0] = 1
    weighed = own * np.cumprod(power)[page.depth]
    ended = np.zeros(len(page) + 1, np.uint64)
    ended[page.end - page.depth] = weighed
    np.cumsum(ended, out=ended)
    return np.asarray(np.cumsum(weighed) - ended[np.arange(len(page)) - page.depth])
