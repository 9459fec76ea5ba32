"""Structural blocks: what is attached to each, and sums that fade with the distance.

After Mantratzis, Orgun, Cassidy, HT 2005: structural elements
hold everything that is not structural; the sums of a block are added to the blocks above it,
reduced by a percentage that grows with the distance.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pagelet.arrays import Floats, Int32s, Int64s, Mask, Rows
from pagelet.page.links import anchor_mask
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER, STRUCTURAL
from pagelet.page.tree import ancestors, depths, nearest, subtree_sizes


@dataclass(frozen=True, slots=True)
class StructuralBlocks:
    """The structural elements of a page, in document order."""

    rows: Rows  #: the row of each block
    parent: Rows  #: the block above each block; -1 for body
    owner: Rows  #: for every row of the page, the block that holds it; -1 outside body


def find_blocks(page: Page) -> StructuralBlocks:
    """Find the structural elements of a page and the rows that belong to each."""
    structural = page.is_tag(*STRUCTURAL) & page.counted
    rows = np.flatnonzero(structural)
    number = np.full(len(page) + 1, -1)
    number[rows] = np.arange(len(rows))
    owner = np.where(page.counted, number[nearest(page.parent, structural)], -1)
    above = page.parent[rows]
    return StructuralBlocks(rows, np.where(above >= 0, owner[above], -1), owner)


def attached_counts(
    page: Page, blocks: StructuralBlocks, *, pictures: Mask | None = None
) -> Floats:
    """Count what is attached to each block, without what lies in blocks below it.

    Four lines: hyperlinks with text; non-structural elements with text, hyperlinks among
    them; characters inside hyperlinks; all characters. The hyperlinks marked by `pictures`
    count too, and the words that stand in for their pictures count as their text.
    """
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
    end = np.arange(len(parent)) + subtree_sizes(parent.astype(np.int32))
    level = depths(end)
    if shape == "geometric" and decay:
        return _geometric(values, parent, level, 1 - decay)
    # Blocks too far below to leave anything would be subtracted: they are counted at the
    # block where their reach ends, and given back from there on up.
    reach = math.ceil(1 / decay) if decay else len(parent)
    far = ancestors(parent, reach)
    beyond = np.zeros_like(values)
    if (far >= 0).any():
        for at, value in enumerate(values):
            beyond[at] = np.bincount(far[far >= 0], value[far >= 0], minlength=len(parent))
    sums = np.zeros((4, len(values), len(end) + 1))
    np.cumsum((values, values * level, beyond, beyond * level), axis=2, out=sums[:, :, 1:])
    near, near_level, lost, lost_level = sums[:, :, end] - sums[:, :, :-1]
    fading = 1 + decay * level
    given_back = (fading - decay * reach) * lost - decay * lost_level
    return np.asarray(fading * near - decay * near_level - given_back)


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


# Similar sections of several pages: blocks with the same path of names, and what they repeat

Names = dict[tuple[int, int, str], int]  #: (number of the parent's path, tag, own name) -> number

#: Words of a class name that mean a state or a counter, not a place.
STATE_WORDS = re.compile(r"active|current|selected|open\b|first|last|odd|even|\d+")


def path_numbers(page: Page, blocks: StructuralBlocks, numbering: Names) -> list[int]:
    """A number for the path of names down to each block; equal on pages that share `numbering`."""
    numbers: list[int] = []
    rows, parents = blocks.rows.tolist(), blocks.parent.tolist()
    for row, parent in zip(rows, parents, strict=True):
        above = numbers[parent] if parent >= 0 else -1
        key = (above, int(page.tag[row]), block_name(page.attributes_of(row)))
        numbers.append(numbering.setdefault(key, len(numbering)))
    return numbers


def block_name(attributes: dict[str, str]) -> str:
    """Id or class names of a block without counters and states."""
    words = (attributes.get("id") or attributes.get("class", "")).split()
    return " ".join(sorted(filter(None, (STATE_WORDS.sub("", word) for word in words))))


def link_key(page: Page, anchor: int) -> tuple[str, str]:
    """What identifies a hyperlink on any page: its text and the last part of its target."""
    target = page.hrefs[anchor].partition("#")[0].rstrip("/").rpartition("/")[2]
    return page.inner_text(anchor), target


def picture_key(page: Page, anchor: int) -> tuple[str, str] | None:
    """Width and height of the first picture of a hyperlink without words, else its file's name.

    None for hyperlinks with words or without a picture.
    """
    if page.inner_text(anchor):
        return None
    for row in page.subtree(anchor):
        if page.tag[row] == NUMBER["img"]:
            attributes = page.attributes_of(row)
            size = attributes.get("width", ""), attributes.get("height", "")
            return size if any(size) else ("src", attributes.get("src", "").rpartition("/")[2])
    return None


def repeated_links(
    page: Page, site: Sequence[Page], blocks: StructuralBlocks
) -> tuple[Floats, Floats]:
    """For each hyperlink, the share of pages that repeat it in the similar section.

    First line: words and target are repeated. Second line: a picture of the same width and
    height is repeated. NaN where no other page has the section, or where there is no picture.
    """
    numbering: Names = {}
    numbers = path_numbers(page, blocks, numbering)
    others = [_section_keys(other, numbering) for other in site]
    anchors = page.anchors[page.counted[page.anchors]].tolist()
    links, pictures = np.full((2, len(anchors)), np.nan)
    for at, anchor in enumerate(anchors):
        section = numbers[blocks.owner[anchor]]
        there = [keys[section] for keys in others if section in keys]
        if there:
            picture = picture_key(page, anchor)
            links[at] = np.mean([link_key(page, anchor) in keys for keys in there])
            if picture is not None:
                pictures[at] = np.mean([picture in keys for keys in there])
    return links, pictures


def _section_keys(page: Page, numbering: Names) -> dict[int, set[tuple[str, str]]]:
    """The links and pictures of each section of a page, by the number of its path."""
    blocks = find_blocks(page)
    numbers = path_numbers(page, blocks, numbering)
    keys: dict[int, set[tuple[str, str]]] = {number: set() for number in numbers}
    for anchor in page.anchors[page.counted[page.anchors]].tolist():
        section = keys[numbers[blocks.owner[anchor]]]
        section.add(link_key(page, anchor))
        if (picture := picture_key(page, anchor)) is not None:
            section.add(picture)
    return keys
