"""Search for the equality relation of the paper profile: weights, the cut, and words or none.

The pages that link each other do not depend on the relation, so they are loaded once per key page.
Each setting is scored on every site; the best one is also chosen anew without each site in turn
and scored on that site, which is what to expect of other sites.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from pagelet.arrays import Floats, Mask
from pagelet.lab import Progress, ignore_progress, track
from pagelet.lab.figures import Figures
from pagelet.lab.template.published import SEARCH_RUNS
from pagelet.lab.template.scores import score_template, track_template_sites
from pagelet.methods.template.mapping import LabelledPage, Vocabulary, label_page
from pagelet.methods.template.options import PaperTemplateOptions, TemplateOptions
from pagelet.methods.template.pages import complete_subdigraph
from pagelet.methods.template.paper import count_labelled
from pagelet.page.site import Site
from pagelet.page.table import Page

WEIGHTS = ("classes_weight", "position_weight", "attributes_weight", "children_weight")
WEIGHT_STEPS = 4  #: steps between a weight of 0 and of 1; weights sum to 1
CUTS = (0.7, 0.8, 0.9)
SEARCHED = (*WEIGHTS, "cut", "words")  #: options that the search sets
KEY_PAGES = 2  #: pages of a site that are scored
TABLE_ROWS = 10  #: settings that are shown


@dataclass(frozen=True, slots=True)
class RelationSetting:
    """One setting of the relation, and its mean F1 over the pages of each site."""

    options: TemplateOptions
    f1: Floats  #: one value per site

    def to_dict(self) -> dict[str, Any]:
        """What `--options` reads, and the figure it was chosen for."""
        return {
            "method": "template",
            "profile": self.options.profile,
            "options": {name: getattr(self.options, name) for name in SEARCHED},
            "figures": {"f1": float(self.f1.mean())},
        }


@dataclass(frozen=True, slots=True)
class RelationSearch:
    """All settings, the best first, and what the choice is worth on a site it has not seen."""

    settings: tuple[RelationSetting, ...]
    pages: int  #: key pages that every setting was scored on
    unseen_f1: float  #: mean F1 of each site by the setting chosen without it

    @property
    def runs(self) -> int:
        """Size of the search: settings times key pages."""
        return len(self.settings) * self.pages


@dataclass(frozen=True, slots=True, eq=False)
class _KeyPage:
    """A key page and the pages that vote, labelled without words and with them."""

    page: Page
    own: Mask
    labelled: dict[bool, tuple[LabelledPage, list[LabelledPage]]]

    def f1(self, options: TemplateOptions) -> float:
        """F1 of the template under one setting."""
        key, others = self.labelled[options.words]
        needed = min(options.votes, len(others))
        shared = np.zeros(len(self.page), np.bool_)
        if needed:
            shared[key.rows] = count_labelled(key, others, options) >= needed
        return score_template(self.page, shared, self.own).overlap.f1


def search_relation(
    folder: Path,
    *,
    pages: int = KEY_PAGES,
    base: TemplateOptions = PaperTemplateOptions(),
    progress: Progress = ignore_progress,
) -> RelationSearch:
    """Score every setting on key pages of every labelled site of a folder."""
    sites = [
        [_prepare(page, own, gold.site, base) for page, own in gold.key_pages(pages)]
        for gold in track_template_sites(folder, "comparing pages", progress)
    ]
    every = list(list_settings(base))
    found = []
    for options in track(every, "settings", progress):
        f1 = [float(np.mean([page.f1(options) for page in site])) for site in sites]
        found.append(RelationSetting(options, np.array(f1)))
    ranked = tuple(sorted(found, key=lambda each: -float(each.f1.mean())))
    return RelationSearch(ranked, sum(map(len, sites)), _unseen(ranked))


def list_settings(base: TemplateOptions) -> Iterator[TemplateOptions]:
    """All settings of the search."""
    steps = range(WEIGHT_STEPS + 1)
    lines = [line for line in product(steps, repeat=len(WEIGHTS)) if sum(line) == WEIGHT_STEPS]
    for words, cut, line in product((False, True), CUTS, lines):
        weights: dict[str, Any] = {
            name: step / WEIGHT_STEPS for name, step in zip(WEIGHTS, line, strict=True)
        }
        yield replace(base, words=words, cut=cut, **weights)


def _prepare(page: Page, own: Mask, site: Site, options: TemplateOptions) -> _KeyPage:
    linked = complete_subdigraph(page, site, options.size, options.loads, copies=options.copies)
    labelled = {}
    for words in (False, True):
        vocabulary = Vocabulary()
        key = label_page(page, vocabulary, words=words)
        others = [label_page(other, vocabulary, words=words) for other in linked.chosen]
        labelled[words] = (key, others)
    return _KeyPage(page, own, labelled)


def _unseen(settings: Sequence[RelationSetting]) -> float:
    """Mean over sites of the F1 by the setting that is best on all other sites."""
    table = np.array([each.f1 for each in settings])
    others = table.sum(axis=1, keepdims=True) - table
    return float(table[others.argmax(axis=0), np.arange(table.shape[1])].mean())


def search_table(found: RelationSearch) -> Figures:
    """The best settings of a search, and its size beside that of the authors."""
    rows = [
        (f"{at}", *(getattr(each.options, name) for name in SEARCHED), float(each.f1.mean()))
        for at, each in enumerate(found.settings[:TABLE_ROWS], 1)
    ]
    notes = (
        f"{len(found.settings)} settings on {found.pages} key pages: {found.runs:,} runs; the"
        f" authors report more than {SEARCH_RUNS:,}.",
        f"Chosen without each site in turn: F1 {found.unseen_f1:.3f} on that site.",
    )
    return Figures("relations, the best first", ("", *SEARCHED, "F1"), tuple(rows), notes)
