"""The hyperlinks of a page as a table: labels, addresses, and what both are.

The table is shared by all methods that look at links, also in different calls. Every column is
read when it is first asked for, each label and each different address once.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pagelet.arrays import Int64s, Ints, Mask
from pagelet.methods.vocabulary import (
    MAX_SPACES,
    NUMBER_BIT,
    SOCIAL_HOSTS,
    SPACES_BIT,
    address_bits,
    read_labels,
)
from pagelet.page.table import Page, kept_column
from pagelet.page.tags import NUMBER, TEXT

#: What an address can be, seen from the page.
TARGETS = (
    "action", "fragment", "contact", "internal", "social", "home", "above", "same_section",
    "query", "slug", "deep",
)  # fmt: skip
ACTION, FRAGMENT, CONTACT, INTERNAL, SOCIAL, HOME, ABOVE, SECTION, QUERY, SLUG, DEEP = (
    1 << at for at in range(len(TARGETS))
)
SLUG_HYPHENS = 3  #: hyphens in the last part of a path that is made of a title
DEEP_PARTS = 3  #: parts of a long path
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
        texts = np.flatnonzero((page.tag == TEXT) & page.link & page.counted)
        holders = np.searchsorted(self.rows, texts, "right") - 1
        labels = [""] * len(self.rows)
        ordinals = page.ordinal[texts].tolist()
        for holder, ordinal in zip(holders.tolist(), ordinals, strict=True):
            if holder >= 0:
                text, before = page.texts[ordinal], labels[holder]
                labels[holder] = f"{before} {text}" if before else text
        return [" ".join(label.split()) for label in labels]

    @kept_column
    def chars(self) -> Int64s:
        """Characters of the text of each link."""
        return np.fromiter(map(len, self._texts), np.int64, len(self.rows))

    @kept_column
    def labels(self) -> list[str]:
        """The text of each link, or what stands in for it: aria-label, title or alt."""
        labels = self._texts.copy()
        for at in np.flatnonzero(self.chars == 0).tolist():
            labels[at] = _spoken(self.page, int(self.rows[at]))
        return labels

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
        images = np.flatnonzero(page.is_tag(NUMBER["img"], NUMBER["svg"]) & page.counted)
        return np.asarray(
            np.searchsorted(images, page.end[self.rows]) > np.searchsorted(images, self.rows)
        )

    # -- addresses -----------------------------------------------------------------------------

    @kept_column
    def addresses(self) -> tuple[list[str], Ints]:
        """The different addresses, and for each hyperlink the number of its own."""
        number = {href: at for at, href in enumerate(dict.fromkeys(self.hrefs))}
        numbers = np.fromiter(map(number.__getitem__, self.hrefs), np.intp, len(self.hrefs))
        return list(number), numbers

    @kept_column
    def address_bits(self) -> Int64s:
        """Kinds of the addresses by their words."""
        addresses, number = self.addresses
        return address_bits(addresses)[number] if addresses else np.zeros(0, np.int64)

    @kept_column
    def hosts(self) -> list[str]:
        """Host of each different address (see _host)."""
        return [_host(href) for href in self.addresses[0]]

    @kept_column
    def _own(self) -> list[bool]:
        """Whether each different address is one of this site."""
        named = _own_hosts([self.hosts[at] for at in self.addresses[1].tolist()], self.page.url)
        below = tuple("." + host for host in named if host)
        return [host in named or host.endswith(below) for host in self.hosts]

    @kept_column
    def internal(self) -> Mask:
        """Whether each link leads to a page of this site."""
        return np.array(self._own, np.bool_)[self.addresses[1]]

    @kept_column
    def target_bits(self) -> Int64s:
        """What each address is, seen from the page."""
        addresses, number = self.addresses
        here = _path(self.page.url or "")
        each = zip(addresses, self.hosts, self._own, strict=True)
        bits = [_target(href, host, here, own=own) for href, host, own in each]
        return np.array(bits, np.int64)[number]

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

    @kept_column
    def host_numbers(self) -> Ints:
        """A number for the host of each different address."""
        code = {host: at for at, host in enumerate(dict.fromkeys(self.hosts))}
        return np.array([code[host] for host in self.hosts], np.intp)


def find_hyperlinks(page: Page) -> Hyperlinks:
    """The counted hyperlinks of a page; what is once read of them is kept with the page."""
    kept = page.derived[Hyperlinks]
    if "rows" not in kept:
        kept["rows"] = page.anchors[page.counted[page.anchors]].astype(np.intp)
    return Hyperlinks(page, kept["rows"], kept)


def _spoken(page: Page, row: int) -> str:
    """What stands in for the text of a link without one: aria-label, title, alt."""
    attributes = page.attributes_of(row)
    return attributes.get("aria-label") or attributes.get("title") or _alt(page, row)


def _alt(page: Page, row: int) -> str:
    inner = page.tag[row + 1 : min(int(page.end[row]), row + ALT_ROWS)].tolist()
    if NUMBER["img"] not in inner:
        return ""
    return page.attributes_of(row + 1 + inner.index(NUMBER["img"])).get("alt", "")


# -- addresses ---------------------------------------------------------------------------------


def _host(href: str) -> str:
    """Host of an address without www; empty for a relative one, # for what is no page."""
    if href.startswith(("http:", "https:", "//", "HTTP")):
        host = href.partition("//")[2].partition("/")[0].partition("?")[0].lower()
        return host.removeprefix("www.")
    if not href or href[0] == "#" or ":" in href.partition("/")[0].partition("?")[0]:
        return "#"
    return ""


def _own_hosts(hosts: list[str], url: str | None) -> set[str]:
    """This site: relative addresses, the page's own host, else the one most links lead to."""
    if url:
        return {"", _host(url)}
    named = Counter(host for host in hosts if host not in ("", "#"))
    return {"", *(host for host, _ in named.most_common(1) if host not in SOCIAL_HOSTS)}


def _path(address: str) -> str:
    """The path of an address without its first and last slash."""
    if "//" in address[:8]:
        address = address.partition("//")[2].partition("/")[2]
    return address.partition("#")[0].partition("?")[0].strip("/")


def _target(href: str, host: str, here: str, *, own: bool) -> int:
    """What an address is, seen from the page, as bits."""
    if host == "#":
        return _no_page(href)
    path = _path(href)
    bits = QUERY if "?" in href else 0
    if path.count("-") + path.count("_") >= SLUG_HYPHENS:
        last = path.rpartition("/")[2]
        bits |= SLUG if last.count("-") + last.count("_") >= SLUG_HYPHENS else 0
    if path.count("/") >= DEEP_PARTS - 1:
        bits |= DEEP
    if own:
        return bits | INTERNAL | _seen_from(path, href, here)
    return bits | SOCIAL if host in SOCIAL_HOSTS or host.partition(".")[2] in SOCIAL_HOSTS else bits


def _no_page(href: str) -> int:
    if href.startswith("#"):
        return FRAGMENT if len(href) > 1 and href != "#top" else ACTION
    return CONTACT if href[:7].lower().startswith(("mailto:", "tel:", "sms:")) else ACTION


def _seen_from(path: str, href: str, here: str) -> int:
    """Whether an address of this site is its front page, above the page, or beside it."""
    if not path:
        return HOME if "?" not in href else 0
    if not here:
        return 0
    if path == here:
        return FRAGMENT if "#" in href else ABOVE
    if here.startswith(path + "/"):
        return ABOVE
    first, _, rest = here.partition("/")
    return SECTION if rest and path.partition("/")[0] == first else 0
