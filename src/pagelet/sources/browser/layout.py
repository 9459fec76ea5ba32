"""From what a browser laid out to the columns of a Layout."""

import re
from collections.abc import Iterator
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
from pagelet.sources.browser.colour import colours
from pagelet.sources.browser.snapshot import Area, Snapshot, edges_of

# -- Lines of text as a browser broke them ----------------------------------------------------


COLUMNS = ("layoutIndex", "start", "length")
NEAR = 0.5  #: pixels by which the boxes of one line may differ in height


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """Lines, in the order of the document."""

    row: Int32s  #: the text each is of
    edges: Floats  #: left, top, right, bottom
    chars: Int32s  #: characters, white space folded

    def those(self, kept: Mask) -> "Lines":
        """Some of the lines."""
        return Lines(self.row[kept], self.edges[kept], self.chars[kept])


def lines_of(snapshot: Snapshot, rows: Int64s, area: Area) -> Lines:
    """Every line that has characters, of every text that is a row."""
    boxes = snapshot.document["textBoxes"]
    laid = np.array(boxes["layoutIndex"], np.int64)
    edges = edges_of(np.array(boxes["bounds"], np.float64).reshape(-1, 4), area)
    row = rows[snapshot.laid[laid]] if len(laid) else laid
    whole = (row >= 0) & (edges[:, 2] > edges[:, 0]) & (edges[:, 3] > edges[:, 1])
    order = np.flatnonzero(whole)[np.argsort(row[whole], kind="stable")]
    upright = ~snapshot.having("writing-mode", "horizontal-tb")[laid[order]]
    first = _beginnings(row[order], edges[order], upright)
    pieces, start = _pieces(snapshot, boxes), np.array(boxes["start"], np.int64)[order]
    line = np.bincount(first, minlength=len(order)).cumsum()
    spoken = order[np.lexsort((start, line))]  # boxes stand as seen, texts as read
    lines = [pieces[box] for box in spoken.tolist()]
    chars = measure_texts(["".join(some) for some in _split(lines, first)])[0].astype(np.int32)
    joined = Lines(row[order][first].astype(np.int32), _around(edges[order], first), chars)
    return joined.those(chars > 0)


def _pieces(snapshot: Snapshot, boxes: dict[str, Any]) -> list[str]:
    """The characters of each box; places are counted in halves of signs beyond the first plane."""
    drawn = snapshot.layout["text"]
    cut, last, text, coded = list[str](), -1, "", b""
    for where, start, length in zip(*(boxes[name] for name in COLUMNS), strict=True):
        if where != last:
            last, text = where, snapshot.text(drawn[where])
            wide = not text.isascii() and max(text) > "\uffff"
            coded = text.encode("utf-16-le", "surrogatepass") if wide else b""
        if coded:
            cut.append(coded[2 * start : 2 * (start + length)].decode("utf-16-le", "replace"))
        else:
            cut.append(text[start : start + length])
    return cut


def _beginnings(row: Int64s, edges: Floats, upright: Mask) -> Ints:
    """Where a line begins: a text that runs both ways has several boxes in one."""
    same = (row[1:] == row[:-1]) & ~upright[1:]
    for side in (1, 3):
        same &= np.abs(edges[1:, side] - edges[:-1, side]) <= NEAR
    return np.flatnonzero(np.append(np.ones(min(len(row), 1), np.bool_), ~same))


def _split(pieces: list[str], first: Ints) -> Iterator[list[str]]:
    """The pieces of each line."""
    for begin, end in pairwise([*first.tolist(), len(pieces)]):
        yield pieces[begin:end]


def _around(edges: Floats, first: Ints) -> Floats:
    """The edges around all boxes of each line."""
    if not len(first):
        return edges
    low = np.minimum.reduceat(edges[:, :2], first)
    return np.concatenate([low, np.maximum.reduceat(edges[:, 2:], first)], axis=1)


# -- What can be seen of what was laid out: not hidden, not clear, not clipped away, on the page


SLIT = 1.0  #: pixels; through a window no wider or higher than this nothing is read
LENGTH = re.compile(r"(-?[0-9.]+)px")
NOTHING = re.compile(r"inset\((?:[5-9][0-9]|100)%|circle\(0|polygon\(0(?:px|%)? 0(?:px|%)?\)")
EVERYWHERE = (-np.inf, -np.inf, np.inf, np.inf)

