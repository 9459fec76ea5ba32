"""Segments drawn over the picture of their page, as PNG or SVG.

A segment is a tinted rectangle with an edge and its number, counted from 1. Boxes that lie in no
segment have a grey edge. Without a picture of the page its boxes are drawn as light rectangles.
"""

import io
import re
import struct
from base64 import b64encode
from collections.abc import Iterator
from html import escape
from importlib import import_module
from math import sqrt
from typing import Any

import numpy as np

from pagelet.columns.boxes import IMAGE, Boxes, Floats
from pagelet.columns.layout import Rendering
from pagelet.columns.page import Mask
from pagelet.columns.segments import Segments
from pagelet.errors import MissingExtra
from pagelet.methods.segments_answer import texts_of
from pagelet.report.segments_plan import PALETTE, WHITE, Colour, Plan, ink, plan

MOST_PIXELS = 24_000_000  #: of a drawing; a larger page is drawn smaller
LONGEST = 65_000  #: pixels of a side that programs still show
MOST_PICTURE = 80_000_000  #: pixels of a picture that is read at all
LAYERS = 16  #: rectangles are filled until so many times the drawing is covered, then outlined

TINT = 0.16
EDGE = 2
FONT = 13
GREY, PAPER = (118, 118, 118), (255, 255, 255)
TEXT_BOX, IMAGE_BOX = (226, 228, 231), (203, 209, 216)
#: What no XML may hold: control characters, halves of characters, two that are none.
UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
EXCERPT = 300  #: characters of a segment that are shown where the pointer rests


def draw_png(rendering: Rendering, segments: Segments) -> bytes:
    """The picture of the page with the segments over it."""
    image = _pillow("Image")
    scale, size = _canvas(rendering, segments)
    drawing = _ground(image, rendering, segments.boxes, scale, size)
    planned = plan(segments, scale, size)
    _tint(image, drawing, planned)
    pen = _pillow("ImageDraw").Draw(drawing)
    for edges in planned.loose.tolist():
        pen.rectangle(_pixels(edges), outline=GREY)
    for edges, number in zip(planned.edges.tolist(), planned.colour.tolist(), strict=True):
        pen.rectangle(_grown(edges, EDGE + 1), outline=WHITE)
        pen.rectangle(_grown(edges, EDGE), outline=PALETTE[number], width=EDGE)
    _numbers(pen, planned)
    out = io.BytesIO()
    drawing.save(out, "PNG")
    return out.getvalue()


def _canvas(rendering: Rendering, segments: Segments) -> tuple[float, tuple[int, int]]:
    """Pixels of the drawing for one CSS pixel, and its size."""
    width, height = _page_size(rendering, segments)
    scale = rendering.scale if rendering.picture else 1.0
    scale = min(scale, sqrt(MOST_PIXELS / (width * height)), LONGEST / max(width, height))
    return scale, (max(int(width * scale + 1e-6), 1), max(int(height * scale + 1e-6), 1))


def _page_size(rendering: Rendering, segments: Segments) -> tuple[float, float]:
    """Width and height of the page; where it has none, how far its boxes reach."""
    layout, boxes = rendering.layout, segments.boxes
    width = layout.page_width or float(boxes.right.max(initial=0))
    height = layout.page_height or float(boxes.bottom.max(initial=0))
    return max(width, 1.0), max(height, 1.0)


def _ground(
    image: Any, rendering: Rendering, boxes: Boxes, scale: float, size: tuple[int, int]
) -> Any:
    """What the segments are drawn on."""
    if 0 < _pixels_of_png(rendering.picture) <= MOST_PICTURE:
        picture = image.open(io.BytesIO(rendering.picture)).convert("RGB")
        return picture if picture.size == size else picture.resize(size)
    paper = image.new("RGB", size, PAPER)
    pen = _pillow("ImageDraw").Draw(paper)
    edges = boxes.edges * scale
    filled = _affordable(edges, size)
    for at, box in enumerate(edges.tolist()):
        shade = IMAGE_BOX if boxes.kind[at] == IMAGE else TEXT_BOX
        pen.rectangle(_pixels(box), outline=shade, fill=shade if filled[at] else None)
    return paper


def _tint(image: Any, drawing: Any, planned: Plan) -> None:
    filled = _affordable(planned.edges, drawing.size)
    for at in np.flatnonzero(filled).tolist():
        left, top, right, bottom = _pixels(planned.edges[at].tolist())
        right, bottom = min(right, drawing.width - 1), min(bottom, drawing.height - 1)
        if left > right or top > bottom:
            continue
        part = drawing.crop((left, top, right + 1, bottom + 1))
        colour = image.new("RGB", part.size, PALETTE[planned.colour[at]])
        drawing.paste(image.blend(part, colour, TINT), (left, top))


def _affordable(edges: Floats, size: tuple[int, int]) -> Mask:
    """The rectangles that are filled, the first ones: filling all could take for ever."""
    sides = np.clip(edges[:, 2:], 0, size) - np.clip(edges[:, :2], 0, size)
    return np.asarray(np.cumsum(sides.prod(axis=1)) <= LAYERS * size[0] * size[1])


