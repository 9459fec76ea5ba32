"""The next page of results: where the links of a result page lead on."""

import re
from collections.abc import Iterator, Set
from urllib.parse import unquote_plus, urldefrag, urljoin, urlsplit

from pagelet.columns.page import Page
from pagelet.parse.forms import base_url
from pagelet.tags import NUMBER

SHORT = 40  #: characters of the longest text that means "next"
NEXT = re.compile(
    r"\W*(?:next(?: page| results?| \d+)?|more results|older|weiter|nächste(?: seite)?|vor"
    r"|suivante?|page suivante|siguiente|próxim[ao]|avanti|successiv[ao]|volgende|następna|další"
    r"|nästa|neste|næste|seuraava|sonraki|далее|дальше|следующая|вперед|次へ?|次のページ|下一页|下一頁|다음"
    r"|>|>>|»|›|→|▶)\W*",
    re.I,
)
PLAIN_SIGNS = frozenset(">»›→▶")


def next_page(page: Page, at: int, asked: Set[str], seen: Set[str]) -> str | None:
    """The address of the result page that follows the one numbered `at`; None when none does.

    A link counts when it stays on the host and its address still says what was asked for: one
    marked rel=next, else one whose text means next, else the one with the next number.
    """
    here = page.url or ""
    wanted = {words.casefold() for words in asked if words}
    usable = []
    for row, target in _targets(page, here):
        if target not in seen and _keeps(target, here, wanted):
            usable.append((row, target))
    for test in (_is_rel_next, _says_next):
        for row, target in usable:
            if test(page, row):
                return target
    number = str(at + 1)
    return next((target for row, target in usable if _text(page, row) == number), None)


def _targets(page: Page, here: str) -> Iterator[tuple[int, str]]:
    """The links of a page, made absolute, in document order."""
    base = base_url(page)
    for row, href in page.attribute("href").items():
        if page.tag[row] in (NUMBER["a"], NUMBER["link"]) and len(href) < 5000:
            try:
                target = urldefrag(urljoin(base, href.strip()))[0]
                if urlsplit(target).netloc == urlsplit(here).netloc:
                    yield row, target
            except ValueError:
                continue


def _keeps(target: str, here: str, wanted: Set[str]) -> bool:
    """Whether an address is another one that still says all that was asked for."""
    said = unquote_plus(target).casefold()
    return target != urldefrag(here)[0] and all(words in said for words in wanted)


def _is_rel_next(page: Page, row: int) -> bool:
    return "next" in page.attributes_of(row).get("rel", "").lower().split()


def _says_next(page: Page, row: int) -> bool:
    if page.tag[row] != NUMBER["a"]:
        return False
    attrs = page.attributes_of(row)
    said = (_text(page, row), attrs.get("aria-label", ""), attrs.get("title", ""))
    return any(NEXT.fullmatch(text.strip()) or text in PLAIN_SIGNS for text in said if text)


def _text(page: Page, row: int) -> str:
    """The text of a link; empty when it is long."""
    inner = slice(row, row + int(page.size[row]))
    return "" if page.chars[inner].sum() > SHORT else page.inner_text(row)
