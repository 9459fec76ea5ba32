"""Segments as pagelets: their nodes, their text as it is read, and why they are segments."""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pagelet.arrays import Floats, Int32s, Ints
from pagelet.methods.segments.bcs import choose, cluster_boxes
from pagelet.methods.segments.bcs.joins import Joins, lives_of, steady_at
from pagelet.methods.segments.geometry.partition import (
    Segments,
    members_of_segments,
    reading_order,
    rows_of_segments,
    segments_of,
)
from pagelet.methods.segments.options import SegmentsOptions
from pagelet.methods.segments.vips import WHOLE, VipsTree, cut_tree, vips_tree
from pagelet.methods.segments.visual import cut_page, segment_visual
from pagelet.methods.segments.visual.sight import sight_of
from pagelet.page.boxes import Boxes
from pagelet.page.layout import Layout
from pagelet.page.table import Page
from pagelet.page.tags import TEXT
from pagelet.pagelets import Box, Pagelet

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


def _rows(boxes: Boxes, members: Ints, *, leftward: bool) -> Int32s:
    """The rows of some boxes in the order they are read; a box that is alone needs none."""
    if len(members) == 1:
        return boxes.row[members]
    some = boxes.take(members)
    return some.row[reading_order(some, leftward=leftward)]


def _text(page: Page, rows: Int32s) -> str:
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


# -- The ways to segment a page, each answering a division: segments, how sure they are, and why


def by_bcs(_: Page, __: Layout, boxes: Boxes, options: SegmentsOptions) -> Division:
    """Box clustering: a segment is as sure as it lasts while the threshold rises."""
    joins = cluster_boxes(boxes, options.bcs)
    found = choose(joins, options.bcs)
    made, ended = lives_of(joins, found)
    facts = {
        "threshold": [found.threshold] * len(found),
        "joined_at": made.tolist(),
        "lost_at": ended.tolist(),
    }
    return Division(found, ended - made, facts, steady_at(joins, found), joins)


def by_visual(page: Page, layout: Layout, boxes: Boxes, options: SegmentsOptions) -> Division:
    """Our own way: a segment is as sure as its likeliest cut, which was left undone, is unlikely.

    With the elements, and for fields, nothing is said of that.
    """
    asked = options.visual
    if asked.with_dom or asked.granularity == "fields" or not len(boxes):
        found = segment_visual(page, layout, boxes, asked)
        return Division(found, np.ones(len(found)), {"threshold": [found.threshold] * len(found)})
    cuts = cut_page(sight_of(page, layout, boxes), asked)
    found = segments_of(boxes, cuts.number, cuts.threshold)
    first = np.array([members[0] for members in members_of_segments(found)], np.intp)
    uncut = cuts.uncut[cuts.number[first]]
    facts = {"threshold": [found.threshold] * len(found), "likeliest_cut": uncut.tolist()}
    return Division(found, 1 - uncut, facts)


def by_vips(page: Page, layout: Layout, boxes: Boxes, options: SegmentsOptions) -> Division:
    """VIPS: a segment is as sure as it coheres."""
    tree = vips_tree(page, layout)
    pdoc = nearest_degree(tree, boxes, options.segments) if options.segments else options.pdoc
    found = cut_tree(tree, boxes, pdoc)
    degree = degrees_of(tree, found, pdoc)
    return Division(found, degree / WHOLE, {"degree_of_coherence": degree.tolist()})


def nearest_degree(tree: VipsTree, boxes: Boxes, wanted: int) -> int:
    """The degree of coherence whose number of segments is nearest to the wanted one."""
    off = {pdoc: abs(len(cut_tree(tree, boxes, pdoc)) - wanted) for pdoc in range(1, WHOLE + 1)}
    return min(off, key=lambda pdoc: (off[pdoc], pdoc))


def degrees_of(tree: VipsTree, segments: Segments, pdoc: int) -> Ints:
    """The degree of coherence of the area that each segment is."""
    divided: list[bool] = []
    part: list[int] = []
    for area, (above, degree) in enumerate(
        zip(tree.parent.tolist(), tree.doc.tolist(), strict=True)
    ):
        whole = above >= 0 and not divided[above]
        part.append(part[above] if whole else area)
        divided.append(not whole and degree <= pdoc)
    first = [int(segments.boxes.row[members[0]]) for members in members_of_segments(segments)]
    return np.array([tree.doc[part[tree.leaf[row]]] for row in first], np.intp)


WAYS: dict[str, Callable[[Page, Layout, Boxes, SegmentsOptions], Division]] = {
    "visual": by_visual,
    "bcs": by_bcs,
    "vips": by_vips,
}
