"""Fitting the noise model: what names and words weigh, then groups, then units.

Whatever one step hands to the next was said by models that had not seen the page's site: the
last step learns how far such answers can be trusted.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from pagelet.arrays import Floats, Singles
from pagelet.lab.learners import Data, fit_logistic, lightgbm, trees_of
from pagelet.lab.noise.examples import Example, common, folds_of
from pagelet.methods.noise.features import Units
from pagelet.methods.noise.groups import Columns, Groups, find_groups
from pagelet.methods.noise.model import NoiseModel
from pagelet.models.features import FeatureTable
from pagelet.models.lexicon import Lexicon
from pagelet.models.trees import Trees

Say = Callable[[str], None]

SEED = 1
PENALTY = 2e-3  #: of the squared weights of names and words
FEWEST_SITES = 4  #: a name or word must be known from so many sites

GROUP_ROUNDS, UNIT_ROUNDS = 80, 150
SHARED: dict[str, Any] = {
    "max_bin": 63,
    "bagging_freq": 1,
    "deterministic": True,
    "force_row_wise": True,
    "verbose": -1,
    "num_threads": 1,
}
GROUP_PARAMETERS = SHARED | {
    "objective": "regression",
    "num_leaves": 15,
    "max_depth": 5,
    "learning_rate": 0.09,
    "min_data_in_leaf": 40,
    "feature_fraction": 0.3,
    "bagging_fraction": 0.7,
    "lambda_l2": 5.0,
}
UNIT_PARAMETERS = SHARED | {
    "objective": "binary",
    "num_leaves": 8,
    "max_depth": 3,  # answered at once, no step is walked; as good as 31 leaves on unseen sites
    "learning_rate": 0.12,
    "min_data_in_leaf": 150,
    "feature_fraction": 0.12,
    "bagging_fraction": 0.6,
    "lambda_l2": 20.0,
}


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """What names and words weigh."""

    names: Lexicon
    words: Mapping[str, float]

    def columns(self, example: Example) -> Columns:
        """The columns that come from the weights."""
        return example.sheet.lexicon_columns(self.names, self.words)


def fit_words(examples: Sequence[Example]) -> Words:
    """Weights of names above units and of words in them, by logistic regression."""
    label = np.concatenate([each.label for each in examples])
    weight = np.concatenate([each.weight / each.weight.sum() ** 0.5 for each in examples])
    by_path = [[each.paths[0][at] for at in each.paths[1].tolist()] for each in examples]
    names, found = _fit(examples, by_path, label, weight)
    lexicon = Lexicon(tuple(names), found[:, None].astype(np.float32).astype(np.float64))
    words, weights = _fit(examples, [each.said for each in examples], label, weight)
    return Words(lexicon, dict(zip(words, weights.astype(np.float32).tolist(), strict=True)))


def _fit(
    examples: Sequence[Example], said: Sequence[Sequence[tuple[str, ...]]], label: Floats,
    weight: Floats,
) -> tuple[list[str], Floats]:  # fmt: skip
    sites = [each.gold.site for each in examples]
    known = common(
        ((site, set(chain.from_iterable(each))) for site, each in zip(sites, said, strict=True)),
        FEWEST_SITES,
    )
    place = {word: at for at, word in enumerate(known)}
    rows = [
        sorted({place[word] for word in unit if word in place}) for each in said for unit in each
    ]
    return known, fit_logistic(Data.of(rows, len(known), label), weight, PENALTY)


# -- groups -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class GroupExample:
    """The groups of one page for one query, and how well each covers the records."""

    groups: Groups
    overlap: Floats


def group_examples(example: Example, lexicon: Columns) -> list[GroupExample]:
    """The groups of a page, with its query and without."""
    found = []
    for query in example.queries:
        groups = find_groups(example.sheet, *example.columns(query, lexicon))
        found.append(GroupExample(groups, overlaps(example, groups)))
    return found


def overlaps(example: Example, groups: Groups) -> Floats:
    """F1 of the texts of each group with those of the records."""
    page, sheet = example.sheet.page, example.sheet
    wanted = page.sum_subtree(sheet.column(example.wanted))[groups.rows]
    texts = page.sum_subtree(sheet.column(np.ones(len(sheet.rows))))[groups.rows]
    hits = np.bincount(groups.group, wanted, groups.count)
    said = np.bincount(groups.group, texts, groups.count)
    return np.asarray(2 * hits / np.maximum(said + example.wanted.sum(), 1))


def fit_groups(examples: Sequence[GroupExample], seed: int) -> Trees:
    """Trees that tell how well a group covers the records."""
    features = np.concatenate([each.groups.features.rows for each in examples])
    target = np.concatenate([each.overlap for each in examples])
    data = lightgbm().Dataset(features, label=target)
    booster = lightgbm().train({**GROUP_PARAMETERS, "seed": seed}, data, GROUP_ROUNDS)
    return trees_of(booster.dump_model()["tree_info"], examples[0].groups.features.names)


# -- units ------------------------------------------------------------------------------------


def units_of(
    example: Example, lexicon: Columns, groups: Sequence[GroupExample], model: Trees
) -> list[FeatureTable]:
    """Features of the units of a page, with its query and without."""
    found = []
    for query, each in zip(example.queries, groups, strict=True):
        columns, sums = example.columns(query, lexicon)
        scores = model.predict(each.groups.features.rows)
        units = Units(example.sheet, columns, sums, each.groups)
        found.append(units.features(columns, sums, each.groups, scores))
    return found


def fit_units(
    features: Sequence[Singles], examples: Sequence[Example], names: tuple[str, ...], seed: int
) -> Trees:
    """Trees for the log-odds of content; a unit that is partly content counts as both."""
    lines = np.concatenate(features)
    label = np.concatenate([each.label for each in examples])
    weight = np.concatenate([each.weight for each in examples])
    both = np.concatenate((weight * label, weight * (1 - label)))
    kept = np.flatnonzero(both)
    library = lightgbm()
    data = library.Dataset(
        lines[kept % len(lines)], label=(kept < len(lines)).astype(float), weight=both[kept]
    )
    booster = library.train({**UNIT_PARAMETERS, "seed": seed}, data, UNIT_ROUNDS)
    return trees_of(booster.dump_model()["tree_info"], names)


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What the last step learns from: features made by models that had not seen the site."""

    examples: list[Example]
    features: list[Singles]  #: two for each example: with its query and without
    names: tuple[str, ...]


