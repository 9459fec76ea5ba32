"""Columns of a segment: main column and side bars that a gutter parts from top to bottom.

A gutter is a straight line from the top of a segment to its bottom that crosses no box. It parts
columns where it is wide or lies on the edge of a background, and where both sides are as tall as a
column is. Columns of equal width are columns too, unless their boxes stand in rows, as cards do.
A header or a row of pictures may lie above and below: then the gutter is a white strip that is
long enough, and a side bar is what stands close together on one side of it.
"""

import numpy as np

from pagelet.arrays import Floats, Ints, Mask
from pagelet.methods.segments.geometry.rectangles import ACROSS, DOWN
from pagelet.methods.segments.visual.bars import is_above_columns
from pagelet.methods.segments.visual.scene import Scene, Strips, find_strips

MIN_GUTTER_PX = 8.0  #: least white space between two columns
MIN_COLUMN_HEIGHT_PX = 300.0  #: least height of a segment that has columns
MIN_HEIGHT_SHARE = 0.5  #: share of the segment's height that fills a column
MIN_FILLED_PX = 400.0  #: height that fills a column of any segment
MIN_WIDTH_SHARE = 0.08  #: least width of a column, as a share of the page
MIN_COLUMN_BOXES = 3  #: least boxes of a column
MAX_COLUMNS = 4  #: more columns than that are cards in a grid
MAX_LIKENESS = 0.8  #: widths of which the smaller is at most this share of the larger differ
EDGE_DISTANCE_PX = 3.0  #: pixels from a gutter within which an edge of a background is at it
MIN_EDGE_SHARE = 0.8  #: share of the segment's height that such an edge must have
MIN_ROW_GAP_PX = 8.0  #: least white space between two rows of cards
WIDE_ROW_GAP = 1.5  #: gaps so many times as wide as the usual one may part rows of cards
MIN_ROW_SHARE = 0.3  #: share of such gaps of a column that go on through the others


def split_columns(scene: Scene, number: Ints, least_px: float = 0.0) -> Ints:
    """The number of the segment of each box, where segments with columns are several.

    Every column is at least so many pixels tall.
    """
    result = np.asarray(number).copy()
    following = int(number.max(initial=-1)) + 1
    for segment in np.unique(number[number >= 0]).tolist():
        members = np.flatnonzero(number == segment)
        tall = np.ptp(scene.edges[members][:, 1::2])
        few = len(members) < 2 * MIN_COLUMN_BOXES
        if few or tall < max(MIN_COLUMN_HEIGHT_PX, least_px):
            continue
        part = _side_bar(scene, members)
        part = part if part.any() else _columns(scene, members)
        if _is_short(scene.edges[members], part, least_px):
            continue
        for column in range(1, int(part.max(initial=0)) + 1):
            result[members[part == column]] = following
            following += 1
    return result


def _columns(scene: Scene, members: Ints) -> Ints:
    """The part of each box: a column, or what stands on and above a bar over all columns.

    All 0 where there are no columns.
    """
    above = is_above_columns(scene.edges[members], scene.surfaces)
    column = np.zeros(len(members), np.intp)
    if above.all():
        return column
    column[~above] = _plain_columns(scene, members[~above])
    return column + ~above if above.any() and column.any() else column


def _plain_columns(scene: Scene, members: Ints) -> Ints:
    """The column of each box; all 0 where there are none."""
    none = np.zeros(len(members), np.intp)
    edges = scene.edges[members]
    top, bottom = float(edges[:, 1].min()), float(edges[:, 3].max())
    if bottom - top < MIN_COLUMN_HEIGHT_PX:
        return none
    strips = find_strips(scene.edges, members, none, ACROSS)
    wide = strips.begin[1:] - strips.end[:-1] >= MIN_GUTTER_PX
    part = np.empty(len(scene), np.intp)
    part[strips.boxes] = strips.parts(wide | _is_at_edge(scene.surfaces, strips, top, bottom))
    column = part[members]
    return column if _are_columns(edges, column, bottom - top, scene.size[0]) else none


def _is_at_edge(surfaces: Floats, strips: Strips, top: float, bottom: float) -> Mask:
    """Mark the gaps at which a background or frame begins or ends that is as tall as all boxes."""
    tall = np.minimum(surfaces[:, 3], bottom) - np.maximum(surfaces[:, 1], top)
    sides = np.sort(surfaces[tall >= MIN_EDGE_SHARE * (bottom - top)][:, ::2], axis=None)
    end, begin = strips.end[:-1], strips.begin[1:]
    first = np.searchsorted(sides, np.minimum(end, begin) - EDGE_DISTANCE_PX)
    last = np.searchsorted(sides, np.maximum(end, begin) + EDGE_DISTANCE_PX, side="right")
    return np.asarray(last > first)


