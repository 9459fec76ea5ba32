"""The boxes of a rendered page: Zeleny, Burget, Zendulka, IP&M 53(3), 2017, section 4.

Lines of text and images always count. Elsewhere a chain of elements that hold one another and
nothing else is one box: the smallest with a background. A box that contains another one is no
leaf to the eye and is left out.
"""

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.boxes import IMAGE, SURFACE, TEXT, Boxes, Floats, boxes_of
from pagelet.columns.layout import Layout
from pagelet.columns.page import Mask, Page
from pagelet.columns.tree import nearest
from pagelet.measures.backgrounds import seen_background
from pagelet.measures.containment import contains_another
from pagelet.tags import NUMBER, numbers

Ints = NDArray[np.intp]

IMAGES = numbers("img svg canvas video embed object")  #: and an input of type image
FRAMES = numbers("iframe frame")
SLACK = 1  #: pixels by which a text may be greater than what holds it


def boxes_of_page(page: Page, layout: Layout) -> Boxes:
    """What the eye sees of a page, in the order it was painted.

    Boxes have whole pixels and an area, and are cut at the edges of the page.
    """
    image, frame = images(page, layout), frames(page, layout)
    free = layout.drawn & in_body(page) & ~below(page, image | frame)
    lines = np.flatnonzero(free[layout.line_row] & ~cramped(page, layout))
    pictures = np.flatnonzero(free & image)
    surfaces = np.append(chains(page, layout, free, image | frame), np.flatnonzero(free & frame))
    row = np.concatenate((layout.line_row[lines], pictures, surfaces))
    kind = np.repeat((TEXT, IMAGE, SURFACE), (len(lines), len(pictures), len(surfaces)))
    surface = (kind == SURFACE)[:, None]
    colour = np.where(surface, seen_background(page, layout)[row], layout.colour[row])
    chars = np.append(layout.line_chars[lines], np.zeros(len(row) - len(lines), np.int32))
    edges = np.vstack((layout.line_edges[lines], layout.edges[row[len(lines) :]]))
    size = (layout.page_width, layout.page_height)
    found = boxes_of(on_page(edges, size), colour, kind, row, chars, size)
    return without_containers(found.take(np.lexsort((row, layout.paint[row]))))


def without_containers(boxes: Boxes) -> Boxes:
    """The boxes that have an area and contain no other; of equal boxes the last one painted."""
    boxes = boxes.take(boxes.area > 0)
    _, last = np.unique(boxes.edges[::-1], axis=0, return_index=True)
    boxes = boxes.take(np.sort(len(boxes) - 1 - last))
    return boxes.take(~contains_another(boxes.edges))


def images(page: Page, layout: Layout) -> Mask:
    """Mark what is drawn as an image, whatever lies below it."""
    typed = page.attribute("type").items()
    pressed = [row for row, value in typed if value.strip().lower() == "image"]
    image = page.is_tag(*IMAGES)
    image[pressed] |= page.tag[pressed] == NUMBER["input"]
    instead = (page.tag == NUMBER["object"]) & (page.sum_subtree(layout.drawn) > layout.drawn)
    return np.asarray(image & has_place(layout) & ~instead)


def frames(page: Page, layout: Layout) -> Mask:
    """Mark what shows another page."""
    return np.asarray(page.is_tag(*FRAMES) & has_place(layout))


def has_place(layout: Layout) -> Mask:
    """Mark the rows that are drawn and have an area."""
    place = (layout.right > layout.left) & (layout.bottom > layout.top)
    return np.asarray(layout.drawn & place)


def seen_place(page: Page, layout: Layout) -> tuple[Mask, Floats]:
    """Mark the rows that can be seen on the page, and say where, in whole pixels."""
    edges = on_page(layout.edges, (layout.page_width, layout.page_height))
    place = (edges[:, 2] > edges[:, 0]) & (edges[:, 3] > edges[:, 1])
    spread = np.zeros(len(page), np.bool_)
    spread[layout.line_row[~cramped(page, layout)]] = True
    return np.asarray(layout.drawn & in_body(page) & place & (spread | page.element)), edges


def in_body(page: Page) -> Mask:
    """Mark body and what lies below it; all rows when there is no body."""
    row = np.arange(len(page))
    if page.body < 0:
        return np.ones(len(page), np.bool_)
    return np.asarray((row >= page.body) & (row < page.end[page.body]))


def below(page: Page, marked: Mask) -> Mask:
    """Mark what lies below a marked row."""
    return np.append(page.inside(marked), False)[page.parent]


def cramped(page: Page, layout: Layout) -> Mask:
    """Mark the lines of text that are wider and higher than the block that holds them.

    Text for screen readers is kept in a block of one pixel: it has a place but is not seen.
    """
    holds = nearest(page.parent, layout.drawn & page.element & ~layout.inline)
    holder = holds[layout.line_row]
    width, height = layout.right - layout.left + SLACK, layout.bottom - layout.top + SLACK
    wider = layout.line_right - layout.line_left > width[holder]
    higher = layout.line_bottom - layout.line_top > height[holder]
    return np.asarray((holder >= 0) & wider & higher)


def chains(page: Page, layout: Layout, free: Mask, leaf: Mask) -> Ints:
    """The smallest row with a background of each chain that ends in an empty element.

    A chain goes up as long as what is drawn has nothing else drawn in it. Chains that end in a
    text, an image or a frame are no boxes of their own.
    """
    there = free & has_place(layout)
    above = np.append(nearest(page.parent, there), -1)[page.parent]
    inner = np.bincount(above[there] + 1, minlength=len(page) + 1)[1:]
    only = np.where(there & (above >= 0) & (inner[above] == 1), above, -1)
    top = nearest(only, only < 0)
    empty = there & (inner == 0) & page.element & ~leaf
    ends = np.zeros(len(page), np.bool_)
    ends[top[empty]] = True
    coated = (layout.background[:, 3] > 0) | layout.pictured
    member = np.flatnonzero(there & coated & ends[top])
    member = member[np.lexsort((-member, layout.area[member], top[member]))]
    _, first = np.unique(top[member], return_index=True)
    return member[first]


def on_page(edges: Floats, size: tuple[float, float]) -> Floats:
    """Edges in whole pixels, cut where the page ends."""
    return np.clip(np.rint(edges), 0, np.floor((*size, *size)))
