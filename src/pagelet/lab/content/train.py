"""Fitting a content model for use: a comparison with the shipped one, the model, its card."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pagelet.errors import OptionError
from pagelet.lab.cards import LICENCES, check_target, store
from pagelet.lab.content import fit as content_fit
from pagelet.lab.content.examples import (
    BARE,
    FOLDS,
    Corpus,
    Each,
    Example,
    Say,
    all_examples,
    need_sites,
    read_corpora,
    untold,
)
from pagelet.lab.content.scores import ContentGold, mean_f1, score_content
from pagelet.lab.data import data_digest, one_thread
from pagelet.lab.figures import Overlap
from pagelet.lab.learners import lightgbm
from pagelet.methods.content.answer import Answer
from pagelet.methods.content.choice import decide
from pagelet.methods.content.model import ContentModel, content_model
from pagelet.page.html import parse

HELD = 5  #: one of so many domains of the folder is held out for the comparison
PACKAGES = ("numpy", "scipy", "lightgbm", "turbohtml")  #: another version may give other weights

Figure = dict[str, float]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A model and the shipped one on pages of the folder that the first had not seen."""

    pages: int
    domains: int
    target: str
    new: Figure  #: precision, recall, F1
    shipped: Figure | None  #: the same; that model may have seen these pages


@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """How a model is fitted."""

    seed: int = content_fit.SEED
    alone: bool = False  #: on the folder only, not on the corpora in the data folder too
    card: bool = True  #: write what the model was made of beside it


def train_content(
    folder: Path, target: Path, how: Training, *, say: Say, each: Each = untold
) -> Comparison | None:
    """Compare on held-out domains, then fit on everything and write the model and its card.

    Nothing is compared where the folder has a single domain.
    """
    one_thread()
    lightgbm()  # says what is missing before any page is read
    check_target(target)
    found = read_corpora(folder, alone=how.alone, say=say, each=each)
    examples = all_examples(found)
    need_sites(examples, folder)
    each("fitting", 0, 2)
    compared = compare(found[0].golds, examples, seed=how.seed, say=say)
    each("fitting", 1, 2)
    say(f"fitting on all {len(examples)} pages")
    model = content_fit.fit_content(examples, seed=how.seed, say=say)
    store(model, target)
    if how.card:
        card = json.dumps(card_of(model, target, found, how, compared), indent=2)
        target.with_suffix(".json").write_text(f"{card}\n", encoding="utf-8")
    each("fitting", 2, 2)
    return compared


# -- the comparison ---------------------------------------------------------------------------


def held_out(golds: Sequence[ContentGold]) -> set[str]:
    """A fifth of the domains, at least one, by nothing but their names; none of a single one."""
    domains = sorted({gold.domain for gold in golds}, key=_shuffled)
    return set(domains[::HELD]) if len(domains) > 1 else set()


def _shuffled(domain: str) -> bytes:
    return hashlib.sha256(f"held out: {domain}".encode()).digest()


def compare(
    golds: Sequence[ContentGold], examples: Sequence[Example], *, seed: int, say: Say
) -> Comparison | None:
    """A model fitted without a fifth of the domains, and the shipped one, on those domains."""
    domains = held_out(golds)
    known = [each for each in examples if each.gold.domain not in domains]
    held = [gold for gold in golds if gold.domain in domains]
    if not held or len({each.fold for each in known}) < 2:
        say("too few sites to hold some out: nothing is compared")
        return None
    say(f"fitting without {len(domains)} domains ({len(held)} pages), for a comparison")
    model = content_fit.fit_content(known, seed=seed, calibrate=False, say=say)
    target = "article" if held[0].format == BARE else "auto"
    new, shipped = figure(held, model, target), _shipped(held, target, say)
    return Comparison(len(held), len(domains), target, new, shipped)


def _shipped(golds: Sequence[ContentGold], target: str, say: Say) -> Figure | None:
    """The shipped model's figure; None when it does not fit the features of this code."""
    try:
        return figure(golds, content_model(), target)
    except OptionError as error:
        say(f"the shipped model cannot be compared: {error}")
        return None


def figure(golds: Sequence[ContentGold], model: ContentModel, target: str) -> Figure:
    """Mean precision, recall and F1 of a model's answers."""
    scores = [score_content(gold, answer_of(model, target)(gold)) for gold in golds]
    return {
        "precision": _mean(scores, lambda score: score.precision),
        "recall": _mean(scores, lambda score: score.recall),
        "F1": mean_f1(scores, golds[0].format),
    }


def _mean(scores: Sequence[Overlap], part: Callable[[Overlap], float]) -> float:
    return sum(map(part, scores)) / len(scores)


def answer_of(model: ContentModel, target: str) -> Callable[[ContentGold], str]:
    """The text a model gives for a page."""

    def answer(gold: ContentGold) -> str:
        decision = decide(parse(gold.html, gold.url), model, "balanced", target)
        return Answer.by_blocks(decision, model).text()

    return answer


# -- the card ---------------------------------------------------------------------------------


def card_of(
    model: ContentModel,
    target: Path,
    found: Sequence[Corpus],
    how: Training,
    compared: Comparison | None,
) -> dict[str, Any]:
    """What a model was made of, how, and how good it is; the same for the same data and seed."""
    alone = " --alone" if how.alone else ""
    return {
        "what": "says how likely each text block of a page is main content, and the page type",
        "made by": f"pagelet train content DIR --seed {how.seed}{alone}",
        "pagelet": version("pagelet"),
        "packages": {name: version(name) for name in PACKAGES},
        "data": {corpus.name: _data(corpus) for corpus in found},
        "splits": f"by domain: {FOLDS} folds for the lexicon, the page types and the number of "
        f"trees; one domain of {HELD} held out for the figures",
        "figures": _figures(compared),
        "learner": {
            "trees": len(model.trees.roots),
            "most trees": content_fit.ROUNDS,
            "patience": content_fit.PATIENCE,
            "most blocks of a page": content_fit.MOST_BLOCKS,
            **content_fit.SETTINGS,
            "seed": how.seed,
        },
        "target": "share of the block's words that are in the labelled text",
        "lexicon": {"words": len(model.lexicon.words)},
        "page types": {"words": len(model.types.words)},
        "features": list(model.trees.names),
        "file": {"bytes": target.stat().st_size, "sha256": _digest(target)},
    }


def _data(corpus: Corpus) -> dict[str, Any]:
    return {
        "pages": len(corpus.examples),
        "domains": len({each.gold.domain for each in corpus.examples}),
        "labels": "bare article bodies" if corpus.golds[0].format == BARE else "main content",
        "licence": LICENCES[corpus.folder.resolve().name] if corpus.ours else "the user's own",
        "digest": data_digest(corpus.folder),
    }


def _figures(compared: Comparison | None) -> dict[str, Any]:
    if compared is None:
        return {}
    return {
        "pages held out": compared.pages,
        "domains held out": compared.domains,
        "target": compared.target,
        **{name: round(value, 4) for name, value in compared.new.items()},
    }


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
