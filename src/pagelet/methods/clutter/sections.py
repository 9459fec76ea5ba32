"""Similar sections of several pages: blocks with the same path of names, and what they repeat."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pagelet.arrays import Floats
from pagelet.methods.clutter.blocks import StructuralBlocks, find_blocks
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER, STRUCTURAL

Names = dict[tuple[int, int, str], int]  #: (number of the parent's path, tag, own name) -> number

MAX_RATIO_DIFFERENCE = 0.25  #: between the picture ratios of similar sections

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


@dataclass(frozen=True, slots=True)
class Section:
    """What a block holds, as far as it can be compared with other pages."""

    keys: frozenset[tuple[str, str]]  #: its hyperlinks and pictures
    picture_ratio: float  #: share of its pictures that are hyperlinks; NaN without pictures


def repeated_links(
    page: Page, site: Sequence[Page], blocks: StructuralBlocks, tags: Sequence[int] = STRUCTURAL
) -> tuple[Floats, Floats]:
    """For each hyperlink, the share of pages that repeat it in the similar section.

    First line: words and target are repeated. Second line: a picture of the same width and
    height is repeated, in a section where about as many of the pictures are hyperlinks. NaN where
    no other page has the section, or where there is no picture.
    """
    numbering: Names = {}
    numbers = path_numbers(page, blocks, numbering)
    others = [_sections(other, find_blocks(other, tags), numbering) for other in site]
    ratio = picture_ratios(page, blocks)
    anchors = page.anchors[page.counted[page.anchors]].tolist()
    links, pictures = np.full((2, len(anchors)), np.nan)
    for at, anchor in enumerate(anchors):
        block = blocks.owner[anchor]
        there = [each[numbers[block]] for each in others if numbers[block] in each]
        if there:
            picture = picture_key(page, anchor)
            links[at] = np.mean([link_key(page, anchor) in each.keys for each in there])
            if picture is not None:
                alike = [_has_picture(each, picture, ratio[block]) for each in there]
                pictures[at] = np.mean(alike)
    return links, pictures


def _has_picture(section: Section, picture: tuple[str, str], ratio: float) -> bool:
    alike = abs(section.picture_ratio - ratio) <= MAX_RATIO_DIFFERENCE
    return alike and picture in section.keys


def picture_ratios(page: Page, blocks: StructuralBlocks) -> Floats:
    """For each block, the share of the pictures attached to it that are hyperlinks."""
    images = np.flatnonzero(page.is_tag(NUMBER["img"]) & page.counted & (blocks.owner >= 0))
    owner, count = blocks.owner[images], len(blocks.rows)
    whole = np.bincount(owner, minlength=count)
    linked = np.bincount(owner, page.link[images], minlength=count)
    return np.where(whole > 0, linked / np.maximum(whole, 1), np.nan)


def _sections(page: Page, blocks: StructuralBlocks, numbering: Names) -> dict[int, Section]:
    """The sections of a page, by the number of their path; those with one path together."""
    numbers = path_numbers(page, blocks, numbering)
    keys: dict[int, set[tuple[str, str]]] = {number: set() for number in numbers}
    for anchor in page.anchors[page.counted[page.anchors]].tolist():
        section = keys[numbers[blocks.owner[anchor]]]
        section.add(link_key(page, anchor))
        if (picture := picture_key(page, anchor)) is not None:
            section.add(picture)
    ratios = dict(zip(numbers, picture_ratios(page, blocks).tolist(), strict=True))
    return {number: Section(frozenset(held), ratios[number]) for number, held in keys.items()}
