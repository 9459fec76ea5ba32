"""Main content on a labelled folder: models that never saw the page, the paper, the peers.

Every system runs on the same pages in one process, in turn on each page.
"""

import gc
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any, TypeVar

import numpy as np

from pagelet.api import extract
from pagelet.arrays import Floats
from pagelet.lab import Progress, Report, ignore_progress
from pagelet.lab.content.examples import (
    all_examples,
    has_folds,
    is_shipped,
    read_corpora,
)
from pagelet.lab.content.fit import unseen_models
from pagelet.lab.content.roles import evaluate_marked_roles
from pagelet.lab.content.scores import ARTICLES, ContentGold, mean_f1, mean_overlap, score_content
from pagelet.lab.data import data_digest, use_one_thread
from pagelet.lab.figures import Figures, Overlap
from pagelet.lab.fitting import SHIPPED_NOTE, too_few_sites
from pagelet.lab.learners import FOLDS, lightgbm
from pagelet.lab.peers import PEERS, PEERS_ADVICE, Extract, load_peers, quiet
from pagelet.lab.picture import Point, draw
from pagelet.lab.seen import own_model_note
from pagelet.labels import has_annotations, suggested_note
from pagelet.methods.content import CONTENT
from pagelet.methods.content.choice import decide
from pagelet.methods.content.model import TYPES, ContentModel, content_model
from pagelet.models.trees import SHIPPED as SHIPPED_MODEL
from pagelet.page.html import parse
from pagelet.sources.files import read_file
from pagelet.wording import count_of

System = Callable[[ContentGold], str]  #: returns the text of a page

COLUMNS = (
    *("system", "F1", "precision", "recall", "least", "most"),
    *("median ms", "p95 ms", "pages/s", "failed", "empty", "slow"),
)
SLOW_SECONDS = 5.0  #: a page that takes longer is counted, not cut short
MAX_WAIT_RATIO = 1.2  #: wall time over processor time beyond which times are unreliable
BOOTSTRAP_SAMPLES = 1000
MIN_SITES = 3  #: sites that are needed to leave one out and split the others
SEED = 7


@dataclass(frozen=True, slots=True)
class SystemResult:
    """The score and time of one system on one page."""

    score: Overlap
    seconds: float
    cpu_seconds: float
    empty: bool
    error: str = ""  #: class name of an exception; it counts as an empty answer


@dataclass(frozen=True, slots=True)
class ContentFigures:
    """The results of every system, in the order of the pages."""

    title: str
    golds: tuple[ContentGold, ...]
    results: Mapping[str, tuple[SystemResult, ...]]
    notes: tuple[str, ...] = ()

    @property
    def tables(self) -> tuple[Figures, ...]:
        """The overall figures, and F1 by page type where there is more than one."""
        types = Counter(gold.page_type for gold in self.golds)
        overall = Figures(self.title, COLUMNS, self._rows(), (*_notes(self), *self.notes))
        return (overall, self._by_type(types)) if len(types) > 1 else (overall,)

    def f1(self, system: str, page_type: str | None = None) -> float:
        """F1 of a system, on one page type or on all pages."""
        pairs = zip(self.golds, self.results[system], strict=True)
        scores = [each.score for gold, each in pairs if page_type in (None, gold.page_type)]
        return mean_f1(scores, self.golds[0].format)

    def pages_per_second(self, system: str) -> float:
        """Pages per second of a system, one after the other."""
        return len(self.golds) / max(sum(each.seconds for each in self.results[system]), 1e-9)

    def _rows(self) -> tuple[tuple[Any, ...], ...]:
        intervals = difference_intervals(self.golds, self.results)
        return tuple(
            (name, self.f1(name), *_means(results), *intervals[name], *self._times(name))
            for name, results in self.results.items()
        )

    def _times(self, name: str) -> tuple[Any, ...]:
        results = self.results[name]
        seconds = np.array([each.seconds for each in results])
        median, p95 = np.quantile(seconds, [0.5, 0.95]) * 1000
        failed = sum(bool(each.error) for each in results)
        empty = sum(each.empty for each in results)
        times = (round(float(median), 3), round(float(p95), 3))
        rate = round(self.pages_per_second(name), 2)
        return *times, rate, failed, empty, int((seconds > SLOW_SECONDS).sum())

    def _by_type(self, types: Counter[str]) -> Figures:
        columns = ("system", *(f"{name} ({count})" for name, count in types.most_common()))
        names = [name for name, _ in types.most_common()]
        rows = tuple(
            (system, *(self.f1(system, name) for name in names)) for system in self.results
        )
        return Figures(f"{self.title}: F1 by page type", columns, rows)


