"""Noise removal: every profile on the same result pages, by several protocols."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from pagelet.api import analyse
from pagelet.arrays import Floats, Mask
from pagelet.lab import Progress, Report, ignore_progress, track
from pagelet.lab.c45 import C45Options, fit_c45
from pagelet.lab.content.scores import read_ground_truth, score_content
from pagelet.lab.data import corpora, use_one_thread
from pagelet.lab.figures import Figures, Overlap
from pagelet.lab.fitting import (
    SHIPPED_NOTE,
    describe_corpora,
    read_own_model,
    too_few_sites,
)
from pagelet.lab.learners import FOLDS, lightgbm
from pagelet.lab.noise.experiment import (
    experiment_figures,
    join_lines,
    paper_protocol,
    read_lines,
    site_query,
    unseen_paper,
    write_attributes,
)
from pagelet.lab.noise.fit import SEED, NoiseExample, fold_by_site, read_examples
from pagelet.lab.noise.scores import ClassCounts, read_noise, text_score
from pagelet.lab.noise.splits import by_site, count_page
from pagelet.lab.noise.train import (
    default_protocol,
    judge_examples,
    other_pages,
    unseen_models,
)
from pagelet.lab.seen import own_model_note, page_key
from pagelet.labels import suggested_note
from pagelet.methods.content import cetd
from pagelet.methods.noise import NOISE
from pagelet.methods.noise.decision import Judgement, NoiseModel, noise_model, pool_site
from pagelet.methods.noise.page_kind import content_units
from pagelet.methods.noise.records import direct_text
from pagelet.page.html import parse
from pagelet.page.table import Page

# -- pages of all types: words of the kept text ------------------------------------------------


MIN_SITES = 3  #: sites that are needed to leave one out and split the others
MAX_PAGES = 300  #: pages that are scored, evenly spaced


def page_figures(folder: Path, progress: Progress) -> Figures:
    """F1 of words by page type: the default model, which never saw these pages, and CETD."""
    golds = read_ground_truth(folder)
    golds = golds[:: max(len(golds) // MAX_PAGES, 1)]
    f1: dict[str, dict[str, list[float]]] = {
        "default": defaultdict(list),
        "cetd": defaultdict(list),
    }
    for gold in track(golds, f"scoring {folder.name}", progress):
        page = parse(gold.html, url=gold.url)
        for name, text in (("default", kept_text(page)), ("cetd", cetd_text(page))):
            for kind in ("all", gold.page_type):
                f1[name][kind].append(score_content(gold, text).f1)
    kinds = list(f1["cetd"])
    rows = tuple((name, *(float(np.mean(by[kind])) for kind in kinds)) for name, by in f1.items())
    counts = [f"{kind} ({len(f1['cetd'][kind])})" for kind in kinds]
    note = "Trained on result pages alone, without a query: pages of one article are new to it."
    return Figures(
        f"noise removal on {folder.name}: F1 of words", ("noise", *counts), rows, (note,)
    )


def kept_text(page: Page) -> str:
    """The text that is not noise."""
    return " ".join(
        direct_text(page, item.row) for item in analyse(page, NOISE.name) if item.kind == "content"
    )


def cetd_text(page: Page) -> str:
    """The text that CETD keeps."""
    rows = np.flatnonzero(cetd.kept_text(page, cetd.find_content(page)))
    return " ".join(page.text(row) for row in rows.tolist())


# -- result pages: every profile, by several protocols -----------------------------------------


CLASSES = (
    "content P", "content R", "content F1", "noise F1", "weighted P", "weighted R", "weighted F1",
)  # fmt: skip
COLUMNS = ("noise", *CLASSES, "page F1", "LCS P", "LCS R", "LCS F1")
UNSEEN, UNSEEN_NO_QUERY = "default, unseen sites", "default, unseen, no query"
TOGETHER = {1: "default, unseen, two pages", 2: "default, unseen, three pages"}
SHIPPED, SHIPPED_NO_QUERY = "default, shipped", "default, shipped, no query"
PAPER, CETD = "paper, unseen sites", "cetd"
FOLDS_NOTE = "Sites in 5 folds; each is answered by models fitted on the other folds."
TOGETHER_NOTE = (
    "Two, three pages: with the next pages of the site, of other queries; no labels of them."
)


@dataclass(frozen=True, slots=True, eq=False)
class NoiseAnswers:
    """The answers of every system for the units of every page."""

    examples: Sequence[NoiseExample]
    content: dict[str, list[Mask]]  #: units answered as content, by system and page
    probability: list[Floats]  #: by models that had not seen the site, with the query


def run_systems(
    examples: Sequence[NoiseExample],
    *,
    fit: bool,
    own: Mapping[str, NoiseModel] = MappingProxyType({}),
    progress: Progress = ignore_progress,
) -> NoiseAnswers:
    """Run all systems; with `fit`, by models fitted without each fifth of the sites.

    `own` are further models by the names of their rows.

    Without it, and where there are too few sites, the shipped model answers.
    """
    sites = {each.gold.site for each in examples}
    several = fit and len(sites) >= MIN_SITES
    if several:
        models = unseen_models(examples, progress=progress)
    else:
        models = dict.fromkeys(sites, noise_model())
    asked = judge_examples(examples, models, query=True)
    unasked = judge_examples(examples, models, query=False)
    threshold = NOISE.profiles["default"].options.threshold
    no_query = UNSEEN_NO_QUERY if several else SHIPPED_NO_QUERY
    content = {
        UNSEEN if several else SHIPPED: [content_units(each, threshold) for each in asked],
        no_query: [content_units(each, threshold) for each in unasked],
        **(_site_systems(examples, asked, threshold) if several else {}),
        **({PAPER: unseen_paper(examples)} if several else {}),
        CETD: [_cetd_units(each) for each in examples],
    }
    for name, model in own.items():
        judged = judge_examples(examples, dict.fromkeys(sites, model), query=True)
        content[name] = [content_units(each, threshold) for each in judged]
    return NoiseAnswers(examples, content, [each.probability for each in asked])


def _site_systems(
    examples: Sequence[NoiseExample], asked: Sequence[Judgement], threshold: float
) -> dict[str, list[Mask]]:
    """Answers for each page together with the next one or two pages of its site."""
    places: dict[str, list[int]] = defaultdict(list)
    for at, each in enumerate(examples):
        places[each.gold.site].append(at)
    content: dict[str, list[Mask]] = {}
    for others, system in TOGETHER.items():
        content[system] = []
        for at, each in enumerate(examples):
            own = places[each.gold.site]
            begin = own.index(at) + 1
            near = (own[begin:] + own[:begin])[: min(others, len(own) - 1)]
            pooled = pool_site(asked[at], [asked[other] for other in near]) if near else asked[at]
            content[system].append(content_units(pooled, threshold))
    return content


def _cetd_units(example: NoiseExample) -> Mask:
    """Units whose own text CETD keeps."""
    page = example.sheet.page
    kept = page.sum_children(cetd.kept_text(page, cetd.find_content(page)))
    return np.asarray(kept[example.sheet.units] > 0)


def unseen_figures(answers: NoiseAnswers, name: str, more_notes: Sequence[str] = ()) -> Figures:
    """Every system on sites it has not seen."""
    rows = tuple(
        (system, *_cells(answers.examples, content)) for system, content in answers.content.items()
    )
    fitted = UNSEEN in answers.content
    notes = (
        FOLDS_NOTE if fitted else SHIPPED_NOTE,
        "Texts of all pages are counted together; page F1: content F1 of each page, averaged.",
        *((TOGETHER_NOTE,) if fitted else ()),
        "LCS: words of the kept text in common with the records, in order; mean over pages.",
        *more_notes,
    )
    title = f"noise removal on {name}{', unseen sites' * fitted}"
    return Figures(title, COLUMNS, rows, notes)


def _cells(examples: Sequence[NoiseExample], content: Sequence[Mask]) -> tuple[float, ...]:
    counts = [count_page(each, own) for each, own in zip(examples, content, strict=True)]
    scores = [_text_score(each, own) for each, own in zip(examples, content, strict=True)]
    parts = ((score.precision, score.recall, score.f1) for score in scores)
    means = [float(np.mean(part)) for part in zip(*parts, strict=True)]
    pages = float(np.mean([each.content.f1 for each in counts]))
    return (*class_cells(counts), pages, *means)


def class_cells(counts: Iterable[ClassCounts]) -> tuple[float, ...]:
    """Figures of texts or nodes counted together."""
    total = sum(counts, start=ClassCounts())
    content = total.content
    return (content.precision, content.recall, content.f1, total.noisy.f1, *total.weighted)


def _text_score(example: NoiseExample, content: Mask) -> Overlap:
    kept = content[example.sheet.unit_of]
    texts = [text for text, each in zip(example.sheet.texts, kept.tolist(), strict=True) if each]
    return text_score(" ".join(texts), example.gold.text)


# -- what the query is worth ------------------------------------------------------------------

QUERY_COLUMNS = ("query", "pages", "content F1 with", "content F1 without", "gain", "low", "high")
SAMPLES = 2000  #: samples of sites behind an interval
INTERVAL_PERCENT = (2.5, 97.5)


def query_figures(answers: NoiseAnswers, name: str) -> Figures:
    """The same models with the query and with it withheld, on two sets of pages."""
    given, withheld = (answers.content[system] for system in list(answers.content)[:2])
    repeats = np.array([_repeats_query(each) for each in answers.examples])
    rows = []
    for pages, chosen in (("pages that do not repeat it", ~repeats), ("all pages", repeats | True)):
        counts = [
            (each.gold.site, count_page(each, given[at]), count_page(each, withheld[at]))
            for at, each in enumerate(answers.examples)
            if chosen[at]
        ]
        rows.append((pages, len(counts), *_gain_cells(counts)))
    notes = (
        "Pages that do not repeat it: none of their own text inputs has a word of the query.",
        f"Low, high: 95 % interval of the gain by {SAMPLES} samples of sites.",
    )
    return Figures(f"worth of the query on {name}", QUERY_COLUMNS, tuple(rows), notes)


def _repeats_query(example: NoiseExample) -> bool:
    """Whether an input of the page holds words of its query."""
    return bool(example.sheet.typed.words & example.gold.query.words)


def _gain_cells(counts: Sequence[tuple[str, ClassCounts, ClassCounts]]) -> tuple[float, ...]:
    """F1 with and without, their difference, and its interval by site."""
    sites = sorted({site for site, _, _ in counts})
    sums = np.zeros((len(sites), 2, 3))
    for site, *systems in counts:
        for at, each in enumerate(systems):
            sums[sites.index(site), at] += (each.hits, each.false, each.missed)

    def f1(total: Floats) -> Floats:
        return np.asarray(
            2 * total[..., 0] / np.maximum(2 * total[..., 0] + total[..., 1:].sum(-1), 1)
        )

    if not sites:
        return (0.0,) * 5
    given, withheld = f1(sums.sum(axis=0))
    chosen = np.random.default_rng(SEED).integers(0, len(sites), (SAMPLES, len(sites)))
    samples = f1(sums[chosen].sum(axis=1))
    low, high = np.percentile(samples[:, 0] - samples[:, 1], INTERVAL_PERCENT)
    return (float(given), float(withheld), float(given - withheld), float(low), float(high))


def seen_figures(answers: NoiseAnswers, name: str) -> Figures:
    """The paper's protocol, and two pages of a site for its third."""
    threshold = NOISE.profiles["default"].options.threshold
    examples, probability = answers.examples, answers.probability
    pairs = zip(examples, other_pages(examples, probability), strict=True)
    counts = {
        "paper, 66/34 nodes": paper_protocol(examples).values(),
        "default, 66/34 nodes": default_protocol(examples, probability),
        "default, other pages of the site": [
            count_page(each, own >= threshold) for each, own in pairs
        ],
    }
    rows = [(system, *class_cells(each)) for system, each in counts.items()]
    notes = (
        "66/34: nodes of each site split at random, the tree fitted on 66 of 100; siblings of a"
        " node may have been learned from.",
        "Other pages: all other labelled pages of the site are remembered.",
    )
    return Figures(f"noise removal on {name}, sites seen", ("noise", *CLASSES), tuple(rows), notes)


