"""A labelled site served on loopback and read through the loader, as a site on the web is."""

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
HTML_TYPE = "text/html"
#: Politeness towards our own server: no delay, no limits.
UNLIMITED = Politeness(
    delay=0.0, robots=False, retries=0, pages=10**9, bytes=10**15, seconds=10.0**6
)

FindBody = Callable[[str], tuple[bytes, str] | None]  #: returns body and content type of a path


class ServedSite:
    """A site on our own server, with the addresses of its pages."""

    def __init__(self, web: WebSite, addresses: Sequence[str]) -> None:
        self._web, self._addresses = web, tuple(addresses)

    def load(self, url: str) -> Page | None:
        """The page at an address, loaded over HTTP."""
        return self._web.load(url)

    def addresses(self) -> Sequence[str]:
        """All addresses, for pages without links."""
        return self._addresses


@contextmanager
def serve_site(gold: GoldSite) -> Iterator[GoldSite]:
    """The same labelled site with the URLs of a server on loopback."""
    root = _origin(gold)
    with _server(lambda path: _body(gold.site, root + path)) as address:
        origin = f"http://{address}"
        politeness = replace(UNLIMITED, allow_private=(address,))
        with Loader(Limits(), politeness) as loader:
            addresses = [origin + url.removeprefix(root) for url in gold.site.addresses()]
            site = ServedSite(WebSite(f"{origin}/", loader), addresses)
            pages = (
                replace(page, url=origin + (page.url or "").removeprefix(root))
                for page in gold.pages
            )
            yield replace(gold, site=site, pages=tuple(pages))


def _origin(gold: GoldSite) -> str:
    """Scheme and host of a labelled site."""
    parts = urlsplit(gold.pages[0].url or "")
    return f"{parts.scheme}://{parts.netloc}"


def _body(site: Site, url: str) -> tuple[bytes, str] | None:
    """Body and content type of a response: the file as it is, or the page in memory."""
    if isinstance(site, FolderSite):
        path = site.find(url)
        return None if path is None else (path.read_bytes(), HTML_TYPE)
    page = site.load(url)
    if page is None or page.source is None:
        return None
    return page.source.encode(), f"{HTML_TYPE}; charset=utf-8"


@contextmanager
def _server(find: FindBody) -> Iterator[str]:
    """A server on loopback for the time of the context; yields its HOST:PORT."""

    class SiteHandler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # head and body in one packet: two wait for each other
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            response = find(self.path)
            body, content_type = response or (b"", HTML_TYPE)
            self.send_response(200 if response else 404)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Log nothing."""

    with ThreadingHTTPServer((HOST, 0), SiteHandler) as server:
        server.daemon_threads = True
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield f"{HOST}:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
