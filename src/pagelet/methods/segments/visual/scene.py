"""The visible scene of a rendered page: boxes, their backgrounds, and the edges of surfaces.

Everything here is visible, nothing is read from the tree: where boxes lie, their size, colour and
type, the background behind them, and the edges of backgrounds and borders.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Ints, Mask
from pagelet.methods.segments.geometry.boxes import visible_background
from pagelet.page.layout import TEXT, Boxes, Layout
from pagelet.page.table import Page
from pagelet.page.tree import nearest

IMAGE_SHADE = 40  #: levels by which a background image, whose colours are unknown, is darker
SUM_COLUMNS = 15  #: columns of `Scene.sums`
MIN_WEIGHT = 0.01  #: weight of a box without text, or without an area, in a mean


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """The boxes of a page as columns that can be summed, and the edges of the surfaces."""

    edges: Floats  #: left, top, right, bottom of each box
    sums: Floats  #: columns to sum over boxes; `summarize` names the results
    background: Ints  #: number of the background behind each box
    surfaces: Floats  #: left, top, right, bottom of backgrounds and borders, the largest first
    size: tuple[float, float]  #: width and height of the page

    def __len__(self) -> int:
        return len(self.edges)


def read_scene(page: Page, layout: Layout, boxes: Boxes) -> Scene:
    """Read the visible scene of a page."""
    filled = (layout.background[:, 3] > 0) | layout.pictured
    behind = nearest(page.parent, filled & layout.drawn)[boxes.row]
    bordered = filled | (layout.border.max(axis=1, initial=0) > 0)
    surfaces = layout.edges[bordered & layout.drawn & ~layout.inline]
    shade = visible_background(page, layout)[boxes.row].astype(np.float64)
    shade -= IMAGE_SHADE * _has_image_behind(layout, behind)[:, None]
    return Scene(
        boxes.edges,
        _sums(boxes, shade, layout.font_size[boxes.row], layout.font_weight[boxes.row]),
        np.unique(behind, return_inverse=True)[1].ravel(),
        surfaces[np.argsort(-_areas(surfaces), kind="stable")],
        (layout.page_width, layout.page_height),
    )


def _areas(edges: Floats) -> Floats:
    return np.asarray((edges[:, 2] - edges[:, 0]) * (edges[:, 3] - edges[:, 1]))


def bounding_area(edges: Floats) -> float:
    """Area of the bounding box of some boxes, at least one pixel each way."""
    return float(np.prod(np.maximum(edges[:, 2:].max(axis=0) - edges[:, :2].min(axis=0), 1)))


def _has_image_behind(layout: Layout, behind: NDArray[np.integer]) -> Mask:
    """Mark the boxes whose background is an image."""
    return np.asarray((behind >= 0) & np.append(layout.pictured, False)[behind])


def _sums(boxes: Boxes, shade: Floats, size: Floats, weight: Floats) -> Floats:
    """The columns to sum, one line per box; `summarize` reads them."""
    text = boxes.kind == TEXT
    letters, area = boxes.chars + MIN_WEIGHT, boxes.area + MIN_WEIGHT
    columns = (
        np.ones(len(boxes)), boxes.area, boxes.area * ~text, boxes.chars, text,
        letters, area, size * letters, weight * letters,
    )  # fmt: skip
    return np.column_stack((*columns, shade * area[:, None], boxes.colour * letters[:, None]))


@dataclass(frozen=True, slots=True, eq=False)
class BoxSummary:
    """Totals and means over groups of boxes."""

    boxes: Floats
    area: Floats
    chars: Floats
    pictures: Floats  #: share of the area that is no text
    line: Floats  #: mean characters of a line of text
    font_size: Floats
    font_weight: Floats
    background: Floats  #: mean red, green, blue behind the boxes
    colour: Floats  #: mean red, green, blue of the boxes


def summarize(sums: Floats) -> BoxSummary:
    """Totals and means from sums over lines of `Scene.sums`."""
    boxes, area, pictured, chars, texts, letters, surface, size, weight = sums[:, :9].T
    return BoxSummary(
        boxes,
        area,
        chars,
        pictured / np.maximum(area, 1),
        chars / np.maximum(texts, 1),
        size / letters,
        weight / letters,
        sums[:, 9:12] / surface[:, None],
        sums[:, 12:15] / letters[:, None],
    )


# -- strips ---------------------------------------------------------------------------------


GAP_OVERLAP_PX = 2.0  #: pixels by which boxes on both sides of a gap may overlap


@dataclass(frozen=True, slots=True, eq=False)
class Strips:
    """Groups of boxes in strips along one axis; no box connects two strips."""

    axis: int
    boxes: Ints  #: boxes by group, then by where they begin
    strip: Ints  #: strip of each of these boxes
    group: Ints  #: group of each strip
    begin: Floats  #: where each strip begins
    end: Floats  #: how far the group reaches up to the end of each strip
    low: Floats  #: where each strip begins on the other axis
    high: Floats  #: where each strip ends on the other axis

    def __len__(self) -> int:
        return len(self.group)

    @property
    def gaps(self) -> Ints:
        """The strip before each gap."""
        return np.flatnonzero(self.group[1:] == self.group[:-1])

    @property
    def first(self) -> Ints:
        """The first strip of the group of each strip."""
        return np.searchsorted(self.group, self.group)

    @property
    def last(self) -> Ints:
        """The last strip of the group of each strip."""
        return np.searchsorted(self.group, self.group, side="right") - 1

    def parts(self, cut: Mask) -> Ints:
        """The part of each of the boxes; parts end at groups and at the gaps that are cut."""
        begins = np.ones(len(self), np.bool_)
        begins[self.gaps + 1] = cut
        return np.asarray((np.cumsum(begins) - 1)[self.strip])


def find_strips(edges: Floats, boxes: Ints, group: Ints, axis: int) -> Strips:
    """The strips of some boxes, each in a group from 0 on."""
    order = np.lexsort((edges[boxes, axis], group))
    boxes, group = boxes[order], group[order]
    chosen = edges[boxes]
    reach = running_best(np.maximum, chosen[:, axis + 2], group)
    apart = chosen[1:, axis] >= reach[:-1] - GAP_OVERLAP_PX
    begins = np.append(True, apart | (group[1:] != group[:-1]))[: len(boxes)]
    first = np.flatnonzero(begins)
    last = np.append(first[1:], len(boxes)) - 1 if len(first) else first
    other = 1 - axis
    return Strips(
        axis,
        boxes,
        np.cumsum(begins) - 1,
        group[first],
        chosen[first, axis],
        reach[last],
        np.minimum.reduceat(chosen[:, other], first),
        np.maximum.reduceat(chosen[:, other + 2], first),
    )


def running_best(best: np.ufunc, values: Floats, group: Ints) -> Floats:
    """The running maximum or minimum in each group, by np.maximum or np.minimum.

    Groups are shifted apart, so that one pass serves them all.
    """
    if not len(values):
        return values
    shift = (values.max() - values.min() + 1) * group * (1 if best is np.maximum else -1)
    return np.asarray(best.accumulate(values + shift) - shift)


def running_best_back(best: np.ufunc, values: Floats, group: Ints) -> Floats:
    """The maximum or minimum from each value to the end of its group."""
    if not len(values):
        return values
    return running_best(best, values[::-1], group.max() - group[::-1])[::-1]
