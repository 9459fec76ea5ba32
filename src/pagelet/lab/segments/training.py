"""Training of the models of segments: `pagelet train segments`, the model file and its card."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pagelet.lab import Progress, Report, ignore_line, ignore_progress
from pagelet.lab.data import check_target, licence_of, write_card, write_model
from pagelet.lab.learners import lightgbm
from pagelet.lab.seen import page_key
from pagelet.lab.segments import elements
from pagelet.lab.segments.elements import ItemExamples, fit_divisions, labelled_items
from pagelet.lab.segments.fit import (
    LEVELS,
    MODELS,
    PARAMETERS,
    ROUNDS,
    SEED,
    TREE_SHAPES,
    Gaps,
    fit_cuts,
    labelled_gaps,
)
from pagelet.lab.segments.gold import DrawnExample, draw_examples
from pagelet.methods.segments.visual.gaps import FEATURE_NAMES
from pagelet.models.trees import Trees


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentsTraining:
    """Options of the training of a model of cuts or divisions."""

    granularity: Literal["blocks", "paragraphs"] = "blocks"
    with_dom: bool = False  #: learn which elements are divided, not where gaps are cut
    seed: int = SEED
    cache: Path | None = None  #: folder of drawn pages; by default the user's cache folder

    @property
    def command(self) -> str:
        """The command that fits such a model."""
        dom = " --with-dom" if self.with_dom else ""
        return (
            f"pagelet train segments DIR --granularity {self.granularity}{dom} --seed {self.seed}"
        )


def train_segments(
    folder: Path,
    target: Path,
    options: SegmentsTraining,
    *,
    report: Report = ignore_line,
    progress: Progress = ignore_progress,
) -> None:
    """Fit on all pages of a folder; write the model and, beside it, its card."""
    lightgbm()  # raises before any page is drawn
    check_target(target)
    examples = draw_examples(folder, cache=options.cache, progress=progress)
    fit = _fit_elements if options.with_dom else _fit_gaps
    model, card = fit(folder.name, examples, options, report)
    keys = (page_key(each.site, each.page) for each in examples)
    write_model(model, target, keys)
    write_card(card, target)


def _fit_gaps(
    corpus: str, examples: Sequence[DrawnExample], options: SegmentsTraining, report: Report
) -> tuple[Trees, dict[str, Any]]:
    pages = labelled_gaps(examples, options.granularity)
    report(f"fitting {sum(len(page.cut) for page in pages):,} gaps of {len(pages)} pages")
    return fit_cuts(pages, options.granularity, options.seed), card_of(corpus, pages, options)


def _fit_elements(
    corpus: str, examples: Sequence[DrawnExample], options: SegmentsTraining, report: Report
) -> tuple[Trees, dict[str, Any]]:
    pages = labelled_items(examples, options.granularity)
    report(f"fitting {sum(len(page.divided) for page in pages):,} elements of {len(pages)} pages")
    return fit_divisions(pages, options.seed), card_of_divisions(corpus, pages, options)


def card_of(corpus: str, pages: Sequence[Gaps], options: SegmentsTraining) -> dict[str, Any]:
    """The card of a model of cuts: its data and learner."""
    counts = {
        "pages": sum(len(page.cut) > 0 for page in pages),
        "gaps": sum(len(page.cut) for page in pages),
        "cut": int(sum(page.cut.sum() for page in pages)),
    }
    return _card(
        "says how likely people part a drawn page at a gap between its boxes",
        (corpus, counts),
        {
            "models": MODELS,
            "rounds": ROUNDS[options.granularity],
            **PARAMETERS,
            **TREE_SHAPES[options.granularity],
        },
        FEATURE_NAMES,
        options,
    )


def card_of_divisions(
    corpus: str, pages: Sequence[ItemExamples], options: SegmentsTraining
) -> dict[str, Any]:
    """The card of a model of divisions: its data and learner."""
    counts = {
        "pages": sum(len(page.divided) > 0 for page in pages),
        "elements": sum(len(page.divided) for page in pages),
        "divided": int(sum(page.divided.sum() for page in pages)),
    }
    return _card(
        "says how likely people divide an element of a drawn page",
        (corpus, counts),
        {"models": elements.MODELS, "rounds": elements.ROUNDS, **PARAMETERS, **elements.TREE_SHAPE},
        elements.FEATURE_NAMES,
        options,
    )


def _card(
    what: str,
    data: tuple[str, dict[str, int]],
    learner: dict[str, Any],
    names: tuple[str, ...],
    options: SegmentsTraining,
) -> dict[str, Any]:
    corpus, counts = data
    labels = f"people's, data-block = {LEVELS[options.granularity]}"
    return {
        "what": what,
        "made by": options.command,
        "data": {corpus: {**counts, "labels": labels, "licence": licence_of(corpus)}},
        "learner": {**learner, "seed": options.seed},
        "features": list(names),
    }
