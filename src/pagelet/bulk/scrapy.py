"""Components for Scrapy: a pipeline that fills items, a middleware that ranks requests.

They are enabled in the settings of a project:

    ITEM_PIPELINES = {"pagelet.bulk.scrapy.PageletPipeline": 300}
    SPIDER_MIDDLEWARES = {"pagelet.bulk.scrapy.PageletMiddleware": 550}
"""

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Self
from urllib.parse import urldefrag

from pagelet.api import detect_clutter, detect_menu
from pagelet.bulk.batches import PAGE_COLUMNS, page_columns, page_row
from pagelet.bulk.options import BulkOptions
from pagelet.page.html import parse
from pagelet.page.table import Page
from pagelet.pagelets import Pagelets
from pagelet.sources.warc.message import CHARSET

#: addition to the priority of a request by the region of its link; None drops the request
PRIORITIES: dict[str, int | None] = {"menu": 10, "content": 0, "clutter": -10}
REGION_KEY = "pagelet_region"  #: key of the region in the meta of a request


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
