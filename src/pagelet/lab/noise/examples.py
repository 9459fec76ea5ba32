"""Labelled result pages as examples for the noise model."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pagelet.arrays import Floats, Ints, Mask
from pagelet.lab.learners import NameWords, site_folds
from pagelet.lab.noise.scores import NoiseGold
from pagelet.methods.noise.groups import Columns, subtree_sums
from pagelet.methods.noise.sheet import TextSheet
from pagelet.page.query import END, NO_QUERY, Query
from pagelet.page.signatures import path_signatures, row_signatures

MAX_UNIT_WORDS = 30  #: words of a unit that are read


@dataclass(frozen=True, eq=False)
class NoiseExample:
    """One page: its sheet, and the labels of its units."""

    gold: NoiseGold
    sheet: TextSheet

    @property
    def queries(self) -> tuple[Query, Query]:
        """The queries a page is learned with: its own and none."""
        return self.gold.query, NO_QUERY

    @cached_property
    def weight(self) -> Floats:
        """Number of texts of each unit."""
        return self.sheet.per_unit(np.ones(len(self.sheet.rows)))

    @cached_property
    def label(self) -> Floats:
        """Share of each unit's texts that is content."""
        return self.sheet.per_unit(self.wanted) / np.maximum(self.weight, 1)

    @property
    def wanted(self) -> Mask:
        """Whether each text is content."""
        return self.gold.content[self.sheet.rows]

    @cached_property
    def paths(self) -> tuple[list[tuple[str, ...]], Ints]:
        """The sets of words in names above units, each once, and the set of each unit."""
        page = self.sheet.page
        signs = path_signatures(page, row_signatures(page, classes=True))
        _, first, place = np.unique(signs[self.sheet.units], return_index=True, return_inverse=True)
        names = NameWords(page)
        rows = self.sheet.units[first].tolist()
        return [tuple(sorted(set(names.above(row)))) for row in rows], place

    @cached_property
    def first_words(self) -> list[tuple[str, ...]]:
        """The first words of each unit."""
        first: list[list[str]] = [[] for _ in self.sheet.units]
        words = self.sheet.words
        unit = self.sheet.unit_of[words.text] if len(words.words) else words.text
        for at, word in zip(unit.tolist(), words.split(), strict=True):
            if word != END and len(first[at]) < MAX_UNIT_WORDS:
                first[at].append(word)
        return [tuple(each) for each in first]

    def columns(self, query: Query, lexicon: Columns) -> tuple[Columns, Columns]:
        """The columns of the page for a query, and their sums over subtrees."""
        columns = self.sheet.columns | self.sheet.query_columns(query) | lexicon
        return columns, subtree_sums(self.sheet.page, columns)


def read_examples(golds: Iterable[NoiseGold]) -> list[NoiseExample]:
    """The examples of labelled pages; pages without text are left out."""
    examples = (NoiseExample(gold, TextSheet(gold.page)) for gold in golds)
    return [each for each in examples if len(each.sheet.rows)]


def fold_by_site(examples: Iterable[NoiseExample], seed: int = 0) -> dict[str, int]:
    """The fold of each site."""
    return site_folds((each.gold.site for each in examples), seed=seed)
