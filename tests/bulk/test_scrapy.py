"""A real crawl of a server on this machine, with the pipeline and the middleware on."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Item, Request
from scrapy.http import HtmlResponse, Response
from scrapy.item import Field
from scrapy.link import Link
from scrapy.linkextractors import LinkExtractor
from scrapy.settings import Settings

from pagelet import extract
from pagelet.bulk.batches import PAGE_COLUMNS
from pagelet.bulk.options import BulkOptions
from pagelet.bulk.scrapy import PageletMiddleware, PageletPipeline, RoleLinkExtractor, page_of
from pagelet.errors import OptionError
from tests.methods.sites import NAMES, html_of
from tests.places import ROOT
from tests.sources.unruly import Unruly, unruly

SPIDER = Path(__file__).parent / "spider.py"
ADS = "".join(f"<li><a href='/ads/{at}.html'>Buy {at}</a></li>" for at in range(9))
CLUTTER = f"<div class=sponsored><h3>Sponsored links</h3><ul>{ADS}</ul></div>"


def crawl(site: Unruly, folder: Path, **settings: str) -> list[dict[str, Any]]:
    """Run the spider as a user would, and read what it wrote."""
    out = folder / "out.jsonl"
    told = {"LOG_LEVEL": "WARNING", **settings}
    said = [part for name, value in told.items() for part in ("-s", f"{name}={value}")]
    start = f"start_url={site.url}/index.html"
    command = [sys.executable, "-m", "scrapy", "runspider", str(SPIDER), "-a", start]
    env = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    done = subprocess.run(
        [*command, "-O", str(out), *said], cwd=folder, env=env, capture_output=True, text=True,
        check=True, timeout=300,
    )  # fmt: skip
    assert done.stderr == ""
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def site() -> Iterator[Unruly]:
    with unruly() as server:
        for name in NAMES:
            server.serve(f"/{name}.html", html_of(name).replace("</body>", f"{CLUTTER}</body>"))
        for at in range(9):
            server.serve(f"/ads/{at}.html", f"<p>Advertisement number {at}, without any end.</p>")
        yield server


@pytest.fixture(scope="module")
def items(site, tmp_path_factory) -> list[dict[str, Any]]:
    return crawl(site, tmp_path_factory.mktemp("crawl"))


def test_every_page_is_an_item_with_its_content(site, items):
    pages = {item["url"]: item for item in items if "note" not in item}
    assert len(pages) == len(NAMES) + 9
    for name in NAMES:
        item = pages[f"{site.url}/{name}.html"]
        source = site.responses[f"/{name}.html"].body
        assert item["text"] == extract(source, item["url"])
        assert f"About {name}" in item["text"]
        assert item["error"] is None
        assert "html" not in item
        assert set(PAGE_COLUMNS) <= set(item)


def test_other_items_pass_as_they_are(items):
    notes = [item for item in items if "note" in item]
    assert len(notes) == len(NAMES) + 9
    assert all(set(item) == {"url", "note"} for item in notes)


def test_menu_first_clutter_last(items):
    regions = [item["region"] for item in items if "note" not in item]
    assert regions[0] is None  # the start
    assert regions[1:] == ["menu"] * (len(NAMES) - 1) + ["clutter"] * 9


def test_clutter_left_out(site, tmp_path):
    left_out = json.dumps({"clutter": None})
    items = crawl(site, tmp_path, PAGELET_PRIORITIES=left_out, PAGELET_KEEP_HTML="1")
    pages = [item for item in items if "note" not in item]
    assert {item["url"] for item in pages} == {f"{site.url}/{name}.html" for name in NAMES}
    assert all(item["html"] for item in pages)


# -- without a crawl --------------------------------------------------------------------------


class Story(Item):
    """An item that says which fields it has."""

    url, html, text, title = Field(), Field(), Field(), Field()


def crawler(**settings: Any) -> Any:
    counts = SimpleNamespace(inc_value=lambda name: None)
    return SimpleNamespace(settings=Settings(settings), stats=counts)


def test_an_item_gets_only_fields_it_can_have():
    pipeline = PageletPipeline.from_crawler(crawler())
    found = pipeline.process_item(Story(html=html_of("news/one"), title="mine"))
    assert dict(found) == {"text": extract(html_of("news/one")), "title": "mine"}


def test_options_come_from_the_settings():
    said = {"columns": ["markdown"], "html_column": "body", "favor": "recall"}
    pipeline = PageletPipeline.from_crawler(crawler(PAGELET_OPTIONS=said))
    assert pipeline.options == BulkOptions(
        columns=("markdown",), html_column="body", favor="recall"
    )
    assert set(pipeline.process_item({"body": "<p>Words", "n": 1})) == {"n", "markdown"}
    with pytest.raises(OptionError, match="columns"):
        PageletPipeline.from_crawler(crawler(PAGELET_OPTIONS={"columns": ["luck"]}))


@pytest.mark.parametrize("named", ["text/html; charset=KOI8-R", "text/html;Charset='koi8-r'"])
def test_a_response_is_decoded_as_its_header_says(named):
    body = "<p>Привет, мир</p>".encode("koi8-r")
    page = page_of(HtmlResponse("http://a.example/", body=body, headers={"Content-Type": named}))
    assert extract(page) == "Привет, мир"


def test_a_response_that_is_no_page():
    middleware = PageletMiddleware.from_crawler(crawler())
    asked = Request("http://a.example/x")
    (found,) = middleware.process_spider_output(Response("http://a.example/p.png"), [asked])
    assert found is asked


def test_an_address_with_a_fragment_is_the_same_link():
    middleware = PageletMiddleware.from_crawler(crawler())
    page = HtmlResponse("http://a.example/", body=html_of("index").encode())
    asked = [Request("http://a.example/shop/tea.html#top", priority=3), {"an": "item"}]
    request, item = middleware.process_spider_output(page, asked)
    assert (request.meta["pagelet_region"], request.priority) == ("menu", 13)
    assert item == {"an": "item"}


# -- links by their role ------------------------------------------------------------------------

SHOP = (ROOT / "tests" / "methods" / "links" / "pages" / "listing.html").read_bytes()


def shop(body: bytes = SHOP, **headers: str) -> HtmlResponse:
    return HtmlResponse("https://spade.example/tools/?page=2", body=body, headers=headers)


def paths(links: list[Link]) -> list[str]:
    assert all(link.url.startswith("https://spade.example/") for link in links)
    return [link.url.removeprefix("https://spade.example") for link in links]


def test_links_are_extracted_by_role():
    links = RoleLinkExtractor(roles=["pagination"]).extract_links(shop())
    assert [type(link) for link in links] == [Link] * 3
    assert paths(links) == ["/tools/?page=1", "/tools/?page=3", "/tools/?page=4"]
    assert [link.text for link in links] == ["Previous", "3", "4"]
    items = RoleLinkExtractor(roles=["content"]).extract_links(shop())
    assert items[0].text == "Digging spade with ash handle"
    assert len(items) == 6
    both = RoleLinkExtractor(roles=["content,pagination"]).extract_links(shop())
    assert sorted(paths(both)) == sorted(paths(items + links))


def test_links_are_what_the_extractor_of_scrapy_returns():
    """Every link with a role is one of Scrapy's: same address, text and nofollow."""
    marked = SHOP.replace(
        b'<a href="/cart"', b'<a rel="nofollow" href="/cart?a=b c&amp;d=\xc3\xa9"'
    )
    response = shop(marked, **{"Content-Type": "text/html; charset=utf-8"})
    theirs = {link.url: link for link in LinkExtractor().extract_links(response)}
    ours = RoleLinkExtractor().extract_links(response)
    assert len(ours) > 20
    for link in ours:
        assert theirs[link.url] == link
    (cart,) = [link for link in ours if "cart" in link.url]
    assert cart.nofollow
    assert cart.url.endswith("/cart?a=b%20c&d=%C3%A9")


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        pytest.param({"allow": r"page=[34]"}, ["/tools/?page=3", "/tools/?page=4"], id="allow"),
        pytest.param({"deny": [r"page=1", r"page=4"]}, ["/tools/?page=3"], id="deny"),
        pytest.param({"allow_domains": "other.example"}, [], id="domains"),
        pytest.param({"deny_domains": ["spade.example"]}, [], id="denied domains"),
        pytest.param({"min_score": 1.0}, [], id="score"),
    ],
)
def test_filters_of_scrapy(filters, expected):
    links = RoleLinkExtractor(roles=["pagination"], **filters).extract_links(shop())
    assert paths(links) == expected


