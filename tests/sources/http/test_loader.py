"""Many pages of a server: its turn, its budgets, its moods."""

import pytest

from pagelet.errors import (
    BudgetSpent,
    ErrorStatus,
    OptionError,
    OutOfScope,
    PageError,
    Unreachable,
    UnsafeAddress,
)
from pagelet.sources.http.loader import HttpRequest, Loader, Politeness
from pagelet.sources.options import Limits
from tests.sources.site import Site, StillClock, loader

# -- turns ------------------------------------------------------------------------------------


def test_a_host_is_given_time_between_requests(site):
    clock = StillClock()
    with loader(site, clock, delay=3.0) as loads:
        for _ in range(3):
            loads.load(f"{site.url}/page")
    assert clock.naps == [3.0, 3.0]


def test_time_that_has_passed_is_not_waited_again(site):
    clock = StillClock()
    with loader(site, clock, delay=3.0) as loads:
        loads.load(f"{site.url}/page")
        clock.time += 2.0
        loads.load(f"{site.url}/page")
        clock.time += 9.0
        loads.load(f"{site.url}/page")
    assert clock.naps == [1.0]


@pytest.mark.parametrize("path", ["/fail?times=9&code=0", "/status?code=404", "/page?type=x/y"])
def test_what_failed_is_followed_by_a_delay_too(site, path):
    clock = StillClock()
    with loader(site, clock, delay=3.0, retries=0) as loads:
        with pytest.raises(PageError):
            loads.load(site.url + path)
        loads.load(f"{site.url}/page")
    assert clock.naps == [3.0]


def test_redirects_wait_for_their_turn_and_do_not_use_up_the_time(site):
    clock = StillClock()
    with loader(site, clock, delay=60.0) as loads:
        loads.load(f"{site.url}/to?url=/to?url=/page")
    assert clock.naps == [60.0, 60.0]


def test_each_host_has_its_own_turn(site):
    clock = StillClock()
    there = f"localhost:{site.server_port}"
    with loader(site, clock, delay=3.0, allow_private=(site.place, there)) as loads:
        loads.load(f"{site.url}/page")
        loads.load(f"http://{there}/page")
    assert clock.naps == []


# -- retries ----------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [0, 429, 500, 502, 503, 504])
def test_a_server_that_recovers(site, status):
    clock = StillClock()
    with loader(site, clock, delay=0.5) as loads:
        found = loads.load(f"{site.url}/fail?times=2&code={status}")
    assert (found.body, found.status, len(site.requests)) == (b"<p>At last.</p>", 200, 3)
    assert clock.naps == [1.0, 2.0]


def test_a_server_that_does_not_recover(site):
    with loader(site, retries=2) as loads, pytest.raises(ErrorStatus, match="answered 500"):
        loads.load(f"{site.url}/fail?times=9&code=500")
    assert len(site.requests) == 3


def test_a_body_that_breaks_off_is_asked_for_again(site):
    with loader(site) as loads:
        assert loads.load(f"{site.url}/cut").body == b"x" * 10
    assert len(site.requests) == 2


@pytest.mark.parametrize("status", [400, 403, 404, 501])
def test_what_will_not_change_is_not_asked_again(site, status):
    with loader(site) as loads, pytest.raises(ErrorStatus):
        loads.load(f"{site.url}/fail?times=1&code={status}")
    assert len(site.requests) == 1


def test_a_wait_that_is_asked_for_is_kept(site):
    clock = StillClock()
    with loader(site, clock) as loads:
        loads.load(f"{site.url}/fail?times=1&code=429&wait=45")
    assert clock.naps == [45.0]


def test_a_wait_of_hours_is_not_waited(site):
    clock = StillClock()
    with loader(site, clock) as loads, pytest.raises(ErrorStatus, match="later, in 7,200 s"):
        loads.load(f"{site.url}/fail?times=1&code=503&wait=7200")
    assert (clock.naps, len(site.requests)) == ([], 1)


def test_a_wait_beyond_the_budget_ends_the_visit(site):
    clock = StillClock()
    with loader(site, clock, seconds=30.0) as loads, pytest.raises(BudgetSpent, match="30 seconds"):
        loads.load(f"{site.url}/fail?times=1&code=429&wait=45")
    assert clock.naps == []


@pytest.mark.parametrize("status", [0, 429, 500, 503])
def test_a_post_is_not_sent_twice(site, status):
    with loader(site) as loads, pytest.raises(Unreachable):
        loads.load(HttpRequest(f"{site.url}/fail?times=1&code={status}", "POST", b"q=x"))
    assert len(site.requests) == 1


def test_the_next_page_waits_as_long_as_a_post_was_told(site):
    clock = StillClock()
    with loader(site, clock) as loads:
        with pytest.raises(ErrorStatus):
            loads.load(HttpRequest(f"{site.url}/fail?times=1&code=429&wait=45", "POST", b""))
        loads.load(f"{site.url}/page")
    assert clock.naps == [45.0]


