"""Fitting the model that says where people cut a page, and scoring it on pages it has not seen."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pagelet.lab.boosting import lightgbm, trees_of
from pagelet.lab.segments.examples import LEVELS, Gaps
from pagelet.lab.ship import LICENCES
from pagelet.methods.segments.visual.gaps import NAMES
from pagelet.models.trees import Trees

SEED = 7
MODELS = 5  #: models whose answers are averaged
FOLDS = 5
ROUNDS = {"blocks": 200, "paragraphs": 300}
SHAPES = {
    "blocks": {"num_leaves": 4, "max_depth": 2},
    "paragraphs": {"num_leaves": 8, "max_depth": 3},
}  #: small trees: there are few pages
PARAMETERS: Mapping[str, Any] = {
    "objective": "binary",
    "learning_rate": 0.05,
    "min_data_in_leaf": 20,
    "feature_fraction": 0.4,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "verbose": -1,
    "num_threads": 1,
    "deterministic": True,
}


def fit_cuts(pages: Sequence[Gaps], granularity: str, seed: int = SEED) -> Trees:
    """A model of all gaps of some pages."""
    library = lightgbm()
    some = [page for page in pages if len(page.cut)]
    measures = np.concatenate([page.measures for page in some])
    cut = np.concatenate([page.cut for page in some]).astype(np.float64)
    shape, rounds = SHAPES[granularity], ROUNDS[granularity]
    dumped: list[dict[str, Any]] = []
    for model in range(MODELS):
        parameters = {**PARAMETERS, **shape, "seed": seed + model}
        fitted = library.train(parameters, library.Dataset(measures, cut), rounds)
        dumped += fitted.dump_model()["tree_info"]
    return trees_of(dumped, NAMES, MODELS)


def fold_of(sites: Sequence[str], seed: int = SEED) -> dict[str, int]:
    """The fold of each site, by chance."""
    names = sorted(set(sites))
    order = np.random.default_rng(seed).permutation(len(names))
    return {names[at]: place % FOLDS for place, at in enumerate(order.tolist())}


def unseen(
    pages: Sequence[Gaps], sites: Sequence[str], granularity: str, seed: int = SEED
) -> list[Trees]:
    """For each page a model that saw no page of its site."""
    fold = fold_of(sites, seed)
    models = {}
    for held in sorted(set(fold.values())):
        seen = [page for page, site in zip(pages, sites, strict=True) if fold[site] != held]
        models[held] = fit_cuts(seen, granularity, seed)
    return [models[fold[site]] for site in sites]


# -- The models that come with pagelet for segments, and the card that says what they are made of


def ship_cuts(
    pages: Sequence[Gaps], target: Path, granularity: str, *, corpus: str, seed: int
) -> None:
    """Fit on all pages; write the model and, beside it, its card."""
    fit_cuts(pages, granularity, seed).save(target)
    card = {
        "what": "says how likely people part a drawn page at a gap between its boxes",
        "made by": f"pagelet train segments DIR --granularity {granularity} --seed {seed}",
        "data": {
            corpus: {
                "pages": sum(len(page.cut) > 0 for page in pages),
                "gaps": sum(len(page.cut) for page in pages),
                "cut": int(sum(page.cut.sum() for page in pages)),
                "labels": f"people's, data-block = {LEVELS[granularity]}",
                "licence": LICENCES.get(corpus, "the user's own"),
            }
        },
        "learner": {
            "models": MODELS,
            "rounds": ROUNDS[granularity],
            **PARAMETERS,
            **SHAPES[granularity],
            "seed": seed,
        },
        "features": list(NAMES),
    }
    target.with_suffix(".json").write_text(json.dumps(card, indent=2) + "\n")
