"""Main content on a labelled folder: models that never saw the page, the paper, the peers."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from pagelet.api import extract
from pagelet.lab import Progress, Report, ignore_line, ignore_progress
from pagelet.lab.content.evaluation import ContentFigures, System, as_system, evaluate_content
from pagelet.lab.content.examples import all_examples, check_sites, fold_of, read_corpora
from pagelet.lab.content.fit import unseen_models
from pagelet.lab.content.scores import ContentGold
from pagelet.lab.data import data_digest, use_one_thread
from pagelet.lab.figures import Figures
from pagelet.lab.learners import lightgbm
from pagelet.lab.peers import PEERS, load_peers
from pagelet.lab.picture import Point, draw
from pagelet.labels import suggested_note
from pagelet.methods.content import CONTENT
from pagelet.methods.content.choice import decide
from pagelet.methods.content.model import ContentModel, content_model
from pagelet.methods.content.page_type import TYPES
from pagelet.models.trees import SHIPPED as SHIPPED_MODEL
from pagelet.page.html import parse
from pagelet.sources.files import read_file

UNSEEN = "pagelet"  #: each page answered by a model fitted without its domain
SHIPPED = "pagelet, shipped (seen in training)"
PAPER = "cetd"
TRAINED_ON = {"chromerag": "wcxb"}  #: peers that were fitted on labels of a format

Models = Mapping[int, str]  #: for each fold, the file of a model that has not seen it


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemsOptions:
    """The systems to compare."""

    peers: tuple[str, ...] = ()
    shipped: bool = False
    target: str | None = None  #: target of extraction; None: the one that fits the labels


@dataclass(frozen=True, slots=True)
class ContentEvaluation:
    """The scores of every system on a folder, and how well ours judges itself."""

    figures: ContentFigures
    self_assessment: Mapping[str, Figures]  #: tables of confidence and page types

    @property
    def tables(self) -> dict[str, Figures]:
        """All tables by their names, the overall figures first."""
        names = ("all", "types")
        return {**dict(zip(names, self.figures.tables, strict=False)), **self.self_assessment}

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: the tables."""
        tables = [table.to_dict() for table in self.tables.values()]
        return {"title": self.figures.title, "tables": tables}

    def picture(self) -> str:
        """F1 against speed as SVG; hollow where a system was fitted on the very pages."""
        labels = self.figures.golds[0].format
        seen = {SHIPPED, *(name for name, corpus in TRAINED_ON.items() if corpus == labels)}
        return draw(points(self.figures, (UNSEEN, SHIPPED), seen), self.figures.title)


def points(
    figures: ContentFigures, ours: Collection[str] = (), seen: Collection[str] = ()
) -> list[Point]:
    """The systems of an evaluation as points of the picture."""
    return [
        Point(name, figures.pages_per_second(name), figures.f1(name), name in ours, name in seen)
        for name in figures.results
    ]


