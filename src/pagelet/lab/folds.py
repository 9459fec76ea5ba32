"""Folds of sites, and models that are fitted without one fold each."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import numpy as np

from pagelet.lab.progress import Report, ignore_line

FOLDS = 5

Example = TypeVar("Example")
Model = TypeVar("Model")


def site_folds(sites: Iterable[str], *, seed: int = 0) -> dict[str, int]:
    """Draw a fold for each site; the sizes of the folds differ by one site at most."""
    names = sorted(set(sites))
    order = np.random.default_rng(seed).permutation(len(names))
    return {names[at]: place % FOLDS for place, at in enumerate(order.tolist())}


def fit_without(
    examples: Sequence[Example],
    fold_of: Callable[[Example], int],
    folds: Iterable[int],
    fit: Callable[[list[Example]], Model],
    report: Report = ignore_line,
) -> dict[int, Model]:
    """For each fold, fit a model on the examples of all other folds."""
    models = {}
    for fold in folds:
        report(f"fitting without fold {fold}")
        models[fold] = fit([each for each in examples if fold_of(each) != fold])
    return models
