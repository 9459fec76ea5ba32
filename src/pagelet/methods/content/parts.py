"""Parts of blocks in a listing: the rows that stand for them, and the links below those."""

from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice
from typing import Any, NamedTuple

import numpy as np

from pagelet import core
from pagelet.arrays import Bytes, Floats, Ints
from pagelet.page.addresses import origin_of, strip_credentials
from pagelet.page.dom import anchors_below, label_of, link_base, link_forms, resolve_link
from pagelet.page.paths import odd_names
from pagelet.page.table import Page
from pagelet.page.textblocks import TextBlocks


@dataclass(frozen=True, slots=True)
class TopRows:
    """Finds the rows that represent parts of a page; buffers, which are read fastest in places."""

    rows: memoryview  #: rows of the texts of blocks
    parent: memoryview  #: of each row
    above: memoryview  #: the block element of each row
    before: memoryview  #: number of texts of blocks before each row
    through: memoryview  #: number of texts of blocks before the end of each row

    @classmethod
    def of(cls, page: Page, blocks: TextBlocks) -> "TopRows":
        """The columns of a page and its blocks."""
        marked = np.zeros(len(page) + 1, np.intp)
        marked[blocks.rows + 1] = 1
        before = np.cumsum(marked)
        columns = (blocks.rows, page.parent, blocks.above, before, before[page.end])
        return cls(*(column.data for column in columns))

    def of_part(self, first: int, last: int) -> tuple[int, ...]:
        """The rows that represent a part: elements that hold nothing else, or its texts."""
        parent, above, before, through = self.parent, self.above, self.before, self.through
        tops = []
        while first < last:
            top, after = self.rows[first], first + 1
            while above[top] != top:
                higher = parent[top]
                if before[higher] != first or through[higher] > last:
                    break
                top, after = higher, through[higher]
            tops.append(top)
            first = after
        return tuple(tops)


def top_rows(page: Page, blocks: TextBlocks, parts: list[tuple[int, int]]) -> list[tuple[int, ...]]:
    """The rows that represent parts, which are given by their first and last place."""
    if core.compiled:
        return core.kernels.top_rows(blocks.rows, page.parent, page.size, blocks.above, parts)
    tops = TopRows.of(page, blocks)
    return [tops.of_part(first, last) for first, last in parts]


class KeptBounds(NamedTuple):
    """Where the parts of blocks that are kept begin and end among the texts of all blocks."""

    places: list[tuple[int, int]]  #: first and last place of each
    blocks: Ints
    before: Ints  #: texts that are kept before each


class KeptParts(NamedTuple):
    """Parts of blocks that are kept."""

    bounds: list[tuple[int, int]]  #: first and last place of each among the texts of all blocks
    blocks: Ints
    rows: list[tuple[int, ...]]  #: the rows that represent each
    roles: list[str]
    scores: Floats


NO_PARTS = KeptParts([], np.zeros(0, np.intp), [], [], np.zeros(0))


class FoldedTexts(NamedTuple):
    """Texts of parts that are kept, one after the other."""

    places: Ints  #: among the texts of the page
    gap: Bytes  #: between each and the next
    begin: Ints  #: where the parts begin among them


NOTHING_FOLDED = FoldedTexts(np.zeros(0, np.intp), np.zeros(0, np.uint8), np.zeros(0, np.intp))


def write_parts(
    page: Page,
    parts: KeptParts,
    reasons: dict[int, dict[str, Any]],
    written: list[str] | None,
    folded: FoldedTexts,
) -> "core.kernels.JsonText | None":
    """The JSON forms of parts as text, by the compiled core; their texts are written or folded.

    Reasons are those of the parts that have some, by number.
    """
    addresses, marks = LinkAddresses(page), np.zeros((2, len(page)), np.uint8)
    hrefs = page.href_writer(origin_of(link_base(page)))
    blanks, places = (page.blank_row, page.blank_parent), np.zeros(len(page), np.int64)
    writer = core.kernels.PartWriter(
        (page.tag, page.parent, page.size, page.counted, page.ordinal),
        (*blanks, page.foreign, odd_names(page.names), page.names, places, *marks),
        page.texts,
        (page.anchors, partial(label_of, page), addresses.address_at, hrefs),
        page.path,
    )
    return writer.write(parts.rows, (parts.roles, parts.scores, reasons), written, *folded)


@dataclass(frozen=True, slots=True)
class LinkAddresses:
    """Absolute addresses of the hyperlinks of a page; each that is written is joined once."""

    page: Page
    joined: dict[str, str] = field(default_factory=dict)  #: by what is written

    def address_at(self, anchor: int) -> str:
        """The address of the link in a row."""
        href = self.page.href_of(anchor) or ""
        address = self.joined.get(href)
        if address is None:
            address = self.joined[href] = absolute_address(self.page, href)
        return address


def absolute_address(page: Page, href: str) -> str:
    """The address of a link as an answer gives it."""
    return strip_credentials(resolve_link(page, href).strip())


def links_below_each(page: Page, parts: list[tuple[int, ...]]) -> list[list[dict[str, str]]]:
    """The JSON forms of the links at or below the rows of each part."""
    inner = [[anchor for row in rows for anchor in anchors_below(page, row)] for rows in parts]
    forms = iter(link_forms(page, list(chain(*inner)), partial(absolute_address, page)))
    return [list(islice(forms, len(anchors))) for anchors in inner]
