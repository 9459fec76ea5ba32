"""Fitting the roles of link groups: boosted trees, one per role in each round."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pagelet.arrays import Floats
from pagelet.errors import NoGold
from pagelet.lab import Progress, Report, ignore_progress, track
from pagelet.lab.data import check_target, licence_of, package_versions, write_card, write_model
from pagelet.lab.fitting import warn_of_one_site
from pagelet.lab.learners import boost, lightgbm, trees_of
from pagelet.lab.links.examples import UNLABELLED, LinksExample, links_example, read_links
from pagelet.lab.seen import page_key
from pagelet.methods.links.options import ROLES
from pagelet.models.trees import Trees
from pagelet.wording import count_of

ROUNDS = 40
SEED = 1
HIDDEN_WEIGHT = 0.5  #: weight of the copy of each group whose names are hidden

PARAMETERS: dict[str, Any] = {
    "objective": "multiclass",
    "num_class": len(ROLES),
    "num_leaves": 8,
    "max_depth": 3,
    "learning_rate": 0.25,
    "min_data_in_leaf": 15,
    "feature_fraction": 0.7,
    "extra_trees": True,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 10.0,
    "deterministic": True,
    "force_row_wise": True,
    "verbose": -1,
}


def fit_roles(examples: Sequence[LinksExample], seed: int = SEED) -> Trees:
    """Fit trees to the labelled groups, each once as it is and once with its names hidden.

    A page counts by the root of its labelled groups, so that none decides alone.
    """
    features, roles, weights = [], [], []
    for example in examples:
        labelled = example.role != UNLABELLED
        if not labelled.any():
            continue
        seen, weight = example.features[labelled], 1 / np.sqrt(labelled.sum())
        features += [seen, hide_names(seen, example.names)]
        roles += [example.role[labelled]] * 2
        weights += [np.full(len(seen), weight), np.full(len(seen), weight * HIDDEN_WEIGHT)]
    weight = np.concatenate(weights)
    data = lightgbm().Dataset(
        np.concatenate(features), label=np.concatenate(roles), weight=weight / weight.mean()
    )
    dumped = boost({**PARAMETERS, "seed": seed}, data, ROUNDS)
    return trees_of(dumped, examples[0].names)


def hide_names(features: Floats, names: Sequence[str]) -> Floats:
    """Features as they are on a page without class names and ids."""
    hidden = features.copy()
    hidden[:, ["name_" in name for name in names]] = 0
    return hidden


def train_links(
    folder: Path,
    target: Path,
    *,
    seed: int,
    report: Report,
    progress: Progress = ignore_progress,
) -> None:
    """Fit on a labelled folder; write the model and, beside it, its card."""
    lightgbm()  # raises before any page is read
    check_target(target)
    golds = list(read_links(folder))
    report(f"fitting on {count_of(len(golds), 'page')} of {folder.resolve().name}")
    examples = [links_example(gold) for gold in track(golds, "describing pages", progress)]
    if not any((each.role != UNLABELLED).any() for each in examples):
        raise NoGold(str(folder), "groups of links with a role")
    warn_of_one_site((gold.host for gold in golds), report)
    keys = (page_key(gold.host, gold.page) for gold in golds)
    write_model(fit_roles(examples, seed), target, keys)
    write_card(_card(folder, examples, seed), target)


def _card(folder: Path, examples: Sequence[LinksExample], seed: int) -> dict[str, Any]:
    labels = Counter(role for each in examples for role in each.role.tolist())
    return {
        "task": "the role of each group of links",
        "roles": {role: labels[at] for at, role in enumerate(ROLES)},
        "data": {
            folder.name: {
                "pages": len(examples),
                "hosts": len({each.host for each in examples}),
                "licence": licence_of(folder.name),
            }
        },
        "rounds": ROUNDS,
        "seed": seed,
        "parameters": PARAMETERS,
        "features": "named in the npz file",
        "packages": package_versions(),
    }
