"""From what a browser laid out to the columns of a Layout."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.layout import Layout, empty_layout
from pagelet.columns.page import Page
from pagelet.sources.browser_css import colours
from pagelet.sources.browser_lines import Lines, lines_of
from pagelet.sources.browser_seen import windows_of
from pagelet.sources.browser_snapshot import Area, Floats, Ints, Snapshot, edges_of
from pagelet.tags import TEXT

SIDES = ("left", "top", "right", "bottom")


def layout_of(snapshot: Snapshot, page: Page, rows: Ints, area: Area) -> Layout:
    """The layout of a page, given the row of each node and left, top, width, height of it all."""
    columns = empty_layout(len(page), area[2:])
    row = rows[snapshot.laid]
    laid = row >= 0
    edges = edges_of(snapshot.bounds, area)
    _place(columns, row[laid], edges[laid])
    _paint(columns, snapshot, row, laid, page.tag == TEXT)
    windows = windows_of(columns, snapshot, page, row)
    lines = lines_of(snapshot, rows, area)
    lines = lines.those(windows.open(lines.row, lines.edges))
    seen = windows.open(np.arange(len(page)), _stacked(columns))
    is_text = page.tag == TEXT
    columns["drawn"] = np.where(is_text, _holding(lines.row, len(page)), seen)
    _put_lines(columns, lines, page)
    _forget(columns, ~columns["drawn"])
    return Layout(**columns)


def _stacked(columns: dict[str, Any]) -> Floats:
    return np.asarray(np.stack([columns[name] for name in SIDES], axis=1), np.float64)


def _forget(columns: dict[str, Any], hidden: NDArray[np.bool_]) -> None:
    """What is not drawn has no place."""
    for name in SIDES:
        columns[name][hidden] = 0
    columns["paint"][hidden] = -1


def _place(columns: dict[str, Any], row: Ints, edges: Floats) -> None:
    """Put every row where it was laid out; what was laid out in pieces is as large as them all."""
    for side, name in enumerate(SIDES):
        join, start = (np.minimum, np.inf) if side < 2 else (np.maximum, -np.inf)
        column = np.full(len(columns[name]), start)
        join.at(column, row, edges[:, side])
        columns[name] = np.where(np.isfinite(column), column, 0.0)


def _paint(
    columns: dict[str, Any],
    snapshot: Snapshot,
    row: Ints,
    laid: NDArray[np.bool_],
    is_text: NDArray[np.bool_],
) -> None:
    """Put in what rows look like; a text has the font of what it is in, and nothing else of it."""
    where, boxes = row[laid], laid & ~np.append(is_text, False)[row]
    columns["paint"][where] = np.array(snapshot.layout["paintOrders"], np.int32)[laid]
    for name in ("font_size", "font_weight"):
        columns[name][where] = snapshot.pixels(name.replace("_", "-"))[laid]
    columns["colour"][where] = _coloured(snapshot, "color")[laid, :3]
    columns["inline"][row[boxes]] = snapshot.having("display", "inline")[boxes]
    columns["background"][row[boxes]] = _coloured(snapshot, "background-color")[boxes]
    columns["pictured"][row[boxes]] = ~snapshot.having("background-image", "none", "")[boxes]
    for side, name in enumerate(SIDES):
        shown = _coloured(snapshot, f"border-{name}-color")[:, 3] > 0
        width = np.where(shown, snapshot.pixels(f"border-{name}-width"), 0)
        columns["border"][row[boxes], side] = width[boxes]
    columns["background"][columns["background"][:, 3] == 0] = 0


def _coloured(snapshot: Snapshot, name: str) -> NDArray[np.uint8]:
    known, which = snapshot.style(name)
    return colours(known)[which]


def _put_lines(columns: dict[str, Any], lines: Lines, page: Page) -> None:
    """Put in the lines; a text is as large as its lines that are seen."""
    columns["line_row"], columns["line_chars"] = lines.row, lines.chars
    for side, name in enumerate(SIDES):
        columns[f"line_{name}"] = lines.edges[:, side]
        join, start = (np.minimum, np.inf) if side < 2 else (np.maximum, -np.inf)
        reach = np.full(len(page), start)
        join.at(reach, lines.row, lines.edges[:, side])
        columns[name] = np.where(np.isfinite(reach), reach, columns[name])


def _holding(rows: NDArray[np.integer], length: int) -> NDArray[np.bool_]:
    return np.bincount(rows, minlength=length) > 0
