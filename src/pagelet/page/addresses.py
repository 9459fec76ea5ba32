"""Addresses of pages and links, as they may be written down."""

import re
from functools import lru_cache
from urllib.parse import urljoin, urlsplit

#: An address up to its host, with user name and password.
USER_INFO = re.compile(r"(\s*[a-zA-Z][a-zA-Z0-9+.-]*://)[^\s/?#\\]*@")


def strip_credentials(address: str) -> str:
    """An address without user name and password."""
    found = USER_INFO.match(address) if "@" in address else None
    return address if found is None else found[1] + address[found.end() :]


#: Addresses that lead to no page: a script, data, or the page's own top.
NO_PAGE = re.compile(r"\s*(?:(?:javascript|vbscript|data|about|blob):|#?\s*$)", re.I)


def leads_to_page(address: str) -> bool:
    """Whether the address of a link leads anywhere: to no script and not to nothing."""
    return NO_PAGE.match(address) is None


_SIGN = r"[\w~%+,:@()!*'=&$-]"  #: a character of a path that stays as it is when joined
_MORE = r"[\w~%+,:@()!*'=&$;./?-]+"  #: a query or fragment that does
#: An address in its usual form: of a page somewhere, or of one on the same host. No part of its
#: path is made of dots alone.
PLAIN = re.compile(
    rf"(https?://[a-z\d.-]+)?(?:/{_SIGN}+(?:\.{_SIGN}+)*)*/?(?:\?{_MORE})?(?:#{_MORE})?", re.ASCII
)


#: Scheme and host of a base in its usual form.
ORIGIN = re.compile(r"https?://[a-z\d.-]+(?::\d{1,4})?(?![^/?#])", re.ASCII)


def join_url(base: str | None, address: str) -> str:
    """An address made absolute where the base is known and it can be."""
    bare = address.strip()
    if not base or not bare:
        return base or bare
    plain = PLAIN.fullmatch(bare)
    try:
        if plain is None or not (plain[1] or bare.startswith("/")):
            return urljoin(base, bare)
        if plain[1]:
            return bare
        return origin + bare if (origin := _origin(base)) else urljoin(base, bare)
    except ValueError:
        return bare


def origin_of(base: str | None) -> str | None:
    """What is put before a plain path: nothing without a base; None where that is not enough."""
    if not base:
        return ""
    origin = ORIGIN.match(base)
    return None if origin is None else origin[0]


@lru_cache(maxsize=64)
def _origin(base: str) -> str:
    """Scheme and host of a web address; empty for others."""
    parts = urlsplit(base)
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme in ("http", "https") else ""
