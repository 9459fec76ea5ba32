"""Clutter detection: both profiles and every reading of the decay, over text characters.

Characters inside marked menus and lists of links are clutter. Text in headers, footers, side bars,
ads and search bars outside those is left out: it is clutter in fact, though not marked so. The
earlier figures, in a column of their own, count it as content.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from pagelet.arrays import Mask
from pagelet.errors import NoGold
from pagelet.lab import Progress, Report, ignore_progress, track
from pagelet.lab.figures import Figures, Overlap
from pagelet.lab.fitting import answering_note
from pagelet.lab.gold import CLUTTER_BLOCKS, UNDECIDED_BLOCKS, Gold, GoldPage
from pagelet.lab.learners import FOLDS, fold_of
from pagelet.lab.links.evaluation import ModelChoice, unseen_models
from pagelet.lab.links.examples import LinksGold, read_links
from pagelet.methods.clutter import CLUTTER
from pagelet.methods.clutter.options import ClutterOptions
from pagelet.methods.clutter.probability import (
    KEPT_ROLES,
    ClutterWeights,
    choose,
    find_elements,
    weigh_elements,
)
from pagelet.methods.clutter.ratios import score_blocks
from pagelet.methods.links import model_of
from pagelet.methods.links.groups import find_groups
from pagelet.methods.links.roles import find_roles
from pagelet.methods.registry import Evidence
from pagelet.models.trees import NO_FILES, SHIPPED
from pagelet.page.table import Page

COLUMNS = ("clutter", "precision", "recall", "F1", "mean F1", "earlier F1", "pages")
DECAYS = (0.0, 0.05, 0.10, 0.20, 0.30)
LABELS = (*CLUTTER_BLOCKS, "clutter", "menu", "navigation")  #: labels that stand for clutter
SITE_PAGES = 8  #: other pages of the site that are given
DEFAULT: ClutterOptions = CLUTTER.profiles["default"].options
PAPER: ClutterOptions = CLUTTER.profiles["paper"].options
#: Weights that are tried on the folds that a page is not in.
TRIED_WEIGHTS = tuple(
    ClutterWeights(*each) for each in product((-1.2, -1.8, -2.4), (2.0, 3.0, 4.0))
)

SHIPPED_ROLES_NOTE = (
    "default: the shipped model of the roles of links answers; it may have seen these pages."
)

Answer = Callable[[GoldPage], Mask]  #: marks the clutter of a page


@dataclass(frozen=True, slots=True)
class CharCounts:
    """Characters of one page."""

    both: int  #: clutter in the answer
    answer: int  #: in the answer, what is left out not counted
    wanted: int
    whole_answer: int  #: in the answer, everything counted


def evaluate_clutter(gold: Gold, progress: Progress = ignore_progress) -> Figures:
    """Score every reading on the pages that have clutter labelled.

    The shipped model of the roles of links answers; of a folder without labelled roles no other
    can be fitted.
    """
    pages = [page for page in gold.pages if any(page.rows(label) for label in LABELS)]
    if not pages:
        raise NoGold("these labels", "a page with a mark of clutter or of a menu")
    answers: dict[str, Answer] = {name: _by_method(options) for name, options in _readings()}
    answers["default"] = _by_method(DEFAULT)
    if gold.format == "blocks":
        answers["default, folds"] = _by_folds(pages)
    if gold.format == "sites":
        answers["paper, --site"] = _by_method(PAPER, pages)
        answers["default, --site"] = _by_method(DEFAULT, pages)
    names = track(list(answers), "scoring", progress)
    rows = [(name, *_means(pages, answers[name])) for name in names]
    notes = (
        SHIPPED_ROLES_NOTE,
        "Pooled over characters; mean F1: of each page, averaged over pages, then sites.",
        "Text in headers, footers, side bars, ads and search bars that is neither menu nor list"
        " is left out; earlier F1 counts it as content.",
        "Folds: the constants of the default are those that are best on the other folds.",
    )
    return Figures("link clutter", COLUMNS, tuple(rows), (*notes, *gold.notes))


def _readings() -> list[tuple[str, ClutterOptions]]:
    readings = [("paper", PAPER), ("paper, score 1 too", replace(PAPER, min_score=1))]
    for shape in ("linear", "geometric"):
        for decay in DECAYS:
            if decay or shape == "linear":
                options = replace(PAPER, decay=decay, decay_shape=shape)
                readings.append((f"{shape} decay {decay:.2f}", options))
    return [*readings, ("paper, pictures", replace(PAPER, pictures=True))]


def _by_method(options: ClutterOptions, pages: Sequence[GoldPage] = ()) -> Answer:
    """The answer of a profile, with other pages of the site where they are given."""

    def answer(gold: GoldPage) -> Mask:
        others = _others(pages, gold)[:SITE_PAGES]
        return clutter_mask(gold.page, options.profile, options, Evidence(site=others))

    return answer


def clutter_mask(page: Page, profile: str, options: ClutterOptions, evidence: Evidence) -> Mask:
    """Mark everything at or below the clutter of a page."""
    pagelets = CLUTTER.profile(profile).run(page, options, evidence)
    return page.inside(np.array([item.row for item in pagelets], np.int32))


def _by_folds(pages: Sequence[GoldPage]) -> Answer:
    """The default with the weights that are best on the folds without the page."""
    model = model_of(SHIPPED, NO_FILES)
    masks: dict[str, list[Mask]] = {}
    counts: dict[int, list[list[CharCounts]]] = defaultdict(list)
    for gold in pages:
        roles = find_roles(find_groups(gold.page), model)
        scores = score_blocks(gold.page, DEFAULT)
        found = (weigh_elements(roles, scores, DEFAULT, weights) for weights in TRIED_WEIGHTS)
        chosen = (choose(gold.page, each, DEFAULT).rows for each in found)
        masks[gold.name] = [gold.page.inside(rows.astype(np.int32)) for rows in chosen]
        counts[fold_of(gold.group)].append([count_chars(gold, mask) for mask in masks[gold.name]])
    best = {fold: _best_weights(counts, fold) for fold in range(FOLDS)}
    return lambda gold: masks[gold.name][best[fold_of(gold.group)]]


def _best_weights(counts: dict[int, list[list[CharCounts]]], left_out: int) -> int:
    """The place of the weights with the best pooled F1 on all folds but one."""
    others = [page for fold, pages in counts.items() if fold != left_out for page in pages]
    f1 = [_pooled([page[at] for page in others]).f1 for at in range(len(TRIED_WEIGHTS))]
    return int(np.argmax(f1))


def char_counts(gold: GoldPage, answer: Mask, wanted: Mask) -> tuple[int, int, int]:
    """Characters of counted text in both masks, in the answer, in the wanted rows."""
    chars = gold.page.chars * gold.page.counted
    return int(chars[answer & wanted].sum()), int(chars[answer].sum()), int(chars[wanted].sum())


def count_chars(gold: GoldPage, answer: Mask) -> CharCounts:
    """Characters of counted text in the answer and in the labels."""
    chars, wanted = gold.page.chars * gold.page.counted, gold.mask(*LABELS)
    known = wanted | ~gold.mask(*UNDECIDED_BLOCKS)
    if gold.rows("navigation") and gold.rows("content"):
        known = wanted | gold.mask("content")
    parts = (answer & wanted, answer & known, wanted, answer)
    return CharCounts(*(int(chars[part].sum()) for part in parts))


def _pooled(counts: Iterable[CharCounts], *, earlier: bool = False) -> Overlap:
    each = [(c.both, c.whole_answer if earlier else c.answer, c.wanted) for c in counts]
    return Overlap.of_counts(*np.sum(each, axis=0)) if each else Overlap.of_counts(0, 0, 0)


def _means(pages: Sequence[GoldPage], answer: Answer) -> tuple[Any, ...]:
    groups: dict[str, list[CharCounts]] = defaultdict(list)
    for gold in pages:
        groups[gold.group].append(count_chars(gold, answer(gold)))
    counts = [each for group in groups.values() for each in group]
    means = [np.mean([_pooled([each]).f1 for each in group]) for group in groups.values()]
    whole, earlier = _pooled(counts), _pooled(counts, earlier=True)
    mean = float(np.mean(means))
    return whole.precision, whole.recall, whole.f1, mean, earlier.f1, len(pages)


def _others(pages: Sequence[GoldPage], gold: GoldPage) -> list[Page]:
    return [each.page for each in pages if each.group == gold.group and each is not gold]


# -- labelled roles: content against the rest -------------------------------------------------

ROLE_COLUMNS = ("clutter", "groups right", "precision", "recall", "F1", "content F1", "groups")


def evaluate_clutter_roles(
    folder: Path, *, fit: bool, report: Report = print, progress: Progress = ignore_progress
) -> Figures:
    """Score labelled groups: content, byline and toc are kept, every other role is clutter.

    With `fit`, the roles come from models that have not seen the host of the page.
    """
    golds = list(read_links(folder))
    shipped = model_of(SHIPPED, NO_FILES)
    choices: dict[str, ModelChoice] = {"default, shipped": lambda _: shipped}
    if models := unseen_models(folder, golds, report, progress) if fit else {}:
        choices["default, unseen"] = models.__getitem__
    pairs = {"paper": [pair for gold in golds for pair in _paper_pairs(gold)]}
    for name, model_for in choices.items():
        pairs[name] = [pair for gold in golds for pair in _default_pairs(gold, model_for)]
    rows = tuple((name, *_role_row(each)) for name, each in pairs.items())
    note = answering_note(fitted=bool(models))
    title = f"link clutter on {folder.name}: labelled groups, content against the rest"
    return Figures(title, ROLE_COLUMNS, rows, (note,))


def _paper_pairs(gold: LinksGold) -> list[tuple[bool, bool]]:
    return _pairs(gold, clutter_mask(gold.page, "paper", PAPER, Evidence()))


def _default_pairs(gold: LinksGold, model_for: ModelChoice) -> list[tuple[bool, bool]]:
    found = find_elements(gold.page, DEFAULT, Evidence(), model_for(gold.host))
    rows = choose(gold.page, found, DEFAULT).rows
    return _pairs(gold, gold.page.inside(rows.astype(np.int32)))


def _pairs(gold: LinksGold, answer: Mask) -> list[tuple[bool, bool]]:
    """For each labelled group without mixed ones: is it clutter, is half of its links called so."""
    anchors, page = gold.page.anchors, gold.page
    sums = np.concatenate(([0], np.cumsum(answer[anchors])))
    pairs = []
    for row, role in gold.roles.items():
        if role != "mixed":
            first, last = np.searchsorted(anchors, (row, page.end[row]))
            pairs.append((role not in KEPT_ROLES, 2 * (sums[last] - sums[first]) >= last - first))
    return pairs


def _role_row(pairs: Sequence[tuple[bool, bool]]) -> tuple[float | int, ...]:
    wanted, answer = np.array(pairs, np.bool_).reshape(-1, 2).T
    clutter = Overlap.of_counts((wanted & answer).sum(), answer.sum(), wanted.sum())
    kept = Overlap.of_counts((~wanted & ~answer).sum(), (~answer).sum(), (~wanted).sum())
    right = float((wanted == answer).mean())
    return right, clutter.precision, clutter.recall, clutter.f1, kept.f1, len(pairs)
