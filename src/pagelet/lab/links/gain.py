"""What the roles of link groups add to the content model: fits with and without them.

Neither the content model nor the role model that describes a page has seen the page's domain.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from pagelet.arrays import Floats
from pagelet.lab import Progress, Report, ignore_progress, track
from pagelet.lab.content.examples import ContentExample, check_sites, read_corpora
from pagelet.lab.content.fit import TextModels, expected_and_reached, unseen_models
from pagelet.lab.figures import Figures
from pagelet.lab.learners import FOLDS, fold_of
from pagelet.lab.links.examples import links_example, read_links
from pagelet.lab.links.fit import fit_roles
from pagelet.methods.links.features import role_features
from pagelet.methods.links.groups import find_groups
from pagelet.methods.links.options import ROLES
from pagelet.methods.links.roles import predict_roles
from pagelet.models.trees import Trees
from pagelet.page.html import parse
from pagelet.page.table import Page
from pagelet.page.textblocks import text_blocks
from pagelet.page.tree import nearest

COLUMNS = ("content model", "F1", "pages")
NAMES = tuple(f"links_{role}" for role in ROLES)


def evaluate_content_gain(
    folder: Path, report: Report = print, progress: Progress = ignore_progress
) -> Figures:
    """Mean F1 over the words of blocks, by folds of domains, without roles and with them."""
    (corpus,) = read_corpora(folder, alone=True, report=report, progress=progress)
    plain = list(corpus.examples)
    check_sites(plain, folder)
    models = models_by_fold(plain, folder, progress)
    described = [with_roles(each, models[each.fold]) for each in plain]
    rows = tuple(
        (name, float(np.mean(unseen_scores(examples, progress))), len(examples))
        for name, examples in (("as it is", plain), ("with roles of links", described))
    )
    note = "Blocks are chosen by probability alone, so figures differ from evaluate content."
    return Figures(f"content on {folder.name} with roles of link groups", COLUMNS, rows, (note,))


def models_by_fold(
    examples: Sequence[ContentExample], folder: Path, progress: Progress
) -> Mapping[int, Trees]:
    """For each fold of domains, a role model fitted without its pages."""
    fold = {each.gold.id: each.fold for each in examples}
    labelled = [(gold.name, gold.host, links_example(gold)) for gold in read_links(folder)]
    models = {}
    for number in track(range(FOLDS), "fitting roles", progress):
        seen = [each for name, host, each in labelled if fold.get(name, fold_of(host)) != number]
        models[number] = fit_roles(seen)
    return models


def with_roles(example: ContentExample, model: Trees) -> ContentExample:
    """The example with the probability of every role of the smallest group around each block."""
    page = parse(example.gold.html, example.gold.url)
    lines = role_lines(page, model).astype(np.float32)
    return replace(
        example,
        names=(*example.names, *NAMES),
        features=np.concatenate((example.features, lines)),
    )


def role_lines(page: Page, model: Trees) -> Floats:
    """One line per role, one column per text block; zeros where no group is around a block."""
    groups, blocks = find_groups(page), text_blocks(page)
    holds = np.zeros(len(page), np.bool_)
    holds[groups.rows] = True
    around = nearest(page.parent, holds)[blocks.holder]
    probability = np.zeros((len(groups) + 1, len(ROLES)))
    probability[:-1] = predict_roles(role_features(groups), model)
    place = np.where(around >= 0, np.searchsorted(groups.rows, around), len(groups))
    return np.asarray(probability[place].T)


def unseen_scores(examples: Sequence[ContentExample], progress: Progress) -> list[float]:
    """The F1 of every page by a model that has not seen its domain."""
    models = unseen_models(examples, sorted({each.fold for each in examples}), progress)
    scores = []
    for each in examples:
        model = models[each.fold]
        texts = TextModels(model.lexicon, model.types)
        scores.append(expected_and_reached(each, model.trees, texts)[1])
    return scores
