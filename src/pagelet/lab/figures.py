"""Figures of evaluations: precision, recall and F1, and tables of figures."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from pagelet.page.table import Page


@dataclass(frozen=True, slots=True)
class Overlap:
    """Precision, recall and F1 of an answer."""

    precision: float
    recall: float

    @classmethod
    def of_counts(cls, both: float, answer: float, gold: float) -> "Overlap":
        """The overlap of an answer of so many items with so many labelled ones."""
        return cls(both / answer if answer else 0.0, both / gold if gold else 0.0)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


NO_OVERLAP = Overlap(0.0, 0.0)


def subtree_overlap(page: Page, row: int, *gold: int) -> Overlap:
    """Overlap of a subtree with the union of others, in counted rows."""
    inside = page.inside(np.array(gold, np.intp)) & page.counted
    answer = slice(row, int(page.end[row]))
    both, size = int(inside[answer].sum()), int(page.counted[answer].sum())
    return Overlap.of_counts(both, size, int(inside.sum()))


@dataclass(frozen=True, slots=True)
class Figures:
    """A table of figures, for people and as JSON."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: one object per row."""
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.rows]
        return {"title": self.title, "rows": rows, "notes": list(self.notes)}

    def value(self, row: str, column: str) -> Any:
        """One cell by the names of its row and column."""
        at = self.columns.index(column)
        return next(cells[at] for cells in self.rows if cells[0] == row)
