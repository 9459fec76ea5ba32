"""Honest figures for the menu ranker: every page is answered by a model that never saw it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pagelet.columns.site import Shared
from pagelet.methods.menu import MenuOptions
from pagelet.methods.menu_rank import rank
from pagelet.models.trees import Trees
from pagelet.scores.data import LABELLED, WEAK, corpora
from pagelet.scores.gold import Gold, GoldPage, read_gold
from pagelet.scores.menu import Find
from pagelet.training.menu_examples import Example, labelled, weak
from pagelet.training.menu_ranker import SEED, fit_ranker

PAGE_FOLDS = 5  #: where pages are split instead of sites

#: Sites made with the same theme are left out together: PyCon's of three years are one.
FAMILIES = {"pycon-2013": "pycon", "pycon-2014": "pycon", "pycon-2016": "pycon"}

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Corpora:
    """Examples of all corpora at hand."""

    examples: tuple[Example, ...]

    def without(self, left_out: set[tuple[str, str]]) -> list[Example]:
        """Examples of all (corpus, group) pairs but these."""
        return [each for each in self.examples if (each.corpus, each.group) not in left_out]


def read_corpora(folder: Path, gold: Gold, say: Progress) -> Corpora:
    """Examples of the folder itself and of every corpus in the data folder."""
    examples = labelled(gold.pages, folder.name)
    for other in corpora(LABELLED):
        if other.resolve() != folder.resolve():
            say(f"reading {other.name}")
            examples += labelled(read_gold(other).pages, other.name)
    for other in corpora(WEAK):
        say(f"reading {other.name}")
        examples += weak(other, SEED)
    return Corpora(tuple(examples))


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
    template: Callable[[GoldPage], Shared | None] = lambda _: None,
) -> Find:
    """A way to find menus with a model of its own for each group, or one for all."""

    def find(gold: GoldPage) -> int | None:
        model = models if isinstance(models, Trees) else models[gold.group]
        penalties = options.size_penalty, options.share_penalty
        best = rank(gold.page, model, *penalties, template(gold))
        return best.row if best is not None and best.score >= options.min_score else None

    return find
