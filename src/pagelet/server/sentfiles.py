"""Style sheets, pictures and fonts that a client sent with a page, put into its drawing."""

import base64
import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

from pagelet.report.assets import (
    MAX_FILE_BYTES,
    MAX_TOTAL_BYTES,
    PICTURE_AND_FONT_TYPES,
    SHEET_TYPES,
    EmbeddedAssets,
)


@dataclass(slots=True)
class SentFiles(EmbeddedAssets[str]):
    """The files of the folder that a page lies in; no file of this machine is read."""

    page: str  #: path of the page in the folder
    files: Mapping[str, bytes]  #: files by their path in the folder
    bytes_left: int = MAX_TOTAL_BYTES  #: bytes that may still be drawn
    absent: set[str] = field(default_factory=set)  #: style sheets that are missing

    note = "This drawing has the pictures and styles that were sent with the page."

    @classmethod
    def of(cls, page: str, sent: Iterable[Any]) -> "SentFiles":
        """The files of a request."""
        return cls(page, {posixpath.normpath(each.name): each.data for each in sent})

    @property
    def origin(self) -> str:
        """The folder of the page."""
        return posixpath.dirname(self.page)

    def read_sheet(self, href: str, origin: str) -> tuple[str, str] | None:
        """A style sheet and the folder it lies in."""
        name = self._find(href, origin, SHEET_TYPES)
        if name is None:
            return None
        return self.files[name].decode("utf-8-sig", "replace"), posixpath.dirname(name)

    def data_url(self, reference: str, origin: str) -> str | None:
        """A picture or font as a data: URL."""
        name = self._find(reference, origin, PICTURE_AND_FONT_TYPES)
        if name is None:
            return None
        media_type = PICTURE_AND_FONT_TYPES[PurePosixPath(name).suffix.lower()]
        return f"data:{media_type};base64,{base64.b64encode(self.files[name]).decode()}"

    def _find(self, reference: str, folder: str, types: Mapping[str, str]) -> str | None:
        """The name of the file that a reference means, while there is room for it."""
        try:
            parts = urlsplit(reference.strip())
        except ValueError:
            return None
        if parts.scheme or parts.netloc or not parts.path:
            return None
        start = "" if parts.path.startswith("/") else folder
        name = posixpath.normpath(posixpath.join(start, unquote(parts.path).lstrip("/")))
        data = self.files.get(name, b"")
        allowed = PurePosixPath(name).suffix.lower() in types
        if not data or not allowed or len(data) > min(MAX_FILE_BYTES, self.bytes_left):
            return None
        self.bytes_left -= len(data)
        return name
