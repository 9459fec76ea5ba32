"""Which rectangles contain another one, without looking at all pairs."""

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.boxes import Floats
from pagelet.columns.page import Mask

Ints = NDArray[np.intp]

LEAF = 4  #: rectangles in the smallest groups
PAIRS = 1 << 18  #: pairs of a rectangle and a group that are looked at together


def contains_another(edges: Floats) -> Mask:
    """Mark the rectangles that contain another one; no two may be equal.

    A rectangle is four numbers that all grow as it grows, so one contains another when none of
    its numbers is less. The rectangles are halved by one number after the other into a tree of
    groups, and a group is opened only when some of it may lie inside.
    """
    numbers = edges * (-1, -1, 1, 1)
    tree = _Groups(numbers)
    found = np.zeros(len(edges), np.bool_)
    waiting = [(np.arange(len(edges)), np.zeros(len(edges), np.intp), 0)]
    while waiting:
        asking, group, level = waiting.pop()
        if level == tree.levels:
            inside = (tree.members(group) <= numbers[asking, None]).all(axis=2)
            inside &= tree.names[group] != asking[:, None]
            found[asking[inside.any(axis=1)]] = True
            continue
        asking, group = tree.opened(numbers, asking, group, level + 1, found)
        parts = range(0, len(asking), PAIRS)
        waiting += [(asking[at : at + PAIRS], group[at : at + PAIRS], level + 1) for at in parts]
    return found


class _Groups:
    """Rectangles as a tree of groups of equal size; group g has the halves 2g and 2g + 1."""

    def __init__(self, numbers: Floats) -> None:
        self.levels = (max(0, len(numbers) - 1) // LEAF).bit_length()
        padded = np.full((LEAF << self.levels, 4), np.inf)  # what is added lies inside nothing
        padded[: len(numbers)] = numbers
        order = np.arange(len(padded))
        for level in range(self.levels):
            groups = order.reshape(1 << level, -1)
            by = np.argsort(padded[groups, level % 4], axis=1, kind="stable")
            order = np.take_along_axis(groups, by, axis=1).ravel()
        self.names = order.reshape(-1, LEAF)
        sizes = [1 << level for level in range(self.levels + 1)]
        shaped = [padded[order].reshape(size, -1, 4) for size in sizes]
        self._least = [groups.min(axis=1) for groups in shaped]
        self._most = [groups.max(axis=1) for groups in shaped]
        self._numbers = shaped[-1]

    def members(self, group: Ints) -> Floats:
        """The numbers of the rectangles of smallest groups."""
        return self._numbers[group]

    def opened(
        self, numbers: Floats, asking: Ints, group: Ints, level: int, found: Mask
    ) -> tuple[Ints, Ints]:
        """The halves that may hold a rectangle inside the asking one; marks the sure cases."""
        still = ~found[asking]
        asking, group = np.repeat(asking[still], 2), np.repeat(group[still] * 2, 2)
        group[1::2] += 1
        near = (self._least[level][group] <= numbers[asking]).all(axis=1)
        asking, group = asking[near], group[near]
        whole = (self._most[level][group] <= numbers[asking]).all(axis=1)
        found[asking[whole]] = True  # a group has several, so one of them is another
        return asking[~whole], group[~whole]
