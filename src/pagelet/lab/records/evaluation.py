"""Record extraction scored: result pages of unseen sites, and detail pages of one template."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from pagelet.lab import Progress, Report, ignore_progress
from pagelet.lab.data import corpora, use_one_thread
from pagelet.lab.figures import Figures
from pagelet.lab.fitting import (
    answering_note,
    describe_corpora,
    read_own_model,
    too_few_sites,
)
from pagelet.lab.learners import lightgbm
from pagelet.lab.records.details import evaluate_details, is_details
from pagelet.lab.records.fit import OTHER_CORPORA, read_examples, unseen_models
from pagelet.lab.records.scores import (
    RecordScore,
    RecordsGold,
    read_records,
    row_text,
    score_texts,
)
from pagelet.lab.seen import own_model_note, page_key
from pagelet.methods.records.ranking import find_records, model_of
from pagelet.methods.records.table import build_table
from pagelet.models.trees import Trees

COLUMNS = ("records", "exact count", "complete", "complete, mean of pages", "pages", "labelled")


def evaluate_records(
    folder: Path,
    report: Report,
    *,
    fit: bool = True,
    own_model: str = "",
    progress: Progress = ignore_progress,
) -> dict[str, Figures]:
    """All tables, by name; with `fit`, also models that have not seen the site of a page.

    `own_model` is the file of a further model.
    """
    use_one_thread()
    files = read_own_model(own_model)
    if is_details(folder):
        return evaluate_details(folder, progress)
    golds = list(read_records(folder))
    scores = {"default, shipped": score_pages(golds, lambda _: model_of())}
    for name in files:
        scores[Path(name).name] = score_pages(golds, partial(_always, model_of(name, files)))
    if models := fit_unseen(folder, golds, report, progress) if fit else {}:
        unseen = score_pages(golds, lambda gold: models[gold.site])
        scores = {"default, unseen sites": unseen, **scores}
    table = tuple((name, *figures_of(each)) for name, each in scores.items())
    keys = (page_key(gold.site, gold.page) for gold in golds)
    notes = (answering_note(fitted=bool(models)), *own_model_note(own_model, keys))
    return {"unseen": Figures(f"records of {folder.name}", COLUMNS, table, notes)}


def _always(model: Trees, _gold: RecordsGold) -> Trees:
    return model


def fit_unseen(
    folder: Path, golds: Sequence[RecordsGold], report: Report, progress: Progress
) -> Mapping[str, Trees]:
    """For each site, a model of other folds; none where too few sites are labelled."""
    lightgbm()  # raises before any page is described
    others = corpora(OTHER_CORPORA)
    sites = {gold.site for gold in golds}
    if len(sites) < 2 and not others:
        report(too_few_sites(sites, 2))
        return {}
    report(describe_corpora(folder, others))
    models = unseen_models(read_examples(golds, progress), progress)
    missing = sites - models.keys()  # nothing repeats on any of their pages
    return {**models, **dict.fromkeys(missing, model_of())} if models else {}


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
