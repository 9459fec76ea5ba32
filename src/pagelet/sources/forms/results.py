"""Result pages of a search form: terms for further queries, and the link to the next page.

After Kantorski, Moraes, Moreira, Heuser: Choosing values for text fields in web forms, ADBIS
2012. A term is a word of the texts so far. It is a good query when it stands in several texts
but not in most: df · ln(T / df), T texts, df of them with the term. A text that stands on
every page counts once, so what a site repeats weighs little. Where the records of result pages
are known, terms are the words of records: those of the frame around them find nothing.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from math import log
from urllib.parse import unquote_plus, urldefrag, urljoin, urlsplit

import numpy as np

from pagelet.page.table import Page
from pagelet.page.tags import NUMBER, TEXT
from pagelet.sources.forms import base_url
from pagelet.sources.forms.search import mentions_search

MAX_TEXT_RATIO = 0.2  #: a word in more of the texts is too common
NEVER_COMMON_TEXTS = 2  #: a word in so many texts is never too common
WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff]{2}"  # two characters of scripts without spaces
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
class TextCounts:
    """How many texts a page has, and how many of them are new."""

    texts: int  #: different texts on the page
    new: int  #: texts that no page had before
    records: int = 0  #: records on the page, where they are known
    new_records: int = 0  #: records that no page had before


class TermPool:
    """The texts of all pages so far, and the words in them."""

    def __init__(self) -> None:
        self._texts: set[str] = set()
        self._words: Counter[str] = Counter()  # texts with the word
        self._start: Counter[str] = Counter()  # the same, of the form page
        self._records: set[str] = set()

    def add_form_page(self, page: Page) -> None:
        """Add the form page; its words are used only when there are no others."""
        self._start.update(
            word for text in self._add_texts(texts_of(page)) for word in words_of(text)
        )

    def add(self, page: Page, records: Sequence[str] | None = None) -> TextCounts:
        """Add a result page, and its records where they are known; their words are terms then."""
        texts = texts_of(page)
        new = self._add_texts(texts)
        if records is None:
            self._words.update(word for text in new for word in words_of(text))
            return TextCounts(len(texts), len(new))
        every = {" ".join(record.split()).casefold() for record in records} - {""}
        fresh = every - self._records
        self._records |= fresh
        self._words.update(word for text in fresh for word in words_of(text))
        return TextCounts(len(texts), len(new), len(every), len(fresh))

    def best(self, used: Set[str]) -> str | None:
        """The most informative term that was not used; None when there is none left."""
        fresh = {word: n for word, n in self._words.items() if word not in self._start}
        for counts in (fresh, self._words, self._start):
            if (term := _best(counts, len(self._records or self._texts), used)) is not None:
                return term
        return None

    def _add_texts(self, texts: list[str]) -> list[str]:
        """Add texts; returns those that no page had before."""
        new = [text for text in texts if text not in self._texts]
        self._texts.update(new)
        return new


def texts_of(page: Page) -> list[str]:
    """The different visible texts of a page, white space folded, in order."""
    rows = np.flatnonzero((page.tag == TEXT) & (page.chars > 0) & page.counted & ~page.hidden)
    return list(dict.fromkeys(" ".join(page.text(int(row)).split()) for row in rows))


def words_of(text: str) -> set[str]:
    """The words of a text that could be queries."""
    return set(WORD.findall(text.casefold())) - FUNCTION_WORDS


def _best(counts: dict[str, int], texts: int, used: Set[str]) -> str | None:
    """The word with the highest weight, the first in the alphabet of equals."""
    limit = max(NEVER_COMMON_TEXTS, MAX_TEXT_RATIO * texts)
    usable = (
        (-round(count * log(max(texts, count) / count), 9), word)
        for word, count in counts.items()
        if count <= limit and word not in used
    )
    ranked = (word for _, word in sorted(usable))
    return next((word for word in ranked if not mentions_search(word)), None)


# -- the next page ----------------------------------------------------------------------------

MAX_NEXT_CHARS = 40  #: characters of a link text that means "next"
NEXT_WORDS = re.compile(
    r"\W*(?:next(?: page| results?| \d+)?|more results|older|weiter|nächste(?: seite)?|vor"
    r"|suivante?|page suivante|siguiente|próxim[ao]|avanti|successiv[ao]|volgende|następna|další"
    r"|nästa|neste|næste|seuraava|sonraki|далее|дальше|следующая|вперед|次へ?|次のページ|下一页|下一頁|다음"
    r"|>|>>|»|›|→|▶)\W*",
    re.I,
)
NEXT_SIGNS = frozenset(">»›→▶")


def next_page(
    page: Page, at: int, query: Set[str], seen: Set[str], paging: Set[int] = frozenset()
) -> str | None:
    """The address of the result page that follows the one numbered `at`; None when none does.

    A link counts when it stays on the host and its address still has the query: one marked
    rel=next, else one whose text means next, else the one with the next number. Links whose rows
    are in `paging`, which lead from page to page, come before others; where no other does, they
    count without the query too.
    """
    here = page.url or ""
    wanted = {words.casefold() for words in query if words}
    usable = [
        (row, target)
        for row, target in _targets(page, here)
        if target not in seen and target != urldefrag(here)[0]
    ]
    queried = [(row, target) for row, target in usable if _has_query(target, wanted)]
    marked = [target for row, target in queried if _is_rel_next(page, row)]
    if marked:
        return marked[0]
    leading = [[link for link in links if link[0] in paging] for links in (queried, usable)]
    for links in (leading[0], queried, leading[1]):
        if (target := _following(page, links, str(at + 1))) is not None:
            return target
    return None


def _following(page: Page, links: list[tuple[int, str]], number: str) -> str | None:
    """The address of the link whose text means next, else of the one with the number."""
    for row, target in links:
        if _is_labelled_next(page, row):
            return target
    return next((target for row, target in links if _text(page, row) == number), None)


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


def _has_query(target: str, query: Set[str]) -> bool:
    """Whether an address has all words of the query."""
    address = unquote_plus(target).casefold()
    return all(words in address for words in query)


def _is_rel_next(page: Page, row: int) -> bool:
    return "next" in page.attributes_of(row).get("rel", "").lower().split()


def _is_labelled_next(page: Page, row: int) -> bool:
    if page.tag[row] != NUMBER["a"]:
        return False
    attrs = page.attributes_of(row)
    labels = (_text(page, row), attrs.get("aria-label", ""), attrs.get("title", ""))
    return any(NEXT_WORDS.fullmatch(text.strip()) or text in NEXT_SIGNS for text in labels if text)


def _text(page: Page, row: int) -> str:
    """The text of a link; empty when it is long."""
    inner = slice(row, row + int(page.size[row]))
    return "" if page.chars[inner].sum() > MAX_NEXT_CHARS else page.inner_text(row)
