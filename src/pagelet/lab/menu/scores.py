"""Menu detection scored: node precision, recall and F1 of the returned subtree."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from pagelet.lab.figures import NO_OVERLAP, Overlap, subtree_overlap
from pagelet.lab.gold import GoldPage
from pagelet.page.table import Page

MenuFinder = Callable[[GoldPage], int | None]  #: returns the row of the menu, or None

LABELS = ("menu", "Menu")  #: labels of menus


@dataclass(frozen=True, slots=True)
class MenuScore:
    """Means over groups of the means over pages, and counts of the pages without a menu."""

    precision: float
    recall: float
    f1: float
    perfect: float  #: share of pages with F1 1
    pages: int  #: pages with a menu
    none_right: int  #: pages without a menu for which none was returned
    none_pages: int  #: pages without a menu
    by_group: dict[str, float]  #: mean F1 of each group


def menus_of(gold: GoldPage) -> tuple[int, ...]:
    """Rows labelled as menus."""
    return tuple(row for label in LABELS for row in gold.rows(label))


def best_overlap(page: Page, row: int | None, menus: Iterable[int]) -> Overlap:
    """Overlap with the menu that fits best; no answer scores 0."""
    if row is None:
        return NO_OVERLAP
    return max((subtree_overlap(page, row, menu) for menu in menus), key=lambda overlap: overlap.f1)


def score_menus(pages: Iterable[GoldPage], find: MenuFinder, *, by_page: bool) -> MenuScore:
    """Score a menu finder; by_page averages over pages instead of groups."""
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
        means = [np.mean([part(overlap) for overlap in group]) for group in groups.values()]
        return float(np.mean(means)) if means else 0.0

    f1 = {name: float(np.mean([overlap.f1 for overlap in group])) for name, group in groups.items()}
    every = [overlap.f1 for group in groups.values() for overlap in group]
    return MenuScore(
        precision=mean(lambda overlap: overlap.precision),
        recall=mean(lambda overlap: overlap.recall),
        f1=mean(lambda overlap: overlap.f1),
        perfect=float(np.mean([value > 1 - 1e-9 for value in every])) if every else 0.0,
        pages=len(every),
        none_right=none_right,
        none_pages=none_pages,
        by_group=f1,
    )
