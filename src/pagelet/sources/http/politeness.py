"""How hosts are treated: delays, retries, budgets, robots.txt (RFC 9309), and scope."""

import re
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import inf, isfinite

from protego import Protego

from pagelet.errors import BudgetSpent, OptionError
from pagelet.page.site import domain_of
from pagelet.sources.http.addresses import parse_host_port
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
    try:
        until = parsedate_to_datetime(header)
    except (ValueError, OverflowError):
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=UTC)
    return max((until - datetime.now(UTC)).total_seconds(), 0.0)


# -- robots.txt ---------------------------------------------------------------------------

USER_AGENT = "pagelet"  #: product token in robots.txt and in requests
MAX_ROBOTS_BYTES = 524_288  #: bytes of a robots.txt that are read; the RFC requires 500 KiB
MAX_ROBOTS_REDIRECTS = 5  #: redirects followed to a robots.txt, as the RFC says

_AGENT_LINE = re.compile(r"\s*user[- ]?agent\b\s*:?\s*(?P<name>[^#]*)", re.IGNORECASE)
_TOKEN = re.compile(r"[a-z_-]+")


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """The rules of one site; without any, all is allowed, or nothing if robots.txt failed."""

    rules: Protego | None = None
    trouble: str | None = None  #: why robots.txt could not be read

    def allow(self, url: str) -> bool:
        """Whether a URL may be requested."""
        if self.rules is None:
            return self.trouble is None
        return self.rules.can_fetch(url, USER_AGENT)

    @property
    def refusal(self) -> str:
        """The message for a URL that is not allowed."""
        if self.trouble is None:
            return "robots.txt of the site does not allow it; leave it, or ask the site's owner"
        return f"robots.txt could not be read, so nothing may be ({self.trouble}); try again later"

    @property
    def delay(self) -> float:
        """Seconds between two requests that robots.txt asks for; 0 without such a rule."""
        if self.rules is None:
            return 0.0
        rate = self.rules.request_rate(USER_AGENT)
        by_rate = _seconds_per_request(rate.seconds, rate.requests) if rate else 0.0
        return max(self.rules.crawl_delay(USER_AGENT) or 0.0, by_rate)


def _seconds_per_request(seconds: float, requests: float) -> float:
    """Seconds between two requests; infinite if no float holds them, or if none is allowed."""
    try:
        return seconds / requests
    except ArithmeticError:
        return inf


ALLOW_ALL = RobotsRules()


def parse_robots(body: bytes) -> RobotsRules:
    """Parse a robots.txt up to the byte limit."""
    text = body[:MAX_ROBOTS_BYTES].decode("utf-8-sig", "replace")
    lines = text.splitlines()
    if len(body) > MAX_ROBOTS_BYTES:
        lines = lines[:-1]  # cut in the middle, it might forbid more or less than is meant
    return RobotsRules(Protego.parse("\n".join(map(_with_short_agent, lines))))


def _with_short_agent(line: str) -> str:
    """Call every robot except pagelet and * by one name.

    Each robot that a group names gets its own copy of the group's rules, so that a file of
    many names before many rules would cost their product.
    """
    match = _AGENT_LINE.match(line)
    if match is None:
        return line
    name = match["name"].strip().lower()
    token = _TOKEN.match(name)
    is_own = token is not None and token[0] == USER_AGENT
    return f"User-agent: {USER_AGENT if is_own else '*' if name == '*' else 'other'}"


def robots_for_status(status: int) -> RobotsRules:
    """The rules that an error status means: there are none, or nothing is allowed for now."""
    if 400 <= status < 500 and status != 429:
        return ALLOW_ALL
    return RobotsRules(trouble=f"the server answered {status}")


# -- scope --------------------------------------------------------------------------------


def in_scope(host: str, start: str, scope: tuple[str, ...]) -> bool:
    """Whether a redirect from one host may lead to another."""
    host, start = host.lower(), start.lower()
    if host == start or "*" in scope:
        return True
    if not scope:
        return domain_of(host) == domain_of(start)
    return any(host == name or host.endswith(f".{name}") for name in map(str.lower, scope))
