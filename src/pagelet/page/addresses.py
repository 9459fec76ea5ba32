"""Addresses of pages and links, as they may be written down."""

import re

#: An address up to its host, with user name and password.
USER_INFO = re.compile(r"(\s*[a-zA-Z][a-zA-Z0-9+.-]*://)[^\s/?#\\]*@")


def strip_credentials(address: str) -> str:
    """An address without user name and password."""
    found = USER_INFO.match(address) if "@" in address else None
    return address if found is None else found[1] + address[found.end() :]
