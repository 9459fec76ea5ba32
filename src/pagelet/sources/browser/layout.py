"""From the layout objects of a snapshot to the columns of a Layout, CSS colours included."""

import math
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Bytes, Floats, Int32s, Int64s, Ints, Mask
from pagelet.page.layout import Layout, empty_layout
from pagelet.page.table import Page
from pagelet.page.tags import TEXT
from pagelet.page.words import measure_texts
from pagelet.sources.browser.html import Area, Snapshot, edges_of

FUNCTION = re.compile(r"([a-z]+)\(([^()]*)\)\Z")
COLOUR_SPACES = frozenset(
    "display-p3 a98-rgb prophoto-rgb rec2020 srgb srgb-linear xyz xyz-d50 xyz-d65".split()
)
OKLAB = ((1, 0.3963377774, 0.2158037573), (1, -0.1055613458, -0.0638541728),
         (1, -0.0894841775, -1.2914855480))  # fmt: skip
OKLAB_RGB = ((4.0767416621, -3.3077115913, 0.2309699292),
             (-1.2684380046, 2.6097574011, -0.3413193965),
             (-0.0041960863, -0.7034186147, 1.7076147010))  # fmt: skip
#: XYZ with white point D50 to linear sRGB
XYZ_RGB = ((3.1341359, -1.6173864, -0.4906619), (-0.9787955, 1.9162544, 0.0334427),
           (0.0719553, -0.2289768, 1.4053860))  # fmt: skip
WHITE = (0.9642956764, 1.0, 0.8251046025)  #: XYZ of D50, the white point of Lab

Triple = tuple[float, float, float]


def parse_colours(texts: list[str]) -> Bytes:
    """Red, green, blue and opacity of each text, from 0 to 255; all 0 where it is no colour."""
    return np.array([_parse(text) for text in texts], np.uint8).reshape(-1, 4)


def _parse(text: str) -> tuple[int, ...]:
    match = FUNCTION.match(text.strip().lower())
    if match is None:
        return (0, 0, 0, 0)
    name, (channels, _, opacity) = match[1], match[2].replace(",", " ").partition("/")
    words = channels.split()
    space = words.pop(0) if words and words[0] in COLOUR_SPACES else name
    numbers = [_number(word) for word in words]
    if len(numbers) < 3:
        return (0, 0, 0, 0)
    if opacity:
        numbers[3:] = [_number(opacity)]
    red, green, blue = _to_srgb(space, (numbers[0], numbers[1], numbers[2]))
    alpha = numbers[3] if len(numbers) > 3 else 1.0
    return tuple(round(255 * min(max(part, 0.0), 1.0)) for part in (red, green, blue, alpha))


def _number(word: str) -> float:
    """A number, a percentage, or `none`, which counts as 0."""
    try:
        number = float(word.rstrip("%").removesuffix("deg"))
    except ValueError:
        return 0.0
    number = number / 100 if word.endswith("%") else number
    return number if math.isfinite(number) else 0.0


def _to_srgb(space: str, parts: Triple) -> Triple:
    """Red, green and blue from 0 to 1; wide-gamut spaces are taken as sRGB."""
    if space in ("rgb", "rgba"):
        return parts[0] / 255, parts[1] / 255, parts[2] / 255
    if space in ("lch", "oklch"):
        turn = math.radians(parts[2])
        parts = parts[0], parts[1] * math.cos(turn), parts[1] * math.sin(turn)
        space = space.replace("lch", "lab")
    if space == "oklab":
        long, medium, short = _multiply(OKLAB, parts)
        return _gamma(_multiply(OKLAB_RGB, (long**3, medium**3, short**3)))
    if space == "lab":
        return _gamma(_multiply(XYZ_RGB, _lab_to_xyz(parts)))
    return _gamma(parts) if space == "srgb-linear" else parts


def _lab_to_xyz(lab: Triple) -> Triple:
    middle = (lab[0] + 16) / 116
    x, y, z = (
        _lab_inverse(part) for part in (middle + lab[1] / 500, middle, middle - lab[2] / 200)
    )
    return x * WHITE[0], y * WHITE[1], z * WHITE[2]


def _lab_inverse(part: float) -> float:
    return part**3 if part > 6 / 29 else 3 * (6 / 29) ** 2 * (part - 4 / 29)


