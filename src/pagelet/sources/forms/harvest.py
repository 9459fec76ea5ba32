"""Terms for a search form from the pages it answered with, informative ones first.

After Kantorski, Moraes, Moreira, Heuser: Choosing values for text fields in web forms, ADBIS
2012. A term is a word of the texts seen so far. It is worth asking for when it stands in
several texts but not in most: df · ln(T / df), T texts, df of them with the term. A text that
stands on every page counts once, so what a site repeats weighs little.
"""

import re
from collections import Counter
from collections.abc import Iterator, Set
from dataclasses import dataclass
from math import log
from urllib.parse import unquote_plus, urldefrag, urljoin, urlsplit

import numpy as np

from pagelet.page.table import Page
from pagelet.page.tags import NUMBER, TEXT
from pagelet.sources.forms import base_url
from pagelet.sources.forms.search import says_search

COMMON_SHARE = 0.2  #: a word in more of the texts than this says nothing
FEW = 2  #: a word in this many texts is never too common
WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff]{2}"  # of scripts without spaces, two signs
    r"|[\uac00-\ud7af]{2,12}"
    r"|[^\W\d_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{3,30}"
)
FUNCTION_WORDS = frozenset(
    "about after again all also and any are because been before being between both but can could"
    " did does each few for from had has have her here his how into its just may more most not now"
    " off once only other our out over own per same she should some such than that the their them"
    " then there these they this those through too under until very was were what when where which"
    " while who why will with would you your der die das den dem des ein eine einer und oder mit"
    " von für auf aus bei nach nicht ist sind wird auch als les des une est dans pour par sur avec"
    " que qui aux pas plus los las del una por para con como más não dos uma com mais che gli per"
    " della sono non het een van voor met niet και для что как это или при".split()
)


@dataclass(frozen=True, slots=True)
class Yield:
    """What a page brought."""

    texts: int  #: different texts on the page
    new: int  #: of them, those that no page had before


class Harvest:
    """The texts of the pages seen so far and the words in them."""

    def __init__(self) -> None:
        self._texts: set[str] = set()
        self._words: Counter[str] = Counter()  # texts with the word
        self._start: Counter[str] = Counter()  # the same, of the form page

    def begin(self, page: Page) -> None:
        """Take in the form page; its words are asked for only while there are no others."""
        self._start.update(word for text in self._unseen(texts_of(page)) for word in words_of(text))

    def add(self, page: Page) -> Yield:
        """Take in a result page."""
        texts = texts_of(page)
        new = self._unseen(texts)
        self._words.update(word for text in new for word in words_of(text))
        return Yield(len(texts), len(new))

    def best(self, used: Set[str]) -> str | None:
        """The most informative term that was not used; None when there is none left."""
        fresh = {word: n for word, n in self._words.items() if word not in self._start}
        for counts in (fresh, self._words, self._start):
            if (term := _best(counts, len(self._texts), used)) is not None:
                return term
        return None

    def _unseen(self, texts: list[str]) -> list[str]:
        """The texts that no page had before; they are seen from now on."""
        new = [text for text in texts if text not in self._texts]
        self._texts.update(new)
        return new


def texts_of(page: Page) -> list[str]:
    """The different texts that people see on a page, white space folded, in order."""
    rows = np.flatnonzero((page.tag == TEXT) & (page.chars > 0) & page.counted & ~page.hidden)
    return list(dict.fromkeys(" ".join(page.text(int(row)).split()) for row in rows))


def words_of(text: str) -> set[str]:
    """The words of a text that could be asked for."""
    return set(WORD.findall(text.casefold())) - FUNCTION_WORDS


def _best(counts: dict[str, int], texts: int, used: Set[str]) -> str | None:
    """The word with the highest worth, the first in the alphabet of equals."""
    most = max(FEW, COMMON_SHARE * texts)
    usable = (
        (-_worth(count, texts), word)
        for word, count in counts.items()
        if count <= most and word not in used
    )
    ranked = (word for _, word in sorted(usable))
    return next((word for word in ranked if not says_search(word)), None)


def _worth(count: int, texts: int) -> float:
    return round(count * log(max(texts, count) / count), 9)


# -- The next page of results: where the links of a result page lead on -----------------------


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
