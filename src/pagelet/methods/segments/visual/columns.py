"""Columns of a segment: main column and side bars that a gutter parts from top to bottom.

A gutter is a straight line from the top of a segment to its bottom that crosses no box. It parts
columns where it is wide or lies on the edge of a background, and where both sides are as tall as a
column is.
"""

import numpy as np

from pagelet.arrays import Floats, Ints
from pagelet.methods.segments.geometry.rectangles import ACROSS, DOWN
from pagelet.methods.segments.visual.scene import Scene, find_strips

MIN_GUTTER_PX = 12.0  #: least white space between two columns
MIN_COLUMN_HEIGHT_PX = 300.0  #: least height of a segment that has columns
MIN_HEIGHT_SHARE = 0.5  #: share of the segment's height that each column must fill
MIN_WIDTH_SHARE = 0.1  #: least width of a column, as a share of the page
MIN_COLUMN_BOXES = 3  #: least boxes of a column
MAX_COLUMNS = 4  #: more columns than that are cards in a grid
MAX_LIKENESS = 0.8  #: widths of which the smaller is at most this share of the larger differ


def split_columns(scene: Scene, number: Ints) -> Ints:
    """The number of the segment of each box, where segments with columns are several."""
    result = np.asarray(number).copy()
    following = int(number.max(initial=-1)) + 1
    for segment in np.unique(number[number >= 0]).tolist():
        members = np.flatnonzero(number == segment)
        part = _columns(scene, members)
        for column in range(1, int(part.max(initial=0)) + 1):
            result[members[part == column]] = following
            following += 1
    return result


def _columns(scene: Scene, members: Ints) -> Ints:
    """The column of each box; all 0 where there are none."""
    none = np.zeros(len(members), np.intp)
    edges = scene.edges[members]
    height = edges[:, 3].max() - edges[:, 1].min()
    if height < MIN_COLUMN_HEIGHT_PX or len(members) < 2 * MIN_COLUMN_BOXES:
        return none
    strips = find_strips(scene.edges, members, none, ACROSS)
    wide = strips.begin[1:] - strips.end[:-1] >= MIN_GUTTER_PX
    part = np.empty(len(scene), np.intp)
    part[strips.boxes] = strips.parts(wide)
    column = part[members]
    return column if _are_columns(edges, column, height, scene.size[0]) else none


def _are_columns(edges: Floats, column: Ints, height: float, page_width: float) -> bool:
    """Whether parts side by side are columns, and not the cells of a grid or a list."""
    count = int(column.max()) + 1
    if not 1 < count <= MAX_COLUMNS:
        return False
    low, high = np.full((2, count), np.inf), np.full((2, count), -np.inf)
    for axis in (0, 1):
        np.minimum.at(low[axis], column, edges[:, axis])
        np.maximum.at(high[axis], column, edges[:, axis + 2])
    width, tall = high - low
    boxes = np.bincount(column)
    fits = (tall >= MIN_HEIGHT_SHARE * height) & (width >= MIN_WIDTH_SHARE * page_width)
    unlike = width.min() <= MAX_LIKENESS * width.max()
    return bool(fits.all() and (boxes >= MIN_COLUMN_BOXES).all() and unlike)


# -- bands ------------------------------------------------------------------------------------


MIN_BAND_SHARE = 0.6  #: least width of a band, as a share of what is drawn


def join_bands(scene: Scene, number: Ints) -> Ints:
    """Join the segments of each band: what lies beside one another, or is too narrow for one.

    Bands begin where a straight line across the page crosses no segment.
    """
    if not len(scene):
        return number
    names, own = np.unique(number, return_inverse=True)
    edges = np.full((len(names), 4), np.inf)
    edges[:, 2:] = -np.inf
    np.minimum.at(edges[:, :2], own, scene.edges[:, :2])
    np.maximum.at(edges[:, 2:], own, scene.edges[:, 2:])
    strips = find_strips(edges, np.arange(len(names)), np.zeros(len(names), np.intp), DOWN)
    width = (strips.high - strips.low) / max(float(np.ptp(edges[:, ::2])), 1.0)
    begins = np.append(True, (width[1:] >= MIN_BAND_SHARE) & (width[:-1] >= MIN_BAND_SHARE))
    band = np.empty(len(names), np.intp)
    band[strips.boxes] = (np.cumsum(begins) - 1)[strips.strip]
    return np.asarray(band[own])
