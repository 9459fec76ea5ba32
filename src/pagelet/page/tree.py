"""Sizes, depths and ancestors in trees whose nodes stand in document order."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet import core
from pagelet.arrays import Floats, Int32s, Int64s, Ints, Mask


def subtree_sizes(parent: Int32s) -> Int32s:
    """Sizes of all subtrees from the parents of nodes in document order; -1 is no parent.

    A subtree ends where the next node with the same parent begins; a last child ends where
    its parent ends. Chains of last children are followed by pointer doubling.
    """
    nodes = len(parent)
    order = np.argsort(parent, kind="stable").astype(np.int32)
    node = np.arange(nodes, dtype=np.int32)
    sibling = np.full(nodes, nodes, np.int32)  # the next one; `nodes` for a last child
    is_next = parent[order[1:]] == parent[order[:-1]]
    sibling[order[:-1][is_next]] = order[1:][is_next]
    top = nearest(parent, (sibling < nodes) | (parent < 0))
    return np.asarray(sibling[top] - node, np.int32)


def depths(end: NDArray[np.integer]) -> Int32s:
    """Edges from each node up to its root, from where the subtrees end."""
    nodes = len(end)
    ended = np.bincount(end, minlength=nodes + 1)[:nodes]
    return np.asarray(np.arange(nodes) - np.cumsum(ended), np.int32)


def ancestors(parent: NDArray[np.integer], steps: int) -> Ints:
    """The ancestor that many steps up; -1 beyond the root. Found by pointer doubling."""
    reached = np.arange(len(parent))
    jump = np.append(parent, -1).astype(np.intp)  # the place -1 stands for no node
    while steps:
        if steps & 1:
            reached = jump[reached]
        jump = jump[jump]
        steps >>= 1
    return reached


def nearest(parent: NDArray[np.integer], marked: Mask) -> Ints:
    """The nearest marked node at or above each node; -1 when there is none."""
    if core.compiled:
        found, parents = np.empty(len(parent), np.intp), parent.astype(np.intp)
        if core.kernels.find_nearest(parents, np.ascontiguousarray(marked), found):
            return found
    up = np.full(len(parent) + 1, -1, np.intp)  # the last place stands for no node
    up[:-1] = np.where(marked, np.arange(len(parent)), parent)
    while ((higher := up[up]) != up).any():
        up = higher
    return up[:-1]


def sum_path(end: NDArray[np.integer], values: Floats) -> Floats:
    """Sum values over each node and all above it, from where the subtrees end.

    Exact for whole numbers below 2 ** 53.
    """
    nodes = len(end)
    ended = np.bincount(end, values, minlength=nodes + 1)[:nodes]
    return np.asarray(np.cumsum(values - ended))


def join_path(
    parent: NDArray[np.integer], depth: int, values: NDArray[Any], join: np.ufunc, none: Any
) -> NDArray[Any]:
    """Join values over each node and all above it; `none` changes nothing when joined."""
    joined = np.append(values, values.dtype.type(none))
    up = np.append(parent, -1).astype(np.intp)
    reach = 1
    while reach <= depth:
        joined = join(joined, joined[up])
        up = up[up]
        reach *= 2
    return joined[:-1]


def or_path(parent: NDArray[np.integer], depth: Int32s, bits: Int64s) -> Int64s:
    """The bits of each node and of all above it."""
    if core.compiled:
        joined = np.empty(len(bits), np.int64)
        if core.kernels.or_path(parent.astype(np.intp), bits, joined):
            return joined
    return np.asarray(join_path(parent, int(depth.max(initial=0)), bits, np.bitwise_or, 0))


def max_subtree(parent: Int32s, end: NDArray[np.integer], values: Ints) -> Ints:
    """The largest value in the subtree of each node, the node itself counted."""
    largest = values.copy()
    if core.compiled and core.kernels.max_subtree(parent, largest):
        return largest
    for value in np.unique(values).tolist():
        sums = np.append(0, np.cumsum(values >= value))
        largest[sums[end] > sums[:-1]] = value
    return largest
