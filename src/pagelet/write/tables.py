"""Tables of an excerpt: which only lay out the page, and the empty cells that fill a grid."""

from dataclasses import dataclass, field

import numpy as np

from pagelet.arrays import Ints, Mask
from pagelet.page.table import Page
from pagelet.page.tags import HEADINGS, NUMBER, numbers
from pagelet.page.tree import nearest
from pagelet.write.text import CELLS

#: How much each tag says that a cell lays out the page rather than holds a value, and enough.
WEIGHTS = {
    **dict.fromkeys((*HEADINGS, *numbers("table pre blockquote figure")), 12),
    **dict.fromkeys(numbers("p"), 6),
    **dict.fromkeys(numbers("li dt"), 3),
    **dict.fromkeys(numbers("br"), 2),
}
ENOUGH = 12
LONG = 1000  #: characters of a cell that nobody would write into a table
WIDEST = 50  #: columns a cell may span; more is taken for one
PADDING = 4  #: empty cells for each written one that a table may be filled up with


@dataclass(slots=True)
class Grid:
    """Empty cells that make all rows of tables equally long, by row of the page."""

    before: dict[int, int] = field(default_factory=dict)  #: to put before a cell
    after: dict[int, int] = field(default_factory=dict)  #: to put after the last cell of a `tr`


def layout_tables(page: Page, kept: Mask, holds: Mask) -> Mask:
    """Mark tables that lay out the page: told so, of one column, or with structure in cells."""
    is_table = page.tag == NUMBER["table"]
    found = np.zeros(len(page), np.bool_)
    if not is_table.any():
        return found
    for row in np.flatnonzero(is_table).tolist():
        found[row] = page.attributes_of(row).get("role") in ("presentation", "none")
    cells = np.flatnonzero(page.is_tag(*CELLS) & holds)
    owner = nearest(page.parent, is_table)
    filled = np.bincount(page.parent[cells] + 1, minlength=len(page) + 1)[1:]
    columns = np.zeros(len(page) + 1, np.int64)
    np.maximum.at(columns, owner, filled)
    odd = _structured(page, holds)[cells] | (page.sum_subtree(page.chars * kept)[cells] > LONG)
    found[owner[cells[odd]]] = True
    return np.asarray(is_table & (found | (columns[:-1] <= 1)))


def _structured(page: Page, holds: Mask) -> Mask:
    """Mark rows with enough structure below them."""
    weights = np.zeros(len(page.names) + 1, np.int64)
    for tag, weight in WEIGHTS.items():
        weights[tag] = weight
    shown = weights[page.tag] * (holds | (page.tag == NUMBER["br"]))
    return np.asarray(page.sum_subtree(shown) - shown >= ENOUGH)


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
    found = Grid()
    for rows in of_table.values():
        _fill(page, [(row, of_row.get(row, [])) for row in rows], holds, found)
    return found


def _fill(page: Page, rows: list[tuple[int, list[int]]], holds: Mask, found: Grid) -> None:
    """Count the empty cells of one table; a table that would be mostly padding gets none."""
    hanging: dict[int, int] = {}  # rows that a cell above still reaches down, by column
    widths, owed = dict[int, int](), dict[int, int]()  # owed: what spans leave empty
    before: dict[int, int] = {}
    for row, cells in rows:
        column, empty, below = 0, 0, dict[int, int]()
        for cell in cells:
            while column in hanging:
                column, empty = column + 1, empty + 1
            across, down = _spans(page, cell)
            before[cell], empty = empty, across - 1
            below |= dict.fromkeys(range(column, column + across), down)
            column += across
        widths[row], owed[row] = column, empty
        left = {at: more - 1 for at, more in (hanging | below).items()}
        hanging = {at: more for at, more in left.items() if more > 0}
    width = max((widths[row] for row in widths if holds[row]), default=0)
    after = {row: owed[row] + max(width - widths[row], 0) for row in widths}
    if sum(after.values()) <= PADDING * len(before) + WIDEST:
        found.before |= before
        found.after |= after


def _spans(page: Page, cell: int) -> tuple[int, int]:
    """Columns and rows that a cell covers."""
    attributes = page.attributes_of(cell)
    return _number(attributes.get("colspan", ""), WIDEST), _number(attributes.get("rowspan", ""))


def _number(written: str, highest: int = 1000) -> int:
    """A written span; what makes no sense is 1."""
    digits = written.strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) < 5):
        return 1
    return int(digits) if 0 < int(digits) <= highest else 1