def evaluate_paper(
    folder: Path,
    report: Report,
    *,
    attributes: Path | None = None,
    progress: Progress = ignore_progress,
) -> dict[str, Figures]:
    """The tables of the paper's experiment, by name; its files of attributes into a folder."""
    use_one_thread()
    examples = read_examples(read_noise(folder))
    if attributes is not None:
        report(f"attributes of {write_attributes(examples, attributes)} sites in {attributes}")
    return experiment_figures(examples, folder.name, progress)


def evaluate_noise(
    folder: Path,
    report: Report,
    *,
    fit: bool = True,
    own_model: str = "",
    learners: bool = False,
    progress: Progress = ignore_progress,
) -> dict[str, Figures]:
    """All tables, by name; without `fit` those of the shipped model alone.

    `own_model` is the file of a further model.
    """
    use_one_thread()
    files = read_own_model(own_model)
    own = {Path(name).name: noise_model(name, files) for name in files}
    if fit:
        lightgbm()  # raises before any page is read
    examples = read_examples(read_noise(folder))
    if fit:
        _announce_fits(folder, examples, report)
    answers = run_systems(examples, fit=fit, own=own, progress=progress)
    keys = (page_key(each.gold.site, each.gold.page) for each in examples)
    notes = (*own_model_note(own_model, keys), *suggested_note(folder, "noise"))
    tables = {
        "unseen": unseen_figures(answers, folder.name, notes),
        "query": query_figures(answers, folder.name),
    }
    if not fit:
        return tables
    tables["seen"] = seen_figures(answers, folder.name)
    tables |= experiment_figures(examples, folder.name, progress)
    if learners:
        tables["learners"] = learner_figures(examples, progress)
    if wcxb := corpora(("wcxb",)):
        tables["wcxb"] = page_figures(wcxb[0], progress)
    return tables


