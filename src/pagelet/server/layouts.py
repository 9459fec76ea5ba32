"""The layout of a page from the boxes that a client measured."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.methods.segments.geometry.boxes import IMAGE_TAGS
from pagelet.page.layout import Layout, empty_layout
from pagelet.page.paths import STEP
from pagelet.page.table import Page
from pagelet.page.tags import TEXT
from pagelet.server.requests import Box, DrawnLayout
from pagelet.sources.browser.layout import parse_colours

SIDES = ("left", "top", "right", "bottom")
NUMBER = re.compile(r"[0-9]*\.?[0-9]+")
DEFAULT_FONT_SIZE, DEFAULT_FONT_WEIGHT = 16.0, 400.0  #: size in CSS pixels
IMAGE_COLOUR = (128, 128, 128)  #: mean colour of an image, whose pixels are not sent
CLEAR = "rgba(0, 0, 0, 0)"

Columns = dict[str, Any]
Placed = Sequence[tuple[int, Box]]  #: rows and their boxes
Lines = list[tuple[int, float, float, float, float]]  #: row, left, top, right, bottom


def make_layout(page: Page, seen: DrawnLayout) -> tuple[Layout, int]:
    """The layout of a page, and how many of the boxes belong to one of its nodes."""
    rows = find_rows(page, [box.path for box in seen.boxes])
    placed = [(row, box) for row, box in zip(rows, seen.boxes, strict=True) if row >= 0]
    columns = empty_layout(len(page), (seen.width, seen.height))
    columns["font_size"][:] = DEFAULT_FONT_SIZE
    columns["font_weight"][:] = DEFAULT_FONT_WEIGHT
    columns["colour"][page.is_tag(*IMAGE_TAGS)] = IMAGE_COLOUR
    _apply_styles(columns, page, placed)
    lines = _place_boxes(columns, page, placed)
    _inherit_fonts(columns, page)
    _place_lines(columns, page, lines)
    return Layout(**columns), len(placed)


def find_rows(page: Page, paths: Sequence[str]) -> list[int]:
    """The row of each path, -1 where there is none; each step is one dictionary look-up."""
    steps, parents = page.path_steps(), page.parent.tolist()
    table = {key: row for row, key in enumerate(zip(parents, steps, strict=True))}
    return [_find_row(table, path) for path in paths]


def _find_row(table: Mapping[tuple[int, str], int], path: str) -> int:
    row, at = -1, 0
    while at < len(path):
        step = STEP.match(path, at)
        if step is None:
            return -1
        row, at = _find_child(table, row, step), step.end()
        if row < 0:
            return -1
    return row


def _find_child(table: Mapping[tuple[int, str], int], row: int, step: re.Match[str]) -> int:
    """The child that a step leads to; an index of 1 may be given or left out."""
    name = step[0][1:]
    if (child := table.get((row, name), -1)) >= 0 or step["name"] is None:
        return child
    other = step["name"] if step["at"] == "1" else f"{name}[1]" if not step["at"] else name
    return table.get((row, other), -1)


def _place_boxes(columns: Columns, page: Page, placed: Placed) -> Lines:
    """Fill in the boxes of elements; return the lines of texts."""
    lines: Lines = []
    for order, (row, box) in enumerate(placed):
        if page.tag[row] == TEXT:
            edges = [line for line in box.lines if _has_area(line)]
            lines += [(row, *line) for line in edges]
            drawn = bool(edges)
        else:
            drawn = box.box is not None and box.box[0] <= box.box[2] and box.box[1] <= box.box[3]
            for name, edge in zip(SIDES, box.box or () if drawn else (), strict=False):
                columns[name][row] = edge
        columns["drawn"][row] = drawn
        columns["paint"][row] = order if drawn else -1
    lines.sort(key=lambda line: line[0])
    return lines


def _has_area(edges: Sequence[float]) -> bool:
    return edges[0] < edges[2] and edges[1] < edges[3]


def _apply_styles(columns: Columns, page: Page, placed: Placed) -> None:
    """Fill in colours, fonts and borders of elements."""
    styled = [(row, box.style) for row, box in placed if page.tag[row] != TEXT]
    rows = np.array([row for row, _ in styled], np.intp)
    columns["inline"][rows] = [style.get("display") == "inline" for _, style in styled]
    columns["pictured"][rows] = [
        style.get("background-image", "none") not in ("none", "") for _, style in styled
    ]
    background = _colours(styled, "background-color", CLEAR)
    background[background[:, 3] == 0] = 0
    columns["background"][rows] = background
    coloured = [at for at, (_, style) in enumerate(styled) if "color" in style]
    colour = _colours([styled[at] for at in coloured], "color", CLEAR)[:, :3]
    columns["colour"][rows[coloured]] = colour
    defaults = {"font-size": DEFAULT_FONT_SIZE, "font-weight": DEFAULT_FONT_WEIGHT}
    for name, default in defaults.items():
        sizes = [_number(style.get(name), default) for _, style in styled]
        columns[name.replace("-", "_")][rows] = sizes
    for side, name in enumerate(SIDES):
        shown = _colours(styled, f"border-{name}-color", "rgb(0, 0, 0)")[:, 3] > 0
        width = [_number(style.get(f"border-{name}-width"), 0.0) for _, style in styled]
        columns["border"][rows, side] = np.array(width) * shown


def _colours(styled: Sequence[tuple[int, dict[str, str]]], name: str, default: str) -> NDArray[Any]:
    texts = [style.get(name, default) for _, style in styled]
    number = {text: at for at, text in enumerate(dict.fromkeys(texts))}
    return parse_colours(list(number))[[number[text] for text in texts]]


def _number(text: str | None, default: float) -> float:
    match = NUMBER.match(text) if text else None
    value = float(match[0]) if match else default
    return value if math.isfinite(value) else default


def _inherit_fonts(columns: Columns, page: Page) -> None:
    """Give texts the colour and font of their parent."""
    texts = np.flatnonzero((page.tag == TEXT) & (page.parent >= 0))
    for name in ("colour", "font_size", "font_weight"):
        columns[name][texts] = columns[name][page.parent[texts]]


def _place_lines(columns: Columns, page: Page, lines: Lines) -> None:
    """Fill in lines and the boxes around them; characters are divided among them by width."""
    table = np.array(lines, np.float64).reshape(-1, 5)
    row, edges = table[:, 0].astype(np.int32), table[:, 1:]
    width = edges[:, 2] - edges[:, 0]
    whole = np.bincount(row, width, minlength=len(page))
    chars = np.rint(page.chars[row] * width / whole[row]).astype(np.int32)
    columns["line_row"], columns["line_chars"] = row, np.maximum(chars, 1)
    for side, name in enumerate(SIDES):
        columns[f"line_{name}"] = edges[:, side]
        join, start = (np.minimum, np.inf) if side < 2 else (np.maximum, -np.inf)
        reach = np.full(len(page), start)
        join.at(reach, row, edges[:, side])
        columns[name] = np.where(np.isfinite(reach), reach, columns[name])
