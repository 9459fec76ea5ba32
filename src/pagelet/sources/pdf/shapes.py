"""Images and shapes of a PDF page: surfaces, frames and rules, and drawings made of paths.

A path that fills its bounding box is part of the layout. All others are pieces of drawings:
those painted one after the other, each at or over the ones before, are one image.
"""

import ctypes
from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise
from typing import Any

import numpy as np

from pagelet.arrays import Bytes

MAX_SEGMENTS = 64  #: segments of a path that is read; one with more is a piece of a drawing
MAX_POINTS = 1_000_000  #: points of all paths of a page; further paths count as rectangles
MAX_CLIP_PATHS = 8  #: clip paths of an object
MAX_RULE_POINTS = 3.0  #: width of a stroke that is a rule
MIN_FILL_RATIO = 0.93  #: part of its bounding box that a surface fills; a disc fills 0.79
DRAWING_GAP_POINTS = 2.0  #: distance between pieces of one drawing
TRANSPARENT = (0, 0, 0, 0)

Colour = tuple[int, int, int, int]  #: red, green, blue, opacity
Edges = tuple[float, float, float, float]  #: left, bottom, right, top
Point = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class PaintedObject:
    """An image or a shape."""

    edges: Edges
    order: int  #: position in the order of painting
    is_image: bool = False
    is_piece: bool = False  #: whether it is a piece of a drawing
    is_many: bool = False  #: whether it has several subpaths
    colour: tuple[int, int, int] = (0, 0, 0)  #: mean of the opaque pixels of an image
    background: Colour = TRANSPARENT
    border: float = 0.0  #: width in points
    pictured: bool = False  #: whether it is filled with many colours


@dataclass
class PathReader:
    """Reads the paths of one page."""

    raw: Any
    points: int = field(default=MAX_POINTS)  #: points that may still be read

    def shape(self, each: Any, edges: Edges, order: int) -> PaintedObject | None:
        """The shape of a path with these edges; None if it is invisible."""
        raw = self.raw
        fill, stroke, width = ctypes.c_int(), raw.FPDF_BOOL(), ctypes.c_float()
        raw.FPDFPath_GetDrawMode(each, fill, stroke)
        raw.FPDFPageObj_GetStrokeWidth(each, width)
        background = read_colour(raw.FPDFPageObj_GetFillColor, each) if fill.value else TRANSPARENT
        pen = read_colour(raw.FPDFPageObj_GetStrokeColor, each) if stroke.value else TRANSPARENT
        if not (background[3] or pen[3]):
            return None
        sides = edges[2] - edges[0], edges[3] - edges[1]
        if min(sides) <= max(MAX_RULE_POINTS, width.value) < max(sides):
            return PaintedObject(edges=edges, order=order, background=pen if pen[3] else background)
        ratio, is_many = self._measure(each)
        return PaintedObject(
            edges=edges,
            order=order,
            is_piece=is_many or ratio < MIN_FILL_RATIO,
            is_many=is_many,
            colour=pen[:3],
            background=background,
            border=width.value if pen[3] else 0.0,
        )

    def _measure(self, each: Any) -> tuple[float, bool]:
        """The fill ratio of a path, and whether it has several subpaths."""
        raw = self.raw
        parts = raw.FPDFPath_CountSegments(each)
        if parts > MAX_SEGMENTS:
            return 0.0, True
        if not 0 < parts <= self.points:
            return 1.0, False
        segments = [raw.FPDFPath_GetPathSegment(each, at) for at in range(parts)]
        begins = [raw.FPDFPathSegment_GetType(one) == raw.FPDF_SEGMENT_MOVETO for one in segments]
        return fill_ratio(self._points(segments)), sum(begins) > 1

    def clip(self, each: Any) -> Edges | None:
        """The clip rectangle of an object; None if it has none."""
        raw = self.raw
        clip = raw.FPDFPageObj_GetClipPath(each)
        edges: Edges | None = None
        for path in range(min(raw.FPDFClipPath_CountPaths(clip), MAX_CLIP_PATHS)):
            parts = raw.FPDFClipPath_CountPathSegments(clip, path)
            if not 0 < parts <= min(MAX_SEGMENTS, self.points):
                continue
            points = self._points(
                [raw.FPDFClipPath_GetPathSegment(clip, path, at) for at in range(parts)]
            )
            across, up = zip(*points, strict=True)
            edges = intersect(edges, (min(across), min(up), max(across), max(up)))
        return edges

    def _points(self, segments: Sequence[Any]) -> list[Point]:
        self.points -= len(segments)
        x, y = ctypes.c_float(), ctypes.c_float()
        points = []
        for segment in segments:
            self.raw.FPDFPathSegment_GetPoint(segment, x, y)
            points.append((x.value, y.value))
        return points


