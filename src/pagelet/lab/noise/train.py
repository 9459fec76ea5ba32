"""Training a noise model: figures by several protocols, the model file, its card.

The paper's protocol learns from two thirds of the nodes of a site and scores the others, which
are of the same pages. It shows little about new pages.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

from pagelet.arrays import Floats, Mask
from pagelet.errors import NoGold
from pagelet.lab import Report, c45, ignore_line
from pagelet.lab.c45 import fit_c45
from pagelet.lab.data import (
    check_target,
    data_digest,
    licence_of,
    package_versions,
    use_one_thread,
    write_card,
    write_model,
)
from pagelet.lab.learners import FOLDS, Model, fit_without
from pagelet.lab.noise import fit as noise_fit
from pagelet.lab.noise.fit import SEED, NoiseExample, fit_noise, fold_by_site, read_examples
from pagelet.lab.noise.scores import NOISE_LABELS, ClassCounts, count_classes, read_noise
from pagelet.methods.noise import NOISE
from pagelet.methods.noise.decision import (
    LabelledUnits,
    NoiseModel,
    apply_memory,
    build_memory,
    judge,
    noise_model,
    unit_keys,
)
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


Counts = dict[str, ClassCounts]  #: by protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseTraining:
    """Options of the training of a noise model."""

    profile: Literal["default", "paper"] = "default"
    seed: int = noise_fit.SEED
    card: bool = True  #: write a card beside the model


def train_noise(folder: Path, target: Path, options: NoiseTraining, *, report: Report) -> Counts:
    """Score by all protocols, then fit on everything and write the model and its card."""
    use_one_thread()
    check_target(target)
    examples = read_examples(read_noise(folder))
    if not examples:
        raise NoGold(str(folder), NOISE_LABELS)
    report(f"{len(examples)} pages of {len(by_site(examples))} sites")
    train = _train_paper if options.profile == "paper" else _train_default
    model, counts = train(examples, options, report)
    write_model(model, target)
    if options.card:
        write_card(card_of(folder, target, examples, options, counts), target)
    return counts


def _train_paper(
    examples: Sequence[NoiseExample], options: NoiseTraining, report: Report
) -> tuple[Trees, Counts]:
    counts = {"nodes, 66 of 100": _total(paper_protocol(examples, options.seed))}
    if len(by_site(examples)) >= FOLDS:
        report("sites left out")
        counts["sites unseen"] = _total(map(count_page, examples, unseen_paper(examples)))
    return fit_paper(examples), counts


def _train_default(
    examples: Sequence[NoiseExample], options: NoiseTraining, report: Report
) -> tuple[NoiseModel, Counts]:
    """A model of its own where there are enough sites, else the shipped one with a memory."""
    sites = by_site(examples)
    if len(sites) < FOLDS:
        report(f"fewer than {FOLDS} sites: the shipped model learns to remember these pages")
        models = dict.fromkeys(sites, noise_model())
    else:
        models = unseen_models(examples, seed=options.seed, report=report)
    probability = probabilities(examples, models, query=True)
    counts = {"nodes, 66 of 100": _total(default_protocol(examples, probability, options.seed))}
    counts["pages unseen"] = _count_pages(examples, other_pages(examples, probability))
    if len(sites) < FOLDS:
        return with_memory(noise_model(), examples), counts
    counts["sites unseen"] = _count_pages(examples, probability)
    without_query = probabilities(examples, models, query=False)
    counts["sites unseen, no query"] = _count_pages(examples, without_query)
    report("fitting on all pages")
    return noise_fit.fit_noise(examples, seed=options.seed, report=report), counts


def _count_pages(examples: Sequence[NoiseExample], probability: Sequence[Floats]) -> ClassCounts:
    threshold = NOISE.profiles["default"].options.threshold
    pairs = zip(examples, probability, strict=True)
    return _total(count_page(each, own >= threshold) for each, own in pairs)


def _total(counts: Iterable[ClassCounts]) -> ClassCounts:
    return sum(counts, start=ClassCounts())


def card_of(
    folder: Path,
    target: Path,
    examples: Sequence[NoiseExample],
    options: NoiseTraining,
    counts: Counts,
) -> dict[str, Any]:
    """The card of a model: its data, learner and figures."""
    profile, seed = options.profile, options.seed
    learner: dict[str, Any] = {
        "tree": "C4.5",
        "confidence": c45.CONFIDENCE,
        "fewest": c45.MIN_LEAF_EXAMPLES,
    }
    if profile == "default":
        learner = {
            "groups": {"rounds": noise_fit.GROUP_ROUNDS, **noise_fit.GROUP_PARAMETERS},
            "units": {"rounds": noise_fit.UNIT_ROUNDS, **noise_fit.UNIT_PARAMETERS},
            "penalty of names and words": noise_fit.WORD_PENALTY,
        }
    return {
        "what": "tells the records of a result page from everything else",
        "made by": f"pagelet train noise DIR --profile {profile} --seed {seed}"
        f" --output {target.name}",
        "data": {
            folder.name: {
                "pages": len(examples),
                "sites": len(by_site(examples)),
                "digest": data_digest(folder),
                "licence": licence_of(folder.name),
            }
        },
        "learner": {**learner, "seed": seed},
        "features": list(PAPER_FEATURES) if profile == "paper" else "named in the npz file",
        "figures": {name: figures_of(each) for name, each in counts.items()},
        "packages": package_versions(),
    }


def figures_of(counts: ClassCounts) -> dict[str, float]:
    """The figures of one protocol, rounded."""
    precision, recall, f1 = counts.weighted
    figures = {
        "content precision": counts.content.precision,
        "content recall": counts.content.recall,
        "content F1": counts.content.f1,
        "noise F1": counts.noisy.f1,
        "weighted precision": precision,
        "weighted recall": recall,
        "weighted F1": f1,
    }
    return {name: round(value, 4) for name, value in figures.items()}
