"""Tables of figures on a terminal, in a pipe, and as JSON."""

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Group
from rich.table import Table

from pagelet.cli.output import console, print_result
from pagelet.lab.figures import Figures


def write_tables(tables: Mapping[str, Figures], format: str) -> None:
    """Write several tables, by name in JSON."""
    if format == "json":
        forms = {name: table.to_dict() for name, table in tables.items()}
        print_result(json.dumps(forms, ensure_ascii=False, indent=2))
        return
    for table in tables.values():
        console().print(figures_table(table), "")


def write_table(figures: Figures, format: str) -> None:
    """Write a table."""
    if format == "json":
        print_result(json.dumps(figures.to_dict(), ensure_ascii=False, indent=2))
        return
    console().print(figures_table(figures))


def figures_table(figures: Figures, width: int | None = None) -> Group:
    """Figures as a table with its notes below it; no number is ever cut.

    Where the columns do not fit side by side, they stand in several tables one below the other,
    each with the names of the rows. `width` is in characters; by default that of the terminal.
    """
    cells = [tuple(map(_cell, row)) for row in figures.rows]
    widths = [
        max(map(len, (name, *(row[at] for row in cells))))
        for at, name in enumerate(figures.columns)
    ]
    tables: list[Table] = []
    for chosen in _stack(widths, _terminal_width() if width is None else width):
        names = [figures.columns[at] for at in chosen]
        title = "" if tables else figures.title
        table = _table(title, names, [[row[at] for at in chosen] for row in cells])
        table.width = sum(widths[at] for at in chosen) + GAP_CHARS * (len(chosen) - 1)
        tables.append(table)
    return Group(*_with_gaps(tables), *figures.notes)


GAP_CHARS = 2  #: characters between two columns of a table


def _terminal_width() -> int:
    """Characters of a line; a pipe without $COLUMNS has no limit."""
    own = console()
    return own.width if own.is_terminal or "COLUMNS" in os.environ else sys.maxsize


def _stack(widths: Sequence[int], limit: int) -> list[list[int]]:
    """The columns of each table, the first one in all of them."""
    tables, free = [[0]], limit - widths[0]
    for at in range(1, len(widths)):
        needed = widths[at] + GAP_CHARS
        if needed > free and len(tables[-1]) > 1:
            tables.append([0])
            free = limit - widths[0]
        tables[-1].append(at)
        free -= needed
    return tables


def _table(title: str, names: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    table = Table(title=title or None, title_justify="left", box=None, pad_edge=False)
    for at, column in enumerate(names):
        table.add_column(column, justify="left" if at == 0 else "right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    return table


def _with_gaps(tables: Sequence[Table]) -> Iterator[Table | str]:
    """The tables with an empty line between them."""
    for at, table in enumerate(tables):
        if at:
            yield ""
        yield table


def _cell(value: Any) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)
