"""What a site is: something that gives pages by their addresses."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable
from urllib.parse import urldefrag

from pagelet.arrays import Floats, Mask
from pagelet.page.table import Page


@dataclass(frozen=True, slots=True, eq=False)
class Shared:
    """What a page is known to share with its site."""

    rows: Mask  #: rows that are template
    likewise: Floats  #: share of the pages that have each row with the same words


@runtime_checkable
class Site(Protocol):
    """Where other pages of a site come from: memory, a folder, an archive, the web."""

    def load(self, url: str) -> Page | None:
        """The page at an address; None when there is none, or it is no page."""

    def addresses(self) -> Sequence[str]:
        """Addresses known without asking, in order; none where only links tell."""


class HeldSite:
    """Pages held in memory; one without an address is given one."""

    def __init__(self, pages: Iterable[Page]) -> None:
        self._pages: dict[str, Page] = {}
        for at, page in enumerate(pages):
            address = urldefrag(page.url).url if page.url else f"page:{at}"
            self._pages.setdefault(address, page)

    def load(self, url: str) -> Page | None:
        """The page at an address, if it is one of those held."""
        return self._pages.get(urldefrag(url).url)

    def addresses(self) -> Sequence[str]:
        """The addresses of all pages, in order."""
        return tuple(self._pages)
