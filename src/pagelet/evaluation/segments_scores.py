"""Agreement of segmentations with people's blocks, over pages and over values of a parameter."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.boxes import Floats
from pagelet.columns.page import Mask, Rows
from pagelet.evaluation.segments_pages import LEVELS, Example
from pagelet.evaluation.segments_ways import Way
from pagelet.scores.segments import adjusted_rand, bcubed, box_overlap, membership_of

METRICS = ("F", "ARI", "characters", "boxes")
GUIDE = [METRICS.index("characters"), METRICS.index("boxes")]  #: their mean chooses fixed values
CELLS = tuple(name for metric in METRICS for name in (metric, f"{metric} sd"))
COLUMNS = ("segmentation", *CELLS, "segments", "ms", "parameter")


def agreement(number: Rows, gold: NDArray[np.intp], chars: Rows) -> tuple[float, ...]:
    """The metrics over the boxes that lie in a block.

    A page without text counts its boxes for characters.
    """
    marked = gold >= 0
    found, wanted = membership_of(number[marked]), membership_of(gold[marked])
    letters = chars[marked] if chars[marked].any() else None
    return (
        box_overlap(found, wanted).f1,
        adjusted_rand(found, wanted),
        bcubed(found, wanted, letters).f1,
        bcubed(found, wanted).f1,
    )


@dataclass(frozen=True, eq=False)
class Scores:
    """What one way scores on every page, for each value of its parameter."""

    way: Way
    metrics: Floats  #: pages, values, metrics
    counts: Floats  #: segments; pages, values
    ms: Floats  #: pages, values

    def take(self, pages: Mask) -> "Scores":
        """The scores on some pages."""
        return Scores(self.way, self.metrics[pages], self.counts[pages], self.ms[pages])

    def rows(self, sites: Sequence[str]) -> list[tuple[Any, ...]]:
        """One row, or fixed, best fixed and best of each page for a way with a parameter."""
        name, names = self.way.name, np.array(sites)
        if not self.way.parameter:
            return [self._row(name, np.zeros(len(names), np.intp))]
        best = int(np.argmax(self._guide(np.ones(len(names), np.bool_))))
        rows = [self._row(f"{name}, best fixed", np.full(len(names), best))]
        if len(set(sites)) > 1:
            others = {site: int(np.argmax(self._guide(names != site))) for site in set(sites)}
            chosen = np.array([others[site] for site in sites])
            rows = [self._row(f"{name}, fixed", chosen), *rows]
        return [*rows, self._oracle()]

    def _guide(self, pages: Mask) -> Floats:
        """How well each value does on some pages."""
        return np.asarray(self.metrics[pages][:, :, GUIDE].mean(axis=(0, 2)))

    def _row(self, name: str, chosen: NDArray[np.intp]) -> tuple[Any, ...]:
        return self._cells(name, self.metrics[np.arange(len(chosen)), chosen], chosen)

    def _oracle(self) -> tuple[Any, ...]:
        """The best value of each page, for each metric by itself; segments by the mean of two."""
        chosen = self.metrics[:, :, GUIDE].mean(axis=2).argmax(axis=1)
        return self._cells(f"{self.way.name}, oracle", self.metrics.max(axis=1), chosen)

    def _cells(self, name: str, metrics: Floats, chosen: NDArray[np.intp]) -> tuple[Any, ...]:
        pages = np.arange(len(chosen))
        pairs = zip(metrics.mean(axis=0).tolist(), metrics.std(axis=0).tolist(), strict=True)
        counts, ms = (float(part[pages, chosen].mean()) for part in (self.counts, self.ms))
        return (name, *(cell for pair in pairs for cell in pair), counts, ms, self._said(chosen))

    def _said(self, chosen: NDArray[np.intp]) -> str:
        """The values that were chosen."""
        if not self.way.parameter:
            return ""
        values = np.array(self.way.values)[chosen]
        low, high = f"{values.min():g}", f"{values.max():g}"
        return f"{self.way.parameter} {low if low == high else f'{low} to {high}'}"


def score(way: Way, examples: Sequence[Example]) -> dict[str, Scores]:
    """Ask one way about all pages and score its answers at every level."""
    shape = (len(examples), len(way.values))
    metrics = {level: np.zeros((*shape, len(METRICS))) for level in LEVELS}
    counts, ms = np.zeros(shape), np.zeros(shape)
    for page, example in enumerate(examples):
        for value, (found, spent) in enumerate(way.answers(example)):
            counts[page, value], ms[page, value] = len(found), spent
            for level, gold in example.gold.items():
                told = agreement(found.number, gold, example.boxes.chars)
                metrics[level][page, value] = told
    return {level: Scores(way, metrics[level], counts, ms) for level in LEVELS}
