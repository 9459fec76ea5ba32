"""The visible scene of a rendered page: boxes, their backgrounds, and the edges of surfaces.

Everything here is visible, nothing is read from the tree: where boxes lie, their size, colour and
type, the background behind them, and the edges of backgrounds and borders.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Ints, Mask
from pagelet.methods.segments.geometry.boxes import visible_background
from pagelet.methods.segments.geometry.rectangles import ACROSS, DOWN
from pagelet.page.layout import TEXT, Boxes, Layout
from pagelet.page.table import Page
from pagelet.page.tree import nearest

IMAGE_SHADE = 40  #: levels by which a background image, whose colours are unknown, is darker
SUM_COLUMNS = 15  #: columns of `Scene.sums`
MEAN_WEIGHTS = [5, 5, 6, 6, 6, 5, 5, 5]  #: columns by which the last columns are divided
MEAN_STEPS = 1024  #: steps of a pixel or a level of colour to which means are rounded
MIN_WEIGHT = 0.01  #: weight of a box without text, or without an area, in a mean


@dataclass(frozen=True, eq=False)
class Scene:
    """The boxes of a page as columns that can be summed, and the edges of the surfaces."""

    edges: Floats  #: left, top, right, bottom of each box
    sums: Floats  #: columns to sum over boxes; `summarize` names the results
    background: Ints  #: number of the background behind each box
    surfaces: Floats  #: left, top, right, bottom of backgrounds and borders, the largest first
    size: tuple[float, float]  #: width and height of the page

    def __len__(self) -> int:
        return len(self.edges)

    @cached_property
    def ordered_surfaces(self) -> tuple[tuple[Floats, Floats], ...]:
        """By axis, the sides of surfaces in the order in which they begin, and in which they end.

        Of those that begin or end at one place, the widest comes first.
        """
        by_axis = [self.surfaces[:, SIDES[axis]] for axis in (ACROSS, DOWN)]
        return tuple((_by_side(each, 0), _by_side(each, 1)) for each in by_axis)


def _by_side(sides: Floats, side: int) -> Floats:
    return np.asarray(sides[np.lexsort((sides[:, 2] - sides[:, 3], sides[:, side]))])


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

    def take(self, groups: slice) -> "BoxSummary":
        """The same of some of the groups."""
        return BoxSummary(*(getattr(self, name)[groups] for name in BoxSummary.__slots__))


def summarize(sums: Floats) -> BoxSummary:
    """Totals and means from sums over lines of `Scene.sums`.

    Means are rounded, so that the order in which boxes are summed up makes no difference to see.
    """
    boxes, area, pictured, chars, texts = sums[:, :5].T
    means = np.rint(sums[:, 7:] / sums[:, MEAN_WEIGHTS] * MEAN_STEPS) / MEAN_STEPS
    return BoxSummary(
        boxes,
        area,
        chars,
        pictured / np.maximum(area, 1),
        chars / np.maximum(texts, 1),
        means[:, 0],
        means[:, 1],
        means[:, 2:5],
        means[:, 5:],
    )


# -- strips ---------------------------------------------------------------------------------


GAP_OVERLAP_PX = 2.0  #: pixels by which boxes on both sides of a gap may overlap

#: By axis, the columns of edges in which a box begins and ends on it, and on the other one.
SIDES = ((0, 2, 1, 3), (1, 3, 0, 2))


@dataclass(frozen=True, slots=True, eq=False)
class Strips:
    """Groups of boxes in strips along an axis; no box connects two strips."""

    boxes: Ints  #: boxes by group, then by where they begin
    sides: Floats  #: where each of these boxes begins and ends on the axis, and on the other one
    strip: Ints  #: strip of each of these boxes
    start: Ints  #: first of these boxes in each strip
    group: Ints  #: group of each strip
    heads: Ints  #: first strip of each group
    gaps: Ints  #: strip before each gap
    axis: Ints  #: axis of each strip
    begin: Floats  #: where each strip begins
    end: Floats  #: how far the group reaches up to the end of each strip
    low: Floats  #: where each strip begins on the other axis
    high: Floats  #: where each strip ends on the other axis

    def __len__(self) -> int:
        return len(self.group)

    def parts(self, cut: Mask) -> Ints:
        """The part of each of the boxes; parts end at groups and at the gaps that are cut."""
        begins = np.ones(len(self), np.bool_)
        begins[self.gaps + 1] = cut
        return np.asarray((np.cumsum(begins) - 1)[self.strip])


def find_strips(edges: Floats, boxes: Ints, group: Ints, axis: int) -> Strips:
    """The strips of some boxes; groups are numbered from 0 on, and none is empty."""
    axes = np.full(int(group.max(initial=-1)) + 1, axis)
    return _strips_of(edges[boxes][:, SIDES[axis]], boxes, group, axes)


def find_both_strips(edges: Floats, boxes: Ints, group: Ints) -> Strips:
    """The strips of some boxes in both directions.

    Groups from 0 on are divided from top to bottom; then come the same groups from left to right.
    """
    chosen = edges[boxes]
    sides = np.concatenate((chosen[:, SIDES[DOWN]], chosen[:, SIDES[ACROSS]]))
    count = int(group.max(initial=-1)) + 1
    groups = np.concatenate((group, group + count))
    axes = np.repeat((DOWN, ACROSS), count)
    return _strips_of(sides, np.concatenate((boxes, boxes)), groups, axes)


def _strips_of(sides: Floats, boxes: Ints, group: Ints, axes: Ints) -> Strips:
    """Strips of boxes by their sides; each group has an axis."""
    order = np.lexsort((sides[:, 0], group))
    sides, group = sides[order], group[order]
    reach = running_best(np.maximum, sides[:, 1], group)
    begins = np.ones(len(boxes), np.bool_)
    begins[1:] = (sides[1:, 0] >= reach[:-1] - GAP_OVERLAP_PX) | (group[1:] != group[:-1])
    start = np.flatnonzero(begins)
    last = np.append(start[1:], len(boxes)) - 1 if len(start) else start
    owner = group[start]
    return Strips(
        boxes[order],
        sides,
        np.cumsum(begins) - 1,
        start,
        owner,
        np.searchsorted(owner, np.arange(len(axes))),
        np.flatnonzero(owner[1:] == owner[:-1]),
        axes[owner],
        sides[start, 0],
        reach[last],
        np.minimum.reduceat(sides[:, 2], start),
        np.maximum.reduceat(sides[:, 3], start),
    )


def running_best(best: np.ufunc, values: Floats, group: Ints) -> Floats:
    """The running maximum or minimum in each group, by np.maximum or np.minimum.

    Groups are shifted apart, so that one pass serves them all. Values may have several lines.
    """
    if not len(group):
        return values
    shift = (values.max() - values.min() + 1) * group * (1 if best is np.maximum else -1)
    return np.asarray(best.accumulate(values + shift, axis=-1) - shift)


def running_best_back(best: np.ufunc, values: Floats, group: Ints) -> Floats:
    """The maximum or minimum from each value to the end of its group."""
    if not len(group):
        return values
    return running_best(best, values[..., ::-1], group[-1] - group[::-1])[..., ::-1]
