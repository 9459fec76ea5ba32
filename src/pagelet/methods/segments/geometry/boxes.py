"""Visual boxes and their neighbours: Zeleny, Burget, Zendulka, IP&M 53(3), 2017, sections 4, 5.

Every line of text and every image is a box. Elsewhere a chain of elements that hold one another
and nothing else is one box: the smallest with a background. A box that contains another one is
no visual leaf and is left out.

Two boxes can be neighbours when their projections on one axis overlap by more than a point and
the boxes themselves do not. On each of its four sides a box has the nearest boxes as neighbours,
all of them when several are equally near. The relation is made symmetric.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Bytes, Floats, Int32s, Ints, Mask
from pagelet.methods.segments.geometry.rectangles import contains_another
from pagelet.page.layout import IMAGE, SURFACE, TEXT, Boxes, Layout, boxes_of
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER, numbers
from pagelet.page.tree import nearest

IMAGE_TAGS = numbers("img svg canvas video embed object")  #: tags drawn as an image
FRAME_TAGS = numbers("iframe frame")
TEXT_OVERFLOW_PX = 1  #: pixels by which a line may be larger than the block that holds it


def boxes_of_page(page: Page, layout: Layout) -> Boxes:
    """The visual boxes of a page, in paint order.

    Boxes have whole pixels and an area, and are clipped to the page.
    """
    image, frame = images(page, layout), frames(page, layout)
    free = layout.drawn & in_body(page) & ~below(page, image | frame)
    lines = np.flatnonzero(free[layout.line_row] & ~visually_hidden_lines(page, layout))
    pictures = np.flatnonzero(free & image)
    surfaces = np.append(
        leaf_surfaces(page, layout, free, image | frame), np.flatnonzero(free & frame)
    )
    row = np.concatenate((layout.line_row[lines], pictures, surfaces))
    kind = np.repeat((TEXT, IMAGE, SURFACE), (len(lines), len(pictures), len(surfaces)))
    surface = (kind == SURFACE)[:, None]
    colour = np.where(surface, visible_background(page, layout)[row], layout.colour[row])
    chars = np.append(layout.line_chars[lines], np.zeros(len(row) - len(lines), np.int32))
    edges = np.vstack((layout.line_edges[lines], layout.edges[row[len(lines) :]]))
    size = (layout.page_width, layout.page_height)
    boxes = boxes_of(clip_to_page(edges, size), colour, kind, row, chars, size)
    return drop_containers(boxes.take(np.lexsort((row, layout.paint[row]))))


def drop_containers(boxes: Boxes) -> Boxes:
    """Keep boxes that have an area and contain no other; of equal boxes, the last one painted."""
    boxes = boxes.take(boxes.area > 0)
    _, last = np.unique(boxes.edges[::-1], axis=0, return_index=True)
    boxes = boxes.take(np.sort(len(boxes) - 1 - last))
    return boxes.take(~contains_another(boxes.edges))


def images(page: Page, layout: Layout) -> Mask:
    """Mark the elements that are drawn as an image, an input of type image among them."""
    typed = page.attribute("type").items()
    buttons = [row for row, value in typed if value.strip().lower() == "image"]
    image = page.is_tag(*IMAGE_TAGS)
    image[buttons] |= page.tag[buttons] == NUMBER["input"]
    fallback = (page.tag == NUMBER["object"]) & (page.sum_subtree(layout.drawn) > layout.drawn)
    return np.asarray(image & has_area(layout) & ~fallback)


def frames(page: Page, layout: Layout) -> Mask:
    """Mark the frames that have an area."""
    return np.asarray(page.is_tag(*FRAME_TAGS) & has_area(layout))


def has_area(layout: Layout) -> Mask:
    """Mark the rows that are drawn and have an area."""
    solid = (layout.right > layout.left) & (layout.bottom > layout.top)
    return np.asarray(layout.drawn & solid)


def visible_rows(page: Page, layout: Layout) -> tuple[Mask, Floats]:
    """Mark the rows that are visible on the page, and give the edges of all in whole pixels."""
    edges = clip_to_page(layout.edges, (layout.page_width, layout.page_height))
    solid = (edges[:, 2] > edges[:, 0]) & (edges[:, 3] > edges[:, 1])
    lined = np.zeros(len(page), np.bool_)
    lined[layout.line_row[~visually_hidden_lines(page, layout)]] = True
    return np.asarray(layout.drawn & in_body(page) & solid & (lined | page.element)), edges


def in_body(page: Page) -> Mask:
    """Mark the body and all rows below it; every row when there is no body."""
    row = np.arange(len(page))
    if page.body < 0:
        return np.ones(len(page), np.bool_)
    return np.asarray((row >= page.body) & (row < page.end[page.body]))


def below(page: Page, marked: Mask) -> Mask:
    """Mark the rows below a marked one."""
    return np.append(page.inside(marked), False)[page.parent]


def visually_hidden_lines(page: Page, layout: Layout) -> Mask:
    """Mark the lines of text that are wider and taller than the block that holds them.

    Text for screen readers is often kept in a block of one pixel: it has a place but is hidden.
    """
    block = nearest(page.parent, layout.drawn & page.element & ~layout.inline)[layout.line_row]
    width = layout.right - layout.left + TEXT_OVERFLOW_PX
    height = layout.bottom - layout.top + TEXT_OVERFLOW_PX
    wider = layout.line_right - layout.line_left > width[block]
    taller = layout.line_bottom - layout.line_top > height[block]
    return np.asarray((block >= 0) & wider & taller)


def leaf_surfaces(page: Page, layout: Layout, free: Mask, leaf: Mask) -> Ints:
    """The smallest row with a background in each chain that ends in an empty element.

    A chain leads up as long as each element holds no other visible row. Chains that end in a
    text, an image or a frame are no boxes of their own.
    """
    solid = free & has_area(layout)
    above = np.append(nearest(page.parent, solid), -1)[page.parent]
    inner = np.bincount(above[solid] + 1, minlength=len(page) + 1)[1:]
    only = np.where(solid & (above >= 0) & (inner[above] == 1), above, -1)
    top = nearest(only, only < 0)
    empty = solid & (inner == 0) & page.element & ~leaf
    ends = np.zeros(len(page), np.bool_)
    ends[top[empty]] = True
    filled = (layout.background[:, 3] > 0) | layout.pictured
    member = np.flatnonzero(solid & filled & ends[top])
    member = member[np.lexsort((-member, layout.area[member], top[member]))]
    _, first = np.unique(top[member], return_index=True)
    return member[first]


def clip_to_page(edges: Floats, size: tuple[float, float]) -> Floats:
    """Round edges to whole pixels and clip them to the page."""
    return np.clip(np.rint(edges), 0, np.floor((*size, *size)))


# -- backgrounds ------------------------------------------------------------------------------


WHITE = 255  #: each channel of white
OPAQUE = 255  #: alpha of an opaque colour


def visible_background(page: Page, layout: Layout) -> Bytes:
    """Red, green and blue behind each row: its own background, else that of the nearest ancestor.

    Translucent backgrounds are blended with what lies behind them; the canvas is white. The
    background of the body covers the whole page, however small the body is.
    """
    drawn = layout.drawn.copy()
    drawn[: page.body + 1] = True
    opacity = np.where(drawn, layout.background[:, 3], 0)
    above = nearest(page.parent, opacity > 0)
    visible = np.vstack((layout.background[:, :3], (WHITE,) * 3)).astype(np.float64)
    translucent = np.flatnonzero((opacity > 0) & (opacity < OPAQUE))
    behind = np.append(above, -1)[page.parent[translucent]]
    share = opacity[translucent] / OPAQUE
    for row, under, part in zip(translucent.tolist(), behind.tolist(), share.tolist(), strict=True):
        visible[row] = visible[row] * part + visible[under] * (1 - part)
    return np.asarray(np.rint(visible[above]), np.uint8)


#: Equally near boxes that are compared on one side of the boxes: per box, and as a reserve.
TIES_PER_BOX, RESERVE_TIES = 8, 4096


@dataclass(frozen=True, slots=True, eq=False)
class NeighbourPairs:
    """Pairs of neighbours, each pair once, by number of the first box, then of the second."""

    first: Int32s
    second: Int32s  #: always the greater number
    gap: Floats  #: pixels between the two boxes
    vertical: Mask  #: whether one box is above the other, not beside it

    def __len__(self) -> int:
        return len(self.first)

    def take(self, chosen: NDArray[Any]) -> "NeighbourPairs":
        """Some of the pairs, by mask or by number."""
        return NeighbourPairs(
            self.first[chosen], self.second[chosen], self.gap[chosen], self.vertical[chosen]
        )


def find_neighbours(boxes: Boxes) -> NeighbourPairs:
    """All pairs of neighbours; a box without area has none.

    Boxes that do not overlap have a few neighbours each. Where boxes overlap, all others can be
    equally near on one side: the number compared is then limited to those that begin last.
    """
    solid = np.flatnonzero(boxes.area > 0)
    left, top, right, bottom = boxes.edges[solid].T
    sides = [
        _pair_with_nearest(top, bottom, left, right),
        _pair_with_nearest(-bottom, -top, left, right),
        _pair_with_nearest(left, right, top, bottom),
        _pair_with_nearest(-right, -left, top, bottom),
    ]
    one, other, gap = (np.concatenate(parts) for parts in zip(*sides, strict=True))
    vertical = np.arange(len(one)) < len(sides[0][0]) + len(sides[1][0])
    first, second = solid[np.minimum(one, other)], solid[np.maximum(one, other)]
    _, chosen = np.unique(first * np.intp(len(boxes)) + second, return_index=True)
    pairs = NeighbourPairs(first.astype(np.int32), second.astype(np.int32), gap, vertical)
    return pairs.take(chosen)


def _pair_with_nearest(
    low: Floats, high: Floats, near: Floats, far: Floats
) -> tuple[Ints, Ints, Floats]:
    """Pair each box with the nearest ones behind it on an axis, and measure the gaps.

    `low` and `high` are the ends of the boxes on that axis, `near` and `far` on the other one.
    """
    coordinates, places = np.unique(np.concatenate((near, far)), return_inverse=True)
    begin, end = places[: len(near)], places[len(near) :]
    nearest = _sweep(low, high, begin, end, len(coordinates))
    one, other = _pair_equally_near(nearest, low, begin, end)
    return one, other, low[other] - high[one]


def _sweep(low: Floats, high: Floats, begin: Ints, end: Ints, coordinates: int) -> Floats:
    """The least `low` behind each box among the boxes that it overlaps from `begin` to `end`.

    A line sweeps from the back, so the box that it met last is the nearest.
    """
    boxes = len(low)
    order = np.lexsort((np.repeat((0, 1), boxes), -np.concatenate((low, high))))
    front = np.full(coordinates, np.inf)
    nearest, least = [np.inf] * boxes, np.minimum.reduce
    lows, begins, ends = low.tolist(), begin.tolist(), end.tolist()
    for event in order.tolist():
        if event < boxes:
            front[begins[event] : ends[event]] = lows[event]
        else:
            box = event - boxes
            nearest[box] = least(front[begins[box] : ends[box]])
    return np.array(nearest)


def _pair_equally_near(nearest: Floats, low: Floats, begin: Ints, end: Ints) -> tuple[Ints, Ints]:
    """All pairs of a box and one that begins where the nearest behind it begins.

    Boxes that begin on one line are in order of their other axis; those that a box overlaps lie
    between the first that reaches it and the last that begins before its end.
    """
    boxes = len(low)
    facing = np.flatnonzero(np.isfinite(nearest))
    lines, line = np.unique(low, return_inverse=True)
    step = 2 * boxes + 1  # more than the places of a line
    order = np.argsort(line * step + begin, kind="stable")
    begins = (line * step + begin)[order]
    reach = np.maximum.accumulate((line * step + end)[order])
    base = np.searchsorted(lines, nearest[facing]) * step
    last = np.searchsorted(begins, base + end[facing])
    first = np.searchsorted(reach, base + begin[facing], side="right")
    counts = np.maximum(last - first, 0)
    counts = np.minimum(counts, fair_share(counts, TIES_PER_BOX * boxes + RESERVE_TIES))
    one = np.repeat(facing, counts)
    other = order[np.repeat(last, counts) - 1 - _count_up(counts)]
    overlap = end[other] > begin[one]
    return one[overlap], other[overlap]


def fair_share(counts: Ints, total: int) -> int:
    """The greatest limit for which the limited counts sum to at most the total."""
    ordered = np.sort(counts)
    below = np.concatenate(([0], np.cumsum(ordered)))
    left = np.arange(len(counts), 0, -1)
    fits = below[:-1] + ordered * left <= total  # when all are limited to this count
    if fits.all():
        return int(ordered[-1]) if len(ordered) else 0
    at = int(np.argmin(fits))
    return int((total - below[at]) // left[at])


def _count_up(counts: Ints) -> Ints:
    """0, 1, 2 ... for each count in turn."""
    return np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