def test_each_link_once_unless_all_are_wanted():
    pages = RoleLinkExtractor("pagination", unique=False).extract_links(shop())
    assert [link.text for link in pages] == ["Previous", "1", "3", "4", "Next"]


def test_endings_that_are_no_pages_are_left_out():
    response = shop(SHOP.replace(b"dibber-with-steel-point", b"dibber.PDF"))
    assert len(RoleLinkExtractor(["content"]).extract_links(response)) == 5
    assert len(RoleLinkExtractor(["content"], deny_extensions=()).extract_links(response)) == 6
    assert len(RoleLinkExtractor(["content"], deny_extensions=["pdf"]).extract_links(response)) == 5


def test_mail_and_scripts_are_left_out():
    body = (
        b"<ul><li><a href=mailto:a@b.example>m</a><li><a href=/x>x</a><li><a href='#'>top</a></ul>"
    )
    assert paths(RoleLinkExtractor().extract_links(shop(body))) == ["/x"]


def test_no_page_has_no_links():
    assert RoleLinkExtractor().extract_links(Response("https://a.example/p.png")) == []


def test_unknown_roles_are_refused_at_once():
    with pytest.raises(OptionError, match="option role = 'pages': must be menu, section"):
        RoleLinkExtractor(roles=["pages"])
    with pytest.raises(TypeError, match="restrict_css"):
        RoleLinkExtractor(restrict_css="main")


def test_a_crawl_follows_page_numbers_alone(tmp_path):
    with unruly() as server:
        for at in range(1, 5):
            server.serve(f"/tools/?page={at}", SHOP.replace(b'"/tools/"', b'"/all/"'))
        run = f"""
from scrapy.crawler import CrawlerProcess
from scrapy.spiders import CrawlSpider, Rule
from pagelet.bulk.scrapy import RoleLinkExtractor

class Shop(CrawlSpider):
    name, start_urls = "shop", ["{server.url}/tools/?page=2"]
    rules = [Rule(RoleLinkExtractor(roles=["pagination"]), "parse_page", follow=True)]
    def parse_page(self, response):
        print(response.url)

process = CrawlerProcess({{"LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False}})
process.crawl(Shop)
process.start()
"""
        env = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}
        done = subprocess.run(
            [sys.executable, "-c", run], cwd=tmp_path, env=env, capture_output=True, text=True,
            check=True, timeout=300,
        )  # fmt: skip
    followed = sorted(line.rpartition("=")[2] for line in done.stdout.split())
    assert followed == ["1", "3", "4"]
    assert done.stderr == ""
