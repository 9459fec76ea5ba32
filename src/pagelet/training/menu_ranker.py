"""Fitting the menu ranker: boosted trees on the examples, turned into plain arrays."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from pagelet.errors import MissingExtra
from pagelet.methods.menu_features import find_candidates, measure
from pagelet.models.trees import Trees
from pagelet.parse.html import parse
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
    lightgbm = _lightgbm()
    names = feature_names()
    features = np.concatenate([_hidden(example, names) for example in examples])
    target = np.concatenate([example.overlap for example in examples]) ** 2
    data = lightgbm.Dataset(features, label=target, weight=_weights(examples))
    trees = []
    for model in range(MODELS):
        booster = lightgbm.train({**PARAMETERS, "seed": seed + model}, data, ROUNDS)
        trees.append(booster.dump_model()["tree_info"])
    # the first trees of all models come first: they alone must sort out the hopeless
    return trees_of([tree for round_ in zip(*trees, strict=True) for tree in round_], names, MODELS)


def _lightgbm() -> Any:
    try:
        import lightgbm  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtra("train", "training") from error
    return lightgbm


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


def trees_of(dumped: Sequence[dict[str, Any]], names: tuple[str, ...], models: int = 1) -> Trees:
    """Arrays from LightGBM's own description of its trees, averaged over so many models."""
    nodes: list[list[float]] = []  # feature, threshold, left child, value
    roots, depth = [], 0
    for tree in dumped:
        roots.append(len(nodes))
        depth = max(depth, _add(tree["tree_structure"], nodes))
    asked, threshold, left, value = np.array(nodes, float).T
    root, feature, below = (column.astype(np.intp) for column in (np.array(roots), asked, left))
    return Trees(root, feature, threshold, below, value / models, depth, names)


def _add(top: dict[str, Any], nodes: list[list[float]]) -> int:
    """Append one tree level by level, the two children of a node together; return its depth."""
    order, depth = [(len(nodes), top)], 0
    nodes.append(_leaf(top, len(nodes)))
    level = order
    while level:
        below = []
        for at, node in level:
            if "split_feature" in node:
                nodes[at][:3] = [node["split_feature"], node["threshold"], len(nodes)]
                for child in (node["left_child"], node["right_child"]):
                    below.append((len(nodes), child))
                    nodes.append(_leaf(child, len(nodes)))
        depth += bool(below)
        order, level = order + below, below
    _fill_means(order, nodes)
    return depth


def _leaf(node: dict[str, Any], at: int) -> list[float]:
    return [0.0, np.inf, at, node.get("leaf_value", 0.0)]


def _fill_means(order: list[tuple[int, dict[str, Any]]], nodes: list[list[float]]) -> None:
    """Give inner nodes the mean of their leaves, weighted by how many examples fell there."""
    counts: dict[int, float] = {}
    for at, node in reversed(order):
        if "split_feature" not in node:
            counts[at] = node.get("leaf_count", 1) or 1
            continue
        left = int(nodes[at][2])
        counts[at] = counts[left] + counts[left + 1]
        total = nodes[left][3] * counts[left] + nodes[left + 1][3] * counts[left + 1]
        nodes[at][3] = total / counts[at]