Edges = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """Through which part of the page each row is seen."""

    shown: Mask  #: rows that are neither hidden nor clear
    edges: Floats  #: left, top, right, bottom of what is seen through it, for each row

    def open(self, rows: NDArray[np.integer], edges: Floats) -> Mask:
        """Whether anything at the edges, of the rows, is seen."""
        window = self.edges[rows]
        wide = window[:, 2:] - window[:, :2]
        low = np.maximum(window[:, :2], edges[:, :2])
        high = np.minimum(window[:, 2:], edges[:, 2:])
        return np.asarray(self.shown[rows] & (wide > SLIT).all(axis=1) & (high > low).all(axis=1))


def windows_of(columns: dict[str, Any], snapshot: Snapshot, page: Page, row: Int64s) -> Windows:
    """Say of every row what hides it, given the row of each thing that was laid out."""
    laid = row >= 0
    shown, clear = np.zeros(len(page), np.bool_), np.zeros(len(page), np.bool_)
    shown[row[laid]] = snapshot.having("visibility", "visible")[laid]
    clear[row[laid]] = ((snapshot.pixels("opacity") == 0) | _cut_away(snapshot))[laid]
    whole = (0.0, 0.0, columns["page_width"], columns["page_height"])
    clips = np.zeros(len(page), np.bool_)
    clips[row[laid]] = _clipping(snapshot)[laid]
    clips &= page.element
    _spare_the_window(clips, page)
    edges = np.broadcast_to(np.array(whole), (len(page), 4))
    if clips.any():
        edges = _through(columns, page, clips, _positions(snapshot, page, row), whole)
    return Windows(shown & ~page.inside(clear), edges)


def _cut_away(snapshot: Snapshot) -> Mask:
    """Mark what `clip` or `clip-path` leaves nothing of, as pages do with text for the ear."""
    known, which = snapshot.style("clip-path")
    gone = np.array([bool(NOTHING.match(value)) for value in known], np.bool_)[which]
    known, which = snapshot.style("clip")
    slits = np.array([_is_slit(value) for value in known], np.bool_)[which]
    return np.asarray(gone | slits & snapshot.having("position", "absolute", "fixed"))


def _is_slit(clip: str) -> bool:
    lengths = [float(length) for length in LENGTH.findall(clip)]
    if len(lengths) != 4:
        return False
    top, right, bottom, left = lengths
    return right - left <= SLIT or bottom - top <= SLIT


def _clipping(snapshot: Snapshot) -> Mask:
    """Mark what shows nothing beyond its own edges."""
    wide = snapshot.having("overflow-x", "visible", "")
    high = snapshot.having("overflow-y", "visible", "")
    return ~(wide & high) & ~snapshot.having("display", "inline", "contents", "")


def _spare_the_window(clips: Mask, page: Page) -> None:
    """What the root, or else the body, says of overflow holds for the window, which scrolls."""
    if len(clips) and not clips[0] and page.body >= 0:
        clips[page.body] = False
    clips[:1] = False


def _positions(snapshot: Snapshot, page: Page, row: Int64s) -> list[str]:
    """The position of every row; texts flow, and what is turned or moved holds what is in it."""
    known, which = snapshot.style("position")
    moved = ~snapshot.having("transform", "none", "")
    positions = ["static"] * len(page)
    for where, number, turned in zip(row.tolist(), which.tolist(), moved.tolist(), strict=True):
        if where >= 0 and page.element[where]:
            still = turned and known[number] == "static"
            positions[where] = "relative" if still else known[number]
    return positions


def _through(
    columns: dict[str, Any], page: Page, clips: Mask, positions: list[str], whole: Edges
) -> Floats:
    """The window of every row, from the root down.

    What is placed absolutely is clipped only by what it is placed in; what is fixed, by nothing.
    """
    boxes = np.stack([columns[side] for side in ("left", "top", "right", "bottom")], axis=1)
    windows, own = [whole], [0] * len(page)
    flow, placed = [0] * (len(page) + 1), [0] * (len(page) + 1)  # for what is inside; -1 is no row
    clipping = clips.tolist()
    for row, parent in enumerate(page.parent.tolist()):
        position = positions[row]
        mine = flow[parent]
        if position in ("absolute", "fixed"):
            mine = placed[parent] if position == "absolute" else 0
        own[row] = flow[row] = mine
        if clipping[row]:
            windows.append(_both(windows[mine], tuple(boxes[row].tolist())))
            flow[row] = len(windows) - 1
        placed[row] = placed[parent] if position in ("static", "") else flow[row]
    return np.array(windows)[own]


