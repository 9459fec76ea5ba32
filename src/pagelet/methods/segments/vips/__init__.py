"""Vision-based Page Segmentation: Cai, Yu, Wen, Ma, MSR-TR-2003-79.

The page is an area. An area is divided into the blocks below its row, the blocks are split at
the heaviest separators, then at lighter ones, and each part is an area of its own. The order of
steps is that of FitLayout's program; docs/methods/vips.md lists what the report leaves open.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Int32s, Ints, Mask
from pagelet.methods.registry import option
from pagelet.methods.segments.geometry.partition import Segments, members_of_segments, segments_of
from pagelet.methods.segments.geometry.rectangles import bounding_box, bounding_boxes
from pagelet.methods.segments.vips.areas import AreaTree, BlockStyles, build_areas
from pagelet.methods.segments.vips.blocks import VisibleRows, extract_blocks, read_visible_rows
from pagelet.page.layout import Boxes, Layout
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER
from pagelet.page.tree import nearest

MAX_DOC = 11  #: degree of coherence of an area without a separator


@dataclass(frozen=True, slots=True, kw_only=True)
class VipsOptions:
    """Options of VIPS; the defaults are those of programs that came after the report."""

    pdoc: int = option(5, "permitted degree of coherence: 1 few segments, 11 many", 1, MAX_DOC)
    width: int = option(350, "width of the smallest block that is not small, in pixels", 1)
    height: int = option(400, "height of the smallest block that is not small, in pixels", 1)
    rounds: int = option(20, "rounds in which areas are divided", 1, 1000)
    capped: bool = option(default=True, help="separators thicker than 55 pixels weigh the same")


PAPER = VipsOptions()


@dataclass(frozen=True, slots=True, eq=False)
class VipsTree:
    """Areas of a page, each after its parent, and the separators that split them."""

    parent: Int32s  #: area that each area is part of; -1 for the whole page
    edges: Floats  #: bounding box of the rows of each area
    doc: NDArray[np.int8]  #: degree of coherence, 1 to 11
    leaf: Int32s  #: smallest area that holds each row of the page; -1 for none
    separator_area: Int32s  #: area that each separator splits
    separator_low: Floats  #: begin of each separator, from the top or from the left
    separator_high: Floats  #: end of each separator
    separator_weight: Int32s
    separator_horizontal: Mask  #: whether there are areas above and below, not left and right

    def __len__(self) -> int:
        return len(self.parent)


def describe_tree(tree: VipsTree) -> dict[str, Any]:
    """The areas and separators of a tree in JSON form; an area names the one it is part of."""
    areas = zip(tree.parent.tolist(), tree.doc.tolist(), tree.edges.tolist(), strict=True)
    separators = zip(
        tree.separator_area.tolist(),
        tree.separator_low.tolist(),
        tree.separator_high.tolist(),
        tree.separator_weight.tolist(),
        tree.separator_horizontal.tolist(),
        strict=True,
    )
    return {
        "areas": [
            {"parent": parent, "degree_of_coherence": doc, "box": box} for parent, doc, box in areas
        ],
        "separators": [
            {"area": area, "from": low, "to": high, "weight": weight, "horizontal": horizontal}
            for area, low, high, weight, horizontal in separators
        ],
    }


def vips_tree(page: Page, layout: Layout, options: VipsOptions = PAPER) -> VipsTree:
    """The areas of a page down to the smallest; `pdoc` has no effect."""
    rows = read_visible_rows(page, layout)
    blocks = extract_blocks(page, layout, rows, options.width * options.height)
    areas = build_areas(rows.root, blocks, _styles(page, rows, options), options.rounds)
    return _tree(page, rows, areas)


def segment_vips(
    page: Page, layout: Layout, boxes: Boxes, options: VipsOptions = PAPER
) -> Segments:
    """Segments of a page: areas whose degree of coherence exceeds `pdoc`, or without parts."""
    return cut_tree(vips_tree(page, layout, options), boxes, options.pdoc)


def cut_tree(tree: VipsTree, boxes: Boxes, pdoc: int) -> Segments:
    """The segments for a permitted degree of coherence; boxes without a row are in none."""
    leaf = np.append(tree.leaf, -1)
    return segments_of(boxes, _segment_areas(tree, pdoc)[leaf[boxes.row]], pdoc)


def nearest_pdoc(tree: VipsTree, boxes: Boxes, wanted: int) -> int:
    """The permitted degree of coherence whose number of segments is nearest to the wanted one."""
    off = {pdoc: abs(len(cut_tree(tree, boxes, pdoc)) - wanted) for pdoc in range(1, MAX_DOC + 1)}
    return min(off, key=lambda pdoc: (off[pdoc], pdoc))


def degrees_of_coherence(tree: VipsTree, segments: Segments, pdoc: int) -> Ints:
    """The degree of coherence of the area that each segment is."""
    first = [segments.boxes.row[members[0]] for members in members_of_segments(segments)]
    areas = _segment_areas(tree, pdoc)[tree.leaf[np.array(first, np.intp)]]
    return tree.doc[areas].astype(np.intp)


def _segment_areas(tree: VipsTree, pdoc: int) -> Ints:
    """The area at or above each area that is a segment; -1 at the end, for no area."""
    split_at = tree.doc.tolist()  # least pdoc that splits an area and all its ancestors
    for area, parent in enumerate(tree.parent.tolist()[1:], 1):
        split_at[area] = max(split_at[area], split_at[parent])
    parent_is_split = np.append(np.array(split_at, np.int8), 0)[tree.parent] <= pdoc
    return np.append(nearest(tree.parent, parent_is_split), -1)


def _styles(page: Page, rows: VisibleRows, options: VipsOptions) -> BlockStyles:
    left, top, right, bottom = rows.edges.astype(np.int64).T.tolist()
    return BlockStyles(
        edges=(left, top, right, bottom),
        background=rows.background.tolist(),
        font_size=rows.font_size.tolist(),
        font_weight=rows.font_weight.tolist(),
        plain=rows.plain.tolist(),
        rule=(page.tag == NUMBER["hr"]).tolist(),
        capped=options.capped,
    )


def _tree(page: Page, rows: VisibleRows, areas: AreaTree) -> VipsTree:
    held = np.fromiter(areas.holder, np.intp, len(areas.holder))
    holder = np.fromiter(areas.holder.values(), np.int32, len(held))
    parent = np.array(areas.parent, np.int32)
    area, low, high, weight, horizontal = np.array(areas.separators, np.int64).reshape(-1, 5).T
    return VipsTree(
        parent=parent,
        edges=_area_boxes(parent, rows.edges[held], holder),
        doc=coherence(np.array(areas.weight)),
        leaf=_leaf_areas(page, held, holder),
        separator_area=area.astype(np.int32),
        separator_low=low.astype(np.float64),
        separator_high=high.astype(np.float64),
        separator_weight=weight.astype(np.int32),
        separator_horizontal=horizontal.astype(np.bool_),
    )


def coherence(weight: NDArray[np.integer]) -> NDArray[np.int8]:
    """Degree of coherence from the weight of the separators in each area; 0 for none.

        DoC = 11 - ceil(9 (w - wmin) / (wmax - wmin) + 1)

    The heaviest of the page give 1, the lightest 10; when all are equal, all give 10.
    """
    doc = np.full(len(weight), MAX_DOC, np.int8)
    split = weight > 0
    if split.any():
        lightest, heaviest = weight[split].min(), weight[split].max()
        steps = 9 * (weight[split] - lightest)
        doc[split] = MAX_DOC - 1 + -steps // max(heaviest - lightest, 1)
    return doc


def _area_boxes(parent: Int32s, rows: Floats, holder: Int32s) -> Floats:
    """Bounding box of the rows of each area and of its parts."""
    boxes = bounding_boxes(rows, holder, len(parent)).tolist()
    for area in range(len(parent) - 1, 0, -1):
        boxes[parent[area]] = bounding_box(boxes[parent[area]], boxes[area])
    return np.array(boxes)


def _leaf_areas(page: Page, held: Ints, holder: Int32s) -> Int32s:
    """The area of each row: that of the nearest held row above it, else of the first one below."""
    area = np.full(len(page) + 1, -1, np.int32)
    area[held] = holder
    above = nearest(page.parent, area[:-1] >= 0)
    order = np.append(np.sort(held), len(page))
    below = order[np.searchsorted(order, np.arange(len(page)))]
    below[below >= page.end] = len(page)
    return np.where(above >= 0, area[above], area[below])
