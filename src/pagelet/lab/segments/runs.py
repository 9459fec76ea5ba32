"""Scores of segmenters over pages and over values of their parameter."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Int32s, Ints, Mask
from pagelet.lab.segments.gold import LEVELS, DrawnExample
from pagelet.lab.segments.scores import adjusted_rand, bcubed_figures, box_overlap, membership_of
from pagelet.lab.segments.segmenters import Segmenter

METRICS = ("F", "ARI", "characters", "boxes")
GUIDING_METRICS = [
    METRICS.index("characters"),
    METRICS.index("boxes"),
]  #: metrics whose mean chooses a value
CELLS = tuple(name for metric in METRICS for name in (metric, f"{metric} sd"))
COLUMNS = ("segmentation", *CELLS, "segments", "ms", "parameter")


def agreement(number: Int32s, gold: Ints, chars: Int32s) -> tuple[float, ...]:
    """The metrics over the boxes that lie in a block."""
    marked = gold >= 0
    answer, wanted = membership_of(number[marked]), membership_of(gold[marked])
    both = box_overlap(answer, wanted).f1, adjusted_rand(answer, wanted)
    return (*both, *bcubed_figures(number, gold, chars))


@dataclass(frozen=True, eq=False)
class SegmenterScores:
    """The scores of one segmenter on every page, for each value of its parameter."""

    segmenter: Segmenter
    metrics: Floats  #: pages, values, metrics
    counts: Floats  #: segments; pages, values
    ms: Floats  #: pages, values

    def take(self, pages: Mask) -> "SegmenterScores":
        """The scores on some pages."""
        parts = (part[pages] for part in (self.metrics, self.counts, self.ms))
        return SegmenterScores(self.segmenter, *parts)

    def rows(self, sites: Sequence[str], types: Sequence[str] = ()) -> list[tuple[Any, ...]]:
        """One row, or with a parameter: fixed, by page type, best fixed, the best of each page."""
        name, names = self.segmenter.name, np.array(sites)
        if not self.segmenter.parameter:
            return [self._row(name, np.zeros(len(names), np.intp))]
        every = np.ones(len(names), np.bool_)
        rows = []
        if len(set(sites)) > 1:
            rows.append(self._row(f"{name}, fixed", self._unseen_values(names, every[:, None])))
            kinds = np.array(types)
            if len(set(types)) > 1:
                alike = kinds[:, None] == kinds[None, :]
                chosen = self._unseen_values(names, alike)
                rows.append(self._row(f"{name}, by page type", chosen))
        best = int(np.argmax(self._value_scores(every)))
        rows.append(self._row(f"{name}, best fixed", np.full(len(names), best)))
        return [*rows, self._oracle()]

    def _unseen_values(self, sites: NDArray[Any], alike: Mask) -> Ints:
        """For each page, the value with the best mean score on pages like it of other sites."""
        chosen = []
        for at, site in enumerate(sites):
            others = sites != site
            like = others & alike[at]
            chosen.append(int(np.argmax(self._value_scores(like if like.any() else others))))
        return np.array(chosen, np.intp)

    def _value_scores(self, pages: Mask) -> Floats:
        """The mean score of each value on some pages."""
        return np.asarray(self.metrics[pages][:, :, GUIDING_METRICS].mean(axis=(0, 2)))

    def _row(self, name: str, chosen: Ints) -> tuple[Any, ...]:
        return self._cells(name, self.metrics[np.arange(len(chosen)), chosen], chosen)

    def _oracle(self) -> tuple[Any, ...]:
        """The best value of each page, for each metric alone; segments by the mean of two."""
        chosen = self.metrics[:, :, GUIDING_METRICS].mean(axis=2).argmax(axis=1)
        return self._cells(f"{self.segmenter.name}, oracle", self.metrics.max(axis=1), chosen)

    def _cells(self, name: str, metrics: Floats, chosen: Ints) -> tuple[Any, ...]:
        pages = np.arange(len(chosen))
        pairs = zip(metrics.mean(axis=0).tolist(), metrics.std(axis=0).tolist(), strict=True)
        counts, ms = (float(part[pages, chosen].mean()) for part in (self.counts, self.ms))
        return (
            name,
            *(cell for pair in pairs for cell in pair),
            counts,
            ms,
            self._chosen_values(chosen),
        )

    def _chosen_values(self, chosen: Ints) -> str:
        """The parameter and the values that were chosen."""
        if not self.segmenter.parameter:
            return ""
        values = np.array(self.segmenter.values)[chosen]
        low, high = f"{values.min():g}", f"{values.max():g}"
        return f"{self.segmenter.parameter} {low if low == high else f'{low} to {high}'}"


def score(segmenter: Segmenter, examples: Sequence[DrawnExample]) -> dict[str, SegmenterScores]:
    """Run a segmenter on all pages and score its segments at every level."""
    shape = (len(examples), len(segmenter.values))
    metrics = {level: np.zeros((*shape, len(METRICS))) for level in LEVELS}
    counts, ms = np.zeros(shape), np.zeros(shape)
    for page, example in enumerate(examples):
        for value, (segments, spent) in enumerate(segmenter.answers(example)):
            counts[page, value], ms[page, value] = len(segments), spent
            for level, gold in example.gold.items():
                scores = agreement(segments.number, gold, example.boxes.chars)
                metrics[level][page, value] = scores
    return {level: SegmenterScores(segmenter, metrics[level], counts, ms) for level in LEVELS}
