"""Assets of a drawing: the pictures, fonts and style sheets that a page refers to."""

import base64
from abc import ABC, abstractmethod
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, Protocol, TypeVar
from urllib.parse import unquote, urlsplit

from turbohtml import Element

from pagelet.page.table import Page
from pagelet.write.css import clean_css
from pagelet.write.inert import References, WebReferences

MAX_FILE_BYTES = 2_000_000  #: bytes of one embedded file
MAX_TOTAL_BYTES = 20_000_000  #: bytes of all embedded files
MAX_LEVELS_UP = 3  #: levels above the page's folder at which files may lie
MAX_IMPORT_DEPTH = 5  #: nested imports of style sheets

SHEET_TYPES = {".css": "text/css"}
PICTURE_AND_FONT_TYPES = {
    ".apng": "image/apng",
    ".avif": "image/avif",
    ".bmp": "image/bmp",
    ".gif": "image/gif",
    ".ico": "image/x-icon",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
    ".otf": "font/otf",
    ".ttf": "font/ttf",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
}
Origin = TypeVar("Origin")  #: what relative references are resolved against


class Assets(References, Protocol):
    """Decides how a drawing refers to the assets of its page."""

    @property
    def policy(self) -> str:
        """The directives of the content security policy for styles, pictures and fonts."""

    @property
    def note(self) -> str:
        """One sentence for the footer of the report."""

    @property
    def base(self) -> str | None:
        """The URL that relative references in style sheets are resolved against."""

    @property
    def absent(self) -> Collection[str]:
        """Style sheets that the page names and the drawing lacks."""


def choose_assets(page: Page, folder: Path | None) -> Assets:
    """Assets from the web for a page with a URL, else from its folder, if any."""
    if page.url and urlsplit(page.url).scheme in ("http", "https"):
        return RemoteAssets(page.url, page.base_url or page.url)
    return LocalAssets(None if folder is None else folder.resolve())


@dataclass(frozen=True, slots=True)
class RemoteAssets(WebReferences):
    """Assets that the drawing loads from the web."""

    url: str
    base: str | None

    absent = ()
    policy = (
        "style-src 'unsafe-inline' data: http: https:; img-src data: http: https:;"
        " font-src data: http: https:; base-uri http: https:"
    )

    @property
    def note(self) -> str:
        """A warning that opening the report causes requests."""
        host = urlsplit(self.url).hostname
        return f"This report loads pictures and styles from {host} and the hosts its page names."


class EmbeddedAssets(ABC, Generic[Origin]):
    """Assets that are embedded in the drawing, so that it loads nothing."""

    base = None
    absent: set[str]
    policy = "style-src 'unsafe-inline' data:; img-src data:; font-src data:; base-uri 'none'"

    @property
    @abstractmethod
    def origin(self) -> Origin:
        """What the references of the page are resolved against."""

    @abstractmethod
    def read_sheet(self, href: str, origin: Origin) -> tuple[str, Origin] | None:
        """A style sheet and its own origin; None when it is missing."""

    @abstractmethod
    def data_url(self, reference: str, origin: Origin) -> str | None:
        """A picture or font as a data: URL; None when it is missing."""

    def rewrite_picture(self, reference: str) -> str | None:
        """A picture as a data: URL."""
        return self._embed(reference, self.origin)

    def rewrite_srcset(self, candidates: str) -> str | None:  # noqa: ARG002 - part of the protocol
        """Drop all candidates; src is drawn instead."""
        return None

    def rewrite_css(self, text: str) -> str:
        """Embed the files that a style refers to."""
        return self._embed_in_css(text, self.origin, 0)

    def make_sheet(self, href: str, media: str) -> Element | None:
        """A style element with the content of the sheet."""
        css = self._import_sheet(href, self.origin, 0)
        if css is None:
            self.absent.add(href)
            return None
        style = Element("style", {"media": media})
        style.text = css
        return style

    def _embed_in_css(self, css: str, origin: Origin, depth: int) -> str:
        return clean_css(css, _SheetReferences(self, origin, depth))

    def _import_sheet(self, href: str, origin: Origin, depth: int) -> str | None:
        sheet = self.read_sheet(href, origin) if depth < MAX_IMPORT_DEPTH else None
        return None if sheet is None else self._embed_in_css(*sheet, depth + 1)

    def _embed(self, reference: str, origin: Origin) -> str | None:
        if reference.lstrip()[:5].lower() == "data:":
            return reference
        return self.data_url(reference, origin)


@dataclass(frozen=True, slots=True)
class _SheetReferences(Generic[Origin]):
    """What one style sheet refers to, embedded in it."""

    assets: EmbeddedAssets[Origin]
    origin: Origin
    depth: int  #: imports that led to the sheet

    def rewrite_url(self, reference: str) -> str | None:
        return self.assets._embed(reference, self.origin)

    def rewrite_import(self, reference: str, media: str) -> str:
        inner = self.assets._import_sheet(reference, self.origin, self.depth)
        return f"@media {media} {{{inner}}}" if inner and media else inner or ""


@dataclass(slots=True)
class LocalAssets(EmbeddedAssets[Path | None]):
    """Assets from files near the page."""

    path: Path | None  #: folder of the page, resolved; None when the page came from no file
    bytes_left: int = MAX_TOTAL_BYTES  #: bytes that may still be embedded
    encoded: dict[Path, str] = field(default_factory=dict)  #: data: URLs of files read before
    absent: set[str] = field(default_factory=set)  #: style sheets that are missing

    note = "This report uses local files only and loads nothing from the network."

    @property
    def origin(self) -> Path | None:
        """The folder of the page."""
        return self.path

    def read_sheet(self, href: str, origin: Path | None) -> tuple[str, Path | None] | None:
        """A style sheet and the folder it lies in."""
        file = self._find(href, origin, SHEET_TYPES)
        data = self._read(file) if file else None
        if file is None or data is None:
            return None
        return data.decode("utf-8-sig", "replace"), file.parent

    def data_url(self, reference: str, origin: Path | None) -> str | None:
        """A picture or font as a data: URL."""
        file = self._find(reference, origin, PICTURE_AND_FONT_TYPES)
        data = self._read(file) if file else None
        if file is None or data is None:
            return None
        if file not in self.encoded:
            media_type = PICTURE_AND_FONT_TYPES[file.suffix.lower()]
            self.encoded[file] = f"data:{media_type};base64,{base64.b64encode(data).decode()}"
        return self.encoded[file]

    def _find(self, reference: str, folder: Path | None, types: dict[str, str]) -> Path | None:
        """The file that a relative reference names, if its type and place are allowed."""
        if self.path is None or folder is None:
            return None
        try:
            parts = urlsplit(reference.strip())
            if parts.scheme or parts.netloc or parts.path[:1] in ("", "/", "\\"):
                return None
            file = (folder / unquote(parts.path)).resolve()
            allowed = file.suffix.lower() in types and file.is_relative_to(self._root())
            return file if allowed and file.is_file() else None
        except (OSError, ValueError):  # no such name can exist
            return None

    def _root(self) -> Path:
        """The highest folder that files may lie below; never the root of the disk."""
        assert self.path is not None
        ancestors = [self.path, *self.path.parents][:-1] or [self.path]
        return ancestors[min(MAX_LEVELS_UP, len(ancestors) - 1)]

    def _read(self, file: Path) -> bytes | None:
        """The bytes of a file, unless there are too many."""
        try:
            size = file.stat().st_size
            data = file.read_bytes() if size <= min(MAX_FILE_BYTES, self.bytes_left) else None
        except OSError:
            return None
        self.bytes_left -= size if data is not None else 0
        return data
