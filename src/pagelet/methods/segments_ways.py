"""The ways to segment a page, each answering a division: segments, how sure they are, and why."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.boxes import Boxes
from pagelet.columns.layout import Layout
from pagelet.columns.page import Page
from pagelet.columns.segments import Segments, segments_of
from pagelet.measures.segment_rows import members_of_segments
from pagelet.measures.sight import sight_of
from pagelet.methods.segments_answer import Division
from pagelet.methods.segments_bcs import choose, cluster_boxes
from pagelet.methods.segments_life import lives_of, steady_at
from pagelet.methods.segments_options import SegmentsOptions
from pagelet.methods.segments_vips import WHOLE, VipsTree, cut_tree, vips_tree
from pagelet.methods.segments_visual import cut_page, segment_visual


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


def degrees_of(tree: VipsTree, segments: Segments, pdoc: int) -> NDArray[np.intp]:
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
