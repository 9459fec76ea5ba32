"""Where the drawing's pictures and styles come from: the page's site, or files beside it."""

import base64
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urljoin, urlsplit

from turbohtml import Element

from pagelet.page.table import Page

MAX_FILE = 2_000_000  #: bytes of one file put into the report
MAX_ALL = 20_000_000  #: bytes of all of them
LEVELS_UP = 3  #: how far above the page's folder a file may lie
IMPORTS_DEEP = 5  #: style sheets that import one another, at most

SHEETS = {".css": "text/css"}
PICTURES_AND_FONTS = {
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
NO_PICTURE = "data:,"

#: An import, or any other URL that a style sheet names.
CSS_URL = re.compile(
    r"""(?ix) (?P<import> @import \s+ ) (?: url\( \s* )?
          (?: "(?P<i1>[^"\n]*)" | '(?P<i2>[^'\n]*)' | (?P<i3>[^\s"'();]+) )
          \s* \)? (?P<media> [^;{}"']{0,200} ) ;
      | url\( \s* (?: "(?P<u1>[^"\n]*)" | '(?P<u2>[^'\n]*)' | (?P<u3>[^\s"'()]*) ) \s* \)"""
)
END_OF_STYLE = re.compile(r"(?i)</(?=style)")


class Sources(Protocol):
    """What the drawing asks about everything a page refers to."""

    @property
    def policy(self) -> str:
        """The part of the content security policy that says what may be loaded."""

    @property
    def note(self) -> str:
        """One sentence for the report's footer."""

    @property
    def base(self) -> str | None:
        """The URL that relative references in style sheets are resolved against."""

    def picture(self, reference: str) -> str | None:
        """Give the reference to draw a picture by, None when there is none."""

    def srcset(self, candidates: str) -> str | None:
        """Give the candidates to draw a picture by."""

    def css(self, text: str) -> str:
        """Give a style sheet or style attribute the references it may have."""

    def sheet(self, href: str, media: str) -> Element | None:
        """Make the element that brings in a style sheet."""


def sources_of(page: Page, folder: Path | None) -> Sources:
    """Choose the site of a page that has a URL, else the folder of its file, if any."""
    if page.url and urlsplit(page.url).scheme in ("http", "https"):
        return Site(page.url, _base(page, page.url))
    return Folder(None if folder is None else folder.resolve())


def _base(page: Page, url: str) -> str:
    """Read what the page says its base is, else take its URL."""
    said = (href for row, href in page.attribute("href").items() if page.name(row) == "base")
    try:
        base = urljoin(url, next(said, "").strip())
    except ValueError:  # not a URL, so it says nothing
        return url
    return base if urlsplit(base).scheme in ("http", "https") else url


@dataclass(frozen=True, slots=True)
class Site:
    """Pictures and styles stay where they are on the web."""

    url: str
    base: str | None

    policy = (
        "style-src 'unsafe-inline' data: http: https:; img-src data: http: https:;"
        " font-src data: http: https:; base-uri http: https:"
    )

    @property
    def note(self) -> str:
        """Say that opening the report is seen by others."""
        host = urlsplit(self.url).hostname
        return f"The drawing loads pictures and styles from {host} and the hosts its page names."

    def picture(self, reference: str) -> str | None:
        """Keep the reference; it was resolved, or the base resolves it."""
        return reference

    def srcset(self, candidates: str) -> str | None:
        """Keep all candidates."""
        return candidates

    def css(self, text: str) -> str:
        """Keep the style as it is."""
        return text

    def sheet(self, href: str, media: str) -> Element | None:
        """Keep the link, stripped to what it needs."""
        return Element("link", {"rel": "stylesheet", "href": href, "media": media})


@dataclass(slots=True)
class Folder:
    """Files beside the page go into the report; nothing is loaded."""

    path: Path | None  #: where the page lies, resolved; None when it came from no file
    left: int = MAX_ALL  #: bytes that may still go in
    encoded: dict[Path, str] = field(default_factory=dict)  #: files already made data: URLs

    base = None
    policy = "style-src 'unsafe-inline' data:; img-src data:; font-src data:; base-uri 'none'"
    note = "The drawing is made from local files alone; nothing is loaded from the network."

    def picture(self, reference: str) -> str | None:
        """Put the picture itself into a data: URL."""
        return self._data(reference, self.path)

    def srcset(self, candidates: str) -> str | None:  # noqa: ARG002 - as the protocol has it
        """Drop all candidates; src is the one that is drawn."""
        return None

    def css(self, text: str) -> str:
        """Put what the style refers to into the style."""
        return self._with_files(text, self.path, 0)

    def sheet(self, href: str, media: str) -> Element | None:
        """Make a style element that holds the sheet."""
        css = self._imported(href, self.path, 0)
        if css is None:
            return None
        style = Element("style", {"media": media})
        style.text = END_OF_STYLE.sub(r"<\\/", css)
        return style

    def _with_files(self, css: str, beside: Path | None, deep: int) -> str:
        def put_in(match: re.Match[str]) -> str:
            if match["import"]:
                return self._import(match, beside, deep)
            reference = match["u1"] or match["u2"] or match["u3"] or ""
            if reference.startswith("#"):
                return match[0]
            return f'url("{self._data(reference, beside) or NO_PICTURE}")'

        return CSS_URL.sub(put_in, css)

    def _import(self, match: re.Match[str], beside: Path | None, deep: int) -> str:
        css = self._imported(match["i1"] or match["i2"] or match["i3"] or "", beside, deep)
        media = match["media"].strip()
        return f"@media {media} {{{css}}}" if css and media else css or ""

    def _imported(self, href: str, beside: Path | None, deep: int) -> str | None:
        file = self._find(href, beside, SHEETS)
        data = self._read(file) if file and deep < IMPORTS_DEEP else None
        if file is None or data is None:
            return None
        return self._with_files(data.decode("utf-8-sig", "replace"), file.parent, deep + 1)

    def _data(self, reference: str, beside: Path | None) -> str | None:
        """Make a picture or font a data: URL; one that already is stays as it is."""
        if reference.lstrip()[:5].lower() == "data:":
            return reference
        file = self._find(reference, beside, PICTURES_AND_FONTS)
        if file is None:
            return None
        data = self._read(file)
        if data is None:
            return None
        if file not in self.encoded:
            encoded = base64.b64encode(data).decode()
            self.encoded[file] = f"data:{PICTURES_AND_FONTS[file.suffix.lower()]};base64,{encoded}"
        return self.encoded[file]

    def _find(self, reference: str, beside: Path | None, types: dict[str, str]) -> Path | None:
        """Find the file a relative reference names, when its type and its place are allowed."""
        if self.path is None or beside is None:
            return None
        try:
            parts = urlsplit(reference.strip())
            if parts.scheme or parts.netloc or parts.path[:1] in ("", "/", "\\"):
                return None
            file = (beside / unquote(parts.path)).resolve()
            allowed = file.suffix.lower() in types and file.is_relative_to(self._top())
            return file if allowed and file.is_file() else None
        except (OSError, ValueError):  # no such name can be
            return None

    def _top(self) -> Path:
        """Name the highest folder that files may lie below; never the root of the disk."""
        assert self.path is not None
        above = [self.path, *self.path.parents][:-1] or [self.path]
        return above[min(LEVELS_UP, len(above) - 1)]

    def _read(self, file: Path) -> bytes | None:
        """Read a file, unless it has too many bytes."""
        try:
            size = file.stat().st_size
            data = file.read_bytes() if size <= min(MAX_FILE, self.left) else None
        except OSError:
            return None
        self.left -= size if data is not None else 0
        return data
