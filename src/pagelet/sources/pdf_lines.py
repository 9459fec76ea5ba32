"""The characters of a PDF page, put together to the lines that people see.

A PDF says where each character stands, not what a line is. Characters that follow each other
are of one line when they are written in the same direction, stand on about the same base line
and are not far apart; a wide gap parts the columns of a page. Lengths are points, y goes up.
"""

import unicodedata
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.boxes import Floats
from pagelet.columns.page import Mask

Ints = NDArray[np.intp]

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
    colour: NDArray[np.uint8]  #: red, green, blue
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
