"""Rectangles in a plane: bounding boxes, overlap, containment, and a grid that indexes them."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Ints, Mask

Rectangle = tuple[float, float, float, float]  #: left, top, right, bottom

ACROSS, DOWN = 0, 1  #: axes, each as the column of the edge at which a rectangle begins
EMPTY_BOX = (np.inf, np.inf, -np.inf, -np.inf)  #: bounding box of no rectangles


def bounding_box(one: Rectangle, other: Rectangle) -> Rectangle:
    """Bounding box of two rectangles."""
    return (
        min(one[0], other[0]),
        min(one[1], other[1]),
        max(one[2], other[2]),
        max(one[3], other[3]),
    )


def bounding_boxes(edges: Floats, group: NDArray[np.integer], groups: int = 0) -> Floats:
    """Bounding box of the rectangles in each group from 0 on, for at least so many groups.

    Rectangles of the group -1 are left out.
    """
    inside = group >= 0
    count = max(groups, int(group.max(initial=-1)) + 1)
    boxes = np.tile(np.array(EMPTY_BOX), (count, 1))
    np.minimum.at(boxes[:, :2], group[inside], edges[inside, :2])
    np.maximum.at(boxes[:, 2:], group[inside], edges[inside, 2:])
    return boxes


def is_overlapping(one: Rectangle, other: Rectangle) -> bool:
    """Whether two rectangles share more than an edge."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


# -- containment ----------------------------------------------------------------------------


LEAF_RECTANGLES = 4  #: rectangles in a leaf of the k-d tree
BATCH_PAIRS = 1 << 18  #: pairs of a rectangle and a tree node that are compared at once


def contains_another(edges: Floats) -> Mask:
    """Mark the rectangles that contain another one; no two may be equal.

    A rectangle is a point of four numbers that all grow as it grows, so one contains another
    when none of its numbers is less. A k-d tree of the points saves comparing all pairs.
    """
    points = edges * (-1, -1, 1, 1)
    tree = _KdTree(points)
    contains = np.zeros(len(edges), np.bool_)
    stack = [(np.arange(len(edges)), np.zeros(len(edges), np.intp), 0)]
    while stack:
        query, node, level = stack.pop()
        if level == tree.levels:
            inside = (tree.leaf_points[node] <= points[query, None]).all(axis=2)
            inside &= tree.leaf_names[node] != query[:, None]
            contains[query[inside.any(axis=1)]] = True
            continue
        query, node = tree.descend(points, query, node, level + 1, contains)
        batches = range(0, len(query), BATCH_PAIRS)
        stack += [
            (query[at : at + BATCH_PAIRS], node[at : at + BATCH_PAIRS], level + 1) for at in batches
        ]
    return contains


