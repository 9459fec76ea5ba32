"""What was typed into a form, and how often a page repeats it.

After Lutz, Heuser, on noise in pages of the hidden web: words of labels and values are looked
for in texts; an element is scored by the matches below it, each divided by its distance.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import repeat
from urllib.parse import parse_qsl, urlsplit

import numpy as np

from pagelet.arrays import Floats, Hashes, Int64s, Ints
from pagelet.page.table import Page
from pagelet.page.tags import TEXT

IDEOGRAPH = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0010ffff"
END = "\0"  #: stands between texts
WORD = rf"[{IDEOGRAPH}]|[^\W{IDEOGRAPH}]{{2,}}|\x00"
LONGEST = 2_000  #: characters of one value that are read
LONGEST_TEXT = 100_000  #: characters of one text that are read
LONGEST_PHRASE = 12  #: words; longer phrases are known by their words alone
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True)
class Query:
    """The evidence of a form: words and whole phrases of its values, words of its labels."""

    words: frozenset[str] = frozenset()
    phrases: frozenset[str] = frozenset()  #: values of several words, in the words' order
    labels: frozenset[str] = frozenset()

    def __or__(self, other: "Query") -> "Query":
        """Both together."""
        return Query(
            self.words | other.words, self.phrases | other.phrases, self.labels | other.labels
        )

    def __bool__(self) -> bool:
        return bool(self.words or self.labels)

    @classmethod
    def of(cls, values: Iterable[str], labels: Iterable[str] = ()) -> "Query":
        """The evidence of values that were typed or chosen, and of the labels beside them."""
        split = [words_of(value[:LONGEST]) for value in values]
        return cls(
            frozenset(word for words in split for word in words),
            frozenset(" ".join(words) for words in split if len(words) > 1),
            frozenset(word for label in labels for word in words_of(label[:LONGEST])),
        )


NO_QUERY = Query()


@cache
def _word() -> re.Pattern[str]:
    """The pattern of a word, made when it is first asked for: that takes milliseconds."""
    return re.compile(WORD)


def words_of(text: str) -> list[str]:
    """Words in lower case, compatible forms made one, each Han or kana sign by itself.

    Signs are dropped and so are words of one letter; numbers stay.
    """
    return _word().findall(_plain(text.replace(END, " ")))


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).lower()


def url_query(url: str | None) -> Query:
    """What the query string of an address says; nothing without one."""
    try:
        pairs = parse_qsl(urlsplit(url or "").query, max_num_fields=100)
    except ValueError:  # no address, or one that asks for too much
        return NO_QUERY
    return Query.of((value for _, value in pairs), (name for name, _ in pairs))


@dataclass(frozen=True, slots=True, eq=False)
class PageWords:
    """The words of all counted texts of a page, one after the other."""

    rows: Ints  #: the text rows
    numbers: dict[str, int]  #: each word that the page has, numbered; END is 0
    words: Ints  #: the words by number, 0 behind those of each text
    text: Ints  #: for each word the place of its text in `rows`

    def known(self, wanted: frozenset[str]) -> Int64s:
        """For each text the words that are wanted, repetitions counted."""
        chosen = [self.numbers[word] for word in wanted if word in self.numbers]
        if not chosen:
            return np.zeros(len(self.rows), np.int64)
        mark = np.zeros(len(self.numbers), np.bool_)
        mark[chosen] = True
        return np.bincount(self.text[mark[self.words]], minlength=len(self.rows))

    def weighed(self, weights: Mapping[str, float]) -> Floats:
        """For each text the sum of its words' weights."""
        known = map(weights.get, self.numbers, repeat(0.0))
        weight = np.fromiter(known, np.float64, len(self.numbers))
        total = np.bincount(self.text, weight[self.words], len(self.rows))
        return np.asarray(total, np.float64)

    def split(self) -> list[str]:
        """All words one after the other, END behind those of each text."""
        names = list(self.numbers)
        return [names[number] for number in self.words.tolist()]

    def phrases(self, wanted: frozenset[str]) -> Int64s:
        """For each text the phrases that are wanted, those that overlap counted each.

        Runs of words are compared by a hash that rolls over all words, once a length.
        """
        total = np.zeros(len(self.rows), np.int64)
        split = [words for words in map(str.split, wanted) if len(words) <= LONGEST_PHRASE]
        number, ids = self.numbers, self.words.astype(np.uint64)
        split = [words for words in split if all(word in number for word in words)]
        for length in sorted({len(words) for words in split}):
            same = [words for words in split if len(words) == length]
            hashes = [_rolled(np.array([number[word] for word in words], np.uint64), length)
                      for words in same]  # fmt: skip
            found = np.flatnonzero(np.isin(_rolled(ids, length), np.concatenate(hashes)))
            total += np.bincount(self.text[found], minlength=len(self.rows))
        return total


def _rolled(ids: Hashes, length: int) -> Hashes:
    """A hash of every run of so many words."""
    windows = max(len(ids) - length + 1, 0)
    total = np.zeros(windows, np.uint64)
    for step in range(length):
        total = total * MULTIPLIER + ids[step : step + windows]
    return total


def page_words(page: Page) -> PageWords:
    """Split every counted text of a page into words, in one scan."""
    rows = np.flatnonzero((page.tag == TEXT) & page.counted)
    texts = [page.texts[at] for at in page.ordinal[rows].tolist()]
    joined = END.join([*texts, ""])
    if len(joined) > LONGEST_TEXT or joined.count(END) > len(texts):
        joined = END.join([*(text[:LONGEST_TEXT].replace(END, " ") for text in texts), ""])
    numbers: dict[str, int] = {END: 0}
    found = [numbers.setdefault(word, len(numbers)) for word in _word().findall(_plain(joined))]
    words = np.array(found, np.intp)
    ends = words == 0
    return PageWords(rows, numbers, words, np.cumsum(ends) - ends)


def matches(page: Page, words: frozenset[str]) -> Int64s:
    """Words of each counted text that are in the query, repetitions counted; 0 for elements."""
    column = np.zeros(len(page), np.int64)
    if words:
        found = page_words(page)
        column[found.rows] = found.known(words)
    return column


def simple_matches(page: Page, matched: Int64s) -> Int64s:
    """Matches in the texts that are children of each row."""
    return page.sum_children(matched)


def query_score(page: Page, matched: Int64s) -> Floats:
    """Matches in all texts below each row, each divided by the edges down to the text.

    All matches climb together, one edge a step; those that meet at an element go on as one.
    """
    score = np.zeros(len(page))
    at, count = np.flatnonzero(matched), matched[matched != 0].astype(np.float64)
    distance = 0
    while True:
        above = page.parent[at]
        inside = above >= 0
        distance += 1
        at, place = np.unique(above[inside], return_inverse=True)
        if not len(at):
            return score
        count = np.bincount(place, count[inside])
        score[at] += count / distance


def body_distance(page: Page) -> Int64s:
    """Edges from each row up to body; 0 for body itself and for what lies outside it."""
    if page.body < 0:
        return np.zeros(len(page), np.int64)
    inside = np.zeros(len(page), np.bool_)
    inside[page.body : page.end[page.body]] = True
    return np.where(inside, page.depth - page.depth[page.body], 0).astype(np.int64)
