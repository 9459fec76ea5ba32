"""Main content on a labelled folder: models that never saw the page, the paper, the peers."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pagelet.analyse import extract
from pagelet.evaluation.content import (
    ContentFigures,
    System,
    as_system,
    evaluate_content,
)
from pagelet.evaluation.content_trust import belief, page_types, reliability
from pagelet.evaluation.peers import PEERS, load_peers
from pagelet.evaluation.picture import draw, points
from pagelet.evaluation.table import Figures
from pagelet.models.content import ContentModel, content_model
from pagelet.models.trees import SHIPPED as SHIPPED_MODEL
from pagelet.scores.annotations import suggested_note
from pagelet.scores.content import ContentGold
from pagelet.scores.digest import data_digest
from pagelet.training.boosting import lightgbm
from pagelet.training.content_corpora import (
    Each,
    Say,
    all_examples,
    need_sites,
    read_corpora,
    untold,
)
from pagelet.training.content_examples import BARE, fold_of
from pagelet.training.content_folds import unseen
from pagelet.training.threads import one_thread

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
        content_model(name)
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
    beliefs = [belief(gold, content_model(names[fold_of(gold.domain)]), target) for gold in golds]
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
        systems[SHIPPED] = lambda gold: extract(gold.html, gold.url, target=target)
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
        return extract(gold.html, gold.url, model=model, target=target)

    return answer