def evaluate_content(
    golds: Sequence[ContentGold],
    systems: Mapping[str, System],
    *,
    title: str = "main content",
    notes: Sequence[str] = (),
    progress: Progress = ignore_progress,
) -> ContentFigures:
    """Run every system on every page, in turn, and time each call.

    The first page is processed once before the clock starts. The order of the systems rotates
    from page to page, so that none always meets the page cold.
    """
    names = list(systems)
    results: dict[str, list[SystemResult]] = {name: [] for name in names}
    with quiet(), _warmed_up(golds, systems):
        for at, gold in enumerate(golds):
            page = gold.in_memory()
            first = at % len(names)
            for name in (*names[first:], *names[:first]):
                results[name].append(run_system(systems[name], page))
            progress("scoring", at + 1, len(golds))
    by_name = {name: tuple(each) for name, each in results.items()}
    return ContentFigures(title, tuple(golds), by_name, tuple(notes))


def as_system(extract: Extract) -> System:
    """A peer as a system."""
    return lambda gold: extract(gold.html, gold.url)


def run_system(system: System, gold: ContentGold) -> SystemResult:
    """Time one call and score its text; an exception counts as an empty answer."""
    error = text = ""
    start, cpu_start = perf_counter(), process_time()
    try:
        text = system(gold)
    except Exception as raised:  # noqa: BLE001 - a peer may raise anything
        error = type(raised).__name__
    seconds, cpu_seconds = perf_counter() - start, process_time() - cpu_start
    return SystemResult(score_content(gold, text), seconds, cpu_seconds, not text.strip(), error)


@contextmanager
def _warmed_up(golds: Sequence[ContentGold], systems: Mapping[str, System]) -> Iterator[None]:
    """Warm up, then freeze what was imported, so that no call pays for collecting it."""
    for gold in golds[:1]:
        for system in systems.values():
            run_system(system, gold)
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _means(results: Sequence[SystemResult]) -> tuple[float, float]:
    mean = mean_overlap([each.score for each in results])
    return mean.precision, mean.recall


def _notes(figures: ContentFigures) -> list[str]:
    names = list(figures.results)
    shingles = figures.golds[0].is_article_body
    measure = "4-word shingles, F1 of the means" if shingles else "Words, mean F1 of the pages"
    notes = [f"{measure}; {count_of(len(figures.golds), 'page')}, one process, one thread."]
    if len(names) > 1:
        notes.append(
            f"least, most: 95 % interval of F1 minus that of {names[0]}, domains drawn"
            f" {BOOTSTRAP_SAMPLES} times. slow: pages that took over {SLOW_SECONDS:g} s."
        )
    if (ratio := _wait_ratio(figures)) > MAX_WAIT_RATIO:
        notes.append(f"The machine had other work: calls took {ratio:.1f} times their own time.")
    for name in names:
        errors = Counter(each.error for each in figures.results[name] if each.error)
        if errors:
            counts = ", ".join(f"{error} {count}" for error, count in errors.most_common())
            notes.append(f"{name} raised {counts}.")
    return notes


def _wait_ratio(figures: ContentFigures) -> float:
    """Wall time of all calls over their processor time."""
    results = [each for many in figures.results.values() for each in many]
    cpu_seconds = sum(each.cpu_seconds for each in results)
    return sum(each.seconds for each in results) / cpu_seconds if cpu_seconds else 1.0


# -- intervals of differences -----------------------------------------------------------------


