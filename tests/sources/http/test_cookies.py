"""Cookies: kept for a site, refused for a public suffix."""

from http.cookiejar import CookieJar
from urllib.request import Request

import httpx
import pytest

from pagelet.sources.http.cookies import is_public_suffix, make_cookie_jar


def kept(jar: CookieJar, host: str, cookie: str) -> list[str]:
    response = httpx.Response(
        200, headers={"Set-Cookie": cookie}, request=httpx.Request("GET", f"https://{host}/")
    )
    httpx.Cookies(jar).extract_cookies(response)
    return [one.domain for one in jar]


@pytest.mark.parametrize(
    ("host", "domain", "expected"),
    [
        pytest.param("shop.example.co.uk", "example.co.uk", [".example.co.uk"], id="its site"),
        pytest.param("shop.example.co.uk", "co.uk", [], id="a public suffix"),
        pytest.param("a.github.io", "github.io", [], id="a suffix that a company gives out"),
        pytest.param("a.b.kawasaki.jp", "b.kawasaki.jp", [], id="a suffix by a wildcard"),
        pytest.param(
            "x.city.kawasaki.jp", "city.kawasaki.jp", [".city.kawasaki.jp"], id="exception"
        ),
        pytest.param("a.example.com", "com", [], id="a top-level domain"),
        pytest.param("a.xn--55qx5d.cn", "xn--55qx5d.cn", [], id="an international suffix"),
        pytest.param("a.example.com", None, ["a.example.com"], id="the host alone"),
        pytest.param("127.0.0.1", None, ["127.0.0.1"], id="an address"),
    ],
)
def test_cookies_for_domains(host, domain, expected):
    cookie = "a=b" if domain is None else f"a=b; Domain={domain}"
    assert kept(make_cookie_jar(), host, cookie) == expected


def test_a_cookie_of_one_shop_does_not_reach_another():
    jar = make_cookie_jar()
    kept(jar, "one.co.uk", "a=b; Domain=.co.uk")
    kept(jar, "one.co.uk", "c=d; Domain=.one.co.uk")
    request = Request("https://two.co.uk/")
    jar.add_cookie_header(request)
    assert request.get_header("Cookie") is None
    assert is_public_suffix("co.uk")
    assert not is_public_suffix("one.co.uk")
