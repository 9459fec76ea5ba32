"""What robots.txt says, by RFC 9309."""

import re
from dataclasses import dataclass

from protego import Protego

AGENT = "pagelet"  #: the name by which robots.txt may speak of us
MAX_BYTES = 524_288  #: what is read of a robots.txt; the RFC asks for 500 KiB at least
REDIRECTS = 5  #: followed to a robots.txt, as the RFC asks

_AGENT_LINE = re.compile(r"\s*user[- ]?agent\b\s*:?\s*(?P<name>[^#]*)", re.IGNORECASE)
_TOKEN = re.compile(r"[a-z_-]+")


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one site; without any, all is allowed, or nothing if the site is in trouble."""

    rules: Protego | None = None
    trouble: str | None = None  #: why robots.txt could not be read

    def allow(self, url: str) -> bool:
        """Whether a URL may be asked for."""
        if self.rules is None:
            return self.trouble is None
        return self.rules.can_fetch(url, AGENT)

    @property
    def refusal(self) -> str:
        """What to tell of a URL that is not allowed."""
        if self.trouble is None:
            return "robots.txt of the site does not allow it; leave it, or ask the site's owner"
        return f"robots.txt could not be read, so nothing may be ({self.trouble}); try again later"

    @property
    def delay(self) -> float:
        """Seconds between two requests that the site asks for; 0 when it does not say."""
        if self.rules is None:
            return 0.0
        rate = self.rules.request_rate(AGENT)
        by_rate = rate.seconds / rate.requests if rate else 0.0
        return max(self.rules.crawl_delay(AGENT) or 0.0, by_rate)


EVERYTHING = Rules()


def read(body: bytes) -> Rules:
    """The rules in a robots.txt; what lies behind the limit is not read."""
    text = body[:MAX_BYTES].decode("utf-8-sig", "replace")
    lines = text.splitlines()
    if len(body) > MAX_BYTES:
        lines = lines[:-1]  # cut in the middle, it might forbid more or less than is meant
    return Rules(Protego.parse("\n".join(map(_with_short_agent, lines))))


def _with_short_agent(line: str) -> str:
    """Call every robot but us and * by one name.

    Each robot that a group names gets its own copy of the group's rules, so that a file of
    many names before many rules would cost their product.
    """
    found = _AGENT_LINE.match(line)
    if found is None:
        return line
    name = found["name"].strip().lower()
    token = _TOKEN.match(name)
    ours = token is not None and token[0] == AGENT
    return f"User-agent: {AGENT if ours else '*' if name == '*' else 'other'}"


def of_status(status: int) -> Rules:
    """What an answer other than a robots.txt means: there is none, or the site is in trouble."""
    if 400 <= status < 500 and status != 429:
        return EVERYTHING
    return Rules(trouble=f"the server answered {status}")
