"""Similar sections of several pages: blocks with the same name path, and what they repeat."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.page import Page
from pagelet.measures.blocks import Blocks, blocks
from pagelet.tags import NUMBER

Floats = NDArray[np.float64]
Names = dict[tuple[int, int, str], int]  #: (number of the parent's path, tag, own name) -> number

STATE = re.compile(r"active|current|selected|open\b|first|last|odd|even|\d+")  #: says no place


def path_numbers(page: Page, found: Blocks, known: Names) -> list[int]:
    """A number for the path of names down to each block; equal on all pages that share `known`."""
    numbers: list[int] = []
    rows, parents = found.rows.tolist(), found.parent.tolist()
    for row, parent in zip(rows, parents, strict=True):
        above = numbers[parent] if parent >= 0 else -1
        key = (above, int(page.tag[row]), block_name(page.attributes_of(row)))
        numbers.append(known.setdefault(key, len(known)))
    return numbers


def block_name(attributes: dict[str, str]) -> str:
    """Id or class names of a block without counters and states."""
    words = (attributes.get("id") or attributes.get("class", "")).split()
    return " ".join(sorted(filter(None, (STATE.sub("", word) for word in words))))


def link_sign(page: Page, anchor: int) -> tuple[str, str]:
    """What tells a hyperlink from others wherever it stands: its words and its target's name."""
    target = page.hrefs[anchor].partition("#")[0].rstrip("/").rpartition("/")[2]
    return page.inner_text(anchor), target


def picture_sign(page: Page, anchor: int) -> tuple[str, str] | None:
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


def repeated_links(page: Page, site: Sequence[Page], found: Blocks) -> tuple[Floats, Floats]:
    """For each hyperlink, the share of pages that repeat it in the similar section.

    First line: words and target are repeated. Second line: a picture of the same width and
    height is repeated. NaN where no other page has the section, or where there is no picture.
    """
    known: Names = {}
    numbers = path_numbers(page, found, known)
    others = [_signs(other, known) for other in site]
    anchors = page.anchors[page.counted[page.anchors]].tolist()
    links, pictures = np.full((2, len(anchors)), np.nan)
    for at, anchor in enumerate(anchors):
        section = numbers[found.owner[anchor]]
        there = [signs[section] for signs in others if section in signs]
        if there:
            picture = picture_sign(page, anchor)
            links[at] = np.mean([link_sign(page, anchor) in signs for signs in there])
            if picture is not None:
                pictures[at] = np.mean([picture in signs for signs in there])
    return links, pictures


def _signs(page: Page, known: Names) -> dict[int, set[tuple[str, str]]]:
    """What stands in each section of a page."""
    found = blocks(page)
    numbers = path_numbers(page, found, known)
    signs: dict[int, set[tuple[str, str]]] = {number: set() for number in numbers}
    for anchor in page.anchors[page.counted[page.anchors]].tolist():
        section = signs[numbers[found.owner[anchor]]]
        section.add(link_sign(page, anchor))
        if (picture := picture_sign(page, anchor)) is not None:
            section.add(picture)
    return signs
