"""The characters of a PDF page, put together to the lines that people see.

A PDF says where each character stands, not what a line is. Characters that follow each other
are of one line when they are written in the same direction, stand on about the same base line
and are not far apart; a wide gap parts the columns of a page. Lengths are points, y goes up.
"""

import ctypes
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import hypot
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Bytes, Floats, Ints, Mask
from pagelet.sources.pdf.shapes import colour_of

WIDE = 1.2  #: a gap of so many font sizes parts two columns; between words it is about 0.3
BASE = 0.5  #: base lines further apart, in font sizes, are those of two lines
LOOKED_AT = 100  #: lines that a shape may lie in
SLACK = 0.75  #: points by which a shape may reach out of its line
LEFTWARD = ("R", "AL")  #: letters of Hebrew, Arabic and the like
ALIKE = 0.98  #: cosine of the angle up to which directions are the same


@dataclass(frozen=True, eq=False)
class Styles:
    """How each text object of a page is written."""

    order: Ints  #: place in the order of painting
    colour: Bytes  #: red, green, blue
    size: Floats  #: of the font, in points
    weight: Floats  #: 400 is normal, 700 is bold
    direction: Floats  #: x and y of a step of length 1 along the base line


@dataclass(frozen=True, eq=False)
class Glyphs:
    """The characters of a page, as pdfium orders them."""

    code: NDArray[np.uint32]  #: Unicode
    edges: Floats  #: left, bottom, right, top
    origin: Floats  #: where on the base line it begins
    style: Ints  #: number of the text object it is part of

    def __len__(self) -> int:
        return len(self.code)


@dataclass(frozen=True, eq=False)
class TextLines:
    """Lines of text, in the order of the file."""

    texts: tuple[str, ...]
    edges: Floats  #: left, bottom, right, top
    style: Ints  #: number of the text object most of the line is part of

    def __len__(self) -> int:
        return len(self.texts)


def lines_of(glyphs: Glyphs, styles: Styles) -> TextLines:
    """Put characters together to lines; white space belongs to the line before it."""
    glyphs = _spoken(glyphs, styles)
    seen = np.flatnonzero(~_blank(glyphs.code))
    if not len(seen):
        return TextLines((), np.zeros((0, 4)), np.zeros(0, np.intp))
    first = np.concatenate(([True], _breaks(glyphs, styles, seen)))
    starts = np.flatnonzero(first)
    bounds = np.append(seen[starts], len(glyphs)).tolist()
    signs = "".join(map(chr, glyphs.code.tolist()))
    texts = (signs[at:end].strip() for at, end in pairwise(bounds))
    least = np.minimum.reduceat(glyphs.edges[seen, :2], starts, axis=0)
    most = np.maximum.reduceat(glyphs.edges[seen, 2:], starts, axis=0)
    style = _most(np.cumsum(first) - 1, glyphs.style[seen])
    return TextLines(tuple(map(_whole, texts)), np.hstack((least, most)), style)


def _blank(code: NDArray[np.uint32]) -> Mask:
    """Characters that are white space."""
    kinds, which = np.unique(code, return_inverse=True)
    return np.array([chr(kind).isspace() for kind in kinds.tolist()], np.bool_)[which]


def _spoken(glyphs: Glyphs, styles: Styles) -> Glyphs:
    """The characters in the order they are read: words that run leftward, but came as they look.

    Programs write such words glyph by glyph from the left, and pdfium keeps some of them so.
    """
    kinds, which = np.unique(glyphs.code, return_inverse=True)
    ways = [unicodedata.bidirectional(chr(kind)) in LEFTWARD for kind in kinds.tolist()]
    at = np.flatnonzero(np.array(ways, np.bool_)[which])
    fresh = (np.diff(at) > 1) | _apart(glyphs, styles, at)
    run = np.cumsum(np.concatenate(([True], fresh))[: len(at)])
    first, last = np.searchsorted(run, run, "left"), np.searchsorted(run, run, "right") - 1
    way = glyphs.origin[at[last]] - glyphs.origin[at[first]]
    looks = (way * styles.direction[glyphs.style[at[first]]]).sum(axis=1) > 0
    order, place = np.arange(len(glyphs)), np.arange(len(at))
    order[at] = at[np.where(looks, first + last - place, place)]
    return Glyphs(
        glyphs.code[order], glyphs.edges[order], glyphs.origin[order], glyphs.style[order]
    )


