"""What the eye has to go by on a drawn page: boxes with what lies behind them, and edges.

Everything here is seen, not read from the tree: where boxes lie, their size, colour and type,
the ground behind them, and the edges of grounds and frames.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Ints, Mask
from pagelet.methods.segments.geometry.boxes import seen_background
from pagelet.page.boxes import TEXT, Boxes
from pagelet.page.layout import Layout
from pagelet.page.table import Page
from pagelet.page.tree import nearest

DARKER = 40  #: how much darker a ground with a picture counts, whose colours nobody knows
SUMS = 15  #: columns that are added up
SPECK = 0.01  #: weight of a box without text, or without a size, in a mean


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """The boxes of a page as columns that can be added up, and the edges of what lies behind."""

    edges: Floats  #: left, top, right, bottom of each box
    sums: Floats  #: what is added up over boxes; `added` names it
    ground: Ints  #: number of the ground behind each box
    surfaces: Floats  #: left, top, right, bottom of each ground and frame
    size: tuple[float, float]  #: width and height of the page

    def __len__(self) -> int:
        return len(self.edges)


def sight_of(page: Page, layout: Layout, boxes: Boxes) -> Sight:
    """What is seen of a page."""
    filled = (layout.background[:, 3] > 0) | layout.pictured
    behind = nearest(page.parent, filled & layout.drawn)[boxes.row]
    framed = filled | (layout.border.max(axis=1, initial=0) > 0)
    surfaces = layout.edges[framed & layout.drawn & ~layout.inline]
    shade = seen_background(page, layout)[boxes.row].astype(np.float64)
    shade -= DARKER * _pictured(layout, behind)[:, None]
    return Sight(
        boxes.edges,
        _sums(boxes, shade, layout.font_size[boxes.row], layout.font_weight[boxes.row]),
        np.unique(behind, return_inverse=True)[1].ravel(),
        surfaces,
        (layout.page_width, layout.page_height),
    )


def room_of(edges: Floats) -> float:
    """Square pixels around some boxes, at least one each way."""
    return float(np.prod(np.maximum(edges[:, 2:].max(axis=0) - edges[:, :2].min(axis=0), 1)))


def _pictured(layout: Layout, behind: NDArray[np.integer]) -> Mask:
    """Mark the boxes whose ground is a picture."""
    return np.asarray((behind >= 0) & np.append(layout.pictured, False)[behind])


def _sums(boxes: Boxes, shade: Floats, size: Floats, weight: Floats) -> Floats:
    """One line a box of what is added up: see `added`."""
    text = boxes.kind == TEXT
    letters, area = boxes.chars + SPECK, boxes.area + SPECK
    columns = (
        np.ones(len(boxes)), boxes.area, boxes.area * ~text, boxes.chars, text,
        letters, area, size * letters, weight * letters,
    )  # fmt: skip
    return np.column_stack((*columns, shade * area[:, None], boxes.colour * letters[:, None]))


@dataclass(frozen=True, slots=True, eq=False)
class Added:
    """Sums over some boxes each, told apart again."""

    boxes: Floats
    area: Floats
    chars: Floats
    pictures: Floats  #: share of the area that is no text
    line: Floats  #: characters of a line of text, on average
    font_size: Floats
    font_weight: Floats
    ground: Floats  #: red, green, blue behind the boxes
    colour: Floats  #: red, green, blue of the boxes


def added(sums: Floats) -> Added:
    """What sums over the lines of `Sight.sums` say."""
    boxes, area, pictured, chars, texts, letters, surface, size, weight = sums[:, :9].T
    return Added(
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


# -- Groups of boxes in strips: what no box connects along an axis lies in different strips ---


DOWN, ACROSS = 1, 0  #: the axis that strips follow one another on: the edge they begin with
SLACK = 2.0  #: pixels by which boxes on both sides of a gap may overlap


@dataclass(frozen=True, slots=True, eq=False)
class Strips:
    """Boxes in strips along one axis."""

    axis: int
    boxes: Ints  #: the boxes by group, then by where they begin
    strip: Ints  #: the strip of each of them
    group: Ints  #: the group of each strip
    begin: Floats  #: where each strip begins, and how far boxes reach up to its end
    end: Floats
    low: Floats  #: what each strip takes on the other axis
    high: Floats

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
        """A number for each of the boxes: they part between groups and where a gap is cut."""
        begins = np.ones(len(self), np.bool_)
        begins[self.gaps + 1] = cut
        return np.asarray((np.cumsum(begins) - 1)[self.strip])


def strips_of(edges: Floats, boxes: Ints, group: Ints, axis: int) -> Strips:
    """Strips of some boxes, each in a group from 0 on."""
    order = np.lexsort((edges[boxes, axis], group))
    boxes, group = boxes[order], group[order]
    chosen = edges[boxes]
    reach = running(np.maximum, chosen[:, axis + 2], group)
    apart = chosen[1:, axis] >= reach[:-1] - SLACK
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


def running(best: np.ufunc, values: Floats, group: Ints) -> Floats:
    """The best value so far in each group, for np.maximum and np.minimum.

    Groups are moved out of each other's reach, so that one pass serves them all.
    """
    if not len(values):
        return values
    away = (values.max() - values.min() + 1) * group * (1 if best is np.maximum else -1)
    return np.asarray(best.accumulate(values + away) - away)


def running_back(best: np.ufunc, values: Floats, group: Ints) -> Floats:
    """The best value from here to the end of each group."""
    if not len(values):
        return values
    return running(best, values[::-1], group.max() - group[::-1])[::-1]
