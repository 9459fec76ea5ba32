"""Protocols of noise evaluation: models of other sites, of other pages, and the paper's own.

The paper's protocol learns from two thirds of the nodes of a site and scores the others, which
are of the same pages. It shows little about new pages.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from pagelet.arrays import Floats, Mask
from pagelet.lab import Report, ignore_line
from pagelet.lab.c45 import fit_c45
from pagelet.lab.learners import Model, fit_without
from pagelet.lab.noise.examples import NoiseExample, fold_by_site
from pagelet.lab.noise.fit import SEED, fit_noise
from pagelet.lab.noise.scores import ClassCounts, count_classes
from pagelet.methods.noise.decision import (
    LabelledUnits,
    apply_memory,
    build_memory,
    judge,
    unit_keys,
)
from pagelet.methods.noise.model import NoiseModel
from pagelet.methods.noise.paper import PAPER_FEATURES, paper_features
from pagelet.models.trees import Trees
from pagelet.page.query import NO_QUERY, Query

TRAINING_SHARE = 0.66  #: share of a site's nodes that the paper's protocol learns from
CONTENT_PROBABILITY = 0.5  #: probability from which a node of a learned site is content


def by_site(examples: Iterable[NoiseExample]) -> dict[str, list[NoiseExample]]:
    """Examples of each site."""
    sites: dict[str, list[NoiseExample]] = defaultdict(list)
    for each in examples:
        sites[each.gold.site].append(each)
    return dict(sites)


def unseen_models(
    examples: Sequence[NoiseExample], *, seed: int = SEED, report: Report = ignore_line
) -> dict[str, NoiseModel]:
    """For each site, a model that saw none of its pages."""
    return _fit_by_site(examples, partial(fit_noise, seed=seed), report)


def _fit_by_site(
    examples: Sequence[NoiseExample], fit: Callable[[list[NoiseExample]], Model], report: Report
) -> dict[str, Model]:
    fold = fold_by_site(examples)
    folds = sorted(set(fold.values()))
    models = fit_without(examples, lambda each: fold[each.gold.site], folds, fit, report)
    return {site: models[at] for site, at in fold.items()}


def probabilities(
    examples: Sequence[NoiseExample], models: dict[str, NoiseModel], *, query: bool
) -> list[Floats]:
    """Probabilities of the units of each page, by the model of its site."""
    return [
        judge(
            each.sheet, models[each.gold.site], each.gold.query if query else NO_QUERY
        ).probability
        for each in examples
    ]


def count_page(example: NoiseExample, answer: Mask) -> ClassCounts:
    """Count the texts of a page by their labels and the answers for their units."""
    return count_classes(example.wanted, answer[example.sheet.unit_of])


# -- trees over the paper's features ----------------------------------------------------------


def paper_lines(example: NoiseExample, query: Query | None = None) -> tuple[Floats, Mask]:
    """The paper's features of a page, and whether each unit is content."""
    terms = example.gold.query if query is None else query
    return paper_features(example.sheet.page, terms).rows, example.label >= CONTENT_PROBABILITY


def fit_paper(examples: Sequence[NoiseExample]) -> Trees:
    """The paper's tree on whole pages."""
    lines = [paper_lines(each) for each in examples]
    return fit_c45(
        np.concatenate([each for each, _ in lines]),
        np.concatenate([label for _, label in lines]),
        PAPER_FEATURES,
    )


def unseen_paper(examples: Sequence[NoiseExample]) -> list[Mask]:
    """The answers of trees that saw no page of the site."""
    trees = _fit_by_site(examples, fit_paper, ignore_line)
    return [
        trees[each.gold.site].predict(paper_lines(each)[0]) >= CONTENT_PROBABILITY
        for each in examples
    ]


# -- sites of which some nodes or pages were learned ------------------------------------------


def node_split(
    examples: Sequence[NoiseExample], seed: int
) -> Iterator[tuple[list[NoiseExample], list[Mask]]]:
    """Each site with masks of the nodes of its pages that are learned from."""
    random = np.random.default_rng(seed)
    for pages in by_site(examples).values():
        yield pages, [random.random(len(each.sheet.units)) < TRAINING_SHARE for each in pages]


def paper_protocol(examples: Sequence[NoiseExample], seed: int = SEED) -> list[ClassCounts]:
    """The paper's tree under the paper's protocol, nodes of each site counted."""
    counts = []
    for pages, seen in node_split(examples, seed):
        by_page = [paper_lines(each) for each in pages]
        lines, label = (np.concatenate(part) for part in zip(*by_page, strict=True))
        inside = np.concatenate(seen)
        tree = fit_c45(lines[inside], label[inside], PAPER_FEATURES)
        answer = tree.predict(lines[~inside]) >= CONTENT_PROBABILITY
        counts.append(count_classes(label[~inside], answer))
    return counts


def default_protocol(
    examples: Sequence[NoiseExample], probability: Sequence[Floats], seed: int = SEED
) -> list[ClassCounts]:
    """The default under the paper's protocol: a model of other sites with a memory."""
    by_name = {each.gold.name: own for each, own in zip(examples, probability, strict=True)}
    counts = []
    for pages, seen in node_split(examples, seed):
        memory = build_memory([_labelled_units(*pair) for pair in zip(pages, seen, strict=True)])
        total = ClassCounts()
        for each, inside in zip(pages, seen, strict=True):
            recalled = apply_memory(memory, unit_keys(each.sheet), by_name[each.gold.name])
            wanted, answer = each.label >= CONTENT_PROBABILITY, recalled >= CONTENT_PROBABILITY
            total += count_classes(wanted[~inside], answer[~inside])
        counts.append(total)
    return counts


def other_pages(examples: Sequence[NoiseExample], probability: Sequence[Floats]) -> list[Floats]:
    """Probabilities of each page when all other pages of its site are remembered."""
    sites, recalled = by_site(examples), []
    for each, own in zip(examples, probability, strict=True):
        others = [other for other in sites[each.gold.site] if other is not each]
        memory = build_memory([_labelled_units(other) for other in others])
        recalled.append(apply_memory(memory, unit_keys(each.sheet), own))
    return recalled


def with_memory(model: NoiseModel, examples: Sequence[NoiseExample]) -> NoiseModel:
    """A model that remembers labelled pages of a site."""
    return replace(model, memory=build_memory([_labelled_units(each) for each in examples]))


def _labelled_units(example: NoiseExample, inside: Mask | None = None) -> LabelledUnits:
    """Keys, texts that are content, and all texts, of all units or of those inside."""
    keys = unit_keys(example.sheet)
    hits, texts = example.label * example.weight, example.weight
    if inside is None:
        return keys, hits, texts
    return tuple(kind[inside] for kind in keys), hits[inside], texts[inside]
