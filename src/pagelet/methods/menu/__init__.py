"""The main menu of a page."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from pagelet.methods.menu import paper as menu_paper
from pagelet.methods.menu.copies import menu_copies
from pagelet.methods.menu.options import MenuOptions, PaperMenuOptions
from pagelet.methods.menu.outline import menu_tree, report_rejected, write_outline
from pagelet.methods.menu.ranking import RankedCandidate, rank
from pagelet.methods.registry import Evidence, Method, Profile
from pagelet.models.trees import SHIPPED, Trees, load_shipped, read_trees
from pagelet.page.table import Page
from pagelet.pagelets import Pagelet, Pagelets, WordedReason, Words


def _default(page: Page, options: MenuOptions, evidence: Evidence) -> Pagelets:
    penalties = options.size_penalty, options.share_penalty
    best = rank(page, model_of(options.model, evidence.files), *penalties, evidence.template)
    if best is None or best.score < options.min_score:
        return _result(page, "default", (), best)
    return _result(page, "default", (Pagelet(page, (best.row,), "menu", best.score, best.reason),))


def _paper(page: Page, options: MenuOptions, _: Evidence) -> Pagelets:
    choice = menu_paper.find_menu(page, options)
    return _result(page, "paper", _answer(page, options, choice))


def model_of(name: str, files: Mapping[str, bytes]) -> Trees:
    """The shipped ranking model, or one that `pagelet train menu` wrote."""
    return load_shipped(__name__, "menu") if name == SHIPPED else read_trees(files[name], name)


def _result(
    page: Page, profile: str, menus: tuple[Pagelet, ...], rejected: RankedCandidate | None = None
) -> Pagelets:
    more = partial(_more, page, tuple(menu.row for menu in menus), rejected)
    return Pagelets(page, "menu", profile, menus, more)


def _more(page: Page, rows: tuple[int, ...], rejected: RankedCandidate | None) -> dict[str, Any]:
    """The menu as a tree of labels and links and its copies, or the best place if it has none."""
    tree = [node for row in rows for node in menu_tree(page, row)]
    if rejected is None:
        return {"tree": tree, "copies": [copy for row in rows for copy in menu_copies(page, row)]}
    best = {"path": page.path(rejected.row), "score": round(rejected.score, 6)}
    return {"tree": tree, "copies": [], "rejected": best}


def _answer(
    page: Page, options: MenuOptions, choice: menu_paper.MenuChoice | None
) -> tuple[Pagelet, ...]:
    if choice is None:
        return ()
    values = menu_paper.properties(page, options.text_ratio_reading, options.menu_word_match)
    reason: dict[str, Any] = {name: float(value[choice.row]) for name, value in values.items()}
    reason |= {"weight": choice.weight, "candidates": choice.rule}
    worded = WordedReason(reason, partial(_explain, reason, options))
    return (Pagelet(page, (choice.row,), "menu", choice.score, worded),)


def _explain(reason: Mapping[str, Any], options: MenuOptions) -> Words:
    from pagelet.methods.menu.reasons import explain_weight  # noqa: PLC0415 - few ask why

    return explain_weight(reason, options)


MENU = Method(
    name="menu",
    summary="the main menu, with its links",
    examples=(
        "pagelet menu page.html",
        "pagelet menu https://example.org --format json",
    ),
    kinds=("menu",),
    likely="the menu",
    uses=("template",),
    paper="Alarte, Insa, Silva: Webpage Menu Detection Based on DOM. SOFSEM 2017,"
    " doi:10.1007/978-3-319-51963-0_32",
    profiles={
        "default": Profile(_default, MenuOptions(), "our values"),
        "paper": Profile(_paper, PaperMenuOptions(), "the publication's values"),
    },
    writers={"text": write_outline},
    notes=report_rejected,
)
