"""The characters of a PDF page, joined to the lines that people see.

A PDF has a place for each character, but no lines. Characters that follow each other are on one
line when they have the same direction, about the same baseline and no wide gap between them,
which would separate the columns of a page. Lengths are points, y goes up.
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
from pagelet.sources.pdf.shapes import read_colour

COLUMN_GAP_SIZES = 1.2  #: gap between two columns in font sizes; between words it is about 0.3
BASELINE_SIZES = 0.5  #: distance in font sizes between the baselines of two lines
MAX_NEAR_LINES = 100  #: lines checked for a shape inside them
SLACK_POINTS = 0.75  #: points by which a shape may reach out of its line
RTL_CLASSES = ("R", "AL")  #: bidirectional classes of right-to-left letters
SAME_DIRECTION_COSINE = 0.98  #: least cosine of the angle between equal directions


@dataclass(frozen=True, eq=False)
class TextStyles:
    """The style of each text object of a page."""

    order: Ints  #: position in the order of painting
    colour: Bytes  #: red, green, blue
    size: Floats  #: font size in points
    weight: Floats  #: 400 is normal, 700 is bold
    direction: Floats  #: x and y of a unit vector along the baseline


@dataclass(frozen=True, eq=False)
class Glyphs:
    """The characters of a page, as pdfium orders them."""

    code: NDArray[np.uint32]  #: Unicode
    edges: Floats  #: left, bottom, right, top
    origin: Floats  #: start on the baseline
    style: Ints  #: number of its text object

    def __len__(self) -> int:
        return len(self.code)


@dataclass(frozen=True, eq=False)
class TextLines:
    """Lines of text, in the order of the file."""

    texts: tuple[str, ...]
    edges: Floats  #: left, bottom, right, top
    style: Ints  #: number of the text object with most of the line

    def __len__(self) -> int:
        return len(self.texts)


def join_lines(glyphs: Glyphs, styles: TextStyles) -> TextLines:
    """Join characters to lines; white space belongs to the line before it."""
    glyphs = _logical_order(glyphs, styles)
    visible = np.flatnonzero(~_blank(glyphs.code))
    if not len(visible):
        return TextLines((), np.zeros((0, 4)), np.zeros(0, np.intp))
    first = np.concatenate(([True], _line_breaks(glyphs, styles, visible)))
    starts = np.flatnonzero(first)
    bounds = np.append(visible[starts], len(glyphs)).tolist()
    signs = "".join(map(chr, glyphs.code.tolist()))
    texts = (signs[at:end].strip() for at, end in pairwise(bounds))
    least = np.minimum.reduceat(glyphs.edges[visible, :2], starts, axis=0)
    most = np.maximum.reduceat(glyphs.edges[visible, 2:], starts, axis=0)
    style = _main_style(np.cumsum(first) - 1, glyphs.style[visible])
    return TextLines(tuple(map(_join_surrogates, texts)), np.hstack((least, most)), style)


def _blank(code: NDArray[np.uint32]) -> Mask:
    """Characters that are white space."""
    kinds, which = np.unique(code, return_inverse=True)
    return np.array([chr(kind).isspace() for kind in kinds.tolist()], np.bool_)[which]


def _logical_order(glyphs: Glyphs, styles: TextStyles) -> Glyphs:
    """The characters with right-to-left words in logical order, where they are in visual order.

    Programs write such words glyph by glyph from the left, and pdfium keeps some of them so.
    """
    kinds, which = np.unique(glyphs.code, return_inverse=True)
    ways = [unicodedata.bidirectional(chr(kind)) in RTL_CLASSES for kind in kinds.tolist()]
    at = np.flatnonzero(np.array(ways, np.bool_)[which])
    fresh = (np.diff(at) > 1) | _on_other_baseline(glyphs, styles, at)
    run = np.cumsum(np.concatenate(([True], fresh))[: len(at)])
    first, last = np.searchsorted(run, run, "left"), np.searchsorted(run, run, "right") - 1
    way = glyphs.origin[at[last]] - glyphs.origin[at[first]]
    looks = (way * styles.direction[glyphs.style[at[first]]]).sum(axis=1) > 0
    order, place = np.arange(len(glyphs)), np.arange(len(at))
    order[at] = at[np.where(looks, first + last - place, place)]
    return Glyphs(
        glyphs.code[order], glyphs.edges[order], glyphs.origin[order], glyphs.style[order]
    )


def _line_breaks(glyphs: Glyphs, styles: TextStyles, seen: Ints) -> Mask:
    """Whether a new line begins with each visible character except the first.

    Gaps are measured between characters inside a word, and between whole words elsewhere, since
    the words of a line may be read from either side.
    """
    edges, along = glyphs.edges[seen], styles.direction[glyphs.style[seen]]
    start = (glyphs.origin[seen] * along).sum(axis=1)
    end = start + (np.abs(along) * (edges[:, 2:] - edges[:, :2])).sum(axis=1)
    wide = COLUMN_GAP_SIZES * _size(glyphs, styles, seen)
    spaced = np.diff(seen) > 1
    parted = _on_other_baseline(glyphs, styles, seen) | (~spaced & (_gaps(start, end) > wide))
    words = np.flatnonzero(np.concatenate(([True], parted | spaced)))
    low, high = np.minimum.reduceat(start, words), np.maximum.reduceat(end, words)
    parted[words[1:] - 1] |= _gaps(low, high) > wide[words[1:] - 1]
    return parted


def _on_other_baseline(glyphs: Glyphs, styles: TextStyles, at: Ints) -> Mask:
    """Whether each two neighbouring characters stand on different baselines."""
    along = styles.direction[glyphs.style[at]]
    step = np.diff(glyphs.origin[at], axis=0)
    aside = step[:, 1] * along[:-1, 0] - step[:, 0] * along[:-1, 1]
    turned = (along[:-1] * along[1:]).sum(axis=1) < SAME_DIRECTION_COSINE
    return np.asarray(turned | (np.abs(aside) > BASELINE_SIZES * _size(glyphs, styles, at)))


def _size(glyphs: Glyphs, styles: TextStyles, at: Ints) -> Floats:
    """The greater font size of each two neighbouring characters."""
    size = styles.size[glyphs.style[at]]
    return np.maximum(size[:-1], size[1:])


def _gaps(start: Floats, end: Floats) -> Floats:
    """The gap between each two neighbouring spans, whichever comes first."""
    return np.maximum(start[1:] - end[:-1], start[:-1] - end[1:])


def _main_style(line: Ints, style: Ints) -> Ints:
    """The most frequent style of each line; of equals, the first."""
    kinds = int(style.max()) + 1
    pairs, counts = np.unique(line * kinds + style, return_counts=True)
    order = np.lexsort((pairs, -counts, pairs // kinds))
    pairs = pairs[order]
    return np.asarray(pairs[np.diff(pairs // kinds, prepend=-1) > 0] % kinds)


def _join_surrogates(text: str) -> str:
    """The text with surrogate pairs joined, and lone surrogates replaced."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def inside_lines(shapes: Floats, lines: Floats) -> Mask:
    """Mark the shapes inside a line of text: underlines, and backgrounds of words.

    Of the lines that begin below the middle of a shape, only the nearest are checked.
    """
    lines = lines[np.argsort(lines[:, 1], kind="stable")]
    middle = (shapes[:, 1] + shapes[:, 3]) / 2
    last = np.searchsorted(lines[:, 1], middle, "right")
    inside = np.zeros(len(shapes), np.bool_)
    for back in range(1, min(MAX_NEAR_LINES, len(lines)) + 1):
        line = lines[np.maximum(last - back, 0)]
        starts = (shapes[:, :2] >= line[:, :2] - SLACK_POINTS).all(axis=1)
        inside |= starts & (shapes[:, 2:] <= line[:, 2:] + SLACK_POINTS).all(axis=1)
    return inside


