"""Training a content model: a comparison with the shipped one, the model file, its card."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pagelet.errors import OptionError
from pagelet.lab import Progress, Report, ignore_progress
from pagelet.lab.content import fit as content_fit
from pagelet.lab.content.examples import (
    ContentCorpus,
    ContentExample,
    all_examples,
    check_sites,
    read_corpora,
)
from pagelet.lab.content.scores import ContentGold, mean_f1, mean_overlap, score_content
from pagelet.lab.data import (
    LICENCES,
    USER_LICENCE,
    check_target,
    data_digest,
    package_versions,
    use_one_thread,
    write_card,
    write_model,
)
from pagelet.lab.learners import FOLDS, lightgbm
from pagelet.methods.content.answer import ContentAnswer
from pagelet.methods.content.choice import decide
from pagelet.methods.content.model import ContentModel, content_model
from pagelet.page.html import parse

HELD_OUT = 5  #: one of so many domains of the folder is held out for the comparison

MeanScores = dict[str, float]  #: precision, recall, F1


@dataclass(frozen=True, slots=True)
class ModelComparison:
    """A model and the shipped one on pages of the folder that the first had not seen."""

    pages: int
    domains: int
    target: str
    new: MeanScores
    shipped: MeanScores | None  #: the shipped model may have seen these pages


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentTraining:
    """Options of the training of a content model."""

    seed: int = content_fit.SEED
    alone: bool = False  #: fit on the folder only, without the corpora in the data folder
    card: bool = True  #: write a card beside the model


def train_content(
    folder: Path,
    target: Path,
    options: ContentTraining,
    *,
    report: Report,
    progress: Progress = ignore_progress,
) -> ModelComparison | None:
    """Compare on held-out domains, then fit on everything and write the model and its card.

    Nothing is compared where the folder has a single domain.
    """
    use_one_thread()
    lightgbm()  # raises before any page is read
    check_target(target)
    corpora = read_corpora(folder, alone=options.alone, report=report, progress=progress)
    examples = all_examples(corpora)
    check_sites(examples, folder)
    progress("fitting", 0, 2)
    comparison = compare(corpora[0].golds, examples, seed=options.seed, report=report)
    progress("fitting", 1, 2)
    report(f"fitting on all {len(examples)} pages")
    model = content_fit.fit_content(examples, seed=options.seed, report=report)
    write_model(model, target, (each.key for each in examples))
    if options.card:
        write_card(card_of(model, target, corpora, options, comparison), target)
    progress("fitting", 2, 2)
    return comparison


# -- the comparison ---------------------------------------------------------------------------


def held_out(golds: Sequence[ContentGold]) -> set[str]:
    """A fifth of the domains, at least one, by a hash of their names; none of a single one."""
    domains = sorted({gold.domain for gold in golds}, key=_hash)
    return set(domains[::HELD_OUT]) if len(domains) > 1 else set()


def _hash(domain: str) -> bytes:
    return hashlib.sha256(f"held out: {domain}".encode()).digest()


def compare(
    golds: Sequence[ContentGold],
    examples: Sequence[ContentExample],
    *,
    seed: int,
    report: Report,
) -> ModelComparison | None:
    """A model fitted without a fifth of the domains, and the shipped one, on those domains."""
    domains = held_out(golds)
    seen = [each for each in examples if each.gold.domain not in domains]
    held = [gold for gold in golds if gold.domain in domains]
    if not held or len({each.fold for each in seen}) < 2:
        report("too few sites to hold some out: nothing is compared")
        return None
    report(f"fitting without {len(domains)} domains ({len(held)} pages), for a comparison")
    model = content_fit.fit_content(seen, seed=seed, calibrate=False, report=report)
    target = held[0].target
    new, shipped = mean_scores(held, model, target), _shipped_scores(held, target, report)
    return ModelComparison(len(held), len(domains), target, new, shipped)


def _shipped_scores(golds: Sequence[ContentGold], target: str, report: Report) -> MeanScores | None:
    """The scores of the shipped model; None when it does not fit the features of this code."""
    try:
        return mean_scores(golds, content_model(), target)
    except OptionError as error:
        report(f"the shipped model cannot be compared: {error}")
        return None


def mean_scores(golds: Sequence[ContentGold], model: ContentModel, target: str) -> MeanScores:
    """Mean precision, recall and F1 of a model's answers."""
    scores = [score_content(gold, answer_of(model, target)(gold)) for gold in golds]
    mean = mean_overlap(scores)
    f1 = mean_f1(scores, golds[0].format)
    return {"precision": mean.precision, "recall": mean.recall, "F1": f1}


def answer_of(model: ContentModel, target: str) -> Callable[[ContentGold], str]:
    """The text that a model gives for a page."""

    def answer(gold: ContentGold) -> str:
        decision = decide(parse(gold.html, gold.url), model, "balanced", target)
        return ContentAnswer.by_blocks(decision, model).text()

    return answer


# -- the card ---------------------------------------------------------------------------------


def card_of(
    model: ContentModel,
    target: Path,
    corpora: Sequence[ContentCorpus],
    options: ContentTraining,
    comparison: ModelComparison | None,
) -> dict[str, Any]:
    """The card of a model: its data, learner and figures; the same for the same data and seed."""
    alone = " --alone" if options.alone else ""
    return {
        "what": "says how likely each text block of a page is main content, and the page type",
        "made by": f"pagelet train content DIR --seed {options.seed}{alone}",
        "pagelet": version("pagelet"),
        "packages": package_versions(),
        "data": {corpus.name: _data(corpus) for corpus in corpora},
        "splits": f"by domain: {FOLDS} folds for the lexicon and the page types; "
        f"one domain of {HELD_OUT} held out for the figures",
        "figures": _figures(comparison),
        "learner": {
            "trees": len(model.trees.roots),
            "most blocks of a page": content_fit.MAX_PAGE_BLOCKS,
            **content_fit.PARAMETERS,
            "seed": options.seed,
        },
        "target": "share of the block's words that are in the labelled text",
        "lexicon": {"words": len(model.lexicon.words)},
        "page types": {"words": len(model.types.words)},
        "features": list(model.trees.names),
        "file": {
            "bytes": target.stat().st_size,
            "sha256": hashlib.sha256(target.read_bytes()).hexdigest(),
        },
    }


def _data(corpus: ContentCorpus) -> dict[str, Any]:
    shipped = corpus.is_shipped
    return {
        "pages": len(corpus.examples),
        "domains": len({each.gold.domain for each in corpus.examples}),
        "labels": _labels(corpus),
        "licence": LICENCES[corpus.folder.resolve().name] if shipped else USER_LICENCE,
        "digest": data_digest(corpus.folder),
    }


def _labels(corpus: ContentCorpus) -> str:
    if not corpus.golds:
        return "snippets of the main content"
    return "bare article bodies" if corpus.golds[0].is_article_body else "main content"


def _figures(comparison: ModelComparison | None) -> dict[str, Any]:
    if comparison is None:
        return {}
    return {
        "pages held out": comparison.pages,
        "domains held out": comparison.domains,
        "target": comparison.target,
        **{name: round(value, 4) for name, value in comparison.new.items()},
    }
