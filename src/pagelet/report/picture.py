"""Segments drawn over the picture of their page, as PNG or SVG.

A segment is a tinted rectangle with a border and its number, counted from 1. Boxes in no segment
have a grey border. Without a picture of the page, its boxes are drawn as light rectangles.
"""

import io
import re
import struct
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from importlib import import_module
from math import sqrt
from typing import Any

import numpy as np

from pagelet.arrays import Floats, Ints, Mask
from pagelet.errors import MissingExtra
from pagelet.methods.segments.answer import segment_texts
from pagelet.methods.segments.geometry.boxes import find_neighbours
from pagelet.methods.segments.geometry.partition import Segments
from pagelet.page.layout import IMAGE, Boxes, Rendering, boxes_of
from pagelet.report.palette import (
    KIND_LOOKS,
    MIDDLE_LUMINANCE,
    SEGMENT_COLOURS,
    luminance,
    rgb,
    role_look,
)
from pagelet.wording import missing_styles

# -- plan -----------------------------------------------------------------------------------


Colour = tuple[int, int, int]

PALETTE: tuple[Colour, ...] = tuple(map(rgb, SEGMENT_COLOURS))  #: of segments without a role
BLACK, WHITE = (0, 0, 0), (255, 255, 255)

DIGIT_WIDTH = 8.0  #: pixels of a digit
TAG_HEIGHT = 17.0  #: pixels of the tag around a number
GRID_CELLS = 1_000_000  #: cells of the grid that measures what a tag hides
TAG_OVERLAP_COST = 4.0  #: cost of hiding another tag; hiding boxes costs at most 1
PLACE_COST = 0.04  #: additional cost of each further place of a tag


@dataclass(frozen=True, eq=False)
class SegmentPlan:
    """Places and colours of the segments, in pixels of the drawing."""

    edges: Floats  #: left, top, right, bottom of each segment
    colours: tuple[Colour, ...]  #: colour of each segment: that of its role, if known
    tinted: Mask  #: segments with a fill; those around others have none
    tags: Floats  #: left, top, right, bottom of the tag with its number
    loose: Floats  #: left, top, right, bottom of each box in no segment
    labels: tuple[str, ...]  #: text in the tag of each segment: its number, and its role if known


Labels = Sequence[str | None]  #: the role of each segment


def plan(
    segments: Segments, scale: float, size: tuple[float, float], roles: Labels = ()
) -> SegmentPlan:
    """Choose colours and places; `scale` is pixels of the drawing per CSS pixel."""
    names = roles or [None] * len(segments)
    labels = tuple(f"{at} {role}" if role else str(at) for at, role in enumerate(names, 1))
    edges = segments.edges * scale
    boxes = segments.boxes.edges * scale
    tags = _place_tags(edges, boxes, size, labels)
    colours = tuple(
        PALETTE[number] if role is None else rgb(role_look(role).colour)
        for number, role in zip(choose_colours(segments.edges).tolist(), names, strict=True)
    )
    return SegmentPlan(edges, colours, ~_around(edges), tags, boxes[segments.loose], labels)


def text_colour(colour: Colour) -> Colour:
    """Black or white, whichever has more contrast with a background colour."""
    return BLACK if luminance(colour) > MIDDLE_LUMINANCE else WHITE


# -- colours --------------------------------------------------------------------------------


def choose_colours(edges: Floats) -> Ints:
    """A colour for each rectangle that differs from its neighbours' colours, if possible."""
    near = _neighbours(edges)
    chosen = np.zeros(len(edges), np.intp)
    used = np.zeros(len(PALETTE))
    for at, others in enumerate(near):
        clashes = np.bincount(chosen[others], minlength=len(PALETTE))
        chosen[at] = np.lexsort((used, clashes))[0]  # stable, so the first of the best
        used[chosen[at]] += 1
    return chosen


