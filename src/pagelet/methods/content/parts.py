"""Parts of blocks in a listing: the rows that stand for them, and the links below those."""

from bisect import bisect_left
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

import numpy as np

from pagelet import core
from pagelet.page.addresses import strip_credentials
from pagelet.page.dom import label_of, list_anchors, resolve_link
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


@dataclass(frozen=True, slots=True)
class LinkForms:
    """The hyperlinks of a page in JSON form."""

    page: Page
    anchors: list[int]  #: their rows
    size: memoryview  #: rows in the subtree of each row

    @classmethod
    def of(cls, page: Page) -> "LinkForms":
        """The hyperlinks of a page."""
        return cls(page, list_anchors(page), page.size.data)

    def below_each(self, parts: list[tuple[int, ...]]) -> list[list[dict[str, str]]]:
        """The links at or below the rows of each part."""
        inner = list(map(self._anchors_below, parts))
        forms = iter(self._forms([anchor for each in inner for anchor in each]))
        return [list(islice(forms, len(each))) for each in inner]

    def _anchors_below(self, rows: tuple[int, ...]) -> list[int]:
        anchors, size = self.anchors, self.size
        inner: list[int] = []
        for row in rows:
            first = bisect_left(anchors, row)
            inner += anchors[first : bisect_left(anchors, row + size[row], first)]
        return inner

    def _forms(self, anchors: list[int]) -> list[dict[str, str]]:
        """The JSON forms of some links; each address is made absolute once."""
        if not anchors:
            return []
        written = list(map(self.page.hrefs.__getitem__, anchors))
        address = {href: self._address(href) for href in dict.fromkeys(written)}
        labels = zip(label_each(self.page, anchors), written, strict=True)
        return [{"text": text, "href": address[href]} for text, href in labels]

    def _address(self, href: str) -> str:
        return strip_credentials(resolve_link(self.page, href).strip())


def label_each(page: Page, rows: list[int]) -> list[str]:
    """The labels of links; the compiled core reads the texts of those that show one."""
    texts = [""] * len(rows)
    if core.compiled:
        with suppress(UnicodeEncodeError):  # lone surrogates are left to Python
            columns = (page.tag, page.size, page.counted, page.ordinal)
            texts = core.kernels.inner_texts(page.texts, *columns, rows)
    return [text or label_of(page, row) for text, row in zip(texts, rows, strict=True)]
