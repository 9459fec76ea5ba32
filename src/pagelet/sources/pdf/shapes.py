"""The paths of a PDF page: which are surfaces, frames and rules, and which make up a drawing.

A path that fills the rectangle around it is part of the layout. All others are pieces of
drawings: those painted one after the other, each at or over the ones before, are one image.
"""

import ctypes
from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise
from typing import Any

import numpy as np

from pagelet.arrays import Bytes

MOST_PARTS = 64  #: of a path that is looked at; one with more is a piece of a drawing
MOST_POINTS = 1_000_000  #: of all paths of a page; those after that are taken as rectangles
MOST_CLIPS = 8  #: paths that cut an object, each within the one before
THIN = 3.0  #: points up to which a stroke is a rule
FILLED = 0.93  #: share of the rectangle around it that a surface fills; a disc fills 0.79
NEAR = 2.0  #: points between pieces of one drawing
CLEAR = (0, 0, 0, 0)

Colour = tuple[int, int, int, int]  #: red, green, blue, opacity
Edges = tuple[float, float, float, float]  #: left, bottom, right, top
Point = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Painted:
    """An image or a shape."""

    edges: Edges
    order: int  #: place in the order of painting
    is_image: bool = False
    is_piece: bool = False  #: of a drawing
    is_many: bool = False  #: a piece that has pieces itself
    colour: tuple[int, int, int] = (0, 0, 0)  #: of an image: the mean of its opaque pixels
    background: Colour = CLEAR
    border: float = 0.0  #: points
    pictured: bool = False  #: filled with many colours


@dataclass
class Paths:
    """Reads the paths of one page."""

    raw: Any
    points: int = field(default=MOST_POINTS)  #: that may still be looked at

    def shape(self, each: Any, edges: Edges, order: int) -> Painted | None:
        """What a path looks like that covers these edges; None if it cannot be seen."""
        raw = self.raw
        fill, stroke, width = ctypes.c_int(), raw.FPDF_BOOL(), ctypes.c_float()
        raw.FPDFPath_GetDrawMode(each, fill, stroke)
        raw.FPDFPageObj_GetStrokeWidth(each, width)
        background = colour_of(raw.FPDFPageObj_GetFillColor, each) if fill.value else CLEAR
        pen = colour_of(raw.FPDFPageObj_GetStrokeColor, each) if stroke.value else CLEAR
        if not (background[3] or pen[3]):
            return None
        sides = edges[2] - edges[0], edges[3] - edges[1]
        if min(sides) <= max(THIN, width.value) < max(sides):
            return Painted(edges=edges, order=order, background=pen if pen[3] else background)
        share, is_many = self._form(each)
        return Painted(
            edges=edges,
            order=order,
            is_piece=is_many or share < FILLED,
            is_many=is_many,
            colour=pen[:3],
            background=background,
            border=width.value if pen[3] else 0.0,
        )

    def _form(self, each: Any) -> tuple[float, bool]:
        """The share of the rectangle around it that a path fills, and whether it is in pieces."""
        raw = self.raw
        parts = raw.FPDFPath_CountSegments(each)
        if parts > MOST_PARTS:
            return 0.0, True
        if not 0 < parts <= self.points:
            return 1.0, False
        segments = [raw.FPDFPath_GetPathSegment(each, at) for at in range(parts)]
        begins = [raw.FPDFPathSegment_GetType(one) == raw.FPDF_SEGMENT_MOVETO for one in segments]
        return share_filled(self._points(segments)), sum(begins) > 1

    def clip(self, each: Any) -> Edges | None:
        """The rectangle that an object is cut to; None if it is not cut."""
        raw = self.raw
        found = raw.FPDFPageObj_GetClipPath(each)
        edges: Edges | None = None
        for path in range(min(raw.FPDFClipPath_CountPaths(found), MOST_CLIPS)):
            parts = raw.FPDFClipPath_CountPathSegments(found, path)
            if not 0 < parts <= min(MOST_PARTS, self.points):
                continue
            points = self._points(
                [raw.FPDFClipPath_GetPathSegment(found, path, at) for at in range(parts)]
            )
            across, up = zip(*points, strict=True)
            edges = common(edges, (min(across), min(up), max(across), max(up)))
        return edges

    def _points(self, segments: Sequence[Any]) -> list[Point]:
        self.points -= len(segments)
        x, y = ctypes.c_float(), ctypes.c_float()
        points = []
        for segment in segments:
            self.raw.FPDFPathSegment_GetPoint(segment, x, y)
            points.append((x.value, y.value))
        return points


