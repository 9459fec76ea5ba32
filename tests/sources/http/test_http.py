"""One page over HTTP from a real server on this machine, as a user names it."""

from urllib.parse import quote

import pytest

from pagelet.errors import (
    ErrorStatus,
    NotHtml,
    OptionError,
    PageError,
    PageTooLarge,
    Unreachable,
    UnsafeAddress,
)
from pagelet.sources import load
from pagelet.sources.http.loader import Fetched, fetch
from pagelet.sources.options import Limits
from tests.effort import ends
from tests.sources.site import RUSSIAN, Site


def get(site: Site, path: str, limits: Limits = Limits()) -> Fetched:
    return fetch(site.url + path, limits, allow_private=(site.place,))


def texts(site: Site, path: str) -> tuple[str, ...]:
    return load(site.url + path, allow_private=(site.place,)).texts


def test_a_page(site):
    assert get(site, "/page?type=text/html") == Fetched(
        f"{site.url}/page?type=text/html", b"<p>A page.</p>", None, 200, ()
    )


def test_the_page_knows_where_it_came_from(site):
    page = load(f"{site.url}/page", allow_private=(site.place,))
    assert (page.url, page.texts) == (f"{site.url}/page", ("A page.",))


def test_another_url_may_be_said(site):
    page = load(f"{site.url}/page", url="https://example.org/", allow_private=(site.place,))
    assert page.url == "https://example.org/"


def test_robots_txt_is_not_asked(site):
    site.robots = (200, b"User-agent: *\nDisallow: /")
    get(site, "/page")
    assert site.paths == ["/page"]


@pytest.mark.parametrize("charset", ["koi8-r", "KOI8-R", '"koi8-r"'])
def test_the_charset_of_the_header(site, charset):
    assert texts(site, f"/charset?is={charset}") == (RUSSIAN,)


def test_an_unknown_charset_is_no_charset(site):
    assert texts(site, "/charset?is=nonsense")[0]


def test_a_header_that_lies_of_utf_8_is_not_believed(site):
    assert texts(site, "/utf8") == (RUSSIAN,)


# -- private addresses ------------------------------------------------------------------------


def test_a_private_address_is_refused_unasked(site):
    with pytest.raises(UnsafeAddress, match=f"loopback.*--allow-private {site.place}") as error:
        load(f"{site.url}/page")
    assert (error.value.source, site.requests) == (f"{site.url}/page", [])


def test_only_the_port_that_was_named_is_admitted(site):
    with pytest.raises(UnsafeAddress):
        fetch(f"{site.url}/page", allow_private=(f"127.0.0.1:{site.server_port + 1}", "other:80"))


@pytest.mark.parametrize(
    "host",
    ["2130706433", "0x7f000001", "0x7f.1", "127.1", "0177.1", "0", "localhost", "[::1]", "[::]"],
)
def test_odd_spellings_lead_to_the_same_refusal(site, host):
    with pytest.raises(UnsafeAddress, match="not a public address"):
        fetch(f"http://{host}:{site.server_port}/page", allow_private=(site.place,))
    assert site.requests == []


def test_a_redirect_to_a_private_address_is_refused(site):
    with pytest.raises(UnsafeAddress, match="loopback"):
        get(site, f"/to?url=http://127.0.0.2:{site.server_port}/page")
    assert len(site.requests) == 1


@pytest.mark.parametrize("text", ["127.0.0.1", "", ":80", "host:", "host:http", "host:65536"])
def test_what_is_not_host_and_port_is_said(text):
    with pytest.raises(OptionError, match="HOST:PORT"):
        load("http://example.org/", allow_private=(text,))


# -- redirects --------------------------------------------------------------------------------


def test_redirects_are_followed_and_the_last_url_counts(site):
    found = get(site, "/to?url=/to?url=/page")
    assert found.url == f"{site.url}/page"
    assert found.redirects == (f"{site.url}/to?url=/to?url=/page", f"{site.url}/to?url=/page")


def test_as_many_redirects_as_allowed_and_no_more(site):
    limits = Limits(redirects=2)
    assert get(site, chain(hops=2, after=0), limits).url == f"{site.url}/page"
    with pytest.raises(Unreachable, match="more than 2 redirects"):
        get(site, chain(hops=3, after=0), limits)


