"""A spider that follows every link it sees; run by Scrapy itself."""

from typing import Any, ClassVar

import scrapy

from pagelet.bulk.scrapy import page_of


class Links(scrapy.Spider):
    """Every page of a site as an item, in the order they were asked for."""

    name = "links"
    custom_settings: ClassVar[dict[str, Any]] = {
        "ITEM_PIPELINES": {"pagelet.bulk.scrapy.PageletPipeline": 300},
        "SPIDER_MIDDLEWARES": {"pagelet.bulk.scrapy.PageletMiddleware": 550},
        "CONCURRENT_REQUESTS": 1,
        "TELNETCONSOLE_ENABLED": False,
    }

    async def start(self):
        yield scrapy.Request(self.start_url, self.parse)

    def parse(self, response):
        yield {
            "url": response.url,
            "html": response.text,
            "region": response.meta.get("pagelet_region"),
            "rows": len(page_of(response)),
        }
        yield {"url": response.url, "note": "no HTML here"}
        for link in response.css("a::attr(href)").getall():
            yield response.follow(link, self.parse)
