"""How hosts are treated: delays, retries, budgets, and scope."""

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from math import isfinite

from pagelet.errors import BudgetSpent, OptionError
from pagelet.page.site import domain_of
from pagelet.wording import must_lie

BACK_OFF_SECONDS = 1.0  #: wait before the first retry; each later one is twice as long
MAX_WAIT_SECONDS = 120.0  #: a server whose Retry-After is longer gets no retry
RETRY_STATUSES = (429, 500, 502, 503, 504)


@dataclass(frozen=True, slots=True, kw_only=True)
class Politeness:
    """How servers are treated, each host by itself."""

    delay: float = 1.0  #: seconds between a response and the next request; robots.txt may set more
    robots: bool = True  #: whether robots.txt is fetched and obeyed
    retries: int = 2  #: how often a failed request is sent again
    pages: int = 1000  #: most requests for pages, including redirects and retries
    bytes: int = 1_000_000_000  #: most bytes of bodies, as sent over the network
    seconds: float = 3600.0  #: most seconds spent, including waiting
    allow_private: tuple[str, ...] = ()  #: HOST:PORT that may have an address that is not public
    scope: tuple[str, ...] = ()  #: hosts redirects may lead to; the same site if empty, * any

    def __post_init__(self) -> None:
        for name in ("delay", "retries", "pages", "bytes", "seconds"):
            value = getattr(self, name)
            if not (isfinite(value) and value >= 0):
                raise OptionError(name, value, must_lie(0, None))
        if self.allow_private:
            from pagelet.sources.http.addresses import parse_host_port  # noqa: PLC0415 - httpx

            for text in self.allow_private:
                parse_host_port(text)


#: for one page that a user names: one request, wherever it leads, without robots.txt
SINGLE_PAGE = Politeness(delay=0.0, robots=False, retries=0, scope=("*",))


class Clock:
    """The time and a way to wait; tests replace it."""

    def now(self) -> float:
        """Seconds since some moment in the past."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait for some seconds."""
        time.sleep(seconds)


@dataclass(slots=True)
class HostUsage:
    """How much of its budgets one host has used, and when its next request may be sent."""

    delay: float = 0.0
    ready: float = 0.0
    pages: int = 0
    bytes: int = 0
    seconds: float = 0.0

    def check(self, url: str, politeness: Politeness, wait: float) -> None:
        """Refuse a request when a budget is spent, or would be by waiting."""
        for budget in ("pages", "bytes"):
            if getattr(self, budget) >= getattr(politeness, budget):
                raise BudgetSpent(url, budget, getattr(politeness, budget))
        if self.seconds + wait >= politeness.seconds:
            raise BudgetSpent(url, "seconds", politeness.seconds)


def back_off(attempt: int) -> float:
    """Seconds to wait after the first, second, … failed attempt."""
    return float(min(BACK_OFF_SECONDS * 2**attempt, MAX_WAIT_SECONDS))


def parse_retry_after(header: str | None) -> float | None:
    """Seconds of a Retry-After header, which is a number or a date."""
    if header is None:
        return None
    if header.strip().isdecimal():
        return float(header)
    from email.utils import parsedate_to_datetime  # noqa: PLC0415 - few servers send a date

    try:
        until = parsedate_to_datetime(header)
    except (ValueError, OverflowError):
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=UTC)
    return max((until - datetime.now(UTC)).total_seconds(), 0.0)


# -- scope --------------------------------------------------------------------------------


def in_scope(host: str, start: str, scope: tuple[str, ...]) -> bool:
    """Whether a redirect from one host may lead to another."""
    host, start = host.lower(), start.lower()
    if host == start or "*" in scope:
        return True
    if not scope:
        return domain_of(host) == domain_of(start)
    return any(host == name or host.endswith(f".{name}") for name in map(str.lower, scope))
