"""Elements by what they are called: words in their class names and ids.

All words of all patterns are looked up at once; names are many, and one search per pattern slow.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain, product

import numpy as np

from pagelet import core
from pagelet.page.table import WANTED, Page

MAX_NAME_CHARS = 200  #: characters of the longest name; also the rows of the largest byline
MAX_PARTS = 3  #: parts of the longest word, with hyphens between them
ATTRIBUTES = ("class", "id")  #: that name elements
PLACES = 4  #: where a word may stand: anywhere, first, last, at the beginning of a longer word
ANYWHERE, FIRST, LAST, BEGUN = range(PLACES)
BETWEEN = re.compile(r"[\s_-]")  #: characters between words


@dataclass(frozen=True, slots=True, eq=False)
class NamePattern:
    """A kind of names, told by words in them."""

    number: int  #: its place among the patterns
    capitals: re.Pattern[str] | None  #: words that only a capital sets apart: postAuthor

    @property
    def bit(self) -> int:
        """Its bit where one number stands for several patterns."""
        return 1 << self.number

    def fits(self, name: str) -> bool:
        """Whether a name holds one of the words."""
        return bool(find_patterns(name) & self.bit)


PATTERNS: list[NamePattern] = []
#: For each word the bits of the patterns that have it, by where it may stand.
WORDS: dict[str, list[int]] = defaultdict(lambda: [0] * PLACES)


def name_pattern(words: str, capitals: str = "") -> NamePattern:
    """A pattern of words between white space, hyphens and underscores, in any letters.

    `by{,-}line` is byline and by-line. Before `<word` and behind `word>` no hyphen or underscore
    stands; `word*` may go on. Words in `capitals` stand behind a small letter.
    """
    spelled = "|".join(_spell(capitals))
    inner = re.compile(rf"(?<=[a-z])(?:{spelled})(?=$|[\s_A-Z\d-])") if spelled else None
    pattern = NamePattern(len(PATTERNS), inner)
    PATTERNS.append(pattern)
    for word in chain(_spell(words), _spell(capitals)):
        place = FIRST if word[0] == "<" else {">": LAST, "*": BEGUN}.get(word[-1], ANYWHERE)
        WORDS[word.strip("<>*")][place] |= pattern.bit
    return pattern


def _spell(words: str) -> Iterator[str]:
    """Every spelling of words whose braces hold choices."""
    for word in words.split():
        parts = (part.split(",") for part in re.split("[{}]", word))
        yield from map("".join, product(*parts))


def find_patterns(name: str) -> int:
    """The bits of the patterns that a name fits."""
    cut = name[:MAX_NAME_CHARS]
    small = cut.lower()
    ends = [*(match.start() for match in BETWEEN.finditer(small)), len(small)]
    bits = 0
    for at, start in enumerate((0, *(end + 1 for end in ends[:-1]))):
        bits |= _find_begun(small[start : ends[at]])
        for end in ends[at : at + MAX_PARTS]:
            places = WORDS.get(small[start:end])
            if places is not None:
                bits |= places[ANYWHERE]
                bits |= places[FIRST] if not small[:start].endswith(("-", "_")) else 0
                bits |= places[LAST] if small[end : end + 1] not in ("-", "_") else 0
    inner = (each for each in PATTERNS if small != cut and each.capitals is not None)
    return bits | sum(each.bit for each in inner if each.capitals and each.capitals.search(cut))


def _find_begun(word: str) -> int:
    """The bits of the patterns with the beginning of a word of letters and digits."""
    bits = 0
    for begun, places in _begun_words():
        bits |= places[BEGUN] if word.startswith(begun) and word.isalnum() else 0
    return bits


@cache
def _begun_words() -> list[tuple[str, list[int]]]:
    return [(word, places) for word, places in WORDS.items() if places[BEGUN]]


def rows_by_pattern(page: Page) -> list[list[int]]:
    """For each pattern the rows whose class or id fits it, in document order."""
    if core.compiled:
        numbers = tuple(WANTED[name] for name in ATTRIBUTES)
        return _name_words().find_rows(page.wanted, numbers, len(PATTERNS), find_patterns)
    rows: list[set[int]] = [set() for _ in PATTERNS]
    for name in ATTRIBUTES:
        for row, bits in _fitting(page, name):
            for pattern in PATTERNS:
                if bits & pattern.bit:
                    rows[pattern.number].add(row)
    return [sorted(each) for each in rows]


def _fitting(page: Page, name: str) -> Iterable[tuple[int, int]]:
    """The rows whose value of an attribute fits a pattern, with its bits."""
    rows, numbers, values = page.distinct(name)
    bits = np.array([find_patterns(value) for value in values], np.int64)
    fits = bits[numbers] if len(numbers) else numbers
    return zip(rows[fits != 0].tolist(), fits[fits != 0].tolist(), strict=True)


@cache
def _name_words() -> "core.kernels.NameWords":
    words = tuple(word.encode() for word in WORDS)
    table = core.kernels.PhraseTable(words, np.arange(1, len(words) + 1))
    return core.kernels.NameWords(table, np.array([*WORDS.values()], np.uint64), MAX_PARTS)
