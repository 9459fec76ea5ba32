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
    nodes: list[list[float]] = []  # feature, threshold, left, right, value
    roots, depth = [], 0
    for tree in dumped:
        roots.append(len(nodes))
        depth = max(depth, _add(tree["tree_structure"], nodes))
    feature, threshold, left, right, value = np.array(nodes, float).T
    whole = (column.astype(np.intp) for column in (np.array(roots), feature, left, right))
    root, asked, low, high = whole
    return Trees(root, asked, threshold, low, high, value / models, depth, names)


def _add(top: dict[str, Any], nodes: list[list[float]]) -> int:
    """Append one tree in document order, children after parents; return its depth."""
    stack, deepest, order = [(top, -1, 0)], 0, []
    while stack:
        node, slot, depth = stack.pop()
        at = len(nodes)
        if slot >= 0:
            nodes[slot // 2][2 + slot % 2] = at
        nodes.append([0.0, np.inf, at, at, node.get("leaf_value", 0.0)])
        order.append((at, node))
        if "split_feature" in node:
            nodes[at][:2] = [node["split_feature"], node["threshold"]]
            below = depth + 1
            deepest = max(deepest, below)
            stack += [(node["right_child"], 2 * at + 1, below), (node["left_child"], 2 * at, below)]
    _fill_means(order, nodes)
    return deepest


def _fill_means(order: list[tuple[int, dict[str, Any]]], nodes: list[list[float]]) -> None:
    """Give inner nodes the mean of their leaves, weighted by how many examples fell there."""
    counts: dict[int, float] = {}
    for at, node in reversed(order):
        if "split_feature" not in node:
            counts[at] = node.get("leaf_count", 1) or 1
            continue
        left, right = int(nodes[at][2]), int(nodes[at][3])
        counts[at] = counts[left] + counts[right]
        total = nodes[left][4] * counts[left] + nodes[right][4] * counts[right]
        nodes[at][4] = total / counts[at]
