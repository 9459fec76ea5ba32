"""A site kept in a folder: pages by relative link, whatever their files are called."""

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from pagelet.errors import PageError, Unreachable
from pagelet.page.html import parse
from pagelet.page.table import Page
from pagelet.sources.options import Limits
from pagelet.sources.unpacking import unpack_page, without_ending

PAGE_ENDINGS = (".html", ".htm", ".xhtml", ".shtml", ".php", ".php3", ".asp", ".aspx", ".jsp")
INDEX_NAMES = ("index.html", "index.htm", "index.php", "index.xhtml", "default.htm")
DEFAULT_ROOT = "https://site.example"  #: address of a folder whose own is unknown


class FolderSite:
    """Pages of a folder, read when needed; `root` is the address of the folder."""

    def __init__(
        self, folder: Path, *, root: str = DEFAULT_ROOT, limits: Limits = Limits()
    ) -> None:
        if not folder.is_dir():
            raise Unreachable(str(folder), "not a folder; give a folder with pages of the site")
        self.folder, self.root, self.limits = folder.resolve(), root.rstrip("/"), limits

    def load(self, url: str) -> Page | None:
        """The page an address leads to; None when no file fits or it is no page."""
        path = self.find(url)
        return None if path is None else self.read(path)

    def read(self, path: Path) -> Page | None:
        """The page in a file; None when it is too large or does not look like HTML."""
        try:
            with path.open("rb") as file:
                data = file.read(self.limits.max_bytes + 1)
            data = unpack_page(data, str(path), self.limits.max_bytes)
        except (OSError, PageError):
            return None
        if len(data) > self.limits.max_bytes or not looks_like_html(data):
            return None
        try:
            return parse(data, url=self.address(path), max_nodes=self.limits.max_nodes)
        except PageError:
            return None

    def address(self, path: Path) -> str:
        """The address of a file."""
        return f"{self.root}/{quote(path.resolve().relative_to(self.folder).as_posix())}"

    def addresses(self) -> Sequence[str]:
        """The addresses of all files that are named like pages, by name."""
        files = (path for path in sorted(self.folder.rglob("*")) if is_page_file(path))
        return tuple(map(self.address, files))

    def find(self, url: str) -> Path | None:
        """The file an address leads to: by name, with its query, with an ending, or an index."""
        parts = urlsplit(url)
        host = urlsplit(self.root)
        if parts.netloc != host.netloc or not parts.path.startswith(host.path):
            return None
        name = unquote(parts.path[len(host.path) :]).lstrip("/")
        full = f"{name}?{unquote(parts.query)}" if parts.query else name
        indexes = (f"{name.rstrip('/')}/{each}" for each in INDEX_NAMES)
        names = dict.fromkeys((full, f"{full}.html", name, f"{name}.html", *indexes))
        return next(filter(None, (file_inside(self.folder, each) for each in names)), None)


def file_inside(folder: Path, name: str) -> Path | None:
    """A file of a resolved folder; None when there is none, or links in it lead outside."""
    try:
        path = (folder / name.lstrip("/")).resolve()
        return path if path.is_file() and path.is_relative_to(folder) else None
    except (OSError, ValueError):  # a name too long, or with NUL
        return None


def is_page_file(path: Path) -> bool:
    """Whether a file is named like a page, or has no usual ending and looks like HTML."""
    if not path.is_file():
        return False
    ending = without_ending(path).suffix.lower()
    if ending in PAGE_ENDINGS:
        return True
    if ending and "?" not in path.name:
        return False
    with path.open("rb") as file:
        return looks_like_html(file.read(512))


def looks_like_html(data: bytes) -> bool:
    """Whether bytes begin with a tag, or with text that has one soon after."""
    start = data[:512].lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n\f\0")
    return start.startswith(b"<") or (b"<" in data[:4096] and b"\0" not in start)


def folder_site(
    folder: Path, page: str, url: str | None = None, limits: Limits = Limits()
) -> tuple[FolderSite, str]:
    """A folder as a site, and the address in it of a page given as a file, a URL or `-`.

    The address of the folder follows from that of the file, if `url` is given.
    """
    site = FolderSite(folder, limits=limits)
    path = Path(page).resolve() if "://" not in page and page != "-" else None
    if path is not None and path.is_relative_to(site.folder):
        name = quote(path.relative_to(site.folder).as_posix())
        if url and urlsplit(url).path.endswith(f"/{name}"):
            site.root = url[: url.rindex(f"/{name}")]
        return site, site.address(path)
    address = url or (page if "://" in page else None)
    if address:
        parts = urlsplit(address)
        site.root = f"{parts.scheme}://{parts.netloc}"
    return site, address or f"{site.root}/"