def _multiply(matrix: tuple[Triple, ...], parts: Triple) -> Triple:
    x, y, z = (sum(one * other for one, other in zip(row, parts, strict=True)) for row in matrix)
    return x, y, z


def _gamma(linear: Triple) -> Triple:
    red, green, blue = (
        12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055 for part in linear
    )
    return red, green, blue


# -- lines of text --------------------------------------------------------------------------

TEXT_BOX_COLUMNS = ("layoutIndex", "start", "length")
SAME_LINE_PIXELS = 0.5  #: pixels by which the boxes of one line may differ in height


@dataclass(frozen=True, slots=True, eq=False)
class DrawnLines:
    """Lines of text in document order."""

    row: Int32s  #: row of the text
    edges: Floats  #: left, top, right, bottom
    chars: Int32s  #: characters, white space folded

    def select(self, kept: Mask) -> "DrawnLines":
        """The marked lines."""
        return DrawnLines(self.row[kept], self.edges[kept], self.chars[kept])


def read_lines(snapshot: Snapshot, rows: Int64s, area: Area) -> DrawnLines:
    """Every line that has characters, of every text that is a row."""
    boxes = snapshot.document["textBoxes"]
    laid = np.array(boxes["layoutIndex"], np.int64)
    edges = edges_of(np.array(boxes["bounds"], np.float64).reshape(-1, 4), area)
    row = rows[snapshot.layout_node[laid]] if len(laid) else laid
    whole = (row >= 0) & (edges[:, 2] > edges[:, 0]) & (edges[:, 3] > edges[:, 1])
    order = np.flatnonzero(whole)[np.argsort(row[whole], kind="stable")]
    upright = ~snapshot.has_style("writing-mode", "horizontal-tb")[laid[order]]
    first = _line_starts(row[order], edges[order], upright)
    pieces, start = _pieces(snapshot, boxes), np.array(boxes["start"], np.int64)[order]
    line = np.bincount(first, minlength=len(order)).cumsum()
    reading = order[np.lexsort((start, line))]  # boxes are in visual, texts in logical order
    lines = [pieces[box] for box in reading.tolist()]
    bounds = pairwise([*first.tolist(), len(lines)])
    texts = ["".join(lines[begin:end]) for begin, end in bounds]
    chars = measure_texts(texts)[0].astype(np.int32)
    joined = DrawnLines(
        row[order][first].astype(np.int32), _bounding_boxes(edges[order], first), chars
    )
    return joined.select(chars > 0)


def _pieces(snapshot: Snapshot, boxes: dict[str, Any]) -> list[str]:
    """The characters of each box; offsets count UTF-16 code units, so a surrogate pair is two."""
    drawn = snapshot.layout["text"]
    cut, last, text, coded = list[str](), -1, "", b""
    for where, start, length in zip(*(boxes[name] for name in TEXT_BOX_COLUMNS), strict=True):
        if where != last:
            last, text = where, snapshot.text(drawn[where])
            wide = not text.isascii() and max(text) > "\uffff"
            coded = text.encode("utf-16-le", "surrogatepass") if wide else b""
        if coded:
            cut.append(coded[2 * start : 2 * (start + length)].decode("utf-16-le", "replace"))
        else:
            cut.append(text[start : start + length])
    return cut


def _line_starts(row: Int64s, edges: Floats, upright: Mask) -> Ints:
    """Where lines begin: bidirectional text has several boxes per line."""
    same = (row[1:] == row[:-1]) & ~upright[1:]
    for side in (1, 3):
        same &= np.abs(edges[1:, side] - edges[:-1, side]) <= SAME_LINE_PIXELS
    return np.flatnonzero(np.append(np.ones(min(len(row), 1), np.bool_), ~same))


def _bounding_boxes(edges: Floats, first: Ints) -> Floats:
    """The bounding box of each line."""
    if not len(first):
        return edges
    low = np.minimum.reduceat(edges[:, :2], first)
    return np.concatenate([low, np.maximum.reduceat(edges[:, 2:], first)], axis=1)


# -- visibility -----------------------------------------------------------------------------

SLIT_PIXELS = 1.0  #: widest clip through which nothing can be read
LENGTH = re.compile(r"(-?[0-9.]+)px")
EMPTY_CLIP_PATH = re.compile(
    r"inset\((?:[5-9][0-9]|100)%|circle\(0|polygon\(0(?:px|%)? 0(?:px|%)?\)"
)

