"""How much one page may cost."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of one page, from wherever it is read."""

    max_bytes: int = 100_000_000  #: decoded bytes; larger pages are refused, never cut
    timeout: float = 20.0  #: seconds for redirects, response and body, without polite waiting
    redirects: int = 10
