"""Floors: figures that must not drop, each with the digest of the data it was measured on.

A floor names a cell of a table. With `minus` it holds for the cell minus the same cell of
another row; with `over`, for the cell divided by it. A floor is a little below the measured
figure; its `goal`, if it has one, is reported until it is reached.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pagelet.lab.figures import Figures

FLOORS = Path(__file__).parent / "floors.json"

Floor = Mapping[str, Any]


def read_floors(path: Path = FLOORS) -> list[Floor]:
    """All floors."""
    floors: list[Floor] = json.loads(path.read_text())
    return floors


def corpus_of(floor: Floor) -> str:
    """The corpus a floor was measured on: the second word of its table's name."""
    return str(floor["table"]).split()[1]


def figure_of(floor: Floor, tables: Mapping[str, Figures]) -> float | None:
    """The figure of a floor; None when there is no such table, row or column."""
    table = tables.get(floor["table"])
    value = _cell(table, floor["row"], floor["column"])
    for key in ("minus", "over"):
        if key in floor and value is not None:
            other = _cell(table, floor[key], floor["column"])
            if other is None:
                return None
            value = value - other if key == "minus" else value / max(other, 1e-9)
    return value


def _cell(table: Figures | None, row: str, column: str) -> float | None:
    """One cell; a count in parentheses behind the name of a column may be left out."""
    if table is None:
        return None
    names = {name.partition(" (")[0]: name for name in table.columns}
    named = column if column in table.columns else names.get(column)
    if named is None or row not in [cells[0] for cells in table.rows]:
        return None
    return float(table.value(row, named))


def compare(
    floors: Sequence[Floor], tables: Mapping[str, Figures], digests: Mapping[str, str]
) -> tuple[list[str], int]:
    """A line for each floor with its figure, and the number of figures below their floors."""
    below = 0
    lines = []
    for floor in floors:
        value = figure_of(floor, tables)
        good = value is not None and value >= floor["floor"]
        below += not good
        shown = "not found" if value is None else f"{value:.3f}"
        against = "".join(f" {key} {floor[key]}" for key in ("minus", "over") if key in floor)
        cell = f"{floor['row']}{against}, {floor['column']}"
        lines.append(
            f"{'ok  ' if good else 'LOW '}{floor['table']:<26}{cell:<44}{shown} "
            f"(floor {floor['floor']}{_goal(floor, value)})"
        )
    return [*lines, *differences(floors, digests)], below


def _goal(floor: Floor, value: float | None) -> str:
    """A note on a goal that is not reached."""
    short = "goal" in floor and (value is None or value < floor["goal"])
    return f", goal {floor['goal']} not reached" if short else ""


def differences(floors: Sequence[Floor], digests: Mapping[str, str]) -> Iterator[str]:
    """Lines on data that differs from what its floors were measured on."""
    measured = {(corpus_of(floor), floor.get("data", "none")) for floor in floors}
    for corpus, digest in sorted(measured):
        if corpus in digests and digests[corpus] != digest:
            yield (
                f"{corpus}: data differs from the set the floor was measured on"
                f" ({digests[corpus]}, not {digest})"
            )