Edges = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class ClipRects:
    """The clip rectangle of each row, and whether the row is visible at all."""

    visible: Mask  #: rows that are neither hidden nor transparent
    edges: Floats  #: left, top, right, bottom of the clip rectangle of each row

    def show(self, rows: NDArray[np.integer], edges: Floats) -> Mask:
        """Whether any part of a box of each row is visible."""
        window = self.edges[rows]
        wide = window[:, 2:] - window[:, :2]
        low = np.maximum(window[:, :2], edges[:, :2])
        high = np.minimum(window[:, 2:], edges[:, 2:])
        return np.asarray(
            self.visible[rows] & (wide > SLIT_PIXELS).all(axis=1) & (high > low).all(axis=1)
        )


def clip_rows(columns: dict[str, Any], snapshot: Snapshot, page: Page, row: Int64s) -> ClipRects:
    """The clip rectangle of every row, given the row of each layout object."""
    laid = row >= 0
    visible, clear = np.zeros(len(page), np.bool_), np.zeros(len(page), np.bool_)
    visible[row[laid]] = snapshot.has_style("visibility", "visible")[laid]
    clear[row[laid]] = ((snapshot.pixels("opacity") == 0) | _clipped_away(snapshot))[laid]
    whole = (0.0, 0.0, columns["page_width"], columns["page_height"])
    clips = np.zeros(len(page), np.bool_)
    clips[row[laid]] = _hides_overflow(snapshot)[laid]
    clips &= page.element
    _exempt_viewport(clips, page)
    edges = np.broadcast_to(np.array(whole), (len(page), 4))
    if clips.any():
        edges = _clip_edges(columns, page, clips, _positions(snapshot, page, row), whole)
    return ClipRects(visible & ~page.inside(clear), edges)


def _clipped_away(snapshot: Snapshot) -> Mask:
    """Mark objects that `clip` or `clip-path` hides, as in text for screen readers."""
    values, which = snapshot.style("clip-path")
    gone = np.array([bool(EMPTY_CLIP_PATH.match(value)) for value in values], np.bool_)[which]
    values, which = snapshot.style("clip")
    slits = np.array([_is_slit(value) for value in values], np.bool_)[which]
    return np.asarray(gone | slits & snapshot.has_style("position", "absolute", "fixed"))


def _is_slit(clip: str) -> bool:
    lengths = [float(length) for length in LENGTH.findall(clip)]
    if len(lengths) != 4:
        return False
    top, right, bottom, left = lengths
    return right - left <= SLIT_PIXELS or bottom - top <= SLIT_PIXELS


def _hides_overflow(snapshot: Snapshot) -> Mask:
    """Mark objects that show nothing beyond their own edges."""
    wide = snapshot.has_style("overflow-x", "visible", "")
    high = snapshot.has_style("overflow-y", "visible", "")
    return ~(wide & high) & ~snapshot.has_style("display", "inline", "contents", "")


def _exempt_viewport(clips: Mask, page: Page) -> None:
    """The overflow of the root, or else of the body, applies to the viewport, which scrolls."""
    if len(clips) and not clips[0] and page.body >= 0:
        clips[page.body] = False
    clips[:1] = False


def _positions(snapshot: Snapshot, page: Page, row: Int64s) -> list[str]:
    """The CSS position of every row; one with a transform contains what is placed in it."""
    values, which = snapshot.style("position")
    moved = ~snapshot.has_style("transform", "none", "")
    positions = ["static"] * len(page)
    for where, number, turned in zip(row.tolist(), which.tolist(), moved.tolist(), strict=True):
        if where >= 0 and page.element[where]:
            contains = turned and values[number] == "static"
            positions[where] = "relative" if contains else values[number]
    return positions


def _clip_edges(
    columns: dict[str, Any], page: Page, clips: Mask, positions: list[str], whole: Edges
) -> Floats:
    """The clip rectangle of every row, from the root down.

    An absolutely positioned row is clipped only by its containing blocks; a fixed one by nothing.
    """
    boxes = np.stack([columns[side] for side in ("left", "top", "right", "bottom")], axis=1)
    rects, own = [whole], [0] * len(page)
    flow, placed = [0] * (len(page) + 1), [0] * (len(page) + 1)  # for what is inside; -1 is no row
    clipping = clips.tolist()
    for row, parent in enumerate(page.parent.tolist()):
        position = positions[row]
        mine = flow[parent]
        if position in ("absolute", "fixed"):
            mine = placed[parent] if position == "absolute" else 0
        own[row] = flow[row] = mine
        if clipping[row]:
            rects.append(_intersect(rects[mine], tuple(boxes[row].tolist())))
            flow[row] = len(rects) - 1
        placed[row] = placed[parent] if position in ("static", "") else flow[row]
    return np.array(rects)[own]


