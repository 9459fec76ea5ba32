"""Fitting the menu ranker: boosted trees on the examples, turned into plain arrays."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pagelet.arrays import Floats
from pagelet.errors import NoGold
from pagelet.lab import Progress, Report, ignore_progress
from pagelet.lab.data import check_target, licence_of, package_versions, write_card, write_model
from pagelet.lab.fitting import warn_of_one_site
from pagelet.lab.gold import Gold
from pagelet.lab.learners import boost, join_trees, lightgbm, trees_of
from pagelet.lab.menu.examples import MenuExample, read_corpora
from pagelet.methods.menu.features import find_candidates, menu_features
from pagelet.methods.menu.ranking import FIRST_TREES, all_features
from pagelet.models.trees import Trees
from pagelet.page.html import parse

ROUNDS = 100
MODELS = 4  #: fits with different seeds whose answers are averaged
SEED = 1
#: Weight of a site in each corpus; the sites of the last two have one page.
CORPUS_WEIGHT = {"sites": 2.4, "segments": 3.0, "wcxb": 1.0}
WEAK_WEIGHT = 0.03  #: weight of a site of a weakly labelled corpus
WEAK = ", weak"  #: ends the name of a corpus whose labels are weak
WEAK_LABELS = "weak: tags, roles and names, which the model was not shown"

PARAMETERS: dict[str, Any] = {
    "objective": "cross_entropy",
    "num_leaves": 40,
    "max_depth": 7,
    "learning_rate": 0.07,
    "min_data_in_leaf": 40,
    "feature_fraction": 0.4,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "deterministic": True,
    "force_row_wise": True,
    "verbose": -1,
}


#: The first trees, which choose the finalists by how candidates are built.
FIRST_PARAMETERS = {
    **PARAMETERS,
    "num_leaves": 15,
    "max_depth": 5,
    "learning_rate": 0.12,
    "feature_fraction": 0.3,
}


EMPTY_TREE: dict[str, Any] = {"tree_structure": {"leaf_value": 0.0}}  #: adds nothing


def feature_names() -> tuple[tuple[str, ...], int]:
    """Names of the features in the order of the lines, and how many the first trees see."""
    candidates = find_candidates(parse("<p><a href=1>1</a><a href=2>2</a></p>"))
    assert candidates is not None
    built = menu_features(candidates)
    return all_features(candidates, np.array([0]), built).names, len(built.names)


def fit_ranker(examples: Sequence[MenuExample], seed: int = SEED) -> Trees:
    """Fit trees to squared overlaps: squaring separates a whole menu from most of one."""
    names, built = feature_names()
    features = np.concatenate([_visible_features(example, names) for example in examples])
    target = np.concatenate([example.overlap for example in examples]) ** 2
    weight = _weights(examples)
    first = lightgbm().Dataset(features[:, :built], label=target, weight=weight)
    data = lightgbm().Dataset(features, label=target, weight=weight)
    chooser = boost({**FIRST_PARAMETERS, "seed": seed}, first, FIRST_TREES)
    chooser += [EMPTY_TREE] * (FIRST_TREES - len(chooser))  # few pages need fewer trees
    models = [boost({**PARAMETERS, "seed": seed + at}, data, ROUNDS) for at in range(MODELS)]
    ranker = trees_of([tree for model in models for tree in model], names, MODELS)
    return join_trees(trees_of(chooser, names), ranker)


def _visible_features(example: MenuExample, names: tuple[str, ...]) -> Floats:
    """Features of an example; of a weak one, without those that gave the label away."""
    features = example.features.copy()
    if example.weak:
        features[:, [_gives_away(name) for name in names]] = np.nan
    return features


def _gives_away(name: str) -> bool:
    """Whether a feature tells what tags, roles and names say."""
    said = name.startswith("said_") and "hidden" not in name
    return said or "name_" in name or name in ("in_nav", "in_header", "in_footer")


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


def train_menu(  # noqa: PLR0913 - keyword options
    folder: Path,
    gold: Gold,
    target: Path,
    *,
    seed: int,
    alone: bool = False,
    report: Report,
    progress: Progress = ignore_progress,
) -> None:
    """Fit on the folder and, unless alone, on all corpora; write the model and its card."""
    lightgbm()  # raises before any page is read
    check_target(target)
    examples = read_corpora(folder, gold, report, progress, alone=alone).examples
    if not examples:
        raise NoGold(str(folder), "pages with links, on which a menu was looked for")
    warn_of_one_site((each.group for each in examples), report)
    progress(f"fitting {len(examples)} pages", 0, 1)
    write_model(fit_ranker(examples, seed), target, (each.key for each in examples))
    write_card(_card(examples, seed, alone=alone), target)
    progress(f"fitting {len(examples)} pages", 1, 1)


def _source(example: MenuExample) -> str:
    return f"{example.corpus}{WEAK}" if example.weak else example.corpus


def _card(examples: Sequence[MenuExample], seed: int, *, alone: bool) -> dict[str, Any]:
    pages = Counter(map(_source, examples))
    sites = Counter(source for source, _ in {(_source(each), each.group) for each in examples})
    return {
        "what": "ranks the elements of a page by how well they cover its main menu",
        "made by": f"pagelet train menu DIR --seed {seed}{' --alone' * alone}",
        "data": {
            name: {
                "pages": pages[name],
                "sites": sites[name],
                "labels": WEAK_LABELS if name.endswith(WEAK) else "people's",
                "licence": licence_of(name.removesuffix(WEAK)),
            }
            for name in pages
        },
        "learner": {"models": MODELS, "rounds": ROUNDS, **PARAMETERS, "seed": seed},
        "first trees": {"rounds": FIRST_TREES, **FIRST_PARAMETERS, "features": feature_names()[1]},
        "weights": {**CORPUS_WEIGHT, "weak": WEAK_WEIGHT},
        "target": "squared F1 of the candidate's rows with the menu's",
        "features": list(feature_names()[0]),
        "packages": package_versions(),
    }