def _breaks(glyphs: Glyphs, styles: Styles, seen: Ints) -> Mask:
    """Whether a new line begins with each character but the first of those seen.

    Gaps are measured between characters inside a word, and between whole words elsewhere, since
    the words of a line may be read from either side.
    """
    edges, along = glyphs.edges[seen], styles.direction[glyphs.style[seen]]
    start = (glyphs.origin[seen] * along).sum(axis=1)
    end = start + (np.abs(along) * (edges[:, 2:] - edges[:, :2])).sum(axis=1)
    wide = WIDE * _size(glyphs, styles, seen)
    spaced = np.diff(seen) > 1
    parted = _apart(glyphs, styles, seen) | (~spaced & (_gaps(start, end) > wide))
    words = np.flatnonzero(np.concatenate(([True], parted | spaced)))
    low, high = np.minimum.reduceat(start, words), np.maximum.reduceat(end, words)
    parted[words[1:] - 1] |= _gaps(low, high) > wide[words[1:] - 1]
    return parted


def _apart(glyphs: Glyphs, styles: Styles, at: Ints) -> Mask:
    """Whether each two characters, one after the other, stand on different base lines."""
    along = styles.direction[glyphs.style[at]]
    step = np.diff(glyphs.origin[at], axis=0)
    aside = step[:, 1] * along[:-1, 0] - step[:, 0] * along[:-1, 1]
    turned = (along[:-1] * along[1:]).sum(axis=1) < ALIKE
    return np.asarray(turned | (np.abs(aside) > BASE * _size(glyphs, styles, at)))


def _size(glyphs: Glyphs, styles: Styles, at: Ints) -> Floats:
    """The greater font size of each two characters, one after the other."""
    size = styles.size[glyphs.style[at]]
    return np.maximum(size[:-1], size[1:])


def _gaps(start: Floats, end: Floats) -> Floats:
    """How far each two spans, one after the other, are apart, whichever comes first."""
    return np.maximum(start[1:] - end[:-1], start[:-1] - end[1:])


def _most(line: Ints, style: Ints) -> Ints:
    """The style most characters of each line have; of those as frequent, the least."""
    kinds = int(style.max()) + 1
    pairs, counts = np.unique(line * kinds + style, return_counts=True)
    order = np.lexsort((pairs, -counts, pairs // kinds))
    pairs = pairs[order]
    return np.asarray(pairs[np.diff(pairs // kinds, prepend=-1) > 0] % kinds)


def _whole(text: str) -> str:
    """The text with halves of characters put together, or marked as lost."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def inside_lines(shapes: Floats, lines: Floats) -> Mask:
    """Mark the shapes that lie in a line of text: what underlines it, or lies behind words.

    Of the lines that begin below the middle of a shape, only the nearest are looked at.
    """
    lines = lines[np.argsort(lines[:, 1], kind="stable")]
    middle = (shapes[:, 1] + shapes[:, 3]) / 2
    last = np.searchsorted(lines[:, 1], middle, "right")
    found = np.zeros(len(shapes), np.bool_)
    for back in range(1, min(LOOKED_AT, len(lines)) + 1):
        line = lines[np.maximum(last - back, 0)]
        starts = (shapes[:, :2] >= line[:, :2] - SLACK).all(axis=1)
        found |= starts & (shapes[:, 2:] <= line[:, 2:] + SLACK).all(axis=1)
    return found


# -- The characters of a PDF page as pdfium tells them, with the style of each ----------------


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