def _intersect(one: Edges, other: tuple[float, ...]) -> Edges:
    left, top = max(one[0], other[0]), max(one[1], other[1])
    return left, top, min(one[2], other[2]), min(one[3], other[3])


# -- columns of the layout ------------------------------------------------------------------

SIDES = ("left", "top", "right", "bottom")


def layout_of(snapshot: Snapshot, page: Page, rows: Int64s, area: Area) -> Layout:
    """The layout of a page, given the row of each node and the area of the whole page."""
    columns = empty_layout(len(page), area[2:])
    row = rows[snapshot.layout_node]
    laid = row >= 0
    edges = edges_of(snapshot.bounds, area)
    _fill_boxes(columns, row[laid], edges[laid])
    _fill_styles(columns, snapshot, row, laid, page.tag == TEXT)
    clips = clip_rows(columns, snapshot, page, row)
    lines = read_lines(snapshot, rows, area)
    lines = lines.select(clips.show(lines.row, lines.edges))
    seen = clips.show(np.arange(len(page)), _stacked(columns))
    is_text = page.tag == TEXT
    has_lines = np.bincount(lines.row, minlength=len(page)) > 0
    columns["drawn"] = np.where(is_text, has_lines, seen)
    _fill_lines(columns, lines, page)
    for name in SIDES:
        columns[name][~columns["drawn"]] = 0
    columns["paint"][~columns["drawn"]] = -1
    return Layout(**columns)


def _stacked(columns: dict[str, Any]) -> Floats:
    return np.asarray(np.stack([columns[name] for name in SIDES], axis=1), np.float64)


def _fill_boxes(columns: dict[str, Any], row: Int64s, edges: Floats) -> None:
    """Fill in the box of every row; a row in pieces gets their bounding box."""
    for side, name in enumerate(SIDES):
        join, start = (np.minimum, np.inf) if side < 2 else (np.maximum, -np.inf)
        column = np.full(len(columns[name]), start)
        join.at(column, row, edges[:, side])
        columns[name] = np.where(np.isfinite(column), column, 0.0)


def _fill_styles(
    columns: dict[str, Any],
    snapshot: Snapshot,
    row: Int64s,
    laid: Mask,
    is_text: Mask,
) -> None:
    """Fill in the style of rows; a text has the font of its element, but not its box."""
    where, boxes = row[laid], laid & ~np.append(is_text, False)[row]
    columns["paint"][where] = np.array(snapshot.layout["paintOrders"], np.int32)[laid]
    for name in ("font_size", "font_weight"):
        columns[name][where] = snapshot.pixels(name.replace("_", "-"))[laid]
    columns["colour"][where] = _colours(snapshot, "color")[laid, :3]
    columns["inline"][row[boxes]] = snapshot.has_style("display", "inline")[boxes]
    columns["background"][row[boxes]] = _colours(snapshot, "background-color")[boxes]
    columns["pictured"][row[boxes]] = ~snapshot.has_style("background-image", "none", "")[boxes]
    for side, name in enumerate(SIDES):
        shown = _colours(snapshot, f"border-{name}-color")[:, 3] > 0
        width = np.where(shown, snapshot.pixels(f"border-{name}-width"), 0)
        columns["border"][row[boxes], side] = width[boxes]
    columns["background"][columns["background"][:, 3] == 0] = 0


def _colours(snapshot: Snapshot, name: str) -> Bytes:
    texts, which = snapshot.style(name)
    return parse_colours(texts)[which]


def _fill_lines(columns: dict[str, Any], lines: DrawnLines, page: Page) -> None:
    """Fill in the lines; the box of a text is that of its visible lines."""
    columns["line_row"], columns["line_chars"] = lines.row, lines.chars
    for side, name in enumerate(SIDES):
        columns[f"line_{name}"] = lines.edges[:, side]
        join, start = (np.minimum, np.inf) if side < 2 else (np.maximum, -np.inf)
        reach = np.full(len(page), start)
        join.at(reach, lines.row, lines.edges[:, side])
        columns[name] = np.where(np.isfinite(reach), reach, columns[name])
