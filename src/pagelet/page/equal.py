"""Equal values in a column, such as hashes or numbers of groups."""

import numpy as np

from pagelet import core
from pagelet.arrays import Hashes, Ints


def find_equal(values: Hashes) -> tuple[Ints, Ints]:
    """For each value the first place that has it, and how many places before it have it."""
    first, before = np.empty((2, len(values)), np.intp)
    if core.compiled and core.kernels.find_equal(np.ascontiguousarray(values), first, before):
        return first, before
    order = np.argsort(values, kind="stable")
    begins = np.append(True, values[order[1:]] != values[order[:-1]])[: len(values)]
    starts = np.flatnonzero(begins)
    counts = np.diff(np.append(starts, len(values)))
    first[order] = np.repeat(order[starts], counts)
    before[order] = np.arange(len(values)) - np.repeat(starts, counts)
    return first, before


def count_equal(values: Hashes) -> Ints:
    """How often each value occurs."""
    first, _ = find_equal(values)
    return np.bincount(first, minlength=1)[first]
