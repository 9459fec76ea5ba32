"""The main menu of a page."""

from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal

from pagelet.methods.menu import paper as menu_paper
from pagelet.methods.menu.outline import menu_tree
from pagelet.methods.menu.ranking import RankedCandidate, rank
from pagelet.methods.registry import Evidence, Method, Profile, option
from pagelet.models.trees import SHIPPED, Trees, load_trees, shipped
from pagelet.page.table import Page
from pagelet.pagelets import Pagelet, Pagelets


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuOptions:
    """Options of menu detection; those marked (paper) act in the paper profile only."""

    min_score: float = option(0.38, "score below which the answer is none (default)", 0, 1)
    size_penalty: float = option(
        0.05, "what a candidate loses with the logarithm of its size (default)", 0, 1
    )
    share_penalty: float = option(
        0.35, "what the answer's score loses with its share of the page's links (default)", 0, 1
    )
    model: str = option(SHIPPED, "the ranking model: shipped, or an npz file (default)")
    amplitude_weight: float = option(0.20, "weight of the amplitude (paper)", 0, 1)
    link_ratio_weight: float = option(0.10, "weight of the link ratio (paper)", 0, 1)
    text_ratio_weight: float = option(0.30, "weight of the text ratio (paper)", 0, 1)
    ul_ratio_weight: float = option(0.20, "weight of being a ul (paper)", 0, 1)
    representative_weight: float = option(
        0.10, "weight of a telling tag, class or id (paper)", 0, 1
    )
    position_weight: float = option(0.10, "weight of standing early in the page (paper)", 0, 1)
    menu_threshold: float = option(0.80, "weight of a heavy row (paper)", 0, 1)
    root_threshold: float = option(0.70, "share of the candidate's weight to climb (paper)", 0, 1)
    candidate_threshold: float = option(0.85, "weight of a candidate (paper)", 0, 1)
    candidate_fallback: Literal["relative", "none"] = option(
        "relative", "when no row is heavy enough: compare with the heaviest, or give up (paper)"
    )
    text_ratio_reading: Literal["literal", "sqrt_of_ratio", "linear"] = option(
        "literal", "how the printed text ratio is read (paper)"
    )
    menu_word_match: Literal["token", "substring"] = option(
        "token", "whether a class or id must be, or only hold, a menu word (paper)"
    )
    heavy_rows: Literal["descendants", "children"] = option(
        "descendants", "which rows of a root are averaged (paper)"
    )


def detect_menu(
    page: Page, options: MenuOptions | None = None, *, profile: str = "default"
) -> Pagelets:
    """Find the main menu of a page: one pagelet, or none.

    Without options, those of the profile act.
    """
    row = MENU.profile(profile)
    return row.run(page, options or row.options, Evidence())


def _default(page: Page, options: MenuOptions, evidence: Evidence) -> Pagelets:
    penalties = options.size_penalty, options.share_penalty
    best = rank(page, model_of(options.model), *penalties, evidence.template)
    if best is None or best.score < options.min_score:
        return _found(page, "default", (), best)
    return _found(page, "default", (Pagelet(page, (best.row,), "menu", best.score, best.reason),))


def _paper(page: Page, options: MenuOptions, _: Evidence) -> Pagelets:
    choice = menu_paper.find_menu(page, options)
    return _found(page, "paper", _answer(page, options, choice))


@cache
def model_of(name: str) -> Trees:
    """The shipped ranking model, or one that `pagelet train menu` wrote."""
    return shipped(__name__, "menu") if name == SHIPPED else load_trees(Path(name))


def _found(
    page: Page, profile: str, menus: tuple[Pagelet, ...], rejected: RankedCandidate | None = None
) -> Pagelets:
    more = partial(_more, page, tuple(menu.row for menu in menus), rejected)
    return Pagelets(page, "menu", profile, menus, more)


def _more(page: Page, rows: tuple[int, ...], rejected: RankedCandidate | None) -> dict[str, Any]:
    """The menu as a tree of labels and links, and the best place where there was none."""
    tree = [node for row in rows for node in menu_tree(page, row)]
    if rejected is None:
        return {"tree": tree}
    best = {"path": page.path(rejected.row), "score": round(rejected.score, 6)}
    return {"tree": tree, "rejected": best}


def _answer(
    page: Page, options: MenuOptions, choice: menu_paper.MenuChoice | None
) -> tuple[Pagelet, ...]:
    if choice is None:
        return ()
    values = menu_paper.properties(page, options.text_ratio_reading, options.menu_word_match)
    reason: dict[str, Any] = {name: float(value[choice.row]) for name, value in values.items()}
    reason |= {"weight": choice.weight, "candidates": choice.rule}
    return (Pagelet(page, (choice.row,), "menu", choice.score, reason),)


MENU = Method(
    name="menu",
    summary="the main menu, with its links",
    needs=("page",),
    uses=("template",),
    paper="Alarte, Insa, Silva: Webpage Menu Detection Based on DOM. SOFSEM 2017,"
    " doi:10.1007/978-3-319-51963-0_32",
    profiles={
        "default": Profile(_default, MenuOptions()),
        "paper": Profile(_paper, MenuOptions()),
    },
)
