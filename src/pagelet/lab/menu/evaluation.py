"""Menu detection: the paper's profile, the shipped model, and models that never saw the pages."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from pagelet.lab.figures import Figures
from pagelet.lab.gold import Gold, GoldPage
from pagelet.lab.menu.examples import Corpora, Progress, read_corpora
from pagelet.lab.menu.fit import fit_ranker
from pagelet.lab.menu.scores import Find, MenuScore, score_menus
from pagelet.lab.template.scores import templates
from pagelet.methods.menu import MENU
from pagelet.methods.menu.options import MenuOptions
from pagelet.methods.menu.ranking import rank
from pagelet.methods.registry import Evidence
from pagelet.models.trees import Trees
from pagelet.page.site import SharedRows

COLUMNS = ("menu", "precision", "recall", "F1", "perfect", "pages", "none said", "of")

UNSEEN = "default, unseen"
TRANSFER = "default, transfer"
WITH_SITE = "default, unseen, --site"


def evaluate_menu(
    folder: Path, gold: Gold, *, fit: bool, say: Callable[[str], None] = print
) -> Figures:
    """Score every profile; with `fit`, also models fitted without the pages they answer."""
    ways: dict[str, Find] = {
        "paper": _profile("paper", MenuOptions()),
        "paper, sqrt_of_ratio": _profile("paper", MenuOptions(text_ratio_reading="sqrt_of_ratio")),
        "paper, linear": _profile("paper", MenuOptions(text_ratio_reading="linear")),
        "paper, no fallback": _profile("paper", MenuOptions(candidate_fallback="none")),
        "default, shipped": _profile("default", MenuOptions()),
    }
    if fit:
        known = read_corpora(folder, gold, say)
        models = unseen(folder, gold, known, say)
        ways[UNSEEN] = _fitted(models)
        if gold.format == "sites":
            ways[WITH_SITE] = finder(models, MenuOptions(), templates(folder))
        say(f"fitting without {folder.name}")
        ways[TRANSFER] = _fitted(transferred(folder, gold, known))
    scores = {name: _score(gold, find) for name, find in ways.items()}
    rows = tuple((name, *_cells(score)) for name, score in scores.items())
    notes = (*_notes(scores, gold), *gold.notes)
    return Figures(f"menu detection on {folder.name}", COLUMNS, rows, notes)


def _profile(name: str, options: MenuOptions) -> Find:
    run = MENU.profile(name).run

    def find(gold: GoldPage) -> int | None:
        found = run(gold.page, options, Evidence())
        return found[0].row if found else None

    return find


def _fitted(models: dict[str, Trees] | Trees) -> Find:
    return finder(models, MenuOptions())


def _score(gold: Gold, find: Find) -> MenuScore:
    return score_menus(gold.pages, find, by_page=gold.format == "blocks")


def _cells(score: MenuScore) -> tuple[object, ...]:
    means = (score.precision, score.recall, score.f1, score.perfect)
    return (*means, score.pages, score.none_right, score.none_pages)


def _notes(scores: dict[str, MenuScore], gold: Gold) -> tuple[str, ...]:
    how = "pages" if gold.format == "blocks" else "sites"
    notes = [f"Means over {how}. none said: pages without a menu that were answered with none."]
    if UNSEEN in scores and gold.format != "blocks":
        groups = sorted(scores[UNSEEN].by_group.items(), key=lambda item: item[1])
        weakest = ", ".join(f"{name} {f1:.2f}" for name, f1 in groups[:4])
        notes.append(f"Weakest unseen: {weakest}.")
    return tuple(notes)


PAGE_FOLDS = 5  #: where pages are split instead of sites


#: Sites made with the same theme are left out together: PyCon's of three years are one.
FAMILIES = {"pycon-2013": "pycon", "pycon-2014": "pycon", "pycon-2016": "pycon"}


def folds(gold: Gold) -> Iterator[set[str]]:
    """Groups to leave out together: a site each, or a fifth of the pages of single-page sites."""
    groups = sorted({page.group for page in gold.pages})
    if gold.format == "blocks":
        order = np.random.default_rng(0).permutation(len(groups))
        for first in range(PAGE_FOLDS):
            yield {groups[at] for at in order[first::PAGE_FOLDS].tolist()}
    else:
        for family in sorted({FAMILIES.get(group, group) for group in groups}):
            yield {group for group in groups if FAMILIES.get(group, group) == family}


def unseen(folder: Path, gold: Gold, known: Corpora, say: Progress) -> dict[str, Trees]:
    """A model for each group that was fitted without the group."""
    models: dict[str, Trees] = {}
    for groups in folds(gold):
        say(f"fitting without {', '.join(sorted(groups)[:3])}{' …' if len(groups) > 3 else ''}")
        model = fit_ranker(known.without({(folder.name, group) for group in groups}))
        models |= dict.fromkeys(groups, model)
    return models


def transferred(folder: Path, gold: Gold, known: Corpora) -> Trees:
    """A model fitted without any page of the folder."""
    return fit_ranker(known.without({(folder.name, page.group) for page in gold.pages}))


def finder(
    models: dict[str, Trees] | Trees,
    options: MenuOptions,
    template: Callable[[GoldPage], SharedRows | None] = lambda _: None,
) -> Find:
    """A way to find menus with a model of its own for each group, or one for all."""

    def find(gold: GoldPage) -> int | None:
        model = models if isinstance(models, Trees) else models[gold.group]
        penalties = options.size_penalty, options.share_penalty
        best = rank(gold.page, model, *penalties, template(gold))
        return best.row if best is not None and best.score >= options.min_score else None

    return find