def sample(golds: Sequence[ContentGold], pages: int | None) -> list[ContentGold]:
    """So many pages, evenly spaced; all by default."""
    if pages is None or pages >= len(golds):
        return list(golds)
    return [golds[at * len(golds) // pages] for at in range(pages)]


def folds_of(golds: Sequence[ContentGold]) -> list[int]:
    """The folds of the pages."""
    return sorted({fold_of(gold.domain) for gold in golds})


@contextmanager
def model_files(models: Mapping[int, ContentModel]) -> Iterator[dict[int, str]]:
    """Models of folds as files, which `extract` takes as any user's."""
    with TemporaryDirectory() as folder:
        paths = {fold: Path(folder, f"without-fold-{fold}.npz") for fold in models}
        for fold, model in models.items():
            model.save(paths[fold])
        yield {fold: str(path) for fold, path in paths.items()}


def _model(name: str) -> ContentModel:
    """The shipped model, or the one in a file."""
    return content_model(name, {} if name == SHIPPED_MODEL else {name: read_file("model", name)})


def evaluate_folder(
    folder: Path,
    golds: Sequence[ContentGold],
    models: Models,
    options: SystemsOptions,
    report: Report = ignore_line,
) -> ContentEvaluation:
    """Score all systems on the same pages; models are loaded before the clock starts."""
    target = options.target or golds[0].target
    names = models or dict.fromkeys(folds_of(golds), SHIPPED_MODEL)
    for name in {*names.values(), SHIPPED_MODEL}:
        _model(name)
    systems, notes = _systems(models, target, options)
    title, suggested = f"main content on {folder.resolve().name}", suggested_note(folder, "content")
    figures = evaluate_content(
        golds,
        systems,
        title=title,
        notes=(f"Target {target}; data {data_digest(folder)}.", *notes, *suggested),
        report=report,
    )
    ours = UNSEEN if models else SHIPPED
    assessments = [assess(gold, _model(names[fold_of(gold.domain)]), target) for gold in golds]
    f1 = [result.score.f1 for result in figures.results[ours]]
    tables = {
        "confidence": reliability(assessments, f1, f"{title}: confidence of {ours}"),
        "guessed": page_types(golds, assessments, f"{title}: page types guessed by {ours}"),
    }
    return ContentEvaluation(figures, {name: each for name, each in tables.items() if each.rows})


def evaluate_unseen(
    folder: Path,
    golds: Sequence[ContentGold],
    options: SystemsOptions,
    *,
    report: Report,
    progress: Progress = ignore_progress,
) -> ContentEvaluation:
    """Fit a model for each fold of the pages, on all corpora that are available, then score."""
    use_one_thread()
    lightgbm()  # raises before any page is read
    if options.peers:
        load_peers(options.peers)  # raises for an unknown peer
    corpora = read_corpora(folder, alone=False, report=report, progress=progress)
    examples = all_examples(corpora)
    folds = folds_of(golds)
    for fold in folds:
        check_sites([each for each in examples if each.fold != fold], folder)
    with model_files(unseen_models(examples, folds, report)) as models:
        return evaluate_folder(folder, golds, models, options, report)


def _systems(
    models: Models, target: str, options: SystemsOptions
) -> tuple[dict[str, System], tuple[str, ...]]:
    """The systems by name, ours first, and notes about them."""
    systems: dict[str, System] = {}
    if models:
        systems[UNSEEN] = _by_fold(models, target)
    if options.shipped or not models:
        shipped = CONTENT.with_options("default", {"target": target})
        systems[SHIPPED] = lambda gold: extract(gold.html, gold.url, options=shipped)
    systems[PAPER] = lambda gold: extract(gold.html, gold.url, profile="paper")
    notes = [f"{UNSEEN}: each page is answered by a model fitted without its domain."]
    peers, missing = load_peers(options.peers) if options.peers else ({}, [])
    systems |= {name: as_system(peer) for name, peer in peers.items()}
    if peers:
        versions = ", ".join(f"{name} {PEERS[name].version}" for name in peers)
        notes.append(f"Peers: {versions}.")
    notes += [f"{name}: {PEERS[name].note}." for name in peers if PEERS[name].note]
    if missing:
        notes.append(f"Not installed: {', '.join(missing)}.")
    return systems, tuple(notes[0 if models else 1 :])


def _by_fold(models: Models, target: str) -> System:
    def answer(gold: ContentGold) -> str:
        model = models[fold_of(gold.domain)]
        return extract(
            gold.html,
            gold.url,
            options=CONTENT.with_options("default", {"model": model, "target": target}),
        )

    return answer


# -- self-assessment: confidence against F1, and page types -----------------------------------


CONFIDENCE_GROUPS = 10  #: groups of equally many pages


@dataclass(frozen=True, slots=True)
class SelfAssessment:
    """The extractor's confidence in its answer, and its guess of the page type."""

    confidence: float
    page_type: str | None  #: the likeliest; None for a page without text


def assess(gold: ContentGold, model: ContentModel, target: str) -> SelfAssessment:
    """The confidence of a model on a page, and the type of page it sees."""
    decision = decide(parse(gold.html, gold.url), model, "balanced", target)
    likely = max(decision.page_type, key=decision.page_type.__getitem__, default=None)
    return SelfAssessment(decision.confidence, likely)


def reliability(assessments: Sequence[SelfAssessment], f1: Sequence[float], title: str) -> Figures:
    """Tenths of the pages by confidence: the mean confidence and the mean F1."""
    confidence = np.array([each.confidence for each in assessments])
    reached = np.array(f1, np.float64)
    rows, error = [], 0.0
    order = np.argsort(confidence, kind="stable")
    for part in np.array_split(order, min(CONFIDENCE_GROUPS, len(order))):
        expected, mean = float(confidence[part].mean()), float(reached[part].mean())
        span = f"{confidence[part[0]]:.2f} to {confidence[part[-1]]:.2f}"
        rows.append((span, len(part), expected, mean, mean - expected))
        error += abs(mean - expected) * len(part) / len(order)
    notes = (f"Tenths of the pages, the least sure first; {error:.3f} off on average.",)
    columns = ("confidence", "pages", "mean confidence", "mean F1", "difference")
    return Figures(title, columns, tuple(rows), notes)


def page_types(
    golds: Sequence[ContentGold], assessments: Sequence[SelfAssessment], title: str
) -> Figures:
    """For pages of each type, how many were taken for which type."""
    pairs = [
        (gold.page_type, each.page_type)
        for gold, each in zip(golds, assessments, strict=True)
        if gold.page_type in TYPES
    ]
    counts = Counter(pairs)
    pages = Counter(labelled for labelled, _ in pairs)
    rows = tuple(
        (name, pages[name], counts[name, name] / pages[name], *(counts[name, at] for at in TYPES))
        for name in TYPES
        if pages[name]
    )
    right = sum(counts[name, name] for name in TYPES)
    share = right / max(len(pairs), 1)
    note = f"{right} of {len(pairs)} pages right, {share:.3f}. Columns: the guessed page type."
    return Figures(title, ("page type", "pages", "right", *TYPES), rows, (note,))
