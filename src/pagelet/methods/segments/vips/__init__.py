"""Vision-based Page Segmentation: Cai, Yu, Wen, Ma, MSR-TR-2003-79.

The page is an area. An area is divided into the blocks below its row, the blocks are parted at
the heaviest separators, then at lighter ones, and each part is an area of its own. The flow is
that of FitLayout's program; see the documentation for what the report leaves open.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Int32s, Ints, Mask
from pagelet.methods.registry import option
from pagelet.methods.segments.geometry.partition import NOTHING, Segments, segments_of
from pagelet.methods.segments.vips.areas import Division, divide
from pagelet.methods.segments.vips.blocks import Look, find_blocks, look_of
from pagelet.methods.segments.vips.separators import Sight
from pagelet.page.boxes import Boxes
from pagelet.page.layout import Layout
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER
from pagelet.page.tree import nearest

WHOLE = 11  #: degree of coherence of an area without a separator


@dataclass(frozen=True, slots=True, kw_only=True)
class VipsOptions:
    """Options of VIPS; the values of the programs that came after the report."""

    pdoc: int = option(5, "degree of coherence that is wanted: 1 few segments, 11 many", 1, WHOLE)
    width: int = option(350, "width of a block that is just not small, in pixels", 1)
    height: int = option(400, "height of a block that is just not small, in pixels", 1)
    rounds: int = option(20, "how often areas are divided", 1, 1000)
    capped: bool = option(default=True, help="separators of more than 55 pixels weigh the same")


PAPER = VipsOptions()


@dataclass(frozen=True, slots=True, eq=False)
class VipsTree:
    """Areas of a page, each after the one it is part of, and the separators that part them."""

    parent: Int32s  #: the area that each area is part of; -1 for the whole page
    edges: Floats  #: left, top, right, bottom around the rows of each area
    doc: NDArray[np.int8]  #: degree of coherence, 1 to 11
    leaf: Int32s  #: for each row of the page, the smallest area that holds it; -1 for none
    cut_area: Int32s  #: for each separator, the area it parts
    cut_low: Floats  #: where it begins and ends, from the top or from the left
    cut_high: Floats
    cut_weight: Int32s
    cut_level: Mask  #: whether it has an area above and one below, not left and right

    def __len__(self) -> int:
        return len(self.parent)


def vips_tree(page: Page, layout: Layout, options: VipsOptions = PAPER) -> VipsTree:
    """The areas of a page down to the smallest; what `pdoc` says is not looked at."""
    look = look_of(page, layout)
    blocks = find_blocks(page, layout, look, options.width * options.height)
    division = divide(look.root, blocks, _sight(page, look, options), options.rounds)
    return _tree(page, look, division)


def segment_vips(
    page: Page, layout: Layout, boxes: Boxes, options: VipsOptions = PAPER
) -> Segments:
    """Segments of a page: areas that cohere more than `pdoc`, or cannot be divided."""
    return cut_tree(vips_tree(page, layout, options), boxes, options.pdoc)


def cut_tree(tree: VipsTree, boxes: Boxes, pdoc: int) -> Segments:
    """The segments for a degree of coherence; boxes of no known row are in none."""
    open_above = np.append(_least_open(tree), 0)[tree.parent] <= pdoc
    part = np.append(nearest(tree.parent, open_above), -1)
    leaf = np.append(tree.leaf, -1)
    return segments_of(boxes, part[leaf[boxes.row]], pdoc)


def _least_open(tree: VipsTree) -> NDArray[np.int8]:
    """The least degree at which an area and all that it is part of are divided."""
    least = tree.doc.tolist()
    for area, parent in enumerate(tree.parent.tolist()[1:], 1):
        least[area] = max(least[area], least[parent])
    return np.array(least, np.int8)


def _sight(page: Page, look: Look, options: VipsOptions) -> Sight:
    left, top, right, bottom = look.edges.astype(np.int64).T.tolist()
    return Sight(
        edges=(left, top, right, bottom),
        background=look.background.tolist(),
        font_size=look.font_size.tolist(),
        font_weight=look.font_weight.tolist(),
        plain=look.plain.tolist(),
        line=(page.tag == NUMBER["hr"]).tolist(),
        capped=options.capped,
    )


def _tree(page: Page, look: Look, division: Division) -> VipsTree:
    held = np.fromiter(division.holder, np.intp, len(division.holder))
    holder = np.fromiter(division.holder.values(), np.int32, len(held))
    parent = np.array(division.parent, np.int32)
    area, low, high, weight, level = np.array(division.strips, np.int64).reshape(-1, 5).T
    return VipsTree(
        parent=parent,
        edges=_edges(parent, look.edges[held], holder),
        doc=coherence(np.array(division.weight)),
        leaf=_leaves(page, held, holder),
        cut_area=area.astype(np.int32),
        cut_low=low.astype(np.float64),
        cut_high=high.astype(np.float64),
        cut_weight=weight.astype(np.int32),
        cut_level=level.astype(np.bool_),
    )


def coherence(weight: NDArray[np.integer]) -> NDArray[np.int8]:
    """Degree of coherence from the weight of the separators in each area; 0 is for none.

        DoC = 11 - ceil(9 (w - wmin) / (wmax - wmin) + 1)

    The heaviest of the page gives 1, the lightest 10; when all are equal, all give 10.
    """
    doc = np.full(len(weight), WHOLE, np.int8)
    parted = weight > 0
    if parted.any():
        lightest, heaviest = weight[parted].min(), weight[parted].max()
        steps = 9 * (weight[parted] - lightest)
        doc[parted] = WHOLE - 1 + -steps // max(heaviest - lightest, 1)
    return doc


def _edges(parent: Int32s, inner: Floats, holder: Int32s) -> Floats:
    """Edges around the rows of each area and of its parts."""
    edges = np.tile(np.array(NOTHING), (len(parent), 1))
    np.minimum.at(edges[:, :2], holder, inner[:, :2])
    np.maximum.at(edges[:, 2:], holder, inner[:, 2:])
    found = edges.tolist()
    for area in range(len(parent) - 1, 0, -1):
        left, top, right, bottom = found[area]
        around = found[parent[area]]
        around[:] = (
            min(around[0], left),
            min(around[1], top),
            max(around[2], right),
            max(around[3], bottom),
        )
    return np.array(found)


def _leaves(page: Page, held: Ints, holder: Int32s) -> Int32s:
    """The area of each row: of the nearest held row above it, else of the first one below."""
    area = np.full(len(page) + 1, -1, np.int32)
    area[held] = holder
    above = nearest(page.parent, area[:-1] >= 0)
    order = np.append(np.sort(held), len(page))
    below = order[np.searchsorted(order, np.arange(len(page)))]
    below[below >= page.end] = len(page)
    return np.where(above >= 0, area[above], area[below])
