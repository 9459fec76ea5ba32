"""Segments as pagelets: their rows, their text in reading order, and their reasons."""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from pagelet.arrays import Floats, Int32s, Ints
from pagelet.methods.segments.bcs import cluster_boxes, cut_by_options
from pagelet.methods.segments.bcs.clustering import lifetimes, stable_range
from pagelet.methods.segments.bcs.similarity import BoxStyles
from pagelet.methods.segments.geometry.boxes import visible_background
from pagelet.methods.segments.geometry.partition import (
    Segments,
    members_of_segments,
    reading_order,
    rows_of_segments,
    segments_of,
)
from pagelet.methods.segments.options import SegmentsOptions
from pagelet.methods.segments.reasons import segment_reason
from pagelet.methods.segments.roles import find_segment_roles
from pagelet.methods.segments.vips import (
    MAX_DOC,
    cut_tree,
    degrees_of_coherence,
    describe_tree,
    nearest_pdoc,
    vips_tree,
)
from pagelet.methods.segments.visual import (
    cut_model,
    cut_scene,
    divide_elements,
    element_model,
    segment_visual,
)
from pagelet.methods.segments.visual.cuts import Cuts
from pagelet.methods.segments.visual.division import explain_division
from pagelet.methods.segments.visual.scene import read_scene
from pagelet.models.trees import Trees
from pagelet.page.layout import Boxes, Layout
from pagelet.page.site import SharedRows
from pagelet.page.table import Page
from pagelet.page.tags import TEXT
from pagelet.pagelets import Box, Pagelet, WordedReason

DIRECTION_CHARS = 2000  #: characters that decide the reading direction of a page


@dataclass(frozen=True, eq=False)
class Segmentation:
    """The segments of a page, their scores, and facts about how they came about."""

    segments: Segments
    score: Floats  #: score of each segment
    facts: Mapping[str, Sequence[Any]] = field(default_factory=dict)  #: values per segment, by name
    stable_range: float = 0.0  #: how far the threshold can rise without a change
    missing_styles: int = 0  #: style sheets that the page was drawn without
    areas: Mapping[str, Any] | None = None  #: the tree of VIPS in JSON form, where it is wanted
    explain_gap: Callable[[Ints], Mapping[str, tuple[float, float]]] | None = None
    #: features of the likeliest cut through some boxes, where cuts decide


def to_pagelets(
    page: Page, result: Segmentation, template: SharedRows | None = None
) -> tuple[Pagelet, ...]:
    """One pagelet per segment, with its role where that can be told."""
    segments = result.segments
    roles = find_segment_roles(page, segments, template)
    rows = rows_of_segments(page, segments)
    texts = segment_texts(page, segments)
    edges = segments.edges.tolist()
    reasons = _reasons(result)
    return tuple(
        Pagelet(
            page, rows[at], "segment", score, reasons[at], _box(edges[at]), texts[at], roles[at]
        )
        for at, score in enumerate(result.score.tolist())
    )


def _box(edges: Sequence[float]) -> Box:
    left, top, right, bottom = edges
    return left, top, right, bottom


def _reasons(result: Segmentation) -> list[WordedReason]:
    """Facts about each segment: its boxes, its share of the page, and those of its method."""
    segments = result.segments
    count = np.bincount(segments.number[segments.number >= 0], minlength=len(segments))
    width, height = segments.boxes.page_width, segments.boxes.page_height
    sides = segments.edges[:, 2:] - segments.edges[:, :2]
    share = sides.prod(axis=1) / max(width * height, 1.0)
    facts = {"boxes": count.tolist(), "area_ratio": share.tolist(), **result.facts}
    explain = result.explain_gap
    return [
        segment_reason(
            {name: values[at] for name, values in facts.items()},
            None if explain is None else partial(_gap, result, at),
        )
        for at in range(len(segments))
    ]