class _KdTree:
    """A balanced k-d tree of points of four numbers; node n has the children 2n and 2n + 1."""

    def __init__(self, points: Floats) -> None:
        self.levels = (max(0, len(points) - 1) // LEAF_RECTANGLES).bit_length()
        padded = np.full((LEAF_RECTANGLES << self.levels, 4), np.inf)  # padding is inside nothing
        padded[: len(points)] = points
        order = np.arange(len(padded))
        for level in range(self.levels):
            nodes = order.reshape(1 << level, -1)
            by = np.argsort(padded[nodes, level % 4], axis=1, kind="stable")
            order = np.take_along_axis(nodes, by, axis=1).ravel()
        sizes = [1 << level for level in range(self.levels + 1)]
        shaped = [padded[order].reshape(size, -1, 4) for size in sizes]
        self.leaf_names = order.reshape(-1, LEAF_RECTANGLES)
        self.leaf_points = shaped[-1]
        self._least = [nodes.min(axis=1) for nodes in shaped]
        self._most = [nodes.max(axis=1) for nodes in shaped]

    def descend(
        self, points: Floats, query: Ints, node: Ints, level: int, contains: Mask
    ) -> tuple[Ints, Ints]:
        """Children that may hold a rectangle inside the query; marks those that surely do."""
        undecided = ~contains[query]
        query, node = np.repeat(query[undecided], 2), np.repeat(node[undecided] * 2, 2)
        node[1::2] += 1
        possible = (self._least[level][node] <= points[query]).all(axis=1)
        query, node = query[possible], node[possible]
        whole = (self._most[level][node] <= points[query]).all(axis=1)
        contains[query[whole]] = True  # a node has several rectangles, so one is another
        return query[~whole], node[~whole]


# -- spatial index --------------------------------------------------------------------------


RECTANGLES_PER_CELL = 2  #: rectangles that a cell should hold
MAX_CELLS_PER_RECTANGLE = 16  #: cells that a rectangle may lie in, on average


class RectangleGrid:
    """A grid whose cells list the rectangles, by number, that lie in them."""

    def __init__(self, edges: Floats) -> None:
        cells = max(1.0, len(edges) / RECTANGLES_PER_CELL)
        self._columns, self._rows = _grid_lines(edges, cells)
        while cells > 1 and self._entries(edges) > MAX_CELLS_PER_RECTANGLE * len(edges):
            cells /= 4
            self._columns, self._rows = _grid_lines(edges, max(cells, 1.0))
        self._cells: list[list[list[int]]] = [
            [[] for _ in range(len(self._columns) + 1)] for _ in range(len(self._rows) + 1)
        ]
        for number, rectangle in enumerate(map(tuple, edges.tolist())):
            if rectangle[0] < rectangle[2] and rectangle[1] < rectangle[3]:  # else no overlap
                self.insert(number, rectangle)

    def insert(self, number: int, rectangle: Rectangle, held: Rectangle | None = None) -> None:
        """Add a number to the cells of a rectangle, except those of one that already hold it."""
        for cell in self._cells_of(rectangle, held, inner=False):
            cell.append(number)

    def cells_near(
        self, rectangle: Rectangle, checked: Rectangle | None = None
    ) -> Iterator[list[int]]:
        """The numbers in each cell of a rectangle, except cells inside one already checked."""
        return self._cells_of(rectangle, checked, inner=True)

    def _entries(self, edges: Floats) -> int:
        """In how many cells the rectangles lie, all together."""
        across = np.searchsorted(self._columns, edges[:, 2]) + 1
        across -= np.searchsorted(self._columns, edges[:, 0], side="right")
        down = np.searchsorted(self._rows, edges[:, 3]) + 1
        down -= np.searchsorted(self._rows, edges[:, 1], side="right")
        return int((across * down).sum())

    def _range(self, rectangle: Rectangle) -> tuple[int, int, int, int]:
        """First column, first row, last column, last row of the cells of a rectangle."""
        left, top, right, bottom = rectangle
        columns, rows = self._columns, self._rows
        return (
            bisect_right(columns, left),
            bisect_right(rows, top),
            bisect_left(columns, right),
            bisect_left(rows, bottom),
        )

    def _cells_of(
        self, rectangle: Rectangle, skipped: Rectangle | None, *, inner: bool
    ) -> Iterator[list[int]]:
        """The cells of a rectangle but those of a skipped one, or only those inside that one."""
        left, top, right, bottom = self._range(rectangle)
        skip_left, skip_right, skip_top, skip_bottom = right + 1, right, bottom + 1, bottom
        if skipped is not None:
            skip_left, skip_top, skip_right, skip_bottom = self._range(skipped)
        if skipped is not None and inner:  # cells at an edge that was moved out still count
            skip_left += rectangle[0] < skipped[0]
            skip_top += rectangle[1] < skipped[1]
            skip_right -= rectangle[2] > skipped[2]
            skip_bottom -= rectangle[3] > skipped[3]
        for row in range(top, bottom + 1):
            cells = self._cells[row]
            if skip_top <= row <= skip_bottom and skip_left <= skip_right:
                yield from cells[left:skip_left]
                yield from cells[skip_right + 1 : right + 1]
            else:
                yield from cells[left : right + 1]


def _grid_lines(edges: Floats, cells: float) -> tuple[list[float], list[float]]:
    """Where the columns and the rows of a grid of so many cells are parted.

    Lines are quantiles of the rectangles' centres; cells have about the shape of rectangles.
    """
    if not len(edges):
        return [], []
    centres = (edges[:, :2] + edges[:, 2:]) / 2
    sizes = np.maximum((edges[:, 2:] - edges[:, :2]).mean(axis=0), 1e-9)
    across, down = np.maximum(np.ptp(centres, axis=0) / sizes, 1)
    columns = min(max(np.sqrt(cells * across / down), 1), cells)
    counts = (round(columns), round(cells / columns))
    lines = [
        np.unique(np.quantile(centre, np.linspace(0, 1, count + 1)[1:-1])).tolist()
        for centre, count in zip(centres.T, counts, strict=True)
    ]
    return lines[0], lines[1]
