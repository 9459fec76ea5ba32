"""Bars across a page: a vertical cut never crosses one, since a header goes over all columns.

A bar is a background or frame that is as wide as a group of boxes and much lower. Where the white
between two columns goes on through a bar, the group is first cut above and below the bar.
"""

import numpy as np

from pagelet.arrays import Floats, Ints, Mask
from pagelet.methods.segments.visual.scene import Strips

EDGE_PX = 3.0  #: pixels from a gap within which an edge of a bar is at it
MIN_BAR_WIDTH = 0.9  #: least width of a bar, as a share of the group
MAX_BAR_HEIGHT = 0.4  #: greatest height of a bar, as a share of the group


def raise_at_bars(surfaces: Floats, strips: Strips, likely: Floats) -> Floats:
    """The probabilities of cuts, where those beside a bar are as high as those of the columns' cut.

    The strips are those of groups from top to bottom, then of the same from left to right.
    """
    best = np.full(len(strips.heads), -1.0)
    np.maximum.at(best, strips.group[strips.gaps], likely)
    down, across = best.reshape(2, -1)
    likely, ends = likely.copy(), np.append(strips.heads[1:], len(strips))
    for group in np.flatnonzero((across > 0) & (down >= 0) & (down < across)).tolist():
        side = slice(strips.heads[len(down) + group], ends[len(down) + group])
        bars = find_bars(surfaces, _extent(strips, side))
        if not len(bars):
            continue
        own = slice(*np.searchsorted(strips.gaps, (strips.heads[group], ends[group])))
        barred = _is_beside_bar(bars, strips, strips.gaps[own])
        likely[own] = np.where(barred, np.nextafter(across[group], 2), likely[own])
    return likely


def _extent(strips: Strips, own: slice) -> tuple[float, float, float, float]:
    """Left, top, right, bottom of a group in strips side by side."""
    left, right = strips.begin[own].min(), strips.end[own].max()
    return float(left), float(strips.low[own].min()), float(right), float(strips.high[own].max())


def find_bars(surfaces: Floats, extent: tuple[float, float, float, float]) -> Floats:
    """The surfaces that are bars of what lies in a rectangle: left, top, right, bottom."""
    left, top, right, bottom = extent
    wide = np.minimum(surfaces[:, 2], right) - np.maximum(surfaces[:, 0], left)
    tall = surfaces[:, 3] - surfaces[:, 1]
    bar = (wide >= MIN_BAR_WIDTH * (right - left)) & (tall <= MAX_BAR_HEIGHT * (bottom - top))
    inside = (surfaces[:, 3] > top) & (surfaces[:, 1] < bottom)
    return np.asarray(surfaces[bar & inside])


def is_above_columns(edges: Floats, surfaces: Floats) -> Mask:
    """Mark the boxes that lie in or above the last bar of the upper part, if all others do not."""
    left, top = edges[:, :2].min(axis=0).tolist()
    right, bottom = edges[:, 2:].max(axis=0).tolist()
    ends = find_bars(surfaces, (left, top, right, bottom))[:, 3]
    ends = ends[ends <= top + MAX_BAR_HEIGHT * (bottom - top)]
    none = np.zeros(len(edges), np.bool_)
    if not len(ends):
        return none
    above = edges[:, 3] <= ends.max() + EDGE_PX
    return np.asarray(above if (edges[~above, 1] >= ends.max() - EDGE_PX).all() else none)


def _is_beside_bar(bars: Floats, strips: Strips, at: Ints) -> Mask:
    """Mark the gaps at which a bar begins or ends."""
    edges = np.sort(bars[:, 1::2], axis=None)
    ends, begins = strips.end[at], strips.begin[at + 1]
    first = np.searchsorted(edges, np.minimum(ends, begins) - EDGE_PX)
    last = np.searchsorted(edges, np.maximum(ends, begins) + EDGE_PX, side="right")
    return np.asarray(last > first)
