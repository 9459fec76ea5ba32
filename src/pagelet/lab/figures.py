"""Figures of evaluations: agreement of an answer with the labels, and tables of figures."""

from dataclasses import dataclass
from typing import Any

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


@dataclass(frozen=True, slots=True)
class Figures:
    """What an evaluation found."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: one object a row."""
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.rows]
        return {"title": self.title, "rows": rows, "notes": list(self.notes)}

    def value(self, row: str, column: str) -> Any:
        """One cell by the names of its row and column."""
        at = self.columns.index(column)
        return next(cells[at] for cells in self.rows if cells[0] == row)
