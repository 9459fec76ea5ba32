"""Fitting the noise model: examples from labelled pages, then three steps.

First weights of names and words, then groups, then units.

The features that one step takes from the step before come from models that had not seen the
page's site, so that the last step learns how far they can be trusted.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, compress
from typing import Any

import numpy as np

from pagelet.arrays import Floats, Ints, Mask, Singles
from pagelet.lab.learners import (
    NameWords,
    SparseData,
    boost,
    common_words,
    fit_logistic,
    lightgbm,
    site_folds,
    trees_of,
)
from pagelet.lab.noise.scores import NoiseGold
from pagelet.methods.noise.decision import NoiseModel
from pagelet.methods.noise.features import unit_features
from pagelet.methods.noise.groups import Groups, PageMeasures, group_features, page_columns
from pagelet.methods.noise.sheet import LexiconColumns, TextSheet
from pagelet.models.features import FeatureTable
from pagelet.models.lexicon import Lexicon
from pagelet.models.trees import Trees
from pagelet.page.query import END, NO_QUERY, Query
from pagelet.page.signatures import path_signatures, row_signatures

MEAN_ROOT = 20.0  #: root of the number of texts of a page of usual size
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
    def fit_weight(self) -> Floats:
        """The weight of each unit in a fit: large pages weigh less, veiled units nothing."""
        return np.asarray(self.weight * ~self.sheet.veiled * MEAN_ROOT / self.weight.sum() ** 0.5)

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

    def measures(self, query: Query, lexicon: LexiconColumns) -> PageMeasures:
        """What the features of the page for a query are made of."""
        return PageMeasures.of(self.sheet, page_columns(self.sheet, query, lexicon))


def read_examples(golds: Iterable[NoiseGold]) -> list[NoiseExample]:
    """The examples of labelled pages; pages without text are left out."""
    examples = (NoiseExample(gold, TextSheet(gold.page)) for gold in golds)
    return [each for each in examples if len(each.sheet.rows)]


def fold_by_site(examples: Iterable[NoiseExample], seed: int = 0) -> dict[str, int]:
    """The fold of each site."""
    return site_folds((each.gold.site for each in examples), seed=seed)


SEED = 1
WORD_PENALTY = 2e-3  #: penalty of the squared weights of names and words
WORD_MIN_SITES = 4  #: sites that must use a name or word

GROUP_ROUNDS, UNIT_ROUNDS = 80, 200
SHARED_PARAMETERS: dict[str, Any] = {
    "max_bin": 63,
    "bagging_freq": 1,
    "deterministic": True,
    "force_row_wise": True,
    "verbose": -1,
    "num_threads": 1,
}
GROUP_PARAMETERS = SHARED_PARAMETERS | {
    "objective": "regression",
    "num_leaves": 15,
    "max_depth": 5,
    "learning_rate": 0.09,
    "min_data_in_leaf": 40,
    "feature_fraction": 0.3,
    "bagging_fraction": 0.7,
    "lambda_l2": 5.0,
}
UNIT_PARAMETERS = SHARED_PARAMETERS | {
    "objective": "binary",
    "num_leaves": 8,
    "max_depth": 3,  # evaluated as one table; as good as 31 leaves on unseen sites
    "learning_rate": 0.12,
    "min_data_in_leaf": 150,
    "feature_fraction": 0.3,
    "extra_trees": True,  # random thresholds carry over to other sites better
    "bagging_fraction": 0.6,
    "lambda_l2": 20.0,
}


@dataclass(frozen=True, slots=True, eq=False)
class WordWeights:
    """The weights of names and words."""

    names: Lexicon
    words: Mapping[str, float]

    def columns(self, example: NoiseExample) -> LexiconColumns:
        """The columns that come from the weights."""
        return example.sheet.lexicon_columns(self.names, self.words)


def fit_words(examples: Sequence[NoiseExample]) -> WordWeights:
    """Weights of names above units and of words in them, by logistic regression."""
    label = np.concatenate([each.label for each in examples])
    weight = np.concatenate([each.weight / each.weight.sum() ** 0.5 for each in examples])
    by_path = [[each.paths[0][at] for at in each.paths[1].tolist()] for each in examples]
    names, weights = _fit_weights(examples, by_path, label, weight)
    lexicon = Lexicon(tuple(names), weights[:, None].astype(np.float32).astype(np.float64))
    first_words = [each.first_words for each in examples]
    words, weights = _fit_weights(examples, first_words, label, weight)
    return WordWeights(lexicon, dict(zip(words, weights.astype(np.float32).tolist(), strict=True)))


def _fit_weights(
    examples: Sequence[NoiseExample],
    units: Sequence[Sequence[tuple[str, ...]]],
    label: Floats,
    weight: Floats,
) -> tuple[list[str], Floats]:
    """The words that enough sites use, and their weights; `units`: words by page and unit."""
    by_site = (
        (each.gold.site, set(chain.from_iterable(own)))
        for each, own in zip(examples, units, strict=True)
    )
    words = common_words(by_site, WORD_MIN_SITES)
    place = {word: at for at, word in enumerate(words)}
    rows = [
        sorted({place[word] for word in unit if word in place}) for own in units for unit in own
    ]
    data = SparseData.of(rows, len(words), label)
    return words, fit_logistic(data, weight, WORD_PENALTY)


# -- groups -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class GroupExample:
    """Features of the groups of one page for one query, and how well each covers the records."""

    features: FeatureTable
    overlap: Floats


def group_examples(example: NoiseExample, lexicon: LexiconColumns) -> list[GroupExample]:
    """The groups of a page, with its query and without."""
    examples = []
    for query in example.queries:
        measures = example.measures(query, lexicon)
        overlap = overlaps(example, measures.groups)
        examples.append(GroupExample(group_features(measures), overlap))
    return examples


def overlaps(example: NoiseExample, groups: Groups) -> Floats:
    """F1 of the texts of each group with those of the records."""
    page, sheet = example.sheet.page, example.sheet
    wanted = page.sum_subtree(sheet.column(example.wanted))[groups.rows]
    texts = page.sum_subtree(sheet.column(np.ones(len(sheet.rows))))[groups.rows]
    hits = np.bincount(groups.group, wanted, groups.count)
    answered = np.bincount(groups.group, texts, groups.count)
    return np.asarray(2 * hits / np.maximum(answered + example.wanted.sum(), 1))


def fit_groups(examples: Sequence[GroupExample], seed: int) -> Trees:
    """Trees that predict how well a group covers the records."""
    features = np.concatenate([each.features.rows for each in examples])
    target = np.concatenate([each.overlap for each in examples])
    data = lightgbm().Dataset(features, label=target)
    trees = boost({**GROUP_PARAMETERS, "seed": seed}, data, GROUP_ROUNDS)
    return trees_of(trees, examples[0].features.names)


# -- units ------------------------------------------------------------------------------------


def units_of(
    example: NoiseExample, lexicon: LexiconColumns, groups: Sequence[GroupExample], model: Trees
) -> list[FeatureTable]:
    """Features of the units of a page, with its query and without."""
    tables = []
    for query, each in zip(example.queries, groups, strict=True):
        scores = model.predict(each.features.rows)
        tables.append(unit_features(example.measures(query, lexicon), scores))
    return tables


def fit_units(
    features: Sequence[Singles], examples: Sequence[NoiseExample], names: tuple[str, ...], seed: int
) -> Trees:
    """Trees for the log-odds of content; a unit that is partly content counts as both."""
    lines = np.concatenate(features)
    label = np.concatenate([each.label for each in examples])
    weight = np.concatenate([each.fit_weight for each in examples])
    both = np.concatenate((weight * label, weight * (1 - label)))
    kept = np.flatnonzero(both)
    data = lightgbm().Dataset(
        lines[kept % len(lines)], label=(kept < len(lines)).astype(float), weight=both[kept]
    )
    return trees_of(boost({**UNIT_PARAMETERS, "seed": seed}, data, UNIT_ROUNDS), names)


def fit_noise(examples: Sequence[NoiseExample], *, seed: int = SEED) -> NoiseModel:
    """Fit all steps; names, words and groups of each site by the other folds first."""
    fold = fold_by_site(examples, seed)
    words = fit_words(examples)
    lexicons, groups = unseen_groups(examples, fold)
    features, names = unseen_units(examples, fold, lexicons, groups, seed)
    units = fit_units(features, [each for each in examples for _ in each.queries], names, seed)
    trees = fit_groups(list(chain.from_iterable(groups)), seed)
    return NoiseModel(words.names, words.words, trees, units)


def unseen_groups(
    examples: Sequence[NoiseExample], fold: Mapping[str, int]
) -> tuple[list[LexiconColumns], list[list[GroupExample]]]:
    """Columns and groups of each page by words of other folds."""
    words = {
        left_out: fit_words([each for each in examples if fold[each.gold.site] != left_out])
        for left_out in sorted(set(fold.values()))
    }
    lexicons = [words[fold[each.gold.site]].columns(each) for each in examples]
    groups = [group_examples(*pair) for pair in zip(examples, lexicons, strict=True)]
    return lexicons, groups


def unseen_units(
    examples: Sequence[NoiseExample],
    fold: Mapping[str, int],
    lexicons: Sequence[LexiconColumns],
    groups: Sequence[Sequence[GroupExample]],
    seed: int,
) -> tuple[list[Singles], tuple[str, ...]]:
    """Features of the units of each page, by groups of other folds, and their names.

    Two tables for each example: with its query and without.
    """
    features: list[list[Singles]] = [[] for _ in examples]
    names: tuple[str, ...] = ()
    for left_out in sorted(set(fold.values())):
        seen = [fold[each.gold.site] != left_out for each in examples]
        model = fit_groups([pair for own in compress(groups, seen) for pair in own], seed)
        for at, each in enumerate(examples):
            if not seen[at]:
                tables = units_of(each, lexicons[at], groups[at], model)
                features[at], names = [table.rows for table in tables], tables[0].names
    return list(chain.from_iterable(features)), names
