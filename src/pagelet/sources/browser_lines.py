"""Lines of text as a browser broke them."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.page import Mask, Rows
from pagelet.columns.words import measure
from pagelet.sources.browser_snapshot import Area, Floats, Ints, Snapshot, edges_of

COLUMNS = ("layoutIndex", "start", "length")
NEAR = 0.5  #: pixels by which the boxes of one line may differ in height


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """Lines, in the order of the document."""

    row: Rows  #: the text each is of
    edges: Floats  #: left, top, right, bottom
    chars: Rows  #: characters, white space folded

    def those(self, kept: Mask) -> "Lines":
        """Some of the lines."""
        return Lines(self.row[kept], self.edges[kept], self.chars[kept])


def lines_of(snapshot: Snapshot, rows: Ints, area: Area) -> Lines:
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
    chars = measure(["".join(some) for some in _split(lines, first)])[0].astype(np.int32)
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


def _beginnings(row: Ints, edges: Floats, upright: Mask) -> NDArray[np.intp]:
    """Where a line begins: a text that runs both ways has several boxes in one."""
    same = (row[1:] == row[:-1]) & ~upright[1:]
    for side in (1, 3):
        same &= np.abs(edges[1:, side] - edges[:-1, side]) <= NEAR
    return np.flatnonzero(np.append(np.ones(min(len(row), 1), np.bool_), ~same))


def _split(pieces: list[str], first: NDArray[np.intp]) -> Iterator[list[str]]:
    """The pieces of each line."""
    for begin, end in pairwise([*first.tolist(), len(pieces)]):
        yield pieces[begin:end]


def _around(edges: Floats, first: NDArray[np.intp]) -> Floats:
    """The edges around all boxes of each line."""
    if not len(first):
        return edges
    low = np.minimum.reduceat(edges[:, :2], first)
    return np.concatenate([low, np.maximum.reduceat(edges[:, 2:], first)], axis=1)
