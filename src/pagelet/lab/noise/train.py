"""Training a noise model: figures by several protocols, the model file, its card."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pagelet.arrays import Floats
from pagelet.errors import NoGold
from pagelet.lab import Report, c45
from pagelet.lab.cards import (
    check_target,
    licence_of,
    package_versions,
    write_card,
    write_model,
)
from pagelet.lab.data import data_digest, use_one_thread
from pagelet.lab.learners import FOLDS
from pagelet.lab.noise import fit as noise_fit
from pagelet.lab.noise.examples import NoiseExample, read_examples
from pagelet.lab.noise.protocols import (
    by_site,
    count_page,
    default_protocol,
    fit_paper,
    other_pages,
    paper_protocol,
    probabilities,
    unseen_models,
    unseen_paper,
    with_memory,
)
from pagelet.lab.noise.scores import NOISE_LABELS, ClassCounts, read_noise
from pagelet.methods.noise import NOISE
from pagelet.methods.noise.model import NoiseModel, noise_model
from pagelet.methods.noise.paper import PAPER_FEATURES
from pagelet.models.trees import Trees

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
