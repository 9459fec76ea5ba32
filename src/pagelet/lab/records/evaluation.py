"""Record extraction scored: result pages of unseen sites, and detail pages of one template."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from pagelet.lab import Report
from pagelet.lab.data import use_one_thread
from pagelet.lab.figures import Figures
from pagelet.lab.records.details import evaluate_details, is_details
from pagelet.lab.records.fit import read_examples, unseen_models
from pagelet.lab.records.scores import (
    RecordScore,
    RecordsGold,
    read_records,
    row_text,
    score_texts,
)
from pagelet.methods.records.ranking import find_records, model_of
from pagelet.methods.records.table import build_table
from pagelet.models.trees import Trees

COLUMNS = ("records", "exact count", "complete", "complete, mean of pages", "pages", "labelled")


def evaluate_records(folder: Path, report: Report) -> dict[str, Figures]:
    """All tables, by name."""
    use_one_thread()
    if is_details(folder):
        return evaluate_details(folder, report)
    golds = list(read_records(folder))
    report(f"{len(golds)} pages of {folder.name}")
    models = unseen_models(read_examples(golds, report), report)
    rows = {
        "default, unseen sites": score_pages(golds, lambda gold: models[gold.site]),
        "default, shipped": score_pages(golds, lambda _: model_of()),
    }
    notes = (
        "Unseen: sites in 5 folds; each is answered by a model fitted on the other folds.",
        "The shipped model has seen the pages.",
    )
    table = tuple((name, *figures_of(scores)) for name, scores in rows.items())
    return {"unseen": Figures(f"records of {folder.name}", COLUMNS, table, notes)}


def score_pages(
    golds: Sequence[RecordsGold], model_for: Callable[[RecordsGold], Trees]
) -> list[RecordScore]:
    """The score of each page by itself."""
    scores = []
    for gold in golds:
        found = find_records(gold.page, model_for(gold))
        table = build_table([gold.page], [found])
        scores.append(score_texts(gold, [row_text(row) for row in table.rows()]))
    return scores


def figures_of(scores: Sequence[RecordScore]) -> tuple[float | int, ...]:
    """The figures of one row."""
    complete, scored = (
        sum(getattr(each, name) for each in scores) for name in ("complete", "scored")
    )
    means = [each.complete / each.scored for each in scores if each.scored]
    exact = float(np.mean([each.exact for each in scores]))
    return exact, complete / max(scored, 1), float(np.mean(means)), len(scores), scored
