"""Honest figures for the content model: every page is answered by a model that never saw it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from pagelet.lab.content.examples import Example
from pagelet.lab.content.fit import SEED, Parts, expected_and_reached, fit_content, rising
from pagelet.methods.content.model import ContentModel

Pair = tuple[float, float]


def unseen(
    examples: Sequence[Example],
    folds: Iterable[int],
    say: Callable[[str], None] = print,
    *,
    seed: int = SEED,
) -> dict[int, ContentModel]:
    """For each fold a model that saw no page of its domains, in whichever corpus they lie."""
    models = {}
    for fold in folds:
        say(f"fitting without fold {fold}")
        seen = [each for each in examples if each.fold != fold]
        models[fold] = fit_content(seen, seed=seed, calibrate=False, say=say)
    return calibrated(models, examples)


def calibrated(
    models: Mapping[int, ContentModel], examples: Sequence[Example]
) -> dict[int, ContentModel]:
    """The same models, each as sure as the others turned out on the folds they had not seen.

    That spares a fit a fold for every model, and no model learns it from pages it will answer.
    """
    pairs = {fold: _pairs(model, fold, examples) for fold, model in models.items()}
    made = {}
    for fold, model in models.items():
        others = [pair for other, found in pairs.items() if other != fold for pair in found]
        expected, reached = rising(others)
        made[fold] = replace(model, expected=expected, reached=reached)
    return made


def _pairs(model: ContentModel, fold: int, examples: Sequence[Example]) -> list[Pair]:
    """Expected F1 and the F1 reached on the pages of the fold that a model has not seen."""
    parts = Parts(model.lexicon, model.types)
    held = (each for each in examples if each.fold == fold)
    return [expected_and_reached(each, model.trees, parts) for each in held]