def colour_of(ask: Any, found: Any) -> Colour:
    """Red, green, blue and opacity of an object; clear black where none is said."""
    parts = [ctypes.c_uint() for _ in range(4)]
    if not ask(found, *parts):
        return CLEAR
    red, green, blue, opacity = (part.value for part in parts)
    return red, green, blue, opacity


def common(one: Edges | None, other: Edges | None) -> Edges | None:
    """What two rectangles share, perhaps nothing; None stands for the whole plane."""
    if one is None or other is None:
        return one or other
    left, bottom = max(one[0], other[0]), max(one[1], other[1])
    return left, bottom, max(min(one[2], other[2]), left), max(min(one[3], other[3]), bottom)


def share_filled(points: Sequence[Point]) -> float:
    """The share of the rectangle around a polygon that it fills."""
    around = [*points, points[0]]
    twice = sum(x * next_y - next_x * y for (x, y), (next_x, next_y) in pairwise(around))
    xs, ys = zip(*points, strict=True)
    room = (max(xs) - min(xs)) * (max(ys) - min(ys))
    return abs(twice) / 2 / room if room else 1.0


# -- drawings -------------------------------------------------------------------------------


def gather(painted: Sequence[Painted], texts: Sequence[int]) -> list[Painted]:
    """Put the pieces of each drawing together; a text painted in between ends a drawing.

    `texts` has the places of text objects in the order of painting, sorted.
    """
    groups: list[list[Painted]] = []
    around: Edges = (0, 0, 0, 0)
    for each in painted:
        if not each.is_piece:
            continue
        if groups and _follows(groups[-1][-1], each, texts) and _near(around, each.edges):
            groups[-1].append(each)
            around = _union(around, each.edges)
        else:
            groups.append([each])
            around = each.edges
    drawings = [_drawing(group) for group in groups if _is_drawing(group)]
    alone = [_surface(group[0]) for group in groups if not _is_drawing(group)]
    inner = _swallowed(painted, groups, texts)
    rest = [each for each in painted if not each.is_piece and each.order not in inner]
    return sorted(rest + drawings + list(filter(None, alone)), key=lambda each: each.order)


def _is_drawing(group: Sequence[Painted]) -> bool:
    return len(group) > 1 or group[0].is_many


def _follows(one: Painted, other: Painted, texts: Sequence[int]) -> bool:
    return bisect(texts, one.order) == bisect(texts, other.order)


def _area(edges: Edges) -> float:
    return (edges[2] - edges[0]) * (edges[3] - edges[1])


def _near(one: Edges, other: Edges) -> bool:
    across = one[0] - NEAR <= other[2] and other[0] - NEAR <= one[2]
    return across and one[1] - NEAR <= other[3] and other[1] - NEAR <= one[3]


def _union(one: Edges, other: Edges) -> Edges:
    least = min(one[0], other[0]), min(one[1], other[1])
    return *least, max(one[2], other[2]), max(one[3], other[3])


def _drawing(group: Sequence[Painted]) -> Painted:
    """One image in place of its pieces; its colour is the mean of theirs, by their areas."""
    edges = np.array([each.edges for each in group])
    around = (*edges[:, :2].min(axis=0).tolist(), *edges[:, 2:].max(axis=0).tolist())
    weights = (edges[:, 2:] - edges[:, :2]).prod(axis=1) + 1e-9
    shades = [each.background[:3] if each.background[3] else each.colour for each in group]
    red, green, blue = np.average(np.array(shades), axis=0, weights=weights).round().tolist()
    colour = int(red), int(green), int(blue)
    return Painted(edges=around, order=group[0].order, is_image=True, colour=colour)


def _surface(piece: Painted) -> Painted | None:
    """A piece that stands alone: a surface of some form if it is filled, else nothing."""
    return replace(piece, is_piece=False, border=0.0) if piece.background[3] else None


def _swallowed(
    painted: Sequence[Painted], groups: Sequence[Sequence[Painted]], texts: Sequence[int]
) -> set[int]:
    """When those shapes are painted of which more than half lies over a drawing."""
    begins = [group[0].order for group in groups]
    around = [_drawing(group).edges for group in groups]
    found: set[int] = set()
    for each in painted:
        at = bisect(begins, each.order) - 1
        if at < 0 or not _is_drawing(groups[at]) or each.is_image:
            continue
        shared = _area(common(each.edges, around[at]) or each.edges)
        if _follows(groups[at][0], each, texts) and shared > _area(each.edges) / 2:
            found.add(each.order)
    return found