def test_redirect_loops_end(site):
    with pytest.raises(Unreachable, match="more than 10 redirects"):
        get(site, "/loop")
    assert len(site.requests) == 11


@pytest.mark.parametrize(
    "target", ["file:///etc/hostname", "ftp://127.0.0.1/x", "data:text/html,x"]
)
def test_redirects_to_other_schemes_are_refused(site, target):
    with pytest.raises(PageError):
        get(site, f"/to?url={target}")


# -- refusals ---------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [400, 403, 404, 410, 500, 503])
def test_an_error_status_is_said(site, code):
    with pytest.raises(ErrorStatus, match=f"answered {code}; ") as error:
        get(site, f"/status?code={code}")
    assert error.value.status == code


@pytest.mark.parametrize("kind", ["application/pdf", "image/png", "application/json", "TEXT/CSS"])
def test_other_content_types_are_refused(site, kind):
    with pytest.raises(NotHtml, match="is not HTML") as error:
        get(site, f"/page?type={kind}")
    assert error.value.content_type == kind


@pytest.mark.parametrize(
    "kind", ["text/html", "Text/HTML;charset=utf-8", "application/xhtml%2Bxml", "text/plain"]
)
def test_html_goes_by_several_names(site, kind):
    assert get(site, f"/page?type={kind}").body


def test_a_missing_content_type_is_html(site):
    assert get(site, "/page").body


def test_a_body_of_exactly_the_limit_is_read(site):
    assert len(get(site, "/large?bytes=100000", Limits(max_bytes=100_000)).body) == 100_000


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("/large?bytes=100001", id="one byte more"),
        pytest.param("/gigabyte", id="a gigabyte of no said length"),
        pytest.param("/promise", id="a said length, which is not waited for"),
        pytest.param("/packed?bytes=100001", id="packed, one byte more"),
        pytest.param("/packed?bytes=50000000", id="packed a thousandfold"),
        pytest.param("/hollow", id="packed nothing without end"),
    ],
)
def test_a_larger_body_is_refused(site, path):
    with pytest.raises(PageTooLarge, match="100,000 bytes") as error:
        get(site, path, Limits(max_bytes=100_000))
    assert error.value.limit == 100_000


def test_a_packed_body_is_unpacked(site):
    assert get(site, "/packed?bytes=100000", Limits(max_bytes=100_000)).body == b"x" * 100_000
    assert site.requests[0].headers["Accept-Encoding"] == "gzip, deflate"


def test_an_encoding_nobody_asked_for_is_said(site):
    with pytest.raises(Unreachable, match="encoded as 'br'"):
        get(site, "/packed?bytes=10&as=br")


@pytest.mark.parametrize(
    "url",
    [
        "ftp://127.0.0.1/x",
        "file:///etc/hostname",
        "javascript://x",
        "data://text/html,x",
        "chrome://x",
    ],
)
def test_other_schemes_are_never_fetched(url):
    with pytest.raises(UnsafeAddress, match="only http and https"):
        load(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://",
        "http://[",
        "http://[::1",
        "http://a b/",
        "http://\0/",
        "http://%%/",
        "http://1.1.1.1:99999/",
        "http://" + "a" * 64 + "/",
    ],
)
def test_a_broken_address_is_said(url):
    with ends(), pytest.raises(PageError):
        load(url)


def test_nobody_listens(site):
    place = f"127.0.0.1:{unused_port()}"
    with pytest.raises(Unreachable, match="check the address"):
        fetch(f"http://{place}/", allow_private=(place,))


def unused_port() -> int:
    with Site() as server:
        return server.server_port


# -- slow servers -----------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/silent", "/drip", "/drip_head"])
def test_a_slow_answer_is_given_up(site, path):
    """The time-out holds for the whole page, not for each read."""
    with ends(), pytest.raises(Unreachable, match=r"0\.3 s"):
        get(site, path, Limits(timeout=0.3))


def test_slow_redirects_add_up(site):
    """The time-out holds for the redirects together."""
    with pytest.raises(Unreachable, match=r"0\.6 s"):
        get(site, chain(hops=4, after=0.25), Limits(timeout=0.6))


def chain(hops: int, after: float) -> str:
    """Redirects one after the other, each slow."""
    url = "/page"
    for _ in range(hops):
        url = f"/to?after={after}&url={quote(url, safe='')}"
    return url
