"""A labelled site served on loopback, and read through the loader as any site on the web is."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import urlsplit

from pagelet.lab.template.scores import GoldSite
from pagelet.page.site import Site
from pagelet.page.table import Page
from pagelet.sources.folder import FolderSite
from pagelet.sources.http.loader import Loader, Politeness
from pagelet.sources.limits import Limits
from pagelet.sources.site import WebSite

HOST = "127.0.0.1"
KIND = "text/html"
#: nothing is in its way: the server is our own
FREE = Politeness(delay=0.0, robots=False, retries=0, pages=10**9, bytes=10**15, seconds=10.0**6)

Body = Callable[[str], tuple[bytes, str] | None]  #: bytes and content type at an address


class ServedSite:
    """A site on a server of our own; the addresses of its pages are known."""

    def __init__(self, web: WebSite, known: Sequence[str]) -> None:
        self._web, self._known = web, tuple(known)

    def load(self, url: str) -> Page | None:
        """The page at an address, asked for over HTTP."""
        return self._web.load(url)

    def addresses(self) -> Sequence[str]:
        """All addresses, for where nothing links."""
        return self._known


@contextmanager
def served(gold: GoldSite) -> Iterator[GoldSite]:
    """The same labelled site, its pages where a server of our own has them."""
    root = _root(gold)
    with _server(lambda path: _body(gold.site, root + path)) as place:
        there = f"http://{place}"
        politeness = replace(FREE, allow_private=(place,))
        with Loader(Limits(), politeness) as loader:
            known = [there + url.removeprefix(root) for url in gold.site.addresses()]
            site = ServedSite(WebSite(f"{there}/", loader), known)
            pages = (
                replace(page, url=there + (page.url or "").removeprefix(root))
                for page in gold.pages
            )
            yield replace(gold, site=site, pages=tuple(pages))


def _root(gold: GoldSite) -> str:
    """Scheme and host of a labelled site."""
    parts = urlsplit(gold.pages[0].url or "")
    return f"{parts.scheme}://{parts.netloc}"


def _body(site: Site, url: str) -> tuple[bytes, str] | None:
    """What a server answers with: the file as it is, or the page held in memory."""
    if isinstance(site, FolderSite):
        path = site.find(url)
        return None if path is None else (path.read_bytes(), KIND)
    page = site.load(url)
    if page is None or page.source is None:
        return None
    return page.source.encode(), f"{KIND}; charset=utf-8"


@contextmanager
def _server(find: Body) -> Iterator[str]:
    """A server on loopback while it is needed; gives its HOST:PORT."""

    class Answer(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # head and body in one piece: two wait for each other
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            found = find(self.path)
            body, kind = found or (b"", KIND)
            self.send_response(200 if found else 404)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer((HOST, 0), Answer) as server:
        server.daemon_threads = True
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield f"{HOST}:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
