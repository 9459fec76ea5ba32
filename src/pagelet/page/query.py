"""The query of a form, and how often the texts of a page match its words and phrases."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import repeat
from urllib.parse import parse_qsl, urlsplit

import numpy as np

from pagelet import core
from pagelet.arrays import Floats, Hashes, Int64s, Ints
from pagelet.page.signatures import MULTIPLIER
from pagelet.page.table import Page
from pagelet.page.tags import TEXT

IDEOGRAPH = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0010ffff"
END = "\0"  #: separator between texts
WORD = rf"[{IDEOGRAPH}]|[^\W{IDEOGRAPH}]{{2,}}|\x00"
MAX_VALUE_CHARS = 2_000  #: characters of one value that are read
MAX_TEXT_CHARS = 100_000  #: characters of one text that are read
ENDINGS = ("ings", "ing", "ies", "es", "ed", "s", "e", "y")  #: that words are compared without
#: Words that most texts have and no search is about.
COMMON_WORDS = frozenset(
    "an and are as at by for from in is of on or the to with und oder der die das mit von für"
    " de des du la le les et en el los las del para con".split()
)
MIN_STEM_CHARS = 3  #: characters that an ending must leave
STEM_START = 2  #: characters at the start of a word in which equal stems are the same
MAX_PHRASE_WORDS = 12  #: words of the longest phrase that is matched as a whole


@dataclass(frozen=True, slots=True)
class Query:
    """The query of a form: words and whole phrases of its values, words of its labels."""

    words: frozenset[str] = frozenset()
    phrases: frozenset[str] = frozenset()  #: values of several words, in the words' order
    labels: frozenset[str] = frozenset()

    def __or__(self, other: "Query") -> "Query":
        """Both queries in one."""
        return Query(
            self.words | other.words, self.phrases | other.phrases, self.labels | other.labels
        )

    def __bool__(self) -> bool:
        return bool(self.words or self.labels)

    @classmethod
    def of(cls, values: Iterable[str], labels: Iterable[str] = ()) -> "Query":
        """The query of values that were typed or chosen, and of the labels beside them."""
        split = [words_of(value[:MAX_VALUE_CHARS]) for value in values]
        return cls(
            frozenset(word for words in split for word in words),
            frozenset(" ".join(words) for words in split if len(words) > 1),
            frozenset(word for label in labels for word in words_of(label[:MAX_VALUE_CHARS])),
        )


NO_QUERY = Query()


@cache
def _word() -> re.Pattern[str]:
    """The pattern of a word, compiled on first use because that takes milliseconds."""
    return re.compile(WORD)


def words_of(text: str) -> list[str]:
    """Words in lower case, NFKC-normalized, each Han or kana character by itself.

    Punctuation is dropped and so are words of one letter; numbers stay.
    """
    return _word().findall(_plain(text.replace(END, " ")))


def stem_of(word: str) -> str:
    """The word without accents and without the most common endings of Western languages."""
    if not word.isascii():
        parts = unicodedata.normalize("NFD", word)
        word = "".join(sign for sign in parts if not unicodedata.combining(sign))
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= MIN_STEM_CHARS:
            return word[: -len(ending)]
    return word


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).lower()


def url_query(url: str | None) -> Query:
    """The query in the query string of an address; empty without one."""
    try:
        pairs = parse_qsl(urlsplit(url or "").query, max_num_fields=100)
    except ValueError:  # no address, or one with too many fields
        return NO_QUERY
    return Query.of((value for _, value in pairs), (name for name, _ in pairs))


@dataclass(frozen=True, slots=True, eq=False)
class PageWords:
    """The words of all counted texts of a page, one after the other."""

    rows: Ints  #: the text rows
    numbers: dict[str, int]  #: number of each word of the page; END is 0
    words: Ints  #: the words by number, with 0 after those of each text
    text: Ints  #: for each word, the place of its text in `rows`

    def count_words(self, wanted: frozenset[str]) -> Int64s:
        """The number of wanted words in each text, repetitions counted."""
        chosen = [self.numbers[word] for word in wanted if word in self.numbers]
        if not chosen:
            return np.zeros(len(self.rows), np.int64)
        mark = np.zeros(len(self.numbers), np.bool_)
        mark[chosen] = True
        return np.bincount(self.text[mark[self.words]], minlength=len(self.rows))

    def count_stems(self, wanted: frozenset[str]) -> Int64s:
        """The same, with words that differ in their ending or in accents taken for one.

        Common words do not count, unless all wanted ones are common.
        """
        if not wanted:
            return np.zeros(len(self.rows), np.int64)
        stems = frozenset(map(stem_of, (wanted - COMMON_WORDS) or wanted))
        starts = {stem[:STEM_START] for stem in stems}
        alike = [word for word in self.numbers if word[:STEM_START] in starts or not word.isascii()]
        return self.count_words(frozenset([word for word in alike if stem_of(word) in stems]))

    def sum_weights(self, weights: Mapping[str, float]) -> Floats:
        """The sum of the weights of the words of each text."""
        values = map(weights.get, self.numbers, repeat(0.0))
        weight = np.fromiter(values, np.float64, len(self.numbers))
        total = np.bincount(self.text, weight[self.words], len(self.rows))
        return np.asarray(total, np.float64)

    def split(self) -> list[str]:
        """All words one after the other, END after those of each text."""
        names = list(self.numbers)
        return [names[number] for number in self.words.tolist()]

    def count_phrases(self, wanted: frozenset[str]) -> Int64s:
        """The number of wanted phrases in each text, overlapping ones counted each.

        Runs of words are compared by a rolling hash over all words, once per length.
        """
        total, number = np.zeros(len(self.rows), np.int64), self.numbers
        split = [words for words in map(str.split, wanted) if len(words) <= MAX_PHRASE_WORDS]
        split = [words for words in split if all(word in number for word in words)]
        if not split:
            return total
        ids = self.words.astype(np.uint64)
        for length in sorted({len(words) for words in split}):
            same = [words for words in split if len(words) == length]
            hashes = [_roll(np.array([number[word] for word in words], np.uint64), length)
                      for words in same]  # fmt: skip
            begins = np.flatnonzero(np.isin(_roll(ids, length), np.concatenate(hashes)))
            total += np.bincount(self.text[begins], minlength=len(self.rows))
        return total


def _roll(ids: Hashes, length: int) -> Hashes:
    """A hash of every run of that many words."""
    windows = max(len(ids) - length + 1, 0)
    total = np.zeros(windows, np.uint64)
    for step in range(length):
        total = total * MULTIPLIER + ids[step : step + windows]
    return total


def page_words(page: Page) -> PageWords:
    """Split every counted text of a page into words, in one scan."""
    rows = np.flatnonzero((page.tag == TEXT) & page.counted)
    texts = [page.texts[at] for at in page.ordinal[rows].tolist()]
    numbers, words = (_number_compiled if core.compiled else number_words)(texts)
    ends = words == 0
    return PageWords(rows, numbers, words, np.cumsum(ends) - ends)


def number_words(texts: list[str]) -> tuple[dict[str, int], Ints]:
    """Every different word with its number, and the numbers of all words, 0 after each text."""
    numbers: dict[str, int] = {END: 0}
    words = _split_each([text[:MAX_TEXT_CHARS] for text in texts])
    order = [numbers.setdefault(word, len(numbers)) for word in words]
    return numbers, np.array(order, np.intp)


def _split_each(texts: list[str]) -> list[str]:
    """The words of all texts, END behind those of each."""
    joined = END.join([*texts, ""])
    if joined.count(END) > len(texts):
        joined = END.join([*(text.replace(END, " ") for text in texts), ""])
    return _word().findall(_plain(joined))


def _number_compiled(texts: list[str]) -> tuple[dict[str, int], Ints]:
    """The same by the compiled core."""
    numbers, order = core.kernels.number_words(texts, _split_each, MAX_TEXT_CHARS)
    return numbers, np.frombuffer(memoryview(order), np.int32).astype(np.intp)