# -- What is painted on a PDF page besides its text: images, drawings, surfaces, frames, rules


MOST_OBJECTS = 100_000  #: objects looked at on one page; all text is read whatever their number
MOST_PIXELS = 16_000_000  #: of the images of a page that are looked at for their colours
OPAQUE = 128  #: a pixel this opaque counts for the colour of an image
GREY, WHITE = (128, 128, 128), (255, 255, 255)


@dataclass
class Objects:
    """The objects of a page in the order of painting."""

    painted: list[Painted] = field(default_factory=list)
    orders: dict[int, int] = field(default_factory=dict)  #: of text objects, by address
    notes: list[str] = field(default_factory=list)
    pixels: int = MOST_PIXELS  #: that may still be looked at


def read_objects(pdfium: Any, page: Any) -> Objects:
    """Images and shapes, and when each text object is painted."""
    found, raw, last = Objects(), pdfium.raw, -1
    paths = Paths(raw)
    for last, (each, edges) in enumerate(islice(_placed(pdfium, page, paths), MOST_OBJECTS)):
        if each.type == raw.FPDF_PAGEOBJ_TEXT:
            found.orders[_address(each)] = last
        elif each.type == raw.FPDF_PAGEOBJ_IMAGE:
            found.painted.append(_image(pdfium, each, edges, last, found))
        elif each.type == raw.FPDF_PAGEOBJ_SHADING:
            found.painted.append(Painted(edges=edges, order=last, pictured=True))
        elif each.type == raw.FPDF_PAGEOBJ_PATH:
            shape = paths.shape(each, edges, last)
            if shape and (found.painted or _seen(shape)):
                found.painted.append(shape)
    if last + 1 == MOST_OBJECTS:
        found.notes.append(f"images and shapes after {MOST_OBJECTS:,} objects are left out")
    found.painted = gather(found.painted, list(found.orders.values()))
    return found


def _seen(shape: Painted) -> bool:
    """Whether a shape can be seen on bare paper, which is white."""
    return shape.pictured or shape.border > 0 or shape.background[:3] != WHITE


def _placed(pdfium: Any, page: Any, paths: Paths) -> Iterator[tuple[Any, Edges]]:
    """Objects, each with the part of the page it covers; text is not measured here."""
    outer: dict[int, tuple[Any, Edges | None]] = {}  # by the address of a form, a group of objects
    for each in page.get_objects():
        inside = each.container and outer[_address(each.container)]
        matrix, cut = inside or (pdfium.PdfMatrix(), None)
        if each.type == pdfium.raw.FPDF_PAGEOBJ_TEXT:
            yield each, (0, 0, 0, 0)
            continue
        own = paths.clip(each)
        cut = common(cut, own and matrix.on_rect(*own))
        if each.type == pdfium.raw.FPDF_PAGEOBJ_FORM:
            outer[_address(each)] = each.get_matrix().multiply(matrix), cut
        yield each, common(matrix.on_rect(*each.get_bounds()), cut) or (0, 0, 0, 0)


def _address(each: Any) -> int:
    return ctypes.addressof(each.raw.contents)


def _image(pdfium: Any, each: Any, edges: Edges, order: int, found: Objects) -> Painted:
    """An image with its mean colour, grey where that takes too many pixels or cannot be read."""
    left, bottom, right, top = each.get_bounds()
    pixels, colour = int((right - left) * (top - bottom)), GREY
    if pixels < found.pixels:
        found.pixels -= pixels
        try:
            bitmap = each.get_bitmap(render=True, scale_to_original=False)
        except pdfium.PdfiumError:
            found.notes.append("an image could not be read")
        else:
            colour = mean_colour(bitmap.to_numpy())
    return Painted(edges=edges, order=order, is_image=True, colour=colour)


def mean_colour(pixels: Bytes) -> tuple[int, int, int]:
    """The mean of the opaque pixels, given as blue, green, red and, if at all, opacity."""
    if pixels.ndim < 3 or pixels.shape[2] < 3:
        shade = round(float(pixels.mean())) if pixels.size else GREY[0]
        return shade, shade, shade
    flat = pixels.reshape(-1, pixels.shape[2])
    seen = flat[flat[:, 3] >= OPAQUE] if flat.shape[1] > 3 else flat
    if not len(seen):
        return GREY
    blue, green, red = (round(float(part)) for part in seen[:, :3].mean(axis=0))
    return red, green, blue
