"""Thresholds of box clustering that are learned: one per type of page, or one per page.

By page type: the best value of each type on all other sites. Learned: a model estimates how good
each cut of a page is from how the cut looks; it is fitted without the page's site, in folds.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pagelet.arrays import Floats
from pagelet.lab.learners import boost, fit_without, lightgbm, site_folds, trees_of
from pagelet.lab.segments.gold import TOP, DrawnExample
from pagelet.lab.segments.scores import bcubed_figures
from pagelet.methods.segments.geometry.partition import Segments
from pagelet.models.trees import Trees
from pagelet.page.layout import TEXT

TEXTS, LISTS = "texts", "lists"  #: types of pages
MIN_LINE_CHARS = 22.0  #: mean characters of a line from which on a page is one of texts


def page_type(example: DrawnExample) -> str:
    """Whether a page is made of texts, as articles are, or of lists, as indexes are."""
    lines = int((example.boxes.kind == TEXT).sum())
    return TEXTS if example.boxes.chars.sum() >= MIN_LINE_CHARS * max(lines, 1) else LISTS


# -- a model of how good a cut is -------------------------------------------------------------


SEED = 7
MODELS = 3  #: fits with different seeds whose answers are averaged
ROUNDS = 100
PARAMETERS = {
    "objective": "regression", "learning_rate": 0.05, "num_leaves": 6, "min_data_in_leaf": 20,
    "feature_fraction": 0.6, "bagging_fraction": 0.7, "bagging_freq": 1, "verbose": -1,
    "num_threads": 1, "deterministic": True,
}  # fmt: skip
LOOKS = (
    "threshold", "segments", "loose", "largest", "three_largest", "segments_per_box", "boxes",
    "line", "pictures", "height", "covered",
)  # fmt: skip
LARGEST = 3  #: segments whose share of the page is added up


def look_of(segments: Segments) -> list[float]:
    """What is seen of a cut and of its page."""
    boxes, number = segments.boxes, segments.number
    text, count = boxes.kind == TEXT, max(len(boxes), 1)
    mass = boxes.chars + 1.0
    inside = number >= 0
    sizes = np.sort(np.bincount(number[inside], mass[inside], minlength=1))[::-1] / mass.sum()
    page = max(boxes.page_width * boxes.page_height, 1.0)
    return [
        segments.threshold, np.log1p(len(segments)), float((~inside).mean()), float(sizes[0]),
        float(sizes[:LARGEST].sum()), len(segments) / count, np.log(count),
        float(boxes.chars.sum()) / max(int(text.sum()), 1), float((~text).mean()),
        np.log1p(boxes.page_height), float(boxes.area.sum()) / page,
    ]  # fmt: skip


@dataclass(eq=False)
class LearnedThreshold:
    """Chooses the cut of a page that a model, fitted without its site, holds for the best."""

    models: dict[str, Trees] = field(default_factory=dict)  #: by name of the page

    def choose(self, name: str, cuts: Sequence[Segments]) -> Segments:
        """The best of several cuts of a page; the middle one of a page nobody marked."""
        model = self.models.get(name)
        if model is None or not len(cuts[0].boxes):
            return cuts[len(cuts) // 2]
        likely = model.predict(np.array([look_of(cut) for cut in cuts]))
        return cuts[int(likely.argmax())]


def learn_threshold(
    examples: Sequence[DrawnExample], cuts: Sequence[Sequence[Segments]]
) -> LearnedThreshold:
    """Fit models to the cuts of all pages, at the top level."""
    pairs = [(each, cut) for each, cut in zip(examples, cuts, strict=True) if each.marked(TOP)]
    fold = site_folds([each.site for each, _ in pairs], seed=SEED)
    rows = [(fold[each.site], _rows(each, cut)) for each, cut in pairs]
    models = fit_without(rows, lambda row: row[0], sorted(set(fold.values())), _fit)
    return LearnedThreshold({each.name: models[fold[each.site]] for each, _ in pairs})


def _rows(example: DrawnExample, cuts: Sequence[Segments]) -> tuple[Floats, Floats]:
    """The looks of the cuts of a page, and the mean of their BCubed figures."""
    gold, chars = example.gold[TOP], example.boxes.chars
    scores = [np.mean(bcubed_figures(cut.number, gold, chars)) for cut in cuts]
    return np.array([look_of(cut) for cut in cuts]), np.array(scores)


def _fit(pages: list[tuple[int, tuple[Floats, Floats]]]) -> Trees:
    looks = np.concatenate([looks for _, (looks, _) in pages])
    scores = np.concatenate([scores for _, (_, scores) in pages])
    trees: list[dict[str, Any]] = []
    for model in range(MODELS):
        data = lightgbm().Dataset(looks, scores)
        trees += boost({**PARAMETERS, "seed": SEED + model}, data, ROUNDS)
    return trees_of(trees, LOOKS, MODELS)
