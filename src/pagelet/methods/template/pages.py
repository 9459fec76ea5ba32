"""Choice of the pages of a site that a page is compared with.

For the paper, pages that link each other. By default few pages that differ but have the same
template: links are followed folder by folder in turn, the page's own folder last, since pages of
one folder often share more than the site's template; then come the addresses that the site lists.
Loading stops when another page no longer changes the answer.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, takewhile
from urllib.parse import urldefrag, urlsplit

import numpy as np

from pagelet.arrays import Ints, Mask
from pagelet.methods.links import decide_links
from pagelet.methods.links.addresses import find_link_roles
from pagelet.methods.links.options import ROLES
from pagelet.methods.template.slot import Slot, find_slot
from pagelet.methods.template.table import MAX_PAGES, SiteTable, digest_page
from pagelet.page.site import Site
from pagelet.page.table import Page
from pagelet.write.media import link_address

# -- links ----------------------------------------------------------------------------------


PAGE_EXTENSIONS = ("", "html", "htm", "php", "php3", "asp")
NO_PAGE_PATHS = ("/file", "feeds", ".pdf", "/rss")  #: parts of paths that lead to no page
EXTENSION = re.compile(r"\.([^./]*)$")


@dataclass(frozen=True, slots=True)
class SiteLink:
    """A link to another page of the site."""

    url: str
    row: int


def normalize_address(url: str) -> str:
    """Remove the fragment of an address, and decode its spaces."""
    return urldefrag(url).url.replace("%20", " ")


def list_site_links(page: Page) -> list[SiteLink]:
    """Links to other pages of the same host, in document order, each address once."""
    base = page.base_url
    own = normalize_address(page.url or "")
    rows: dict[str, int] = {}
    for row, href in page.hrefs.items():
        url = link_address(href, base)
        if url and _is_page(url, own):
            rows.setdefault(normalize_address(url), row)
    rows.pop(own, None)
    return [SiteLink(url, row) for url, row in rows.items()]


def _is_page(url: str, own: str) -> bool:
    try:
        parts = urlsplit(url)
        same = parts.netloc.lower() == urlsplit(own).netloc.lower()
    except ValueError:
        return False
    match = EXTENSION.search(parts.path)
    extension = match[1].lower() if match else ""
    no_page = any(part in parts.path.lower() for part in NO_PAGE_PATHS)
    web = parts.scheme in ("http", "https")
    return same and web and extension in PAGE_EXTENSIONS and not no_page


def hyperlink_distance(key: str, url: str) -> int:
    """Levels from the folder of the key page down to that of another page; negative if up."""
    here, there = _folders(key), _folders(url)
    common = 0
    while common < min(len(here), len(there)) and here[common] == there[common]:
        common += 1
    return len(there) - len(here) if common == len(here) else common - len(here)


def _folders(url: str) -> list[str]:
    return [part for part in urlsplit(url).path.rpartition("/")[0].split("/") if part]


def dom_distances(page: Page, row: int, rows: Ints) -> Ints:
    """Number of tree edges between one row and others."""
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


def exploration_order(page: Page, links: Sequence[SiteLink]) -> Iterator[SiteLink]:
    """Links by hyperlink distance (0, 1, 2, …, then -1, -2, …), the farthest apart first."""
    groups: dict[int, list[SiteLink]] = {}
    for link in links:
        groups.setdefault(hyperlink_distance(page.url or "", link.url), []).append(link)
    for distance in sorted(groups, key=lambda each: (each < 0, abs(each))):
        yield from farthest_first(page, groups[distance])


def farthest_first(page: Page, links: Sequence[SiteLink]) -> Iterator[SiteLink]:
    """The first link, then always the one farthest from all before it; ties by order."""
    rows = np.array([link.row for link in links], np.intp)
    nearest = np.full(len(links), np.iinfo(np.intp).max)
    for _ in links:
        best = int(np.argmax(nearest))
        yield links[best]
        nearest = np.minimum(nearest, dom_distances(page, int(rows[best]), rows))
        nearest[best] = -1


@dataclass(slots=True)
class LinkedPages:
    """Pages that link each other, and the cost of finding them."""

    chosen: list[Page] = field(default_factory=list)  #: the complete subdigraph, in load order
    urls: list[str] = field(default_factory=list)  #: addresses of the chosen pages
    loads: int = 0  #: pages loaded besides the key page
    missing: int = 0  #: addresses without a page


MAX_SEARCH_STEPS = 20_000  #: sets that are tried before a search gives up


def complete_subdigraph(
    page: Page,
    site: Site,
    size: int,
    max_loads: int,
    *,
    copies: bool = False,
    menu: Mask | None = None,
) -> LinkedPages:
    """Load linked pages until `size` of them link each other; else the largest such set.

    Unless `copies`, the page itself under another address is not one of them. Links in `menu`, if
    given, are explored first.
    """
    links = list_site_links(page)
    wanted = {link.url for link in links}
    loaded: list[tuple[str, Page, set[str]]] = []
    mutual: list[set[int]] = []  # for each page, the earlier ones it links and is linked by
    result = LinkedPages()
    best: list[int] = []
    for link in menu_first(exploration_order(page, links), menu):
        if result.loads >= max_loads or len(best) >= size:
            break
        other = site.load(link.url)
        if other is None:
            result.missing += 1
            continue
        result.loads += 1
        if not copies and is_same_page(page, other):
            continue
        leads = {each.url for each in list_site_links(other)} & wanted
        mutual.append(
            {at for at, (url, _, back) in enumerate(loaded) if url in leads and link.url in back}
        )
        loaded.append((link.url, other, leads))
        largest = _largest_with_last(mutual, size)
        best = largest if len(largest) > len(best) else best
    result.chosen = [loaded[at][1] for at in best]
    result.urls = [loaded[at][0] for at in best]
    return result


def is_same_page(page: Page, other: Page) -> bool:
    """Whether two pages have the same places, words and links, whatever their addresses."""
    if int(other.counted.sum()) != int(page.counted.sum()):
        return False
    addresses = {normalize_address(each.url or "") for each in (page, other)}
    ours, theirs = ({link.url for link in list_site_links(each)} for each in (page, other))
    return ours - addresses == theirs - addresses and digest_page(other).equals(digest_page(page))


def menu_links(page: Page) -> Mask:
    """The rows of the links that belong to a menu, by the roles of link groups."""
    roles = decide_links(page)
    inside = np.zeros(len(page), np.bool_)
    inside[roles.groups.links.rows[find_link_roles(roles) == ROLES.index("menu")]] = True
    return inside


def menu_first(links: Iterable[SiteLink], menu: Mask | None) -> Iterator[SiteLink]:
    """The links inside the menu, then all others, each in the order given."""
    if menu is None:
        yield from links
        return
    listed = list(links)
    yield from (link for link in listed if menu[link.row])
    yield from (link for link in listed if not menu[link.row])


def _largest_with_last(mutual: Sequence[set[int]], size: int) -> list[int]:
    """The first largest complete set, of at most `size` pages, that holds the last page."""
    last = len(mutual) - 1
    near = sorted(mutual[last])
    best: list[int] = []
    stack: list[tuple[list[int], int]] = [([], 0)]
    for _ in range(MAX_SEARCH_STEPS):
        if not stack or len(best) == size - 1:
            break
        held, start = stack.pop()
        best = held if len(held) > len(best) else best
        fits = [at for at in near[start:] if all(each in mutual[at] for each in held)]
        places = [near.index(at, start) + 1 for at in fits]
        stack += [([*held, at], place) for at, place in zip(fits, places, strict=True)][::-1]
    return [*best, last]


# -- comparison -----------------------------------------------------------------------------


SETTLED_PAGES = 3  #: pages of the same template that an answer needs to settle
CLEAR_F1 = 0.85  #: expected F1 from which MIN_ALIKE_PAGES are enough to settle
USUAL_LOADS = 5  #: pages to load if at least MIN_ALIKE_PAGES of them have the same template
MIN_ALIKE_PAGES = 2  #: pages of the same template below which more are loaded
MAX_MISSING = 40  #: addresses without a page after which links are no longer followed
MAX_ADDRESSES = 300  #: addresses that are tried
ADDRESS_STEPS = 7  #: steps in which the addresses of a site are walked through


@dataclass(slots=True)
class Comparison:
    """The pages that a page was compared with, and the answer."""

    urls: list[str] = field(default_factory=list)
    loads: int = 0  #: pages loaded besides the page itself
    missing: int = 0  #: addresses without a page
    slot: Slot | None = None
    copies: bool = True  #: whether all of them are copies of the page


def compare(page: Page, site: Site, max_loads: int, *, menu: Mask | None = None) -> Comparison:
    """Load pages of a site until the answer settles; links in `menu` are followed first."""
    own, max_loads = digest_page(page), min(max_loads, MAX_PAGES - 1)
    digests, result, before = [own], Comparison(), -1
    for url in _candidate_addresses(page, site, result, menu):
        other = site.load(url)
        if other is None:
            result.missing += 1
            continue
        result.loads += 1
        digest = digest_page(other)
        if not any(map(digest.equals, digests)):
            digests.append(digest)
            result.urls.append(url)
            table = SiteTable(digests)
            before, result.slot = _row(result.slot), find_slot(page, own, table, 0)
            result.copies = table.is_copy(own, len(digests) - 1) and result.copies
        if _is_settled(result, before, max_loads):
            break
    return result


def load_other_pages(page: Page, site: Site, max_pages: int) -> list[Page]:
    """Load other pages of a site, as many as given at most."""
    result = Comparison()
    pages: list[Page] = []
    for url in _candidate_addresses(page, site, result):
        if len(pages) >= max_pages:
            break
        other = site.load(url)
        result.missing += other is None
        pages += [other] if other is not None else []
    return pages


def _row(slot: Slot | None) -> int:
    return -1 if slot is None else slot.row


def _is_settled(result: Comparison, before: int, max_loads: int) -> bool:
    """Whether the answer has settled, or the limit of loads is reached."""
    differs = result.slot is not None and (not result.copies or result.slot.clean)
    alike = len(result.slot.alike) if result.slot and differs else 0
    if result.loads >= max_loads or (result.loads >= USUAL_LOADS and alike >= MIN_ALIKE_PAGES):
        return True
    clear = result.slot is not None and result.slot.score >= CLEAR_F1
    needed = MIN_ALIKE_PAGES if clear else SETTLED_PAGES
    return alike >= needed and _row(result.slot) == before


def _candidate_addresses(
    page: Page, site: Site, result: Comparison, menu: Mask | None = None
) -> Iterator[str]:
    """Addresses to try, each once: the links of the page, then the addresses of the site."""
    seen = {normalize_address(page.url or "")}
    urls = (link.url for link in menu_first(links_by_folder(page), menu))
    links = takewhile(lambda _: result.missing < MAX_MISSING, urls)
    for url in islice(chain(links, _spread_addresses(site)), MAX_ADDRESSES):
        if normalize_address(url) not in seen:
            seen.add(normalize_address(url))
            yield url


def _spread_addresses(site: Site) -> Iterator[str]:
    """The addresses of a site, spread over all of it: neighbours in a list are often alike."""
    addresses = site.addresses()
    step = max(len(addresses) // ADDRESS_STEPS, 1)
    for first in range(step):
        yield from addresses[first::step]


def links_by_folder(page: Page) -> Iterator[SiteLink]:
    """Links of a page from each folder in turn, its own last; in a folder, farthest apart first."""
    folders: dict[str, list[SiteLink]] = {}
    for link in list_site_links(page):
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
