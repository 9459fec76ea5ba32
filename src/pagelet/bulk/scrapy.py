"""Components for Scrapy: a pipeline, a middleware, and a link extractor.

The pipeline fills items, the middleware ranks requests, and the link extractor chooses links by
their role. The first two are enabled in the settings of a project:

    ITEM_PIPELINES = {"pagelet.bulk.scrapy.PageletPipeline": 300}
    SPIDER_MIDDLEWARES = {"pagelet.bulk.scrapy.PageletMiddleware": 550}
"""

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from typing import Any, Self, TypedDict, Unpack
from urllib.parse import urldefrag

from pagelet.api import detect_clutter, detect_menu
from pagelet.bulk.batches import PAGE_COLUMNS, page_columns, page_row
from pagelet.bulk.options import BulkOptions
from pagelet.methods.links import decide_links
from pagelet.methods.links.addresses import iterate_links
from pagelet.methods.links.options import LinksOptions
from pagelet.page.dom import label_of
from pagelet.page.html import parse
from pagelet.page.table import Page
from pagelet.pagelets import Pagelets
from pagelet.sources.warc.message import CHARSET

#: addition to the priority of a request by the region of its link; None drops the request
PRIORITIES: dict[str, int | None] = {"menu": 10, "content": 0, "clutter": -10}
LINK_SCHEMES = ("http", "https", "file", "ftp")  #: what Scrapy's own link extractor follows
REGION_KEY = "pagelet_region"  #: key of the region in the meta of a request


class LinkFilters(TypedDict, total=False):
    """Filters of Scrapy's LinkExtractor that look at the address of a link alone."""

    allow: str | Iterable[str]
    deny: str | Iterable[str]
    allow_domains: str | Iterable[str]
    deny_domains: str | Iterable[str]


def page_of(response: Any) -> Page:
    """The page of a response, decoded as a browser would."""
    charset = CHARSET.search(response.headers.get("Content-Type", b"").decode("latin-1"))
    return parse(response.body, url=response.url, charset=charset[1] if charset else None)


class PageletPipeline:
    """Fills an item with the columns of its page, and removes the HTML.

    PAGELET_OPTIONS holds options of a bulk run by name: columns, favor, target, templates, and
    html_column and url_column, which name the fields that hold the HTML and the address.
    PAGELET_KEEP_HTML keeps the HTML. An item without HTML is passed on as it is, and so are
    fields that an item has filled or does not have.
    """

    def __init__(self, options: BulkOptions, *, keep_html: bool = False) -> None:
        self.options, self.keep_html = options, keep_html

    @classmethod
    def from_crawler(cls, crawler: Any) -> Self:
        """The pipeline for the settings of a crawl."""
        chosen = {"columns": PAGE_COLUMNS, **crawler.settings.getdict("PAGELET_OPTIONS")}
        options = BulkOptions(**chosen | {"columns": tuple(chosen["columns"])})
        return cls(options, keep_html=crawler.settings.getbool("PAGELET_KEEP_HTML"))

    def process_item(self, item: Any, spider: Any = None) -> Any:  # noqa: ARG002 - older Scrapy
        """The item with the columns of its page."""
        from itemadapter import ItemAdapter  # noqa: PLC0415 - comes with Scrapy

        fields = ItemAdapter(item)
        html = fields.get(self.options.html_column)
        if html is None:
            return item
        row = page_row(html, fields.get(self.options.url_column), self.options)
        allowed = set(row) if isinstance(item, dict) else set(fields.field_names())
        for name in page_columns(self.options):
            if name in allowed and fields.get(name) is None:
                fields[name] = row[name]
        if not self.keep_html:
            fields.pop(self.options.html_column)
        return item


