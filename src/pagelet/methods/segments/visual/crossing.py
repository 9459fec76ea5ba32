"""Features of what goes on across a gap: surfaces that hold both sides, and gutters of columns.

A frame around both sides speaks against a cut, one that ends at the gap speaks for it. Columns
that stand on both sides with the same white strips between them are cut in two by a cut.
"""

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Bytes, Floats, Ints, Mask
from pagelet.methods.segments.geometry.rectangles import ACROSS, DOWN
from pagelet.methods.segments.visual.places import GapPlaces
from pagelet.methods.segments.visual.scene import SIDES
from pagelet.models.features import Features

MAX_SURFACES = 64  #: surfaces that are compared with each gap, the largest ones
EDGE_PX = 3.0  #: pixels within which an edge of a surface lies at the edge of boxes
BINS = 128  #: parts of a group's width in which gutters are looked for


def surface_features(gaps: GapPlaces) -> Features:
    """How surfaces lie around a gap: across it, up to it, or around the whole group."""
    strips, largest = gaps.strips, gaps.scene.surfaces[:MAX_SURFACES]
    near, far = _by_axis(largest)[:2, gaps.axis]
    ends, begins = strips.end[gaps.at], strips.begin[gaps.at + 1]
    before, behind = np.minimum(ends, begins)[:, None], np.maximum(ends, begins)[:, None]
    before, behind = before - EDGE_PX, behind + EDGE_PX
    over = (near <= before) & (far >= behind)
    up_to = (far >= before) & (far <= behind)
    from_there = (near >= before) & (near <= behind)
    whole = _around_groups(gaps, largest)
    return {
        "crossing_width": _most(over, whole["over"][gaps.group]),
        "crossing_area": _most(over, whole["over_area"][gaps.group]),
        "crossing_full": _most(over, whole["over_full"][gaps.group]),
        "framed_before": _most(up_to, whole["from_begin"][gaps.group]),
        "framed_behind": _most(from_there, whole["to_end"][gaps.group]),
        "enclosed": whole["enclosed"][gaps.group],
    }


def _by_axis(surfaces: Floats) -> Floats:
    """Where surfaces begin and end, on an axis and on the other one, for both axes."""
    return np.stack([surfaces[:, SIDES[axis]].T for axis in (ACROSS, DOWN)], axis=1)


def _around_groups(gaps: GapPlaces, largest: Floats) -> dict[str, Floats]:
    """What each surface gives the gaps of each group, if it lies at the gap as the name says."""
    strips = gaps.strips
    head, tail = strips.heads, np.append(strips.heads[1:], len(strips)) - 1
    near, far, low, high = _by_axis(largest)[:, strips.axis[head]]
    begin, end = strips.begin[head][:, None], strips.end[tail][:, None]
    left, right = gaps.low[:, None], gaps.high[:, None]
    across, length = np.maximum(right - left, 1), np.maximum(end - begin, 1)
    from_begin, to_end = near <= begin + EDGE_PX, far >= end - EDGE_PX
    full = (low <= left + EDGE_PX) & (high >= right - EDGE_PX)
    width = np.maximum(np.minimum(high, right) - np.maximum(low, left), 0) / across
    share = np.maximum(np.minimum(far, end) - np.maximum(near, begin), 0) / length
    area = np.where(from_begin & to_end & full, (far - near) * (high - low), np.inf)
    over = ~(from_begin & to_end) * width
    return {
        "over": over,
        "over_area": over * share,
        "over_full": ~(from_begin & to_end) * full * share,
        "from_begin": from_begin * width,
        "to_end": to_end * width,
        "enclosed": (across * length)[:, 0] / np.maximum(area.min(axis=1, initial=np.inf), 1),
    }


def _most(marked: Mask, values: Floats) -> Floats:
    """The greatest of the marked values in each line; 0 for none, since none is below."""
    return np.asarray((marked * values).max(axis=1, initial=0))


# -- gutters ------------------------------------------------------------------------------------


def gutter_features(gaps: GapPlaces) -> Features:
    """White strips between columns that go on across a gap, in the strips and on both sides."""
    counts, at = _taken_bins(gaps), gaps.at
    total = gaps.running(counts)
    before, behind = total[at + 1] != total[gaps.first], total[gaps.last + 1] != total[at + 1]
    taken = np.concatenate((counts > 0, before, behind))
    white, filled = np.packbits(_inner_white(taken), axis=1), np.packbits(taken, axis=1)
    columns = _count_columns(taken[len(counts) :])
    first = len(counts) + np.arange(len(at))
    return {
        **_gutters("gutter", white, filled, (at, at + 1)),
        **_gutters("all_gutter", white, filled, (first, first + len(at))),
        "all_columns_before": columns[: len(at)],
        "all_columns_behind": columns[len(at) :],
    }


def _taken_bins(gaps: GapPlaces) -> NDArray[np.int32]:
    """For each strip and each part of its group's width, the boxes that fill that part."""
    strips = gaps.strips
    group = strips.group[strips.strip]
    left = gaps.low[group]
    scale = (BINS / np.maximum(gaps.high - gaps.low, 1))[group]
    first = np.ceil((strips.sides[:, 2] - left) * scale).astype(np.intp)
    last = np.floor((strips.sides[:, 3] - left) * scale).astype(np.intp)
    first = np.minimum(first, BINS - 1)
    last = np.minimum(np.maximum(last, first + 1), BINS)
    steps, size = strips.strip * (BINS + 1), len(strips) * (BINS + 1)
    change = np.bincount(steps + first, minlength=size) - np.bincount(steps + last, minlength=size)
    return np.cumsum(change, dtype=np.int32).reshape(-1, BINS + 1)[:, :BINS]


def _gutters(name: str, white: Bytes, taken: Bytes, rows: tuple[Ints, Ints]) -> Features:
    """How much of the white inside some rows of bins is white, or taken, in other rows.

    Bins are given as bits: those that are white inside a row, and those that are taken.
    """
    one, other = white[rows[0]], white[rows[1]]
    both = _count_bits(one & other)
    return {
        f"{name}_shared": both / BINS,
        f"{name}_ratio": both / np.maximum(_count_bits(one | other), 1),
        f"{name}_lost": _count_bits((one & taken[rows[1]]) | (other & taken[rows[0]])) / BINS,
    }


#: The bits of each byte that are set.
ONES = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(axis=1, dtype=np.uint8)


def _count_bits(rows: Bytes) -> Ints:
    """The bits of each row that are set."""
    return np.asarray(ONES[rows].sum(axis=1, dtype=np.intp))


def _inner_white(taken: Mask) -> Mask:
    """Bins that are white and have taken ones on both sides; every row has a taken one."""
    bins = np.arange(BINS, dtype=np.uint8)
    first = taken.argmax(axis=1).astype(np.uint8)
    last = (BINS - 1 - taken[:, ::-1].argmax(axis=1)).astype(np.uint8)
    return np.asarray(~taken & (bins > first[:, None]) & (bins < last[:, None]))


def _count_columns(taken: Mask) -> Floats:
    """Runs of taken bins."""
    ends = taken.copy()
    ends[:, 1:] &= ~taken[:, :-1]
    return _count_bits(np.packbits(ends, axis=1)).astype(np.float64)