def _are_columns(edges: Floats, column: Ints, height: float, page_width: float) -> bool:
    """Whether parts side by side are columns, and not the cells of a grid or a list."""
    count = int(column.max()) + 1
    if not 1 < count <= MAX_COLUMNS:
        return False
    width, tall = _extents(edges, column)
    boxes = np.bincount(column)
    filled = tall >= min(MIN_HEIGHT_SHARE * height, MIN_FILLED_PX)
    fits = filled & (width >= MIN_WIDTH_SHARE * page_width)
    if not fits.all() or (boxes < MIN_COLUMN_BOXES).any():
        return False
    unlike = width.min() <= MAX_LIKENESS * width.max()
    return bool(unlike) or not _stands_in_rows(edges, column)


def _extents(edges: Floats, column: Ints) -> tuple[Floats, Floats]:
    """Width and height of each column."""
    count = int(column.max()) + 1
    low, high = np.full((2, count), np.inf), np.full((2, count), -np.inf)
    for axis in (0, 1):
        np.minimum.at(low[axis], column, edges[:, axis])
        np.maximum.at(high[axis], column, edges[:, axis + 2])
    width, tall = high - low
    return width, tall


def _stands_in_rows(edges: Floats, column: Ints) -> bool:
    """Whether wide gaps in a column go on through the others, as between rows of cards."""
    everything, count = np.arange(len(edges)), int(column.max()) + 1
    alone = find_strips(edges, everything, column, DOWN)
    gap = alone.begin[alone.gaps + 1] - alone.end[alone.gaps]
    usual = float(np.median(gap)) if len(gap) else 0.0
    least = max(MIN_ROW_GAP_PX, WIDE_ROW_GAP * usual)
    least = least if (gap >= least).any() else MIN_ROW_GAP_PX
    fewest = np.bincount(alone.group[alone.gaps][gap >= least], minlength=count).min()
    rows = find_strips(edges, everything, np.zeros(len(edges), np.intp), DOWN)
    top = max(edges[column == each, 1].min() for each in range(count))
    bottom = min(edges[column == each, 3].max() for each in range(count))
    through = rows.begin[1:] - rows.end[:-1] >= least
    through &= (rows.end[:-1] > top) & (rows.begin[1:] < bottom)
    return bool(through.sum() >= max(MIN_ROW_SHARE * fewest, 1))


def _is_short(edges: Floats, part: Ints, least_px: float) -> bool:
    """Whether two of the parts are columns, but not as tall as that."""
    return least_px > 0 and int((_extents(edges, part)[1] >= least_px).sum()) < 2


# -- a side bar between a header and a footer ---------------------------------------------------

BIN_PX = 4.0  #: width of the strips in which a gutter is looked for
MIN_PAGE_SHARE = 0.85  #: share of height and boxes from which on a segment is nearly the page
MIN_PAGE_HEIGHT_PX = 1500.0  #: height from which on a page is long
MAX_BINS = 1000  #: strips in which a gutter of a wide page is looked for
MAX_CELLS = 500_000  #: bins times boxes that are looked at together
MAX_SCANNED_BOXES = 20_000  #: boxes of the largest segment that is scanned
MIN_GUTTER_SHARE = 0.4  #: share of the segment's height that a gutter must have
MAX_SIDE_WIDTH = 0.4  #: greatest width of a side bar, as a share of the page
MAX_PAUSE_PX = 80.0  #: greatest white space between two boxes of a side bar
MAX_HEAD_START_PX = 60.0  #: how far above the side bar the main column may begin


def _is_page(scene: Scene, members: Ints) -> bool:
    """Whether a segment is nearly the whole of a long page, which is seldom one block."""
    edges = scene.edges[members]
    tall = edges[:, 3].max() - edges[:, 1].min()
    whole = np.ptp(scene.edges[:, 1::2])
    long = tall >= max(MIN_PAGE_SHARE * whole, MIN_PAGE_HEIGHT_PX)
    return bool(long and len(members) >= MIN_PAGE_SHARE * len(scene))


def _side_bar(scene: Scene, members: Ints) -> Ints:
    """The part of each box: the rest above, a main column, its side bar, the rest below."""
    none = np.zeros(len(members), np.intp)
    edges = scene.edges[members]
    height = edges[:, 3].max() - edges[:, 1].min()
    least = max(MIN_COLUMN_HEIGHT_PX, MIN_GUTTER_SHARE * height)
    if len(members) > MAX_SCANNED_BOXES or not _is_page(scene, members):
        return none
    for at, begin, end in _gutters(edges, least):
        inside = (edges[:, 1] >= begin) & (edges[:, 3] <= end)
        for beside in (edges[:, 0] >= at, edges[:, 2] <= at):
            side = _stack(edges, np.flatnonzero(inside & beside), scene.size[0])
            if not len(side):
                continue
            top, bottom = edges[side, 1].min(), edges[side, 3].max()
            below = edges[inside & beside & (edges[:, 1] >= bottom), 1].min(initial=np.inf)
            begins = (edges[:, 1] >= top - MAX_HEAD_START_PX) & (edges[:, 1] < below)
            main = np.flatnonzero(inside & ~beside & begins)
            if len(main) >= MIN_COLUMN_BOXES and not _is_grid(edges, main, side):
                return _number(edges, main, side)
    return none


