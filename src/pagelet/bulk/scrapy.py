"""Parts of a Scrapy project: a pipeline that fills items, a middleware that weighs requests.

They are named in the settings, and read their own from there:

    ITEM_PIPELINES = {"pagelet.bulk.scrapy.PageletPipeline": 300}
    SPIDER_MIDDLEWARES = {"pagelet.bulk.scrapy.PageletMiddleware": 550}
"""

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from typing import Any, Self
from urllib.parse import urldefrag

from pagelet.bulk.options import BulkOptions
from pagelet.bulk.row import COLUMNS, columns_of, page_row
from pagelet.methods.clutter import detect_clutter
from pagelet.methods.menu import detect_menu
from pagelet.page.html import parse
from pagelet.page.table import Page
from pagelet.pagelets import Pagelets
from pagelet.sources.warc.http_message import CHARSET

#: added to the priority of a request by where its link stands; None leaves the request out
PRIORITIES: dict[str, int | None] = {"menu": 10, "content": 0, "clutter": -10}
REGION = "pagelet_region"  #: key of a request's meta that says where its link stands


def page_of(response: Any) -> Page:
    """The page of a response, decoded as a browser would."""
    named = CHARSET.search(response.headers.get("Content-Type", b"").decode("latin-1"))
    return parse(response.body, url=response.url, charset=named[1] if named else None)


class PageletPipeline:
    """Fills an item with what is known of its page, and takes the HTML out.

    PAGELET_OPTIONS are options of a bulk run by name: columns, favor, target, templates,
    html_column and url_column, which name the fields that hold the HTML and the address.
    PAGELET_KEEP_HTML leaves the HTML in. An item without HTML is passed on as it is, and fields
    that an item has filled, or cannot have, are left alone.
    """

    def __init__(self, options: BulkOptions, *, keep_html: bool = False) -> None:
        self.options, self.keep_html = options, keep_html

    @classmethod
    def from_crawler(cls, crawler: Any) -> Self:
        """The pipeline as the settings have it."""
        said = {"columns": COLUMNS, **crawler.settings.getdict("PAGELET_OPTIONS")}
        options = BulkOptions(**said | {"columns": tuple(said["columns"])})
        return cls(options, keep_html=crawler.settings.getbool("PAGELET_KEEP_HTML"))

    def process_item(self, item: Any, spider: Any = None) -> Any:  # noqa: ARG002 - older Scrapy
        """The item with what is known of its page."""
        from itemadapter import ItemAdapter  # noqa: PLC0415 - comes with Scrapy

        fields = ItemAdapter(item)
        html = fields.get(self.options.html_column)
        if html is None:
            return item
        row = page_row(html, fields.get(self.options.url_column), self.options)
        known = set(fields.field_names()) if not isinstance(item, dict) else set(row)
        for name in columns_of(self.options):
            if name in known and fields.get(name) is None:
                fields[name] = row[name]
        if not self.keep_html:
            fields.pop(self.options.html_column)
        return item


class PageletMiddleware:
    """Says of each request where its link stands, and asks for the better ones first.

    A link of the main menu, of clutter, or elsewhere: `request.meta["pagelet_region"]` is menu,
    clutter or content. PAGELET_PRIORITIES has what each adds to the priority of a request; None
    leaves such requests out.
    """

    def __init__(self, priorities: Mapping[str, int | None], stats: Any) -> None:
        self.priorities, self.stats = {**PRIORITIES, **priorities}, stats

    @classmethod
    def from_crawler(cls, crawler: Any) -> Self:
        """The middleware as the settings have it."""
        return cls(crawler.settings.getdict("PAGELET_PRIORITIES"), crawler.stats)

    def process_spider_output(
        self,
        response: Any,
        result: Iterable[Any],
        spider: Any = None,  # noqa: ARG002
    ) -> Iterator[Any]:
        """Requests and items, each request with its region."""
        regions = Regions(response)
        for each in result:
            yield from self._weighed(each, regions)

    async def process_spider_output_async(
        self,
        response: Any,
        result: AsyncIterator[Any],
        spider: Any = None,  # noqa: ARG002
    ) -> AsyncIterator[Any]:
        """The same for spiders that are coroutines."""
        regions = Regions(response)
        async for each in result:
            for kept in self._weighed(each, regions):
                yield kept

    def _weighed(self, each: Any, regions: "Regions") -> Iterator[Any]:
        from scrapy import Request  # noqa: PLC0415 - an extra

        if not isinstance(each, Request) or not regions.known:
            yield each
            return
        region = regions.of(each.url)
        self.stats.inc_value(f"pagelet/requests/{region}")
        added = self.priorities[region]
        if added is not None:
            meta = {**each.meta, REGION: region}
            yield each.replace(meta=meta, priority=each.priority + added)


class Regions:
    """Where the links of a page stand; looked for when first asked."""

    def __init__(self, response: Any) -> None:
        self._response, self._places = response, dict[str, str]()
        self._looked = False
        self.known = hasattr(response, "encoding")  # a page of text, not a picture

    def of(self, url: str) -> str:
        """menu, clutter or content."""
        if not self._looked:
            self._look()
        return self._places.get(urldefrag(url).url, "content")

    def _look(self) -> None:
        self._looked = True
        page = page_of(self._response)
        for region, found in (("clutter", detect_clutter(page)), ("menu", detect_menu(page))):
            self._places.update(dict.fromkeys(_addresses(found), region))


def _addresses(found: Pagelets) -> Iterator[str]:
    for pagelet in found:
        yield from (urldefrag(link.href).url for link in pagelet.links if link.href)
