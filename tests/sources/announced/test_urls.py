"""The pages a site announces: sitemaps and feeds of every kind, on a real server."""

import gzip
import json

import pytest

from pagelet.errors import OptionError, PageError
from pagelet.sources.announced import UrlFilter, UrlOptions, list_urls
from pagelet.sources.announced.feeds import is_feed, read_feed
from pagelet.sources.announced.sitemaps import read_sitemap
from pagelet.sources.http.loader import Loader, Politeness
from pagelet.sources.options import Limits
from tests.effort import growth
from tests.sources.loopback import running
from tests.sources.site import StillClock
from tests.sources.unruly import Unruly

URLSET = '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
INDEX = '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
RSS = """<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>
<language>de</language><item><title>Eins &amp; zwei</title><link>/rss/1</link>
<pubDate>Tue, 03 Mar 2026 10:00:00 GMT</pubDate></item><item><title>ohne</title></item>
</channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>a</title>
<entry><title>One</title><link href="/atom/1"/><updated>2026-02-01T08:00:00Z</updated></entry>
</feed>"""
JSON_FEED = json.dumps({
    "version": "https://jsonfeed.org/version/1.1", "language": "en",
    "items": [{"id": 1, "url": "/json/1", "date_published": "2026-01-05T00:00:00Z", "title": "J"},
              {"id": 2}, "wrong"],
})  # fmt: skip
HOME = """<title>Home</title>
<link rel="alternate" type="application/rss+xml" href="/feed.rss">
<link rel="alternate" type="application/atom+xml" href="feed.atom">
<link rel="alternate" type="application/feed+json; charset=utf-8" href="/feed.json">
<link rel="alternate" hreflang="de" href="/de"><link rel="stylesheet" href="/x.css"><p>Welcome."""


def sitemap(*entries: str) -> str:
    return URLSET + "".join(f"<url>{entry}</url>" for entry in entries) + "</urlset>"


def loc(address: str, rest: str = "") -> str:
    return f"<loc>{address}</loc>{rest}"


class Announcing(Unruly):
    """A server that replaces HOST in what it serves by its address."""

    def announce(self, path: str, body: str | bytes, kind: str = "application/xml") -> None:
        own = body.replace("HOST", self.url) if isinstance(body, str) else body
        self.serve(path, own, {"Content-Type": kind})


@pytest.fixture
def web():
    with running(Announcing()) as server:
        server.announce("/", HOME, "text/html")
        yield server


@pytest.fixture
def listed(web):
    def lister(path="/", wanted=UrlFilter(), **options):
        notes: list[str] = []
        manners = Politeness(delay=0, retries=0, allow_private=(web.place,))
        with Loader(Limits(), manners, StillClock()) as loader:
            found = list_urls(web.url + path, loader, wanted, UrlOptions(**options), notes.append)
            pages = list(found)
        lister.pages, lister.notes = pages, notes
        return [page.url.removeprefix(web.url) for page in pages]

    return lister


# -- a whole site -----------------------------------------------------------------------------


def test_robots_names_an_index_which_names_packed_sitemaps(web, listed):
    web.announce("/robots.txt", "Sitemap: HOST/index.xml\nSitemap: /plain.txt", "text/plain")
    web.announce("/index.xml", f"{INDEX}<sitemap>{loc('HOST/a.xml.gz')}</sitemap>"
              f"<sitemap>{loc('HOST/index.xml')}</sitemap></sitemapindex>")  # fmt: skip
    packed = sitemap(loc(f"{web.url}/1", "<lastmod>2026-03-01T10:00:00+02:00</lastmod>"))
    web.announce("/a.xml.gz", gzip.compress(packed.encode()), "application/x-gzip")
    web.announce("/plain.txt", "HOST/2\nHOST/1\nftp://x\n", "text/plain")
    assert listed(feeds=False) == ["/2", "/1"]
    web.responses.pop("/plain.txt")
    assert listed(feeds=False) == ["/1"]
    [page] = listed.pages
    assert (page.date, page.source) == ("2026-03-01T10:00:00+02:00", f"{web.url}/a.xml.gz")
    [note] = listed.notes
    assert note.startswith(f"{web.url}/plain.txt: ")


def test_without_robots_the_usual_sitemap_and_the_feeds_of_the_page(web, listed):
    web.announce("/feed.rss", RSS, "application/rss+xml")
    web.announce("/feed.atom", ATOM, "application/atom+xml")
    web.announce("/feed.json", JSON_FEED, "application/feed+json")
    assert listed() == ["/rss/1", "/atom/1", "/json/1"]
    assert [(page.date[:10], page.language, page.title) for page in listed.pages] == [
        ("2026-03-03", "de", "Eins & zwei"), ("2026-02-01", None, "One"), ("2026-01-05", "en", "J"),
    ]  # fmt: skip
    assert listed.notes == []  # that there is no sitemap.xml is no problem
    web.announce("/sitemap.xml", sitemap(loc("HOST/s"), loc("HOST/s#part"), loc("HOST/rss/1")))
    assert listed() == ["/s", "/rss/1", "/atom/1", "/json/1"]
    assert listed(sitemaps=False) == ["/rss/1", "/atom/1", "/json/1"]
    assert "/sitemap.xml" in web.paths


