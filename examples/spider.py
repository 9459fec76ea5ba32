"""Pages of one site, found by the roles of its links, as a file that `pagelet bulk` reads.

scrapy runspider spider.py -a site=https://example.org/ -O crawl.jsonl
"""

from datetime import UTC, datetime
from urllib.parse import urlsplit

from scrapy.spiders import CrawlSpider, Rule

from pagelet.bulk.scrapy import RoleLinkExtractor

FOLLOWED = ["menu", "section", "pagination", "content"]  # not: social, footer, ads, utility …


class SiteSpider(CrawlSpider):
    name = "site"
    custom_settings = {
        "ROBOTSTXT_OBEY": True,
        "DOWNLOAD_DELAY": 1.0,
        "SPIDER_MIDDLEWARES": {"pagelet.bulk.scrapy.PageletMiddleware": 550},
    }
    rules = [Rule(RoleLinkExtractor(FOLLOWED), callback="parse_page", follow=True)]

    def __init__(self, site, **settings):
        super().__init__(**settings)
        self.start_urls, self.allowed_domains = [site], [urlsplit(site).hostname]

    def parse_page(self, response):
        now = datetime.now(UTC).isoformat()
        yield {"url": response.url, "captured": now, "html": response.text}

    parse_start_url = parse_page