def _around(edges: Floats) -> Mask:
    """Mark the rectangles that contain another one."""
    around = np.zeros(len(edges), bool)
    for at, (left, top, right, bottom) in enumerate(edges.tolist()):
        inside = (edges[:, 0] >= left) & (edges[:, 1] >= top)
        inside &= (edges[:, 2] <= right) & (edges[:, 3] <= bottom)
        inside &= (edges != edges[at]).any(axis=1)
        around[at] = inside.any()
    return around


def _neighbours(edges: Floats) -> list[Ints]:
    """The neighbours of each rectangle that come before it, and the one just before it."""
    pairs = find_neighbours(boxes_of(edges))
    count = len(edges)
    first = np.concatenate((pairs.first, np.arange(count - 1)))
    second = np.concatenate((pairs.second, np.arange(1, count)))
    order = np.argsort(second, kind="stable")
    ends = np.cumsum(np.bincount(second, minlength=count)) if count else np.zeros(0, np.intp)
    return np.split(first[order].astype(np.intp), ends)[:count]


# -- tags -----------------------------------------------------------------------------------


def _place_tags(
    edges: Floats, boxes: Floats, size: tuple[float, float], labels: Sequence[str]
) -> Floats:
    """Choose the place of the tag of each segment."""
    grid = _CoverageGrid(boxes, size)
    chosen = np.zeros((len(edges), 4))
    for at in range(len(edges)):
        places = _tag_places(edges[at], DIGIT_WIDTH * (len(labels[at]) + 1), size)
        cost = grid.cost(places) + PLACE_COST * np.arange(len(places))
        chosen[at] = places[int(np.argmin(cost))]
        grid.add_tag(chosen[at])
    return chosen


def _tag_places(edges: Floats, width: float, size: tuple[float, float]) -> Floats:
    """Places for a tag at the corners of a segment, the best first; all are on the page."""
    left, top, right, bottom = edges
    corners = np.array(
        (
            (left, top - TAG_HEIGHT),  # above, at the left
            (left, top),  # inside, at the left
            (right - width, top - TAG_HEIGHT),
            (right - width, top),
            (left - width, top),  # beside it
            (right, top),
            (right - width, bottom - TAG_HEIGHT),
            (left, bottom),  # below
        )
    )
    corners = np.clip(corners, 0, np.maximum((size[0] - width, size[1] - TAG_HEIGHT), 0))
    return np.hstack((corners, corners + np.array((width, TAG_HEIGHT))))


