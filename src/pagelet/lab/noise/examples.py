"""Labelled result pages as the noise model learns from them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pagelet.arrays import Floats, Ints, Mask
from pagelet.lab.noise.scores import NoiseGold
from pagelet.methods.noise.groups import Columns, subtree_sums
from pagelet.methods.noise.sheet import Sheet
from pagelet.models.lexicon import page_values, tokens
from pagelet.page.query import END, NO_QUERY, Query
from pagelet.page.signatures import path_signatures, row_signatures

FOLDS = 5
READ_WORDS = 30  #: words of a unit that are read


@dataclass(frozen=True, eq=False)
class Example:
    """One page: its sheet, and what its units should be."""

    gold: NoiseGold
    sheet: Sheet

    @property
    def queries(self) -> tuple[Query, Query]:
        """A page is learned twice: with its query and without any."""
        return self.gold.query, NO_QUERY

    @cached_property
    def weight(self) -> Floats:
        """Texts of each unit."""
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
        """The words of names above units, each set once; and for each unit the place of its set."""
        page = self.sheet.page
        signs = path_signatures(page, row_signatures(page, classes=True))
        _, first, place = np.unique(signs[self.sheet.units], return_index=True, return_inverse=True)
        own: dict[int, list[str]] = {}
        for name, values in page_values(page):
            for row, value in values.items():
                own.setdefault(row, []).extend(tokens(name, value))
        found = []
        for row in self.sheet.units[first].tolist():
            words, at = set[str](), row
            while at >= 0:
                words.update(own.get(at, ()))
                at = int(page.parent[at])
            found.append(tuple(sorted(words)))
        return found, place

    @cached_property
    def said(self) -> list[tuple[str, ...]]:
        """The first words of each unit."""
        found: list[list[str]] = [[] for _ in self.sheet.units]
        words = self.sheet.words
        unit = self.sheet.unit_of[words.text] if len(words.words) else words.text
        for at, word in zip(unit.tolist(), words.split(), strict=True):
            if word != END and len(found[at]) < READ_WORDS:
                found[at].append(word)
        return [tuple(each) for each in found]

    def columns(self, query: Query, lexicon: Columns) -> tuple[Columns, Columns]:
        """The columns of the page for a query, and their sums over subtrees."""
        columns = self.sheet.columns | self.sheet.query_columns(query) | lexicon
        return columns, subtree_sums(self.sheet.page, columns)


def read_examples(golds: Iterable[NoiseGold]) -> list[Example]:
    """The examples of labelled pages; pages without text are left out."""
    found = (Example(gold, Sheet(gold.page)) for gold in golds)
    return [each for each in found if len(each.sheet.rows)]


def folds_of(sites: Sequence[str], folds: int = FOLDS, seed: int = 0) -> dict[str, int]:
    """A fold for each site, drawn with a seed; folds differ by one site at most."""
    names = sorted(set(sites))
    order = np.random.default_rng(seed).permutation(len(names))
    return {names[at]: place % folds for place, at in enumerate(order.tolist())}


def common(found: Iterable[tuple[str, Iterable[str]]], fewest: int) -> list[str]:
    """Words that so many sites use, sorted."""
    sites = Counter(word for word, _ in {(word, site) for site, words in found for word in words})
    return sorted(word for word, count in sites.items() if count >= fewest)
