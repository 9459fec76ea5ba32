"""How segments are drawn: which colour each has, and where its number stands.

The colours are the six of Okabe and Ito, Color Universal Design, 2008, that show on white; people
who see few colours can tell them apart, too. Neighbours get different ones. A number stands at
a corner of its segment where it hides least of the page and no other number.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.boxes import Floats, boxes_of
from pagelet.columns.segments import Segments
from pagelet.measures.neighbours import relations

Ints = NDArray[np.intp]
Colour = tuple[int, int, int]

PALETTE: tuple[Colour, ...] = (
    (0, 114, 178),  # blue
    (213, 94, 0),  # vermilion
    (0, 158, 115),  # bluish green
    (204, 121, 167),  # reddish purple
    (86, 180, 233),  # sky blue
    (230, 159, 0),  # orange
)
BLACK, WHITE = (0, 0, 0), (255, 255, 255)

LETTER, TAG = 8.0, 17.0  #: width of a digit and height of the tag around a number, in pixels
CELLS = 1_000_000  #: of the grid that tells what a tag would hide
HIDES_TAG = 4.0  #: hiding another number is so much worse than hiding all a tag can hide
LATER = 0.04  #: a place is taken before the next one unless it hides so much more


@dataclass(frozen=True, eq=False)
class Plan:
    """What is drawn of the segments, in pixels of the drawing."""

    edges: Floats  #: left, top, right, bottom of each segment
    colour: Ints  #: of each segment, a place in the palette
    tags: Floats  #: left, top, right, bottom of the tag with its number
    loose: Floats  #: edges of the boxes that lie in no segment


def plan(segments: Segments, scale: float, size: tuple[float, float]) -> Plan:
    """Choose colours and places for a drawing of this size; `scale` is its pixels a CSS pixel."""
    edges = segments.edges * scale
    boxes = segments.boxes.edges * scale
    return Plan(edges, colours(segments.edges), _tags(edges, boxes, size), boxes[segments.loose])


def ink(colour: Colour) -> Colour:
    """Black or white, whichever can be read better on a colour."""
    light = luminance(colour)
    return BLACK if (light + 0.05) / 0.05 > 1.05 / (light + 0.05) else WHITE


def luminance(colour: Colour) -> float:
    """How light a colour is, from 0 to 1, as WCAG 2 reckons it."""
    parts = [part / 255 for part in colour]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


# -- colours --------------------------------------------------------------------------------


def colours(edges: Floats) -> Ints:
    """A colour for each rectangle that none of its neighbours has, as long as there are enough."""
    near = _neighbours(edges)
    chosen = np.zeros(len(edges), np.intp)
    used = np.zeros(len(PALETTE))
    for at, others in enumerate(near):
        clashes = np.bincount(chosen[others], minlength=len(PALETTE))
        chosen[at] = np.lexsort((used, clashes))[0]  # stable, so the first of the best
        used[chosen[at]] += 1
    return chosen


def _neighbours(edges: Floats) -> list[Ints]:
    """For each rectangle those before it that lie next to it, and the one just before it."""
    found = relations(boxes_of(edges))
    count = len(edges)
    first = np.concatenate((found.first, np.arange(count - 1)))
    second = np.concatenate((found.second, np.arange(1, count)))
    order = np.argsort(second, kind="stable")
    ends = np.cumsum(np.bincount(second, minlength=count)) if count else np.zeros(0, np.intp)
    return np.split(first[order].astype(np.intp), ends)[:count]


# -- numbers --------------------------------------------------------------------------------


def _tags(edges: Floats, boxes: Floats, size: tuple[float, float]) -> Floats:
    """Where the number of each segment stands."""
    ground = _Ground(boxes, size)
    chosen = np.zeros((len(edges), 4))
    for at in range(len(edges)):
        places = _places(edges[at], LETTER * len(str(at + 1)) + LETTER, size)
        cost = ground.hidden(places) + LATER * np.arange(len(places))
        chosen[at] = places[int(np.argmin(cost))]
        ground.take(chosen[at])
    return chosen


def _places(edges: Floats, wide: float, size: tuple[float, float]) -> Floats:
    """Places for a tag at the corners of a segment, the best first; all are on the page."""
    left, top, right, bottom = edges
    corners = np.array(
        (
            (left, top - TAG),  # above, at the left
            (left, top),  # inside, at the left
            (right - wide, top - TAG),
            (right - wide, top),
            (left - wide, top),  # beside it
            (right, top),
            (right - wide, bottom - TAG),
            (left, bottom),  # below
        )
    )
    corners = np.clip(corners, 0, np.maximum((size[0] - wide, size[1] - TAG), 0))
    return np.hstack((corners, corners + np.array((wide, TAG))))


class _Ground:
    """What lies under a tag: boxes of the page, and tags that were placed before."""

    def __init__(self, boxes: Floats, size: tuple[float, float]) -> None:
        width, height = (max(side, 1.0) for side in size)
        self.cell = max(2.0, float(np.sqrt(width * height / CELLS)))
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
        """First column and row, last column and row after, of the cells each rectangle touches."""
        most = np.array(self.shape[::-1]) - 1
        start = np.clip(edges[:, :2] // self.cell, 0, most).astype(np.intp)
        end = np.clip(np.ceil(edges[:, 2:] / self.cell), 0, most).astype(np.intp)
        return start[:, 0], start[:, 1], end[:, 0], end[:, 1]

    def hidden(self, places: Floats) -> Floats:
        """How bad each place is: the share of a tag that hides boxes, more if it hides tags."""
        left, top, right, bottom = self._cells(places)
        sums = self.sums
        inked = sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
        tagged = [
            self.tagged[top[at] : bottom[at], left[at] : right[at]].any()
            for at in range(len(places))
        ]
        share = inked / np.maximum((right - left) * (bottom - top), 1)
        return np.asarray(share + HIDES_TAG * np.array(tagged))

    def take(self, place: Floats) -> None:
        """Remember a tag."""
        left, top, right, bottom = (int(side[0]) for side in self._cells(place[None]))
        self.tagged[top:bottom, left:right] = True