def _gap(result: Segmentation, at: int) -> Mapping[str, tuple[float, float]]:
    """The features of the likeliest cut through a segment."""
    members = np.flatnonzero(result.segments.number == at)
    return result.explain_gap(members) if result.explain_gap is not None else {}


# -- text -----------------------------------------------------------------------------------


def segment_texts(page: Page, segments: Segments) -> list[str]:
    """The text of each segment in reading order; a text of several lines appears once."""
    right_to_left = is_right_to_left(page)
    return [
        _text(page, _rows(segments.boxes, members, right_to_left=right_to_left))
        for members in members_of_segments(segments)
    ]


def _rows(boxes: Boxes, members: Ints, *, right_to_left: bool) -> Int32s:
    """The rows of some boxes in reading order."""
    if len(members) == 1:
        return boxes.row[members]
    some = boxes.take(members)
    return some.row[reading_order(some, right_to_left=right_to_left)]


def _text(page: Page, rows: Int32s) -> str:
    rows = rows[rows >= 0]
    texts = dict.fromkeys(rows[page.tag[rows] == TEXT].tolist())
    return " ".join(" ".join(page.text(row).split()) for row in texts)


def is_right_to_left(page: Page) -> bool:
    """Whether a page reads from right to left: by its `dir` attribute, else by its letters."""
    directions = page.attribute("dir")
    for row in (0, page.body):
        direction = directions.get(row, "").strip().lower()
        if direction in ("rtl", "ltr"):
            return direction == "rtl"
    classes = [unicodedata.bidirectional(letter) for letter in _first_characters(page)]
    return sum(name in ("R", "AL") for name in classes) > classes.count("L")


def _first_characters(page: Page) -> str:
    """The first characters of the counted texts."""
    text = ""
    for row in np.flatnonzero((page.tag == TEXT) & page.counted).tolist():
        if len(text) >= DIRECTION_CHARS:
            break
        text += page.text(row)[:DIRECTION_CHARS]
    return text[:DIRECTION_CHARS]


# -- the page as a whole --------------------------------------------------------------------


def describe(result: Segmentation) -> dict[str, Any]:
    """The segmentation as a whole, in JSON form."""
    segments = result.segments
    edges = segments.boxes.edges
    boxes = [edges[members].tolist() for members in members_of_segments(segments)]
    return {
        "threshold": round(segments.threshold, 6),
        "steady": round(result.stable_range, 6),
        "page": [segments.boxes.page_width, segments.boxes.page_height],
        "boxes": boxes,
        "loose": edges[segments.loose].tolist(),
        "complete": segments.complete,
        "missing_styles": result.missing_styles,
        **({"tree": result.areas} if result.areas is not None else {}),
    }


# -- the format of Webis ----------------------------------------------------------------------


def webis_segmentation(id: str, segments: Segments, name: str = "pagelet") -> dict[str, Any]:
    """The segments of a page as public tools for page segmentations read them.

    The format is that of Kiesel, Kneist, Meyer, Komlossy, Stein, Potthast, Web Page Segmentation
    Revisited, CIKM 2020, doi:10.1145/3340531.3412782: a page with its `id`, its size and, by
    name, lists of segments; a segment is a list of polygons, a polygon a list of rings, a ring a
    list of points that ends where it begins. Lengths are whole pixels.
    """
    width, height = segments.boxes.page_width, segments.boxes.page_height
    edges = segments.edges
    start = np.floor(edges[:, :2]).astype(np.int64)
    end = np.maximum(np.ceil(edges[:, 2:]).astype(np.int64), start + 1)  # a segment has an area
    corners = np.hstack((start, end)).tolist()
    return {
        "id": id,
        "height": max(int(np.ceil(height)), 1),
        "width": max(int(np.ceil(width)), 1),
        "segmentations": {name: [[[_ring(*each)]] for each in corners]},
    }


def _ring(left: int, top: int, right: int, bottom: int) -> list[list[int]]:
    """The corners of a rectangle, the first one again at the end."""
    return [[left, top], [left, bottom], [right, bottom], [right, top], [left, top]]


