"""Learned weights of the words in class, id, role and similar attributes."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import repeat

import numpy as np

from pagelet import core
from pagelet.arrays import Floats
from pagelet.page.table import Page

#: The attributes that are read, and the prefix of their words; words without one are shared.
SOURCES = {
    "class": "",
    "id": "",
    "role": "role:",
    "itemprop": "prop:",
    "aria-label": "label:",
    "itemtype": "type:",
    "data-testid": "test:",
}
MAX_NAME_CHARS = 40  #: characters of a name that is quoted
MAX_VALUE_CHARS = 400  #: characters of an attribute that are read
END = "\0"  #: separator between values
#: Table for bytes.translate: letters, bytes beyond ASCII and END stay, others become a space.
LETTERS = bytes(
    code if code > 127 or chr(code).isalpha() or chr(code) == END else ord(" ")
    for code in range(256)
)


def split_words(values: Iterable[str]) -> list[str]:
    """The words of many values one after the other, END after each; camelCase is two words."""
    short = [value[:MAX_VALUE_CHARS] for value in values]
    joined = END.join([*short, ""])
    if joined.count(END) > len(short):
        joined = END.join([*(value.replace(END, " ") for value in short), ""])
    spaced = _insert_spaces(joined.encode("utf-8", "replace").translate(LETTERS))
    return spaced.replace(b"\0", b" \0 ").decode().lower().split()


def _insert_spaces(letters: bytes) -> bytes:
    """Insert a space before each capital after a small letter, and between ASCII and others."""
    code = np.frombuffer(letters, np.uint8)
    capital = (code[1:] >= ord("A")) & (code[1:] <= ord("Z"))
    small = (code[:-1] >= ord("a")) & (code[:-1] <= ord("z"))
    beyond = code > 127
    parts = np.flatnonzero((capital & small) | (beyond[1:] != beyond[:-1])) + 1
    return np.insert(code, parts, ord(" ")).tobytes() if len(parts) else letters


def tokens(name: str, value: str) -> list[str]:
    """The words of one attribute's value, as in the lexicon: with two characters at least."""
    return [SOURCES[name] + word for word in split_words([value]) if len(word) > 1]


def page_values(page: Page) -> Iterator[tuple[str, dict[int, str]]]:
    """The attributes that are read, each with its values by row."""
    for name in SOURCES:
        values = page.attribute(name)
        if values:
            yield name, values


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """Weights of words, for each word one per kind of page."""

    words: tuple[str, ...]
    weights: Floats  #: one row per word
    places: dict[str, dict[str, int]] = field(default_factory=dict, repr=False)
    #: the same for the compiled core, by prefix
    tables: "dict[str, core.kernels.LexiconWords]" = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if len(self.words) != len(self.weights):
            raise ValueError(f"{len(self.words)} words, but weights for {len(self.weights)}")
        self.places.update({before: {END: -1} for before in SOURCES.values()})
        for at, word in enumerate(self.words, 1):
            before, colon, rest = word.partition(":")
            if not colon:
                self.places[""][word] = at
            elif before + colon in self.places:
                self.places[before + colon][rest] = at

    def __reduce__(self) -> tuple[object, ...]:
        return Lexicon, (self.words, self.weights)

    def scores(self, page: Page) -> Floats:
        """The weight of each row's own attributes: a line per kind of page, a column per row."""
        total = np.zeros((self.weights.shape[1], len(page)))
        for name in SOURCES:
            rows, number, values = page.distinct(name)
            if values and core.compiled:
                core.kernels.add_to_rows(self._weigh_compiled(name, values), rows, number, total)
            elif values:
                total[:, rows] += self._weigh(name, values)[number].T
        return total

    def _weigh(self, name: str, values: Sequence[str]) -> Floats:
        """The weight of each value: its words that have one, added up in their order."""
        look_up = self.places[SOURCES[name]].get
        words = split_words(values)
        place = np.fromiter(map(look_up, words, repeat(0)), np.intp, len(words))
        known = np.flatnonzero(place > 0)
        value = np.cumsum(place == -1)[known]
        weights = self.weights[place[known] - 1].T
        sums = [np.bincount(value, line, len(values)) for line in weights]
        return np.array(sums, np.float64).reshape(-1, len(values)).T

    def _weigh_compiled(self, name: str, values: tuple[str, ...]) -> Floats:
        """The same by the compiled core, which leaves values beyond ASCII to Python."""
        sums = np.zeros((len(values), self.weights.shape[1]))
        others = self.words_of(SOURCES[name]).weigh(values, sums)
        if others:
            sums[others] = self._weigh(name, [values[at] for at in others])
        return sums

    def weigh_others(self, attribute: int, values: list[str]) -> Floats:
        """The weight of values that the compiled core leaves alone, by the attribute's number."""
        return self._weigh(core.kernels.WANTED_ATTRIBUTES[attribute], values)

    def words_of(self, before: str) -> "core.kernels.LexiconWords":
        """The words of attributes with one prefix, for the compiled core; made on first use."""
        if before not in self.tables:
            places = {word: at for word, at in self.places[before].items() if at > 0}
            rows = np.fromiter(places.values(), np.intp, len(places)) - 1
            words = tuple(word.encode("utf-8", "replace") for word in places)
            weights = np.ascontiguousarray(self.weights, np.float64)
            self.tables[before] = core.kernels.LexiconWords(words, rows, weights)
        return self.tables[before]

    def strongest_name(
        self, page: Page, row: int, sign: int, kind: int = 0, *, above: bool = True
    ) -> str:
        """The class, id or label with the largest weight of a sign, at a row or above it too.

        Empty where no name has such a weight.
        """
        best, name = 0.0, ""
        while row >= 0:
            for attribute, value in page.attributes_of(row).items():
                for part in value[:MAX_VALUE_CHARS].split() if attribute in SOURCES else ():
                    weight = sign * self._weigh_name(attribute, part, kind)
                    if weight > best:
                        best, name = weight, part
            row = int(page.parent[row]) if above else -1
        return name if len(name) <= MAX_NAME_CHARS else f"{name[: MAX_NAME_CHARS - 1]}…"

    def _weigh_name(self, attribute: str, part: str, kind: int) -> float:
        """The weight of one class, id or word of a label."""
        look_up, before = self.places[SOURCES[attribute]].get, SOURCES[attribute]
        places = [look_up(word.removeprefix(before), 0) for word in tokens(attribute, part)]
        return float(self.weights[[at - 1 for at in places if at > 0], kind].sum())
