"""The site in a WARC file: its pages by address, read when needed.

The file is read once for the places of the pages. Damage is skipped and counted, up to a limit.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import inf
from pathlib import Path
from urllib.parse import urldefrag, urlsplit

from pagelet.errors import PageError, Unreachable
from pagelet.page.html import parse
from pagelet.page.table import Page
from pagelet.sources.folder import looks_like_html
from pagelet.sources.http.politeness import in_scope
from pagelet.sources.options import Limits
from pagelet.sources.warc.message import PAGE_TYPES, HttpMessage, decode_body, parse_message
from pagelet.sources.warc.reader import (
    START,
    ArchivedRecord,
    Damage,
    Place,
    WarcReader,
)
from pagelet.wording import describe_os_error

ENDINGS = (".warc", ".warc.gz")
MAX_PAGES = 200_000  #: pages of one file that are kept
MAX_DAMAGE = 1000  #: damaged places after which the rest of a file is left


def is_archive(path: Path) -> bool:
    """Whether a file is named like a WARC."""
    return path.name.lower().endswith(ENDINGS)


class WarcSite:
    """Pages of a WARC file; with a start address, those of its site only."""

    def __init__(self, path: Path, start: str | None = None, limits: Limits = Limits()) -> None:
        self.path, self.limits = path, limits
        self.broken = 0  #: places where the file could not be read
        self._places: dict[str, Place] = {}
        self._addresses: dict[str, str] = {}
        try:
            self._index(urlsplit(start).hostname if start else None)
        except OSError as error:
            why = f"{describe_os_error(error)}; give a WARC file"
            raise Unreachable(str(path), why) from error
        if self.broken and not self._places:
            raise Unreachable(str(path), "no page can be read from it; give a WARC file")

    def addresses(self) -> Sequence[str]:
        """The addresses of all pages, in the order of the file."""
        return tuple(self._addresses.values())

    def load(self, url: str) -> Page | None:
        """The page at an address; the first one if the file has several."""
        name = normalize(url)
        if name not in self._places:
            return None
        try:
            message = self._read(name)
            if message is None:
                return None
            body = decode_body(message, self.limits.max_bytes, url)
            if not looks_like_html(body):
                return None
            address, most = self._addresses[name], self.limits.max_nodes
            return parse(body, url=address, charset=message.charset, max_nodes=most)
        except (OSError, PageError):
            return None

    def _index(self, host: str | None) -> None:
        """Note where the pages begin."""
        with self._open(0, MAX_DAMAGE) as reader:
            for record in reader.records():
                if isinstance(record, Damage) or not _is_on(record.url, host):
                    continue
                name = normalize(record.url or "")
                if name not in self._places and _page_of(record) and len(self._places) < MAX_PAGES:
                    self._places[name] = record.place
                    self._addresses[name] = record.url or ""
            self.broken = reader.damage

    def _read(self, name: str) -> HttpMessage | None:
        """The response that holds a page; a file that has changed is searched for it."""
        with self._open(self.limits.max_bytes) as reader:
            for start in (self._places[name], START):
                for record in reader.records(start):
                    if isinstance(record, ArchivedRecord) and normalize(record.url or "") == name:
                        message = _page_of(record)
                        if message is not None:
                            return message
                    if start != START:
                        break
        return None

    @contextmanager
    def _open(self, limit: int, max_damage: float = inf) -> Iterator[WarcReader]:
        with self.path.open("rb") as file, self.path.open("rb", buffering=0) as peek:
            yield WarcReader(file, peek, limit, max_damage=max_damage)


def _page_of(record: ArchivedRecord) -> HttpMessage | None:
    """The response in a record; None unless it is a page."""
    if record.type != "response":
        return None
    message = parse_message(record.block)
    return message if message.status == 200 and message.content_type in PAGE_TYPES else None


def normalize(url: str) -> str:
    """An address in the one spelling that is compared; http and https are one."""
    try:
        parts = urlsplit(urldefrag(url).url.strip("<>").replace(" ", "%20"))
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return ""
    there = host if port in (None, 80, 443) else f"{host}:{port}"
    return f"{there}{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"


def _is_on(address: str | None, host: str | None) -> bool:
    """Whether an address is on the web, and on the site of a host if one is given."""
    try:
        parts = urlsplit(address or "")
    except ValueError:
        return False
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return False
    return host is None or in_scope(parts.hostname, host, ())
