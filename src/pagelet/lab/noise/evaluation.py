"""Noise removal: every profile on the same result pages, by several protocols."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pagelet.api import analyse
from pagelet.arrays import Floats, Mask
from pagelet.lab.c45 import fit_c45
from pagelet.lab.content.scores import read_content, score_content
from pagelet.lab.data import corpora, one_thread
from pagelet.lab.figures import Figures, Overlap
from pagelet.lab.learners import lightgbm
from pagelet.lab.noise.examples import FOLDS, Example, folds_of, read_examples
from pagelet.lab.noise.protocols import (
    counted,
    default_protocol,
    other_pages,
    paper_lines,
    paper_protocol,
    probabilities,
    unseen,
    unseen_paper,
)
from pagelet.lab.noise.scores import ClassCounts, read_noise, text_score
from pagelet.labels import suggested_note
from pagelet.methods.content import cetd
from pagelet.methods.noise import NOISE
from pagelet.methods.noise.model import noise_model
from pagelet.methods.noise.records import direct_text
from pagelet.page.html import parse
from pagelet.page.table import Page

# -- Noise removal beyond result pages: what is kept of pages of all types, word by word ------


Say = Callable[[str], None]

MOST = 300  #: pages that are asked, evenly spaced


def page_figures(folder: Path, say: Say) -> Figures:
    """F1 of words by page type: the default model, which never saw these pages, and CETD."""
    golds = read_content(folder)
    golds = golds[:: max(len(golds) // MOST, 1)]
    say(f"{len(golds)} pages of {folder.name}")
    found: dict[str, dict[str, list[float]]] = {
        "default": defaultdict(list),
        "cetd": defaultdict(list),
    }
    for gold in golds:
        page = parse(gold.html, url=gold.url)
        for name, text in (("default", kept(page)), ("cetd", dense(page))):
            for kind in ("all", gold.page_type):
                found[name][kind].append(score_content(gold, text).f1)
    kinds = list(found["cetd"])
    rows = tuple(
        (name, *(float(np.mean(by[kind])) for kind in kinds)) for name, by in found.items()
    )
    counts = [f"{kind} ({len(found['cetd'][kind])})" for kind in kinds]
    note = "Trained on result pages alone, without a query: pages of one article are foreign to it."
    return Figures(
        f"noise removal on {folder.name}: F1 of words", ("noise", *counts), rows, (note,)
    )


def kept(page: Page) -> str:
    """The text of what is not noise."""
    return " ".join(
        direct_text(page, item.row) for item in analyse(page, NOISE.name) if item.kind == "content"
    )


def dense(page: Page) -> str:
    """The text that CETD keeps."""
    rows = np.flatnonzero(cetd.kept_text(page, cetd.find_content(page)))
    return " ".join(page.text(row) for row in rows.tolist())


# -- Noise removal: every profile on the same result pages, by several protocols --------------


CLASSES = (
    "content P", "content R", "content F1", "noise F1", "weighted P", "weighted R", "weighted F1",
)  # fmt: skip
COLUMNS = ("noise", *CLASSES, "page F1", "LCS P", "LCS R", "LCS F1")
UNSEEN, BARE, CETD = "default, unseen sites", "default, unseen, no query", "cetd"
SHIPPED, SHIPPED_BARE = "default, shipped", "default, shipped, no query"
PAPER = "paper, unseen sites"

#: Table I of the paper, in percent: LCS P and R of CETD; weighted P, R, F1 of the tree.
PUBLISHED = (
    ("e4s", 38.09, 47.75, 98.3, 98.4, 98.3),
    ("missing", 60.28, 90.42, 99.7, 99.7, 99.6),
    ("pubs", 23.34, 56.64, 99.8, 99.8, 99.8),
    ("drinkgenius", 41.82, 65.32, 99.8, 99.8, 99.8),
    ("onlinerace", 25.33, 17.06, 99.2, 99.2, 99.2),
    ("posteritati", 0.34, 23.46, 99.7, 99.7, 99.6),
    ("book", 89.05, 88.97, 97.5, 98.3, 97.5),
    ("career", 56.85, 83.55, 98.7, 98.5, 98.5),
    ("mldb", 14.91, 36.53, 96.6, 95.6, 95.9),
)


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """What every way says of the units of every page."""

    examples: Sequence[Example]
    said: dict[str, list[Mask]]
    likely: list[Floats]  #: of models that had not seen the site, with the query


def answers(examples: Sequence[Example], say: Say) -> Answers:
    """Fit models without each fifth of the sites, and ask all ways; of one site, the shipped."""
    sites = {each.gold.site for each in examples}
    several = len(sites) > 1
    models = unseen(examples, say=say) if several else dict.fromkeys(sites, noise_model())
    likely = probabilities(examples, models, query=True)
    bare = probabilities(examples, models, query=False)
    threshold = NOISE.profiles["default"].options.threshold
    said = {
        UNSEEN if several else SHIPPED: [each >= threshold for each in likely],
        BARE if several else SHIPPED_BARE: [each >= threshold for each in bare],
        **({PAPER: unseen_paper(examples)} if several else {}),
        CETD: [_dense(each) for each in examples],
    }
    return Answers(examples, said, likely)


def _dense(example: Example) -> Mask:
    """Units whose own text CETD keeps."""
    page = example.sheet.page
    kept = page.sum_children(cetd.kept_text(page, cetd.find_content(page)))
    return np.asarray(kept[example.sheet.units] > 0)


def unseen_figures(found: Answers, name: str, begun: Sequence[str] = ()) -> Figures:
    """Every way on sites it has not seen."""
    rows = tuple((way, *_cells(found.examples, said)) for way, said in found.said.items())
    folds = "Sites in 5 folds; each is answered by models fitted on the other folds."
    notes = (
        "Texts of all pages are counted together; page F1: content F1 of each page, averaged.",
        folds if UNSEEN in found.said else "One site: nothing is fitted without it.",
        "LCS: words of the kept text in common with the records, in order; mean over pages.",
        *begun,
    )
    return Figures(f"noise removal on {name}, unseen sites", COLUMNS, rows, notes)


def _cells(examples: Sequence[Example], said: Sequence[Mask]) -> tuple[float, ...]:
    counts = [counted(each, own) for each, own in zip(examples, said, strict=True)]
    texts = [_text(each, own) for each, own in zip(examples, said, strict=True)]
    told = ((text.precision, text.recall, text.f1) for text in texts)
    means = [float(np.mean(part)) for part in zip(*told, strict=True)]
    pages = float(np.mean([each.content.f1 for each in counts]))
    return (*class_cells(counts), pages, *means)


def class_cells(counts: Iterable[ClassCounts]) -> tuple[float, ...]:
    """Figures of texts or nodes counted together."""
    total = sum(counts, start=ClassCounts())
    content = total.content
    return (content.precision, content.recall, content.f1, total.noisy.f1, *total.weighted)


def _text(example: Example, said: Mask) -> Overlap:
    kept = said[example.sheet.unit_of]
    texts = [text for text, each in zip(example.sheet.texts, kept.tolist(), strict=True) if each]
    return text_score(" ".join(texts), example.gold.text)


def seen_figures(found: Answers, name: str) -> Figures:
    """The paper's protocol, and two pages of a site for its third."""
    threshold = NOISE.profiles["default"].options.threshold
    others = other_pages(found.examples, found.likely)
    third = [
        counted(each, own >= threshold) for each, own in zip(found.examples, others, strict=True)
    ]
    ways = {
        "paper, 66/34 nodes": paper_protocol(found.examples),
        "default, 66/34 nodes": default_protocol(found.examples, found.likely),
        "default, other pages of the site": third,
    }
    rows: list[tuple[Any, ...]] = [(way, *class_cells(counts)) for way, counts in ways.items()]
    notes = (
        "66/34: nodes of each site split at random, the tree fitted on 66 of 100; siblings of a"
        " node may have been learned from.",
        "Other pages: all other labelled pages of the site are remembered.",
    )
    return Figures(f"noise removal on {name}, sites seen", ("noise", *CLASSES), tuple(rows), notes)


