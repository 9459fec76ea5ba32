"""Main content: every system on the same pages in one process, page by page in turn."""

import gc
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import Any

import numpy as np

from pagelet.arrays import Floats
from pagelet.lab.content.scores import ContentGold, mean_f1, score_content
from pagelet.lab.figures import Figures, Overlap
from pagelet.lab.peers import Extract, quiet

System = Callable[[ContentGold], str]

COLUMNS = (
    *("system", "F1", "precision", "recall", "least", "most"),
    *("median ms", "p95 ms", "pages/s", "failed", "empty", "slow"),
)
SLOW = 5.0  #: seconds; a page that takes longer is counted, not cut short
WAITED = 1.2  #: times the processor time; beyond that the times are no good
TOLD = 100  #: pages between two lines of progress
DRAWS = 1000  #: samples of the bootstrap
SEED = 7


@dataclass(frozen=True, slots=True)
class Answer:
    """How one system did on one page."""

    score: Overlap
    seconds: float
    busy: float  #: seconds of processor time
    empty: bool
    error: str = ""  #: name of what it raised; an error counts as an empty answer


@dataclass(frozen=True, slots=True)
class ContentFigures:
    """What every system answered, in the order of the pages."""

    title: str
    golds: tuple[ContentGold, ...]
    answers: Mapping[str, tuple[Answer, ...]]
    notes: tuple[str, ...] = ()

    @property
    def tables(self) -> tuple[Figures, ...]:
        """The overall figures, and F1 by page type where there is more than one."""
        types = Counter(gold.page_type for gold in self.golds)
        overall = Figures(self.title, COLUMNS, self._rows(), (*_notes(self), *self.notes))
        return (overall, self._by_type(types)) if len(types) > 1 else (overall,)

    def f1(self, system: str, page_type: str | None = None) -> float:
        """F1 of a system, on one page type or on all pages."""
        pairs = zip(self.golds, self.answers[system], strict=True)
        scores = [each.score for gold, each in pairs if page_type in (None, gold.page_type)]
        return mean_f1(scores, self.golds[0].format)

    def pages_per_second(self, system: str) -> float:
        """How many pages a second a system does, one after the other."""
        return len(self.golds) / max(sum(each.seconds for each in self.answers[system]), 1e-9)

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: the tables."""
        return {"title": self.title, "tables": [table.to_dict() for table in self.tables]}

    def by_page(self) -> dict[str, dict[str, list[float]]]:
        """Precision, recall, F1 and seconds of every system on every page, by id."""
        return {
            name: {
                gold.id: [each.score.precision, each.score.recall, each.score.f1, each.seconds]
                for gold, each in zip(self.golds, answers, strict=True)
            }
            for name, answers in self.answers.items()
        }

    def _rows(self) -> tuple[tuple[Any, ...], ...]:
        spans = difference_spans(self.golds, self.answers)
        return tuple(
            (name, self.f1(name), *_means(answers), *spans[name], *self._pace(name))
            for name, answers in self.answers.items()
        )

    def _pace(self, name: str) -> tuple[Any, ...]:
        answers = self.answers[name]
        spent = np.array([each.seconds for each in answers])
        median, late = np.quantile(spent, [0.5, 0.95]) * 1000
        failed = sum(bool(each.error) for each in answers)
        empty = sum(each.empty for each in answers)
        times = (round(float(median), 3), round(float(late), 3))
        rate = round(self.pages_per_second(name), 2)
        return *times, rate, failed, empty, int((spent > SLOW).sum())

    def _by_type(self, types: Counter[str]) -> Figures:
        columns = ("system", *(f"{name} ({count})" for name, count in types.most_common()))
        names = [name for name, _ in types.most_common()]
        rows = tuple(
            (system, *(self.f1(system, name) for name in names)) for system in self.answers
        )
        return Figures(f"{self.title}: F1 by page type", columns, rows)


def evaluate_content(
    golds: Sequence[ContentGold],
    systems: Mapping[str, System],
    *,
    title: str = "main content",
    notes: Sequence[str] = (),
    say: Callable[[str], None] = lambda _: None,
) -> ContentFigures:
    """Ask every system for every page, in turn, and time each call.

    The first page is answered once before the clock starts. The order of the systems moves on
    by one from page to page, so that none is always the one that finds the page cold.
    """
    names = list(systems)
    found: dict[str, list[Answer]] = {name: [] for name in names}
    with quiet(), _settled(golds, systems):
        for at, gold in enumerate(golds):
            page = gold.held()
            first = at % len(names)
            for name in (*names[first:], *names[:first]):
                found[name].append(ask(systems[name], page))
            if (at + 1) % TOLD == 0:
                say(f"{at + 1} of {len(golds)} pages")
    answers = {name: tuple(each) for name, each in found.items()}
    return ContentFigures(title, tuple(golds), answers, tuple(notes))


def as_system(extract: Extract) -> System:
    """A peer as a system."""
    return lambda gold: extract(gold.html, gold.url)


def ask(system: System, gold: ContentGold) -> Answer:
    """Time one call and score what it gives; whatever it raises is an empty answer."""
    error = text = ""
    start, worked = perf_counter(), process_time()
    try:
        text = system(gold)
    except Exception as raised:  # noqa: BLE001 - a peer may raise anything
        error = type(raised).__name__
    seconds, busy = perf_counter() - start, process_time() - worked
    return Answer(score_content(gold, text), seconds, busy, not text.strip(), error)


@contextmanager
def _settled(golds: Sequence[ContentGold], systems: Mapping[str, System]) -> Iterator[None]:
    """Warm up, then spare the garbage collector what was imported, so it bills nobody for it."""
    for gold in golds[:1]:
        for system in systems.values():
            ask(system, gold)
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _means(answers: Sequence[Answer]) -> tuple[float, float]:
    scores = [each.score for each in answers]
    return (
        sum(score.precision for score in scores) / len(scores),
        sum(score.recall for score in scores) / len(scores),
    )


def _notes(figures: ContentFigures) -> list[str]:
    names = list(figures.answers)
    shingles = figures.golds[0].format == "articles"
    how = "4-word shingles, F1 of the means" if shingles else "Words, mean F1 of the pages"
    notes = [f"{how}; {len(figures.golds)} pages, one process, one thread."]
    if len(names) > 1:
        notes.append(
            f"least, most: 95 % interval of F1 minus that of {names[0]}, domains drawn {DRAWS} "
            f"times. slow: pages that took over {SLOW:g} s."
        )
    if (waited := _waited(figures)) > WAITED:
        notes.append(f"The machine had other work: calls took {waited:.1f} times their own time.")
    for name in names:
        errors = Counter(each.error for each in figures.answers[name] if each.error)
        if errors:
            listed = ", ".join(f"{error} {count}" for error, count in errors.most_common())
            notes.append(f"{name} raised {listed}.")
    return notes


def _waited(figures: ContentFigures) -> float:
    """Time that passed during the calls, as a multiple of the processor time they took."""
    answers = [each for many in figures.answers.values() for each in many]
    busy = sum(each.busy for each in answers)
    return sum(each.seconds for each in answers) / busy if busy else 1.0


# -- how sure a difference is -----------------------------------------------------------------


def difference_spans(
    golds: Sequence[ContentGold], answers: Mapping[str, Sequence[Answer]]
) -> dict[str, tuple[float, float]]:
    """The 95 % interval of each system's F1 minus the first one's, by a paired bootstrap.

    Whole domains are drawn, since pages of one site fail alike; every system sees the same
    draws.
    """
    domains = np.unique([gold.domain for gold in golds], return_inverse=True)[1]
    count = int(domains.max()) + 1
    drawn = np.random.default_rng(SEED).multinomial(count, np.full(count, 1 / count), DRAWS)
    weights = drawn[:, domains].astype(np.float64)
    weights /= weights.sum(axis=1, keepdims=True)
    means = {name: _drawn_f1(each, weights, golds[0].format) for name, each in answers.items()}
    base = means[next(iter(means))]
    return {name: _span(mean - base) for name, mean in means.items()}


def _drawn_f1(answers: Sequence[Answer], weights: Floats, format: str) -> Floats:
    scores = [each.score for each in answers]
    if format != "articles":
        return _weighted(weights, [score.f1 for score in scores])
    precision = _weighted(weights, [score.precision for score in scores])
    recall = _weighted(weights, [score.recall for score in scores])
    return np.asarray(2 * precision * recall / np.maximum(precision + recall, 1e-12))


def _weighted(weights: Floats, values: Sequence[float]) -> Floats:
    return np.asarray(weights @ np.array(values), np.float64)


def _span(differences: Floats) -> tuple[float, float]:
    least, most = np.quantile(differences, [0.025, 0.975])
    return float(least), float(most)
