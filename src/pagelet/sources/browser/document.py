"""What a browser is given to draw: HTML, the address it is drawn at, and what else it may read."""

import mimetypes
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from pagelet.errors import PageError, PageTooLarge, Unreachable
from pagelet.page.html import decode, parse
from pagelet.page.table import Page
from pagelet.sources.browser.options import RenderOptions
from pagelet.sources.http.loader import fetch
from pagelet.sources.limits import Limits

HOST = "page.invalid"  #: where files seem to lie; no such host can ever be
Source = str | bytes | Path | Page
TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


@dataclass(frozen=True, slots=True)
class Document:
    """A page to draw."""

    source: str  #: what the user called it
    html: str
    address: str  #: where the browser believes it is
    url: str | None = None  #: where it really comes from
    page: Page | None = None  #: what the HTML parses to, if that is known
    folder: Path | None = None  #: whose files it may read
    scripts: bool = False
    network: bool = False


def document_of(
    source: Source, options: RenderOptions, limits: Limits = Limits(), place: str = ""
) -> Document:
    """Read what is to be drawn: a page, HTML as bytes, a file, `-`, or a URL.

    `place` says where in the folder of the options a page or HTML lies.
    """
    if isinstance(source, Page):
        return _of_page(source, options, place)
    if isinstance(source, bytes):
        return _of_html("<HTML>", decode(source), options, place)
    if isinstance(source, str) and "://" in source:
        found = fetch(source, limits, options.allow_private)
        html = decode(found.body, found.charset)
        scripts, network = _allowed(options, web=True)
        return Document(source, html, found.url, found.url, scripts=scripts, network=network)
    if source == "-":
        data = _bounded(sys.stdin.buffer.read(limits.max_bytes + 1), "-", limits)
        return _of_html("-", decode(data), options, place)
    return _of_file(Path(source), options, limits)


def _of_page(page: Page, options: RenderOptions, place: str) -> Document:
    name = page.url or "<page>"
    if page.source is None:
        raise PageError(name, "its HTML was not kept, so it cannot be drawn; parse it again")
    document = _of_html(name, page.source, options, place)
    on_web = page.url is not None and urlsplit(page.url).scheme in ("http", "https")
    if page.url is not None and on_web and document.network:
        document = replace(document, address=page.url)
    return replace(document, page=page, url=page.url)


def _of_html(name: str, html: str, options: RenderOptions, place: str) -> Document:
    scripts, network = _allowed(options, web=False)
    address, folder = f"http://{HOST}/{quote(place)}", _folder(options.folder)
    return Document(name, html, address, None, None, folder, scripts, network)


def _of_file(path: Path, options: RenderOptions, limits: Limits) -> Document:
    try:
        with path.open("rb") as file:
            data = _bounded(file.read(limits.max_bytes + 1), str(path), limits)
    except (OSError, ValueError) as error:  # ValueError: a name with NUL
        why = getattr(error, "strerror", None) or str(error)
        raise Unreachable(str(path), f"{why}; give a file, a URL or -") from error
    folder = _folder(options.folder or str(path.parent))
    assert folder is not None
    where = path.resolve()
    name = where.relative_to(folder).as_posix() if where.is_relative_to(folder) else where.name
    scripts, network = _allowed(options, web=False)
    address = f"http://{HOST}/{quote(name)}"
    return Document(str(path), decode(data), address, None, None, folder, scripts, network)


def _allowed(options: RenderOptions, *, web: bool) -> tuple[bool, bool]:
    """Whether scripts run, and whether the network may be asked."""
    switches = {"auto": web, "on": True, "off": False}
    return switches[options.javascript], switches[options.network]


def _folder(name: str) -> Path | None:
    if not name:
        return None
    folder = Path(name).resolve()
    if not folder.is_dir():
        raise Unreachable(name, "not a folder; give the folder with the files of the page")
    return folder


def _bounded(data: bytes, source: str, limits: Limits) -> bytes:
    if len(data) > limits.max_bytes:
        raise PageTooLarge(source, limits.max_bytes)
    return data


def parsed(document: Document) -> Page:
    """The page as it stands in the source, before any script."""
    return document.page or parse(document.html, document.url)


# -- files of a saved page --------------------------------------------------------------------


def local_file(folder: Path, url: str, most: int) -> tuple[bytes, str] | None:
    """A file of the folder and its content type, for an address; None when there is none."""
    for name in _names(url):
        path = _inside(folder, name)
        if path is not None:
            try:
                with path.open("rb") as file:
                    data = file.read(most + 1)
            except OSError:
                return None
            return (data, content_type(path.name)) if len(data) <= most else None
    return None


def _names(url: str) -> list[str]:
    """Names a saved file may have: the query may be part of it, quoted or not."""
    parts = urlsplit(url)
    path, query = parts.path.lstrip("/"), parts.query
    whole = [f"{unquote(path)}?{unquote(query)}", f"{path}?{query}"] if query else []
    return list(dict.fromkeys([*whole, unquote(path), path]))


def _inside(folder: Path, name: str) -> Path | None:
    """A plain file of the folder, wherever links in it lead."""
    try:
        path = Path(os.path.realpath(folder / name))
        return path if path.is_relative_to(folder) and path.is_file() else None
    except (OSError, ValueError):  # a name too long, or with NUL
        return None


def content_type(name: str) -> str:
    """The content type that a file's name tells; queries in it are passed over."""
    bare = name.partition("?")[0]
    known = TYPES.get(Path(bare).suffix.lower()) or mimetypes.guess_type(bare)[0]
    return known or "application/octet-stream"
