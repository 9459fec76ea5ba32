"""PDF files: every page as a Rendering, as if a browser had drawn it."""

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isfinite, sqrt
from pathlib import Path
from threading import RLock
from typing import Any

from pagelet.errors import MissingExtra, OptionError, PageError, PasswordNeeded, Unreachable
from pagelet.page.layout import Rendering
from pagelet.sources.pdf.lines import lines_of, read_glyphs
from pagelet.sources.pdf.page import PIXELS, Contents, Sheet, page_of
from pagelet.sources.pdf.shapes import read_objects

MOST_PIXELS = 40_000_000  #: of a picture; a larger page is drawn smaller
MOST_CHARS = 1_000_000  #: on one page; a page with more is refused
LONGEST = 1_000_000.0  #: points of a side; the standard allows 14,400

_LOCK = RLock()  #: pdfium serves one caller at a time


def _option(help: str, default: Any, low: float | None = None) -> Any:
    return field(default=default, metadata={"help": help, "low": low, "high": None})


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfOptions:
    """How a PDF is opened and drawn."""

    password: str = _option("Password of an encrypted file.", "")
    picture: bool = _option("Draw each page, for pictures of its segments.", default=True)
    scale: float = _option("Pixels of the picture for one CSS pixel.", 1.0, 0.01)


class PdfFile:
    """An open PDF; its pages are numbered from 1. Close it, or use it in a `with`."""

    def __init__(
        self, source: str | Path | bytes, *, name: str = "", options: PdfOptions = PdfOptions()
    ) -> None:
        if not (isfinite(options.scale) and options.scale > 0):
            raise OptionError("scale", options.scale, "give a number above 0")
        self.name = name or ("PDF" if isinstance(source, bytes) else str(source))
        self.options = options
        self._pdfium = _pdfium()
        with _LOCK:
            self._document = self._open(source)
            self._title = str(self._document.get_metadata_value("Title"))
            self._pages = len(self._document)

    def _open(self, source: str | Path | bytes) -> Any:
        given = source if isinstance(source, bytes) else Path(source)
        raw = self._pdfium.raw
        raw.FPDF_LoadMemDocument64(b"", 0, None)  # else an error of before may be told again
        try:
            return self._pdfium.PdfDocument(given, password=self.options.password or None)
        except self._pdfium.PdfiumError as error:
            if getattr(error, "err_code", None) == raw.FPDF_ERR_PASSWORD:
                raise PasswordNeeded(self.name) from error
            raise PageError(self.name, "no PDF, or one that is broken or has no pages") from error
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
        """Let go of the file; no page can be read any more."""
        with _LOCK:
            self._document.close()

    def page(self, number: int) -> Rendering:
        """One page, read when it is asked for."""
        if not 1 <= number <= len(self):
            raise OptionError("page", number, f"{self.name} has pages 1 to {len(self):,}")
        source = f"{self.name}, page {number:,}"
        with _LOCK:
            try:
                page = self._document[number - 1]
                try:
                    return self._rendering(page, source)
                finally:
                    page.close()
            except self._pdfium.PdfiumError as error:
                raise PageError(source, "the page is broken") from error

    def _rendering(self, page: Any, source: str) -> Rendering:
        sheet = _sheet(page, source)
        objects = read_objects(self._pdfium, page)
        text_page = page.get_textpage()
        if text_page.count_chars() > MOST_CHARS:
            raise PageError(source, f"more than {MOST_CHARS:,} characters on one page")
        glyphs, styles = read_glyphs(self._pdfium.raw, text_page, objects.orders)
        contents = Contents(lines_of(glyphs, styles), styles, objects.painted, self._title)
        found, layout = page_of(contents, sheet)
        if not self.options.picture:
            return Rendering(found, layout, notes=tuple(objects.notes))
        picture, scale = _picture(page, sheet, self.options.scale)
        return Rendering(found, layout, picture, scale, tuple(objects.notes))


def read_pdf(
    source: str | Path | bytes, *, name: str = "", options: PdfOptions = PdfOptions()
) -> Iterator[Rendering]:
    """Every page of a PDF, one after the other; the file is closed after the last."""
    with PdfFile(source, name=name, options=options) as file:
        yield from file


def _sheet(page: Any, source: str) -> Sheet:
    """The part of a page that is shown."""
    left, bottom, right, top = page.get_bbox()
    sides = right - left, top - bottom
    if not all(isfinite(side) and 0 < side <= LONGEST for side in sides):
        raise PageError(source, f"a page of {sides[0]:g} × {sides[1]:g} points cannot be drawn")
    return Sheet(left, bottom, right, top, page.get_rotation())


def _picture(page: Any, sheet: Sheet, scale: float) -> tuple[bytes, float]:
    """The page as PNG, and how many of its pixels make a CSS pixel."""
    width, height = sheet.size
    scale = min(scale, sqrt(MOST_PIXELS / (width * height)))
    out = io.BytesIO()
    page.render(scale=scale * PIXELS).to_pil().save(out, "PNG")
    return out.getvalue(), scale


def _pdfium() -> Any:
    try:
        import PIL.Image  # noqa: F401, PLC0415 - an extra, for the pictures
        import pypdfium2  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtra("pdf", "reading PDF files") from error
    return pypdfium2
