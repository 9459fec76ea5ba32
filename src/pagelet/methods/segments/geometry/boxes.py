"""The visual boxes of a rendered page: Zeleny, Burget, Zendulka, IP&M 53(3), 2017, section 4.

Every line of text and every image is a box. Elsewhere a chain of elements that hold one another
and nothing else is one box: the smallest with a background. A box that contains another one is
no visual leaf and is left out.
"""

import numpy as np

from pagelet.arrays import Bytes, Floats, Ints, Mask
from pagelet.methods.segments.geometry.rectangles import contains_another
from pagelet.page.boxes import IMAGE, SURFACE, TEXT, Boxes, boxes_of
from pagelet.page.layout import Layout
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
