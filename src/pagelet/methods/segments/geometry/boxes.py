"""The boxes of a rendered page: Zeleny, Burget, Zendulka, IP&M 53(3), 2017, section 4.

Lines of text and images always count. Elsewhere a chain of elements that hold one another and
nothing else is one box: the smallest with a background. A box that contains another one is no
leaf to the eye and is left out.
"""

import numpy as np

from pagelet.arrays import Bytes, Floats, Ints, Mask
from pagelet.page.boxes import IMAGE, SURFACE, TEXT, Boxes, boxes_of
from pagelet.page.layout import Layout
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER, numbers
from pagelet.page.tree import nearest

# -- The colour that lies behind each row of a rendered page ----------------------------------


WHITE = 255
OPAQUE = 255


def seen_background(page: Page, layout: Layout) -> Bytes:
    """Red, green, blue behind each row: its own background, else that of the nearest row above.

    What is half transparent is mixed with what lies behind it; behind the root all is white.
    The background of body is that of the whole page, however small body is.
    """
    shown = layout.drawn.copy()
    shown[: page.body + 1] = True
    opacity = np.where(shown, layout.background[:, 3], 0)
    above = nearest(page.parent, opacity > 0)
    seen = np.vstack((layout.background[:, :3], (WHITE,) * 3)).astype(np.float64)
    mixed = np.flatnonzero((opacity > 0) & (opacity < OPAQUE))
    behind = np.append(above, -1)[page.parent[mixed]]
    share = opacity[mixed] / OPAQUE
    for row, under, part in zip(mixed.tolist(), behind.tolist(), share.tolist(), strict=True):
        seen[row] = seen[row] * part + seen[under] * (1 - part)
    return np.asarray(np.rint(seen[above]), np.uint8)


# -- Which rectangles contain another one, without looking at all pairs -----------------------


LEAF = 4  #: rectangles in the smallest groups
PAIRS = 1 << 18  #: pairs of a rectangle and a group that are looked at together


def contains_another(edges: Floats) -> Mask:
    """Mark the rectangles that contain another one; no two may be equal.

    A rectangle is four numbers that all grow as it grows, so one contains another when none of
    its numbers is less. The rectangles are halved by one number after the other into a tree of
    groups, and a group is opened only when some of it may lie inside.
    """
    numbers = edges * (-1, -1, 1, 1)
    tree = _Groups(numbers)
    found = np.zeros(len(edges), np.bool_)
    waiting = [(np.arange(len(edges)), np.zeros(len(edges), np.intp), 0)]
    while waiting:
        asking, group, level = waiting.pop()
        if level == tree.levels:
            inside = (tree.members(group) <= numbers[asking, None]).all(axis=2)
            inside &= tree.names[group] != asking[:, None]
            found[asking[inside.any(axis=1)]] = True
            continue
        asking, group = tree.opened(numbers, asking, group, level + 1, found)
        parts = range(0, len(asking), PAIRS)
        waiting += [(asking[at : at + PAIRS], group[at : at + PAIRS], level + 1) for at in parts]
    return found


class _Groups:
    """Rectangles as a tree of groups of equal size; group g has the halves 2g and 2g + 1."""

    def __init__(self, numbers: Floats) -> None:
        self.levels = (max(0, len(numbers) - 1) // LEAF).bit_length()
        padded = np.full((LEAF << self.levels, 4), np.inf)  # what is added lies inside nothing
        padded[: len(numbers)] = numbers
        order = np.arange(len(padded))
        for level in range(self.levels):
            groups = order.reshape(1 << level, -1)
            by = np.argsort(padded[groups, level % 4], axis=1, kind="stable")
            order = np.take_along_axis(groups, by, axis=1).ravel()
        self.names = order.reshape(-1, LEAF)
        sizes = [1 << level for level in range(self.levels + 1)]
        shaped = [padded[order].reshape(size, -1, 4) for size in sizes]
        self._least = [groups.min(axis=1) for groups in shaped]
        self._most = [groups.max(axis=1) for groups in shaped]
        self._numbers = shaped[-1]

    def members(self, group: Ints) -> Floats:
        """The numbers of the rectangles of smallest groups."""
        return self._numbers[group]

    def opened(
        self, numbers: Floats, asking: Ints, group: Ints, level: int, found: Mask
    ) -> tuple[Ints, Ints]:
        """The halves that may hold a rectangle inside the asking one; marks the sure cases."""
        still = ~found[asking]
        asking, group = np.repeat(asking[still], 2), np.repeat(group[still] * 2, 2)
        group[1::2] += 1
        near = (self._least[level][group] <= numbers[asking]).all(axis=1)
        asking, group = asking[near], group[near]
        whole = (self._most[level][group] <= numbers[asking]).all(axis=1)
        found[asking[whole]] = True  # a group has several, so one of them is another
        return asking[~whole], group[~whole]


# -- The boxes of a rendered page: Zeleny, Burget, Zendulka, IP&M 53(3), 2017, section 4 ------


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
