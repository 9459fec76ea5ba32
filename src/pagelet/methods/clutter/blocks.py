"""Structural blocks: what is attached to each, and sums that fade with the distance.

After Mantratzis, Orgun, Cassidy, HT 2005: structural elements
hold everything that is not structural; the sums of a block are added to the blocks above it,
reduced by a percentage that grows with the distance.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pagelet import core
from pagelet.arrays import Floats, Int32s, Int64s, Ints, Mask, Rows
from pagelet.methods.links.groups import find_spans
from pagelet.page.links import anchor_mask
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER, STRUCTURAL, TEXT
from pagelet.page.tree import ancestors, depths, nearest, subtree_sizes

MAX_SEPARATOR_CHARS = 5  #: characters of the symbols between two hyperlinks


@dataclass(frozen=True, slots=True)
class StructuralBlocks:
    """The structural elements of a page, in document order."""

    rows: Rows  #: the row of each block
    parent: Rows  #: the block above each block; -1 for body
    owner: Rows  #: for every row of the page, the block that holds it; -1 outside body


def find_blocks(page: Page, tags: Sequence[int] = STRUCTURAL) -> StructuralBlocks:
    """Find the structural elements of a page and the rows that belong to each.

    Paragraphs that are lists of hyperlinks are structural whatever the tags.
    """
    structural = page.is_tag(NUMBER["body"], *tags) & page.counted
    structural[separated_lists(page)] = True
    if core.compiled:
        owner, blocks = np.empty(len(page), np.intp), np.empty((2, len(page)), np.intp)
        count = core.kernels.own_blocks(page.parent, page.counted, structural, owner, blocks)
        rows, above = blocks[:, :count].copy()
        return StructuralBlocks(rows, above, owner)
    rows = np.flatnonzero(structural)
    number = np.full(len(page) + 1, -1)
    number[rows] = np.arange(len(rows))
    owner = np.where(page.counted, number[nearest(page.parent, structural)], -1)
    parent = page.parent[rows]
    return StructuralBlocks(rows, np.where(parent >= 0, owner[parent], -1), owner)


def separated_lists(page: Page) -> Rows:
    """Paragraphs that are lists of hyperlinks: nothing but symbols such as | between the links."""
    holders = find_spans(page).holders  # elements with two links or more
    paragraphs = holders[page.tag[holders] == NUMBER["p"]]
    if not len(paragraphs):
        return np.zeros(0, np.intp)
    plain = np.flatnonzero((page.tag == TEXT) & page.counted & ~page.link)
    first, last = np.searchsorted(plain, (paragraphs, page.end[paragraphs]))
    opened, closed = (np.bincount(at, minlength=len(plain) + 1) for at in (first, last))
    inside = np.cumsum(opened - closed)[:-1] > 0
    words = np.zeros(len(plain) + 1, np.int64)
    words[1:][inside] = ~_separators(page, plain[inside])
    words = np.cumsum(words)
    return np.asarray(paragraphs[words[first] == words[last]])


def _separators(page: Page, texts: Rows) -> Mask:
    """Mark the texts that are made of a few symbols."""
    short = page.chars[texts] <= MAX_SEPARATOR_CHARS
    written = [page.texts[at] for at in page.ordinal[texts[short]].tolist()]
    marked = np.zeros(len(texts), np.bool_)
    marked[short] = [not any(map(str.isalnum, text)) for text in written]
    return marked


def attached_counts(
    page: Page, blocks: StructuralBlocks, *, pictures: Mask | None = None
) -> Floats:
    """Count what is attached to each block, without what lies in blocks below it.

    Four lines: hyperlinks with text; non-structural elements with text, hyperlinks among
    them; characters inside hyperlinks; all characters. The hyperlinks marked by `pictures`
    count too, and the words that stand in for their pictures count as their text.
    """
    if core.compiled and pictures is None:
        made = np.empty((4, len(blocks.rows)))
        core.kernels.attach_counts(
            page.tag, page.size, page.chars, page.counted, page.link, page.anchors,
            blocks.rows, blocks.owner, made,
        )  # fmt: skip
        return made
    chars = np.where(page.counted, page.chars, 0)
    if pictures is not None:
        chars = chars + picture_chars(page, pictures)
    has_text = page.sum_subtree(chars) > 0
    anchor = anchor_mask(page)
    tag = page.element & page.counted
    tag[blocks.rows] = False
    counts = np.array((anchor & has_text, tag & has_text, chars * page.link, chars), float)
    where, count = blocks.owner >= 0, len(blocks.rows)
    places = (np.arange(4) * count)[:, None] + blocks.owner[where]
    summed = np.bincount(places.ravel(), counts[:, where].ravel(), 4 * count)
    return summed.astype(float).reshape(4, count)


def picture_mask(page: Page) -> Mask:
    """Mark the hyperlinks that hold a picture and no text."""
    texts = page.sum_subtree(np.where(page.counted, page.chars, 0))
    pictures = page.sum_subtree(page.is_tag(NUMBER["img"]) & page.counted)
    return np.asarray(anchor_mask(page) & (texts == 0) & (pictures > 0))


def picture_chars(page: Page, marked: Mask) -> Int64s:
    """Characters that stand in for the pictures of marked hyperlinks: alt, at least one each."""
    chars = np.zeros(len(page), np.int64)
    images = page.inside(marked) & page.counted & page.is_tag(NUMBER["img"])
    for row in np.flatnonzero(images).tolist():
        chars[row] = max(len(" ".join(page.attributes_of(row).get("alt", "").split())), 1)
    return chars


def faded_sums(values: Floats, parent: Rows, decay: float, shape: str) -> Floats:
    """Add to each block the values of the blocks below it, reduced by their distance d.

    linear: 1 - decay * d, never below 0; geometric: (1 - decay) ** d. Each line of values is
    a quantity of its own.
    """
    reach = math.ceil(1 / decay) if decay else len(parent)
    if core.compiled and (shape == "linear" or not decay):
        faded = np.empty(values.shape)
        lines, above = np.ascontiguousarray(values, float), np.ascontiguousarray(parent, np.intp)
        if core.kernels.fade_sums(lines, above, decay, reach, faded):
            return faded
    end = np.arange(len(parent)) + subtree_sizes(parent.astype(np.int32))
    level = depths(end)
    if shape == "geometric" and decay:
        return _geometric(values, parent, level, 1 - decay)
    return _fade_linear(values, parent, end, decay)


def _fade_linear(values: Floats, parent: Rows, end: Ints, decay: float) -> Floats:
    """The sums that fade by as much with each level.

    Blocks too far below to leave anything would be subtracted: they are counted at the block where
    their reach ends, and given back from there on up.
    """
    level = depths(end)
    reach = math.ceil(1 / decay) if decay else len(parent)
    fading = 1 + decay * level
    near, near_level = _sum_below(np.stack((values, values * level)), end)
    faded = fading * near - decay * near_level
    if level.max(initial=0) < reach:
        return np.asarray(faded)
    far = ancestors(parent, reach)
    beyond = np.zeros_like(values)
    for at, value in enumerate(values):
        beyond[at] = np.bincount(far[far >= 0], value[far >= 0], minlength=len(parent))
    lost, lost_level = _sum_below(np.stack((beyond, beyond * level)), end)
    given_back = (fading - decay * reach) * lost - decay * lost_level
    return np.asarray(faded - given_back)


def _sum_below(values: Floats, end: Ints) -> Floats:
    """Sums over each block and all below it, where the blocks below each end."""
    sums = np.zeros((*values.shape[:-1], len(end) + 1))
    np.cumsum(values, axis=-1, out=sums[..., 1:])
    return np.asarray(sums[..., end] - sums[..., :-1])


def _geometric(values: Floats, parent: Rows, level: Int32s, kept: float) -> Floats:
    """Carry sums up level by level, the deepest first, each time reduced."""
    summed = values.copy()
    order = np.argsort(-level, kind="stable")
    bounds = np.flatnonzero(np.diff(level[order])) + 1
    for blocks_of_level in np.split(order, bounds):
        above = parent[blocks_of_level]
        inner = blocks_of_level[above >= 0]
        for line in summed:
            np.add.at(line, parent[inner], kept * line[inner])
    return summed
