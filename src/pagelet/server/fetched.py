"""What a page refers to, loaded for its drawing: the browser that shows it asks nobody.

Only for pages that the service loaded itself. Every address is checked as that of the page was;
number, bytes and time are bounded, and what did not come in time is not drawn.
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
from turbohtml import Element

from pagelet.errors import PageError
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER
from pagelet.report.sources import (
    CSS_URL,
    END_OF_STYLE,
    IMPORTS_DEEP,
    MAX_ALL,
    MAX_FILE,
    NO_PICTURE,
    Folder,
)
from pagelet.sources.browser.document import Document
from pagelet.sources.browser.web import Answer, Answers
from pagelet.sources.limits import Limits

MOST = 120  #: files of one page
AT_ONCE = 8
SECONDS = 6.0  #: for all of them
SHEET = "text/css"
DRAWN = re.compile(r"(?:image/(?!svg)[a-z0-9.+-]+|image/svg\+xml|font/[a-z0-9.+-]+)\Z")
FONT = re.compile(r"(?i)\.(woff2?|ttf|otf)\Z")


def fetched(page: Page, limits: Limits, allow_private: tuple[str, ...] = ()) -> "Fetched | Folder":
    """Load what a page refers to; a page without address refers to nothing."""
    if page.url is None or urlsplit(page.url).scheme not in ("http", "https"):
        return Folder(None)
    found = Fetched(base_of(page, page.url))
    document = Document(page.url, "", page.url, network=True)
    with closing(Answers(document, allow_private, limits)) as answers:
        found.load(answers, references(page), min(SECONDS, limits.timeout / 2))
    return found


def base_of(page: Page, url: str) -> str:
    """What references are resolved against."""
    said = (href for row, href in page.attribute("href").items() if page.name(row) == "base")
    return resolved(url, next(said, "")) or url


def resolved(base: str, reference: str) -> str:
    """The address that a reference names; empty when it is none on the web."""
    try:
        url = urljoin(base, reference.strip()).partition("#")[0]
        return url if urlsplit(url).scheme in ("http", "https") else ""
    except ValueError:
        return ""


def references(page: Page) -> Iterator[str]:
    """Style sheets first, since they refer to more; then pictures, in order."""
    rel, src = page.attribute("rel"), page.attribute("src")
    for row, href in page.attribute("href").items():
        if page.name(row) == "link" and "style" in rel.get(row, "").lower() + page_as(page, row):
            yield href
    for row, reference in src.items():
        if page.name(row) in ("img", "input"):
            yield reference
    for row, candidates in page.attribute("srcset").items():
        if page.name(row) == "img" and row not in src:
            yield candidates.strip().partition(" ")[0]
    yield from (one for css in styles(page) for one in named_in(css))


def page_as(page: Page, row: int) -> str:
    """What a preloaded file is to be used as."""
    return page.attribute("as").get(row, "").lower()


def styles(page: Page) -> Iterator[str]:
    """Every style that the page itself holds."""
    yield from page.attribute("style").values()
    for row in np.flatnonzero(page.is_tag(NUMBER["style"])).tolist():
        yield "".join(page.text(text) for text in page.subtree(row)[1:])


def named_in(css: str) -> Iterator[str]:
    """Every reference of a style sheet."""
    for match in CSS_URL.finditer(css):
        names = ("i1", "i2", "i3") if match["import"] else ("u1", "u2", "u3")
        yield next((match[name] for name in names if match[name]), "")


@dataclass(slots=True)
class Fetched:
    """The files that came, by address."""

    url: str  #: what references are resolved against
    files: dict[str, Answer] = field(default_factory=dict)
    left: int = MAX_ALL  #: bytes that may still come
    room: int = (
        MAX_ALL  #: bytes that may still go into the drawing, each file as often as it is used
    )
    asked: set[str] = field(default_factory=set)

    base = None
    policy = Folder.policy
    note = "The drawing holds the pictures and styles that came in time."

    def load(self, answers: Answers, wanted: Iterable[str], seconds: float) -> None:
        """Load files, and what their style sheets refer to, until the time is over."""
        end = monotonic() + seconds
        pool = ThreadPoolExecutor(AT_ONCE)
        addresses = [resolved(self.url, one) for one in wanted]
        for _ in range(IMPORTS_DEEP):
            fresh = self._fresh(addresses)
            tasks = {pool.submit(_got, answers, url): url for url in fresh}
            done, _late = wait(tasks, max(end - monotonic(), 0))
            came = {tasks[task]: answer for task in done if (answer := task.result())}
            addresses = [one for url in fresh if url in came for one in self._keep(url, came[url])]
            if not addresses or monotonic() > end:
                break
        pool.shutdown(wait=False, cancel_futures=True)

    def _fresh(self, addresses: Iterable[str]) -> list[str]:
        """Those not asked for yet, as many as may be."""
        new = [url for url in dict.fromkeys(addresses) if url and url not in self.asked]
        new = new[: max(MOST - len(self.asked), 0)]
        self.asked.update(new)
        return new

    def _keep(self, url: str, answer: Answer) -> list[str]:
        """Keep a file that is a style or can be drawn; give what it refers to."""
        size = len(answer.body)
        if answer.status != 200 or size > min(MAX_FILE, self.left) or not _kind(url, answer):
            return []
        self.left -= size
        self.files[url] = answer
        if _kind(url, answer) != SHEET:
            return []
        return [resolved(answer.url or url, one) for one in named_in(_text(answer))]

    # -- what the drawing asks -------------------------------------------------------------

    def picture(self, reference: str) -> str | None:
        """The picture itself as a data: URL."""
        return self._data(reference, self.url)

    def srcset(self, candidates: str) -> str | None:  # noqa: ARG002 - as the protocol has it
        """Drop all candidates; src is the one that is drawn."""
        return None

    def css(self, text: str) -> str:
        """Put what the style refers to into the style."""
        return self._with_files(text, self.url, 0)

    def sheet(self, href: str, media: str) -> Element | None:
        """Make a style element that holds the sheet."""
        css = self._sheet(href, self.url, 0)
        if css is None:
            return None
        style = Element("style", {"media": media})
        style.text = END_OF_STYLE.sub(r"<\\/", css)
        return style

    def _with_files(self, css: str, base: str, deep: int) -> str:
        def put_in(match: re.Match[str]) -> str:
            reference = next(named_in(match[0]), "")
            if match["import"]:
                inner = self._sheet(reference, base, deep) or ""
                media = match["media"].strip()
                return f"@media {media} {{{inner}}}" if inner and media else inner
            if reference.startswith("#"):
                return match[0]
            return f'url("{self._data(reference, base) or NO_PICTURE}")'

        return CSS_URL.sub(put_in, css)

    def _sheet(self, href: str, base: str, deep: int) -> str | None:
        url = resolved(base, href)
        answer = self._used(url) if deep < IMPORTS_DEEP else None
        if answer is None or _kind(url, answer) != SHEET:
            return None
        return self._with_files(_text(answer), answer.url or url, deep + 1)

    def _used(self, url: str) -> Answer | None:
        """A file, while there is room for it."""
        answer = self.files.get(url)
        if answer is None or len(answer.body) > self.room:
            return None
        self.room -= len(answer.body)
        return answer

    def _data(self, reference: str, base: str) -> str | None:
        if reference.lstrip()[:5].lower() == "data:":
            return reference
        url = resolved(base, reference)
        answer = self._used(url)
        kind = _kind(url, answer) if answer else ""
        if answer is None or kind in ("", SHEET):
            return None
        return f"data:{kind};base64,{base64.b64encode(answer.body).decode()}"


def _got(answers: Answers, url: str) -> Answer | None:
    try:
        return answers.get(url)
    except PageError:  # refused, or not to be had: it is not drawn
        return None


def _kind(url: str, answer: Answer) -> str:
    """What a file is, if it is a style sheet, a picture or a font; else empty."""
    kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == SHEET or DRAWN.match(kind):
        return kind
    font = FONT.search(urlsplit(url).path)
    return f"font/{font[1].lower()}" if font else ""


def _text(answer: Answer) -> str:
    return answer.body.decode("utf-8-sig", "replace")
