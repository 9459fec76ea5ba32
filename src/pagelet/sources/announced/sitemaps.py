"""Sitemaps as sitemaps.org describes them: XML with pages or with further sitemaps, or plain text.

The XML is read as a stream by expat. A file that declares entities is refused, and one that is
damaged gives what stands before the damage.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from pagelet.metadata.dates import iso_date
from pagelet.sources.announced.entries import Announced

MAX_URL_CHARS = 2048  #: characters of an address, as the protocol says
MAX_DEPTH = 16  #: elements within each other; a sitemap has five
STEP_BYTES = 65_536  #: bytes that are parsed at once


@dataclass(slots=True)
class Sitemap:
    """What a sitemap holds."""

    pages: list[Announced] = field(default_factory=list)
    sitemaps: list[str] = field(default_factory=list)  #: addresses of further ones
    problem: str = ""  #: why it was not read to its end


@dataclass(slots=True)
class _SitemapReader:
    """Takes addresses and dates from the events of the parser."""

    source: str
    sitemap: Sitemap = field(default_factory=Sitemap)
    depth: int = 0
    text: list[str] = field(default_factory=list)
    entry: dict[str, str] = field(default_factory=dict)
    alternates: list[tuple[str, str]] = field(default_factory=list)  #: language, address

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ValueError("elements are nested too deeply for a sitemap")
        self.text.clear()
        local = _local(name)
        if local in ("url", "sitemap"):
            self.entry.clear()
            self.alternates.clear()
        elif local == "link" and attributes.get("hreflang") and attributes.get("href"):
            self.alternates.append((attributes["hreflang"], attributes["href"].strip()))

    def data(self, text: str) -> None:
        self.text.append(text)

    def end(self, name: str) -> None:
        self.depth -= 1
        local, prefixed = _local(name), ":" in name
        value = "".join(self.text).strip()
        self.text.clear()
        if (local in ("loc", "lastmod") and not prefixed) or local == "language":
            self.entry.setdefault(local, value)
        elif local == "publication_date":
            self.entry.setdefault("lastmod", value)
        elif local == "title" and prefixed:
            self.entry.setdefault("title", value)
        elif local == "url":
            self.add_page()
        elif local == "sitemap" and self.entry.get("loc"):
            self.sitemap.sitemaps.append(self.entry["loc"])

    def add_page(self) -> None:
        address = self.entry.get("loc", "")
        if not address or len(address) > MAX_URL_CHARS:
            return
        tagged = {url: tag for tag, url in self.alternates if tag != "x-default"}
        language = self.entry.get("language") or tagged.get(address)
        self.sitemap.pages.append(
            Announced(
                address,
                iso_date(self.entry.get("lastmod", "")),
                language or None,
                self.entry.get("title") or None,
                self.source,
            )
        )


def read_sitemap(body: bytes, source: str) -> Sitemap:
    """The pages and further sitemaps that a sitemap lists."""
    if not body.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return Sitemap(list(_read_lines(body, source)))
    reader = _SitemapReader(source)
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.data
    parser.EntityDeclHandler = _refuse_entities
    try:
        for start in range(0, len(body), STEP_BYTES):
            parser.Parse(body[start : start + STEP_BYTES])
        parser.Parse(b"", True)  # noqa: FBT003 - its only form
    except (expat.ExpatError, ValueError) as error:
        reader.sitemap.problem = f"not read to its end: {error}"
    return reader.sitemap


def _refuse_entities(*_: object) -> None:
    raise ValueError("it declares entities, which no sitemap needs")


def _local(name: str) -> str:
    return name.rpartition(":")[2].lower()


def _read_lines(body: bytes, source: str) -> Iterator[Announced]:
    """The addresses of a sitemap in plain text, one per line."""
    for line in body.decode("utf-8-sig", "replace").splitlines():
        address = line.strip()
        if address.startswith(("http://", "https://")) and len(address) <= MAX_URL_CHARS:
            yield Announced(address, source=source)