class PageletMiddleware:
    """Marks each request with the region of its link, and ranks requests by region.

    `request.meta["pagelet_region"]` is menu, clutter or content. PAGELET_PRIORITIES holds what
    each adds to the priority of a request; None drops such requests.
    """

    def __init__(self, priorities: Mapping[str, int | None], stats: Any) -> None:
        self.priorities, self.stats = {**PRIORITIES, **priorities}, stats

    @classmethod
    def from_crawler(cls, crawler: Any) -> Self:
        """The middleware for the settings of a crawl."""
        return cls(crawler.settings.getdict("PAGELET_PRIORITIES"), crawler.stats)

    def process_spider_output(
        self,
        response: Any,
        result: Iterable[Any],
        spider: Any = None,  # noqa: ARG002
    ) -> Iterator[Any]:
        """Requests and items, each request with its region."""
        regions = LinkRegions(response)
        for each in result:
            yield from self._rank(each, regions)

    async def process_spider_output_async(
        self,
        response: Any,
        result: AsyncIterator[Any],
        spider: Any = None,  # noqa: ARG002
    ) -> AsyncIterator[Any]:
        """The same for spiders that are coroutines."""
        regions = LinkRegions(response)
        async for each in result:
            for kept in self._rank(each, regions):
                yield kept

    def _rank(self, each: Any, regions: "LinkRegions") -> Iterator[Any]:
        from scrapy import Request  # noqa: PLC0415 - an extra

        if not isinstance(each, Request) or not regions.has_text:
            yield each
            return
        region = regions.of(each.url)
        self.stats.inc_value(f"pagelet/requests/{region}")
        added = self.priorities[region]
        if added is not None:
            meta = {**each.meta, REGION_KEY: region}
            yield each.replace(meta=meta, priority=each.priority + added)


class LinkRegions:
    """The regions of the links of a page, computed on first use."""

    def __init__(self, response: Any) -> None:
        self._response = response
        self.has_text = hasattr(response, "encoding")  # a page of text, not a picture

    def of(self, url: str) -> str:
        """The region of a link: menu, clutter or content."""
        return self._regions.get(urldefrag(url).url, "content")

    @cached_property
    def _regions(self) -> dict[str, str]:
        page = page_of(self._response)
        clutter = dict.fromkeys(_addresses(detect_clutter(page)), "clutter")
        return clutter | dict.fromkeys(_addresses(detect_menu(page)), "menu")


def _addresses(pagelets: Pagelets) -> Iterator[str]:
    for pagelet in pagelets:
        yield from (urldefrag(link.href).url for link in pagelet.links if link.href)


class RoleLinkExtractor:
    """A link extractor, as rules of a CrawlSpider take it, that chooses links by their role.

    `roles` are those of `pagelet links`, all of them when empty; `min_score` is the lowest
    probability of a role. The filters are those of Scrapy's LinkExtractor: allow, deny,
    allow_domains, deny_domains and deny_extensions. Links come in document order, each address
    once unless `unique` is false.
    """

    def __init__(
        self,
        roles: Iterable[str] = (),
        *,
        min_score: float = 0.0,
        unique: bool = True,
        deny_extensions: Iterable[str] | None = None,
        **filters: Unpack[LinkFilters],
    ) -> None:
        from scrapy.linkextractors import IGNORED_EXTENSIONS, LinkExtractor  # noqa: PLC0415

        if others := filters.keys() - LinkFilters.__annotations__.keys():
            raise TypeError(f"RoleLinkExtractor has no filter {', '.join(sorted(others))}")
        names = (roles,) if isinstance(roles, str) else tuple(roles)
        self.options = LinksOptions(role=names, min_score=min_score)  # refuses unknown roles
        self.unique = unique
        self._filter = LinkExtractor(**filters)
        endings = IGNORED_EXTENSIONS if deny_extensions is None else deny_extensions
        self._endings = {f".{each.removeprefix('.').lower()}" for each in endings}

    def extract_links(self, response: Any) -> list[Any]:
        """The links of a response that have one of the roles and pass the filters."""
        from scrapy.utils.python import unique as each_once  # noqa: PLC0415 - an extra

        if not hasattr(response, "encoding"):
            return []  # a picture, not a page
        links = [link for link in self._links(response) if self.matches(link.url)]
        return each_once(links, key=lambda link: link.url) if self.unique else links

    def _links(self, response: Any) -> Iterator[Any]:
        from scrapy.link import Link  # noqa: PLC0415 - an extra
        from scrapy.utils.misc import rel_has_nofollow  # noqa: PLC0415
        from w3lib.url import safe_url_string  # noqa: PLC0415 - comes with Scrapy

        page = page_of(response)
        chosen = self.options.roles, self.options.min_score
        for row, address in iterate_links(decide_links(page), *chosen):
            with suppress(ValueError):  # not an address
                url = safe_url_string(address, encoding=response.encoding)
                nofollow = rel_has_nofollow(page.attributes_of(row).get("rel"))
                yield Link(url, label_of(page, row), nofollow=nofollow)

    def matches(self, url: str) -> bool:
        """Whether an address passes the filters."""
        from scrapy.utils.url import url_has_any_extension  # noqa: PLC0415 - an extra

        if url.partition("://")[0] not in LINK_SCHEMES:
            return False
        return self._filter.matches(url) and not url_has_any_extension(url, self._endings)
