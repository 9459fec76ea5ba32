"""Hashes of the leaves of a page: of their texts, or of the attributes that tell them apart."""

from collections.abc import Iterable
from zlib import crc32

import numpy as np

from pagelet import core
from pagelet.arrays import Hashes, Ints
from pagelet.page.signatures import MULTIPLIER
from pagelet.page.table import WANTED, Page, Pairs
from pagelet.page.tags import NUMBER, TEXT

#: Attributes that distinguish elements without children.
LEAF_ATTRIBUTES = ("src", "alt", "type", "name", "value")
BLANK_TAGS = (NUMBER["br"], NUMBER["hr"])  #: leaves without any content
MAX_TEXT_CHARS = 2000  #: characters of a text, or of an attribute, that are read


def leaf_hashes(page: Page, rows: Ints) -> Hashes:
    """Hash of the text or the attributes of each leaf."""
    return (_sum_compiled(page, rows) if core.compiled else _sum_contents(page, rows)) * MULTIPLIER


def _sum_compiled(page: Page, rows: Ints) -> Hashes:
    """The checksum of the text or the attributes of each leaf, by the compiled core."""
    sums = np.empty(len(rows), np.uint64)
    names = tuple([WANTED[name] for name in LEAF_ATTRIBUTES])
    core.kernels.sum_contents(
        rows, page.tag, page.texts, page.wanted, names, BLANK_TAGS, MAX_TEXT_CHARS, sums
    )
    return sums


def _sum_contents(page: Page, rows: Ints) -> Hashes:
    """The same in Python."""
    place, text = page.ordinal[rows], page.tag[rows] == TEXT
    element = ~(text | page.is_tag(*BLANK_TAGS)[rows])
    sums = np.ones(len(rows), np.uint64)
    texts, attrs = place[text].tolist(), place[element].tolist()
    folded = (" ".join(page.texts[at][:MAX_TEXT_CHARS].split()) for at in texts)
    sums[text] = _sum_values(folded, len(texts))
    sums[element] = _sum_values((_join_values(page.attrs[at]) for at in attrs), len(attrs))
    return sums


def _join_values(pairs: Pairs) -> str:
    values = {name: (value or "")[:MAX_TEXT_CHARS] for name, value in pairs}
    return "|".join([values.get(name, "") for name in LEAF_ATTRIBUTES])


def _sum_values(values: Iterable[str], count: int) -> Hashes:
    sums = (crc32(value.encode("utf-8", "replace")) for value in values)
    return np.fromiter(sums, np.uint64, count)
