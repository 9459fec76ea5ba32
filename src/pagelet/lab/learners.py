"""Learners that the fits share: boosted trees, regressions, folds of sites, words of names.

LightGBM and scipy come with the extra `train`.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeVar

import numpy as np

from pagelet.arrays import Floats
from pagelet.errors import MissingExtra
from pagelet.lab import Progress, ignore_progress, track
from pagelet.models.lexicon import page_values, tokens
from pagelet.models.trees import Trees
from pagelet.page.table import Page


def lightgbm() -> Any:
    """The library that fits trees; it comes with the extra `train`."""
    try:
        import lightgbm as library  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtra("train", "training") from error
    return library


def boost(parameters: Mapping[str, Any], data: Any, rounds: int) -> list[dict[str, Any]]:
    """Fit trees to a LightGBM data set; returns LightGBM's description of them."""
    booster = lightgbm().train(dict(parameters), data, rounds)
    trees: list[dict[str, Any]] = booster.dump_model()["tree_info"]
    return trees


def trees_of(dumped: Sequence[dict[str, Any]], names: tuple[str, ...], models: int = 1) -> Trees:
    """Turn LightGBM's description of trees into arrays, averaged over so many models."""
    nodes: list[list[float]] = []  # feature, threshold, left child, value
    roots, depth = [], 0
    for tree in dumped:
        roots.append(len(nodes))
        depth = max(depth, _add_tree(tree["tree_structure"], nodes))
    features, threshold, children, value = np.array(nodes, float).T
    root, feature, left = (
        column.astype(np.intp) for column in (np.array(roots), features, children)
    )
    return Trees(root, feature, threshold, left, value / models, depth, names)


def join_trees(first: Trees, rest: Trees) -> Trees:
    """The trees of two ensembles over the same features, in one."""
    shift = len(first.left)
    return Trees(
        np.append(first.roots, rest.roots + shift),
        np.append(first.feature, rest.feature),
        np.append(first.threshold, rest.threshold),
        np.append(first.left, rest.left + shift),
        np.append(first.value, rest.value),
        max(first.depth, rest.depth),
        rest.names,
    )


def _add_tree(top: dict[str, Any], nodes: list[list[float]]) -> int:
    """Append one tree, level by level, siblings side by side; returns its depth."""
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
    """Give inner nodes the mean of their leaves, weighted by their numbers of examples."""
    counts: dict[int, float] = {}
    for at, node in reversed(order):
        if "split_feature" not in node:
            counts[at] = node.get("leaf_count", 1) or 1
            continue
        left = int(nodes[at][2])
        counts[at] = counts[left] + counts[left + 1]
        total = nodes[left][3] * counts[left] + nodes[left + 1][3] * counts[left + 1]
        nodes[at][3] = total / counts[at]


# -- regressions ------------------------------------------------------------------------------


MAX_STEPS = 80  #: steps of the search for the lowest loss


@dataclass(frozen=True, slots=True, eq=False)
class SparseData:
    """Sparse counts and the labels of their rows."""

    counts: Any  #: scipy matrix with one row per example
    transposed: Any  #: the same matrix, transposed
    label: Floats

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]], width: int, label: Floats) -> "SparseData":
        """Make the matrix from the places of ones in each row; a repeated place counts twice."""
        from scipy.sparse import csr_matrix  # noqa: PLC0415 - comes with the extra `train`

        lengths = np.fromiter(map(len, rows), np.int64, len(rows))
        places = np.fromiter(chain.from_iterable(rows), np.int64, int(lengths.sum()))
        bounds = np.append(0, np.cumsum(lengths))
        counts = csr_matrix((np.ones(len(places)), places, bounds), shape=(len(rows), width))
        counts.sum_duplicates()
        return cls(counts, counts.T.tocsr(), label)


def fit_logistic(data: SparseData, weight: Floats, penalty: float) -> Floats:
    """Weights of the columns for soft labels between 0 and 1, without the bias."""
    share = weight / weight.sum()

    def loss(at: Floats) -> tuple[float, Floats]:
        score = data.counts @ at[:-1] + at[-1]
        error = share * (1 / (1 + np.exp(-score)) - data.label)
        value = (share * (np.logaddexp(0, score) - data.label * score)).sum()
        value += penalty / 2 * (at[:-1] ** 2).sum()
        return value, np.append(data.transposed @ error + penalty * at[:-1], error.sum())

    return _minimize(loss, data.counts.shape[1] + 1)[:-1]


