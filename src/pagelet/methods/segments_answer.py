"""Segments as pagelets: their nodes, their text as it is read, and why they are segments."""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.boxes import Boxes
from pagelet.columns.page import Page, Rows
from pagelet.columns.segments import Segments
from pagelet.measures.reading import reading_order
from pagelet.measures.segment_rows import members_of_segments, rows_of_segments
from pagelet.methods.segments_joins import Joins
from pagelet.pagelets import Box, Pagelet
from pagelet.tags import TEXT

Floats = NDArray[np.float64]

LETTERS = 2000  #: that tell which way a page is read


@dataclass(frozen=True, eq=False)
class Division:
    """A page divided, and what is known of how that came about."""

    segments: Segments
    score: Floats  #: of each segment
    facts: Mapping[str, Sequence[Any]] = field(default_factory=dict)  #: of each segment, by name
    steady: float = 0.0  #: how far the threshold may rise without a change
    joins: Joins | None = None  #: what box clustering joined


def pagelets_of(page: Page, found: Division) -> tuple[Pagelet, ...]:
    """One pagelet a segment."""
    segments = found.segments
    rows = rows_of_segments(page, segments)
    texts = texts_of(page, segments)
    edges = segments.edges.tolist()
    reasons = _reasons(found)
    return tuple(
        Pagelet(page, rows[at], "segment", score, reasons[at], _box(edges[at]), texts[at])
        for at, score in enumerate(found.score.tolist())
    )


def _box(edges: Sequence[float]) -> Box:
    left, top, right, bottom = edges
    return left, top, right, bottom


def _reasons(found: Division) -> list[dict[str, Any]]:
    """What is told of each segment: its boxes, its share of the page, and what its method knows."""
    segments = found.segments
    count = np.bincount(segments.number[segments.number >= 0], minlength=len(segments))
    width, height = segments.boxes.page_width, segments.boxes.page_height
    sides = segments.edges[:, 2:] - segments.edges[:, :2]
    share = sides.prod(axis=1) / max(width * height, 1.0)
    told = {"boxes": count.tolist(), "area_ratio": share.tolist(), **found.facts}
    return [{name: values[at] for name, values in told.items()} for at in range(len(segments))]


# -- text -----------------------------------------------------------------------------------


def texts_of(page: Page, segments: Segments) -> list[str]:
    """The text of each segment in reading order; a text of several lines is told once."""
    leftward = runs_leftward(page)
    return [
        _text(page, _rows(segments.boxes, members, leftward=leftward))
        for members in members_of_segments(segments)
    ]


def _rows(boxes: Boxes, members: NDArray[np.intp], *, leftward: bool) -> Rows:
    """The rows of some boxes in the order they are read; a box that is alone needs none."""
    if len(members) == 1:
        return boxes.row[members]
    some = boxes.take(members)
    return some.row[reading_order(some, leftward=leftward)]


def _text(page: Page, rows: Rows) -> str:
    known = rows[rows >= 0]
    texts = dict.fromkeys(known[page.tag[known] == TEXT].tolist())
    return " ".join(" ".join(page.text(row).split()) for row in texts)


def runs_leftward(page: Page) -> bool:
    """Whether the lines of a page run from right to left: as it says, else by its letters."""
    said = page.attribute("dir")
    roots = [row for row in (0, page.body) if row >= 0]
    for row in roots:
        if said.get(row, "").strip().lower() in ("rtl", "ltr"):
            return said[row].strip().lower() == "rtl"
    ways = [unicodedata.bidirectional(letter) for letter in _first_letters(page)]
    return sum(way in ("R", "AL") for way in ways) > ways.count("L")


def _first_letters(page: Page) -> str:
    """Characters of the first texts that are counted."""
    letters = ""
    for row in np.flatnonzero((page.tag == TEXT) & page.counted).tolist():
        if len(letters) >= LETTERS:
            break
        letters += page.text(row)[:LETTERS]
    return letters[:LETTERS]


# -- what is told of the page ---------------------------------------------------------------


def told_of(found: Division) -> dict[str, Any]:
    """What is told of the division as a whole, in JSON form."""
    segments = found.segments
    edges = segments.boxes.edges
    boxes = [edges[members].tolist() for members in members_of_segments(segments)]
    return {
        "threshold": round(segments.threshold, 6),
        "steady": round(found.steady, 6),
        "page": [segments.boxes.page_width, segments.boxes.page_height],
        "boxes": boxes,
        "loose": edges[segments.loose].tolist(),
        "complete": segments.complete,
    }
