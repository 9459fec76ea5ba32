"""Menu detection scored: node precision, recall and F1 of the returned subtree."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from pagelet.lab.figures import NOTHING, Overlap, subtree_overlap
from pagelet.lab.gold import GoldPage
from pagelet.page.table import Page

Find = Callable[[GoldPage], int | None]  #: the row of the menu, or None

LABELS = ("menu", "Menu")  #: what a menu is called in the labels


@dataclass(frozen=True, slots=True)
class MenuScore:
    """Means over groups of the means over pages, and how often none was rightly said."""

    precision: float
    recall: float
    f1: float
    perfect: float  #: share of pages with F1 1
    pages: int  #: pages with a menu
    none_right: int  #: pages without a menu that were answered with none
    none_pages: int  #: pages without a menu
    by_group: dict[str, float]  #: mean F1 of each group


def menus_of(gold: GoldPage) -> tuple[int, ...]:
    """Rows labelled as menus."""
    return tuple(row for label in LABELS for row in gold.rows(label))


def best_overlap(page: Page, row: int | None, menus: Iterable[int]) -> Overlap:
    """Agreement with the menu that fits best; none said scores 0."""
    if row is None:
        return NOTHING
    return max((subtree_overlap(page, row, menu) for menu in menus), key=lambda found: found.f1)


def score_menus(pages: Iterable[GoldPage], find: Find, *, by_page: bool) -> MenuScore:
    """Score a way to find menus; by_page averages over pages instead of groups."""
    groups: dict[str, list[Overlap]] = defaultdict(list)
    none_right = none_pages = 0
    for gold in pages:
        row, menus = find(gold), menus_of(gold)
        if menus:
            groups[gold.name if by_page else gold.group].append(best_overlap(gold.page, row, menus))
        else:
            none_pages += 1
            none_right += row is None
    return _summary(groups, none_right, none_pages)


def _summary(groups: dict[str, list[Overlap]], none_right: int, none_pages: int) -> MenuScore:
    def mean(part: Callable[[Overlap], float]) -> float:
        means = [np.mean([part(found) for found in group]) for group in groups.values()]
        return float(np.mean(means)) if means else 0.0

    f1 = {name: float(np.mean([found.f1 for found in group])) for name, group in groups.items()}
    every = [found.f1 for group in groups.values() for found in group]
    return MenuScore(
        precision=mean(lambda found: found.precision),
        recall=mean(lambda found: found.recall),
        f1=mean(lambda found: found.f1),
        perfect=float(np.mean([value > 1 - 1e-9 for value in every])) if every else 0.0,
        pages=len(every),
        none_right=none_right,
        none_pages=none_pages,
        by_group=f1,
    )