class _CoverageGrid:
    """What a tag would hide: boxes of the page, and tags placed before."""

    def __init__(self, boxes: Floats, size: tuple[float, float]) -> None:
        width, height = (max(side, 1.0) for side in size)
        self.cell = max(2.0, float(np.sqrt(width * height / GRID_CELLS)))
        self.shape = int(height / self.cell) + 2, int(width / self.cell) + 2
        left, top, right, bottom = self._cells(boxes)
        marks = np.zeros(self.shape, np.int32)
        np.add.at(marks, (top, left), 1)
        np.add.at(marks, (bottom, right), 1)
        np.add.at(marks, (top, right), -1)
        np.add.at(marks, (bottom, left), -1)
        inked = marks.cumsum(axis=0).cumsum(axis=1) > 0
        self.sums = np.pad(inked.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
        self.tagged = np.zeros(self.shape, np.bool_)

    def _cells(self, edges: Floats) -> tuple[Ints, Ints, Ints, Ints]:
        """First column and row, and the column and row after the last, of each rectangle."""
        most = np.array(self.shape[::-1]) - 1
        start = np.clip(edges[:, :2] // self.cell, 0, most).astype(np.intp)
        end = np.clip(np.ceil(edges[:, 2:] / self.cell), 0, most).astype(np.intp)
        return start[:, 0], start[:, 1], end[:, 0], end[:, 1]

    def cost(self, places: Floats) -> Floats:
        """Cost of each place: the share of the tag that hides boxes, more if it hides tags."""
        left, top, right, bottom = self._cells(places)
        sums = self.sums
        inked = sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
        tagged = [
            self.tagged[top[at] : bottom[at], left[at] : right[at]].any()
            for at in range(len(places))
        ]
        share = inked / np.maximum((right - left) * (bottom - top), 1)
        return np.asarray(share + TAG_OVERLAP_COST * np.array(tagged))

    def add_tag(self, place: Floats) -> None:
        """Mark the place of a tag."""
        left, top, right, bottom = (int(side[0]) for side in self._cells(place[None]))
        self.tagged[top:bottom, left:right] = True


# -- PNG ------------------------------------------------------------------------------------


MAX_DRAWING_PIXELS = 24_000_000  #: pixels of a drawing; larger pages are scaled down
MAX_SIDE_PIXELS = 65_000  #: pixels of a side that image viewers support
MAX_PICTURE_PIXELS = 80_000_000  #: pixels of a picture that is read
MAX_TINT_LAYERS = 16  #: layers of tint, on average; further rectangles are only outlined

TINT_OPACITY = 0.16
BORDER_PIXELS = 2
FONT_PIXELS = 13
WARNING = rgb(KIND_LOOKS["clutter"].colour)
GREY, PAPER = (118, 118, 118), (255, 255, 255)
TEXT_BOX, IMAGE_BOX = (226, 228, 231), (203, 209, 216)
#: Characters that XML forbids: control characters, surrogates and noncharacters.
FORBIDDEN_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
TOOLTIP_CHARS = 300  #: characters of a segment's text in its tooltip


def draw_png(rendering: Rendering, segments: Segments, roles: Labels = ()) -> bytes:
    """Draw the segments over the picture of the page, as PNG."""
    image = import_pillow("Image")
    scale, size = _canvas(rendering, segments)
    drawing = _draw_background(image, rendering, segments.boxes, scale, size)
    planned = plan(segments, scale, size, roles)
    _tint_segments(image, drawing, planned)
    pen = import_pillow("ImageDraw").Draw(drawing)
    for edges in planned.loose.tolist():
        pen.rectangle(_pixels(edges), outline=GREY)
    for edges, colour in zip(planned.edges.tolist(), planned.colours, strict=True):
        pen.rectangle(_grown(edges, BORDER_PIXELS + 1), outline=WHITE)
        pen.rectangle(_grown(edges, BORDER_PIXELS), outline=colour, width=BORDER_PIXELS)
    _draw_numbers(pen, planned)
    _draw_warning(pen, rendering)
    out = io.BytesIO()
    drawing.save(out, "PNG")
    return out.getvalue()


def _canvas(rendering: Rendering, segments: Segments) -> tuple[float, tuple[int, int]]:
    """Pixels of the drawing per CSS pixel, and its size."""
    width, height = _page_size(rendering, segments)
    scale = rendering.scale if rendering.picture else 1.0
    scale = min(
        scale, sqrt(MAX_DRAWING_PIXELS / (width * height)), MAX_SIDE_PIXELS / max(width, height)
    )
    return scale, (max(int(width * scale + 1e-6), 1), max(int(height * scale + 1e-6), 1))


def _page_size(rendering: Rendering, segments: Segments) -> tuple[float, float]:
    """Width and height of the page, or the extent of its boxes if it has none."""
    layout, boxes = rendering.layout, segments.boxes
    width = layout.page_width or float(boxes.right.max(initial=0))
    height = layout.page_height or float(boxes.bottom.max(initial=0))
    return max(width, 1.0), max(height, 1.0)


def _draw_background(
    image: Any, rendering: Rendering, boxes: Boxes, scale: float, size: tuple[int, int]
) -> Any:
    """The picture of the page, or a drawing of its boxes."""
    if 0 < _pixels_of_png(rendering.picture) <= MAX_PICTURE_PIXELS:
        picture = image.open(io.BytesIO(rendering.picture)).convert("RGB")
        return picture if picture.size == size else picture.resize(size)
    paper = image.new("RGB", size, PAPER)
    pen = import_pillow("ImageDraw").Draw(paper)
    edges = boxes.edges * scale
    filled = _within_budget(edges, size)
    for at, box in enumerate(edges.tolist()):
        shade = IMAGE_BOX if boxes.kind[at] == IMAGE else TEXT_BOX
        pen.rectangle(_pixels(box), outline=shade, fill=shade if filled[at] else None)
    return paper


def _tint_segments(image: Any, drawing: Any, planned: SegmentPlan) -> None:
    filled = _within_budget(planned.edges, drawing.size)
    for at in np.flatnonzero(filled & planned.tinted).tolist():
        left, top, right, bottom = _pixels(planned.edges[at].tolist())
        right, bottom = min(right, drawing.width - 1), min(bottom, drawing.height - 1)
        if left > right or top > bottom:
            continue
        part = drawing.crop((left, top, right + 1, bottom + 1))
        colour = image.new("RGB", part.size, planned.colours[at])
        drawing.paste(image.blend(part, colour, TINT_OPACITY), (left, top))


def _within_budget(edges: Floats, size: tuple[int, int]) -> Mask:
    """Mark the first rectangles, as many as can be filled in reasonable time."""
    sides = np.clip(edges[:, 2:], 0, size) - np.clip(edges[:, :2], 0, size)
    return np.asarray(np.cumsum(sides.prod(axis=1)) <= MAX_TINT_LAYERS * size[0] * size[1])


def _draw_numbers(pen: Any, planned: SegmentPlan) -> None:
    font = import_pillow("ImageFont").load_default(FONT_PIXELS)
    for tag, colour, label in zip(
        planned.tags.tolist(), planned.colours, planned.labels, strict=True
    ):
        left, top, right, bottom = _pixels(tag)
        pen.rectangle((left, top, right, bottom), fill=colour, outline=WHITE)
        middle = (left + right + 1) / 2, (top + bottom + 1) / 2
        pen.text(middle, label, fill=text_colour(colour), font=font, anchor="mm")


def _draw_warning(pen: Any, rendering: Rendering) -> None:
    """Say at the top that style sheets are missing."""
    if text := _warning(rendering):
        font = import_pillow("ImageFont").load_default(FONT_PIXELS)
        left, top, right, bottom = pen.textbbox((6, 3), text, font=font)
        pen.rectangle((left - 6, top - 3, right + 6, bottom + 4), fill=WARNING, outline=WHITE)
        pen.text((6, 3), text, fill=text_colour(WARNING), font=font)


def _warning(rendering: Rendering) -> str:
    count = int(rendering.layout.page_missing_styles)
    return missing_styles(count) if count else ""


def _pixels(edges: list[float]) -> tuple[int, int, int, int]:
    """First and last pixel of a rectangle on both axes; it has at least one pixel."""
    left, top, right, bottom = (round(edge) for edge in edges)
    return left, top, max(right - 1, left), max(bottom - 1, top)


def _grown(edges: list[float], by: int) -> tuple[int, int, int, int]:
    """The pixels of a rectangle grown by a border, which then hides nothing inside."""
    left, top, right, bottom = _pixels(edges)
    return left - by, top - by, right + by, bottom + by


def _pixels_of_png(picture: bytes) -> int:
    """Number of pixels of a PNG, read from its header; 0 if it is no PNG."""
    if len(picture) < 24 or not picture.startswith(b"\x89PNG"):
        return 0
    width, height = struct.unpack(">II", picture[16:24])
    return int(width * height)


def import_pillow(name: str) -> Any:
    """A module of Pillow, which comes with the extra `browser`."""
    try:
        return import_module(f"PIL.{name}")
    except ImportError as error:
        raise MissingExtra("browser", "drawing segments as PNG") from error


# -- SVG ------------------------------------------------------------------------------------


def draw_svg(rendering: Rendering, segments: Segments, roles: Labels = ()) -> str:
    """Draw the segments as one self-contained SVG; a tooltip shows the text of a segment."""
    width, height = _page_size(rendering, segments)
    planned = plan(segments, 1.0, (width, height), roles)
    parts = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.10g} {height:.10g}" '
        f'width="{width:.10g}" height="{height:.10g}" '
        f'font-family="sans-serif" font-size="{FONT_PIXELS}">',
        *_svg_background(rendering, segments.boxes, (width, height)),
        _svg_path(planned.loose, f'fill="none" stroke="{_hex(GREY)}"'),
        *_svg_segments(planned, segment_texts(rendering.page, segments)),
        *_svg_numbers(planned),
        *_svg_warning(rendering),
        "</svg>\n",
    )
    return "\n".join(part for part in parts if part)