def _gutters(edges: Floats, least: float) -> list[tuple[float, float, float]]:
    """White strips, each once: their place across, their top and bottom; the longest first."""
    gutters: list[tuple[float, float, float]] = []
    before = (0.0, 0.0)  # the white strip of the bin before
    low, high = float(edges[:, 0].min()), float(edges[:, 2].max())
    begins = np.arange(low, high - MIN_GUTTER_PX, max(BIN_PX, (high - low) / MAX_BINS))
    for begin, top, bottom in zip(begins.tolist(), *_longest_white(edges, begins), strict=True):
        if bottom - top >= least and (top, bottom) != before:
            gutters.append((begin + MIN_GUTTER_PX / 2, top, bottom))
        before = (top, bottom)
    return sorted(gutters, key=lambda each: each[1] - each[2])


def _longest_white(edges: Floats, begins: Floats) -> tuple[list[float], list[float]]:
    """Top and bottom of the longest white strip that begins at each place across."""
    left, top, right, bottom = edges[np.argsort(edges[:, 1], kind="stable")].T
    found = np.zeros((2, len(begins)))
    step = max(1, MAX_CELLS // len(edges))
    for first in range(0, len(begins), step):
        some = begins[first : first + step, None]
        across = (left < some + MIN_GUTTER_PX) & (right > some)
        ends = np.maximum.accumulate(np.where(across, bottom, top[0]), axis=1)
        ends = np.hstack((np.full((len(some), 1), top[0]), ends))
        white = np.where(across, top - ends[:, :-1], 0)
        white = np.hstack((white, bottom.max() - ends[:, -1:]))
        longest = white.argmax(axis=1)
        tops = ends[np.arange(len(some)), longest]
        found[:, first : first + step] = tops, tops + white[np.arange(len(some)), longest]
    return found[0].tolist(), found[1].tolist()


def _stack(edges: Floats, boxes: Ints, page_width: float) -> Ints:
    """The boxes that stand close below each other and are as tall as a side bar; else none."""
    if len(boxes) < MIN_COLUMN_BOXES:
        return boxes[:0]
    order = boxes[np.argsort(edges[boxes, 1], kind="stable")]
    reach = np.maximum.accumulate(edges[order, 3])
    stack = np.append(0, np.cumsum(edges[order[1:], 1] > reach[:-1] + MAX_PAUSE_PX))
    stacks = [order[stack == each] for each in range(int(stack[-1]) + 1)]
    tallest = max(stacks, key=lambda each: float(np.ptp(edges[each][:, 1::2])))
    width, tall = np.ptp(edges[tallest][:, ::2]), np.ptp(edges[tallest][:, 1::2])
    fits = MIN_WIDTH_SHARE * page_width <= width <= MAX_SIDE_WIDTH * page_width
    many = len(tallest) >= MIN_COLUMN_BOXES
    return tallest if fits and many and tall >= MIN_COLUMN_HEIGHT_PX else boxes[:0]


def _is_grid(edges: Floats, main: Ints, side: Ints) -> bool:
    """Whether the other column is made of parts as wide as the side bar, as a grid of cards is."""
    strips = find_strips(edges, main, np.zeros(len(main), np.intp), ACROSS)
    part = strips.parts(strips.begin[1:] - strips.end[:-1] >= MIN_GUTTER_PX)
    left, right = edges[strips.boxes, 0], edges[strips.boxes, 2]
    first = np.flatnonzero(np.append(True, part[1:] != part[:-1]))
    widths = np.maximum.reduceat(right, first) - np.minimum.reduceat(left, first)
    width = np.ptp(edges[side][:, ::2])
    return bool((np.minimum(widths, width) > MAX_LIKENESS * np.maximum(widths, width)).any())


def _number(edges: Floats, main: Ints, side: Ints) -> Ints:
    """Parts from 0 on: main column, side bar, the rest above, the rest below."""
    part = np.full(len(edges), -1, np.intp)
    part[main], part[side] = 0, 1
    begin = min(edges[main, 1].min(), edges[side, 1].min())
    rest = part < 0
    part[rest & (edges[:, 1] < begin)] = 2
    part[rest & (edges[:, 1] >= begin)] = 3
    return np.unique(part, return_inverse=True)[1]


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
