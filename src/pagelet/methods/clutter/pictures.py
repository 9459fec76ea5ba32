"""Lists of picture links on a drawn page: pictures of one size that stand in a row or a column."""

import numpy as np

from pagelet.arrays import Floats, Ints, Mask
from pagelet.methods.clutter.blocks import StructuralBlocks, picture_mask
from pagelet.page.layout import Layout
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER

MIN_PICTURES = 3  #: pictures in a row or a column that are a list
MAX_LIST_PICTURES = 200  #: pictures of a block that are compared with each other
MAX_SIZE_DIFFERENCE = 0.1  #: between the sides of two pictures of one size
MAX_OFFSET_PIXELS = 4.0  #: CSS pixels by which pictures in a row or a column may be out of line


def drawn_lists(page: Page, blocks: StructuralBlocks, layout: Layout) -> Mask:
    """Mark the hyperlinks made of pictures that were drawn as a list.

    The pictures of a list are attached to one block or to blocks with one parent.
    """
    marked = np.zeros(len(page), np.bool_)
    anchors = np.flatnonzero(picture_mask(page))
    pictures = _first_pictures(page, anchors)
    anchors, pictures = anchors[layout.drawn[pictures]], pictures[layout.drawn[pictures]]
    owner = blocks.owner[anchors]
    for holder in (owner, np.where(owner >= 0, blocks.parent[owner], -1)):
        order = np.argsort(holder, kind="stable")
        bounds = np.flatnonzero(np.diff(holder[order])) + 1
        for members in np.split(order, bounds):
            some = members[:MAX_LIST_PICTURES]
            if len(some) >= MIN_PICTURES and holder[some[0]] >= 0:
                boxes = layout.edges[pictures[some]]
                marked[anchors[some[_in_line(boxes)]]] = True
    return marked


def _first_pictures(page: Page, anchors: Ints) -> Ints:
    """The first picture of each hyperlink."""
    images = np.flatnonzero(page.is_tag(NUMBER["img"]) & page.counted)
    return np.asarray(images[np.searchsorted(images, anchors)])


def _in_line(boxes: Floats) -> Mask:
    """Mark the boxes that have enough others of their size at their height or left edge."""
    size = boxes[:, 2:] - boxes[:, :2]
    larger = np.maximum(size[:, None], size[None])
    same = np.all(np.abs(size[:, None] - size[None]) <= MAX_SIZE_DIFFERENCE * larger, axis=2)
    offset = np.abs(boxes[:, None, :2] - boxes[None, :, :2]) <= MAX_OFFSET_PIXELS
    counts = np.sum(np.asarray(same)[:, :, None] & offset, axis=1)
    return np.asarray((counts >= MIN_PICTURES).any(axis=1))
