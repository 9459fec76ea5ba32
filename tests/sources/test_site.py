"""A site from wherever it is, its loads counted; and one on the web that behaves badly."""

from collections.abc import Iterator

import pytest

from pagelet.errors import Unreachable, UnsafeAddress
from pagelet.methods.template import find_template
from pagelet.methods.template.options import TemplateOptions
from pagelet.page.html import parse
from pagelet.page.site import Site
from pagelet.sources.http.cache import Cache
from pagelet.sources.http.loader import Loader, Politeness
from pagelet.sources.options import Limits
from pagelet.sources.site import Access, OpenSite, WebSite, open_site
from tests.effort import ends
from tests.sources.site import StillClock
from tests.sources.test_warc import HOST, page, written
from tests.sources.unruly import CannedResponse, Unruly, forbidden, unruly

MENU = "".join(f"<li><a href='/{name}.html'>{name}</a>" for name in ("one", "two", "three", "four"))
FRESH = {"Cache-Control": "max-age=600"}


def framed(text: str, more: str = "") -> str:
    """A page of the site: its own text in what all pages have."""
    return (
        f"<title>{text}</title><div id=top><h1>The site</h1><ul>{MENU}</ul></div>"
        f"<div id=main><p>{text}</p><p>{text[::-1]} and more</p></div>"
        f"<div id=foot>{more}<p>All pages end with these words</p></div>"
    )


@pytest.fixture
def site() -> Iterator[Unruly]:
    with unruly() as server:
        for name in ("one", "two", "three", "four"):
            server.serve(f"/{name}.html", framed(f"What {name} says is its own"), FRESH)
        yield server


def access(site: Unruly, **changes) -> Access:
    polite = Politeness(allow_private=(site.place,), robots=False, delay=0.0, retries=0)
    return Access(**{"politeness": polite, "cache": None, **changes})


# -- wherever it is ---------------------------------------------------------------------------


def count_all(opened: OpenSite) -> tuple[int, int]:
    """Load the key page, all that is known, and something that is not there."""
    assert isinstance(opened, Site)
    opened.load(opened.key)
    opened.load(f"{opened.key}#part")
    for url in opened.addresses():
        opened.load(url)
    assert opened.load(f"{HOST}/missing.html") is None
    return opened.loads, opened.missing


def test_pages_in_memory():
    pages = [parse(f"<p>{at}", url=f"{HOST}/{at}") for at in range(3)]
    assert count_all(open_site(pages, f"{HOST}/0")) == (2, 1)


def test_a_folder(tmp_path):
    for at in range(3):
        (tmp_path / f"{at}.html").write_text(f"<p>{at}")
    opened = open_site(tmp_path, str(tmp_path / "0.html"), url=f"{HOST}/0.html")
    assert opened.load(f"{HOST}/0.html").texts == ("0",)
    assert count_all(open_site(str(tmp_path), f"{HOST}/0.html")) == (2, 1)


@pytest.mark.parametrize("packed", [False, True])
def test_an_archive(tmp_path, packed):
    archive = written(tmp_path, *map(page, ("/0", "/1", "/2")), packed=packed)
    assert count_all(open_site(archive, f"{HOST}/0")) == (2, 1)
    assert open_site(archive, f"{HOST}/0").load(f"{HOST}/0").texts == ("/0",)


def test_the_web(site):
    with open_site(site.url, f"{site.url}/one.html", access=access(site)) as opened:
        assert opened.load(f"{site.url}/one.html").texts[0] == "What one says is its own"
        assert opened.load(f"{site.url}/two.html#x").url == f"{site.url}/two.html"
        assert opened.load(f"{site.url}/missing") is None
        assert (opened.loads, opened.missing, opened.addresses()) == (1, 1, ())
        assert opened.site.problems == {"ErrorStatus": 1}


def test_a_key_page_from_elsewhere_on_the_web(site):
    opened = open_site(site.url, "saved.html", access=access(site))
    assert opened.key == site.url
    opened.close()


def test_what_was_kept_is_a_load_but_is_not_asked_again(site, tmp_path):
    for _ in range(2):
        kept = access(site, cache=Cache(tmp_path))
        with open_site(site.url, site.url, access=kept) as opened:
            assert opened.load(f"{site.url}/one.html")
            assert opened.loads == 1
    assert site.paths == ["/one.html"]


@pytest.mark.parametrize("where", ["missing", "page.html", "site.zip"])
def test_what_is_no_site_is_said(tmp_path, where):
    (tmp_path / "page.html").write_text("<p>x")
    with pytest.raises(Unreachable, match="neither a folder, nor"):
        open_site(tmp_path / where, "-")


def test_an_address_that_is_never_fetched_is_said():
    with pytest.raises(UnsafeAddress):
        open_site("ftp://a.example/", "-", access=Access(cache=None))


# -- a site that behaves badly ----------------------------------------------------------------


