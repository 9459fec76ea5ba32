"""Waiting, budgets, and what belongs to a site."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from pagelet.errors import BudgetSpent, OptionError
from pagelet.page.site import domain_of
from pagelet.sources.http.politeness import (
    HostUsage,
    Politeness,
    back_off,
    in_scope,
    parse_retry_after,
)


def test_each_wait_is_twice_the_last_within_bounds():
    assert [back_off(attempt) for attempt in (0, 1, 2, 3, 50)] == [1, 2, 4, 8, 120]


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("0", 0),
        (" 7 ", 7),
        ("soon", None),
        ("-3", None),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Thu, 01 Jan 99999999999999999999 00:00:00 GMT", None),
        ("9" * 400, float("inf")),
    ],
)
def test_the_wait_a_server_asks_for(header, seconds):
    assert parse_retry_after(header) == seconds


def test_the_wait_may_be_a_date():
    until = datetime.now(UTC) + timedelta(hours=5)
    assert 4 * 3600 < parse_retry_after(format_datetime(until, usegmt=True)) <= 5 * 3600


@pytest.mark.parametrize(
    ("spent", "budget"),
    [
        (HostUsage(pages=3), "pages"),
        (HostUsage(bytes=100), "bytes"),
        (HostUsage(seconds=10.0), "seconds"),
        (HostUsage(seconds=8.0), "seconds"),
    ],
)
def test_a_spent_budget_is_said(spent, budget):
    politeness = Politeness(pages=3, bytes=100, seconds=10.0)
    with pytest.raises(BudgetSpent, match=f"{budget} for this host") as error:
        spent.check("http://example.org/", politeness, wait=2.0)
    assert (error.value.budget, error.value.limit) == (budget, getattr(politeness, budget))


def test_what_is_left_may_be_spent():
    politeness = Politeness(pages=3, bytes=100, seconds=10.0)
    HostUsage(pages=2, bytes=99, seconds=7.9).check("http://example.org/", politeness, wait=2.0)


@pytest.mark.parametrize(
    "wrong",
    [{"delay": -1.0}, {"seconds": float("nan")}, {"retries": -1}, {"allow_private": ("host",)}],
)
def test_values_that_cannot_be(wrong):
    with pytest.raises(OptionError):
        Politeness(**wrong)


@pytest.mark.parametrize(
    ("host", "site"),
    [
        ("example.org", "example.org"),
        ("www.Example.org.", "example.org"),
        ("a.b.example.org", "example.org"),
        ("www.example.co.uk", "example.co.uk"),
        ("example.co.uk", "example.co.uk"),
        ("co.uk", "co.uk"),
        ("com.de", "com.de"),
        ("www.example.de", "example.de"),
        ("localhost", "localhost"),
        ("db", "db"),
        ("127.0.0.1", "127.0.0.1"),
        ("::1", "::1"),
    ],
)
def test_the_site_of_a_host(host, site):
    assert domain_of(host) == site


@pytest.mark.parametrize(
    ("host", "scope", "expected"),
    [
        ("www.example.org", (), True),
        ("shop.example.org", (), True),
        ("example.com", (), False),
        ("badexample.org", (), False),
        ("example.com", ("*",), True),
        ("example.com", ("Example.com",), True),
        ("www.example.com", ("example.com",), True),
        ("badexample.com", ("example.com",), False),
        ("shop.example.org", ("example.com",), False),
        ("example.org", ("example.com",), True),
    ],
)
def test_where_a_redirect_may_lead(host, scope, expected):
    assert in_scope(host, "example.org", scope) is expected
