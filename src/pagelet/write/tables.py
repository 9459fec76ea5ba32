"""Tables: which only lay out the page, and the empty cells that complete a grid."""

from dataclasses import dataclass, field

import numpy as np

from pagelet.arrays import Ints, Mask
from pagelet.page.table import Page
from pagelet.page.tags import HEADINGS, NUMBER, numbers
from pagelet.page.tree import nearest
from pagelet.write.text import CELLS

#: Weight of each tag as a sign that a cell lays out the page, and the sum that is enough.
WEIGHTS = {
    **dict.fromkeys((*HEADINGS, *numbers("table pre blockquote figure")), 12),
    **dict.fromkeys(numbers("p"), 6),
    **dict.fromkeys(numbers("li dt"), 3),
    **dict.fromkeys(numbers("br"), 2),
}
LAYOUT_WEIGHT = 12
MAX_CELL_CHARS = 1000  #: characters of the longest cell of a data table
MAX_COLSPAN = 50  #: columns that a cell may span; a larger span counts as one
MAX_PADDING_RATIO = 4  #: empty cells per written cell that may be added to a table
ONE_CELL = (1, 1)  #: columns and rows of a cell without spans

Spans = dict[int, tuple[int, int]]  #: columns and rows that cells cover, by row of the page


@dataclass(slots=True)
class Grid:
    """Empty cells that make all rows of tables equally long, by row of the page."""

    before: dict[int, int] = field(default_factory=dict)  #: empty cells before a cell
    after: dict[int, int] = field(default_factory=dict)  #: empty cells at the end of a `tr`


def layout_tables(page: Page, kept: Mask, holds: Mask) -> Mask:
    """Mark tables that lay out the page: by role, of one column, or with structure in cells."""
    is_table = page.tag == NUMBER["table"]
    layout = np.zeros(len(page), np.bool_)
    if not is_table.any():
        return layout
    for row in np.flatnonzero(is_table).tolist():
        layout[row] = lays_out(page, row)
    cells = np.flatnonzero(page.is_tag(*CELLS) & holds)
    owner = nearest(page.parent, is_table)
    filled = np.bincount(page.parent[cells] + 1, minlength=len(page) + 1)[1:]
    columns = np.zeros(len(page) + 1, np.int64)
    np.maximum.at(columns, owner, filled)
    long = page.sum_subtree(page.chars * kept)[cells] > MAX_CELL_CHARS
    odd = _structured(page, holds)[cells] | long
    layout[owner[cells[odd]]] = True
    return np.asarray(is_table & (layout | (columns[:-1] <= 1)))


def lays_out(page: Page, table: int) -> bool:
    """Whether a table is for layout by its role."""
    return page.value_of(table, "role") in ("presentation", "none")


def _structured(page: Page, holds: Mask) -> Mask:
    """Mark rows with enough structure below them."""
    weights = np.zeros(len(page.names) + 1, np.int64)
    for tag, weight in WEIGHTS.items():
        weights[tag] = weight
    shown = weights[page.tag] * (holds | (page.tag == NUMBER["br"]))
    return np.asarray(page.sum_subtree(shown) - shown >= LAYOUT_WEIGHT)


def grid(page: Page, tables: Ints, holds: Mask) -> Grid:
    """The empty cells that some tables need, spans counted, so that every column lines up."""
    is_table = page.tag == NUMBER["table"]
    owner = nearest(page.parent, is_table)
    cells = np.flatnonzero(page.is_tag(*CELLS))
    of_row: dict[int, list[int]] = {}
    for cell, row in zip(cells.tolist(), page.parent[cells].tolist(), strict=True):
        of_row.setdefault(row, []).append(cell)
    of_table: dict[int, list[int]] = {table: [] for table in tables.tolist()}
    table_rows = np.flatnonzero(page.tag == NUMBER["tr"])
    for row, table in zip(table_rows.tolist(), owner[table_rows].tolist(), strict=True):
        if table in of_table:
            of_table[table].append(row)
    result, spans = Grid(), read_spans(page)
    for rows in of_table.values():
        _fill(spans, [(row, of_row.get(row, [])) for row in rows], holds, result)
    return result


def _fill(spans: Spans, rows: list[tuple[int, list[int]]], holds: Mask, result: Grid) -> None:
    """Count the empty cells of one table; a table that would be mostly padding gets none."""
    most = MAX_PADDING_RATIO * sum(len(cells) for _, cells in rows) + MAX_COLSPAN
    hanging: dict[int, int] = {}  # rows that a cell above still reaches down, by column
    reached = 0  # columns of all rows that a cell above reaches
    widths, owed = dict[int, int](), dict[int, int]()  # owed: what spans leave empty
    before: dict[int, int] = {}
    for row, cells in rows:
        reached += len(hanging)
        if reached > most:
            return
        column, empty, below = 0, 0, dict[int, int]()
        for cell in cells:
            while column in hanging:
                column, empty = column + 1, empty + 1
            across, down = spans.get(cell, ONE_CELL)
            before[cell], empty = empty, across - 1
            if down > 1 or hanging:  # else it reaches no row below
                below |= dict.fromkeys(range(column, column + across), down)
            column += across
        widths[row], owed[row] = column, empty
        left = {at: more - 1 for at, more in (hanging | below).items()}
        hanging = {at: more for at, more in left.items() if more > 0}
    width = max((widths[row] for row in widths if holds[row]), default=0)
    after = {row: owed[row] + max(width - widths[row], 0) for row in widths}
    if sum(after.values()) <= most:
        result.before |= before
        result.after |= after


def read_spans(page: Page) -> Spans:
    """The columns and rows that cells cover, of those that state it."""
    across, down = page.attribute("colspan"), page.attribute("rowspan")
    return {
        cell: (_number(across.get(cell, ""), MAX_COLSPAN), _number(down.get(cell, "")))
        for cell in across | down
    }


def _number(written: str, highest: int = 1000) -> int:
    """The number of a span attribute; 1 when it is not valid."""
    digits = written.strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) < 5):
        return 1
    return int(digits) if 0 < int(digits) <= highest else 1
