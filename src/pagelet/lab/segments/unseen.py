"""Models of segments that have not seen a page's site, and thresholds that were not chosen on it.

Sites fall into folds. The pages of a fold are divided by models that were fitted on all others.
The threshold of a fold is the best on the pages of the others, each divided by its own models; it
serves both sizes of segments, as the one that is shipped does.
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

CUT_THRESHOLDS = (0.4, 0.45, 0.5, 0.55, 0.6)  #: least probabilities of a cut to choose from
DIVISION_THRESHOLDS = (0.5, 0.55, 0.6, 0.65, 0.7)  #: the same of a division of an element
SIZES: tuple[Literal["blocks", "paragraphs"], ...] = ("blocks", "paragraphs")

UnseenModel = tuple[Trees, float]  #: a model and its threshold


def unseen_models(
    examples: Sequence[DrawnExample], *, with_dom: bool
) -> dict[str, Mapping[str, UnseenModel]]:
    """By size and name of a page, a model and a threshold that were found without its site."""
    fold = site_folds([each.site for each in examples], seed=SEED)
    folds = np.array([fold[each.site] for each in examples])
    models, scores = {}, []
    for size in SIZES:
        models[size] = _fit_without_each(examples, folds, size, with_dom=with_dom)
        options = VisualOptions(granularity=size, with_dom=with_dom)
        scores.append(
            [
                _scores(each, options, models[size][number])
                for each, number in zip(examples, folds.tolist(), strict=True)
            ]
        )
    chosen = {number: _best(scores, folds != number, with_dom=with_dom) for number in models[size]}
    return {
        size: {
            each.name: (models[size][number], chosen[number])
            for each, number in zip(examples, folds.tolist(), strict=True)
        }
        for size in SIZES
    }


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


def _thresholds(*, with_dom: bool) -> tuple[float, ...]:
    return DIVISION_THRESHOLDS if with_dom else CUT_THRESHOLDS


def _best(scores: Sequence[Sequence[Floats]], others: Ints, *, with_dom: bool) -> float:
    """The threshold with the best mean score on the pages of the other folds, over both sizes."""
    some = [[page for page, other in zip(size, others, strict=True) if other] for size in scores]
    means = [np.mean([page for page in size if len(page)], axis=0) for size in some]
    return _thresholds(with_dom=with_dom)[int(np.mean(means, axis=0).argmax())]


def _scores(example: DrawnExample, options: VisualOptions, model: Trees) -> Floats:
    """The mean of the BCubed figures of a page, at each threshold; none for an unmarked page."""
    level = LEVELS[options.learned_size]
    scores = []
    for threshold in _thresholds(with_dom=options.with_dom) if example.marked(level) else ():
        chosen = replace(options, threshold=threshold)
        found = segment_visual(example.page, example.layout, example.boxes, chosen, model)
        figures = bcubed_figures(found.number, example.gold[level], example.boxes.chars)
        scores.append(np.mean(figures))
    return np.array(scores)
