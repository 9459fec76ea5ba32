"""robots.txt (RFC 9309): what a site allows, to whom, and how often."""

import re
from dataclasses import dataclass
from math import inf

from protego import Protego

from pagelet.sources.http.identity import PRODUCT

MAX_ROBOTS_BYTES = 524_288  #: bytes of a robots.txt that are read; the RFC requires 500 KiB
MAX_ROBOTS_REDIRECTS = 5  #: redirects followed to a robots.txt, as the RFC says

_AGENT_LINE = re.compile(r"\s*user[- ]?agent\b\s*:?\s*(?P<name>[^#]*)", re.IGNORECASE)
_TOKEN = re.compile(r"[a-z_-]+")
OTHER_ROBOT = "0"  #: no product has a digit in its name


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """The rules of one site; without any, all is allowed, or nothing if robots.txt failed."""

    rules: Protego | None = None
    trouble: str | None = None  #: why robots.txt could not be read
    product: str = PRODUCT  #: name of the robot that asks

    def allow(self, url: str) -> bool:
        """Whether a URL may be requested."""
        if self.rules is None:
            return self.trouble is None
        return self.rules.can_fetch(url, self.product)

    @property
    def sitemaps(self) -> list[str]:
        """The sitemaps that robots.txt names."""
        return [] if self.rules is None else list(self.rules.sitemaps)

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
        rate = self.rules.request_rate(self.product)
        by_rate = _seconds_per_request(rate.seconds, rate.requests) if rate else 0.0
        return max(self.rules.crawl_delay(self.product) or 0.0, by_rate)


def _seconds_per_request(seconds: float, requests: float) -> float:
    """Seconds between two requests; infinite if no float holds them, or if none is allowed."""
    try:
        return seconds / requests
    except ArithmeticError:
        return inf


ALLOW_ALL = RobotsRules()


def parse_robots(body: bytes, product: str = PRODUCT) -> RobotsRules:
    """Parse a robots.txt up to the byte limit, for the robot of a name."""
    text = body[:MAX_ROBOTS_BYTES].decode("utf-8-sig", "replace")
    lines = text.splitlines()
    if len(body) > MAX_ROBOTS_BYTES:
        lines = lines[:-1]  # cut in the middle, it might forbid more or less than is meant
    shortened = "\n".join(_with_short_agent(line, product) for line in lines)
    return RobotsRules(Protego.parse(shortened), product=product)


def _with_short_agent(line: str, product: str) -> str:
    """Call every robot except the one that asks and * by one name.

    Each robot that a group names gets its own copy of the group's rules, so that a file of
    many names before many rules would cost their product.
    """
    match = _AGENT_LINE.match(line)
    if match is None:
        return line
    name = match["name"].strip().lower()
    token = _TOKEN.match(name)
    is_own = token is not None and token[0] == product
    return f"User-agent: {product if is_own else '*' if name == '*' else OTHER_ROBOT}"


def robots_for_status(status: int) -> RobotsRules:
    """The rules that an error status means: there are none, or nothing is allowed for now."""
    if 400 <= status < 500 and status != 429:
        return ALLOW_ALL
    return RobotsRules(trouble=f"the server answered {status}")
