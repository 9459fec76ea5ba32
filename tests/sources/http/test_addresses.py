"""Which addresses are public, and that a name is resolved once."""

import socket
import threading
from ipaddress import IPv4Address, IPv6Address

import httpcore
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.errors import OptionError, Unreachable, UnsafeAddress
from pagelet.sources.http.addresses import AllowList, parse_host_port, resolve, why_not_public


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("8.8.8.8", None),
        ("1.1.1.1", None),
        ("9.255.255.255", None),
        ("11.0.0.0", None),
        ("126.255.255.255", None),
        ("128.0.0.1", None),
        ("172.15.255.255", None),
        ("172.32.0.0", None),
        ("223.255.255.255", None),
        ("2001:4860:4860::8888", None),
        ("2a00:1450::1", None),
        ("2600::", None),
        ("64:ff9b::808:808", None),
        ("0.0.0.0", "unspecified"),
        ("10.0.0.0", "private"),
        ("10.255.255.255", "private"),
        ("100.64.0.1", "shared by a provider"),
        ("127.0.0.1", "loopback"),
        ("127.255.255.255", "loopback"),
        ("168.63.129.16", "reserved"),
        ("169.254.169.254", "link-local"),
        ("172.16.0.0", "private"),
        ("172.31.255.255", "private"),
        ("192.0.0.192", "reserved"),
        ("192.168.1.1", "private"),
        ("198.19.255.255", "reserved"),
        ("224.0.0.1", "multicast"),
        ("239.255.255.255", "multicast"),
        ("240.0.0.1", "reserved"),
        ("255.255.255.255", "reserved"),
        ("::", "private"),
        ("::1", "loopback"),
        ("::127.0.0.1", "reserved"),
        ("::ffff:127.0.0.1", "loopback"),
        ("::ffff:10.1.2.3", "private"),
        ("64:ff9b::7f00:1", "loopback"),
        ("64:ff9b:1::1", "reserved"),
        ("100::1", "private"),
        ("2001::1", "private"),
        ("2001:db8::1", "private"),
        ("2002:7f00:1::", "reserved"),
        ("3fff::1", "reserved"),
        ("fc00::1", "private"),
        ("fd00:ec2::254", "private"),
        ("fe80::1", "link-local"),
        ("fe80::1%lo", "link-local"),
        ("fec0::1", "reserved"),
        ("ff02::1", "multicast"),
    ],
)
def test_which_addresses_are_public(address, why):
    found = why_not_public(address)
    assert (found is None) == (why is None)
    if why not in (None, "private", "reserved"):  # the library knows these two by its version
        assert found == why


@given(st.integers(0, 2**32 - 1).map(IPv4Address))
def test_an_address_is_no_more_public_in_another_dress(address):
    mapped = IPv6Address((0xFFFF << 32) | int(address))
    translated = IPv6Address((0x64FF9B << 96) | int(address))
    assert why_not_public(str(address)) == why_not_public(str(mapped))
    assert why_not_public(str(address)) == why_not_public(str(translated))


@given(st.ip_addresses())
def test_what_the_library_calls_private_is_never_public(address):
    if not address.is_global or address.is_multicast or address.is_reserved:
        embedded = address.version == 6 and int(address) >> 32 in (0xFFFF, 0x64FF9B << 64)
        assert embedded or why_not_public(str(address)) is not None


# -- allow-list --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("127.0.0.1:8000", ("127.0.0.1", 8000)),
        ("Intranet.Example:80", ("intranet.example", 80)),
        ("[::1]:80", ("::1", 80)),
        ("[0:0::1]:80", ("::1", 80)),
        ("::1:80", ("::1", 80)),
    ],
)
def test_host_and_port(text, expected):
    assert parse_host_port(text) == expected


@pytest.mark.parametrize("text", ["", ":", "a", ":80", "a:", "a:b", "a:70000", "[]:80", "a:-1"])
def test_no_host_and_port(text):
    with pytest.raises(OptionError):
        parse_host_port(text)


def answers(monkeypatch, *addresses):
    """Let every name have these addresses; returns the names that were looked up."""
    asked = []

    def getaddrinfo(host, port, **_):
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (a, port)) for a in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return asked


def test_a_public_name(monkeypatch):
    asked = answers(monkeypatch, "8.8.8.8", "1.1.1.1", "8.8.8.8")
    assert AllowList().addresses("site.test", 80, 1.0) == ["8.8.8.8", "1.1.1.1"]
    assert asked == ["site.test"]


def test_a_name_that_is_private_too_is_refused(monkeypatch):
    answers(monkeypatch, "8.8.8.8", "10.0.0.1")
    with pytest.raises(UnsafeAddress, match=r"10\.0\.0\.1.*--allow-private site.test:80 "):
        AllowList().addresses("site.test", 80, 1.0)


def test_a_name_is_admitted_wherever_it_leads(monkeypatch):
    answers(monkeypatch, "10.0.0.1")
    allow_list = AllowList(("site.test:80",))
    assert allow_list.addresses("SITE.test.", 80, 1.0) == ["10.0.0.1"]
    for host, port in (("site.test", 81), ("www.site.test", 80), ("10.0.0.1", 80)):
        with pytest.raises(UnsafeAddress):
            allow_list.addresses(host, port, 1.0)


def test_an_ipv6_host_is_told_as_the_option_wants_it(monkeypatch):
    answers(monkeypatch, "::1")
    with pytest.raises(UnsafeAddress, match=r"--allow-private \[::1\]:80 "):
        AllowList().addresses("::1", 80, 1.0)


# -- names that give trouble ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (socket.gaierror(socket.EAI_NONAME, "unknown"), Unreachable),
        (socket.gaierror(socket.EAI_AGAIN, "try again"), httpcore.ConnectError),
        (UnicodeError("label too long"), Unreachable),
    ],
)
def test_a_name_that_is_not_resolved(monkeypatch, error, expected):
    def getaddrinfo(*_, **__):
        raise error

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    with pytest.raises(expected):
        resolve("site.test", 80, 1.0)


def test_a_name_server_that_hangs_is_given_up(monkeypatch):
    done = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: done.wait(10) and [])
    with pytest.raises(httpcore.ConnectTimeout):
        resolve("site.test", 80, 0.01)
    done.set()