def test_each_kind_of_trouble_is_counted(site):
    site.serve("/loop", "", {"Location": "/loop"}, status=302)
    site.serve("/away", "", {"Location": "https://elsewhere.example/"}, status=302)
    site.serve("/picture.html", b"\x89PNG\r\n\0\0\0")
    site.serve("/said.html", "words", {"Content-Type": "application/pdf"})
    site.serve("/large.html", "x" * 30_000_000)
    site.serve("/packed.html", "x" * 30_000_000, packed=True)
    paths = ("/loop", "/away", "/picture.html", "/said.html", "/large.html", "/packed.html")
    with open_site(site.url, site.url, access=access(site)) as opened:
        for url in (
            *(site.url + path for path in paths),
            "https://b.example/",
            "data:x",
            "http://",
        ):
            assert opened.load(url) is None
        assert opened.site.problems == {
            "Unreachable": 2,
            "OutOfScope": 2,
            "NotHtml": 2,
            "PageTooLarge": 2,
            "UnsafeAddress": 1,
        }


def test_a_drip_ends_in_time(site):
    site.serve("/drip.html", "", drips=True)
    slow = access(site, limits=Limits(timeout=0.2))
    with ends(), open_site(site.url, site.url, access=slow) as opened:
        assert opened.load(f"{site.url}/drip.html") is None


def test_the_budget_of_pages_is_for_the_whole_visit(site):
    there = f"localhost:{site.server_port}"
    few = Politeness(allow_private=(site.place, there), robots=False, pages=3, scope=("localhost",))
    with Loader(politeness=few, clock=StillClock()) as loader:
        visit = WebSite(site.url, loader)
        for base in (site.url, f"http://{there}"):
            for name in ("one", "two"):
                visit.load(f"{base}/{name}.html")
        assert visit.problems == {"BudgetSpent": 1}
    assert len(site.requests) == 3


def test_the_budget_of_seconds_is_for_the_whole_visit(site):
    clock = StillClock()
    brief = Politeness(allow_private=(site.place,), robots=False, seconds=10.0)
    with Loader(politeness=brief, clock=clock) as loader:
        visit = WebSite(site.url, loader, clock)
        assert visit.load(f"{site.url}/one.html")
        clock.time += 10.0
        assert visit.load(f"{site.url}/two.html") is None
        assert visit.problems == {"BudgetSpent": 1}


@pytest.mark.parametrize("robots", [False, True])
def test_forbidden_addresses_are_never_asked(site, robots):
    with forbidden() as (place, visited):
        for path, target in {"/a": f"http://{place}/", "/b": "http://169.254.169.254/"}.items():
            site.serve(path, "", {"Location": target}, status=302)
        port = place.partition(":")[2]
        polite = Politeness(
            allow_private=(site.place,), robots=robots, delay=0.0, retries=0, scope=("*",)
        )
        urls = (
            f"{site.url}/a",
            f"{site.url}/b",
            f"http://{place}/",
            f"http://localhost:{port}/",
            f"http://127.1:{port}/",
            f"http://[::ffff:127.0.0.1]:{port}/",
            f"http://{site.place}@{place}/",
            "http://169.254.169.254/latest/meta-data/",
        )
        with open_site(site.url, site.url, access=access(site, politeness=polite)) as opened:
            assert [opened.load(url) for url in urls] == [None] * len(urls)
            assert opened.site.problems == {"UnsafeAddress": len(urls)}
        assert not visited()


def test_the_template_of_an_unruly_site_is_found_all_the_same(site):
    with forbidden() as (place, visited):
        bad = ["/gone.html", "/loop.html", "/picture.html", "/drip.html", "/large.html"]
        bad += [f"/soft{at}.html" for at in range(3)]
        bad += [f"/one.html?session={at}" for at in range(20)]
        bad += [f"http://{place}/", "http://169.254.169.254/latest/", "http://127.0.0.1/"]
        site.serve("/loop.html", "", {"Location": "/loop.html"}, status=302)
        site.serve("/picture.html", b"\x89PNG\r\n\0\0\0")
        site.serve("/drip.html", "", drips=True)
        site.serve("/large.html", "x" * 30_000_000)
        del site.responses["/three.html"], site.responses["/four.html"]
        for at in range(3):
            site.serve(f"/soft{at}.html", "<h1>Not found</h1><p>There is nothing here.</p>")
        links = "".join(f"<a href='{link}'>more</a>" for link in bad)
        key = f"{site.url}/key.html"
        read = parse(framed("What the key page says is its own", links), url=key)
        quick = access(site, limits=Limits(max_bytes=10_000_000, timeout=2.0))
        with ends(), open_site(site.url, key, access=quick) as opened:
            found = find_template(read, TemplateOptions(loads=20), site=opened)
            assert opened.loads == found.facts["loads"]
        assert not visited()
    tried = {"/gone.html", "/loop.html", "/picture.html", "/drip.html", "/large.html"}
    assert tried < set(site.paths)
    assert found.determined
    assert "What the key page says is its own" in found.text()
    assert "All pages end with these words" not in found.text()


def test_a_site_that_answers_everything_with_nothing_ends(site):
    site.responses.clear()
    site.otherwise = lambda path: CannedResponse(b"", {"Content-Type": "text/html"})
    key = f"{site.url}/key.html"
    links = "".join(f"<a href='/{at}.html'>{at}</a>" for at in range(2000))
    read = parse(framed("Its own", links), url=key)
    with ends(), open_site(site.url, key, access=access(site)) as opened:
        find_template(read, site=opened)
        assert (opened.loads, opened.missing) == (0, len(site.requests))
        assert opened.missing <= 200