# -- the methods of segmentation ------------------------------------------------------------


def run_bcs(
    page: Page, layout: Layout, boxes: Boxes, options: SegmentsOptions, _: Trees | None = None
) -> Segmentation:
    """Box clustering: the score is the range of thresholds over which a segment lasts."""
    styles = read_styles(page, layout, boxes) if options.style_weight else None
    tree = cluster_boxes(boxes, options.bcs, styles)
    segments = cut_by_options(tree, options.bcs)
    formed, ended = lifetimes(tree, segments)
    facts = {
        "threshold": [segments.threshold] * len(segments),
        "joined_at": formed.tolist(),
        "lost_at": ended.tolist(),
    }
    return Segmentation(segments, ended - formed, facts, stable_range(tree, segments))


def read_styles(page: Page, layout: Layout, boxes: Boxes) -> BoxStyles:
    """Font and background of each box."""
    row = boxes.row
    return BoxStyles(
        layout.font_size[row], layout.font_weight[row], visible_background(page, layout)[row]
    )


def run_visual(
    page: Page, layout: Layout, boxes: Boxes, options: SegmentsOptions, trees: Trees | None = None
) -> Segmentation:
    """Visual cuts: the score is 1 less the probability of the likeliest cut in the segment.

    With the elements it is 1 less the probability that people divide it; fields have 1.
    """
    visual = options.visual
    if visual.granularity == "fields" or not len(boxes):
        segments = segment_visual(page, layout, boxes, visual)
        facts = {"threshold": [segments.threshold] * len(segments)}
        return Segmentation(segments, np.ones(len(segments)), facts)
    if visual.with_dom:
        division = divide_elements(page, layout, boxes, visual, trees)
        segments, uncut = _with_likelihood(boxes, division)
        model = element_model(visual, trees)
        return Segmentation(
            segments,
            1 - uncut,
            _facts(segments, "likeliest_division", uncut),
            explain_gap=partial(explain_division, page, layout, boxes, model),
        )
    scene = read_scene(page, layout, boxes)
    segments, uncut = _with_likelihood(boxes, cut_scene(scene, visual, trees))
    explain = partial(cut_model(visual, trees).explain_likeliest, scene)
    facts = _facts(segments, "likeliest_cut", uncut)
    return Segmentation(segments, 1 - uncut, facts, explain_gap=explain)


def _with_likelihood(boxes: Boxes, cuts: Cuts) -> tuple[Segments, Floats]:
    """The segments of some cuts, and how likely each is cut further."""
    segments = segments_of(boxes, cuts.number, cuts.threshold)
    first = np.array([members[0] for members in members_of_segments(segments)], np.intp)
    return segments, cuts.uncut[cuts.number[first]]


def _facts(segments: Segments, name: str, uncut: Floats) -> dict[str, list[float]]:
    return {"threshold": [segments.threshold] * len(segments), name: uncut.tolist()}


def run_vips(
    page: Page, layout: Layout, boxes: Boxes, options: SegmentsOptions, _: Trees | None = None
) -> Segmentation:
    """VIPS: the score is the degree of coherence, relative to the greatest."""
    tree = vips_tree(page, layout, options.vips)
    pdoc = nearest_pdoc(tree, boxes, options.segments) if options.segments else options.pdoc
    segments = cut_tree(tree, boxes, pdoc)
    degree = degrees_of_coherence(tree, segments, pdoc)
    facts = {"degree_of_coherence": degree.tolist()}
    return Segmentation(
        segments, degree / MAX_DOC, facts, areas=describe_tree(tree) if options.tree else None
    )


Segment = Callable[[Page, Layout, Boxes, SegmentsOptions, Trees | None], Segmentation]
SEGMENTERS: dict[str, Segment] = {
    "visual": run_visual,
    "bcs": run_bcs,
    "vips": run_vips,
}
