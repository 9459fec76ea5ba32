"""Fitting the menu ranker: boosted trees on the examples, turned into plain arrays."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pagelet.arrays import Floats
from pagelet.lab import Report
from pagelet.lab.data import check_target, licence_of, write_card, write_model
from pagelet.lab.gold import Gold
from pagelet.lab.learners import boost, lightgbm, trees_of
from pagelet.lab.menu.examples import MenuExample, read_corpora
from pagelet.methods.menu.features import find_candidates, menu_features
from pagelet.models.trees import Trees
from pagelet.page.html import parse

ROUNDS = 120
MODELS = 4  #: fits with different seeds whose answers are averaged
SEED = 1
CORPUS_WEIGHT = {"sites": 2.4, "segments": 1.0}  #: weight of a site, or of a page of segments
WEAK_WEIGHT = 0.1  #: weight of a site of a weakly labelled corpus
WEAK_LABELS = "weak: tags, roles and names, which the model was not shown"

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
    candidates = find_candidates(parse("<p><a href=1>1</a><a href=2>2</a></p>"))
    assert candidates is not None
    return menu_features(candidates).names


def fit_ranker(examples: Sequence[MenuExample], seed: int = SEED) -> Trees:
    """Fit trees to squared overlaps: squaring separates a whole menu from most of one."""
    names = feature_names()
    features = np.concatenate([_visible_features(example, names) for example in examples])
    target = np.concatenate([example.overlap for example in examples]) ** 2
    data = lightgbm().Dataset(features, label=target, weight=_weights(examples))
    models = [boost({**PARAMETERS, "seed": seed + at}, data, ROUNDS) for at in range(MODELS)]
    # the first trees of all models come first: they alone must reject the hopeless candidates
    trees = [tree for round_ in zip(*models, strict=True) for tree in round_]
    return trees_of(trees, names, MODELS)


def _visible_features(example: MenuExample, names: tuple[str, ...]) -> Floats:
    """Features of an example; of a weak one, without those that gave the label away."""
    features = example.features.copy()
    if example.weak:
        hidden = [
            at for at, name in enumerate(names) if name.startswith("said_") and "hidden" not in name
        ]
        features[:, hidden] = np.nan
    return features


def _weights(examples: Sequence[MenuExample]) -> Floats:
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


def train_menu(folder: Path, gold: Gold, target: Path, *, seed: int, report: Report) -> None:
    """Fit on all corpora that are available; write the model and, beside it, its card."""
    check_target(target)
    examples = read_corpora(folder, gold, report).examples
    report(f"fitting {len(examples)} pages")
    write_model(fit_ranker(examples, seed), target)
    write_card(_card(examples, seed), target)


def _card(examples: Sequence[MenuExample], seed: int) -> dict[str, Any]:
    pages = Counter(example.corpus for example in examples)
    sites = Counter(corpus for corpus, _ in {(each.corpus, each.group) for each in examples})
    weak = {example.corpus for example in examples if example.weak}
    return {
        "what": "ranks the elements of a page by how well they cover its main menu",
        "made by": f"pagelet train menu DIR --profile default --seed {seed}",
        "data": {
            name: {
                "pages": pages[name],
                "sites": sites[name],
                "labels": WEAK_LABELS if name in weak else "people's",
                "licence": licence_of(name),
            }
            for name in pages
        },
        "learner": {"models": MODELS, "rounds": ROUNDS, **PARAMETERS, "seed": seed},
        "weights": {**CORPUS_WEIGHT, "weak": WEAK_WEIGHT},
        "target": "squared F1 of the candidate's rows with the menu's",
        "features": list(feature_names()),
    }
