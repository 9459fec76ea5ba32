"""What the words in class, id, role and the like say of an element: learned weights."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.page import Page

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
WORD = re.compile(r"[a-z]{2,}|[^\x00-\x7f]{2,}")
HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
MOST = 50_000  #: attribute values whose weight is remembered

Floats = NDArray[np.float64]


def tokens(name: str, value: str) -> list[str]:
    """The words of an attribute's value, each once; camelCase is two words."""
    before = SOURCES[name]
    words = WORD.findall(HUMP.sub(" ", value[:LONGEST]).lower())
    return [before + word for word in dict.fromkeys(words)]


def page_values(page: Page) -> Iterator[tuple[str, dict[int, str]]]:
    """The attributes that are read, each with its values by row."""
    for name in SOURCES:
        values = page.attribute(name)
        if values:
            yield name, values


class _Weights(dict[str, tuple[float, ...]]):
    """Weights of attribute values, worked out when first asked for."""

    def __init__(self, name: str, weights: dict[str, Floats], width: int) -> None:
        self.name, self.weights, self.none = name, weights, np.zeros(width)

    def __missing__(self, value: str) -> tuple[float, ...]:
        if len(self) >= MOST:
            self.clear()
        total = self.none.copy()
        for token in tokens(self.name, value):
            total += self.weights.get(token, self.none)
        self[value] = said = tuple(total.tolist())
        return said


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """Weights of words, several a word: one for each kind of page."""

    words: tuple[str, ...]
    weights: Floats  #: one row a word
    known: dict[str, _Weights] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        table = dict(zip(self.words, self.weights, strict=True))
        for name in SOURCES:
            self.known[name] = _Weights(name, table, self.weights.shape[1])

    def __reduce__(self) -> tuple[object, ...]:
        return Lexicon, (self.words, self.weights)

    def scores(self, page: Page) -> Floats:
        """What each row's own attributes weigh: one row a kind of page, one column a row."""
        width = self.weights.shape[1]
        total = np.zeros((len(page), width))
        for name, values in page_values(page):
            rows = np.fromiter(values, np.intp, len(values))
            said = list(map(self.known[name].__getitem__, values.values()))
            total[rows] += np.array(said).reshape(len(said), width)
        return total.T