def read_colour(getter: Any, each: Any) -> Colour:
    """Red, green, blue and opacity of an object; transparent black where it has none."""
    parts = [ctypes.c_uint() for _ in range(4)]
    if not getter(each, *parts):
        return TRANSPARENT
    red, green, blue, opacity = (part.value for part in parts)
    return red, green, blue, opacity


def intersect(one: Edges | None, other: Edges | None) -> Edges | None:
    """The intersection of two rectangles, perhaps empty; None is the whole plane."""
    if one is None or other is None:
        return one or other
    left, bottom = max(one[0], other[0]), max(one[1], other[1])
    return left, bottom, max(min(one[2], other[2]), left), max(min(one[3], other[3]), bottom)


def fill_ratio(points: Sequence[Point]) -> float:
    """The part of its bounding box that a polygon fills."""
    closed = [*points, points[0]]
    twice = sum(x * next_y - next_x * y for (x, y), (next_x, next_y) in pairwise(closed))
    xs, ys = zip(*points, strict=True)
    area = (max(xs) - min(xs)) * (max(ys) - min(ys))
    return abs(twice) / 2 / area if area else 1.0


# -- drawings -------------------------------------------------------------------------------


def merge_drawings(painted: Sequence[PaintedObject], texts: Sequence[int]) -> list[PaintedObject]:
    """Merge the pieces of each drawing; a text painted in between ends a drawing.

    `texts` has the sorted positions of text objects in the order of painting.
    """
    groups: list[list[PaintedObject]] = []
    box: Edges = (0, 0, 0, 0)
    for each in painted:
        if not each.is_piece:
            continue
        if groups and _follows(groups[-1][-1], each, texts) and _near(box, each.edges):
            groups[-1].append(each)
            box = _bounding_box(box, each.edges)
        else:
            groups.append([each])
            box = each.edges
    drawings = [_drawing(group) for group in groups if _is_drawing(group)]
    alone = [_surface(group[0]) for group in groups if not _is_drawing(group)]
    covered = _covered(painted, groups, texts)
    rest = [each for each in painted if not each.is_piece and each.order not in covered]
    return sorted(rest + drawings + list(filter(None, alone)), key=lambda each: each.order)


def _is_drawing(group: Sequence[PaintedObject]) -> bool:
    return len(group) > 1 or group[0].is_many


def _follows(one: PaintedObject, other: PaintedObject, texts: Sequence[int]) -> bool:
    return bisect(texts, one.order) == bisect(texts, other.order)


def _area(edges: Edges) -> float:
    return (edges[2] - edges[0]) * (edges[3] - edges[1])


def _near(one: Edges, other: Edges) -> bool:
    gap = DRAWING_GAP_POINTS
    across = one[0] - gap <= other[2] and other[0] - gap <= one[2]
    return across and one[1] - gap <= other[3] and other[1] - gap <= one[3]


def _bounding_box(one: Edges, other: Edges) -> Edges:
    least = min(one[0], other[0]), min(one[1], other[1])
    return *least, max(one[2], other[2]), max(one[3], other[3])


def _drawing(group: Sequence[PaintedObject]) -> PaintedObject:
    """One image in place of its pieces; its colour is the mean of theirs, by their areas."""
    edges = np.array([each.edges for each in group])
    box = (*edges[:, :2].min(axis=0).tolist(), *edges[:, 2:].max(axis=0).tolist())
    weights = (edges[:, 2:] - edges[:, :2]).prod(axis=1) + 1e-9
    shades = [each.background[:3] if each.background[3] else each.colour for each in group]
    red, green, blue = np.average(np.array(shades), axis=0, weights=weights).round().tolist()
    colour = int(red), int(green), int(blue)
    return PaintedObject(edges=box, order=group[0].order, is_image=True, colour=colour)


def _surface(piece: PaintedObject) -> PaintedObject | None:
    """A single piece as a surface; None if it is not filled."""
    return replace(piece, is_piece=False, border=0.0) if piece.background[3] else None


def _covered(
    painted: Sequence[PaintedObject],
    groups: Sequence[Sequence[PaintedObject]],
    texts: Sequence[int],
) -> set[int]:
    """The order of the shapes of which more than half lies over a drawing."""
    begins = [group[0].order for group in groups]
    boxes = [_drawing(group).edges for group in groups]
    covered: set[int] = set()
    for each in painted:
        at = bisect(begins, each.order) - 1
        if at < 0 or not _is_drawing(groups[at]) or each.is_image:
            continue
        shared = _area(intersect(each.edges, boxes[at]) or each.edges)
        if _follows(groups[at][0], each, texts) and shared > _area(each.edges) / 2:
            covered.add(each.order)
    return covered