def _both(one: Edges, other: tuple[float, ...]) -> Edges:
    left, top = max(one[0], other[0]), max(one[1], other[1])
    return left, top, min(one[2], other[2]), min(one[3], other[3])


# -- From what a browser laid out to the columns of a Layout ----------------------------------


SIDES = ("left", "top", "right", "bottom")


def layout_of(snapshot: Snapshot, page: Page, rows: Int64s, area: Area) -> Layout:
    """The layout of a page, given the row of each node and left, top, width, height of it all."""
    columns = empty_layout(len(page), area[2:])
    row = rows[snapshot.laid]
    laid = row >= 0
    edges = edges_of(snapshot.bounds, area)
    _place(columns, row[laid], edges[laid])
    _paint(columns, snapshot, row, laid, page.tag == TEXT)
    windows = windows_of(columns, snapshot, page, row)
    lines = lines_of(snapshot, rows, area)
    lines = lines.those(windows.open(lines.row, lines.edges))
    seen = windows.open(np.arange(len(page)), _stacked(columns))
    is_text = page.tag == TEXT
    columns["drawn"] = np.where(is_text, _holding(lines.row, len(page)), seen)
    _put_lines(columns, lines, page)
    _forget(columns, ~columns["drawn"])
    return Layout(**columns)


def _stacked(columns: dict[str, Any]) -> Floats:
    return np.asarray(np.stack([columns[name] for name in SIDES], axis=1), np.float64)


def _forget(columns: dict[str, Any], hidden: Mask) -> None:
    """What is not drawn has no place."""
    for name in SIDES:
        columns[name][hidden] = 0
    columns["paint"][hidden] = -1


def _place(columns: dict[str, Any], row: Int64s, edges: Floats) -> None:
    """Put every row where it was laid out; what was laid out in pieces is as large as them all."""
    for side, name in enumerate(SIDES):
        join, start = (np.minimum, np.inf) if side < 2 else (np.maximum, -np.inf)
        column = np.full(len(columns[name]), start)
        join.at(column, row, edges[:, side])
        columns[name] = np.where(np.isfinite(column), column, 0.0)


def _paint(
    columns: dict[str, Any],
    snapshot: Snapshot,
    row: Int64s,
    laid: Mask,
    is_text: Mask,
) -> None:
    """Put in what rows look like; a text has the font of what it is in, and nothing else of it."""
    where, boxes = row[laid], laid & ~np.append(is_text, False)[row]
    columns["paint"][where] = np.array(snapshot.layout["paintOrders"], np.int32)[laid]
    for name in ("font_size", "font_weight"):
        columns[name][where] = snapshot.pixels(name.replace("_", "-"))[laid]
    columns["colour"][where] = _coloured(snapshot, "color")[laid, :3]
    columns["inline"][row[boxes]] = snapshot.having("display", "inline")[boxes]
    columns["background"][row[boxes]] = _coloured(snapshot, "background-color")[boxes]
    columns["pictured"][row[boxes]] = ~snapshot.having("background-image", "none", "")[boxes]
    for side, name in enumerate(SIDES):
        shown = _coloured(snapshot, f"border-{name}-color")[:, 3] > 0
        width = np.where(shown, snapshot.pixels(f"border-{name}-width"), 0)
        columns["border"][row[boxes], side] = width[boxes]
    columns["background"][columns["background"][:, 3] == 0] = 0


def _coloured(snapshot: Snapshot, name: str) -> Bytes:
    known, which = snapshot.style(name)
    return colours(known)[which]


def _put_lines(columns: dict[str, Any], lines: Lines, page: Page) -> None:
    """Put in the lines; a text is as large as its lines that are seen."""
    columns["line_row"], columns["line_chars"] = lines.row, lines.chars
    for side, name in enumerate(SIDES):
        columns[f"line_{name}"] = lines.edges[:, side]
        join, start = (np.minimum, np.inf) if side < 2 else (np.maximum, -np.inf)
        reach = np.full(len(page), start)
        join.at(reach, lines.row, lines.edges[:, side])
        columns[name] = np.where(np.isfinite(reach), reach, columns[name])


def _holding(rows: NDArray[np.integer], length: int) -> Mask:
    return np.bincount(rows, minlength=length) > 0
