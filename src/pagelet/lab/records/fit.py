"""Fitting the model that finds records: boosted trees that predict the F1 of a group."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from pagelet.arrays import Floats
from pagelet.errors import NoGold
from pagelet.lab import Progress, Report, ignore_progress, track
from pagelet.lab.content.scores import read_ground_truth
from pagelet.lab.data import (
    check_target,
    corpora,
    licence_of,
    package_versions,
    write_card,
    write_model,
)
from pagelet.lab.fitting import describe_corpora, warn_of_one_site
from pagelet.lab.learners import boost, fit_without, lightgbm, site_folds, trees_of
from pagelet.lab.records.scores import RecordsGold, letters, read_records, score_texts
from pagelet.lab.seen import page_key
from pagelet.methods.records.candidates import RecordCandidates, find_candidates
from pagelet.methods.records.features import candidate_features
from pagelet.models.trees import Trees
from pagelet.page.dom import html_of
from pagelet.page.html import parse
from pagelet.page.textblocks import readable_texts

ROUNDS = 200
SEED = 1
MAX_MEMBERS = 1000  #: members of a group that is compared with the labels
LIST_WEIGHT = 0.5  #: weight of a list of records that stands alone
GOOD_QUALITY = 0.9  #: F1 of a group that covers the records
OTHER_CORPORA = ("wcxb",)  #: corpora with pages that have no records
MAX_OTHERS = 150  #: pages without records that are learned from
OTHER_TYPES = ("article", "service", "documentation")  #: types of pages without records
GOOD_WEIGHT = 20.0  #: weight of a right group beside that of a wrong one

PARAMETERS: dict[str, Any] = {
    "objective": "regression",
    "num_leaves": 15,
    "learning_rate": 0.06,
    "min_data_in_leaf": 20,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 1,
    "verbose": -1,
}


@dataclass(frozen=True, slots=True, eq=False)
class RecordsExample:
    """The candidates of one page as the learner sees them."""

    site: str
    names: tuple[str, ...]
    features: Floats  #: one line per group
    quality: Floats  #: F1 of each group over records
    weight: float = 1.0


def records_example(gold: RecordsGold, weight: float = 1.0) -> RecordsExample:
    """The features of all groups of a page, and how well each covers the records."""
    candidates = find_candidates(gold.page)
    features = candidate_features(candidates)
    quality = group_quality(gold, candidates)
    return RecordsExample(gold.site, features.names, features.rows, quality, weight)


def read_examples(
    golds: Sequence[RecordsGold], progress: Progress = ignore_progress, *, alone: bool = False
) -> list[RecordsExample]:
    """The pages as they are, the lists of records by themselves, and pages without records.

    Pages without records come from the data folder, unless the examples are of the folder alone.
    """
    examples = [records_example(gold) for gold in track(golds, "describing pages", progress)]
    lists = [_list_alone(gold, each) for gold, each in zip(golds, examples, strict=True)]
    kept = [each for each in lists if each is not None]
    step = "describing lists of records"
    examples += [records_example(each, LIST_WEIGHT) for each in track(kept, step, progress)]
    for folder in () if alone else corpora(OTHER_CORPORA):
        others, step = list(_read_others(folder)), f"describing pages of {folder.name}"
        examples += [records_example(each) for each in track(others, step, progress)]
    return [example for example in examples if len(example.quality)]


def _list_alone(gold: RecordsGold, example: RecordsExample) -> RecordsGold | None:
    """A page that holds nothing but the records; None where no group covers them."""
    if example.quality.max(initial=0) < GOOD_QUALITY:
        return None
    candidates, page = find_candidates(gold.page), gold.page
    members = candidates.members(int(np.argmax(example.quality)))
    first, last = int(candidates.start[members][0]), int(candidates.stop[members][-1])
    row = int(page.parent[first])
    while page.end[row] < last:
        row = int(page.parent[row])
    return replace(gold, page=parse(f"<html><body>{html_of(page, row)}</body></html>"))


def _read_others(folder: Path) -> Iterator[RecordsGold]:
    """Pages of articles, services and manuals, which hold no records."""
    golds = [each for each in read_ground_truth(folder) if each.page_type in OTHER_TYPES]
    for gold in golds[:: max(len(golds) // MAX_OTHERS, 1)]:
        page = parse(gold.html, url=gold.url)
        yield RecordsGold(page, gold.domain, gold.id, ())


def group_quality(gold: RecordsGold, candidates: RecordCandidates) -> Floats:
    """For each group, F1 of its members that are complete records."""
    rows = readable_texts(gold.page)
    parts = [letters(gold.page.text(row)) for row in rows.tolist()]
    whole, bounds = "".join(parts), np.append(0, np.cumsum([len(part) for part in parts]))
    first, last = (np.searchsorted(rows, each) for each in (candidates.start, candidates.stop))
    begin, end = bounds[first].tolist(), bounds[last].tolist()
    texts = [whole[a:b] for a, b in zip(begin, end, strict=True)]
    longest = {max(cells, key=len) for cells in gold.records if cells}
    quality = np.zeros(len(candidates.family))
    for group, count in enumerate(candidates.count.tolist()):
        own = texts[candidates.members(group)]
        if count <= MAX_MEMBERS and any(cell in "\n".join(own) for cell in longest):
            complete = score_texts(gold, own).complete
            quality[group] = min(2 * complete / (count + len(gold.records)), 1)
    return quality


def fit_records(examples: Sequence[RecordsExample], seed: int = SEED) -> Trees:
    """Fit trees to the groups of all pages; a page counts by the root of its groups."""
    quality = [example.quality for example in examples]
    weights = [
        example.weight * (1 + GOOD_WEIGHT * example.quality) / np.sqrt(len(example.quality))
        for example in examples
    ]
    data = lightgbm().Dataset(
        np.concatenate([example.features for example in examples]),
        label=np.concatenate(quality),
        weight=np.concatenate(weights),
    )
    return trees_of(boost({**PARAMETERS, "seed": seed}, data, ROUNDS), examples[0].names)


def unseen_models(
    examples: Sequence[RecordsExample], progress: Progress = ignore_progress
) -> Mapping[str, Trees]:
    """For each site, a model fitted without it; none of a single site."""
    folds = site_folds(each.site for each in examples)
    chosen = sorted(set(folds.values()))
    if len(chosen) < 2:
        return {}
    models = fit_without(examples, lambda each: folds[each.site], chosen, fit_records, progress)
    return {site: models[fold] for site, fold in folds.items()}


def train_records(
    folder: Path,
    target: Path,
    *,
    seed: int,
    alone: bool = False,
    report: Report,
    progress: Progress = ignore_progress,
) -> None:
    """Fit on a labelled folder; write the model and, beside it, its card."""
    lightgbm()  # raises before any page is read
    check_target(target)
    golds = list(read_records(folder))
    report(describe_corpora(folder, [] if alone else corpora(OTHER_CORPORA)))
    examples = read_examples(golds, progress, alone=alone)
    if not examples:
        raise NoGold(str(folder), "pages on which parts repeat, as records do")
    warn_of_one_site((gold.site for gold in golds), report)
    progress(f"fitting {len(examples)} pages", 0, 1)
    keys = (page_key(gold.site, gold.page) for gold in golds)
    write_model(fit_records(examples, seed), target, keys)
    write_card(_card(folder, golds, seed), target)
    progress(f"fitting {len(examples)} pages", 1, 1)


def _card(folder: Path, golds: Sequence[RecordsGold], seed: int) -> dict[str, Any]:
    return {
        "task": "how well a group of elements covers the records of a page",
        "data": {
            folder.name: {
                "pages": len(golds),
                "sites": len({each.site for each in golds}),
                "licence": licence_of(folder.name),
            },
            **{
                each.name: {"pages without records": MAX_OTHERS, "licence": licence_of(each.name)}
                for each in corpora(("wcxb",))
            },
        },
        "rounds": ROUNDS,
        "seed": seed,
        "parameters": PARAMETERS,
        "features": "named in the npz file",
        "packages": package_versions(),
    }
