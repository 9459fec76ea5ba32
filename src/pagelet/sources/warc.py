"""A site kept in a WARC file: the pages that servers answered with, read when asked for.

The file is gone through once, and only where each page begins is kept. A broken record is
passed over, and counted, up to a limit.
"""

import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO
from urllib.parse import urldefrag, urlsplit

from pagelet.errors import MissingExtra, Unreachable
from pagelet.page.html import parse
from pagelet.page.table import Page
from pagelet.sources.folder import begins_like_a_page
from pagelet.sources.http.loader import Limits
from pagelet.sources.http.politeness import in_scope

if TYPE_CHECKING:
    from fastwarc.warc import WarcRecord

ENDINGS = (".warc", ".warc.gz")
KINDS = ("text/html", "application/xhtml+xml", None)  #: content types of pages; some say none
PAGES = 200_000  #: most addresses that are kept of one file
BROKEN = 1000  #: broken places after which the rest of a file is left
PACKED, PLAIN = b"\x1f\x8b\x08", b"WARC/"  #: how a record begins
STEP = 2**20  #: bytes that are looked through at once for the next record
DECODINGS = ("all", "transfer", "none")  #: some archives keep bodies other than their headers say


def is_archive(path: Path) -> bool:
    """Whether a file is named like a WARC."""
    return path.name.lower().endswith(ENDINGS)


class ArchiveSite:
    """Pages of a WARC file; with a start, those of its site only."""

    def __init__(self, path: Path, start: str | None = None, limits: Limits = Limits()) -> None:
        self._warc = fastwarc_library()
        self.path, self.limits = path, limits
        self.broken = 0  #: places where the file could not be read
        self._places: dict[str, int] = {}
        self._addresses: dict[str, str] = {}
        host = urlsplit(start).hostname if start else None
        try:
            with path.open("rb") as file:
                self._index(file, host)
        except OSError as error:
            why = f"{error.strerror or error}; give a WARC file"
            raise Unreachable(str(path), why) from error
        if self.broken and not self._places:
            raise Unreachable(str(path), "no page can be read from it; give a WARC file")

    def addresses(self) -> Sequence[str]:
        """The addresses of all pages, in the order of the file."""
        return tuple(self._addresses.values())

    def load(self, url: str) -> Page | None:
        """The page at an address; the first one, where several were kept."""
        name = plain_name(url)
        if name not in self._places:
            return None
        for decoding in DECODINGS:
            try:
                data, charset = self._body(name, decoding)
            except OSError:
                continue
            if begins_like_a_page(data) and len(data) <= self.limits.max_bytes:
                return parse(data, url=self._addresses[name], charset=charset)
        return None

    # -- reading ------------------------------------------------------------------------------

    def _index(self, file: BinaryIO, host: str | None) -> None:
        """Note where the pages begin."""
        for record in self._records(file):
            address = _address(record)
            if not self._is_page(record) or not _is_on(address, host):
                continue
            name = plain_name(address)
            if name not in self._places and len(self._places) < PAGES:
                self._places[name] = record.stream_pos
                self._addresses[name] = address

    def _records(self, file: BinaryIO) -> Iterator["WarcRecord"]:
        """All records; behind a broken place, from the next one on."""
        mark = PACKED if file.read(len(PACKED)) == PACKED else PLAIN
        place: int | None = 0
        told = False
        while place is not None and self.broken < BROKEN:
            read, whole, start = False, False, place
            try:
                for record in self._read(file, start):
                    read, place = True, record.stream_pos
                    yield record
                whole = read or not start
            except OSError:
                pass
            if not whole:
                self.broken += read or not told  # the record at a broken place fails once more
                told = read
            elif mark == PLAIN:
                return
            place = next_record(file, place + 1, mark)  # what is packed may end too early

    def _read(self, file: BinaryIO, place: int, decoding: str = "none") -> Iterator["WarcRecord"]:
        file.seek(place)
        yield from self._warc.ArchiveIterator(file, auto_decode=decoding)

    def _body(self, name: str, decoding: str) -> tuple[bytes, str | None]:
        """The body of a page, a little more than the limit at most, and its charset."""
        with self.path.open("rb") as file:
            for place in (self._places[name], 0):  # packed as one piece, it has but one beginning
                for record in self._read(file, place, decoding):
                    if plain_name(_address(record)) == name and self._is_page(record):
                        return record.reader.read(self.limits.max_bytes + 1), record.http_charset
                    if place:
                        break
        raise OSError("the file has changed")

    def _is_page(self, record: "WarcRecord") -> bool:
        """Whether a record holds a page that a server answered with."""
        if record.record_type != self._warc.response or not record.is_http_parsed:
            return False
        kind = record.http_content_type
        return record.http_headers.status_code == 200 and (kind and kind.lower()) in KINDS


def next_record(file: BinaryIO, place: int, mark: bytes) -> int | None:
    """Where the next record may begin, at a place or behind it."""
    file.seek(place)
    rest = b""
    while piece := file.read(STEP):
        held = rest + piece
        if (at := held.find(mark)) >= 0:
            return place - len(rest) + at
        rest = held[1 - len(mark) :]
        place += len(piece)
    return None


def plain_name(url: str) -> str:
    """An address in the one spelling that is compared; http and https are one."""
    try:
        parts = urlsplit(urldefrag(url).url.strip("<>").replace(" ", "%20"))
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return ""
    there = host if port in (None, 80, 443) else f"{host}:{port}"
    return f"{there}{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"


def _address(record: "WarcRecord") -> str:
    return (record.headers.get("WARC-Target-URI") or "").strip("<> \t\r\n")


def _is_on(address: str, host: str | None) -> bool:
    """Whether an address is on the web, and on the site of a host if one is said."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return False
    return host is None or in_scope(parts.hostname, host, ())


def fastwarc_library() -> Any:
    """The library that reads archives; it comes with the extra `bulk`."""
    try:
        with warnings.catch_warnings():  # it warns of parts of itself
            warnings.simplefilter("ignore", DeprecationWarning)
            from fastwarc import warc  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtra("bulk", "reading WARC files") from error
    return warc
