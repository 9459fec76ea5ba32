"""Style sheets, pictures and fonts of a page that the service loaded, put into its drawing.

The browser that shows the drawing then needs no network. Every address is checked like that of the
page; number, bytes and time are bounded, and what does not arrive in time is not drawn.
"""

import base64
import re
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass, field
from time import monotonic
from urllib.parse import urljoin, urlsplit

import numpy as np

from pagelet.errors import PageError
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER
from pagelet.report.assets import (
    MAX_FILE_BYTES,
    MAX_IMPORT_DEPTH,
    MAX_TOTAL_BYTES,
    EmbeddedAssets,
    LocalAssets,
)
from pagelet.sources.browser.resources import Document, Resource, ResourceLoader
from pagelet.sources.options import Limits
from pagelet.write.css import list_css_references

MAX_FILES = 120  #: files of one page
PARALLEL_LOADS = 8
LOAD_SECONDS = 6.0  #: time for all files of a page
SHEET = "text/css"
DRAWN_TYPE = re.compile(r"(?:image/(?!svg)[a-z0-9.+-]+|image/svg\+xml|font/[a-z0-9.+-]+)\Z")
FONT = re.compile(r"(?i)\.(woff2?|ttf|otf)\Z")


def load_subresources(
    page: Page, limits: Limits, allow_private: tuple[str, ...] = ()
) -> "Subresources | LocalAssets":
    """Load what a page refers to; a page without an address refers to nothing."""
    if page.url is None or urlsplit(page.url).scheme not in ("http", "https"):
        return LocalAssets(None)
    resources = Subresources(page.base_url or page.url)
    document = Document(page.url, "", page.url, network=True)
    with closing(ResourceLoader(document, allow_private, limits)) as answers:
        resources.load(answers, list_references(page), min(LOAD_SECONDS, limits.timeout / 2))
    return resources


def resolve_url(base: str, reference: str) -> str:
    """The web address of a reference; empty if it has none."""
    try:
        url = urljoin(base, reference.strip()).partition("#")[0]
        return url if urlsplit(url).scheme in ("http", "https") else ""
    except ValueError:
        return ""


def list_references(page: Page) -> Iterator[str]:
    """References of a page: style sheets first, since they refer to more; then pictures."""
    rel, preload, src = (page.attribute(name) for name in ("rel", "as", "src"))
    for row, href in page.attribute("href").items():
        purpose = rel.get(row, "") + preload.get(row, "")
        if page.name(row) == "link" and "style" in purpose.lower():
            yield href
    for row, reference in src.items():
        if page.name(row) in ("img", "input"):
            yield reference
    for row, candidates in page.attribute("srcset").items():
        if page.name(row) == "img" and row not in src:
            yield candidates.strip().partition(" ")[0]
    yield from (reference for css in list_styles(page) for reference in list_css_references(css))


def list_styles(page: Page) -> Iterator[str]:
    """Style attributes and style elements of a page."""
    yield from page.attribute("style").values()
    for row in np.flatnonzero(page.is_tag(NUMBER["style"])).tolist():
        yield "".join(page.text(text) for text in page.subtree(row)[1:])


@dataclass(slots=True)
class Subresources(EmbeddedAssets[str]):
    """The files of a page that could be loaded."""

    url: str  #: address that references are relative to
    files: dict[str, Resource] = field(default_factory=dict)  #: files by address
    load_bytes: int = MAX_TOTAL_BYTES  #: bytes that may still be loaded
    draw_bytes: int = (
        MAX_TOTAL_BYTES  #: bytes that may still be drawn; a file counts each time it is used
    )
    requested: set[str] = field(default_factory=set)  #: addresses requested so far
    absent: set[str] = field(default_factory=set)  #: style sheets that did not arrive

    note = "This drawing has the pictures and styles that arrived in time."

    def load(self, answers: ResourceLoader, references: Iterable[str], seconds: float) -> None:
        """Load files, and what their style sheets refer to, until the time is up."""
        end = monotonic() + seconds
        pool = ThreadPoolExecutor(PARALLEL_LOADS)
        addresses = [resolve_url(self.url, reference) for reference in references]
        for _ in range(MAX_IMPORT_DEPTH):
            if not addresses or monotonic() >= end:
                break
            new = self._select_new(addresses)
            tasks = {pool.submit(_load_file, answers, url): url for url in new}
            done, _late = wait(tasks, max(end - monotonic(), 0))
            loaded = {tasks[task]: answer for task in done if (answer := task.result())}
            kept = (self._keep(url, loaded[url]) for url in new if url in loaded)
            addresses = [address for inner in kept for address in inner]
        pool.shutdown(wait=False, cancel_futures=True)

    def _select_new(self, addresses: Iterable[str]) -> list[str]:
        """Addresses not requested yet, as many as the limit allows."""
        new = [url for url in dict.fromkeys(addresses) if url and url not in self.requested]
        new = new[: max(MAX_FILES - len(self.requested), 0)]
        self.requested.update(new)
        return new

    def _keep(self, url: str, answer: Resource) -> list[str]:
        """Keep a file that can be drawn; return the addresses it refers to."""
        size = len(answer.body)
        if (
            answer.status != 200
            or size > min(MAX_FILE_BYTES, self.load_bytes)
            or not _media_type(url, answer)
        ):
            return []
        self.load_bytes -= size
        self.files[url] = answer
        if _media_type(url, answer) != SHEET:
            return []
        return [resolve_url(answer.url or url, one) for one in list_css_references(_text(answer))]

    # -- the interface of EmbeddedAssets ---------------------------------------------------

    @property
    def origin(self) -> str:
        """The address that references of the page are relative to."""
        return self.url

    def read_sheet(self, href: str, origin: str) -> tuple[str, str] | None:
        """A style sheet and its address."""
        url = resolve_url(origin, href)
        answer = self._take(url)
        if answer is None or _media_type(url, answer) != SHEET:
            return None
        return _text(answer), answer.url or url

    def data_url(self, reference: str, origin: str) -> str | None:
        """A picture or font as a data: URL."""
        url = resolve_url(origin, reference)
        answer = self._take(url)
        kind = _media_type(url, answer) if answer else ""
        if answer is None or kind in ("", SHEET):
            return None
        return f"data:{kind};base64,{base64.b64encode(answer.body).decode()}"

    def _take(self, url: str) -> Resource | None:
        """A file, as long as the drawing does not grow too large."""
        answer = self.files.get(url)
        if answer is None or len(answer.body) > self.draw_bytes:
            return None
        self.draw_bytes -= len(answer.body)
        return answer


def _load_file(answers: ResourceLoader, url: str) -> Resource | None:
    try:
        return answers.get(url)
    except PageError:  # not allowed or not available: it is not drawn
        return None


def _media_type(url: str, answer: Resource) -> str:
    """Media type of a style sheet, picture or font; empty for anything else."""
    kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == SHEET or DRAWN_TYPE.match(kind):
        return kind
    font = FONT.search(urlsplit(url).path)
    return f"font/{font[1].lower()}" if font else ""


def _text(answer: Resource) -> str:
    return answer.body.decode("utf-8-sig", "replace")
