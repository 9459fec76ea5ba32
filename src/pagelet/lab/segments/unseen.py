"""Models of segments that have not seen a page's site, and thresholds that were not chosen on it.

Sites fall into folds. The pages of a fold are divided by models that were fitted on all others.
Cuts are made where they are likelier than not, so their threshold is not chosen at all. The
threshold of divisions is the best on the pages of the other folds, each divided by its own models.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from pagelet.arrays import Floats, Ints
from pagelet.lab.learners import fit_without, site_folds
from pagelet.lab.segments.elements import fit_divisions, labelled_items
from pagelet.lab.segments.fit import LEVELS, SEED, fit_cuts, labelled_gaps
from pagelet.lab.segments.gold import DrawnExample
from pagelet.lab.segments.scores import bcubed_figures
from pagelet.methods.segments.visual import VisualOptions, segment_visual
from pagelet.models.trees import Trees

#: Least probabilities of a division to choose from.
DIVISION_THRESHOLDS = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8)
SIZES: tuple[Literal["blocks", "paragraphs"], ...] = ("blocks", "paragraphs")

UnseenModel = tuple[Trees, float | None]  #: a model and its threshold; None for the usual one


def unseen_models(
    examples: Sequence[DrawnExample], *, with_dom: bool
) -> dict[str, Mapping[str, UnseenModel]]:
    """By size and name of a page, a model and a threshold that were found without its site."""
    fold = site_folds([each.site for each in examples], seed=SEED)
    folds = np.array([fold[each.site] for each in examples])
    by_size: dict[str, Mapping[str, UnseenModel]] = {}
    for size in SIZES:
        models = _fit_without_each(examples, folds, size, with_dom=with_dom)
        options = VisualOptions(granularity=size, with_dom=with_dom)
        own = [models[number] for number in folds.tolist()]
        chosen = _choose_thresholds(examples, folds, options, own) if with_dom else {}
        by_size[size] = {
            each.name: (model, chosen.get(number))
            for each, number, model in zip(examples, folds.tolist(), own, strict=True)
        }
    return by_size


def _fit_without_each(
    examples: Sequence[DrawnExample], folds: Ints, size: str, *, with_dom: bool
) -> dict[int, Trees]:
    """For each fold, a model of the pages of all others."""
    pages: Sequence[Any] = (labelled_items if with_dom else labelled_gaps)(examples, size)

    def fit(seen: list[tuple[Any, int]]) -> Trees:
        some = [page for page, _ in seen]
        return fit_divisions(some) if with_dom else fit_cuts(some, size)

    pairs = list(zip(pages, folds.tolist(), strict=True))
    return fit_without(pairs, lambda pair: pair[1], sorted(set(folds.tolist())), fit)


def _choose_thresholds(
    examples: Sequence[DrawnExample], folds: Ints, options: VisualOptions, models: Sequence[Trees]
) -> dict[int, float]:
    """For each fold, the threshold with the best mean score on the pages of the others."""
    scores = [_scores(each, options, own) for each, own in zip(examples, models, strict=True)]
    chosen = {}
    for number in sorted(set(folds.tolist())):
        others = [scores[at] for at in np.flatnonzero(folds != number) if len(scores[at])]
        best = int(np.mean(others, axis=0).argmax()) if others else 0
        chosen[number] = DIVISION_THRESHOLDS[best]
    return chosen


def _scores(example: DrawnExample, options: VisualOptions, model: Trees) -> Floats:
    """The mean of the BCubed figures of a page, at each threshold; none for an unmarked page."""
    level = LEVELS[options.learned_size]
    scores = []
    for threshold in DIVISION_THRESHOLDS if example.marked(level) else ():
        chosen = replace(options, threshold=threshold)
        found = segment_visual(example.page, example.layout, example.boxes, chosen, model)
        figures = bcubed_figures(found.number, example.gold[level], example.boxes.chars)
        scores.append(np.mean(figures))
    return np.array(scores)
