"""Fitting the menu ranker: boosted trees on the examples, turned into plain arrays."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pagelet.lab.boosting import lightgbm, trees_of
from pagelet.lab.data import LABELLED, WEAK, corpora
from pagelet.lab.gold import Gold, GoldPage, read_gold
from pagelet.lab.menu.examples import Example, labelled, weak
from pagelet.lab.menu.scores import Find
from pagelet.methods.menu import MenuOptions
from pagelet.methods.menu.features import find_candidates, measure
from pagelet.methods.menu.ranking import rank
from pagelet.models.trees import Trees
from pagelet.page.html import parse
from pagelet.page.site import SharedRows

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


# -- Honest figures for the menu ranker: every page is answered by a model that never saw it --


PAGE_FOLDS = 5  #: where pages are split instead of sites

#: Sites made with the same theme are left out together: PyCon's of three years are one.
FAMILIES = {"pycon-2013": "pycon", "pycon-2014": "pycon", "pycon-2016": "pycon"}

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Corpora:
    """Examples of all corpora at hand."""

    examples: tuple[Example, ...]

    def without(self, left_out: set[tuple[str, str]]) -> list[Example]:
        """Examples of all (corpus, group) pairs but these."""
        return [each for each in self.examples if (each.corpus, each.group) not in left_out]


def read_corpora(folder: Path, gold: Gold, say: Progress) -> Corpora:
    """Examples of the folder itself and of every corpus in the data folder."""
    examples = labelled(gold.pages, folder.name)
    for other in corpora(LABELLED):
        if other.resolve() != folder.resolve():
            say(f"reading {other.name}")
            examples += labelled(read_gold(other).pages, other.name)
    for other in corpora(WEAK):
        say(f"reading {other.name}")
        examples += weak(other, SEED)
    return Corpora(tuple(examples))


def folds(gold: Gold) -> Iterator[set[str]]:
    """Groups to leave out together: a site each, or a fifth of the pages of single-page sites."""
    groups = sorted({page.group for page in gold.pages})
    if gold.format == "blocks":
        order = np.random.default_rng(0).permutation(len(groups))
        for first in range(PAGE_FOLDS):
            yield {groups[at] for at in order[first::PAGE_FOLDS].tolist()}
    else:
        for family in sorted({FAMILIES.get(group, group) for group in groups}):
            yield {group for group in groups if FAMILIES.get(group, group) == family}


def unseen(folder: Path, gold: Gold, known: Corpora, say: Progress) -> dict[str, Trees]:
    """A model for each group that was fitted without the group."""
    models: dict[str, Trees] = {}
    for groups in folds(gold):
        say(f"fitting without {', '.join(sorted(groups)[:3])}{' …' if len(groups) > 3 else ''}")
        model = fit_ranker(known.without({(folder.name, group) for group in groups}))
        models |= dict.fromkeys(groups, model)
    return models


def transferred(folder: Path, gold: Gold, known: Corpora) -> Trees:
    """A model fitted without any page of the folder."""
    return fit_ranker(known.without({(folder.name, page.group) for page in gold.pages}))


def finder(
    models: dict[str, Trees] | Trees,
    options: MenuOptions,
    template: Callable[[GoldPage], SharedRows | None] = lambda _: None,
) -> Find:
    """A way to find menus with a model of its own for each group, or one for all."""

    def find(gold: GoldPage) -> int | None:
        model = models if isinstance(models, Trees) else models[gold.group]
        penalties = options.size_penalty, options.share_penalty
        best = rank(gold.page, model, *penalties, template(gold))
        return best.row if best is not None and best.score >= options.min_score else None

    return find
