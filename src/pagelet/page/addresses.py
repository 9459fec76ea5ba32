"""Addresses of pages and links, as they may be written down."""

import re
from urllib.parse import urljoin

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


def join_url(base: str | None, address: str) -> str:
    """An address made absolute where the base is known and it can be."""
    try:
        return urljoin(base, address.strip()) if base else address.strip()
    except ValueError:
        return address.strip()