def _numbers(pen: Any, planned: Plan) -> None:
    font = _pillow("ImageFont").load_default(FONT)
    for at, (tag, number) in enumerate(
        zip(planned.tags.tolist(), planned.colour.tolist(), strict=True)
    ):
        left, top, right, bottom = _pixels(tag)
        pen.rectangle((left, top, right, bottom), fill=PALETTE[number], outline=WHITE)
        middle = (left + right + 1) / 2, (top + bottom + 1) / 2
        pen.text(middle, str(at + 1), fill=ink(PALETTE[number]), font=font, anchor="mm")


def _pixels(edges: list[float]) -> tuple[int, int, int, int]:
    """First and last pixel, both ways, of a rectangle; it has one pixel at least."""
    left, top, right, bottom = (round(edge) for edge in edges)
    return left, top, max(right - 1, left), max(bottom - 1, top)


def _grown(edges: list[float], by: int) -> tuple[int, int, int, int]:
    """The same so many pixels further out, so that an edge hides nothing inside."""
    left, top, right, bottom = _pixels(edges)
    return left - by, top - by, right + by, bottom + by


def _pixels_of_png(picture: bytes) -> int:
    """How many pixels a PNG has, by its first bytes; 0 if it is none."""
    if len(picture) < 24 or not picture.startswith(b"\x89PNG"):
        return 0
    width, height = struct.unpack(">II", picture[16:24])
    return int(width * height)


def _pillow(name: str) -> Any:
    try:
        return import_module(f"PIL.{name}")
    except ImportError as error:
        raise MissingExtra("browser", "drawing segments as PNG") from error


# -- SVG ------------------------------------------------------------------------------------


def draw_svg(rendering: Rendering, segments: Segments) -> str:
    """The same as one SVG that needs no other file; a segment tells its text on hovering."""
    width, height = _page_size(rendering, segments)
    planned = plan(segments, 1.0, (width, height))
    parts = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.10g} {height:.10g}" '
        f'width="{width:.10g}" height="{height:.10g}" font-family="sans-serif" font-size="{FONT}">',
        *_svg_ground(rendering, segments.boxes, (width, height)),
        _svg_path(planned.loose, f'fill="none" stroke="{_hex(GREY)}"'),
        *_svg_segments(planned, texts_of(rendering.page, segments)),
        *_svg_numbers(planned),
        "</svg>\n",
    )
    return "\n".join(part for part in parts if part)


def _svg_ground(rendering: Rendering, boxes: Boxes, size: tuple[float, float]) -> Iterator[str]:
    yield f'<rect width="{size[0]:.10g}" height="{size[1]:.10g}" fill="{_hex(PAPER)}"/>'
    if rendering.picture:
        yield (
            f'<image width="{size[0]:.10g}" height="{size[1]:.10g}" preserveAspectRatio="none" '
            f'href="data:image/png;base64,{b64encode(rendering.picture).decode()}"/>'
        )
        return
    image = boxes.kind == IMAGE
    yield _svg_path(boxes.edges[~image], f'fill="{_hex(TEXT_BOX)}"')
    yield _svg_path(boxes.edges[image], f'fill="{_hex(IMAGE_BOX)}"')


def _svg_segments(planned: Plan, texts: list[str]) -> Iterator[str]:
    for at, (left, top, right, bottom) in enumerate(planned.edges.round(1).tolist()):
        said = f"{at + 1}: {texts[at]}"
        said = said if len(said) <= EXCERPT else f"{said[: EXCERPT - 1]}…"
        place = _svg_place(left, top, right, bottom)
        colour = _hex(PALETTE[planned.colour[at]])
        yield (
            f'<rect {place} fill="none" stroke="{_hex(WHITE)}" stroke-width="{EDGE + 2}"/>'
            f'<rect {place} fill="{colour}" fill-opacity="{TINT}" stroke="{colour}" '
            f'stroke-width="{EDGE}"><title>{_xml(said)}</title></rect>'
        )


def _svg_numbers(planned: Plan) -> Iterator[str]:
    for at, (left, top, right, bottom) in enumerate(planned.tags.round(1).tolist()):
        colour = PALETTE[planned.colour[at]]
        yield (
            f'<g pointer-events="none"><rect {_svg_place(left, top, right, bottom)} '
            f'fill="{_hex(colour)}" stroke="{_hex(WHITE)}"/>'
            f'<text x="{(left + right) / 2:.10g}" y="{(top + bottom) / 2:.10g}" dy="0.35em" '
            f'text-anchor="middle" fill="{_hex(ink(colour))}">{at + 1}</text></g>'
        )


def _svg_place(left: float, top: float, right: float, bottom: float) -> str:
    size = f'width="{right - left:.10g}" height="{bottom - top:.10g}"'
    return f'x="{left:.10g}" y="{top:.10g}" {size}'


def _svg_path(edges: Floats, dress: str) -> str:
    """Many rectangles as one path; nothing if there are none."""
    if not len(edges):
        return ""
    steps = "".join(
        f"M{left:.10g} {top:.10g}H{right:.10g}V{bottom:.10g}H{left:.10g}z"
        for left, top, right, bottom in edges.round(1).tolist()
    )
    return f'<path {dress} d="{steps}"/>'


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _xml(text: str) -> str:
    """Text that may stand in XML, which knows no control characters."""
    return escape(UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", text))
