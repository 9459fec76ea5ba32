"""Documents that a browser draws, and the resources they request meanwhile.

Resources come from the folder of the page, or from checked addresses.

The browser itself has no access to the network, see `process`. Its requests are served from here.
"""

import mimetypes
import threading
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import httpcore
import httpx

from pagelet.errors import OptionError, PageError, Unreachable
from pagelet.page.html import decode, parse
from pagelet.page.table import Page
from pagelet.sources.browser.beside import is_shown, site_folder
from pagelet.sources.browser.options import RenderOptions
from pagelet.sources.folder import file_inside
from pagelet.sources.http.addresses import AllowList
from pagelet.sources.http.cookies import make_cookie_jar
from pagelet.sources.http.loader import HEADERS, fetch
from pagelet.sources.http.messages import read_body, web_address
from pagelet.sources.http.network import CheckedTransport, Deadline
from pagelet.sources.http.politeness import Clock, HostUsage, Politeness
from pagelet.sources.loading import read_page_file, read_stdin
from pagelet.sources.names import check_name, is_address
from pagelet.sources.options import Limits

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
    credentials: tuple[str, str] | None = field(default=None, repr=False)
    #: user name and password of its URL, for the resources of the same host
    own: Path | None = None  #: folder outside of which it has style sheets and pictures alone


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
    name = check_name(source)
    if is_address(name):
        response = fetch(name, limits, options.allow_private)
        html, url = decode(response.body, response.charset), response.url
        scripts, network = _switches(options, web=True)
        given = web_address(name)
        credentials = (given.username, given.password) if given.userinfo else None
        return Document(
            name, html, url, url, scripts=scripts, network=network, credentials=credentials
        )
    if name == "-":
        return _from_html("-", decode(read_stdin(limits)), options, place)
    return _from_file(Path(name), options, limits)


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
    address, folder = f"http://{LOCAL_HOST}/{quote(place)}", _folder(options.folder)
    scripts, network = _local_switches(options, folder)
    return Document(name, html, address, None, None, folder, scripts, network)


def _from_file(path: Path, options: RenderOptions, limits: Limits) -> Document:
    html = decode(read_page_file(path, limits))
    folder = _folder(options.folder or str(path.parent))
    assert folder is not None
    scripts, network = _local_switches(options, folder)
    own = page = None
    if not (options.folder or scripts or network):
        own, page = folder, parse(html, max_nodes=limits.max_nodes)
        folder = site_folder(page, own)
    where = path.resolve()
    name = where.relative_to(folder).as_posix() if where.is_relative_to(folder) else where.name
    address = f"http://{LOCAL_HOST}/{quote(name)}"
    document = Document(str(path), html, address, None, page, folder)
    return replace(document, own=own, scripts=scripts, network=network)


def _switches(options: RenderOptions, *, web: bool) -> tuple[bool, bool]:
    """Whether scripts run, and whether the network may be used."""
    switches = {"auto": web, "on": True, "off": False}
    return switches[options.javascript], switches[options.network]


def _local_switches(options: RenderOptions, folder: Path | None) -> tuple[bool, bool]:
    """The switches of a local page; refuses a page that could send its folder to the web."""
    scripts, network = _switches(options, web=False)
    if scripts and network and folder is not None and not options.expose_folder:
        why = (
            f"with the network on, scripts of this page could send the files of {folder} to any"
            " host; turn one of them off, or allow it with --expose-folder"
        )
        raise OptionError("javascript", options.javascript, why)
    return scripts, network


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


def read_local(
    folder: Path, url: str, max_bytes: int, own: Path | None = None
) -> tuple[bytes, str] | None:
    """A file of the folder and its content type, for an address; None when there is none.

    Outside of `own` only style sheets, pictures and fonts are read.
    """
    for name in _names(url):
        path = file_inside(folder, name)
        if path is not None:
            inside = own is None or path.is_relative_to(own)
            if not (inside or is_shown(content_type(path.name), path)):
                return None
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


MAX_REQUESTS = 500  #: requests of one page
MAX_PAGE_BYTES = 200_000_000  #: decoded bytes of all resources of a page
MAX_RESOURCE_BYTES = 50_000_000  #: decoded bytes of one resource
HEADERS_PASSED = ("content-type", "content-security-policy", "content-language")
CORS_PREFIX = "access-control-"  #: prefix of CORS headers, which are passed on