def test_a_post_that_never_left_is_sent_again():
    with Site() as gone:
        clock, unused = StillClock(), gone
    with loader(unused, clock) as loads, pytest.raises(Unreachable):
        loads.load(HttpRequest(f"{unused.url}/page", "POST", b"q=x"))
    assert clock.naps == [1.0, 2.0]


# -- budgets ----------------------------------------------------------------------------------


def test_pages(site):
    with loader(site, pages=3) as loads:
        loads.load(f"{site.url}/to?url=/page")
        loads.load(f"{site.url}/page")
        with pytest.raises(
            BudgetSpent, match="budget of 3 pages for this host is spent; raise --pages"
        ):
            loads.load(f"{site.url}/page")
    assert len(site.requests) == 3


def test_bytes_are_counted_as_they_come(site):
    with loader(site, bytes=150_000) as loads:
        loads.load(f"{site.url}/packed?bytes=1000000")
        loads.load(f"{site.url}/large?bytes=100000")
        with pytest.raises(BudgetSpent, match="150,000 bytes"):
            loads.load(f"{site.url}/large?bytes=100000")
        with pytest.raises(BudgetSpent, match="150,000 bytes"):
            loads.load(f"{site.url}/page")
    assert len(site.requests) == 3


def test_seconds_of_waiting(site):
    with loader(site, delay=4.0, seconds=10.0) as loads:
        for _ in range(3):
            loads.load(f"{site.url}/page")
        with pytest.raises(BudgetSpent, match="10 seconds"):
            loads.load(f"{site.url}/page")


def test_seconds_of_a_slow_answer(site):
    politeness = Politeness(allow_private=(site.place,), robots=False, seconds=0.3)
    with Loader(Limits(timeout=9.0), politeness) as loads, pytest.raises(BudgetSpent):
        loads.load(f"{site.url}/drip")


def test_another_host_has_a_budget_of_its_own(site):
    there = f"localhost:{site.server_port}"
    with loader(site, pages=1, allow_private=(site.place, there)) as loads:
        loads.load(f"{site.url}/page")
        loads.load(f"http://{there}/page")


def test_a_page_that_fails_leaves_the_loader_fit_for_the_next(site):
    with loader(site, retries=0) as loads:
        for path in ("/status?code=500", "/loop", "/page?type=image/png", "/fail?times=9&code=0"):
            with pytest.raises(PageError):
                loads.load(site.url + path)
        assert loads.load(f"{site.url}/page").body


# -- redirects, forms and cookies -------------------------------------------------------------


def test_a_redirect_off_the_site_is_refused(site):
    with (
        loader(site) as loads,
        pytest.raises(OutOfScope, match=r"example\.com/a; allow it with --scope") as error,
    ):
        loads.load(f"{site.url}/to?url=https://example.com/a")
    assert error.value.target == "https://example.com/a"
    assert len(site.requests) == 1


def test_a_redirect_to_a_host_in_the_scope(site):
    there = f"localhost:{site.server_port}"
    allowed = (site.place, there)
    with loader(site, allow_private=allowed, scope=("localhost",)) as loads:
        assert loads.load(f"{site.url}/to?url=http://{there}/page").url == f"http://{there}/page"


def test_a_redirect_in_scope_to_a_private_address_is_refused(site):
    with loader(site, scope=("*",)) as loads, pytest.raises(UnsafeAddress):
        loads.load(f"{site.url}/to?url=http://localhost:{site.server_port}/page")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (301, "GET|no type|no cookie|"),
        (302, "GET|no type|no cookie|"),
        (303, "GET|no type|no cookie|"),
        (307, "POST|text/x-form|no cookie|q=x"),
        (308, "POST|text/x-form|no cookie|q=x"),
    ],
)
def test_what_becomes_of_a_post_that_is_redirected(site, code, expected):
    asked = HttpRequest(f"{site.url}/to?code={code}&url=/echo", "POST", b"q=x", "text/x-form")
    with loader(site) as loads:
        found = loads.load(asked)
    assert (found.body.decode(), found.redirects) == (expected, (asked.url,))


def test_a_form_is_posted(site):
    with loader(site) as loads:
        body = loads.load(HttpRequest(f"{site.url}/echo", "POST", b"q=a+b", "text/x-form")).body
    assert body == b"POST|text/x-form|no cookie|q=a+b"


def test_only_get_and_post():
    with pytest.raises(OptionError, match="GET and POST"):
        HttpRequest("http://example.org/", "DELETE")


def test_cookies_are_kept_while_the_loader_is_open(site):
    with loader(site) as loads:
        assert b"|session=abc|" in loads.load(f"{site.url}/cookie").body
        assert b"|session=abc|" in loads.load(f"{site.url}/echo").body
    with loader(site) as loads:
        assert b"|no cookie|" in loads.load(f"{site.url}/echo").body
