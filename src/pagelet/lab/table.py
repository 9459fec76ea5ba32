"""A table of figures, for people and as JSON."""

from dataclasses import dataclass
from typing import Any


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
