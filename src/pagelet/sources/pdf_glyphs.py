"""The characters of a PDF page as pdfium tells them, with the style of each."""

import ctypes
from collections.abc import Mapping
from math import hypot
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.boxes import Floats
from pagelet.sources.pdf_lines import Glyphs, Styles
from pagelet.sources.pdf_shapes import colour_of

TALL, FLAT = 2.5, 0.3  #: lengths of a character in font sizes that only a broken font has
HYPHEN, LOST = 0x02, 0xFFFD  #: pdfium's sign for a hyphen at the end of a line; an unknown sign
NORMAL, BOLD = 400.0, 700.0  #: font weights
BOLD_NAMES = ("bold", "black", "heavy")
BLANKS = [ord(sign) for sign in "\t\n\r\f\v"]

#: Order of painting, red, green, blue, size, weight, direction.
Style = tuple[float, float, float, float, float, float, float, float]
PLAIN: Style = (0, 0, 0, 0, 0, NORMAL, 1, 0)


def read_glyphs(raw: Any, text_page: Any, orders: Mapping[int, int]) -> tuple[Glyphs, Styles]:
    """Characters and styles; `orders` has the place in the order of painting by address.

    The characters that pdfium puts in, spaces and ends of lines, have the style before them.
    """
    count = text_page.count_chars()
    code = np.zeros(count, np.uint32)
    edges, origin = np.zeros((count, 4)), np.zeros((count, 2))
    style = np.zeros(count, np.intp)
    numbers: dict[int, int] = {}
    kinds: list[Style] = []
    box, x, y, last = raw.FS_RECTF(), ctypes.c_double(), ctypes.c_double(), 0
    for at in range(count):
        code[at] = raw.FPDFText_GetUnicode(text_page, at)
        if found := raw.FPDFText_GetTextObject(text_page, at):
            address = ctypes.addressof(found.contents)
            last = numbers.setdefault(address, len(kinds))
            if last == len(kinds):
                kinds.append(_style(raw, text_page, at, found, orders.get(address, 0)))
            raw.FPDFText_GetLooseCharBox(text_page, at, box)
            raw.FPDFText_GetCharOrigin(text_page, at, x, y)
            edges[at] = box.left, box.bottom, box.right, box.top
            origin[at] = x.value, y.value
        style[at] = last
    styles = _styles(kinds)
    _mend(raw, text_page, edges, styles.size[style])
    return Glyphs(readable(code), edges, origin, style), styles


def _style(raw: Any, text_page: Any, at: int, found: Any, order: int) -> Style:
    """How the text object of one character is written."""
    matrix = raw.FS_MATRIX()
    raw.FPDFText_GetMatrix(text_page, at, matrix)
    size = raw.FPDFText_GetFontSize(text_page, at) * hypot(matrix.c, matrix.d)
    step = hypot(matrix.a, matrix.b) or 1.0
    red, green, blue, _ = colour_of(raw.FPDFPageObj_GetFillColor, found)
    weight = _weight(raw, raw.FPDFTextObj_GetFont(found))
    return order, red, green, blue, size, weight, matrix.a / step, matrix.b / step


def _weight(raw: Any, font: Any) -> float:
    """The weight of a font: what it says itself, else what its name says."""
    if not font:
        return NORMAL
    name = ctypes.create_string_buffer(256)
    raw.FPDFFont_GetBaseFontName(font, name, len(name))
    said = name.value.decode("latin-1").lower()
    named = BOLD if any(part in said for part in BOLD_NAMES) else NORMAL
    return max(named, float(raw.FPDFFont_GetWeight(font)))


def _styles(kinds: list[Style]) -> Styles:
    columns = np.array(kinds or [PLAIN], np.float64)
    return Styles(
        order=columns[:, 0].astype(np.intp),
        colour=columns[:, 1:4].astype(np.uint8),
        size=columns[:, 4],
        weight=columns[:, 5],
        direction=columns[:, 6:],
    )


def _mend(raw: Any, text_page: Any, edges: Floats, size: Floats) -> None:
    """Where a font lies about its height, take the place of the ink instead."""
    longest = np.maximum(edges[:, 2] - edges[:, 0], edges[:, 3] - edges[:, 1])
    broken = ((longest > TALL * size) | (longest < FLAT * size)) & edges.any(axis=1)
    left, bottom, right, top = (ctypes.c_double() for _ in range(4))
    for at in np.flatnonzero(broken).tolist():
        if raw.FPDFText_GetCharBox(text_page, at, left, right, bottom, top):
            edges[at] = left.value, bottom.value, right.value, top.value


def readable(code: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Codes that can stand in a text: a sign that nobody can read becomes U+FFFD."""
    code = np.where(code == HYPHEN, ord("-"), code)
    code = np.where(np.isin(code, BLANKS), ord(" "), code)
    return np.where((code < ord(" ")) | (code > 0x10FFFF), LOST, code).astype(np.uint32)
