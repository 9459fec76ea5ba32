"""What the words in class, id, role and the like say of an element: learned weights."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import repeat

import numpy as np

from pagelet.arrays import Floats
from pagelet.page.table import Page

#: The attributes that are read, and what is put before their words; plain words are shared.
SOURCES = {
    "class": "",
    "id": "",
    "role": "role:",
    "itemprop": "prop:",
    "aria-label": "label:",
    "itemtype": "type:",
    "data-testid": "test:",
}
LONGEST = 400  #: characters of an attribute that are read
END = "\0"  #: stands between values
#: ASCII letters and what is beyond ASCII stay, END too; all else becomes a space.
LETTERS = bytes(
    code if code > 127 or chr(code).isalpha() or chr(code) == END else ord(" ")
    for code in range(256)
)


def words_of(values: Iterable[str]) -> list[str]:
    """The words of many values one after the other, END behind each; camelCase is two words."""
    short = [value[:LONGEST] for value in values]
    joined = END.join([*short, ""])
    if joined.count(END) > len(short):
        joined = END.join([*(value.replace(END, " ") for value in short), ""])
    parted = _parted(joined.encode("utf-8", "replace").translate(LETTERS))
    return parted.replace(b"\0", b" \0 ").decode().lower().split()


def _parted(letters: bytes) -> bytes:
    """A space before each capital behind a small letter, and between ASCII and what is beyond."""
    code = np.frombuffer(letters, np.uint8)
    capital = (code[1:] >= ord("A")) & (code[1:] <= ord("Z"))
    small = (code[:-1] >= ord("a")) & (code[:-1] <= ord("z"))
    beyond = code > 127
    parts = np.flatnonzero((capital & small) | (beyond[1:] != beyond[:-1])) + 1
    return np.insert(code, parts, ord(" ")).tobytes() if len(parts) else letters


def tokens(name: str, value: str) -> list[str]:
    """The words of one attribute's value as the lexicon knows them: of two signs at least."""
    return [SOURCES[name] + word for word in words_of([value]) if len(word) > 1]


def page_values(page: Page) -> Iterator[tuple[str, dict[int, str]]]:
    """The attributes that are read, each with its values by row."""
    for name in SOURCES:
        values = page.attribute(name)
        if values:
            yield name, values


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """Weights of words, several a word: one for each kind of page."""

    words: tuple[str, ...]
    weights: Floats  #: one row a word
    places: dict[str, dict[str, int]] = field(default_factory=dict, repr=False)
    table: Floats = field(init=False, repr=False)  #: weights between two rows of nothing

    def __post_init__(self) -> None:
        if len(self.words) != len(self.weights):
            raise ValueError(f"{len(self.words)} words, but weights of {len(self.weights)}")
        for before in SOURCES.values():
            known = [word for word in enumerate(self.words) if _has(before, word[1])]
            self.places[before] = {word[len(before) :]: at + 1 for at, word in known} | {END: -1}
        nothing = np.zeros((1, self.weights.shape[1]))
        object.__setattr__(self, "table", np.concatenate((nothing, self.weights, nothing)))

    def __reduce__(self) -> tuple[object, ...]:
        return Lexicon, (self.words, self.weights)

    def scores(self, page: Page) -> Floats:
        """What each row's own attributes weigh: one row a kind of page, one column a row."""
        total = np.zeros((len(page), self.weights.shape[1]))
        for name in SOURCES:
            rows, number, values = page.distinct(name)
            if values:
                total[rows] += self._weigh(name, values)[number]
        return total.T

    def _weigh(self, name: str, values: Iterable[str]) -> Floats:
        """The weight of each value."""
        look_up = self.places[SOURCES[name]].get
        words = words_of(values)
        place = np.fromiter(map(look_up, words, repeat(0)), np.intp, len(words))
        begin = np.append(0, np.flatnonzero(place == -1)[:-1] + 1)
        return np.asarray(np.add.reduceat(self.table[place], begin, axis=0))


def _has(before: str, word: str) -> bool:
    return word.startswith(before) if before else ":" not in word
