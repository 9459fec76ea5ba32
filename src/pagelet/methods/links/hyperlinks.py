"""The hyperlinks of a page as a table: labels, addresses, and what both are.

The table is shared by all methods that look at links, also in different calls. Every column is
read when it is first asked for, each label and each different address once.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pagelet import core
from pagelet.arrays import Int64s, Ints, Mask
from pagelet.methods.links.targets import (
    Addresses,
    find_own_hosts,
    find_targets,
    read_addresses,
)
from pagelet.methods.vocabulary import (
    MAX_SPACES,
    NUMBER_BIT,
    SPACES_BIT,
    address_bits,
    read_labels,
)
from pagelet.page.lazy import kept_column
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER, TEXT
from pagelet.page.words import fold_each

PICTURES = NUMBER["img"], NUMBER["svg"]
ALT_ROWS = 8  #: rows from a link on in which the picture with its words is looked for


@dataclass(frozen=True, eq=False)
class Hyperlinks:
    """One entry per counted hyperlink, in document order."""

    page: Page
    rows: Ints
    kept: dict[str, Any] = field(default_factory=dict, repr=False)  #: columns that were read

    def __len__(self) -> int:
        return len(self.rows)

    @kept_column
    def hrefs(self) -> list[str]:
        """Addresses as written."""
        return [self.page.hrefs[row].strip() for row in self.rows.tolist()]

    # -- labels --------------------------------------------------------------------------------

    @kept_column
    def _texts(self) -> list[str]:
        """The text of each link; empty where it has none."""
        page = self.page
        if core.compiled:
            with suppress(UnicodeEncodeError):  # lone surrogates are left to Python
                columns = page.tag, page.link, page.counted
                return core.kernels.join_labels(page.texts, *columns, self.rows)
        texts = np.flatnonzero((page.tag == TEXT) & page.link & page.counted)
        holders, places = np.searchsorted(self.rows, texts, "right") - 1, page.ordinal[texts]
        labels = [""] * len(self.rows)
        for holder, ordinal in zip(holders.tolist(), places.tolist(), strict=True):
            if holder >= 0:
                text, before = page.texts[ordinal], labels[holder]
                labels[holder] = f"{before} {text}" if before else text
        return fold_each(labels)

    @kept_column
    def chars(self) -> Int64s:
        """Characters of the text of each link."""
        return np.fromiter(map(len, self._texts), np.int64, len(self.rows))

    @kept_column
    def labels(self) -> list[str]:
        """The text of each link, or what stands in for it: aria-label, title or alt."""
        silent = np.flatnonzero(self.chars == 0)
        if not len(silent):
            return self._texts
        labels = self._texts.copy()
        for at, label in zip(silent.tolist(), _spoken(self.page, self.rows[silent]), strict=True):
            labels[at] = label
        return labels

    @kept_column
    def label_chars(self) -> Int64s:
        """Characters of each label."""
        return np.fromiter(map(len, self.labels), np.int64, len(self.rows))

    @kept_column
    def label_bits(self) -> Int64s:
        """What labels are of LABEL_KINDS, as bits, and more (see read_labels)."""
        return read_labels(self.labels)

    @property
    def label_spaces(self) -> Int64s:
        """How many spaces a label has."""
        return np.asarray(self.label_bits >> SPACES_BIT & MAX_SPACES)

    @property
    def label_numbers(self) -> Int64s:
        """The number that a label is or ends with, as page numbers do; -1 for none."""
        return np.asarray((self.label_bits >> NUMBER_BIT) - 1)

    @kept_column
    def pictures(self) -> Mask:
        """Whether a link holds a picture."""
        page = self.page
        pictures = page.is_tag(*PICTURES) & page.counted
        if core.compiled:
            holding = np.empty(len(self.rows), np.bool_)
            core.kernels.hold_pictures(pictures, page.size, self.rows, holding)
            return holding
        images = np.flatnonzero(pictures)
        return np.asarray(
            np.searchsorted(images, page.end[self.rows]) > np.searchsorted(images, self.rows)
        )

    # -- addresses -----------------------------------------------------------------------------

    @kept_column
    def addresses(self) -> tuple[list[str], Ints]:
        """The different addresses, and for each hyperlink the number of its own."""
        if core.compiled:
            numbers = np.empty(len(self.rows), np.intp)
            return core.kernels.number_links(self.page.hrefs, self.rows, numbers), numbers
        number = {href: at for at, href in enumerate(dict.fromkeys(self.hrefs))}
        numbers = np.fromiter(map(number.__getitem__, self.hrefs), np.intp, len(self.hrefs))
        return list(number), numbers

    @kept_column
    def address_bits(self) -> Int64s:
        """Kinds of the addresses by their words."""
        addresses, number = self.addresses
        return address_bits(addresses)[number] if addresses else np.zeros(0, np.int64)

    @kept_column
    def _read(self) -> Addresses:
        """The hosts of the different addresses, and what their paths are."""
        return read_addresses(self.addresses[0], self.page.url)

    @kept_column
    def _own_hosts(self) -> Mask:
        """Whether each different host is one of this site."""
        links = np.bincount(self.host_numbers[self.addresses[1]], minlength=len(self._read.hosts))
        return find_own_hosts(self._read.hosts, links, self.page.url)

    @kept_column
    def internal(self) -> Mask:
        """Whether each link leads to a page of this site."""
        return np.asarray(self._own_hosts[self.host_numbers][self.addresses[1]])

    @kept_column
    def target_bits(self) -> Int64s:
        """What each address is, seen from the page."""
        return find_targets(self._read, self._own_hosts)[self.addresses[1]]

    @kept_column
    def extent(self) -> tuple[Ints, Ints]:
        """For each link the first and the last link with its address."""
        addresses, number = self.addresses
        place = np.arange(len(number))
        first, last = np.empty((2, len(addresses)), np.intp)
        first[number[::-1]], last[number] = place[::-1], place
        return first[number], last[number]

    @kept_column
    def repeats(self) -> tuple[Mask, Mask]:
        """Whether an earlier, and a later, link has the same address."""
        first, last = self.extent
        place = np.arange(len(first))
        return first < place, last > place

    @property
    def host_numbers(self) -> Ints:
        """A number for the host of each different address."""
        return self._read.host


def find_hyperlinks(page: Page) -> Hyperlinks:
    """The counted hyperlinks of a page; what is once read of them is kept with the page."""
    kept = page.derived[Hyperlinks]
    if "rows" not in kept:
        kept["rows"] = page.anchors[page.counted[page.anchors]].astype(np.intp)
    return Hyperlinks(page, kept["rows"], kept)


def _spoken(page: Page, rows: Ints) -> Iterator[str]:
    """What stands in for the text of links without one: aria-label, title, alt."""
    for row, image in zip(rows.tolist(), _first_images(page, rows), strict=True):
        label = page.value_of(row, "aria-label") or page.value_of(row, "title")
        yield label or (page.value_of(image, "alt") if image >= 0 else "")


def _first_images(page: Page, rows: Ints) -> list[int]:
    """The first picture in the first rows of each link; -1 for none."""
    images = np.append(np.flatnonzero(page.tag == NUMBER["img"]), len(page))
    first = images[np.searchsorted(images, rows, "right")]
    near = first < np.minimum(page.end[rows], rows + ALT_ROWS)
    return list(np.where(near, first, -1).tolist())
