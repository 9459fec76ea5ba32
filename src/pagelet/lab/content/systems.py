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
from pagelet.lab.content.evaluation import ContentFigures, System, as_system, evaluate_content
from pagelet.lab.content.examples import (
    BARE,
    Each,
    Say,
    all_examples,
    fold_of,
    need_sites,
    read_corpora,
    untold,
)
from pagelet.lab.content.fit import unseen
from pagelet.lab.content.scores import ContentGold
from pagelet.lab.data import data_digest, one_thread
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

# -- Whether the extractor knows what it does: its confidence against F1, its page types ------


GROUPS = 10  #: of equally many pages


@dataclass(frozen=True, slots=True)
class Belief:
    """What the extractor holds of a page and of its own answer."""

    confidence: float
    page_type: str | None  #: the likeliest; None for a page without text


def belief(gold: ContentGold, model: ContentModel, target: str) -> Belief:
    """Ask a model how sure it is and what type of page it sees."""
    found = decide(parse(gold.html, gold.url), model, "balanced", target)
    likely = max(found.page_type, key=found.page_type.__getitem__, default=None)
    return Belief(found.confidence, likely)


def reliability(beliefs: Sequence[Belief], f1: Sequence[float], title: str) -> Figures:
    """Tenths of the pages by confidence: what was said, what was reached."""
    said = np.array([each.confidence for each in beliefs])
    reached = np.array(f1, np.float64)
    rows, off = [], 0.0
    order = np.argsort(said, kind="stable")
    for part in np.array_split(order, min(GROUPS, len(order))):
        mean, held = float(said[part].mean()), float(reached[part].mean())
        span = f"{said[part[0]]:.2f} to {said[part[-1]]:.2f}"
        rows.append((span, len(part), mean, held, held - mean))
        off += abs(held - mean) * len(part) / len(order)
    notes = (f"Tenths of the pages, the least sure first; {off:.3f} off on average.",)
    columns = ("confidence", "pages", "mean confidence", "mean F1", "difference")
    return Figures(title, columns, tuple(rows), notes)


def page_types(golds: Sequence[ContentGold], beliefs: Sequence[Belief], title: str) -> Figures:
    """For pages of each type, how many were taken for which type."""
    known = [
        (gold.page_type, each.page_type)
        for gold, each in zip(golds, beliefs, strict=True)
        if gold.page_type in TYPES
    ]
    counts = Counter(known)
    pages = Counter(labelled for labelled, _ in known)
    rows = tuple(
        (name, pages[name], counts[name, name] / pages[name], *(counts[name, at] for at in TYPES))
        for name in TYPES
        if pages[name]
    )
    right = sum(counts[name, name] for name in TYPES)
    share = right / max(len(known), 1)
    notes = (f"{right} of {len(known)} pages right, {share:.3f}. Columns: what the page was said",)
    return Figures(title, ("page type", "pages", "right", *TYPES), rows, (f"{notes[0]} to be.",))


# -- Main content on a labelled folder: models that never saw the page, the paper, the peers --


UNSEEN = "pagelet"  #: each page answered by a model fitted without its domain
SHIPPED = "pagelet, shipped (seen in training)"
PAPER = "cetd"
TRAINED_ON = {"chromerag": "wcxb"}  #: peers that were fitted on labels of ours

Models = Mapping[int, str]  #: for each fold, the file of a model that has not seen it


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is to be compared, and how."""

    peers: tuple[str, ...] = ()
    shipped: bool = False
    target: str | None = None  #: None: the bare article where the labels are that


@dataclass(frozen=True, slots=True)
class ContentEvaluation:
    """What every system reached on a folder, and whether ours knew."""

    figures: ContentFigures
    trust: Mapping[str, Figures]  #: confidence and guessed page types

    @property
    def tables(self) -> dict[str, Figures]:
        """All tables by what they are about, the overall figures first."""
        return {**dict(zip(("all", "types"), self.figures.tables, strict=False)), **self.trust}

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: the tables."""
        tables = [table.to_dict() for table in self.tables.values()]
        return {"title": self.figures.title, "tables": tables}

    def picture(self) -> str:
        """F1 against speed as SVG; hollow where a system was fitted on the very pages."""
        labels = self.figures.golds[0].format
        seen = {SHIPPED, *(name for name, on in TRAINED_ON.items() if on == labels)}
        return draw(points(self.figures, (UNSEEN, SHIPPED), seen), self.figures.title)


