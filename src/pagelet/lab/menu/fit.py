"""Fitting the menu ranker: boosted trees on the examples, turned into plain arrays."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pagelet.lab.cards import LICENCES
from pagelet.lab.gold import Gold
from pagelet.lab.learners import lightgbm, trees_of
from pagelet.lab.menu.examples import Example, read_corpora
from pagelet.methods.menu.features import find_candidates, menu_features
from pagelet.models.trees import Trees
from pagelet.page.html import parse

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
    return menu_features(found).names


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


# -- Honest figures for the menu ranker: every page is answered by a model that never saw it --


WEAK_LABELS = "weak: tags, roles and names, which the model was not shown"


def fit_shipped(
    folder: Path, gold: Gold, target: Path, *, seed: int, say: Callable[[str], None]
) -> None:
    """Fit on everything at hand; write the model and, beside it, its card."""
    known = read_corpora(folder, gold, say)
    say(f"fitting {len(known.examples)} pages")
    fit_ranker(known.examples, seed).save(target)
    pages = Counter(example.corpus for example in known.examples)
    sites = Counter(corpus for corpus, _ in {(e.corpus, e.group) for e in known.examples})
    weak = {example.corpus for example in known.examples if example.weak}
    card = {
        "what": "ranks the elements of a page by how well they cover its main menu",
        "made by": f"pagelet train menu DIR --profile default --seed {seed}",
        "data": {
            name: {
                "pages": pages[name],
                "sites": sites[name],
                "labels": WEAK_LABELS if name in weak else "people's",
                "licence": LICENCES.get(name, "the user's own"),
            }
            for name in pages
        },
        "learner": {"models": MODELS, "rounds": ROUNDS, **PARAMETERS, "seed": seed},
        "weights": {**CORPUS_WEIGHT, "weak": WEAK_WEIGHT},
        "target": "squared F1 of the candidate's rows with the menu's",
        "features": list(feature_names()),
    }
    target.with_suffix(".json").write_text(json.dumps(card, indent=2) + "\n")
