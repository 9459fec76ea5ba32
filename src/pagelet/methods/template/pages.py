"""Which pages of a site a page is compared with: few, unlike each other, of the same template.

Links are followed folder by folder in turn, those of other folders first: pages of one folder
often share more than the site's template. Where nothing links, the site is asked which
addresses it knows. Loading stops when another page no longer changes the answer.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, takewhile
from urllib.parse import urldefrag, urlsplit

import numpy as np

from pagelet.arrays import Ints
from pagelet.methods.template.slot import Slot, find_slot
from pagelet.methods.template.table import MOST, Table, digest
from pagelet.page.site import Site
from pagelet.page.table import Page
from pagelet.write.media import base_of, link_address

# -- Which pages of a site are worth comparing: links, distances, and pages that link each other


ENDINGS = ("", "html", "htm", "php", "php3", "asp")
REFUSED = ("/file", "feeds", ".pdf", "/rss")  #: parts of a path that lead to no page
ENDING = re.compile(r"\.([^./]*)$")
STEPS = 20_000  #: sets that are tried before a search gives up


@dataclass(frozen=True, slots=True)
class KeptLink:
    """A link of the key page that may be explored."""

    url: str
    row: int


def plain_address(url: str) -> str:
    """An address without its fragment, spaces as spaces."""
    return urldefrag(url).url.replace("%20", " ")


def kept_links(page: Page) -> list[KeptLink]:
    """Links to pages of the same host, in document order, each address once; not to itself."""
    base = base_of(page)
    own = plain_address(page.url or "")
    found: dict[str, int] = {}
    for row, href in page.hrefs.items():
        url = link_address(href, base)
        if url and _is_page(url, own):
            found.setdefault(plain_address(url), row)
    found.pop(own, None)
    return [KeptLink(url, row) for url, row in found.items()]


def _is_page(url: str, own: str) -> bool:
    try:
        parts = urlsplit(url)
        same = parts.netloc.lower() == urlsplit(own).netloc.lower()
    except ValueError:
        return False
    ending = ENDING.search(parts.path)
    kind = ending[1].lower() if ending else ""
    refused = any(part in parts.path.lower() for part in REFUSED)
    return same and parts.scheme in ("http", "https") and kind in ENDINGS and not refused


def hyperlink_distance(key: str, url: str) -> int:
    """Levels from the folder of the key page down to that of another, or up, negative."""
    here, there = _folders(key), _folders(url)
    common = 0
    while common < min(len(here), len(there)) and here[common] == there[common]:
        common += 1
    return len(there) - len(here) if common == len(here) else common - len(here)


def _folders(url: str) -> list[str]:
    return [part for part in urlsplit(url).path.rpartition("/")[0].split("/") if part]


def dom_distances(page: Page, row: int, rows: Ints) -> Ints:
    """Edges of the tree between one row and others."""
    chain = [row]
    while (above := int(page.parent[chain[-1]])) >= 0:
        chain.append(above)
    starts = np.array(chain[::-1])
    ends = page.end[chain]  # from the innermost on, so they grow
    shared = np.where(
        rows >= row,
        len(chain) - np.searchsorted(ends, rows, "right"),
        np.searchsorted(starts, rows, "right"),
    )
    return np.asarray(page.depth[row] + page.depth[rows] - 2 * (shared - 1), np.intp)


def exploration_order(page: Page, links: Sequence[KeptLink]) -> Iterator[KeptLink]:
    """Links by hyperlink distance (0, 1, 2, …, then -1, -2, …), far apart ones first."""
    groups: dict[int, list[KeptLink]] = {}
    for link in links:
        groups.setdefault(hyperlink_distance(page.url or "", link.url), []).append(link)
    for distance in sorted(groups, key=lambda each: (each < 0, abs(each))):
        yield from farthest_first(page, groups[distance])


def farthest_first(page: Page, links: Sequence[KeptLink]) -> Iterator[KeptLink]:
    """The first link, then always the one farthest from all before it; ties by order."""
    rows = np.array([link.row for link in links], np.intp)
    nearest = np.full(len(links), np.iinfo(np.intp).max)
    for _ in links:
        best = int(np.argmax(nearest))
        yield links[best]
        nearest = np.minimum(nearest, dom_distances(page, int(rows[best]), rows))
        nearest[best] = -1


@dataclass(slots=True)
class Explored:
    """Pages that were loaded, and the set chosen of them."""

    chosen: list[Page] = field(default_factory=list)  #: the complete subdigraph, in load order
    urls: list[str] = field(default_factory=list)  #: their addresses
    loads: int = 0  #: pages read beyond the key page
    missing: int = 0  #: addresses asked for in vain


def complete_subdigraph(page: Page, site: Site, size: int, most: int) -> Explored:
    """Load linked pages until `size` of them link each other; else the largest such set."""
    links = kept_links(page)
    wanted = {link.url for link in links}
    loaded: list[tuple[str, Page, set[str]]] = []
    mutual: list[set[int]] = []  # for each page, the earlier ones it links and is linked by
    found = Explored()
    best: list[int] = []
    for link in exploration_order(page, links):
        if found.loads >= most or len(best) >= size:
            break
        other = site.load(link.url)
        if other is None:
            found.missing += 1
            continue
        found.loads += 1
        leads = {each.url for each in kept_links(other)} & wanted
        mutual.append(
            {at for at, (url, _, back) in enumerate(loaded) if url in leads and link.url in back}
        )
        loaded.append((link.url, other, leads))
        largest = _largest_with_last(mutual, size)
        best = largest if len(largest) > len(best) else best
    found.chosen = [loaded[at][1] for at in best]
    found.urls = [loaded[at][0] for at in best]
    return found


def _largest_with_last(mutual: Sequence[set[int]], size: int) -> list[int]:
    """The first largest set, of at most `size`, that holds the last page and is complete."""
    last = len(mutual) - 1
    near = sorted(mutual[last])
    best: list[int] = []
    stack: list[tuple[list[int], int]] = [([], 0)]
    for _ in range(STEPS):
        if not stack or len(best) == size - 1:
            break
        held, start = stack.pop()
        best = held if len(held) > len(best) else best
        fits = [at for at in near[start:] if all(each in mutual[at] for each in held)]
        places = [near.index(at, start) + 1 for at in fits]
        stack += [([*held, at], place) for at, place in zip(fits, places, strict=True)][::-1]
    return [*best, last]


# -- Which pages of a site a page is compared with: few, unlike each other, of the same template


ENOUGH = 3  #: pages of the same template from which on an answer may settle
USUAL = 5  #: pages that are loaded at most, if among them are
FEW = 2  #: pages of the same template; else more are looked for
VAIN = 40  #: addresses asked for in vain after which links are no longer followed
TRIED = 300  #: addresses that are asked for at most
SPREAD = 7  #: steps in which the addresses a site knows are gone through


@dataclass(slots=True)
class Compared:
    """The pages a page was compared with, and the answer."""

    urls: list[str] = field(default_factory=list)
    loads: int = 0  #: pages read beyond the page itself
    missing: int = 0  #: addresses asked for in vain
    slot: Slot | None = None
    copies: bool = True  #: whether all of them only say again what the page says


def compare(page: Page, site: Site, most: int) -> Compared:
    """Load pages of a site until the answer settles."""
    own, most = digest(page), min(most, MOST - 1)
    digests, found, before = [own], Compared(), -1
    sources = {page.source}
    for url in _tried(page, site, found):
        other = site.load(url)
        if other is None:
            found.missing += 1
            continue
        found.loads += 1
        if other.source is None or other.source not in sources:
            sources.add(other.source)
            digests.append(digest(other))
            found.urls.append(url)
            table = Table(digests)
            before, found.slot = _row(found.slot), find_slot(page, own, table, 0)
            found.copies = table.says_again(own, len(digests) - 1) and found.copies
        if _is_enough(found, before, most):
            break
    return found


def other_pages(page: Page, site: Site, most: int) -> list[Page]:
    """So many other pages of a site at most, in the order they are asked for."""
    found = Compared()
    pages: list[Page] = []
    for url in _tried(page, site, found):
        if len(pages) >= most:
            break
        other = site.load(url)
        found.missing += other is None
        pages += [other] if other is not None else []
    return pages


def _row(slot: Slot | None) -> int:
    return -1 if slot is None else slot.row


def _is_enough(found: Compared, before: int, most: int) -> bool:
    """Whether the answer has settled, or as much was loaded as may be."""
    alike = len(found.slot.alike) if found.slot and not found.copies else 0
    if found.loads >= USUAL and alike >= FEW:
        return True
    return found.loads >= most or (alike >= ENOUGH and _row(found.slot) == before)


def _tried(page: Page, site: Site, found: Compared) -> Iterator[str]:
    """Addresses in the order they are asked for, each once: links, then what the site knows."""
    seen = {plain_address(page.url or "")}
    links = takewhile(lambda _: found.missing < VAIN, (link.url for link in unlike_first(page)))
    for url in islice(chain(links, _known(site)), TRIED):
        if plain_address(url) not in seen:
            seen.add(plain_address(url))
            yield url


def _known(site: Site) -> Iterator[str]:
    """What a site knows, spread over all of it: neighbours in a list are often alike."""
    known = site.addresses()
    step = max(len(known) // SPREAD, 1)
    for first in range(step):
        yield from known[first::step]


def unlike_first(page: Page) -> Iterator[KeptLink]:
    """Links of a page, a folder at a time, its own folder last; far apart ones first in each."""
    folders: dict[str, list[KeptLink]] = {}
    for link in kept_links(page):
        folders.setdefault(_folder(link.url), []).append(link)
    own = _folder(page.url or "")
    ordered = sorted(folders, key=lambda folder: folder == own)
    turns = [farthest_first(page, folders[folder]) for folder in ordered]
    while turns:
        still = []
        for turn in turns:
            for link in islice(turn, 1):
                still.append(turn)
                yield link
        turns = still


def _folder(url: str) -> str:
    return urlsplit(url).path.rpartition("/")[0]