def fit_noise(
    examples: Sequence[Example], *, seed: int = SEED, say: Say = lambda _: None
) -> NoiseModel:
    """Fit all steps; names, words and groups of each site by the other folds first."""
    fold = folds_of([each.gold.site for each in examples], seed=seed)
    words = fit_words(examples)
    lexicons, groups = unseen_groups(examples, fold, say)
    seen = unseen_units(examples, fold, lexicons, groups, seed)
    pairs = list(chain.from_iterable(groups))
    say("fitting units")
    units = fit_units(
        seen.features, [each for each in seen.examples for _ in each.queries], seen.names, seed
    )
    return NoiseModel(words.names, words.words, fit_groups(pairs, seed), units)


def unseen_groups(
    examples: Sequence[Example], fold: Mapping[str, int], say: Say
) -> tuple[list[Columns], list[list[GroupExample]]]:
    """Columns and groups of each page by words of other folds."""
    lexicons: list[Columns] = [{} for _ in examples]
    for left_out in sorted(set(fold.values())):
        say(f"names and words without inner fold {left_out}")
        words = fit_words([each for each in examples if fold[each.gold.site] != left_out])
        for at, each in enumerate(examples):
            if fold[each.gold.site] == left_out:
                lexicons[at] = words.columns(each)
    groups = [group_examples(*pair) for pair in zip(examples, lexicons, strict=True)]
    return lexicons, groups


def unseen_units(
    examples: Sequence[Example],
    fold: Mapping[str, int],
    lexicons: Sequence[Columns],
    groups: Sequence[Sequence[GroupExample]],
    seed: int,
) -> Seen:
    """Features of the units of each page by groups that other folds taught."""
    features: list[list[Singles]] = [[] for _ in examples]
    names: tuple[str, ...] = ()
    for left_out in sorted(set(fold.values())):
        inside = [fold[each.gold.site] != left_out for each in examples]
        model = fit_groups(list(chain.from_iterable(_chosen(groups, inside))), seed)
        for at, each in enumerate(examples):
            if not inside[at]:
                tables = units_of(each, lexicons[at], groups[at], model)
                features[at], names = [table.rows for table in tables], tables[0].names
    return Seen(list(examples), list(chain.from_iterable(features)), names)


def _chosen(values: Sequence[Any], chosen: Sequence[bool]) -> list[Any]:
    return [value for value, kept in zip(values, chosen, strict=True) if kept]
