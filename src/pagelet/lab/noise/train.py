"""Training a noise model: figures by several protocols, the model file, its card.

The paper's protocol learns from two thirds of the nodes of a site and scores the others, which
are of the same pages. It shows little about new pages.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from pagelet.arrays import Floats, Mask
from pagelet.errors import NoGold
from pagelet.lab import Progress, Report, ignore_progress
from pagelet.lab.data import (
    check_target,
    data_digest,
    licence_of,
    package_versions,
    use_one_thread,
    write_card,
    write_model,
)
from pagelet.lab.learners import FOLDS
from pagelet.lab.noise import fit as noise_fit
from pagelet.lab.noise.experiment import (
    AS_PUBLISHED,
    PaperSettings,
    fit_paper,
    paper_protocol,
    score_unseen,
)
from pagelet.lab.noise.fit import SEED, NoiseExample, fit_noise, read_examples
from pagelet.lab.noise.scores import NOISE_LABELS, ClassCounts, count_classes, read_noise
from pagelet.lab.noise.splits import (
    CONTENT_PROBABILITY,
    by_site,
    count_page,
    fit_by_site,
    node_split,
)
from pagelet.lab.seen import page_key
from pagelet.methods.noise import NOISE
from pagelet.methods.noise.decision import (
    Judgement,
    LabelledUnits,
    NoiseModel,
    apply_memory,
    build_memory,
    judge,
    noise_model,
    unit_keys,
)
from pagelet.methods.registry import option
from pagelet.models.trees import Trees
from pagelet.page.query import NO_QUERY
from pagelet.wording import count_of


def unseen_models(
    examples: Sequence[NoiseExample], *, seed: int = SEED, progress: Progress = ignore_progress
) -> dict[str, NoiseModel]:
    """For each site, a model that saw none of its pages."""
    return fit_by_site(examples, partial(fit_noise, seed=seed), progress)


def judge_examples(
    examples: Sequence[NoiseExample], models: Mapping[str, NoiseModel], *, query: bool
) -> list[Judgement]:
    """Each page judged by the model of its site, with its query or without any."""
    return [
        judge(each.sheet, models[each.gold.site], each.gold.query if query else NO_QUERY)
        for each in examples
    ]


# -- sites of which some nodes or pages were learned ------------------------------------------


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

    profile: Literal["default", "paper"] = option(
        "default",
        "model to fit; default: ours, or for fewer than five sites the shipped one with a memory of"
        " these pages; paper: a C4.5 tree over five features",
    )
    seed: int = option(noise_fit.SEED, "seed of splits and fits")
    card: bool = option(default=True, help="write what the model was made of beside it")
    paper: PaperSettings = AS_PUBLISHED  #: how the tree of the paper profile is made


def train_noise(
    folder: Path,
    target: Path,
    options: NoiseTraining,
    *,
    report: Report,
    progress: Progress = ignore_progress,
) -> Counts:
    """Score by all protocols, then fit on everything and write the model and its card."""
    use_one_thread()
    check_target(target)
    examples = read_examples(read_noise(folder))
    if not examples:
        raise NoGold(str(folder), NOISE_LABELS)
    sites = count_of(len(by_site(examples)), "site")
    report(f"fitting on {count_of(len(examples), 'page')} of {sites} in {folder.resolve().name}")
    model, counts = (
        _train_paper(examples, options)
        if options.profile == "paper"
        else _train_default(examples, options, report, progress)
    )
    keys = (page_key(each.gold.site, each.gold.page) for each in examples)
    write_model(model, target, keys)
    if options.card:
        write_card(card_of(folder, target, examples, options, counts), target)
    return counts


def _train_paper(examples: Sequence[NoiseExample], options: NoiseTraining) -> tuple[Trees, Counts]:
    split = paper_protocol(examples, options.paper, options.seed)
    counts = {"nodes, 66 of 100": _total(split.values())}
    if len(by_site(examples)) >= FOLDS:
        counts["sites unseen"] = score_unseen(examples, options.paper)
    return fit_paper(examples, options.paper), counts


def _train_default(
    examples: Sequence[NoiseExample], options: NoiseTraining, report: Report, progress: Progress
) -> tuple[NoiseModel, Counts]:
    """A model of its own where there are enough sites, else the shipped one with a memory."""
    sites = by_site(examples)
    if len(sites) < FOLDS:
        report(f"fewer than {FOLDS} sites: the shipped model learns to remember these pages")
        models = dict.fromkeys(sites, noise_model())
    else:
        models = unseen_models(examples, seed=options.seed, progress=progress)
    probability = [each.probability for each in judge_examples(examples, models, query=True)]
    counts = {"nodes, 66 of 100": _total(default_protocol(examples, probability, options.seed))}
    counts["pages unseen"] = _count_pages(examples, other_pages(examples, probability))
    if len(sites) < FOLDS:
        return with_memory(noise_model(), examples), counts
    counts["sites unseen"] = _count_pages(examples, probability)
    without_query = judge_examples(examples, models, query=False)
    counts["sites unseen, no query"] = _count_pages(
        examples, [each.probability for each in without_query]
    )
    progress("fitting on all pages", 0, 1)
    model = noise_fit.fit_noise(examples, seed=options.seed)
    progress("fitting on all pages", 1, 1)
    return model, counts


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
    learner: dict[str, Any] = {"tree": "C4.5 as in J48", **asdict(options.paper.tree)}
    learner |= {"density sum": options.paper.density_sum, "nodes": options.paper.nodes}
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
        "features": list(options.paper.names) if profile == "paper" else "named in the npz file",
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