def difference_intervals(
    golds: Sequence[ContentGold], results: Mapping[str, Sequence[SystemResult]]
) -> dict[str, tuple[float, float]]:
    """The 95 % interval of each system's F1 minus the first one's, by a paired bootstrap.

    Whole domains are drawn, since pages of one site fail alike; the draws are the same for
    every system.
    """
    domains = np.unique([gold.domain for gold in golds], return_inverse=True)[1]
    count = int(domains.max()) + 1
    random = np.random.default_rng(SEED)
    samples = random.multinomial(count, np.full(count, 1 / count), BOOTSTRAP_SAMPLES)
    weights = samples[:, domains].astype(np.float64)
    weights /= weights.sum(axis=1, keepdims=True)
    means = {name: _sampled_f1(each, weights, golds[0].format) for name, each in results.items()}
    base = means[next(iter(means))]
    return {name: _interval(mean - base) for name, mean in means.items()}


def _sampled_f1(results: Sequence[SystemResult], weights: Floats, format: str) -> Floats:
    scores = [each.score for each in results]
    if format != ARTICLES:
        return _weighted(weights, [score.f1 for score in scores])
    precision = _weighted(weights, [score.precision for score in scores])
    recall = _weighted(weights, [score.recall for score in scores])
    return np.asarray(2 * precision * recall / np.maximum(precision + recall, 1e-12))


def _weighted(weights: Floats, values: Sequence[float]) -> Floats:
    return np.asarray(weights @ np.array(values), np.float64)


def _interval(differences: Floats) -> tuple[float, float]:
    least, most = np.quantile(differences, [0.025, 0.975])
    return float(least), float(most)


UNSEEN = "pagelet"  #: each page answered by a model fitted without its domain
SHIPPED = "pagelet, shipped (seen in training)"
SHIPPED_ELSEWHERE = "pagelet, shipped"  #: on pages that are not of the corpora it was fitted on
UNSEEN_NOTE = f"{UNSEEN}: each page is answered by a model fitted without its domain."
PAPER = "cetd"
TRAINED_ON = {"chromerag": "wcxb"}  #: peers that were fitted on labels of a format

Models = Mapping[int, str]  #: for each fold, the file of a model that has not seen it


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemsOptions:
    """The systems to compare."""

    peers: tuple[str, ...] = ()
    shipped: bool = False
    target: str | None = None  #: target of extraction; None: the one that fits the labels
    model: str = ""  #: file of a further model that is scored


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
        shipped = (SHIPPED, SHIPPED_ELSEWHERE)
        seen = {*shipped, *(name for name, corpus in TRAINED_ON.items() if corpus == labels)}
        return draw(points(self.figures, (UNSEEN, *shipped), seen), self.figures.title)


def points(
    figures: ContentFigures, ours: Collection[str] = (), seen: Collection[str] = ()
) -> list[Point]:
    """The systems of an evaluation as points of the picture."""
    return [
        Point(name, figures.pages_per_second(name), figures.f1(name), name in ours, name in seen)
        for name in figures.results
    ]


Gold = TypeVar("Gold")


