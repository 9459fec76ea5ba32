"""Tags of several kinds counted in one pass over a page, three counters packed in one number."""

from collections.abc import Mapping

import numpy as np

from pagelet.arrays import Int64s
from pagelet.methods.links.groups import LinkHolders
from pagelet.page.tags import FIRST_CUSTOM_TAG, numbers

PACKED = 3  #: counters in one number
COUNTER_BITS = 21  #: bits of a counter; 2 million rows
COUNTER_MASK = (1 << COUNTER_BITS) - 1


class TagCounter:
    """Counts the counted rows of a page, and among them tags of several kinds."""

    def __init__(self, kinds: Mapping[str, str]) -> None:
        self._kinds = 1 + len(kinds)
        table = np.zeros((-(-self._kinds // PACKED), FIRST_CUSTOM_TAG + 1), np.int64)
        table[0] = 1
        for at, names in enumerate(kinds.values(), 1):
            table[at // PACKED, list(numbers(names))] += 1 << COUNTER_BITS * (at % PACKED)
        self._table = table  # what a tag adds to the numbers; the last column is for unknown tags

    def count(self, holders: LinkHolders) -> tuple[Int64s, Int64s, Int64s]:
        """Rows and tags of each kind before and in each element and on the page.

        One line for all rows, then one line per kind.
        """
        page = holders.page
        added = self._table[:, np.minimum(page.tag, FIRST_CUSTOM_TAG)] * page.counted
        sums = np.zeros((len(added), len(page) + 1), np.int64)
        np.cumsum(added, axis=1, out=sums[:, 1:])
        before = sums[:, holders.rows]
        parts = (before, sums[:, holders.end] - before, sums[:, -1:])
        one, two, three = map(self._unpack, parts)
        return one, two, three[:, 0]

    def _unpack(self, sums: Int64s) -> Int64s:
        shift = COUNTER_BITS * np.arange(PACKED)[:, None]
        lines = sums[:, None] >> shift & COUNTER_MASK
        return np.asarray(lines.reshape(PACKED * len(sums), sums.shape[1])[: self._kinds])