def fit_softmax(
    data: SparseData, classes: int, weight: Floats, penalty: float
) -> tuple[Floats, Floats]:
    """Weights of the columns and the bias, one for each class; labels are class numbers."""
    share = (weight / weight.sum())[:, None]
    target = np.eye(classes)[data.label.astype(np.intp)]

    def loss(flat: Floats) -> tuple[float, Floats]:
        at = flat.reshape(-1, classes)
        score = data.counts @ at[:-1] + at[-1]
        score -= score.max(axis=1, keepdims=True)
        total = np.exp(score).sum(axis=1, keepdims=True)
        value = -(share * target * (score - np.log(total))).sum()
        value += penalty / 2 * (at[:-1] ** 2).sum()
        error = share * (np.exp(score) / total - target)
        slope = np.vstack((data.transposed @ error + penalty * at[:-1], error.sum(axis=0)))
        return value, slope.ravel()

    best = _minimize(loss, (data.counts.shape[1] + 1) * classes).reshape(-1, classes)
    return best[:-1], best[-1]


def _minimize(loss: Callable[[Floats], tuple[float, Floats]], width: int) -> Floats:
    from scipy.optimize import minimize  # noqa: PLC0415 - comes with the extra `train`

    start, options = np.zeros(width), {"maxiter": MAX_STEPS}
    return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B", options=options).x)


# -- folds ------------------------------------------------------------------------------------


FOLDS = 5
FEW_SITES = 2 * FOLDS  #: sites that are dealt to the folds in turn, since hashes may coincide

Example = TypeVar("Example")
Model = TypeVar("Model")


def site_folds(sites: Iterable[str], *, seed: int = 0) -> dict[str, int]:
    """Draw a fold for each site; the sizes of the folds differ by one site at most."""
    names = sorted(set(sites))
    order = np.random.default_rng(seed).permutation(len(names))
    return {names[at]: place % FOLDS for place, at in enumerate(order.tolist())}


def fold_of(site: str) -> int:
    """The fold of a site from a hash of its name, the same in every run and beside any others."""
    return int.from_bytes(_digest(site)[:8], "big") % FOLDS


def few_folds(sites: Iterable[str]) -> dict[str, int]:
    """The folds of few sites, dealt in turn by the hashes of their names; none of more sites."""
    names = sorted(set(sites), key=_digest)
    return {name: at % FOLDS for at, name in enumerate(names)} if len(names) <= FEW_SITES else {}


def _digest(site: str) -> bytes:
    return hashlib.sha256(site.encode()).digest()


def fit_without(
    examples: Sequence[Example],
    fold_of: Callable[[Example], int],
    folds: Iterable[int],
    fit: Callable[[list[Example]], Model],
    progress: Progress = ignore_progress,
) -> dict[int, Model]:
    """For each fold, fit a model on the examples of all other folds."""
    models = {}
    for fold in track(list(folds), "fitting", progress):
        models[fold] = fit([each for each in examples if fold_of(each) != fold])
    return models


# -- words ------------------------------------------------------------------------------------


class NameWords:
    """The words in classes, ids, roles and labels of a page's elements."""

    def __init__(self, page: Page) -> None:
        self._parent = page.parent.tolist()
        self._own: dict[int, list[str]] = {}
        for name, values in page_values(page):
            for row, value in values.items():
                self._own.setdefault(row, []).extend(tokens(name, value))

    def above(self, row: int) -> Iterator[str]:
        """The words at a row and above it; a word may come several times."""
        while row >= 0:
            yield from self._own.get(row, ())
            row = self._parent[row]


def common_words(by_site: Iterable[tuple[str, Iterable[str]]], min_sites: int) -> list[str]:
    """Words that so many sites use, sorted."""
    pairs = {(word, site) for site, words in by_site for word in words}
    sites = Counter(word for word, _ in pairs)
    return sorted(word for word, count in sites.items() if count >= min_sites)