def sample(golds: Sequence[Gold], pages: int | None) -> list[Gold]:
    """So many pages, evenly spaced; all by default."""
    if pages is None or pages >= len(golds):
        return list(golds)
    return [golds[at * len(golds) // pages] for at in range(pages)]


def folds_of(golds: Sequence[ContentGold]) -> list[int]:
    """The folds of the pages."""
    return sorted({gold.fold for gold in golds})


@contextmanager
def model_files(models: Mapping[int, ContentModel]) -> Iterator[dict[int, str]]:
    """Models of folds as files, which `extract` takes as any user's."""
    with TemporaryDirectory() as folder:
        paths = {fold: Path(folder, f"without-fold-{fold}.npz") for fold in models}
        for fold, model in models.items():
            paths[fold].write_bytes(model.to_bytes())
        yield {fold: str(path) for fold, path in paths.items()}


def _model(name: str) -> ContentModel:
    """The shipped model, or the one in a file."""
    return content_model(name, {} if name == SHIPPED_MODEL else {name: read_file("model", name)})


def evaluate_folder(
    folder: Path,
    golds: Sequence[ContentGold],
    models: Models,
    options: SystemsOptions,
    progress: Progress = ignore_progress,
) -> ContentEvaluation:
    """Score all systems on the same pages; models are loaded before the clock starts."""
    target = options.target or golds[0].target
    names = models or dict.fromkeys(folds_of(golds), SHIPPED_MODEL)
    for name in {*names.values(), SHIPPED_MODEL, options.model or SHIPPED_MODEL}:
        _model(name)
    shipped = SHIPPED if is_shipped(folder) else SHIPPED_ELSEWHERE
    systems, notes = _systems(models, target, options, shipped)
    title, suggested = f"main content on {folder.resolve().name}", suggested_note(folder, "content")
    seen = own_model_note(options.model, (gold.key for gold in golds))
    figures = evaluate_content(
        golds,
        systems,
        title=title,
        notes=(f"Target {target}; data {data_digest(folder)}.", *notes, *seen, *suggested),
        progress=progress,
    )
    ours = UNSEEN if models else shipped
    assessments = [assess(gold, _model(names[gold.fold]), target) for gold in golds]
    f1 = [result.score.f1 for result in figures.results[ours]]
    tables = {
        "confidence": reliability(assessments, f1, f"{title}: confidence of {ours}"),
        "guessed": page_types(golds, assessments, f"{title}: page types guessed by {ours}"),
    }
    if has_annotations(folder):
        tables["roles"] = evaluate_marked_roles(folder)
    return ContentEvaluation(figures, {name: each for name, each in tables.items() if each.rows})


def evaluate_unseen(
    folder: Path,
    golds: Sequence[ContentGold],
    options: SystemsOptions,
    *,
    report: Report,
    progress: Progress = ignore_progress,
) -> ContentEvaluation:
    """Fit a model for each fold of the pages, on all corpora that are available, then score.

    Where too few sites are labelled, the shipped model answers.
    """
    if options.peers:
        load_peers(options.peers)  # raises for an unknown peer
    with model_files(fit_unseen(folder, folds_of(golds), report, progress)) as models:
        return evaluate_folder(folder, golds, models, options, progress)


def fit_unseen(
    folder: Path, folds: Sequence[int], report: Report, progress: Progress = ignore_progress
) -> Mapping[int, ContentModel]:
    """A model for each fold that has not seen its domains; none of too few sites."""
    use_one_thread()
    lightgbm()  # raises before any page is read
    corpora = read_corpora(folder, alone=False, report=report, progress=progress)
    examples = all_examples(corpora)
    if not all(has_folds(each for each in examples if each.fold != fold) for fold in folds):
        report(too_few_sites({each.gold.domain for each in examples}, MIN_SITES))
        return {}
    return unseen_models(examples, folds, progress)


def _systems(
    models: Models, target: str, options: SystemsOptions, shipped: str
) -> tuple[dict[str, System], tuple[str, ...]]:
    """The systems by name, ours first, and notes about them."""
    systems: dict[str, System] = {}
    if models:
        systems[UNSEEN] = _by_fold(models, target)
    if options.shipped or not models:
        systems[shipped] = _by_fold({}, target)
    if options.model:
        systems[Path(options.model).name] = _by_fold(
            dict.fromkeys(range(FOLDS), options.model), target
        )
    systems[PAPER] = lambda gold: extract(gold.html, gold.url, profile="paper")
    notes = [
        UNSEEN_NOTE if models else SHIPPED_NOTE,
        "The heading is in the text where the labels of the corpus have it: mixed, forums.",
    ]
    peers, missing = load_peers(options.peers) if options.peers else ({}, [])
    systems |= {name: as_system(peer) for name, peer in peers.items()}
    if peers:
        versions = ", ".join(f"{name} {PEERS[name].version}" for name in peers)
        notes.append(f"Peers: {versions}.")
    notes += [f"{name}: {PEERS[name].note}." for name in peers if PEERS[name].note]
    if missing:
        notes.append(f"Not installed: {', '.join(missing)}; {PEERS_ADVICE}.")
    return systems, tuple(notes)


def _by_fold(models: Models, target: str) -> System:
    def answer(gold: ContentGold) -> str:
        model = models[gold.fold] if models else SHIPPED_MODEL
        changes = {"model": model, "target": target, "with_title": gold.with_title}
        return extract(gold.html, gold.url, options=CONTENT.with_options("default", changes))

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
