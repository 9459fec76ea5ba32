"""What can be seen of what was laid out: not hidden, not clear, not clipped away, on the page."""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.page import Mask, Page
from pagelet.sources.browser_snapshot import Floats, Ints, Snapshot

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


def windows_of(columns: dict[str, Any], snapshot: Snapshot, page: Page, row: Ints) -> Windows:
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


def _positions(snapshot: Snapshot, page: Page, row: Ints) -> list[str]:
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
