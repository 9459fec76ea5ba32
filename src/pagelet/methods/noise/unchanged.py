"""What does not change from one result page of a site to the next, and so answers no query.

Whole blocks alone: within records much is the same on every page ("by", "Add to cart"), and those
who label records take it for content.
"""

from collections.abc import Sequence
from zlib import crc32

import numpy as np

from pagelet.arrays import Hashes, Mask
from pagelet.methods.noise.sheet import TextSheet
from pagelet.page.signatures import MULTIPLIER, mix

MIN_UNCHANGED_UNITS = 15  #: units of the smallest block that can be a part of the template
UNCHANGED_SHARE = 0.99  #: share of its units that other pages repeat
KEY_CHARS = 200  #: characters that identify a text


def find_unchanged(sheet: TextSheet, others: Sequence[TextSheet]) -> Mask:
    """Mark the units in blocks that every other page repeats, numbers aside."""
    if not others:
        return np.zeros(len(sheet.units), np.bool_)
    own = _keys(sheet)
    same = np.logical_and.reduce([np.isin(own, _keys(other)) for other in others])
    page = sheet.page
    marked = np.zeros((2, len(page)))
    marked[0, sheet.units], marked[1, sheet.units] = 1, same
    units, repeated = page.sum_subtree(marked[0]), page.sum_subtree(marked[1])
    block = (units >= MIN_UNCHANGED_UNITS) & (repeated >= UNCHANGED_SHARE * units)
    return np.asarray(page.inside(block)[sheet.units] & same)


def _keys(sheet: TextSheet) -> Hashes:
    """A number for each unit's path and text, digits taken for one."""
    texts = np.array([crc32(text[:KEY_CHARS].encode()) for text in sheet.shapes], np.uint64)
    return mix(sheet.signatures[0][sheet.units] + texts * MULTIPLIER)
