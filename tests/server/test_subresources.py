"""What the drawing of a loaded page holds: its style sheets and pictures, and nobody else's."""

import base64
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler

import pytest
import turbohtml

from pagelet.page.html import parse
from pagelet.report.assets import LocalAssets
from pagelet.report.drawing import draw
from pagelet.server import subresources as module
from pagelet.server.subresources import Subresources, load_subresources
from pagelet.sources.options import Limits
from tests.sources.loopback import Loopback, ReceivedRequest, running

PIXEL = base64.b64decode("R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=")
FILES = {
    "/css/a.css": ("text/css", b"@import 'b.css' print; p { background: url(../i/x.gif) }"),
    "/css/b.css": ("text/css; charset=utf-8", b"@import 'a.css'; i { color: red }"),
    "/i/x.gif": ("image/gif", PIXEL),
    "/i/y.gif": ("image/gif", PIXEL),
    "/i/page.gif": ("text/html", b"<script>1</script>"),
    "/i/gone.gif": ("", b""),
}
DATA = "data:image/gif;base64," + base64.b64encode(PIXEL).decode()


class Handler(BaseHTTPRequestHandler):
    server: Loopback

    def do_GET(self) -> None:
        self.server.requests.append(ReceivedRequest("GET", self.path, dict(self.headers), b""))
        kind, body = FILES.get(self.path, ("", b""))
        self.send_response(200 if kind else 404)
        self.send_header("Content-Type", kind or "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def site() -> Iterator[Loopback]:
    with running(Loopback(Handler)) as server:
        yield server


def drawn(
    site: Loopback, html: str, *, allowed: bool = True
) -> tuple[turbohtml.Node, Subresources]:
    host = f"127.0.0.1:{site.server_port}"
    page = parse(html, url=f"http://{host}/sub/page.html")
    sources = load_subresources(page, Limits(timeout=10), (host,) if allowed else ())
    assert isinstance(sources, Subresources)
    return turbohtml.parse(draw(page, [], sources, "")), sources


def test_style_sheets_and_what_they_refer_to_are_in_the_drawing(site):
    tree, _ = drawn(site, '<link rel=stylesheet href="../css/a.css"><p>x')
    style = tree.select_one("style")
    assert style is not None
    assert "@media print {" in style.text
    assert "color: red" in style.text
    assert f'url("{DATA}")' in style.text
    assert [one.path for one in site.requests].count("/css/a.css") == 1


def test_pictures_are_in_the_drawing(site):
    tree, _ = drawn(
        site,
        '<base href="/i/"><img src="x.gif#a"><img srcset="y.gif 2x"><img src="gone.gif">'
        "<p style=\"background: url('y.gif')\">x<style>i { background: url(x.gif) }</style>",
    )
    assert [image.attr("src") for image in tree.select("img")] == [DATA, DATA, None]
    assert DATA in tree.select("p")[0].attr("style")
    assert DATA in tree.select("style")[0].text
    assert "http:" not in tree.serialize()


def test_a_page_that_says_it_is_a_picture_is_none(site):
    tree, _ = drawn(site, '<img src="/i/page.gif">')
    assert tree.select("img")[0].attr("src") is None


def test_private_addresses_are_never_asked(site):
    tree, _ = drawn(
        site, '<img src="/i/x.gif"><link rel=stylesheet href=/css/a.css>', allowed=False
    )
    assert tree.select("img")[0].attr("src") is None
    assert site.requests == []


def test_no_more_files_than_may_be(site, monkeypatch):
    monkeypatch.setattr(module, "MAX_FILES", 3)
    drawn(site, "".join(f'<img src="/i/x.gif?{n}">' for n in range(9)))
    assert len(site.requests) == 3


def test_a_picture_used_many_times_does_not_fill_the_drawing(site):
    page = parse("<img src=/i/x.gif>" * 50, url=f"http://127.0.0.1:{site.server_port}/")
    sources = load_subresources(page, Limits(timeout=10), (f"127.0.0.1:{site.server_port}",))
    sources.draw_bytes = 10 * len(PIXEL)
    assert draw(page, [], sources, "").count(DATA) == 10
    assert len(site.requests) == 1


def test_time_is_bounded(site, monkeypatch):
    monkeypatch.setattr(module, "LOAD_SECONDS", 0)
    tree, sources = drawn(site, '<img src="/i/x.gif">')
    assert sources.files == {}
    assert tree.select("img")[0].attr("src") is None


@pytest.mark.parametrize("url", [None, "file:///etc/passwd", "about:blank"])
def test_a_page_from_nowhere_refers_to_nothing(url):
    assert isinstance(load_subresources(parse("<img src=a.gif>", url=url), Limits()), LocalAssets)
