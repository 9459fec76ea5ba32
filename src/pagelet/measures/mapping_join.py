"""Joins of two lists by groups: by rank, by every pair, by the first that fits, by the best."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.intp]
Floats = NDArray[np.float64]
Matched = tuple[Ints, Ints]  #: indices into two lists, a match each


def numbered(ours: tuple[Ints, ...], theirs: tuple[Ints, ...]) -> tuple[Ints, Ints]:
    """One number for each combination of some columns, the same on both sides."""
    columns = [np.concatenate(parts) for parts in zip(ours, theirs, strict=True)]
    number = columns[0]
    for column in columns[1:]:
        number = number * (column.max(initial=0) + 1) + column
        if number.max(initial=0) > 2**40:
            number = np.unique(number, return_inverse=True)[1]
    number = np.unique(number, return_inverse=True)[1]
    return number[: len(ours[0])], number[len(ours[0]) :]


def by_rank(ours: tuple[Ints, ...], theirs: tuple[Ints, ...]) -> Matched:
    """Match the first of each combination with the first, the second with the second, and so on."""
    group, other = numbered(ours, theirs)
    here, rank = _ranks(group)
    there, place = _ranks(other)
    many = np.int64(max(rank.max(initial=0), place.max(initial=0)) + 1)
    _, one, two = np.intersect1d(
        group[here] * many + rank, other[there] * many + place,
        assume_unique=True, return_indices=True,
    )  # fmt: skip
    return here[one], there[two]


def _ranks(group: Ints) -> tuple[Ints, Ints]:
    """Entries sorted by group, and the rank of each among its equals."""
    order = np.argsort(group, kind="stable")
    count = np.bincount(group) if len(group) else np.zeros(0, np.intp)
    begin = np.cumsum(count) - count
    return order, np.arange(len(group)) - begin[group[order]]


def joined(found: Sequence[Matched]) -> Matched:
    """Matches found one after the other as one."""
    none = np.zeros(0, np.intp)
    return (
        np.concatenate([none, *(here for here, _ in found)]),
        np.concatenate([none, *(there for _, there in found)]),
    )


def product(ours: Ints, theirs: Ints) -> Matched:
    """Every entry of one side with every entry of the other that has the same group."""
    here, there = np.argsort(ours, kind="stable"), np.argsort(theirs, kind="stable")
    count = np.bincount(theirs, minlength=int(ours.max(initial=-1)) + 1)
    begin = np.cumsum(count) - count
    times = count[ours[here]]
    left = np.repeat(here, times)
    inside = np.arange(len(left)) - np.repeat(np.cumsum(times) - times, times)
    return left, there[begin[ours[left]] + inside]


def first_fit(group: Ints, low: Ints, high: Ints, other: Ints, place: Ints) -> Matched:
    """Match each entry, in order, with the first free one of its group inside its window.

    Windows of a group move on, so what lies before one is never wanted again.
    """
    order, theirs = np.argsort(group, kind="stable"), np.argsort(other, kind="stable")
    begin = np.searchsorted(other[theirs], np.arange(other.max(initial=-1) + 2))
    places, bounds = place[theirs].tolist(), begin.tolist()
    here, there, last, at = [], [], -1, 0
    listed = zip(
        order.tolist(), *(part[order].tolist() for part in (group, low, high)), strict=True
    )
    for entry, own, first, final in listed:
        if own != last:
            last, at = own, bounds[own]
        while at < bounds[own + 1] and places[at] < first:
            at += 1
        if at < bounds[own + 1] and places[at] <= final:
            here.append(entry)
            there.append(at)
            at += 1
    return np.array(here, np.intp), theirs[np.array(there, np.intp)]


def greedy(here: Ints, there: Ints, alike: Floats) -> Matched:
    """Take the most alike pair first, ties by order, each child once."""
    order = np.lexsort((there, here, -alike))
    taken, used = set(), set()
    found = []
    for one, two in zip(here[order].tolist(), there[order].tolist(), strict=True):
        if one not in taken and two not in used:
            taken.add(one)
            used.add(two)
            found.append((one, two))
    pairs = np.array(found, np.intp).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]