@pytest.mark.parametrize(
    ("path", "body", "kind", "pages"),
    [("/s.xml", sitemap(loc("HOST/x")), "text/xml", ["/x"]),
     ("/f", RSS, "text/xml", ["/rss/1"]),
     ("/t", "HOST/y\nHOST/z", "text/plain", ["/y", "/z"])],
    ids=["sitemap", "feed", "text"],
)  # fmt: skip
def test_the_start_may_be_a_sitemap_or_a_feed(web, listed, path, body, kind, pages):
    web.announce(path, body, kind)
    assert listed(path) == pages
    assert web.paths[-1] == path


def test_pages_of_other_sites_are_left_out(web, listed):
    web.announce(
        "/sitemap.xml", sitemap(loc("https://other.example/"), loc("HOST/own"), loc("x:y"))
    )
    assert listed() == ["/own"]
    assert listed(all_hosts=True) == ["https://other.example/", "/own"]


def test_their_number_is_bounded(web, listed):
    names = "".join(f"<sitemap>{loc(f'HOST/{n}.xml')}</sitemap>" for n in range(9))
    web.announce("/sitemap.xml", f"{INDEX}{names}</sitemapindex>")
    for number in range(9):
        web.announce(f"/{number}.xml", sitemap(*(loc(f"HOST/{number}/{n}") for n in range(9))))
    assert len(listed(max_files=3, feeds=False)) == 18
    assert listed.notes == ["7 sitemaps and feeds were not read; raise --max-files for more"]
    assert len(listed(max_urls=20, feeds=False)) == 20
    assert listed.notes == ["stopped after 20 pages; raise --max-urls for more"]


def test_a_start_that_is_not_there(web, listed):
    with pytest.raises(PageError, match="404"):
        listed("/missing")
    web.announce("/robots.txt", "Sitemap: HOST/s.xml", "text/plain")
    web.announce("/s.xml", sitemap(loc("HOST/x")))
    assert listed("/missing") == ["/x"]
    assert "404" in listed.notes[0]


# -- filters ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "pages"),
    [
        ({"path": ("/news/*",)}, ["/news/1", "/news/2"]),
        ({"path": ("/about", "/news/2")}, ["/news/2", "/about"]),
        ({"since": "2026-02-01"}, ["/news/2"]),
        ({"until": "2026-01-31"}, ["/news/1"]),
        ({"since": "2026-01-01", "until": "2026-02-01"}, ["/news/1", "/news/2"]),
        ({"language": "de"}, ["/about"]),
        ({"language": "d"}, []),
    ],
    ids=str,
)
def test_filters(web, listed, wanted, pages):
    alternates = '<x:link rel="alternate" hreflang="de-AT" href="HOST/about"/>'
    web.announce("/sitemap.xml", sitemap(
        loc("HOST/news/1", "<lastmod>2026-01-15</lastmod>"),
        loc("HOST/news/2", "<lastmod>2026-02-01T23:59:00Z</lastmod>"),
        loc("HOST/about", alternates),
    ))  # fmt: skip
    assert listed("/", UrlFilter(**wanted)) == pages


def test_a_day_that_is_none():
    with pytest.raises(OptionError, match="since"):
        UrlFilter(since="yesterday")


# -- damaged and hostile ----------------------------------------------------------------------


def test_what_stands_before_the_damage_is_read():
    found = read_sitemap(sitemap(loc("http://a/1"), loc("http://a/2")).encode()[:-30], "s")
    assert [page.url for page in found.pages] == ["http://a/1"]
    assert "not read to its end" in found.problem


@pytest.mark.parametrize(
    "body",
    [
        '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><urlset><url>&b;</url></urlset>',
        '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]><urlset><loc>&a;</loc></urlset>',
        "<a>" * 5000,
    ],
    ids=["entities", "files", "nesting"],
)
def test_hostile_xml_gives_nothing(body):
    found = read_sitemap(body.encode(), "s")
    assert not found.pages
    assert found.problem


def test_names_of_pictures_and_news():
    body = sitemap(
        "<image:image><image:loc>http://a/i.png</image:loc></image:image>"
        + loc("http://a/1")
        + "<news:news><news:title>T &lt;b&gt;</news:title><news:publication><news:language>fr"
        "</news:language></news:publication><news:publication_date>2026-01-02"
        "</news:publication_date></news:news>"
    )
    [page] = read_sitemap(body.encode(), "s").pages
    assert (page.url, page.title, page.language, page.date) == (
        "http://a/1", "T <b>", "fr", "2026-01-02",
    )  # fmt: skip


def test_long_sitemaps_cost_in_proportion():
    def body(size: int) -> bytes:
        return sitemap(*(loc(f"http://a/{number}") for number in range(size))).encode()

    assert growth(lambda text: read_sitemap(text, "s"), body, 300) < 6


@pytest.mark.parametrize("body", [b"{", b'{"items": 3}', b"[" * 9999, b'{"items": [null, {}]}'])
def test_json_that_is_no_feed(body):
    assert read_feed(b'{"x":' + body if body[:1] == b"[" else body, "f") == []


def test_a_page_is_no_feed():
    assert not is_feed(HOME.encode())
    assert not is_feed(sitemap().encode())
    assert is_feed(ATOM.encode())