def published_figures() -> Figures:
    """Table I as printed."""
    columns = ("dataset", "LCS P (CETD)", "LCS R (CETD)", "P (tree)", "R (tree)", "F1 (tree)")
    notes = (
        "Published; other data. CETD is scored by text, the tree by nodes, weighted by class:",
        "the two sides of the table cannot be compared with each other.",
    )
    return Figures("Lutz, Heuser, Table I, percent", columns, PUBLISHED, notes)


def evaluate_noise(folder: Path, say: Say, *, learners: bool = False) -> dict[str, Figures]:
    """All tables, by what they are about."""
    one_thread()
    examples = read_examples(read_noise(folder))
    found = answers(examples, say)
    tables = {
        "unseen": unseen_figures(found, folder.name, suggested_note(folder, "noise")),
        "seen": seen_figures(found, folder.name),
        "published": published_figures(),
    }
    if learners:
        tables["learners"] = learner_figures(examples, say)
    if wcxb := corpora(("wcxb",)):
        tables["wcxb"] = page_figures(wcxb[0], say)
    return tables


Predict = Callable[[Floats], Floats]
Fit = Callable[[Floats, Mask], Predict]

LEARNER_COLUMNS = ("learner", "content P", "content R", "content F1", "weighted F1")
BOOSTED = {"objective": "binary", "verbose": -1, "num_threads": 1, "deterministic": True, "seed": 1}
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