def sample(golds: Sequence[ContentGold], pages: int | None) -> list[ContentGold]:
    """So many pages, evenly spaced; all by default."""
    if pages is None or pages >= len(golds):
        return list(golds)
    return [golds[at * len(golds) // pages] for at in range(pages)]


def folds_of(golds: Sequence[ContentGold]) -> list[int]:
    """The folds the pages lie in."""
    return sorted({fold_of(gold.domain) for gold in golds})


@contextmanager
def stored(models: Mapping[int, ContentModel]) -> Iterator[dict[int, str]]:
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
    asked: Asked,
    say: Say = lambda _: None,
) -> ContentEvaluation:
    """Score everything asked for on the same pages; models are loaded before the clock starts."""
    target = asked.target or ("article" if golds[0].format == BARE else "auto")
    names = models or dict.fromkeys(folds_of(golds), SHIPPED_MODEL)
    for name in {*names.values(), SHIPPED_MODEL}:
        _model(name)
    systems, notes = _systems(models, target, asked)
    title, begun = f"main content on {folder.resolve().name}", suggested_note(folder, "content")
    figures = evaluate_content(
        golds,
        systems,
        title=title,
        notes=(f"Target {target}; data {data_digest(folder)}.", *notes, *begun),
        say=say,
    )
    ours = UNSEEN if models else SHIPPED
    beliefs = [belief(gold, _model(names[fold_of(gold.domain)]), target) for gold in golds]
    f1 = [answer.score.f1 for answer in figures.answers[ours]]
    trust = {
        "confidence": reliability(beliefs, f1, f"{title}: confidence of {ours}"),
        "guessed": page_types(golds, beliefs, f"{title}: page types guessed by {ours}"),
    }
    return ContentEvaluation(figures, {name: each for name, each in trust.items() if each.rows})


def evaluate_unseen(
    folder: Path, golds: Sequence[ContentGold], asked: Asked, *, say: Say, each: Each = untold
) -> ContentEvaluation:
    """Fit a model for each fold the pages lie in, on all corpora at hand, then score."""
    one_thread()
    lightgbm()  # says what is missing before any page is read
    if asked.peers:
        load_peers(asked.peers)  # says if there is no such peer
    examples = all_examples(read_corpora(folder, alone=False, say=say, each=each))
    folds = folds_of(golds)
    for fold in folds:
        need_sites([known for known in examples if known.fold != fold], folder)
    with stored(unseen(examples, folds, say)) as models:
        return evaluate_folder(folder, golds, models, asked, say)


def _systems(
    models: Models, target: str, asked: Asked
) -> tuple[dict[str, System], tuple[str, ...]]:
    """The systems by name, ours first, and what a reader must know of them."""
    systems: dict[str, System] = {}
    if models:
        systems[UNSEEN] = _by_fold(models, target)
    if asked.shipped or not models:
        systems[SHIPPED] = lambda gold: extract(
            gold.html, gold.url, options=CONTENT.with_options("default", {"target": target})
        )
    systems[PAPER] = lambda gold: extract(gold.html, gold.url, profile="paper")
    notes = [f"{UNSEEN}: each page is answered by a model fitted without its domain."]
    found, missing = load_peers(asked.peers) if asked.peers else ({}, [])
    systems |= {name: as_system(peer) for name, peer in found.items()}
    told = (f"{name} {PEERS[name].version}" for name in found)
    if found:
        notes.append(f"Peers: {', '.join(told)}.")
    notes += [f"{name}: {PEERS[name].note}." for name in found if PEERS[name].note]
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


def points(
    figures: ContentFigures, ours: Collection[str] = (), seen: Collection[str] = ()
) -> list[Point]:
    """The systems of an evaluation as points."""
    return [
        Point(name, figures.pages_per_second(name), figures.f1(name), name in ours, name in seen)
        for name in figures.answers
    ]
