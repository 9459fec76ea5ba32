"""How a host is treated: how often it is asked, how much it may cost, when it is asked again."""

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite

from pagelet.errors import BudgetSpent, OptionError
from pagelet.sources.http.addresses import place

BACK_OFF = 1.0  #: seconds before the first retry; each later one waits twice as long
LONGEST_WAIT = 120.0  #: a server that asks for more is not asked again
AGAIN = (429, 500, 502, 503, 504)  #: answers that may be better the next time


@dataclass(frozen=True, slots=True, kw_only=True)
class Politeness:
    """How servers are treated, each host by itself."""

    delay: float = 1.0  #: seconds between an answer and the next request; robots.txt may ask more
    robots: bool = True  #: whether robots.txt is asked and kept
    retries: int = 2  #: how often a request that failed is sent again
    pages: int = 1000  #: most requests for pages, redirects and retries among them
    bytes: int = 1_000_000_000  #: most bytes of bodies, as they come over the network
    seconds: float = 3600.0  #: most seconds spent, waiting among them
    allow_private: tuple[str, ...] = ()  #: HOST:PORT that may have an address that is not public
    scope: tuple[str, ...] = ()  #: hosts redirects may lead to; the same site if empty, * any

    def __post_init__(self) -> None:
        for name in ("delay", "retries", "pages", "bytes", "seconds"):
            value = getattr(self, name)
            if not (isfinite(value) and value >= 0):
                raise OptionError(name, value, "give a number that is not negative")
        for text in self.allow_private:
            place(text)


#: for one page that a user names: asked for once, wherever it leads, without asking robots.txt
NAMED = Politeness(delay=0.0, robots=False, retries=0, scope=("*",))


class Clock:
    """The time, and a way to let it pass; a test has its own."""

    def now(self) -> float:
        """Seconds since some moment in the past."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Let so many seconds pass."""
        time.sleep(seconds)


@dataclass(slots=True)
class Host:
    """What one host has cost so far, and from when on it may be asked again."""

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
    """Seconds to wait after the first, second, … attempt that failed."""
    return float(min(BACK_OFF * 2**attempt, LONGEST_WAIT))


def asked_wait(header: str | None) -> float | None:
    """Seconds that a Retry-After header asks for, given as a number or as a date."""
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


# -- scope --------------------------------------------------------------------------------

#: second labels under which countries give out names: example.co.uk, not co.uk, is a site
SHARED = frozenset("ac co com edu go gob gouv gov gv ltd me mil ne net nom or org plc sch".split())


def site_of(host: str) -> str:
    """The part of a host name that is given out to one owner, by the usual shape of names."""
    labels = host.lower().rstrip(".").split(".")
    if labels[-1].isdecimal() or ":" in host:  # an address
        return host.lower()
    country = len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in SHARED
    return ".".join(labels[-3 if country else -2 :])


def in_scope(host: str, start: str, scope: tuple[str, ...]) -> bool:
    """Whether a redirect from one host may lead to another."""
    host, start = host.lower(), start.lower()
    if host == start or "*" in scope:
        return True
    if not scope:
        return site_of(host) == site_of(start)
    return any(host == name or host.endswith(f".{name}") for name in map(str.lower, scope))
