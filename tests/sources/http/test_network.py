"""Connections: to the address that was checked, under the name that was asked, past a proxy."""

import socket
import ssl

import httpcore
import pytest
import trustme

from pagelet.errors import Unreachable, UnsafeAddress
from pagelet.sources.http import network
from pagelet.sources.http.loader import fetch
from tests.sources.site import served


@pytest.fixture
def names(monkeypatch):
    """Names that lead where a test says; each look-up takes the next answer, the last one stays."""
    found: dict[str, list[list[str]]] = {}
    system = socket.getaddrinfo

    def getaddrinfo(host, port, *args, **options):
        if host not in found:
            return system(host, port, *args, **options)
        now = found[host].pop(0) if len(found[host]) > 1 else found[host][0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in now]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return found


@pytest.fixture
def dialled(monkeypatch):
    """The addresses that are really connected to; none of them answers."""
    found = []

    def connect(self, host, port, *_):
        found.append(host)
        raise httpcore.ConnectError("nobody there")

    monkeypatch.setattr(httpcore.SyncBackend, "connect_tcp", connect)
    return found


def test_a_name_that_changes_its_answer_gains_nothing(names, dialled):
    names["site.test"] = [["8.8.8.8"], ["127.0.0.1"]]
    with pytest.raises(Unreachable, match="nobody there"):
        fetch("http://site.test/")
    assert dialled == ["8.8.8.8"]
    with pytest.raises(UnsafeAddress):
        fetch("http://site.test/")
    assert dialled == ["8.8.8.8"]


def test_each_address_is_tried(names, dialled):
    names["site.test"] = [["8.8.8.8", "1.1.1.1"]]
    with pytest.raises(Unreachable, match="nobody there"):
        fetch("http://site.test/")
    assert dialled == ["8.8.8.8", "1.1.1.1"]


def test_an_address_that_does_not_answer_leaves_time_for_the_next(names, site):
    names["site.test"] = [["127.0.0.9", "127.0.0.1"]]
    place = f"site.test:{site.server_port}"
    assert fetch(f"http://{place}/page", allow_private=(place,)).body
    assert site.requests[0].headers["Host"] == place


# -- TLS --------------------------------------------------------------------------------------


@pytest.fixture
def secure(monkeypatch):
    """A server with a certificate for site.test, which is trusted."""
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("site.test").configure_cert(context)
    trusted = ssl.create_default_context()
    authority.configure_trust(trusted)
    monkeypatch.setattr(network, "tls_context", lambda: trusted)
    with served(context) as server:
        yield server


def test_the_certificate_is_for_the_name_not_for_the_address(secure, names):
    names["site.test"] = names["other.test"] = [["127.0.0.1"]]
    places = [f"{host}:{secure.server_port}" for host in ("site.test", "other.test")]
    assert fetch(f"https://{places[0]}/page", allow_private=tuple(places)).body
    with pytest.raises(Unreachable, match="certificate"):
        fetch(f"https://{places[1]}/page", allow_private=tuple(places))


# -- proxies ----------------------------------------------------------------------------------


@pytest.fixture
def proxy(site, monkeypatch):
    monkeypatch.setenv("http_proxy", site.url)
    return site


def test_a_proxy_of_the_environment_is_asked(proxy):
    assert fetch("http://8.8.8.8/page").url == "http://8.8.8.8/page"
    assert proxy.paths == ["http://8.8.8.8/page"]


def test_a_host_is_checked_before_a_proxy_is_asked(proxy, names):
    names["site.test"] = [["10.0.0.1"]]
    for url in ("http://site.test/page", "http://127.0.0.1/page"):
        with pytest.raises(UnsafeAddress):
            fetch(url)
    assert proxy.requests == []


def test_a_host_that_is_admitted_by_name_is_asked_directly(proxy):
    fetch(f"{proxy.url}/page", allow_private=(proxy.place,))
    assert proxy.paths == ["/page"]


def test_hosts_without_a_proxy(proxy, dialled, monkeypatch):
    monkeypatch.setenv("no_proxy", "8.8.8.8")
    with pytest.raises(Unreachable):
        fetch("http://8.8.8.8/page")
    assert dialled == ["8.8.8.8"]


def test_other_kinds_of_proxies_are_said(monkeypatch):
    monkeypatch.setenv("http_proxy", "socks5://127.0.0.1:1")
    with pytest.raises(Unreachable, match="neither http nor https"):
        fetch("http://8.8.8.8/page")
