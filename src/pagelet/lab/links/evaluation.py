"""Roles of link groups scored, by models that have not seen the host of the page.

A labelled group is met by the returned group whose links overlap its own best (F1 over links
above 0.5), else by the smallest returned group that holds it; one that is not met is wrong.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from pagelet.arrays import Ints
from pagelet.lab import Progress, Report, ignore_progress, track
from pagelet.lab.figures import Figures
from pagelet.lab.fitting import (
    answering_note,
    describe_corpora,
    read_own_model,
    too_few_sites,
)
from pagelet.lab.learners import fit_without, fold_of, lightgbm, site_folds
from pagelet.lab.links.examples import LinksGold, links_example, read_links
from pagelet.lab.links.fit import fit_roles
from pagelet.lab.seen import own_model_note, page_key
from pagelet.methods.links import model_of
from pagelet.methods.links.answer import answer
from pagelet.methods.links.groups import find_groups
from pagelet.methods.links.options import ROLES, LinksOptions
from pagelet.methods.links.roles import find_roles
from pagelet.models.trees import NO_FILES, SHIPPED, Trees, read_trees
from pagelet.pagelets import Pagelets

ModelChoice = Callable[[str], Trees]  #: the model for the pages of a host

SCORED = tuple(role for role in ROLES if role != "mixed")
MISSED = "none"  #: stands for the answer where no returned group meets a labelled one
MET = 0.5  #: F1 over links above which a returned group meets a labelled one
COLUMNS = ("links", "groups right", "mean of pages", "macro F1", "content F1", "groups", "pages")


@dataclass(frozen=True, slots=True)
class RoleScores:
    """Pairs of labelled and returned roles, page by page."""

    pages: Sequence[Sequence[tuple[str, str]]]

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """All pairs."""
        return [pair for page in self.pages for pair in page]

    def row(self) -> tuple[float | int, ...]:
        """The figures of the table."""
        means = [np.mean([one == other for one, other in page]) for page in self.pages if page]
        right = [one == other for one, other in self.pairs]
        macro = float(np.mean([self.f1(role) for role in SCORED]))
        content = self.f1("content")
        return float(np.mean(right)), float(np.mean(means)), macro, content, len(right), len(means)

    def f1(self, role: str) -> float:
        """F1 of one role."""
        both = sum(one == other == role for one, other in self.pairs)
        each = sum((one == role) + (other == role) for one, other in self.pairs)
        return 2 * both / each if each else 0.0

    def confusion(self) -> tuple[tuple[str | float, ...], ...]:
        """For each labelled role, how often each role was returned, the most frequent first."""
        rows = []
        for role in SCORED:
            returned = Counter(other for one, other in self.pairs if one == role)
            words = ", ".join(f"{other} {count}" for other, count in returned.most_common())
            rows.append((role, returned.total(), self.f1(role), words))
        return tuple(rows)


def evaluate_links(
    folder: Path,
    *,
    fit: bool,
    own_model: str = "",
    report: Report = print,
    progress: Progress = ignore_progress,
) -> dict[str, Figures]:
    """Score the shipped model, and with `fit` models that have not seen the host.

    `own_model` is the file of a further model.
    """
    own = {
        Path(name).name: read_trees(data, name) for name, data in read_own_model(own_model).items()
    }
    golds = list(read_links(folder))
    scores = {"default, shipped": score_roles(golds, lambda _: model_of(SHIPPED, NO_FILES))}
    for name, model in own.items():
        scores[name] = score_roles(golds, partial(_always, model))
    models = unseen_models(folder, golds, report, progress) if fit else {}
    if models:
        scores["default, unseen"] = score_roles(golds, models.__getitem__)
        bare = list(read_links(folder, names=False))
        scores["default, unseen, no names"] = score_roles(bare, models.__getitem__)
    shown = scores["default, unseen" if models else "default, shipped"]
    rows = tuple((name, *score.row()) for name, score in scores.items())
    keys = (page_key(gold.host, gold.page) for gold in golds)
    notes = (answering_note(fitted=bool(models)), *own_model_note(own_model, keys))
    title = f"roles of link groups on {folder.name}"
    confusion = Figures(
        f"{title}: what each labelled role was taken for",
        ("role", "groups", "F1", "returned as"),
        shown.confusion(),
    )
    return {"roles": Figures(title, COLUMNS, rows, notes), "confusion": confusion}


def _always(model: Trees, _host: str) -> Trees:
    return model


def unseen_models(
    folder: Path, golds: Sequence[LinksGold], report: Report, progress: Progress
) -> dict[str, Trees]:
    """For each host, a model fitted without its fold; none where too few hosts are labelled."""
    lightgbm()  # raises before any page is described
    hosts = {gold.host for gold in golds}
    if len(hosts) < 2:
        report(too_few_sites(hosts, 2))
        return {}
    report(describe_corpora(folder, ()))
    folds = host_folds(hosts)
    examples = [links_example(gold) for gold in track(golds, "describing pages", progress)]
    chosen = sorted(set(folds.values()))
    models = fit_without(examples, lambda each: folds[each.host], chosen, fit_roles, progress)
    return {host: models[fold] for host, fold in folds.items()}


def host_folds(hosts: Iterable[str]) -> dict[str, int]:
    """The fold of each host by its name; drawn anew where all names fall into one fold."""
    folds = {host: fold_of(host) for host in hosts}
    return folds if len(set(folds.values())) > 1 else site_folds(folds)


def score_roles(golds: Iterable[LinksGold], model_for: ModelChoice) -> RoleScores:
    """Labelled and returned roles of every page."""
    pages = []
    for gold in golds:
        model = model_for(gold.host)
        result = answer(find_roles(find_groups(gold.page), model), LinksOptions(), model)
        pages.append(match_roles(gold, result))
    return RoleScores(pages)


def match_roles(gold: LinksGold, result: Pagelets) -> list[tuple[str, str]]:
    """The labelled role of each group, without mixed ones, and the role that was returned."""
    page = gold.page
    rows = np.array([item.row for item in result], np.intp)
    first, last = (np.searchsorted(page.anchors, each) for each in (rows, page.end[rows]))
    roles = [str(item.role) for item in result]
    pairs = []
    for row, role in gold.roles.items():
        if role != "mixed":
            bounds = np.searchsorted(page.anchors, (row, page.end[row]))
            at = _meeting(first, last, bounds)
            pairs.append((role, MISSED if at < 0 else roles[at]))
    return pairs


def _meeting(first: Ints, last: Ints, bounds: Ints) -> int:
    """The returned group that meets a labelled one; -1 where none does."""
    if not len(first):
        return -1
    shared = np.maximum(np.minimum(last, bounds[1]) - np.maximum(first, bounds[0]), 0)
    overlap = 2 * shared / (last - first + bounds[1] - bounds[0])
    best = int(np.argmax(overlap))
    if overlap[best] > MET:
        return best
    holds = np.flatnonzero((first <= bounds[0]) & (last >= bounds[1]))
    return int(holds[np.argmin((last - first)[holds])]) if len(holds) else -1
