"""Features of what goes on across a gap: surfaces that hold both sides, and gutters of columns.

A frame around both sides speaks against a cut, one that ends at the gap speaks for it. Columns
that stand on both sides with the same white strips between them are cut in two by a cut.
"""

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Mask
from pagelet.methods.segments.visual.places import GapPlaces
from pagelet.models.features import Features

MAX_SURFACES = 64  #: surfaces that are compared with each gap, the largest ones
EDGE_PX = 3.0  #: pixels within which an edge of a surface lies at the edge of boxes
BINS = 128  #: parts of a group's width in which gutters are looked for


def surface_features(gaps: GapPlaces) -> Features:
    """How surfaces lie around a gap: across it, up to it, or around the whole group."""
    strips, axis, other = gaps.strips, gaps.strips.axis, 1 - gaps.strips.axis
    largest = gaps.scene.surfaces[:MAX_SURFACES]
    near, far, low, high = largest[:, (axis, axis + 2, other, other + 2)].T
    begin, end = strips.begin[gaps.first][:, None], strips.end[gaps.last][:, None]
    left, right = gaps.low[gaps.last][:, None], gaps.high[gaps.last][:, None]
    ends, begins = strips.end[gaps.at], strips.begin[gaps.at + 1]
    before, behind = np.minimum(ends, begins)[:, None], np.maximum(ends, begins)[:, None]
    across, length = np.maximum(right - left, 1), np.maximum(end - begin, 1)

    from_begin, to_end = near <= begin + EDGE_PX, far >= end - EDGE_PX
    full = (low <= left + EDGE_PX) & (high >= right - EDGE_PX)
    over = (near <= before - EDGE_PX) & (far >= behind + EDGE_PX) & ~(from_begin & to_end)
    up_to = from_begin & (far >= before - EDGE_PX) & (far <= behind + EDGE_PX)
    from_there = to_end & (near >= before - EDGE_PX) & (near <= behind + EDGE_PX)
    width = np.clip((np.minimum(high, right) - np.maximum(low, left)) / across, 0, 1)
    share = np.clip((np.minimum(far, end) - np.maximum(near, begin)) / length, 0, 1)
    area = np.where(from_begin & to_end & full, (far - near) * (high - low), np.inf)
    return {
        "crossing_width": _most(over, width),
        "crossing_area": _most(over, width * share),
        "crossing_full": _most(over & full, share),
        "framed_before": _most(up_to, width),
        "framed_behind": _most(from_there, width),
        "enclosed": (across * length)[:, 0] / np.maximum(area.min(axis=1, initial=np.inf), 1),
    }


def _most(marked: Mask, values: Floats) -> Floats:
    """The greatest of the marked values in each line; 0 for none."""
    return np.asarray(np.where(marked, values, 0).max(axis=1, initial=0))


# -- gutters ------------------------------------------------------------------------------------


def gutter_features(gaps: GapPlaces) -> Features:
    """White strips between columns that go on across a gap, in the strips and on both sides."""
    taken = _taken_bins(gaps)
    strips = [each > 0 for each in gaps.pair(taken)]
    sides = [each > 0 for each in gaps.sides(taken)]
    return {
        **{f"gutter_{name}": value for name, value in _gutters(*strips).items()},
        **{f"all_gutter_{name}": value for name, value in _gutters(*sides).items()},
        "all_columns_before": _count_columns(sides[0]),
        "all_columns_behind": _count_columns(sides[1]),
    }


def _taken_bins(gaps: GapPlaces) -> NDArray[np.int32]:
    """For each strip and each part of its group's width, the boxes that fill that part."""
    strips, other = gaps.strips, 1 - gaps.strips.axis
    left, right = gaps.low[strips.last], gaps.high[strips.last]
    scale = (BINS / np.maximum(right - left, 1))[strips.strip]
    low, high = gaps.scene.edges[strips.boxes][:, (other, other + 2)].T - left[strips.strip]
    first = np.clip(np.ceil(low * scale).astype(np.intp), 0, BINS - 1)
    last = np.maximum(np.clip(np.floor(high * scale).astype(np.intp), 0, BINS), first + 1)
    steps, size = strips.strip * (BINS + 1), len(strips) * (BINS + 1)
    change = np.bincount(steps + first, minlength=size) - np.bincount(steps + last, minlength=size)
    return np.cumsum(change.reshape(-1, BINS + 1), axis=1, dtype=np.int32)[:, :BINS]


def _gutters(one: Mask, other: Mask) -> dict[str, Floats]:
    """How much of the white inside one row of bins is white, or taken, in another."""
    white, more = _inner_white(one), _inner_white(other)
    both = (white & more).sum(axis=1)
    return {
        "shared": both / BINS,
        "ratio": both / np.maximum((white | more).sum(axis=1), 1),
        "lost": ((white & other) | (more & one)).sum(axis=1) / BINS,
    }


def _inner_white(taken: Mask) -> Mask:
    """Bins that are white and have taken ones on both sides."""
    begun = np.logical_or.accumulate(taken, axis=1)
    follows = np.logical_or.accumulate(taken[:, ::-1], axis=1)[:, ::-1]
    return np.asarray(~taken & begun & follows)


def _count_columns(taken: Mask) -> Floats:
    """Runs of taken bins."""
    return np.asarray((taken[:, 1:] & ~taken[:, :-1]).sum(axis=1) + taken[:, 0], np.float64)
