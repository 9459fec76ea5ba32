"""Which pages of a site a page is compared with: few, unlike each other, of the same template.

Links are followed folder by folder in turn, those of other folders first: pages of one folder
often share more than the site's template. Where nothing links, the site is asked which
addresses it knows. Loading stops when another page no longer changes the answer.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, islice, takewhile
from urllib.parse import urlsplit

from pagelet.columns.page import Page
from pagelet.columns.site import Site
from pagelet.measures.leaves import digest
from pagelet.methods.template_links import KeptLink, farthest_first, kept_links, plain_address
from pagelet.methods.template_slot import Slot, find_slot
from pagelet.methods.template_table import MOST, Table

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
