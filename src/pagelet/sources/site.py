"""A site from wherever it is: the web, a folder, a WARC file, pages in memory."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from urllib.parse import urldefrag

from pagelet.errors import PageError, Unreachable
from pagelet.page.addresses import strip_credentials
from pagelet.page.html import parse
from pagelet.page.site import MemorySite, Site
from pagelet.page.table import Page
from pagelet.sources.folder import folder_site, looks_like_html
from pagelet.sources.http.cache import Cache
from pagelet.sources.http.identity import Identity
from pagelet.sources.http.loader import Loader, Politeness
from pagelet.sources.http.messages import Fetched, web_address
from pagelet.sources.http.politeness import Clock, in_scope
from pagelet.sources.options import Limits
from pagelet.sources.warc.site import WarcSite, is_archive

#: for a handful of pages of one site: enough for any that responds at all
SITE_POLITENESS = Politeness(pages=200, bytes=200_000_000, seconds=300.0)


class WebSite:
    """The site of a start address, read over HTTP; problems are counted by name.

    The page and second budgets hold for the whole site, whatever hosts it has.
    """

    def __init__(self, start: str, loader: Loader, clock: Clock = Clock()) -> None:
        self.start, self.problems = web_address(start), Counter[str]()
        self._loader, self._clock = loader, clock
        self._requests, self._ends = 0, clock.now() + loader.politeness.seconds

    def load(self, url: str) -> Page | None:
        """The page at an address of the site."""
        try:
            response = self._fetch(url)
            return None if response is None else self._parse(response)
        except PageError as error:
            self.problems[type(error).__name__] += 1
            return None

    def _parse(self, response: Fetched) -> Page | None:
        if not looks_like_html(response.body):
            self.problems["NotHtml"] += 1
            return None
        most, charset = self._loader.limits.max_nodes, response.charset
        return parse(response.body, url=response.url, charset=charset, max_nodes=most)

    def addresses(self) -> Sequence[str]:
        """Empty, since only links lead to pages."""
        return ()

    def _fetch(self, url: str) -> Fetched | None:
        address = urldefrag(url).url
        politeness = self._loader.politeness
        if not in_scope(web_address(address).host, self.start.host, politeness.scope):
            self.problems["OutOfScope"] += 1
            return None
        if self._requests >= politeness.pages or self._clock.now() >= self._ends:
            self.problems["BudgetSpent"] += 1
            return None
        self._requests += 1
        return self._loader.load(address)


#: larger files that a site links to are data rather than pages
SITE_LIMITS = Limits(max_bytes=10_000_000)
USER_CACHE = Cache()
USUAL_SENDER = Identity()


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """How the pages of a site are read."""

    limits: Limits = SITE_LIMITS  #: a page beyond them is skipped
    politeness: Politeness = SITE_POLITENESS
    cache: Cache | None = USER_CACHE
    identity: Identity = USUAL_SENDER


@dataclass(slots=True)
class OpenSite:
    """A site that counts its loads; as a context manager it closes itself."""

    site: Site
    key: str  #: address of the key page, which is not counted
    loads: int = 0  #: pages read beyond the key page
    missing: int = 0  #: addresses without a page
    close: Callable[[], None] = lambda: None
    on_load: Callable[[int], None] = lambda _: None  #: takes the number of loads, after each

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def load(self, url: str) -> Page | None:
        """The page at an address; None when there is none, or it is no page."""
        page = self.site.load(url)
        if urldefrag(url).url != urldefrag(self.key).url:
            self.loads += page is not None
            self.missing += page is None
            self.on_load(self.loads + self.missing)
        return page

    def addresses(self) -> Sequence[str]:
        """Addresses that need no page to be loaded, in order; none where only links lead on."""
        return self.site.addresses()

    @property
    def on_the_web(self) -> bool:
        """Whether its pages are loaded over HTTP."""
        return isinstance(self.site, WebSite)

    @property
    def problems(self) -> Mapping[str, int]:
        """Names of errors while pages were loaded over HTTP, with their counts."""
        return self.site.problems if isinstance(self.site, WebSite) else {}


def open_site(
    where: str | Path | Iterable[Page],
    key: str,
    *,
    url: str | None = None,
    access: Access = Access(),
) -> OpenSite:
    """Open the site of a key page, which is a file, a URL, or `-`, as in `load`.

    `where` is an http(s) URL, a folder, a WARC file, or pages; `url` is the address of a key
    page that is a file.
    """
    address = strip_credentials(url or key)
    if not isinstance(where, str | Path):
        return OpenSite(MemorySite(where), address)
    if "://" in str(where):
        loader = Loader(
            access.limits, access.politeness, cache=access.cache, identity=access.identity
        )
        first = loader.take_credentials(str(where))
        address = address if url or "://" in key else first
        return OpenSite(WebSite(first, loader), address, close=loader.close)
    path = Path(where)
    if path.is_dir():
        folder, address = folder_site(path, key, url, access.limits)
        return OpenSite(folder, address)
    if is_archive(path):
        start = address if "://" in address else None
        return OpenSite(WarcSite(path, start, access.limits), address)
    why = "neither a folder, nor a .warc or .warc.gz file, nor an http(s) URL; give one of these"
    raise Unreachable(str(where), why)
