"""Documents that a browser draws: HTML, its address, and the files it may read."""

import mimetypes
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from pagelet.errors import PageError, Unreachable
from pagelet.page.html import decode, parse
from pagelet.page.table import Page
from pagelet.sources.browser.options import RenderOptions
from pagelet.sources.folder import file_inside
from pagelet.sources.http.loader import fetch
from pagelet.sources.limits import Limits
from pagelet.sources.loading import read_page_file, read_stdin

LOCAL_HOST = "page.invalid"  #: host of local files; the domain .invalid is never registered
Source = str | bytes | Path | Page
CONTENT_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


@dataclass(frozen=True, slots=True)
class Document:
    """A page to draw."""

    source: str  #: name in messages
    html: str
    address: str  #: address in the browser
    url: str | None = None  #: address on the web
    page: Page | None = None  #: the HTML parsed, if it was
    folder: Path | None = None  #: folder whose files it may read
    scripts: bool = False
    network: bool = False


def read_document(
    source: Source, options: RenderOptions, limits: Limits = Limits(), place: str = ""
) -> Document:
    """Read a document: a page, HTML as bytes, a file, `-`, or a URL.

    `place` is the path of a page or HTML in the folder of the options.
    """
    if isinstance(source, Page):
        return _from_page(source, options, place)
    if isinstance(source, bytes):
        return _from_html("<HTML>", decode(source), options, place)
    if isinstance(source, str) and "://" in source:
        response = fetch(source, limits, options.allow_private)
        html, url = decode(response.body, response.charset), response.url
        scripts, network = _switches(options, web=True)
        return Document(source, html, url, url, scripts=scripts, network=network)
    if source == "-":
        return _from_html("-", decode(read_stdin(limits)), options, place)
    return _from_file(Path(source), options, limits)


def _from_page(page: Page, options: RenderOptions, place: str) -> Document:
    name = page.url or "<page>"
    if page.source is None:
        raise PageError(name, "its HTML was not kept, so it cannot be drawn; parse it again")
    document = _from_html(name, page.source, options, place)
    on_web = page.url is not None and urlsplit(page.url).scheme in ("http", "https")
    if page.url is not None and on_web and document.network:
        document = replace(document, address=page.url)
    return replace(document, page=page, url=page.url)


def _from_html(name: str, html: str, options: RenderOptions, place: str) -> Document:
    scripts, network = _switches(options, web=False)
    address, folder = f"http://{LOCAL_HOST}/{quote(place)}", _folder(options.folder)
    return Document(name, html, address, None, None, folder, scripts, network)


def _from_file(path: Path, options: RenderOptions, limits: Limits) -> Document:
    data = read_page_file(path, limits)
    folder = _folder(options.folder or str(path.parent))
    assert folder is not None
    where = path.resolve()
    name = where.relative_to(folder).as_posix() if where.is_relative_to(folder) else where.name
    scripts, network = _switches(options, web=False)
    address = f"http://{LOCAL_HOST}/{quote(name)}"
    return Document(str(path), decode(data), address, None, None, folder, scripts, network)


def _switches(options: RenderOptions, *, web: bool) -> tuple[bool, bool]:
    """Whether scripts run, and whether the network may be used."""
    switches = {"auto": web, "on": True, "off": False}
    return switches[options.javascript], switches[options.network]


def _folder(name: str) -> Path | None:
    if not name:
        return None
    folder = Path(name).resolve()
    if not folder.is_dir():
        raise Unreachable(name, "not a folder; give the folder with the files of the page")
    return folder


def parse_document(document: Document) -> Page:
    """The page before any script runs."""
    return document.page or parse(document.html, document.url)


# -- files of a saved page --------------------------------------------------------------------


def read_local(folder: Path, url: str, max_bytes: int) -> tuple[bytes, str] | None:
    """A file of the folder and its content type, for an address; None when there is none."""
    for name in _names(url):
        path = file_inside(folder, name)
        if path is not None:
            try:
                with path.open("rb") as file:
                    data = file.read(max_bytes + 1)
            except OSError:
                return None
            return (data, content_type(path.name)) if len(data) <= max_bytes else None
    return None


def _names(url: str) -> list[str]:
    """Names a saved file may have: the query may be part of it, quoted or not."""
    parts = urlsplit(url)
    path, query = parts.path.lstrip("/"), parts.query
    whole = [f"{unquote(path)}?{unquote(query)}", f"{path}?{query}"] if query else []
    return list(dict.fromkeys([*whole, unquote(path), path]))


def content_type(name: str) -> str:
    """The content type of a file by its name; a query in it is ignored."""
    bare = name.partition("?")[0]
    usual = CONTENT_TYPES.get(Path(bare).suffix.lower()) or mimetypes.guess_type(bare)[0]
    return usual or "application/octet-stream"
