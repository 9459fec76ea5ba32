"""The main menu of a page."""

from dataclasses import dataclass
from typing import Any, Literal

from pagelet.columns.page import Page
from pagelet.methods import menu_paper
from pagelet.methods.menu_rank import rank
from pagelet.methods.menu_tree import menu_tree
from pagelet.methods.registry import Evidence, Method, Profile, option
from pagelet.models.trees import shipped
from pagelet.pagelets import Pagelet, Pagelets


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuOptions:
    """Options of menu detection; those marked (paper) act in the paper profile only."""

    min_score: float = option(
        0.5, "expected overlap below which the answer is none (default)", 0, 1
    )
    size_penalty: float = option(
        0.03, "how much a candidate loses with the logarithm of its size (default)", 0, 1
    )
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
    page: Page, options: MenuOptions = MenuOptions(), *, profile: str = "default"
) -> Pagelets:
    """Find the main menu of a page: one pagelet, or none."""
    return MENU.profile(profile).run(page, options, Evidence())


def _default(page: Page, options: MenuOptions, _: Evidence) -> Pagelets:
    best = rank(page, shipped("menu"), options.size_penalty)
    if best is None:
        return found_menu(page, "default", ())
    if best.score < options.min_score:
        rejected = {
            "path": page.path(best.row),
            "score": round(best.score, 6),
            "needed": options.min_score,
        }
        return found_menu(page, "default", (), rejected=rejected)
    menu = Pagelet(page, (best.row,), "menu", best.score, best.reason)
    return found_menu(page, "default", (menu,))


def _paper(page: Page, options: MenuOptions, _: Evidence) -> Pagelets:
    choice = menu_paper.find_menu(page, options)
    return found_menu(page, "paper", _answer(page, options, choice))


def found_menu(
    page: Page, profile: str, menus: tuple[Pagelet, ...], **more: dict[str, Any]
) -> Pagelets:
    """The answer, with the menu as a tree of labels and links."""
    tree = [node for menu in menus for node in menu_tree(page, menu.row)]
    return Pagelets(page, "menu", profile, menus, {"tree": tree, **more})


def _answer(
    page: Page, options: MenuOptions, choice: menu_paper.Choice | None
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
    paper="Alarte, Insa, Silva: Webpage Menu Detection Based on DOM. SOFSEM 2017,"
    " doi:10.1007/978-3-319-51963-0_32",
    profiles={
        "default": Profile(_default, MenuOptions()),
        "paper": Profile(_paper, MenuOptions()),
    },
)