def _announce_fits(folder: Path, examples: Sequence[NoiseExample], report: Report) -> None:
    """What is fitted on, or why nothing is."""
    sites = {each.gold.site for each in examples}
    few = len(sites) < MIN_SITES
    report(too_few_sites(sites, MIN_SITES) if few else describe_corpora(folder, ()))


# -- learners compared: tree, forest, boosting and logistic regression, on sites left out ------


Predict = Callable[[Floats], Floats]
Fit = Callable[[Floats, Mask], Predict]

LEARNER_COLUMNS = ("learner", "content P", "content R", "content F1", "weighted F1")
BOOSTING = {
    "objective": "binary",
    "verbose": -1,
    "num_threads": 1,
    "deterministic": True,
    "seed": 1,
}
FOREST = {"boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.63, "feature_fraction": 0.6}


def learners() -> Iterator[tuple[str, Fit]]:
    """Every learner with its main parameters."""
    for confidence in (0.25, 0.05):
        yield f"tree, C4.5, confidence {confidence}", _tree(confidence)
    for leaves in (31, 127):
        yield f"forest, 100 trees, {leaves} leaves", _boosted(FOREST | {"num_leaves": leaves}, 100)
    for rounds, rate in ((100, 0.1), (300, 0.03)):
        name = f"boosting, {rounds} rounds, rate {rate}"
        yield name, _boosted({"num_leaves": 15, "learning_rate": rate}, rounds)
    for penalty in (1e-4, 1e-2):
        yield f"logistic regression, penalty {penalty:g}", _logistic(penalty)


def learner_figures(examples: Sequence[NoiseExample], progress: Progress) -> Figures:
    """Every learner on the paper's five features."""
    queries = {site: site_query(pages) for site, pages in by_site(examples).items()}
    lines = [read_lines(each, queries[each.gold.site]) for each in examples]
    fold = fold_by_site(examples)
    places = np.array([fold[each.gold.site] for each in examples])
    rows = []
    for name, fit in track(list(learners()), "learners", progress):
        total = ClassCounts()
        for left_out in range(FOLDS):
            seen = [lines[at] for at in np.flatnonzero(places != left_out)]
            together = join_lines(seen)
            predict = fit(together.features, together.content)
            for at in np.flatnonzero(places == left_out).tolist():
                total += count_page(examples[at], predict(lines[at].features) >= 0.5)
        content = total.content
        rows.append((name, content.precision, content.recall, content.f1, total.weighted[2]))
    note = "The paper's five features; sites in 5 folds, each answered by the other four."
    return Figures("learners on unseen sites", LEARNER_COLUMNS, tuple(rows), (note,))


def _tree(confidence: float) -> Fit:
    def fit(lines: Floats, label: Mask) -> Predict:
        names = tuple(map(str, range(lines.shape[1])))
        return fit_c45(lines, label, names, C45Options(confidence=confidence)).predict

    return fit


def _boosted(parameters: dict[str, Any], rounds: int) -> Fit:
    def fit(lines: Floats, label: Mask) -> Predict:
        library = lightgbm()
        data = library.Dataset(lines, label=label.astype(float))
        booster = library.train({**BOOSTING, **parameters}, data, rounds)
        return lambda features: np.asarray(booster.predict(features))

    return fit


def _logistic(penalty: float) -> Fit:
    """Logistic regression on standardised logarithms, by L-BFGS."""

    def fit(lines: Floats, label: Mask) -> Predict:
        from scipy.optimize import minimize  # noqa: PLC0415 - comes with the extra `train`

        small = _logarithms(lines)
        mean, spread = small.mean(axis=0), small.std(axis=0) + 1e-9
        scaled = np.hstack(((small - mean) / spread, np.ones((len(small), 1))))

        def loss(at: Floats) -> tuple[float, Floats]:
            score = scaled @ at
            value = (np.logaddexp(0, score) - label * score).mean() + penalty / 2 * (at**2).sum()
            error = (1 / (1 + np.exp(-score)) - label) / len(label)
            return float(value), scaled.T @ error + penalty * at

        weights = minimize(loss, np.zeros(scaled.shape[1]), jac=True, method="L-BFGS-B").x

        def predict(features: Floats) -> Floats:
            columns = (_logarithms(features) - mean) / spread, np.ones((len(features), 1))
            return np.asarray(1 / (1 + np.exp(-(np.hstack(columns) @ weights))))

        return predict

    return fit


def _logarithms(lines: Floats) -> Floats:
    return np.asarray(np.sign(lines) * np.log1p(np.abs(lines)))
