"""Where a browser drew a page, as a client tells it, in rows of that page."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.methods.segments.geometry.boxes import IMAGES
from pagelet.page.layout import Layout, empty_layout
from pagelet.page.paths import STEP, steps_of
from pagelet.page.table import Page
from pagelet.page.tags import TEXT
from pagelet.server.requests import Box, Seen
from pagelet.sources.browser.colour import colours

SIDES = ("left", "top", "right", "bottom")
NUMBER = re.compile(r"[0-9]*\.?[0-9]+")
USUAL_SIZE, USUAL_WEIGHT = 16.0, 400.0  #: of a font that nothing is said of
UNKNOWN = (128, 128, 128)  #: mean of an image whose pixels nobody sent
CLEAR = "rgba(0, 0, 0, 0)"

Columns = dict[str, Any]
Lines = list[tuple[int, float, float, float, float]]


def layout_from(page: Page, seen: Seen) -> tuple[Layout, int]:
    """The layout of a page, and how many of the boxes are of a node that it has."""
    rows = rows_at(page, [box.path for box in seen.boxes])
    known = [(row, box) for row, box in zip(rows, seen.boxes, strict=True) if row >= 0]
    columns = empty_layout(len(page), (seen.width, seen.height))
    columns["font_size"][:], columns["font_weight"][:] = USUAL_SIZE, USUAL_WEIGHT
    columns["colour"][page.is_tag(*IMAGES)] = UNKNOWN
    _style(columns, page, known)
    lines = _place(columns, page, known)
    _inherit(columns, page)
    _put_lines(columns, page, lines)
    return Layout(**columns), len(known)


def rows_at(page: Page, paths: Sequence[str]) -> list[int]:
    """The row that each path names, -1 where there is none; a step costs no more than a look."""
    steps, parents = steps_of(page), page.parent.tolist()
    table = {key: row for row, key in enumerate(zip(parents, steps, strict=True))}
    return [_row(table, path) for path in paths]


def _row(table: Mapping[tuple[int, str], int], path: str) -> int:
    row, at = -1, 0
    while at < len(path):
        step = STEP.match(path, at)
        if step is None:
            return -1
        row, at = _below(table, row, step), step.end()
        if row < 0:
            return -1
    return row


def _below(table: Mapping[tuple[int, str], int], row: int, step: re.Match[str]) -> int:
    """The child that a step leads to; one that is alone may be counted, the first need not be."""
    said = step[0][1:]
    if (found := table.get((row, said), -1)) >= 0 or step["name"] is None:
        return found
    other = step["name"] if step["at"] == "1" else f"{said}[1]" if not step["at"] else said
    return table.get((row, other), -1)


def _place(columns: Columns, page: Page, known: Sequence[tuple[int, Box]]) -> Lines:
    """Put elements where they are; the lines of texts are given back."""
    lines: Lines = []
    for order, (row, box) in enumerate(known):
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


def _style(columns: Columns, page: Page, known: Sequence[tuple[int, Box]]) -> None:
    """Put in what elements look like."""
    styled = [(row, box.style) for row, box in known if page.tag[row] != TEXT]
    rows = np.array([row for row, _ in styled], np.intp)
    columns["inline"][rows] = [style.get("display") == "inline" for _, style in styled]
    columns["pictured"][rows] = [
        style.get("background-image", "none") not in ("none", "") for _, style in styled
    ]
    background = _colours(styled, "background-color", CLEAR)
    background[background[:, 3] == 0] = 0
    columns["background"][rows] = background
    said = [at for at, (_, style) in enumerate(styled) if "color" in style]
    columns["colour"][rows[said]] = _colours([styled[at] for at in said], "color", CLEAR)[:, :3]
    for name, usual in (("font-size", USUAL_SIZE), ("font-weight", USUAL_WEIGHT)):
        sizes = [_number(style.get(name), usual) for _, style in styled]
        columns[name.replace("-", "_")][rows] = sizes
    for side, name in enumerate(SIDES):
        shown = _colours(styled, f"border-{name}-color", "rgb(0, 0, 0)")[:, 3] > 0
        width = [_number(style.get(f"border-{name}-width"), 0.0) for _, style in styled]
        columns["border"][rows, side] = np.array(width) * shown


def _colours(styled: Sequence[tuple[int, dict[str, str]]], name: str, usual: str) -> NDArray[Any]:
    texts = [style.get(name, usual) for _, style in styled]
    number = {text: at for at, text in enumerate(dict.fromkeys(texts))}
    return colours(list(number))[[number[text] for text in texts]]


def _number(text: str | None, usual: float) -> float:
    found = NUMBER.match(text) if text else None
    value = float(found[0]) if found else usual
    return value if math.isfinite(value) else usual


def _inherit(columns: Columns, page: Page) -> None:
    """A text has the font of the element it is in."""
    texts = np.flatnonzero((page.tag == TEXT) & (page.parent >= 0))
    for name in ("colour", "font_size", "font_weight"):
        columns[name][texts] = columns[name][page.parent[texts]]


def _put_lines(columns: Columns, page: Page, lines: Lines) -> None:
    """Put in the lines; a text is as large as they are, its characters are shared by width."""
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
