"""The default way to find a menu: rank all candidates with a learned model.

The model predicts how well a candidate covers the menu. Its first trees see how every candidate
is built; the others see the few best of them, and what their labels, addresses and names speak
for. menu.json lists its training data.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from pagelet.arrays import Floats, Ints
from pagelet.methods.menu.evidence import evidence_features
from pagelet.methods.menu.features import Candidates, find_candidates, menu_features
from pagelet.methods.phrases import describe, rank_reasons, telling
from pagelet.models.features import FeatureTable
from pagelet.models.trees import Trees
from pagelet.page.site import SharedRows, menu_weights
from pagelet.page.table import Page
from pagelet.pagelets import LazyReason, Words

FIRST_TREES = 40  #: trees that choose the finalists; they are no part of the score
MAX_FINALISTS = 8  #: candidates that the other trees score
REASON_FEATURES = 6  #: features named in a reason


class Effects(LazyReason):
    """The strongest features of a candidate and how far each moved its score."""

    def __init__(self, features: Floats, model: Trees) -> None:
        self._features, self._model = features, model

    @cached_property
    def _effects(self) -> dict[str, float]:
        return final_trees(self._model).explain(self._features)

    def _value(self, name: str) -> float:
        return float(self._features[self._model.names.index(name)])

    def _compute(self) -> dict[str, Any]:
        strongest = list(self._effects)[:REASON_FEATURES]
        values = {name: self._value(name) for name in strongest}
        return {**values, "effects": {name: self._effects[name] for name in strongest}}

    @property
    def why(self) -> Words:
        """The strongest reasons in words, each with its effect."""
        from pagelet.methods.menu.reasons import PHRASES  # noqa: PLC0415 - few ask why

        effects = telling(self._effects).items()
        return rank_reasons((describe(PHRASES, name, self._value(name)), e) for name, e in effects)


#: Share of the score of the best candidate that the best one of the template needs. On labelled
#: sites right answers had 0.97 and more of it, and templates without the menu less than 0.2.
MIN_SHARED_RATIO = 0.5
MANY_LINKS = 15  #: links of a page from which on a menu should not hold nearly all of them


@dataclass(frozen=True, slots=True)
class RankedCandidate:
    """The best candidate of a page."""

    row: int
    score: float  #: expected overlap with the menu, lowered where it holds most of the links
    reason: Effects


def rank(
    page: Page,
    model: Trees,
    size_penalty: float,
    share_penalty: float,
    template: SharedRows | None = None,
) -> RankedCandidate | None:
    """The best candidate, however bad; None when the page has no two links together.

    A menu lies in the template, where there is one. A site whose template has nothing half as good
    as the best candidate of the page does not repeat the menu of this page, as where the others
    are in another language: the page then answers by itself.
    """
    candidates = find_candidates(page)
    if candidates is None:
        return None
    penalties = size_penalty, share_penalty
    if template is None:
        return _choose(candidates, model, penalties)
    factor, gain = menu_weights(page, candidates.rows, template)
    shared = _choose(candidates, model, penalties, factor)
    if shared.score < MIN_SHARED_RATIO:  # of 1, the best score that the page can have by itself
        alone = _choose(candidates, model, penalties)
        if shared.score < MIN_SHARED_RATIO * alone.score:
            return alone
    return replace(shared, score=min(shared.score + gain, 1.0))


def _choose(
    candidates: Candidates,
    model: Trees,
    penalties: tuple[float, float],
    factor: Floats | float = 1.0,
) -> RankedCandidate:
    """The best candidate by expected overlap times a factor.

    Of two that cover the menu alike the smaller is the menu. A list with nearly all of the page's
    links is more often what the page is about than its menu: its score is lowered by the cube of
    its share, the less the fewer links the page has.
    """
    size_penalty, share_penalty = penalties
    overlap, finalists, features = expected_overlap(candidates, model, factor)
    size = candidates.page.size[candidates.rows[finalists]]
    best = int(np.argmax(overlap - size_penalty * np.log(size)))
    links = len(candidates.links)
    loss = (candidates.count[finalists[best]] / links) ** 3 * min(links / MANY_LINKS, 1.0)
    score = float(max(overlap[best] - share_penalty * loss, 0.0))
    row = int(candidates.rows[finalists[best]])
    return RankedCandidate(row, score, Effects(features[best], model))


def expected_overlap(
    candidates: Candidates, model: Trees, factor: Floats | float = 1.0
) -> tuple[Floats, Ints, Floats]:
    """Expected overlap of the finalists, times a factor; which they are, and their features.

    The model was fitted to squared overlaps.
    """
    table = menu_features(candidates)
    chance = _logistic(model.predict(table.rows, slice(None, FIRST_TREES)))
    finalists = np.sort(np.argsort(-chance * factor, kind="stable")[:MAX_FINALISTS])
    features = all_features(candidates, finalists, table).rows
    overlap = np.sqrt(_logistic(model.predict(features, slice(FIRST_TREES, None))))
    return overlap * np.broadcast_to(factor, len(chance))[finalists], finalists, features


def all_features(candidates: Candidates, at: Ints, table: FeatureTable) -> FeatureTable:
    """All features of some candidates, given by their places: how they are built, and evidence."""
    evidence = evidence_features(candidates, at)
    lines = np.concatenate((table.lines[:, at], evidence.lines))
    return FeatureTable((*table.names, *evidence.names), lines)


def final_trees(model: Trees) -> Trees:
    """The trees that score finalists."""
    return replace(model, roots=model.roots[FIRST_TREES:])


def _logistic(odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-odds)))
