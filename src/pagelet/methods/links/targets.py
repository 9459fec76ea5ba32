"""Where links lead, seen from the page: its own site or another, above it, beside it, no page.

Each different address is read once, and each different host is judged once.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from pagelet import core
from pagelet.arrays import Int64s, Ints, Mask
from pagelet.methods.vocabulary import SOCIAL_HOSTS

#: What an address can be, seen from the page.
TARGETS = (
    "action", "fragment", "contact", "internal", "social", "home", "above", "same_section",
    "query", "slug", "deep",
)  # fmt: skip
ACTION, FRAGMENT, CONTACT, INTERNAL, SOCIAL, HOME, ABOVE, SECTION, QUERY, SLUG, DEEP = (
    1 << at for at in range(len(TARGETS))
)
SLUG_HYPHENS = 3  #: hyphens in the last part of a path that is made of a title
DEEP_PARTS = 3  #: parts of a long path
#: Bits that the path of an address decides, in the order of the compiled core.
PATH_BITS = (ACTION, FRAGMENT, CONTACT, HOME, ABOVE, SECTION, QUERY, SLUG, DEEP)
NO_PAGE = "#"  #: host of what leads to no page


@dataclass(frozen=True, slots=True, eq=False)
class Addresses:
    """Some addresses, and what can be read from each by itself."""

    hosts: list[str]  #: the different hosts
    host: Ints  #: the number of each address's host
    own: Int64s  #: what each is, as bits
    seen: Int64s  #: what each is seen from the page, if it leads to the same site, as bits


def read_addresses(addresses: list[str], url: str | None) -> Addresses:
    """Read addresses on the page with a URL."""
    here, count = _path(url or ""), len(addresses)
    host, (own, seen) = np.empty(count, np.intp), np.empty((2, count), np.int64)
    if core.compiled:
        path = here.encode("utf-8", "replace")
        read = partial(_read_address, here=here)
        hosts = core.kernels.read_addresses(addresses, path, PATH_BITS, read, host, own, seen)
        return Addresses(hosts, host, own, seen)
    numbers: dict[str, int] = {}
    for at, address in enumerate(addresses):
        name, own[at], seen[at] = _read_address(address, here)
        host[at] = numbers.setdefault(name, len(numbers))
    return Addresses(list(numbers), host, own, seen)


def find_own_hosts(hosts: list[str], links: Ints, url: str | None) -> Mask:
    """Mark the hosts of this site, given the number of links to each.

    These are relative addresses, the page's own host or else the one most links lead to, and all
    below it.
    """
    if url:
        named = _host(url)
    else:
        count = dict(zip(hosts, links.tolist(), strict=True)) | {"": 0, NO_PAGE: 0}
        most = max(hosts, key=count.__getitem__, default="")
        named = most if count.get(most) and most not in SOCIAL_HOSTS else ""
    whole, below = ("", named), (f".{named}",) if named else ()
    return np.array([host in whole or host.endswith(below) for host in hosts], np.bool_)


def find_targets(addresses: Addresses, own_hosts: Mask) -> Int64s:
    """What each address is, seen from the page, as bits."""
    own = np.array([host != NO_PAGE for host in addresses.hosts], np.bool_) & own_hosts
    beyond = [
        INTERNAL if is_own else SOCIAL * _is_social(host)
        for host, is_own in zip(addresses.hosts, own.tolist(), strict=True)
    ]
    number = addresses.host
    return addresses.own | np.array(beyond, np.int64)[number] | addresses.seen * own[number]


def _is_social(host: str) -> bool:
    return host in SOCIAL_HOSTS or host.partition(".")[2] in SOCIAL_HOSTS


def _read_address(href: str, here: str) -> tuple[str, int, int]:
    """The host of an address, what it is, and what it is seen from the path of a page."""
    host = _host(href)
    if host == NO_PAGE:
        return host, _no_page(href), 0
    path = _path(href)
    last = path.rpartition("/")[2]
    bits = QUERY if "?" in href else 0
    bits |= SLUG if last.count("-") + last.count("_") >= SLUG_HYPHENS else 0
    bits |= DEEP if path.count("/") >= DEEP_PARTS - 1 else 0
    return host, bits, _seen_from(path, href, here)


def _host(href: str) -> str:
    """Host of an address without www; empty for a relative one, # for what is no page."""
    if href.startswith(("http:", "https:", "//", "HTTP")):
        host = href.partition("//")[2].partition("/")[0].partition("?")[0].lower()
        return host.removeprefix("www.")
    if not href or href[0] == "#" or ":" in href.partition("/")[0].partition("?")[0]:
        return "#"
    return ""


def _path(address: str) -> str:
    """The path of an address without its first and last slash."""
    if "//" in address[:8]:
        address = address.partition("//")[2].partition("/")[2]
    return address.partition("#")[0].partition("?")[0].strip("/")


def _no_page(href: str) -> int:
    if href.startswith("#"):
        return FRAGMENT if len(href) > 1 and href != "#top" else ACTION
    return CONTACT if href[:7].lower().startswith(("mailto:", "tel:", "sms:")) else ACTION


def _seen_from(path: str, href: str, here: str) -> int:
    """Whether an address of this site is its front page, above the page, or beside it."""
    if not path:
        return HOME if "?" not in href else 0
    if not here:
        return 0
    if path == here:
        return FRAGMENT if "#" in href else ABOVE
    if here.startswith(path + "/"):
        return ABOVE
    first, _, rest = here.partition("/")
    return SECTION if rest and path.partition("/")[0] == first else 0
