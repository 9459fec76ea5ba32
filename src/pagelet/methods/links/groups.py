"""Groups of links: elements with two or more hyperlinks whose set of links no child of them has.

The hyperlinks of a page are a table of their own, in document order. A group covers a range of
that table and a range of the page's rows, so that every sum over a group is a difference of two
prefix sums.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Int64s, Ints, Mask, Rows
from pagelet.methods.links.vocabulary import SOCIAL_HOSTS, address_bits, text_bits
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER, TEXT
from pagelet.page.tree import nearest

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


@dataclass(frozen=True, eq=False)
class Hyperlinks:
    """One entry per counted hyperlink, in document order."""

    page: Page
    rows: Ints
    hrefs: list[str]  #: addresses as written
    labels: list[str]  #: texts of the links; empty where a link has none
    chars: Floats  #: characters of the label
    pictures: Mask  #: whether the link holds a picture
    icon: Mask  #: whether it has neither text nor a picture with words

    @cached_property
    def label_bits(self) -> Int64s:
        """Kinds of the labels."""
        return text_bits(self.labels)

    @cached_property
    def addresses(self) -> tuple[list[str], Ints]:
        """The different addresses, and for each hyperlink the number of its own."""
        number = {href: at for at, href in enumerate(dict.fromkeys(self.hrefs))}
        numbers = np.fromiter(map(number.__getitem__, self.hrefs), np.intp, len(self.hrefs))
        return list(number), numbers

    @cached_property
    def address_bits(self) -> Int64s:
        """Kinds of the addresses by their words."""
        addresses, number = self.addresses
        return address_bits(addresses)[number] if addresses else np.zeros(0, np.int64)

    @cached_property
    def hosts(self) -> list[str]:
        """Host of each different address (see _host)."""
        return [_host(href) for href in self.addresses[0]]

    @cached_property
    def target_bits(self) -> Int64s:
        """What each address is, seen from the page."""
        addresses, number = self.addresses
        own = _own_hosts([self.hosts[at] for at in number.tolist()], self.page.url)
        below = tuple("." + host for host in own if host)
        here = _path(self.page.url or "")
        bits = [
            _target(href, host, here, own=host in own or host.endswith(below))
            for href, host in zip(addresses, self.hosts, strict=True)
        ]
        return np.array(bits, np.int64)[number]

    @cached_property
    def repeats(self) -> tuple[Mask, Mask]:
        """Whether an earlier, and a later, link has the same address."""
        addresses, number = self.addresses
        place = np.arange(len(number))
        first, last = np.empty((2, len(addresses)), np.intp)
        first[number[::-1]], last[number] = place[::-1], place
        return first[number] < place, last[number] > place

    @cached_property
    def host_changes(self) -> Mask:
        """Whether a link leads to another host than the link before it."""
        code = {host: at for at, host in enumerate(dict.fromkeys(self.hosts))}
        host = np.array([code[host] for host in self.hosts], np.intp)[self.addresses[1]]
        return np.concatenate(([False], host[1:] != host[:-1]))[: len(host)]


def find_hyperlinks(page: Page) -> Hyperlinks:
    """Read every counted hyperlink of a page."""
    rows = page.anchors[page.counted[page.anchors]].astype(np.intp)
    end = page.end[rows]
    image = page.is_tag(NUMBER["img"], NUMBER["svg"]) & page.counted
    sums = np.concatenate(([0], np.cumsum(image)))
    labels = _labels(page, rows)
    pictures = sums[end] > sums[rows]
    spoken = _spoken(page, rows, labels)
    return Hyperlinks(
        page=page,
        rows=rows,
        hrefs=[page.hrefs[row].strip() for row in rows.tolist()],
        labels=[label or spoken.get(at, "") for at, label in enumerate(labels)],
        chars=np.array([len(label) for label in labels], float),
        pictures=pictures,
        icon=np.array([not label for label in labels], np.bool_),
    )


def _labels(page: Page, rows: Ints) -> list[str]:
    texts = np.flatnonzero((page.tag == TEXT) & page.link & page.counted)
    holder = np.searchsorted(rows, texts, "right") - 1
    parts: list[list[str]] = [[] for _ in range(len(rows))]
    for at, number in zip(holder.tolist(), page.ordinal[texts].tolist(), strict=True):
        if at >= 0:
            parts[at].append(page.texts[number])
    return [" ".join(" ".join(part).split()) for part in parts]


def _spoken(page: Page, rows: Ints, labels: list[str]) -> dict[int, str]:
    """What stands in for the text of links without one: aria-label, title, alt."""
    spoken = {}
    for at, (row, label) in enumerate(zip(rows.tolist(), labels, strict=True)):
        if label:
            continue
        attributes = page.attributes_of(row)
        text = attributes.get("aria-label") or attributes.get("title") or ""
        spoken[at] = text or _alt(page, row)
    return spoken


def _alt(page: Page, row: int) -> str:
    for inner in range(row + 1, min(int(page.end[row]), row + 8)):
        if page.tag[inner] == NUMBER["img"]:
            return page.attributes_of(inner).get("alt", "")
    return ""


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
    last = path.rpartition("/")[2]
    if last.count("-") + last.count("_") >= SLUG_HYPHENS:
        bits |= SLUG
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
    if path == here:
        return FRAGMENT if "#" in href else ABOVE
    if here.startswith(path + "/"):
        return ABOVE
    first, _, rest = here.partition("/")
    return SECTION if rest and path.partition("/")[0] == first else 0


# -- groups ------------------------------------------------------------------------------------

MIN_LINKS = 2  #: hyperlinks below an element that can be a group


@dataclass(frozen=True, eq=False)
class LinkHolders:
    """Elements with hyperlinks, in document order."""

    page: Page
    rows: Rows  #: the elements
    first: Rows  #: the first hyperlink of each
    last: Rows  #: one past its last hyperlink

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def count(self) -> Floats:
        """Hyperlinks of each element."""
        return (self.last - self.first).astype(float)

    @cached_property
    def end(self) -> Rows:
        """First row after each element."""
        return self.page.end[self.rows]

    @cached_property
    def parent(self) -> Rows:
        """Parent of each element; that of the root is the root."""
        return np.maximum(self.page.parent[self.rows], 0)

    def over_links(self, columns: NDArray[np.generic]) -> Floats:
        """Sums of columns of the hyperlinks over each element: one line per column."""
        sums = prefix(columns)
        return np.asarray(sums[:, self.last] - sums[:, self.first])


@dataclass(frozen=True, eq=False)
class LinkGroups(LinkHolders):
    """The groups of links of a page."""

    links: Hyperlinks
    holders: Rows  #: all elements with two or more hyperlinks: groups and what lies around them

    @cached_property
    def within(self) -> Rows:
        """The group around each group; -1 for the outermost."""
        ends = self.end.tolist()
        stack: list[int] = []
        within: list[int] = []
        for at, row in enumerate(self.rows.tolist()):
            while stack and ends[stack[-1]] <= row:
                stack.pop()
            within.append(stack[-1] if stack else -1)
            stack.append(at)
        return np.array(within, np.intp)

    @cached_property
    def smallest(self) -> Rows:
        """For each hyperlink the smallest group around it; -1 where there is none."""
        page = self.page
        holds = np.zeros(len(page), np.bool_)
        holds[self.rows] = True
        around = nearest(page.parent, holds)[page.parent[self.links.rows]]
        return np.where(around >= 0, np.searchsorted(self.rows, around), -1)


def prefix(columns: NDArray[np.generic]) -> NDArray[Any]:
    """Prefix sums of several columns, one line each."""
    sums = np.zeros((len(columns), columns.shape[1] + 1))
    np.cumsum(columns, axis=1, out=sums[:, 1:])
    return sums


def find_groups(page: Page) -> LinkGroups:
    """The groups of links of a page."""
    links = find_hyperlinks(page)
    before, count = count_links(page, links.rows)
    candidate = page.counted & page.element & (count >= MIN_LINKS)
    # an element whose links all lie in one child that is no hyperlink is no group of its own
    holders = np.flatnonzero(candidate)
    parent = page.parent[holders]
    passes = parent[count[parent] == count[holders]]
    candidate[passes[passes >= 0]] = False
    rows = np.flatnonzero(candidate)
    return LinkGroups(page, rows, before[rows], before[page.end[rows]], links, holders)


def count_links(page: Page, links: Ints) -> tuple[Ints, Ints]:
    """Hyperlinks before each row and before the end of the page, and those below each row."""
    before = np.zeros(len(page) + 1, np.intp)
    before[links + 1] = 1
    before = np.cumsum(before)
    return before, before[page.end] - before[1:]
