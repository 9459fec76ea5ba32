"""Learners compared: tree, forest, boosting and logistic regression, on sites left out."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from pagelet.arrays import Floats, Mask
from pagelet.lab.boosting import lightgbm
from pagelet.lab.c45 import fit_c45
from pagelet.lab.noise.examples import FOLDS, Example, folds_of
from pagelet.lab.noise.folds import counted, paper_lines
from pagelet.lab.noise.scores import ClassCounts
from pagelet.lab.table import Figures

Predict = Callable[[Floats], Floats]
Fit = Callable[[Floats, Mask], Predict]
Say = Callable[[str], None]

COLUMNS = ("learner", "content P", "content R", "content F1", "weighted F1")
BOOSTED = {"objective": "binary", "verbose": -1, "num_threads": 1, "deterministic": True, "seed": 1}
FOREST = {"boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.63, "feature_fraction": 0.6}


def learners() -> Iterator[tuple[str, Fit]]:
    """Every learner with its main parameters."""
    for confidence in (0.25, 0.05):
        yield f"tree, C4.5, confidence {confidence}", _tree(confidence)
    for leaves in (31, 127):
        yield f"forest, 100 trees, {leaves} leaves", _boosted(FOREST | {"num_leaves": leaves}, 100)
    for rounds, rate in ((100, 0.1), (300, 0.03)):
        name = f"boosting, {rounds} rounds, rate {rate}"
        yield name, _boosted({"num_leaves": 15, "learning_rate": rate}, rounds)
    for penalty in (1e-4, 1e-2):
        yield f"logistic regression, penalty {penalty:g}", _logistic(penalty)


def learner_figures(examples: Sequence[Example], say: Say) -> Figures:
    """The paper's five features given to every learner."""
    lines = [paper_lines(each) for each in examples]
    fold = folds_of([each.gold.site for each in examples])
    places = np.array([fold[each.gold.site] for each in examples])
    rows = []
    for name, fit in learners():
        say(name)
        total = ClassCounts()
        for left_out in range(FOLDS):
            seen = [lines[at] for at in np.flatnonzero(places != left_out)]
            predict = fit(*(np.concatenate(part) for part in zip(*seen, strict=True)))
            for at in np.flatnonzero(places == left_out).tolist():
                total += counted(examples[at], predict(lines[at][0]) >= 0.5)
        content = total.content
        rows.append((name, content.precision, content.recall, content.f1, total.weighted[2]))
    note = "The paper's five features; sites in 5 folds, each answered by the other four."
    return Figures("learners on unseen sites", COLUMNS, tuple(rows), (note,))


def _tree(confidence: float) -> Fit:
    def fit(lines: Floats, label: Mask) -> Predict:
        names = tuple(map(str, range(lines.shape[1])))
        return fit_c45(lines, label, names, confidence=confidence).predict

    return fit


def _boosted(parameters: dict[str, Any], rounds: int) -> Fit:
    def fit(lines: Floats, label: Mask) -> Predict:
        library = lightgbm()
        data = library.Dataset(lines, label=label.astype(float))
        booster = library.train({**BOOSTED, **parameters}, data, rounds)
        return lambda asked: np.asarray(booster.predict(asked))

    return fit


def _logistic(penalty: float) -> Fit:
    """Logistic regression on standardised logarithms, by L-BFGS."""

    def fit(lines: Floats, label: Mask) -> Predict:
        from scipy.optimize import minimize  # noqa: PLC0415 - comes with the extra `train`

        small = _small(lines)
        mean, spread = small.mean(axis=0), small.std(axis=0) + 1e-9
        known = np.hstack(((small - mean) / spread, np.ones((len(small), 1))))

        def loss(at: Floats) -> tuple[float, Floats]:
            score = known @ at
            value = (np.logaddexp(0, score) - label * score).mean() + penalty / 2 * (at**2).sum()
            error = (1 / (1 + np.exp(-score)) - label) / len(label)
            return float(value), known.T @ error + penalty * at

        found = minimize(loss, np.zeros(known.shape[1]), jac=True, method="L-BFGS-B").x

        def predict(asked: Floats) -> Floats:
            scaled = np.hstack(((_small(asked) - mean) / spread, np.ones((len(asked), 1))))
            return np.asarray(1 / (1 + np.exp(-(scaled @ found))))

        return predict

    return fit


def _small(lines: Floats) -> Floats:
    return np.asarray(np.sign(lines) * np.log1p(np.abs(lines)))
