"""How labelled pages are divided to learn from some and score others: by site, page or node."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from pagelet.arrays import Mask
from pagelet.lab import Progress, ignore_progress
from pagelet.lab.learners import Model, fit_without
from pagelet.lab.noise.fit import NoiseExample, fold_by_site
from pagelet.lab.noise.scores import ClassCounts, count_classes

TRAINING_SHARE = 0.66  #: share of a site's nodes that the paper's protocol learns from
CONTENT_PROBABILITY = 0.5  #: probability from which a node of a learned site is content


def by_site(examples: Iterable[NoiseExample]) -> dict[str, list[NoiseExample]]:
    """Examples of each site."""
    sites: dict[str, list[NoiseExample]] = defaultdict(list)
    for each in examples:
        sites[each.gold.site].append(each)
    return dict(sites)


def fit_by_site(
    examples: Sequence[NoiseExample],
    fit: Callable[[list[NoiseExample]], Model],
    progress: Progress = ignore_progress,
) -> dict[str, Model]:
    """For each site, a model of the pages of other folds."""
    fold = fold_by_site(examples)
    folds = sorted(set(fold.values()))
    models = fit_without(examples, lambda each: fold[each.gold.site], folds, fit, progress)
    return {site: models[at] for site, at in fold.items()}


def count_page(example: NoiseExample, answer: Mask) -> ClassCounts:
    """Count the texts of a page by their labels and the answers for their units."""
    return count_classes(example.wanted, answer[example.sheet.unit_of])


def node_split(
    examples: Sequence[NoiseExample], seed: int
) -> Iterator[tuple[list[NoiseExample], list[Mask]]]:
    """Each site with masks of the nodes of its pages that are learned from."""
    random = np.random.default_rng(seed)
    for pages in by_site(examples).values():
        yield pages, [random.random(len(each.sheet.units)) < TRAINING_SHARE for each in pages]
