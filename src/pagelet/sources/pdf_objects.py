"""What is painted on a PDF page besides its text: images, drawings, surfaces, frames, rules.

Lengths are points, y goes up, as the file has them before the page is turned.
"""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.sources.pdf_shapes import Edges, Painted, Paths, common, gather

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


def mean_colour(pixels: NDArray[np.uint8]) -> tuple[int, int, int]:
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