# -- objects of a page ---------------------------------------------------------------------------

MAX_OBJECTS = 100_000  #: objects read on one page; all text is read whatever their number
MAX_IMAGE_PIXELS = 16_000_000  #: pixels of a page's images that are read for their colours
MIN_OPACITY = 128  #: opacity of a pixel that counts for the colour of an image
GREY, WHITE = (128, 128, 128), (255, 255, 255)


@dataclass
class PageObjects:
    """The objects of a page in the order of painting."""

    painted: list[PaintedObject] = field(default_factory=list)
    orders: dict[int, int] = field(default_factory=dict)  #: order of text objects, by address
    notes: list[str] = field(default_factory=list)
    pixels: int = MAX_IMAGE_PIXELS  #: pixels that may still be read


def read_objects(pdfium: Any, page: Any) -> PageObjects:
    """Read images and shapes, and the order of text objects."""
    objects, raw, last = PageObjects(), pdfium.raw, -1
    paths = PathReader(raw)
    for last, (each, edges) in enumerate(
        islice(_objects_with_edges(pdfium, page, paths), MAX_OBJECTS)
    ):
        if each.type == raw.FPDF_PAGEOBJ_TEXT:
            objects.orders[_address(each)] = last
        elif each.type == raw.FPDF_PAGEOBJ_IMAGE:
            objects.painted.append(_read_image(pdfium, each, edges, last, objects))
        elif each.type == raw.FPDF_PAGEOBJ_SHADING:
            objects.painted.append(PaintedObject(edges=edges, order=last, pictured=True))
        elif each.type == raw.FPDF_PAGEOBJ_PATH:
            shape = paths.shape(each, edges, last)
            if shape and (objects.painted or _is_visible(shape)):
                objects.painted.append(shape)
    if last + 1 == MAX_OBJECTS:
        objects.notes.append(f"images and shapes after {MAX_OBJECTS:,} objects are left out")
    objects.painted = merge_drawings(objects.painted, list(objects.orders.values()))
    return objects


def _is_visible(shape: PaintedObject) -> bool:
    """Whether a shape can be seen on white paper."""
    return shape.pictured or shape.border > 0 or shape.background[:3] != WHITE


def _objects_with_edges(pdfium: Any, page: Any, paths: PathReader) -> Iterator[tuple[Any, Edges]]:
    """Objects with the part of the page they cover; text is not measured here."""
    outer: dict[int, tuple[Any, Edges | None]] = {}  # by the address of a form, a group of objects
    for each in page.get_objects():
        inside = each.container and outer[_address(each.container)]
        matrix, cut = inside or (pdfium.PdfMatrix(), None)
        if each.type == pdfium.raw.FPDF_PAGEOBJ_TEXT:
            yield each, (0, 0, 0, 0)
            continue
        own = paths.clip(each)
        cut = intersect(cut, own and matrix.on_rect(*own))
        if each.type == pdfium.raw.FPDF_PAGEOBJ_FORM:
            outer[_address(each)] = each.get_matrix().multiply(matrix), cut
        yield each, intersect(matrix.on_rect(*each.get_bounds()), cut) or (0, 0, 0, 0)


def _address(each: Any) -> int:
    return ctypes.addressof(each.raw.contents)


def _read_image(
    pdfium: Any, each: Any, edges: Edges, order: int, objects: PageObjects
) -> PaintedObject:
    """An image with its mean colour, grey where that takes too many pixels or cannot be read."""
    left, bottom, right, top = each.get_bounds()
    pixels, colour = int((right - left) * (top - bottom)), GREY
    if pixels < objects.pixels:
        objects.pixels -= pixels
        try:
            bitmap = each.get_bitmap(render=True, scale_to_original=False)
        except pdfium.PdfiumError:
            objects.notes.append("an image could not be read")
        else:
            colour = mean_colour(bitmap.to_numpy())
    return PaintedObject(edges=edges, order=order, is_image=True, colour=colour)


def mean_colour(pixels: Bytes) -> tuple[int, int, int]:
    """The mean of the opaque pixels, given as blue, green, red and, if at all, opacity."""
    if pixels.ndim < 3 or pixels.shape[2] < 3:
        shade = round(float(pixels.mean())) if pixels.size else GREY[0]
        return shade, shade, shade
    flat = pixels.reshape(-1, pixels.shape[2])
    opaque = flat[flat[:, 3] >= MIN_OPACITY] if flat.shape[1] > 3 else flat
    if not len(opaque):
        return GREY
    blue, green, red = (round(float(part)) for part in opaque[:, :3].mean(axis=0))
    return red, green, blue
