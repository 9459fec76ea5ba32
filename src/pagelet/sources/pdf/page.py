"""One PDF page as a Page and its Layout: a paragraph a line, an image an image, a shape a block.

The HTML is our own, in the order in which the file paints things. Places are turned and cut as
a reader of PDFs shows them, then brought to CSS pixels from the top left corner.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

import numpy as np

from pagelet.arrays import Floats, Ints, Mask
from pagelet.page.html import parse
from pagelet.page.layout import Layout, empty_layout
from pagelet.page.table import Page
from pagelet.sources.pdf.lines import Styles, TextLines, inside_lines
from pagelet.sources.pdf.shapes import Painted

PIXELS = 96 / 72  #: CSS pixels a point


@dataclass(frozen=True)
class Sheet:
    """The part of the plane that is shown, and how far it is turned."""

    left: float
    bottom: float
    right: float
    top: float
    turned: int = 0  #: degrees, clockwise

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in CSS pixels, as shown."""
        width, height = (self.right - self.left) * PIXELS, (self.top - self.bottom) * PIXELS
        return (height, width) if self.turned in (90, 270) else (width, height)

    def show(self, edges: Floats) -> Floats:
        """Left, top, right, bottom in CSS pixels of left, bottom, right, top in points."""
        left, bottom, right, top = edges.T
        start = left - self.left, bottom - self.bottom  # from the lower left corner
        end = self.right - right, self.top - top  # from the upper right one
        width, height = right - left, top - bottom
        x, y, wide, high = {
            0: (start[0], end[1], width, height),
            90: (start[1], start[0], height, width),
            180: (end[0], start[1], width, height),
            270: (end[1], end[0], height, width),
        }[self.turned]
        return np.stack((x, y, x + wide, y + high), axis=1) * PIXELS


@dataclass(frozen=True, eq=False)
class Contents:
    """All that is painted on a page."""

    lines: TextLines
    styles: Styles
    painted: Sequence[Painted] = ()
    title: str = ""


def page_of(contents: Contents, sheet: Sheet) -> tuple[Page, Layout]:
    """The page with a row for each line, image and shape, and where they are."""
    contents = replace(contents, painted=_apart(contents))
    lines, painted = contents.lines, contents.painted
    order = _order(contents)
    parts = [_tag(each) for each in painted] + [f"<p>{escape(text)}</p>" for text in lines.texts]
    body = "\n".join(parts[at] for at in order)
    title = f"<title>{escape(contents.title)}</title>" if contents.title else ""
    page = parse(f"<!DOCTYPE html><html><head>{title}</head><body>\n{body}\n</body></html>")
    rows = np.empty(len(order), np.intp)
    rows[order] = np.flatnonzero(page.parent == page.body)
    columns = empty_layout(len(page), sheet.size, len(lines))
    around = np.array([[sheet.left, sheet.bottom, sheet.right, sheet.top]])
    _place(columns, np.array([0, page.body]), sheet.show(around).repeat(2, axis=0))
    _fill_painted(columns, rows[: len(painted)], painted, sheet)
    _fill_lines(columns, rows[len(painted) :], contents, sheet)
    columns["line_chars"] = page.chars[columns["line_row"]]
    return page, Layout(**columns)


def _apart(contents: Contents) -> list[Painted]:
    """What is painted, without the shapes that are part of a line of text."""
    edges = np.array([each.edges for each in contents.painted]).reshape(-1, 4)
    inside = inside_lines(edges, contents.lines.edges)
    pairs = zip(contents.painted, inside.tolist(), strict=True)
    return [each for each, within in pairs if each.is_image or not within]


def _order(contents: Contents) -> Ints:
    """Shapes and images, then lines, sorted by when they are painted; lines keep their order."""
    shapes = [each.order for each in contents.painted]
    lines = np.maximum.accumulate(contents.styles.order[contents.lines.style])
    return np.argsort(np.concatenate((shapes, lines)), kind="stable")


def _tag(each: Painted) -> str:
    return "<img>" if each.is_image else "<div></div>"


def _place(columns: dict[str, Any], rows: Ints, edges: Floats) -> Mask:
    """Say where rows are, as far as the page reaches; whether anything of them is on it."""
    size = columns["page_width"], columns["page_height"]
    edges = np.clip(edges, 0, np.array(size * 2))
    drawn = (edges[:, :2] < edges[:, 2:]).all(axis=1)
    for name, side in zip(("left", "top", "right", "bottom"), edges.T, strict=True):
        columns[name][rows] = np.where(drawn, side, 0)
    columns["drawn"][rows] = drawn
    columns["paint"][rows] = np.where(drawn, 0, -1)
    return np.asarray(drawn)


def _fill_painted(
    columns: dict[str, Any], rows: Ints, painted: Sequence[Painted], sheet: Sheet
) -> None:
    edges = np.array([each.edges for each in painted]).reshape(-1, 4)
    drawn = _place(columns, rows, sheet.show(edges))
    order = np.array([each.order for each in painted], np.int32)
    columns["paint"][rows] = np.where(drawn, order + 1, -1)
    for row, each in zip(rows.tolist(), painted, strict=True):
        columns["colour"][row] = each.colour
        columns["background"][row] = each.background
        columns["border"][row] = each.border * PIXELS
        columns["pictured"][row] = each.pictured


def _fill_lines(columns: dict[str, Any], rows: Ints, contents: Contents, sheet: Sheet) -> None:
    """Say how lines are written, for the paragraph of each and for its text."""
    styles, style = contents.styles, contents.lines.style
    edges = sheet.show(contents.lines.edges)
    for at in (rows, rows + 1):  # the text stands right behind its paragraph
        drawn = _place(columns, at, edges)
        columns["paint"][at] = np.where(drawn, styles.order[style] + 1, -1)
        columns["colour"][at] = styles.colour[style]
        columns["font_size"][at] = styles.size[style] * PIXELS
        columns["font_weight"][at] = styles.weight[style]
    columns["line_row"][:] = rows + 1
    for side in ("left", "top", "right", "bottom"):
        columns[f"line_{side}"][:] = columns[side][rows]
