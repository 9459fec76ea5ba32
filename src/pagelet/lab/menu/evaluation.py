"""Menu detection: the paper's profile, the shipped model, and models that never saw the pages."""

from collections.abc import Callable
from pathlib import Path

from pagelet.lab.gold import Gold, GoldPage
from pagelet.lab.menu.fit import finder, read_corpora, transferred, unseen
from pagelet.lab.menu.scores import Find, MenuScore, score_menus
from pagelet.lab.table import Figures
from pagelet.lab.template.gain import templates
from pagelet.methods.menu import MENU, MenuOptions
from pagelet.methods.registry import Evidence
from pagelet.models.trees import Trees

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
