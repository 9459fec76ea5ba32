"""Cookies of a loader: kept as browsers keep them, none for a whole public suffix.

A server below `co.uk` may not set a cookie for all of `co.uk`. The list of public suffixes comes
with the package publicsuffixlist, so that nothing is loaded for it.
"""

from functools import lru_cache
from http.cookiejar import Cookie, CookieJar, DefaultCookiePolicy
from urllib.request import Request

from publicsuffixlist import PublicSuffixList


class SuffixPolicy(DefaultCookiePolicy):
    """Refuses cookies for a public suffix."""

    def set_ok(self, cookie: Cookie, request: Request) -> bool:
        """Whether a cookie is kept."""
        if not super().set_ok(cookie, request):
            return False
        return not (cookie.domain_specified and is_public_suffix(cookie.domain))


def make_cookie_jar() -> CookieJar:
    """An empty jar."""
    return CookieJar(SuffixPolicy())


def is_public_suffix(domain: str) -> bool:
    """Whether anyone may register names below a domain."""
    return _suffixes().is_public(domain.strip(".").lower())


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    """The list; read once, since that takes longer than a small page."""
    return PublicSuffixList()
