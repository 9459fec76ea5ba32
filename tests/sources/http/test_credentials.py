"""User names and passwords in addresses: sent to their host, and written nowhere."""

import base64
import json
import pickle

import pytest

from pagelet import analyse, parse
from pagelet.errors import OptionError, OutOfScope, PageError, Unreachable, hide_credentials
from pagelet.page.addresses import strip_credentials
from pagelet.report import report
from pagelet.sources.http.cache import Cache
from pagelet.sources.http.loader import Loader, Politeness
from pagelet.sources.options import Limits
from pagelet.sources.site import Access, open_site
from tests.sources.site import StillClock, loader

SECRET = "s3cr%2Fet"
USER = f"ann:{SECRET}@"
HEADER = "Basic " + base64.b64encode(b"ann:s3cr/et").decode()


def with_user(address: str) -> str:
    return address.replace("://", f"://{USER}", 1)


def sent(site) -> list[tuple[str, str | None]]:
    return [(one.path, one.headers.get("Authorization")) for one in site.requests]


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("https://a:b@c.example/d@e", "https://c.example/d@e"),
        ("see https://a@c.example, http://d:e:f@g@h/", "see https://c.example, http://h/"),
        ("https://c.example/@a?b=c@d#e@f", "https://c.example/@a?b=c@d#e@f"),
        ("mailto:a@b.example", "mailto:a@b.example"),
        ("ftp://a:b@c", "ftp://c"),
    ],
)
def test_what_is_hidden(text, hidden):
    assert hide_credentials(text) == hidden


@pytest.mark.parametrize(
    ("address", "stripped"),
    [
        ("https://a:b@c.example/d@e", "https://c.example/d@e"),
        (" HTTP://a@b@c.example", " HTTP://c.example"),
        ("https://c.example/?d=http://a:b@e/", "https://c.example/?d=http://a:b@e/"),
        ("https://c.example/http://a@b/", "https://c.example/http://a@b/"),
        ("mailto:a@b.example", "mailto:a@b.example"),
    ],
)
def test_what_is_stripped(address, stripped):
    assert strip_credentials(address) == stripped


def test_they_are_sent_to_their_origin_and_not_kept_in_addresses(site):
    with loader(site) as loads:
        found = loads.load(with_user(f"{site.url}/to?url=/page"))
        loads.load(f"{site.url}/utf8")
    assert (found.url, found.redirects) == (f"{site.url}/page", (f"{site.url}/to?url=/page",))
    assert sent(site) == [(path, HEADER) for path in ("/to?url=/page", "/page", "/utf8")]


def test_they_are_not_sent_to_another_host(site):
    there = f"localhost:{site.server_port}"
    with loader(site, allow_private=(site.place, there), scope=("*",)) as loads:
        loads.load(with_user(f"{site.url}/to?url=http://{there}/page"))
        found = loads.load(f"{site.url}/to?url=http://bob:x@{there}/page")
    assert [value for path, value in sent(site)] == [HEADER, None, HEADER, None]
    assert found.url == f"http://{there}/page"


@pytest.mark.parametrize(
    "path", ["/status?code=401", "/page?type=x/y", "/to?url=http://b.example/"]
)
def test_errors_do_not_show_them(site, path):
    with loader(site) as loads, pytest.raises(PageError) as caught:
        loads.load(with_user(site.url + path))
    shown = f"{caught.value} {caught.value!r} {pickle.loads(pickle.dumps(caught.value))!r}"
    assert SECRET not in shown
    assert "ann" not in shown


def test_errors_that_quote_an_address():
    address = with_user("https://c.example/")
    for error in (OutOfScope("x", address), OptionError("url", address, f"not {address}"),
                  Unreachable(address, f"not {address}")):  # fmt: skip
        assert SECRET not in f"{error} {error.args}"


def test_answers_and_reports_do_not_show_them():
    page = parse(
        "<nav><a href=/b>b</a> <a href='//x:y@c.example'>c</a></nav>", "https://zoe:pw@d.example/"
    )
    found = [analyse(page, method) for method in ("menu", "clutter", "content")]
    shown = json.dumps([one.to_dict() for one in found]) + report(page, found) + repr(page)
    assert "zoe" not in shown
    assert "pw@" not in shown
    links = analyse("<nav><ul><li><a href='http://x:y@c.example/'>c</a></ul></nav>", "menu")
    assert "x:y" not in links.to_json()


def test_a_site_is_read_with_them(site):
    politeness = Politeness(delay=0, robots=False, allow_private=(site.place,))
    access = Access(politeness=politeness, cache=None)
    with open_site(with_user(site.url), with_user(f"{site.url}/page"), access=access) as opened:
        assert opened.load(f"{site.url}/page").url == f"{site.url}/page"
    assert opened.key == f"{site.url}/page"
    assert sent(site) == [("/page", HEADER)]


def test_what_needs_them_is_not_cached(site, tmp_path):
    politeness = Politeness(delay=0, robots=False, allow_private=(site.place,))
    for _ in range(2):
        with Loader(Limits(), politeness, StillClock(), Cache(tmp_path)) as loads:
            assert loads.load(with_user(f"{site.url}/page")).body == b"<p>A page.</p>"
    assert sent(site) == [("/page", HEADER)] * 2
    assert all(HEADER.encode() not in file.read_bytes() for file in tmp_path.iterdir())


# -- names that are none -----------------------------------------------------------------------

BROKEN_NAMES = ("xn--a", "xn--0.example", "xn--zzzzzzzzz99.com", "\u0378.com")


@pytest.mark.parametrize("name", BROKEN_NAMES)
def test_a_broken_international_name_is_an_error_of_the_page(site, name):
    with loader(site, scope=("*",)) as loads:
        for address in (f"http://{name}/", f"{site.url}/to?url=http://{name}/"):
            with pytest.raises(Unreachable) as caught:
                loads.load(address)
            assert len(str(caught.value).splitlines()) == 1
