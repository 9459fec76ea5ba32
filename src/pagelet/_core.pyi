"""What the compiled core offers; the sources lie in src/pagelet_core, one file per idea."""

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from pagelet.arrays import Bytes, Floats, Hashes, Int32s, Ints, Singles

# -- trees.pxi

class TreeScorer:
    """An ensemble, prepared for masks."""

    def __init__(
        self,
        roots: Ints,
        feature: Ints,
        threshold: Floats,
        narrow: Singles,
        left: Ints,
        value: Floats,
        features: int,
        steps: int,
    ) -> None: ...
    def predict_narrow(self, lines: Singles, answers: Floats, first: int, last: int) -> None: ...
    def predict_wide(self, lines: Floats, answers: Floats, first: int, last: int) -> None: ...

# -- columns.pxi

COLUMN_OPERATIONS: tuple[str, ...]

class ColumnProgram:
    """A program, ready to be run over the columns of one page after the other."""

    def __init__(
        self,
        code: Int32s,
        constants: Sequence[NDArray[Any]],
        constant_kinds: bytes,
        kinds: bytes,
        registers: int,
        lines: int,
    ) -> None: ...
    def run(self, arrays: Sequence[NDArray[Any]], table: Singles) -> None: ...

# -- lexicon.pxi

class LexiconWords:
    """Weights of the words of some attributes, found by hashing."""

    def __init__(self, words: tuple[bytes, ...], rows: Ints, weights: Floats) -> None: ...
    def weigh(self, values: tuple[str, ...], sums: Floats) -> list[int]: ...

def add_to_rows(sums: Floats, rows: Ints, number: Ints, total: Floats) -> None: ...

# -- texts.pxi

class Phrases:
    """Words to search for, or beginnings of texts, in small letters."""

    def __init__(self, words: tuple[bytes, ...]) -> None: ...

class BlockTexts:
    """The beginnings of the texts of all blocks of a page, as written and in small letters."""

    def __init__(
        self,
        texts: tuple[str, ...],
        place: Ints,
        first: Ints,
        kind_of: Bytes,
        most: int,
        counts: Floats,
        first_kind: Bytes,
        last_kind: Bytes,
    ) -> None: ...
    def texts_in_small(self) -> list[str]: ...
    def count_copies(self, most: int, copies: Ints) -> None: ...
    def find_words(self, words: Phrases, groups: Hashes, counts: Floats) -> None: ...
    def find_begun(self, phrases: Phrases, marked: Bytes) -> None: ...
    def find_titles(self, titles: bytes, least: int, most: int, marked: Bytes) -> None: ...
