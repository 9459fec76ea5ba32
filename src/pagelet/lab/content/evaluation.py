"""Main content: every system on the same pages in one process, in turn on each page."""

import gc
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import Any

import numpy as np

from pagelet.arrays import Floats
from pagelet.lab import Report, ignore_line
from pagelet.lab.content.scores import ARTICLES, ContentGold, mean_f1, mean_overlap, score_content
from pagelet.lab.figures import Figures, Overlap
from pagelet.lab.peers import Extract, quiet

System = Callable[[ContentGold], str]  #: returns the text of a page

COLUMNS = (
    *("system", "F1", "precision", "recall", "least", "most"),
    *("median ms", "p95 ms", "pages/s", "failed", "empty", "slow"),
)
SLOW_SECONDS = 5.0  #: a page that takes longer is counted, not cut short
MAX_WAIT_RATIO = 1.2  #: wall time over processor time beyond which times are unreliable
REPORT_PAGES = 100  #: pages between two lines of progress
BOOTSTRAP_SAMPLES = 1000
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
    report: Report = ignore_line,
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
            if (at + 1) % REPORT_PAGES == 0:
                report(f"{at + 1} of {len(golds)} pages")
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
    notes = [f"{measure}; {len(figures.golds)} pages, one process, one thread."]
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