def learner_figures(examples: Sequence[Example], say: Say) -> Figures:
    """The paper's five features given to every learner."""
    lines = [paper_lines(each) for each in examples]
    fold = folds_of([each.gold.site for each in examples])
    places = np.array([fold[each.gold.site] for each in examples])
    rows = []
    for name, fit in learners():
        say(name)
        total = ClassCounts()
        for left_out in range(FOLDS):
            seen = [lines[at] for at in np.flatnonzero(places != left_out)]
            predict = fit(*(np.concatenate(part) for part in zip(*seen, strict=True)))
            for at in np.flatnonzero(places == left_out).tolist():
                total += counted(examples[at], predict(lines[at][0]) >= 0.5)
        content = total.content
        rows.append((name, content.precision, content.recall, content.f1, total.weighted[2]))
    note = "The paper's five features; sites in 5 folds, each answered by the other four."
    return Figures("learners on unseen sites", LEARNER_COLUMNS, tuple(rows), (note,))


def _tree(confidence: float) -> Fit:
    def fit(lines: Floats, label: Mask) -> Predict:
        names = tuple(map(str, range(lines.shape[1])))
        return fit_c45(lines, label, names, confidence=confidence).predict

    return fit


def _boosted(parameters: dict[str, Any], rounds: int) -> Fit:
    def fit(lines: Floats, label: Mask) -> Predict:
        library = lightgbm()
        data = library.Dataset(lines, label=label.astype(float))
        booster = library.train({**BOOSTED, **parameters}, data, rounds)
        return lambda asked: np.asarray(booster.predict(asked))

    return fit


def _logistic(penalty: float) -> Fit:
    """Logistic regression on standardised logarithms, by L-BFGS."""

    def fit(lines: Floats, label: Mask) -> Predict:
        from scipy.optimize import minimize  # noqa: PLC0415 - comes with the extra `train`

        small = _small(lines)
        mean, spread = small.mean(axis=0), small.std(axis=0) + 1e-9
        known = np.hstack(((small - mean) / spread, np.ones((len(small), 1))))

        def loss(at: Floats) -> tuple[float, Floats]:
            score = known @ at
            value = (np.logaddexp(0, score) - label * score).mean() + penalty / 2 * (at**2).sum()
            error = (1 / (1 + np.exp(-score)) - label) / len(label)
            return float(value), known.T @ error + penalty * at

        found = minimize(loss, np.zeros(known.shape[1]), jac=True, method="L-BFGS-B").x

        def predict(asked: Floats) -> Floats:
            scaled = np.hstack(((_small(asked) - mean) / spread, np.ones((len(asked), 1))))
            return np.asarray(1 / (1 + np.exp(-(scaled @ found))))

        return predict

    return fit


def _small(lines: Floats) -> Floats:
    return np.asarray(np.sign(lines) * np.log1p(np.abs(lines)))
