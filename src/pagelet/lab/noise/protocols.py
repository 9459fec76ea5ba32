"""Honest figures for noise removal: every text is answered by a model that had not seen it.

The paper's own protocol is here too: two thirds of the nodes of a site are learned from, the
others, of the same pages, are asked. It says little about new pages.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from pagelet.arrays import Floats, Mask
from pagelet.lab.c45 import fit_c45
from pagelet.lab.noise.examples import FOLDS, Example, folds_of
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

Say = Callable[[str], None]

SEEN = 0.66  #: share of a site's nodes that the paper's protocol learns from
LIKELY = 0.5  #: probability from which a node is content where the site was learned


def by_site(examples: Iterable[Example]) -> dict[str, list[Example]]:
    """Examples of each site."""
    sites: dict[str, list[Example]] = defaultdict(list)
    for each in examples:
        sites[each.gold.site].append(each)
    return dict(sites)


def unseen(
    examples: Sequence[Example], *, seed: int = SEED, say: Say = lambda _: None
) -> dict[str, NoiseModel]:
    """For each site a model that saw none of its pages."""
    fold = folds_of([each.gold.site for each in examples])
    models: dict[str, NoiseModel] = {}
    for left_out in range(FOLDS):
        say(f"fitting without fold {left_out}")
        seen = [each for each in examples if fold[each.gold.site] != left_out]
        model = fit_noise(seen, seed=seed)
        models |= {site: model for site, at in fold.items() if at == left_out}
    return models


def probabilities(
    examples: Sequence[Example], models: dict[str, NoiseModel], *, query: bool
) -> list[Floats]:
    """Probabilities of the units of all pages, each by the model of its site."""
    return [
        judge(
            each.sheet, models[each.gold.site], each.gold.query if query else NO_QUERY
        ).probability
        for each in examples
    ]


def counted(example: Example, said: Mask) -> ClassCounts:
    """Texts of a page by what they are and what was said of their units."""
    return count_classes(example.wanted, said[example.sheet.unit_of])


# -- trees over the paper's features ----------------------------------------------------------


def paper_lines(example: Example, query: Query | None = None) -> tuple[Floats, Mask]:
    """The paper's features of a page, and whether each unit is content."""
    said = example.gold.query if query is None else query
    return paper_features(example.sheet.page, said).rows, example.label >= LIKELY


def fit_paper(examples: Sequence[Example]) -> Trees:
    """The paper's tree on whole pages."""
    lines = [paper_lines(each) for each in examples]
    return fit_c45(
        np.concatenate([each for each, _ in lines]),
        np.concatenate([label for _, label in lines]),
        PAPER_FEATURES,
    )


def unseen_paper(examples: Sequence[Example]) -> list[Mask]:
    """What trees say that saw no page of the site."""
    fold = folds_of([each.gold.site for each in examples])
    trees = {
        left_out: fit_paper([each for each in examples if fold[each.gold.site] != left_out])
        for left_out in range(FOLDS)
    }
    return [
        trees[fold[each.gold.site]].predict(paper_lines(each)[0]) >= LIKELY for each in examples
    ]


# -- sites that are known ---------------------------------------------------------------------


def node_split(
    examples: Sequence[Example], seed: int
) -> Iterator[tuple[list[Example], list[Mask]]]:
    """Each site with the nodes of its pages that are learned from."""
    chance = np.random.default_rng(seed)
    for pages in by_site(examples).values():
        yield pages, [chance.random(len(each.sheet.units)) < SEEN for each in pages]


def paper_protocol(examples: Sequence[Example], seed: int = SEED) -> list[ClassCounts]:
    """The paper's tree under the paper's protocol, nodes of each site counted."""
    found = []
    for pages, seen in node_split(examples, seed):
        made = [paper_lines(each) for each in pages]
        lines, label = (np.concatenate(part) for part in zip(*made, strict=True))
        inside = np.concatenate(seen)
        tree = fit_c45(lines[inside], label[inside], PAPER_FEATURES)
        found.append(count_classes(label[~inside], tree.predict(lines[~inside]) >= LIKELY))
    return found


def default_protocol(
    examples: Sequence[Example], likely: Sequence[Floats], seed: int = SEED
) -> list[ClassCounts]:
    """The default under the paper's protocol: a model of other sites, and what is remembered."""
    answers = {
        each.gold.name: each_likely for each, each_likely in zip(examples, likely, strict=True)
    }
    found = []
    for pages, seen in node_split(examples, seed):
        memory = build_memory(
            [_told(each, inside) for each, inside in zip(pages, seen, strict=True)]
        )
        total = ClassCounts()
        for each, inside in zip(pages, seen, strict=True):
            said = apply_memory(memory, unit_keys(each.sheet), answers[each.gold.name]) >= LIKELY
            total += count_classes((each.label >= LIKELY)[~inside], said[~inside])
        found.append(total)
    return found


def other_pages(examples: Sequence[Example], likely: Sequence[Floats]) -> list[Floats]:
    """Probabilities of each page when all other pages of its site are remembered."""
    sites, found = by_site(examples), []
    for each, own in zip(examples, likely, strict=True):
        others = [other for other in sites[each.gold.site] if other is not each]
        memory = build_memory([_told(other) for other in others])
        found.append(apply_memory(memory, unit_keys(each.sheet), own))
    return found


def with_memory(model: NoiseModel, examples: Sequence[Example]) -> NoiseModel:
    """A model that remembers labelled pages of a site."""
    return replace(model, memory=build_memory([_told(each) for each in examples]))


def _told(example: Example, inside: Mask | None = None) -> LabelledUnits:
    """Keys, texts that are content, and all texts, of all units or of those inside."""
    keys = unit_keys(example.sheet)
    hits, texts = example.label * example.weight, example.weight
    if inside is None:
        return keys, hits, texts
    return tuple(kind[inside] for kind in keys), hits[inside], texts[inside]
