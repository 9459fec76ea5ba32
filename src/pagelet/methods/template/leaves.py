"""Hashes of the leaves of a page: of their texts, or of the attributes that tell them apart."""

from collections.abc import Iterable, Sequence
from zlib import crc32

import numpy as np

from pagelet import core
from pagelet.arrays import Hashes, Ints
from pagelet.page.signatures import MULTIPLIER
from pagelet.page.table import Page, Pairs
from pagelet.page.tags import NUMBER, TEXT

#: Attributes that distinguish elements without children.
LEAF_ATTRIBUTES = ("src", "alt", "type", "name", "value")
PLACES = {name: at for at, name in enumerate(LEAF_ATTRIBUTES)}
BLANK_TAGS = (NUMBER["br"], NUMBER["hr"])  #: leaves without any content
MAX_TEXT_CHARS = 2000  #: characters of a text, or of an attribute, that are read


def leaf_hashes(page: Page, rows: Ints) -> Hashes:
    """Hash of the text or the attributes of each leaf."""
    place, text = page.ordinal[rows], page.tag[rows] == TEXT
    element = ~(text | page.is_tag(*BLANK_TAGS)[rows])
    hashes = np.ones(len(rows), np.uint64)
    hashes[text] = sum_texts(page.texts, place[text])
    hashes[element] = sum_attributes(page.attrs, place[element])
    return hashes * MULTIPLIER


def sum_texts(texts: Sequence[str], places: Ints) -> Hashes:
    """The checksum of the texts at some places, white space folded."""
    if core.compiled:
        sums = np.empty(len(places), np.uint64)
        core.kernels.sum_texts(texts, places, MAX_TEXT_CHARS, sums)
        return sums
    folded = (" ".join(texts[at][:MAX_TEXT_CHARS].split()) for at in places.tolist())
    return _sum_values(folded, len(places))


def sum_attributes(attrs: Sequence[Pairs], places: Ints) -> Hashes:
    """The checksum of the attributes in LEAF_ATTRIBUTES of the elements at some places."""
    if core.compiled:
        sums = np.empty(len(places), np.uint64)
        core.kernels.sum_attributes(attrs, places, PLACES, MAX_TEXT_CHARS, sums)
        return sums
    return _sum_values((_join_values(attrs[at]) for at in places.tolist()), len(places))


def _join_values(pairs: Pairs) -> str:
    values = {name: (value or "")[:MAX_TEXT_CHARS] for name, value in pairs if name in PLACES}
    return "|".join([values.get(name, "") for name in LEAF_ATTRIBUTES])


def _sum_values(values: Iterable[str], count: int) -> Hashes:
    sums = (crc32(value.encode("utf-8", "replace")) for value in values)
    return np.fromiter(sums, np.uint64, count)
