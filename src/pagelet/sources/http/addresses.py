"""Which network addresses may be requested: public ones, and hosts on the user's allow-list.

A name is resolved once, every address it has is checked, and the caller connects to the
addresses that were checked, so that DNS rebinding gains nothing.
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
GLOBAL_UNICAST = ip_network("2000::/3")  #: IPv6 given out for the public internet
NOT_GLOBAL = tuple(
    map(ip_network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"))
)  #: protocols, tunnels and documentation within global unicast
IPV4_MAPPED = tuple(
    map(ip_network, ("64:ff9b::/96", "::ffff:0:0/96"))
)  #: IPv6 that means the IPv4 address in its last 32 bits


def why_not_public(text: str) -> str | None:
    """The kind of an address that is not public; None when it is public."""
    address = ip_address(text.partition("%")[0])
    if isinstance(address, IPv6Address) and any(address in network for network in IPV4_MAPPED):
        address = IPv4Address(int(address) & 0xFFFFFFFF)
    if isinstance(address, IPv4Address):
        return next((kind for network, kind in NOT_PUBLIC.items() if address in network), None)
    if address in GLOBAL_UNICAST and not any(address in network for network in NOT_GLOBAL):
        return None
    kinds = {"loopback": address.is_loopback, "link-local": address.is_link_local}
    kinds |= {"multicast": address.is_multicast, "private": address.is_private}
    return next((kind for kind, true in kinds.items() if true), "reserved")


def parse_host_port(text: str) -> tuple[str, int]:
    """Parse HOST:PORT; an IPv6 host stands in brackets."""
    host, colon, port = text.rpartition(":")
    bare = host.removeprefix("[").removesuffix("]")
    if not (colon and bare and port.isdecimal() and int(port) < 65536):
        raise OptionError("allow-private", text, "give HOST:PORT, such as 127.0.0.1:8000")
    return _normalize(bare), int(port)


def _normalize(host: str) -> str:
    """A host in the one spelling that is compared."""
    try:
        return str(ip_address(host))
    except ValueError:
        return host.lower().rstrip(".")


class AllowList:
    """Hosts that may be requested though their addresses are not public."""

    def __init__(self, allow_private: tuple[str, ...] = ()) -> None:
        self._hosts = frozenset(map(parse_host_port, allow_private))

    def includes(self, host: str, port: int) -> bool:
        """Whether the user allows exactly this host and port, wherever it resolves to."""
        return (_normalize(host), port) in self._hosts

    def addresses(self, host: str, port: int, seconds: float) -> list[str]:
        """Resolve a host; refuse one that is not listed and has an address that is not public."""
        addresses = resolve(host, port, seconds)
        if self.includes(host, port):
            return addresses
        for address in addresses:
            if why := why_not_public(address):
                there = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
                raise UnsafeAddress(
                    there,
                    f"{address} is not a public address ({why});"
                    f" use --allow-private {there} if it is meant",
                )
        return addresses


def resolve(host: str, port: int, seconds: float) -> list[str]:
    """The addresses of a host, each once; in a thread, since the system sets no time limit."""
    results: SimpleQueue[list[str] | Exception] = SimpleQueue()
    Thread(target=_resolve, args=(host, port, results), daemon=True).start()
    try:
        result = results.get(timeout=seconds)
    except Empty:
        raise httpcore.ConnectTimeout("the name was not resolved in time") from None
    if isinstance(result, socket.gaierror) and result.errno == socket.EAI_AGAIN:
        raise httpcore.ConnectError(result.strerror) from result
    if isinstance(result, Exception):
        raise Unreachable(host, "no host has this name; check the address") from result
    return result


def _resolve(host: str, port: int, results: "SimpleQueue[list[str] | Exception]") -> None:
    try:
        rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, ValueError) as error:  # ValueError: a label too long for a name
        results.put(error)
    else:
        results.put(list(dict.fromkeys(str(row[4][0]) for row in rows)))