def _svg_background(rendering: Rendering, boxes: Boxes, size: tuple[float, float]) -> Iterator[str]:
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


def _svg_segments(planned: SegmentPlan, texts: list[str]) -> Iterator[str]:
    for at, (left, top, right, bottom) in enumerate(planned.edges.round(1).tolist()):
        tooltip = f"{at + 1}: {texts[at]}"
        if len(tooltip) > TOOLTIP_CHARS:
            tooltip = f"{tooltip[: TOOLTIP_CHARS - 1]}…"
        place = _svg_place(left, top, right, bottom)
        colour = _hex(planned.colours[at])
        opacity = TINT_OPACITY if planned.tinted[at] else 0
        yield (
            f'<rect {place} fill="none" stroke="{_hex(WHITE)}" stroke-width="{BORDER_PIXELS + 2}"/>'
            f'<rect {place} fill="{colour}" fill-opacity="{opacity}" stroke="{colour}" '
            f'stroke-width="{BORDER_PIXELS}"><title>{_xml(tooltip)}</title></rect>'
        )


def _svg_numbers(planned: SegmentPlan) -> Iterator[str]:
    for at, (left, top, right, bottom) in enumerate(planned.tags.round(1).tolist()):
        colour, label = planned.colours[at], planned.labels[at]
        yield (
            f'<g pointer-events="none"><rect {_svg_place(left, top, right, bottom)} '
            f'fill="{_hex(colour)}" stroke="{_hex(WHITE)}"/>'
            f'<text x="{(left + right) / 2:.10g}" y="{(top + bottom) / 2:.10g}" dy="0.35em" '
            f'text-anchor="middle" fill="{_hex(text_colour(colour))}">{label}</text></g>'
        )


def _svg_warning(rendering: Rendering) -> Iterator[str]:
    if text := _warning(rendering):
        width = DIGIT_WIDTH * (len(text) + 1)
        place = _svg_place(0, 0, width, TAG_HEIGHT + 4)
        yield (
            f'<g pointer-events="none"><rect {place} fill="{_hex(WARNING)}"/>'
            f'<text x="6" y="14" fill="{_hex(text_colour(WARNING))}">{text}</text></g>'
        )


def _svg_place(left: float, top: float, right: float, bottom: float) -> str:
    size = f'width="{right - left:.10g}" height="{bottom - top:.10g}"'
    return f'x="{left:.10g}" y="{top:.10g}" {size}'


def _svg_path(edges: Floats, style: str) -> str:
    """Many rectangles as one path; empty if there are none."""
    if not len(edges):
        return ""
    steps = "".join(
        f"M{left:.10g} {top:.10g}H{right:.10g}V{bottom:.10g}H{left:.10g}z"
        for left, top, right, bottom in edges.round(1).tolist()
    )
    return f'<path {style} d="{steps}"/>'


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _xml(text: str) -> str:
    """Escape text for XML, and replace forbidden characters."""
    return escape(FORBIDDEN_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text))
