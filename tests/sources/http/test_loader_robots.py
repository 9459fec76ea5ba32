"""A loader keeps to the robots.txt of each site."""

import pytest

from pagelet.errors import BudgetSpent, Disallowed, UnsafeAddress
from pagelet.sources.http.loader import HttpRequest, Loader, Politeness
from pagelet.sources.options import Limits
from tests.sources.site import StillClock, loader, served


def test_robots_txt_is_asked_once(site):
    with loader(site, robots=True) as loads:
        loads.load(f"{site.url}/page")
        loads.load(f"{site.url}/echo")
    assert site.paths == ["/robots.txt", "/page", "/echo"]


def test_what_robots_txt_forbids_is_not_asked(site):
    site.robots = (200, b"User-agent: *\nDisallow: /echo\nAllow: /page")
    with loader(site, robots=True) as loads:
        loads.load(f"{site.url}/page")
        with pytest.raises(Disallowed, match=r"robots\.txt of the site does not allow"):
            loads.load(f"{site.url}/echo?q=x")
        with pytest.raises(Disallowed):
            loads.load(HttpRequest(f"{site.url}/echo", "POST", b"q=x"))
    assert site.paths == ["/robots.txt", "/page"]


def test_robots_txt_holds_for_redirects_too(site):
    site.robots = (200, b"User-agent: *\nDisallow: /page")
    with loader(site, robots=True) as loads, pytest.raises(Disallowed):
        loads.load(f"{site.url}/to?url=/page")
    assert "/page" not in site.paths


@pytest.mark.parametrize(("asked", "waited"), [(b"7", 7.0), (b"0.5", 2.0)])
def test_the_longer_delay_wins(site, asked, waited):
    site.robots = (200, b"User-agent: *\nCrawl-delay: " + asked)
    clock = StillClock()
    with loader(site, clock, robots=True, delay=2.0) as loads:
        loads.load(f"{site.url}/page")
        loads.load(f"{site.url}/page")
    assert clock.naps == [waited, waited]


@pytest.mark.parametrize("asked", [b"Crawl-delay: 86400", b"Request-rate: 1/" + b"9" * 400])
def test_a_delay_beyond_the_budget_ends_the_visit(site, asked):
    site.robots = (200, b"User-agent: *\n" + asked)
    clock = StillClock()
    with loader(site, clock, robots=True, seconds=600.0) as loads, pytest.raises(BudgetSpent):
        loads.load(f"{site.url}/page")
    assert (clock.naps, site.paths) == ([], ["/robots.txt"])


@pytest.mark.parametrize("status", [500, 503, 429])
def test_a_site_in_trouble_allows_nothing(site, status):
    site.robots = (status, b"")
    with loader(site, robots=True, retries=1) as loads:
        for _ in range(2):
            with pytest.raises(Disallowed, match=f"answered {status}"):
                loads.load(f"{site.url}/page")
    assert site.paths == ["/robots.txt"] * 2


def test_robots_txt_that_hangs_up_allows_nothing(site):
    site.robots = (302, b"/fail?times=9&code=0")
    with loader(site, robots=True) as loads, pytest.raises(Disallowed, match="could not be read"):
        loads.load(f"{site.url}/page")


@pytest.mark.parametrize("status", [404, 403])
def test_no_robots_txt_allows_all(site, status):
    site.robots = (status, b"User-agent: *\nDisallow: /")
    with loader(site, robots=True) as loads:
        assert loads.load(f"{site.url}/page").body


def test_robots_txt_may_lie_elsewhere(site):
    with served() as other:
        other.robots = (200, b"User-agent: *\nDisallow: /page")
        site.robots = (302, f"{other.url}/robots.txt".encode())
        with (
            loader(site, robots=True, allow_private=(site.place, other.place)) as loads,
            pytest.raises(Disallowed),
        ):
            loads.load(f"{site.url}/page")


def test_robots_txt_behind_too_many_redirects_is_none(site):
    site.robots = (302, b"/robots.txt")
    with loader(site, robots=True) as loads:
        assert loads.load(f"{site.url}/page").body
    assert site.paths == ["/robots.txt"] * 6 + ["/page"]


def test_robots_txt_at_a_private_address_allows_nothing(site):
    site.robots = (302, b"http://127.0.0.2/robots.txt")
    with loader(site, robots=True) as loads, pytest.raises(Disallowed, match="loopback"):
        loads.load(f"{site.url}/page")


def test_a_private_site_is_told_as_such(site):
    with (
        loader(site, robots=True, allow_private=()) as loads,
        pytest.raises(UnsafeAddress, match=f"--allow-private {site.place}"),
    ):
        loads.load(f"{site.url}/page")


def test_a_huge_robots_txt_is_read_to_the_limit(site):
    site.robots = (200, b"User-agent: *\nDisallow: /echo\n" + b"#" * 3_000_000)
    with loader(site, robots=True) as loads, pytest.raises(Disallowed):
        loads.load(f"{site.url}/echo")


def test_a_robots_txt_without_end_costs_little(site):
    site.robots = (302, b"/gigabyte")
    politeness = Politeness(allow_private=(site.place,), bytes=5_000_000)
    with Loader(Limits(max_bytes=100_000), politeness, StillClock()) as loads:
        assert loads.load(f"{site.url}/page").body


def test_a_budget_that_robots_txt_spends_is_told_as_such(site):
    site.robots = (200, b"#" * 3_000_000)
    with loader(site, robots=True, bytes=100_000) as loads, pytest.raises(BudgetSpent):
        loads.load(f"{site.url}/page")
