"""Which addresses of the network may be asked: public ones, and those a user admits by name.

A name is resolved once, every address it has is checked, and the caller connects to the
very addresses that were checked: a name that answers otherwise the next time gains nothing.
"""

import socket
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from queue import Empty, SimpleQueue
from threading import Thread

import httpcore

from pagelet.errors import OptionError, Unreachable, UnsafeAddress

#: IPv4 that is not the public internet: the IANA registry of special-purpose addresses,
#: multicast, and the address under which one large cloud serves its machines
NOT_PUBLIC = {
    ip_network(network): kind
    for network, kind in {
        "0.0.0.0/8": "unspecified",
        "10.0.0.0/8": "private",
        "100.64.0.0/10": "shared by a provider",
        "127.0.0.0/8": "loopback",
        "168.63.129.16/32": "reserved",
        "169.254.0.0/16": "link-local",
        "172.16.0.0/12": "private",
        "192.0.0.0/24": "reserved",
        "192.0.2.0/24": "reserved",
        "192.88.99.0/24": "reserved",
        "192.168.0.0/16": "private",
        "198.18.0.0/15": "reserved",
        "198.51.100.0/24": "reserved",
        "203.0.113.0/24": "reserved",
        "224.0.0.0/4": "multicast",
        "240.0.0.0/4": "reserved",
    }.items()
}
GLOBAL = ip_network("2000::/3")  #: all of IPv6 that is given out for the public internet
NOT_GLOBAL = tuple(
    map(ip_network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"))
)  #: protocols, tunnels and documentation within it
TRANSLATED = tuple(
    map(ip_network, ("64:ff9b::/96", "::ffff:0:0/96"))
)  #: IPv6 that means the IPv4 address in its last 32 bits


def why_not_public(text: str) -> str | None:
    """Why an address is not asked, in a word or two; None when it is public."""
    address = ip_address(text.partition("%")[0])
    if isinstance(address, IPv6Address) and any(address in network for network in TRANSLATED):
        address = IPv4Address(int(address) & 0xFFFFFFFF)
    if isinstance(address, IPv4Address):
        return next((kind for network, kind in NOT_PUBLIC.items() if address in network), None)
    if address in GLOBAL and not any(address in network for network in NOT_GLOBAL):
        return None
    kinds = {"loopback": address.is_loopback, "link-local": address.is_link_local}
    kinds |= {"multicast": address.is_multicast, "private": address.is_private}
    return next((kind for kind, true in kinds.items() if true), "reserved")


def place(text: str) -> tuple[str, int]:
    """Read HOST:PORT; an IPv6 host stands in brackets."""
    host, colon, port = text.rpartition(":")
    bare = host.removeprefix("[").removesuffix("]")
    if not (colon and bare and port.isdecimal() and int(port) < 65536):
        raise OptionError("allow-private", text, "give HOST:PORT, such as 127.0.0.1:8000")
    return _spelled(bare), int(port)


def _spelled(host: str) -> str:
    """A host in the one spelling that is compared."""
    try:
        return str(ip_address(host))
    except ValueError:
        return host.lower().rstrip(".")


class Admission:
    """Says which hosts may be asked, and under which addresses."""

    def __init__(self, allow_private: tuple[str, ...] = ()) -> None:
        self._named = frozenset(map(place, allow_private))

    def named(self, host: str, port: int) -> bool:
        """Whether the user admits just this host and port, wherever it leads."""
        return (_spelled(host), port) in self._named

    def addresses(self, host: str, port: int, seconds: float) -> list[str]:
        """The addresses of a host that may be asked; refuse a host that has any other."""
        found = resolve(host, port, seconds)
        if self.named(host, port):
            return found
        for address in found:
            if why := why_not_public(address):
                there = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
                raise UnsafeAddress(
                    there,
                    f"{address} is no public address ({why});"
                    f" say --allow-private {there} if it is meant",
                )
        return found


def resolve(host: str, port: int, seconds: float) -> list[str]:
    """The addresses of a host, each once; in a thread, since the system sets no time limit."""
    answers: SimpleQueue[list[str] | Exception] = SimpleQueue()
    Thread(target=_resolve, args=(host, port, answers), daemon=True).start()
    try:
        found = answers.get(timeout=seconds)
    except Empty:
        raise httpcore.ConnectTimeout("the name was not resolved in time") from None
    if isinstance(found, socket.gaierror) and found.errno == socket.EAI_AGAIN:
        raise httpcore.ConnectError(found.strerror) from found
    if isinstance(found, Exception):
        raise Unreachable(host, "no host has this name; check the address") from found
    return found


def _resolve(host: str, port: int, answers: "SimpleQueue[list[str] | Exception]") -> None:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, ValueError) as error:  # ValueError: a label too long for a name
        answers.put(error)
    else:
        answers.put(list(dict.fromkeys(str(row[4][0]) for row in found)))