@dataclass(frozen=True, slots=True)
class Resource:
    """A response for the browser."""

    body: bytes
    headers: dict[str, str]
    status: int = 200
    url: str = ""  #: address after redirects


class ResourceRefused(PageError):
    """A page may not load a resource."""


@dataclass(slots=True)
class ResourceUsage:
    """Requests and bytes of one page so far."""

    requests: int = 0
    size: int = 0  #: bytes
    lock: threading.Lock = field(default_factory=threading.Lock)

    def count_request(self, url: str) -> None:
        """Count a request; refuse it when there were too many."""
        with self.lock:
            self.requests += 1
            if self.requests > MAX_REQUESTS or self.size > MAX_PAGE_BYTES:
                raise ResourceRefused(url, "the page requested too much")

    def count_body(self, body: bytes) -> None:
        """Count the bytes of a body."""
        with self.lock:
            self.size += len(body)


class ResourceLoader:
    """Loads the resources of one page, from any thread."""

    def __init__(self, document: Document, allow_private: tuple[str, ...], limits: Limits) -> None:
        self._document, self._limits = document, limits
        self._allow_list, self._usage = AllowList(allow_private), ResourceUsage()
        self._own, self._clients = threading.local(), list[httpx.Client]()

    def close(self) -> None:
        """Close all connections."""
        for client in self._clients:
            client.close()

    def get(self, url: str, accept: str = "*/*") -> Resource:
        """Load the resource at an address; PageError when the page may not have it."""
        self._usage.count_request(url)
        resource = self._from_folder(url)
        if resource is None and not self._document.network:
            raise ResourceRefused(url, "the network is off")
        if resource is None:
            resource = self._from_web(url, accept)
        self._usage.count_body(resource.body)
        return resource

    def _from_folder(self, url: str) -> Resource | None:
        folder = self._document.folder
        if folder is None or urlsplit(url).hostname != LOCAL_HOST:
            return None
        file = read_local(folder, url, MAX_RESOURCE_BYTES, self._document.own)
        if file is None:
            raise ResourceRefused(url, "no such file")
        return Resource(file[0], {"content-type": file[1]}, url=url)

    def _from_web(self, url: str, accept: str) -> Resource:
        client, deadline = self._client()
        with deadline.within(self._limits.timeout):
            try:
                for _ in range(self._limits.redirects + 1):
                    web_address(url)
                    headers = {"Accept": accept}
                    auth = self._credentials_for(url)
                    with client.stream("GET", url, headers=headers, auth=auth) as response:
                        if response.next_request is None:
                            return _to_resource(response, url)
                        url = str(response.next_request.url)
            except (
                httpcore.TimeoutException,
                httpcore.NetworkError,
                httpcore.ProtocolError,
                httpcore.ProxyError,
                httpx.HTTPError,
                httpx.InvalidURL,
                ValueError,
            ) as error:
                raise Unreachable(url, str(error) or type(error).__name__) from error
        raise Unreachable(url, "too many redirects")

    def _credentials_for(self, url: str) -> tuple[str, str] | None:
        same = _origin(url) == _origin(self._document.address)
        return self._document.credentials if same else None

    def _client(self) -> tuple[httpx.Client, Deadline]:
        """The client of this thread and its deadline."""
        if not hasattr(self._own, "client"):
            self._own.deadline = Deadline(Clock())
            transport = CheckedTransport(self._own.deadline, self._allow_list)
            self._own.client = httpx.Client(
                headers=HEADERS, transport=transport, trust_env=False, cookies=make_cookie_jar()
            )
            self._clients.append(self._own.client)
        return self._own.client, self._own.deadline


def _origin(url: str) -> tuple[str, str, int | None]:
    parts = httpx.URL(url)
    return parts.scheme, parts.host, parts.port


def _to_resource(response: httpx.Response, url: str) -> Resource:
    body = read_body(response, HostUsage(), Politeness(bytes=MAX_PAGE_BYTES), MAX_RESOURCE_BYTES)
    headers = {
        name: value
        for name, value in response.headers.items()
        if name in HEADERS_PASSED or name.startswith(CORS_PREFIX)
    }
    return Resource(body, headers, response.status_code, url)
