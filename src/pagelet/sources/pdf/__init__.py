"""PDF files: every page as a Rendering, as if a browser had drawn it.

A page is a paragraph per line, an image per image, a div per shape. The HTML is made here, in the
order in which the file paints. Boxes are rotated and cropped as a PDF viewer shows them, then
converted to CSS pixels from the top left corner.
"""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from math import isfinite, sqrt
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np

from pagelet.arrays import Floats, Ints, Mask
from pagelet.errors import MissingExtra, OptionError, PageError, PasswordNeeded, Unreachable
from pagelet.page.html import parse
from pagelet.page.layout import Layout, Rendering, empty_layout
from pagelet.page.table import Page
from pagelet.sources.options import option
from pagelet.sources.pdf.lines import TextLines, TextStyles, inside_lines, join_lines, read_glyphs
from pagelet.sources.pdf.shapes import PaintedObject, read_objects
from pagelet.wording import describe_os_error

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


MAX_PICTURE_PIXELS = 40_000_000  #: pixels of a picture; a larger page is drawn smaller
MAX_PAGE_CHARS = 1_000_000  #: characters of a page; one with more is refused
MAX_SIDE_POINTS = 1_000_000.0  #: points of a side; the standard allows 14,400

_LOCK = RLock()  #: lock around pdfium, which is not thread-safe


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfOptions:
    """How a PDF is opened and drawn."""

    password: str = option("Password of an encrypted file.", "")
    picture: bool = option("Draw each page, for pictures of its segments.", default=True)
    scale: float = option("Pixels of the picture for one CSS pixel.", 1.0, 0.01)


class PdfFile:
    """An open PDF; its pages are numbered from 1. Close it, or use it in a `with`."""

    def __init__(
        self, source: str | Path | bytes, *, name: str = "", options: PdfOptions = PdfOptions()
    ) -> None:
        if not (isfinite(options.scale) and options.scale > 0):
            raise OptionError("scale", options.scale, "give a number above 0")
        self.name = name or ("PDF" if isinstance(source, bytes) else str(source))
        self.options = options
        self._pdfium = _import_pdfium()
        with _LOCK:
            self._document = self._open(source)
            self._title = str(self._document.get_metadata_value("Title"))
            self._pages = len(self._document)

    def _open(self, source: str | Path | bytes) -> Any:
        data = source if isinstance(source, bytes) else Path(source)
        raw = self._pdfium.raw
        raw.FPDF_LoadMemDocument64(b"", 0, None)  # clears the last error
        try:
            return self._pdfium.PdfDocument(data, password=self.options.password or None)
        except self._pdfium.PdfiumError as error:
            if getattr(error, "err_code", None) == raw.FPDF_ERR_PASSWORD:
                raise PasswordNeeded(self.name) from error
            raise PageError(
                self.name, "not a PDF, or one that is damaged or has no pages"
            ) from error
        except (OSError, ValueError) as error:  # ValueError: a name with NUL
            why = describe_os_error(error)
            raise Unreachable(self.name, f"{why}; give a PDF file") from error

    def __len__(self) -> int:
        return self._pages

    def __enter__(self) -> "PdfFile":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Rendering]:
        return (self.page(number) for number in range(1, len(self) + 1))

    def close(self) -> None:
        """Close the file; no page can be read any more."""
        with _LOCK:
            self._document.close()

    def page(self, number: int) -> Rendering:
        """Read one page."""
        if not 1 <= number <= len(self):
            raise OptionError("page", number, f"{self.name} has pages 1 to {len(self):,}")
        source = f"{self.name}, page {number:,}"
        with _LOCK:
            try:
                page = self._document[number - 1]
                try:
                    return self._render(page, source)
                finally:
                    page.close()
            except self._pdfium.PdfiumError as error:
                raise PageError(source, "the page is damaged") from error

    def _render(self, page: Any, source: str) -> Rendering:
        box = _crop_box(page, source)
        objects = read_objects(self._pdfium, page)
        text_page = page.get_textpage()
        if text_page.count_chars() > MAX_PAGE_CHARS:
            raise PageError(source, f"more than {MAX_PAGE_CHARS:,} characters on one page")
        glyphs, styles = read_glyphs(self._pdfium.raw, text_page, objects.orders)
        lines = join_lines(glyphs, styles)
        html, layout = build_page(PageContents(lines, styles, objects.painted, self._title), box)
        if not self.options.picture:
            return Rendering(html, layout, notes=tuple(objects.notes))
        picture, scale = _draw(page, box, self.options.scale)
        return Rendering(html, layout, picture, scale, tuple(objects.notes))


def read_pdf(
    source: str | Path | bytes, *, name: str = "", options: PdfOptions = PdfOptions()
) -> Iterator[Rendering]:
    """Read every page of a PDF; the file is closed after the last."""
    with PdfFile(source, name=name, options=options) as file:
        yield from file


def _crop_box(page: Any, source: str) -> CropBox:
    """The part of a page that is shown."""
    left, bottom, right, top = page.get_bbox()
    sides = right - left, top - bottom
    if not all(isfinite(side) and 0 < side <= MAX_SIDE_POINTS for side in sides):
        raise PageError(source, f"a page of {sides[0]:g} × {sides[1]:g} points cannot be drawn")
    return CropBox(left, bottom, right, top, page.get_rotation())


def _draw(page: Any, box: CropBox, scale: float) -> tuple[bytes, float]:
    """The page as PNG, and its pixels per CSS pixel."""
    width, height = box.size
    scale = min(scale, sqrt(MAX_PICTURE_PIXELS / (width * height)))
    out = io.BytesIO()
    page.render(scale=scale * PIXELS_PER_POINT).to_pil().save(out, "PNG")
    return out.getvalue(), scale


def _import_pdfium() -> Any:
    try:
        import PIL.Image  # noqa: F401, PLC0415 - an extra, for the pictures
        import pypdfium2  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtra("pdf", "reading PDF files") from error
    return pypdfium2
