"""Pages over HTTP from a real server on this machine."""

import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from pagelet.errors import NotHtml, PageError, PageTooLarge, Unreachable, UnsafeAddress
from pagelet.sources import load
from pagelet.sources.http import Limits, fetch
from tests.clock import within

RUSSIAN = "Привет, мир"


class Site(BaseHTTPRequestHandler):
    """Answers by path; the query says how."""

    def do_GET(self) -> None:
        path, query = urlsplit(self.path).path, parse_qs(urlsplit(self.path).query)
        getattr(self, f"do_{path.strip('/')}")({name: values[0] for name, values in query.items()})

    def answer(self, body: bytes, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_page(self, query: dict[str, str]) -> None:
        self.answer(
            b"<p>A page.</p>", **({"Content_Type": query["type"]} if "type" in query else {})
        )

    def do_charset(self, query: dict[str, str]) -> None:
        self.answer(RUSSIAN.encode("koi8-r"), Content_Type=f"text/html; charset={query['is']}")

    def do_status(self, query: dict[str, str]) -> None:
        self.answer(b"<p>sorry</p>", int(query["code"]), Content_Type="text/html")

    def do_to(self, query: dict[str, str]) -> None:
        time.sleep(float(query.get("after", 0)))
        self.answer(b"", 302, Location=query["url"])

    def do_loop(self, query: dict[str, str]) -> None:
        self.answer(b"", 302, Location="/loop")

    def do_large(self, query: dict[str, str]) -> None:
        self.answer(b"x" * int(query["bytes"]), Content_Type="text/html")

    def do_silent(self, query: dict[str, str]) -> None:
        self.server.stop.wait(10)  # type: ignore[attr-defined]

    def do_drip(self, query: dict[str, str]) -> None:
        """One byte at a time, each well within any time-out of a single read."""
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        for _ in range(80):
            if self.server.stop.wait(0.1):  # type: ignore[attr-defined]
                return
            try:
                self.wfile.write(b"x")
                self.wfile.flush()
            except OSError:  # the reader went away, as it should
                return

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    server.stop = threading.Event()  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.stop.set()  # type: ignore[attr-defined]
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def test_a_page(site):
    found = fetch(f"{site}/page?type=text/html")
    assert (found.url, found.body, found.charset) == (
        f"{site}/page?type=text/html",
        b"<p>A page.</p>",
        None,
    )


def test_the_page_knows_where_it_came_from(site):
    page = load(f"{site}/page")
    assert (page.url, page.texts) == (f"{site}/page", ("A page.",))


def test_another_url_may_be_said(site):
    assert load(f"{site}/page", url="https://example.org/").url == "https://example.org/"


@pytest.mark.parametrize("charset", ["koi8-r", "KOI8-R", '"koi8-r"'])
def test_the_charset_of_the_header(site, charset):
    assert load(f"{site}/charset?is={charset}").texts == (RUSSIAN,)


def test_an_unknown_charset_is_no_charset(site):
    assert load(f"{site}/charset?is=nonsense").texts[0]


# -- redirects --------------------------------------------------------------------------------


def test_redirects_are_followed_and_the_last_url_counts(site):
    page = load(f"{site}/to?url=/to?url=/page")
    assert page.url == f"{site}/page"


def test_as_many_redirects_as_allowed_and_no_more(site):
    limits = Limits(redirects=2)
    assert fetch(chain(site, hops=2, after=0), limits).url == f"{site}/page"
    with pytest.raises(Unreachable, match="more than 2 redirects"):
        fetch(chain(site, hops=3, after=0), limits)


def test_redirect_loops_end(site):
    with pytest.raises(Unreachable, match="more than 10 redirects"):
        fetch(f"{site}/loop")


@pytest.mark.parametrize(
    "target", ["file:///etc/hostname", "ftp://127.0.0.1/x", "data:text/html,x"]
)
def test_redirects_to_other_schemes_are_refused(site, target):
    with pytest.raises(PageError):
        fetch(f"{site}/to?url={target}")


# -- refusals ---------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [400, 403, 404, 410, 500, 503])
def test_an_error_status_is_said(site, code):
    with pytest.raises(Unreachable, match=f"answered {code}"):
        fetch(f"{site}/status?code={code}")


@pytest.mark.parametrize("kind", ["application/pdf", "image/png", "application/json", "TEXT/CSS"])
def test_other_content_types_are_refused(site, kind):
    with pytest.raises(NotHtml, match="is not HTML") as error:
        fetch(f"{site}/page?type={kind}")
    assert error.value.content_type == kind


@pytest.mark.parametrize(
    "kind", ["text/html", "Text/HTML;charset=utf-8", "application/xhtml%2Bxml", "text/plain"]
)
def test_html_goes_by_several_names(site, kind):
    assert fetch(f"{site}/page?type={kind}").body


def test_a_missing_content_type_is_html(site):
    assert fetch(f"{site}/page").body


def test_a_body_of_exactly_the_limit_is_read(site):
    assert len(fetch(f"{site}/large?bytes=100000", Limits(max_bytes=100_000)).body) == 100_000


def test_a_larger_body_is_refused(site):
    with pytest.raises(PageTooLarge, match="100,000 bytes") as error:
        fetch(f"{site}/large?bytes=100001", Limits(max_bytes=100_000))
    assert error.value.limit == 100_000


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
    "url", ["http://", "http://[", "http://[::1", "http://a b/", "http://\0/", "http://%%/"]
)
def test_a_broken_address_is_said(url):
    with within(10), pytest.raises(PageError):
        load(url)


def test_nobody_listens(unused_port):
    with pytest.raises(Unreachable, match="check the address"):
        fetch(f"http://127.0.0.1:{unused_port}/")


@pytest.fixture
def unused_port() -> int:
    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        return server.server_port


# -- slow servers -----------------------------------------------------------------------------


def test_a_silent_server_is_given_up(site):
    with within(5), pytest.raises(Unreachable, match=r"0\.5 s"):
        fetch(f"{site}/silent", Limits(timeout=0.5))


def test_a_body_that_drips_is_given_up(site):
    """The time-out holds for the whole page, not for each read."""
    with within(5), pytest.raises(Unreachable, match=r"0\.5 s"):
        fetch(f"{site}/drip", Limits(timeout=0.5))


def test_slow_redirects_add_up(site):
    """The time-out holds for the redirects together."""
    with pytest.raises(Unreachable):
        fetch(chain(site, hops=4, after=0.4), Limits(timeout=1.0))


def chain(site: str, hops: int, after: float) -> str:
    """Redirects one after the other, each slow."""
    url = "/page"
    for _ in range(hops):
        url = f"/to?after={after}&url={quote(url, safe='')}"
    return site + url
