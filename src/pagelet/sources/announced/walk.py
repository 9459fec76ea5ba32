"""From the address of a site to the pages it announces: robots.txt, sitemaps, feeds.

Sitemaps are those that robots.txt names, or /sitemap.xml; feeds are those that the start page
links to. Each is loaded once, politely, and their number is bounded.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import urldefrag, urljoin

from pagelet.errors import ErrorStatus, MissingExtra, NotHtml, PageError
from pagelet.page.html import parse
from pagelet.page.site import domain_of
from pagelet.sources.announced.entries import Announced, UrlFilter
from pagelet.sources.announced.feeds import find_feeds, is_feed, read_feed
from pagelet.sources.announced.sitemaps import read_sitemap
from pagelet.sources.compressed import GZIP
from pagelet.sources.folder import looks_like_html
from pagelet.sources.http.loader import Loader
from pagelet.sources.http.messages import ANNOUNCEMENT_TYPES, Fetched, web_address
from pagelet.sources.options import check_options, option
from pagelet.sources.unpacking import unpack_page

USUAL_SITEMAP = "/sitemap.xml"  #: where a sitemap is when robots.txt names none
ROOT_TAGS = (b"<urlset", b"<sitemapindex")
SNIFFED_BYTES = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlOptions:
    """How far the listing of a site goes."""

    sitemaps: bool = option("read sitemaps", default=True)
    feeds: bool = option("read feeds that the start page links to", default=True)
    all_hosts: bool = option("list pages of other sites too", default=False)
    max_files: int = option("maximum sitemaps and feeds to load", 500, low=1)
    max_urls: int = option("maximum pages to list", 1_000_000, low=1)

    def __post_init__(self) -> None:
        check_options(self)


def list_urls(
    start: str,
    loader: Loader,
    wanted: UrlFilter = UrlFilter(),
    options: UrlOptions = UrlOptions(),
    report: Callable[[str], None] = lambda _: None,
) -> Iterator[Announced]:
    """The pages that a site announces, each once; problems are reported, one line each.

    The start is any page of the site, a sitemap, or a feed. It raises PageError if the start
    cannot be loaded and nothing else announces pages.
    """
    walk = _AnnouncementWalk(start, loader, options, report)
    listed: set[str] = set()
    for page in walk.pages():
        address = urldefrag(page.url).url
        if address in listed or not walk.is_in_scope(address) or not wanted.matches(page):
            continue
        listed.add(address)
        yield page
        if len(listed) >= options.max_urls:
            report(f"stopped after {options.max_urls:,} pages; raise --max-urls for more")
            return


class _AnnouncementWalk:
    """Loads the sitemaps and feeds of a site one after another, each once."""

    def __init__(
        self, start: str, loader: Loader, options: UrlOptions, report: Callable[[str], None]
    ) -> None:
        self.start, self.loader, self.options, self.report = start, loader, options, report
        self.queue: deque[str] = deque()
        self.queued: set[str] = set()
        self.guess = ""  #: address of a sitemap that nothing names

    def is_in_scope(self, address: str) -> bool:
        """Whether an address may be listed."""
        try:
            host = web_address(address).host
        except PageError:
            return False
        return self.options.all_hosts or domain_of(host) == domain_of(web_address(self.start).host)

    def pages(self) -> Iterator[Announced]:
        """The pages of everything that the site names, as it is loaded."""
        yield from self._read_start()
        for _ in range(self.options.max_files):
            if not self.queue:
                return
            yield from self._read_next(self.queue.popleft())
        if left := len(self.queue):
            self.report(f"{left} sitemaps and feeds were not read; raise --max-files for more")

    def _read_start(self) -> Iterator[Announced]:
        """The start's own pages if it is a sitemap or feed; else queue what its site names."""
        try:
            first = self.loader.load(self.start, ANNOUNCEMENT_TYPES)
        except PageError as error:
            self._queue_sitemaps()
            if self.queue == deque([self.guess]):
                raise
            self.report(str(error))
            return
        if _is_listing(first):
            yield from self._entries(first)
            return
        self._queue_sitemaps()
        if self.options.feeds:
            page = parse(first.body, first.url, max_nodes=self.loader.limits.max_nodes)
            self._queue(find_feeds(page))

    def _queue_sitemaps(self) -> None:
        if not self.options.sitemaps:
            return
        named = self.loader.robots(self.start).sitemaps
        if not named:
            self.guess = urljoin(self.start, USUAL_SITEMAP)
        self._queue([urljoin(self.start, address) for address in named] or [self.guess])

    def _queue(self, addresses: Iterable[str]) -> None:
        for address in addresses:
            if address not in self.queued:
                self.queued.add(address)
                self.queue.append(address)

    def _read_next(self, address: str) -> Iterator[Announced]:
        try:
            yield from self._entries(self.loader.load(address, ANNOUNCEMENT_TYPES))
        except (ErrorStatus, NotHtml) as error:
            if address != self.guess:
                self.report(str(error))
        except (PageError, MissingExtra) as error:
            self.report(str(error))

    def _entries(self, response: Fetched) -> Iterator[Announced]:
        """The pages in a sitemap or feed; sitemaps that it names are queued."""
        body = unpack_page(response.body, response.url, self.loader.limits.max_bytes)
        if is_feed(body):
            yield from read_feed(body, response.url)
            return
        sitemap = read_sitemap(body, response.url)
        if sitemap.problem and response.url != self.guess:
            self.report(f"{response.url}: {sitemap.problem}")
        self._queue(urljoin(response.url, address) for address in sitemap.sitemaps)
        yield from sitemap.pages


def _is_listing(response: Fetched) -> bool:
    """Whether a response is a sitemap or feed itself, packed or not."""
    if response.body.startswith(GZIP.magic):
        return True
    start = response.body[:SNIFFED_BYTES].lower()
    return is_feed(start) or any(tag in start for tag in ROOT_TAGS) or not looks_like_html(start)
