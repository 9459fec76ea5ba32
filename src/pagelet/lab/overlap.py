"""How well two regions of a page agree, counted in rows."""

from dataclasses import dataclass

import numpy as np

from pagelet.page.table import Page


@dataclass(frozen=True, slots=True)
class Overlap:
    """Precision, recall and F1 of an answer."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


NOTHING = Overlap(0.0, 0.0)


def subtree_overlap(page: Page, row: int, gold: int) -> Overlap:
    """Agreement of two subtrees over the counted rows."""
    sums = np.concatenate(([0], np.cumsum(page.counted)))

    def count(first: int, last: int) -> int:
        return int(sums[max(first, last)] - sums[first])

    end, gold_end = int(page.end[row]), int(page.end[gold])
    both = count(max(row, gold), min(end, gold_end))
    said, wanted = count(row, end), count(gold, gold_end)
    return Overlap(both / said if said else 0.0, both / wanted if wanted else 0.0)
