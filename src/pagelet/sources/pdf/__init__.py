"""PDF files: every page as a Rendering, as if a browser had drawn it."""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite, sqrt
from pathlib import Path
from threading import RLock
from typing import Any

from pagelet.errors import MissingExtra, OptionError, PageError, PasswordNeeded, Unreachable
from pagelet.page.layout import Rendering
from pagelet.sources.options import option
from pagelet.sources.pdf.lines import join_lines, read_glyphs
from pagelet.sources.pdf.page import PIXELS_PER_POINT, CropBox, PageContents, build_page
from pagelet.sources.pdf.shapes import read_objects

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
            why = getattr(error, "strerror", None) or "no such file"
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
