"""Main content by snippets: what must be in the text of a page, and what must not.

A folder holds `snippets.json`, by URL: the `file` in `html/`, snippets `with` and `without`. White
space is folded; a snippet is in the text or not. Precision, recall and F1 are over all snippets:
wanted ones that are found, unwanted ones that are, wanted ones that are not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

from pagelet.api import extract
from pagelet.errors import NoGold
from pagelet.lab import Progress, Report, ignore_progress
from pagelet.lab.content.evaluation import (
    SHIPPED,
    UNSEEN,
    UNSEEN_NOTE,
    Models,
    SystemsOptions,
    fit_unseen,
    model_files,
)
from pagelet.lab.content.examples import CORPORA
from pagelet.lab.content.snippet_gold import SnippetGold, fold
from pagelet.lab.data import corpora, data_digest, data_folder
from pagelet.lab.figures import Figures, Overlap
from pagelet.lab.fitting import SHIPPED_NOTE
from pagelet.lab.learners import FOLDS, fold_of
from pagelet.lab.peers import PEERS, PEERS_ADVICE, load_peers, quiet
from pagelet.lab.seen import own_model_note
from pagelet.methods.content import CONTENT
from pagelet.models.trees import SHIPPED as SHIPPED_MODEL

TARGETS = {"auto": "", "article": ", article"}  #: targets that are scored, and names of their rows
COLUMNS = ("system", "F1", "precision", "recall", "wanted", "unwanted", "missing", "empty", "ms")


@dataclass(slots=True)
class Tally:
    """Counts of one system over all pages."""

    wanted: int = 0  #: wanted snippets in the text
    unwanted: int = 0  #: unwanted ones in the text
    missing: int = 0  #: wanted ones that are not
    empty: int = 0  #: pages without an answer
    seconds: float = 0.0  #: processor time

    def add(self, gold: SnippetGold, text: str) -> None:
        """Count one answer."""
        folded = fold(text)
        met = sum(fold(each) in folded for each in gold.wanted)
        self.wanted += met
        self.missing += len(gold.wanted) - met
        self.unwanted += sum(fold(each) in folded for each in gold.unwanted)
        self.empty += not folded

    def to_row(self, name: str, pages: int) -> tuple[Any, ...]:
        """The row of a table."""
        labelled, answered = self.wanted + self.missing, self.wanted + self.unwanted
        score = Overlap.of_counts(self.wanted, answered, labelled)
        counts = (self.wanted, self.unwanted, self.missing, self.empty)
        milliseconds = round(1000 * self.seconds / max(pages, 1), 2)
        return (name, score.f1, score.precision, score.recall, *counts, milliseconds)


def evaluate_snippets(
    folder: Path,
    golds: Sequence[SnippetGold],
    models: Models,
    options: SystemsOptions,
    progress: Progress = ignore_progress,
) -> Figures:
    """Score every system on the same pages; ours without the heading, which no snippet wants."""
    systems, notes = _systems(models, options)
    tallies = {name: Tally() for name in systems}
    with quiet():
        for at, gold in enumerate(golds, 1):
            html = gold.html
            for name, system in systems.items():
                tallies[name].add(gold, _timed(tallies[name], system, gold, html))
            progress("scoring", at, len(golds))
    rows = tuple(tally.to_row(name, len(golds)) for name, tally in tallies.items())
    measure = f"Snippets in the text, {len(golds)} pages; ms: processor time of a page."
    title = f"main content on {folder.resolve().name}"
    notes += own_model_note(options.model, (gold.key for gold in golds))
    return Figures(title, COLUMNS, rows, (measure, *notes, f"Data {data_digest(folder)}."))


def evaluate_snippets_unseen(
    folder: Path,
    golds: Sequence[SnippetGold],
    options: SystemsOptions,
    *,
    report: Report,
    progress: Progress = ignore_progress,
) -> Figures:
    """The same with a model for each fold that has not seen its domains."""
    folds = sorted({fold_of(gold.domain) for gold in golds})
    labelled = corpora(CORPORA)
    if not labelled:
        raise NoGold(str(data_folder()), f"one of {', '.join(CORPORA)} to fit models on")
    with model_files(fit_unseen(labelled[0], folds, report, progress)) as models:
        return evaluate_snippets(folder, golds, models, options, progress)


def _timed(tally: Tally, system: Any, gold: SnippetGold, html: bytes) -> str:
    start = process_time()
    try:
        return str(system(gold, html))
    except Exception:  # noqa: BLE001 - a peer may raise anything; it counts as no answer
        return ""
    finally:
        tally.seconds += process_time() - start


def _systems(models: Models, options: SystemsOptions) -> tuple[dict[str, Any], list[str]]:
    """The systems by name, ours first, and notes about them."""
    targets = [options.target] if options.target else list(TARGETS)
    systems: dict[str, Any] = {}
    for target in targets:
        ours = f"{UNSEEN if models else SHIPPED}{TARGETS.get(target, f', {target}')}"
        systems[ours] = _ours(models, target)
    if models and options.shipped:
        systems[SHIPPED] = _ours({}, targets[0])
    if options.model:
        own = dict.fromkeys(range(FOLDS), options.model)
        systems[Path(options.model).name] = _ours(own, targets[0])
    peers, missing = load_peers(options.peers) if options.peers else ({}, [])
    for name, peer in peers.items():
        systems[name] = lambda gold, html, peer=peer: peer(html, gold.url)
    notes = [
        UNSEEN_NOTE if models else SHIPPED_NOTE,
        "Ours with with_title=never: the labels are of the text without its heading.",
    ]
    notes += [f"{name} {PEERS[name].version}." for name in peers]
    return systems, notes + [f"Not installed: {name}; {PEERS_ADVICE}." for name in missing]


def _ours(models: Mapping[int, str], target: str) -> Any:
    def answer(gold: SnippetGold, html: bytes) -> str:
        model = models[fold_of(gold.domain)] if models else SHIPPED_MODEL
        changes = {"model": model, "target": target, "with_title": "never"}
        return extract(html, gold.url, options=CONTENT.with_options("default", changes))

    return answer
