"""One PDF page as a Page and its Layout: a paragraph per line, an image per image, a div per shape.

The HTML is made here, in the order in which the file paints. Boxes are rotated and cropped as a
PDF viewer shows them, then converted to CSS pixels from the top left corner.
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
from pagelet.sources.pdf.lines import TextLines, TextStyles, inside_lines
from pagelet.sources.pdf.shapes import PaintedObject

PIXELS_PER_POINT = 96 / 72  #: CSS pixels


@dataclass(frozen=True)
class CropBox:
    """The part of a page that is shown, in points, and its rotation."""

    left: float
    bottom: float
    right: float
    top: float
    rotation: int = 0  #: degrees, clockwise

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in CSS pixels, as shown."""
        width, height = self.right - self.left, self.top - self.bottom
        width, height = width * PIXELS_PER_POINT, height * PIXELS_PER_POINT
        return (height, width) if self.rotation in (90, 270) else (width, height)

    def to_pixels(self, edges: Floats) -> Floats:
        """Convert left, bottom, right, top in points to left, top, right, bottom in CSS pixels."""
        left, bottom, right, top = edges.T
        start = left - self.left, bottom - self.bottom  # from the lower left corner
        end = self.right - right, self.top - top  # from the upper right one
        width, height = right - left, top - bottom
        x, y, wide, high = {
            0: (start[0], end[1], width, height),
            90: (start[1], start[0], height, width),
            180: (end[0], start[1], width, height),
            270: (end[1], end[0], height, width),
        }[self.rotation]
        return np.stack((x, y, x + wide, y + high), axis=1) * PIXELS_PER_POINT


@dataclass(frozen=True, eq=False)
class PageContents:
    """Everything painted on a page."""

    lines: TextLines
    styles: TextStyles
    painted: Sequence[PaintedObject] = ()
    title: str = ""


def build_page(contents: PageContents, box: CropBox) -> tuple[Page, Layout]:
    """The page with one row per line, image and shape, and its layout."""
    contents = replace(contents, painted=_outside_lines(contents))
    lines, painted = contents.lines, contents.painted
    order = _paint_order(contents)
    parts = ["<img>" if each.is_image else "<div></div>" for each in painted]
    parts += [f"<p>{escape(text)}</p>" for text in lines.texts]
    body = "\n".join(parts[at] for at in order)
    title = f"<title>{escape(contents.title)}</title>" if contents.title else ""
    page = parse(f"<!DOCTYPE html><html><head>{title}</head><body>\n{body}\n</body></html>")
    rows = np.empty(len(order), np.intp)
    rows[order] = np.flatnonzero(page.parent == page.body)
    columns = empty_layout(len(page), box.size, len(lines))
    whole = np.array([[box.left, box.bottom, box.right, box.top]])
    _fill_boxes(columns, np.array([0, page.body]), box.to_pixels(whole).repeat(2, axis=0))
    _fill_painted(columns, rows[: len(painted)], painted, box)
    _fill_lines(columns, rows[len(painted) :], contents, box)
    columns["line_chars"] = page.chars[columns["line_row"]]
    return page, Layout(**columns)


def _outside_lines(contents: PageContents) -> list[PaintedObject]:
    """Images and shapes, without the shapes that are part of a line of text."""
    edges = np.array([each.edges for each in contents.painted]).reshape(-1, 4)
    inside = inside_lines(edges, contents.lines.edges)
    pairs = zip(contents.painted, inside.tolist(), strict=True)
    return [each for each, within in pairs if each.is_image or not within]


def _paint_order(contents: PageContents) -> Ints:
    """Shapes and images, then lines, sorted by time of painting; lines keep their order."""
    shapes = [each.order for each in contents.painted]
    lines = np.maximum.accumulate(contents.styles.order[contents.lines.style])
    return np.argsort(np.concatenate((shapes, lines)), kind="stable")


def _fill_boxes(columns: dict[str, Any], rows: Ints, edges: Floats) -> Mask:
    """Fill in boxes, cut at the edges of the page; returns which rows are on it."""
    size = columns["page_width"], columns["page_height"]
    edges = np.clip(edges, 0, np.array(size * 2))
    drawn = (edges[:, :2] < edges[:, 2:]).all(axis=1)
    for name, side in zip(("left", "top", "right", "bottom"), edges.T, strict=True):
        columns[name][rows] = np.where(drawn, side, 0)
    columns["drawn"][rows] = drawn
    columns["paint"][rows] = np.where(drawn, 0, -1)
    return np.asarray(drawn)


def _fill_painted(
    columns: dict[str, Any], rows: Ints, painted: Sequence[PaintedObject], box: CropBox
) -> None:
    edges = np.array([each.edges for each in painted]).reshape(-1, 4)
    drawn = _fill_boxes(columns, rows, box.to_pixels(edges))
    order = np.array([each.order for each in painted], np.int32)
    columns["paint"][rows] = np.where(drawn, order + 1, -1)
    for row, each in zip(rows.tolist(), painted, strict=True):
        columns["colour"][row] = each.colour
        columns["background"][row] = each.background
        columns["border"][row] = each.border * PIXELS_PER_POINT
        columns["pictured"][row] = each.pictured


def _fill_lines(columns: dict[str, Any], rows: Ints, contents: PageContents, box: CropBox) -> None:
    """Fill in the style of lines, for the paragraph of each and for its text."""
    styles, style = contents.styles, contents.lines.style
    edges = box.to_pixels(contents.lines.edges)
    for at in (rows, rows + 1):  # the text stands right behind its paragraph
        drawn = _fill_boxes(columns, at, edges)
        columns["paint"][at] = np.where(drawn, styles.order[style] + 1, -1)
        columns["colour"][at] = styles.colour[style]
        columns["font_size"][at] = styles.size[style] * PIXELS_PER_POINT
        columns["font_weight"][at] = styles.weight[style]
    columns["line_row"][:] = rows + 1
    for side in ("left", "top", "right", "bottom"):
        columns[f"line_{side}"][:] = columns[side][rows]
