"""Fitting the menu ranker: boosted trees on the examples, turned into plain arrays."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from pagelet.methods.menu_features import find_candidates, measure
from pagelet.models.trees import Trees
from pagelet.parse.html import parse
from pagelet.training.boosting import lightgbm, trees_of
from pagelet.training.menu_examples import Example

ROUNDS = 120
MODELS = 4  #: fits with different seeds whose answers are averaged
SEED = 1
CORPUS_WEIGHT = {"sites": 2.4, "segments": 1.0}  #: a site, or a page of segments
WEAK_WEIGHT = 0.1  #: a site of a weakly labelled corpus

PARAMETERS: dict[str, Any] = {
    "objective": "regression",
    "num_leaves": 31,
    "max_depth": 6,
    "learning_rate": 0.08,
    "min_data_in_leaf": 40,
    "feature_fraction": 0.3,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "deterministic": True,
    "force_row_wise": True,
    "verbose": -1,
}


def feature_names() -> tuple[str, ...]:
    """Names of the features in the order of the lines."""
    found = find_candidates(parse("<p><a href=1>1</a><a href=2>2</a></p>"))
    assert found is not None
    return measure(found)[1]


def fit_ranker(examples: Sequence[Example], seed: int = SEED) -> Trees:
    """Fit trees to squared overlaps: squaring tells a whole menu from most of one."""
    library = lightgbm()
    names = feature_names()
    features = np.concatenate([_hidden(example, names) for example in examples])
    target = np.concatenate([example.overlap for example in examples]) ** 2
    data = library.Dataset(features, label=target, weight=_weights(examples))
    trees = []
    for model in range(MODELS):
        booster = library.train({**PARAMETERS, "seed": seed + model}, data, ROUNDS)
        trees.append(booster.dump_model()["tree_info"])
    # the first trees of all models come first: they alone must sort out the hopeless
    return trees_of([tree for round_ in zip(*trees, strict=True) for tree in round_], names, MODELS)


def _hidden(example: Example, names: tuple[str, ...]) -> np.ndarray[Any, Any]:
    """Features of an example; weak ones without what gave the label away."""
    features = example.features.copy()
    if example.weak:
        said = [
            at for at, name in enumerate(names) if name.startswith("said_") and "hidden" not in name
        ]
        features[:, said] = np.nan
    return features


def _weights(examples: Sequence[Example]) -> np.ndarray[Any, Any]:
    """Weights that let every site count alike, whatever the number of its pages."""
    pages = Counter((example.corpus, example.group) for example in examples)
    return np.concatenate(
        [
            example.weight
            * (WEAK_WEIGHT if example.weak else CORPUS_WEIGHT.get(example.corpus, 1.0))
            / pages[example.corpus, example.group]
            for example in examples
        ]
    )