# -- reading characters from pdfium ------------------------------------------------------------

MAX_CHAR_SIZES, MIN_CHAR_SIZES = 2.5, 0.3  #: longer side of a character in font sizes
HYPHEN, REPLACEMENT = 0x02, 0xFFFD  #: pdfium's code of a hyphen at the end of a line; U+FFFD
NORMAL, BOLD = 400.0, 700.0  #: font weights
BOLD_NAMES = ("bold", "black", "heavy")
BLANK_CODES = [ord(sign) for sign in "\t\n\r\f\v"]

#: order of painting, red, green, blue, size, weight, direction
Style = tuple[float, float, float, float, float, float, float, float]
DEFAULT_STYLE: Style = (0, 0, 0, 0, 0, NORMAL, 1, 0)


def read_glyphs(raw: Any, text_page: Any, orders: Mapping[int, int]) -> tuple[Glyphs, TextStyles]:
    """Characters and styles; `orders` has the order of painting by address.

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
        if text_object := raw.FPDFText_GetTextObject(text_page, at):
            address = ctypes.addressof(text_object.contents)
            last = numbers.setdefault(address, len(kinds))
            if last == len(kinds):
                kinds.append(_read_style(raw, text_page, at, text_object, orders.get(address, 0)))
            raw.FPDFText_GetLooseCharBox(text_page, at, box)
            raw.FPDFText_GetCharOrigin(text_page, at, x, y)
            edges[at] = box.left, box.bottom, box.right, box.top
            origin[at] = x.value, y.value
        style[at] = last
    styles = _stack_styles(kinds)
    _correct_boxes(raw, text_page, edges, styles.size[style])
    return Glyphs(clean_codes(code), edges, origin, style), styles


def _read_style(raw: Any, text_page: Any, at: int, text_object: Any, order: int) -> Style:
    """The style of the text object of one character."""
    matrix = raw.FS_MATRIX()
    raw.FPDFText_GetMatrix(text_page, at, matrix)
    size = raw.FPDFText_GetFontSize(text_page, at) * hypot(matrix.c, matrix.d)
    step = hypot(matrix.a, matrix.b) or 1.0
    red, green, blue, _ = read_colour(raw.FPDFPageObj_GetFillColor, text_object)
    weight = _weight(raw, raw.FPDFTextObj_GetFont(text_object))
    return order, red, green, blue, size, weight, matrix.a / step, matrix.b / step


def _weight(raw: Any, font: Any) -> float:
    """The weight of a font: the greater of its own value and that of its name."""
    if not font:
        return NORMAL
    buffer = ctypes.create_string_buffer(256)
    raw.FPDFFont_GetBaseFontName(font, buffer, len(buffer))
    name = buffer.value.decode("latin-1").lower()
    named = BOLD if any(part in name for part in BOLD_NAMES) else NORMAL
    return max(named, float(raw.FPDFFont_GetWeight(font)))


def _stack_styles(kinds: list[Style]) -> TextStyles:
    columns = np.array(kinds or [DEFAULT_STYLE], np.float64)
    return TextStyles(
        order=columns[:, 0].astype(np.intp),
        colour=columns[:, 1:4].astype(np.uint8),
        size=columns[:, 4],
        weight=columns[:, 5],
        direction=columns[:, 6:],
    )


def _correct_boxes(raw: Any, text_page: Any, edges: Floats, size: Floats) -> None:
    """Where the height of a font is wrong, use the box of the ink instead."""
    longest = np.maximum(edges[:, 2] - edges[:, 0], edges[:, 3] - edges[:, 1])
    is_long, is_short = longest > MAX_CHAR_SIZES * size, longest < MIN_CHAR_SIZES * size
    broken = (is_long | is_short) & edges.any(axis=1)
    left, bottom, right, top = (ctypes.c_double() for _ in range(4))
    for at in np.flatnonzero(broken).tolist():
        if raw.FPDFText_GetCharBox(text_page, at, left, right, bottom, top):
            edges[at] = left.value, bottom.value, right.value, top.value


def clean_codes(code: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Codes that can stand in a text; others become U+FFFD."""
    code = np.where(code == HYPHEN, ord("-"), code)
    code = np.where(np.isin(code, BLANK_CODES), ord(" "), code)
    return np.where((code < ord(" ")) | (code > 0x10FFFF), REPLACEMENT, code).astype(np.uint32)
