"""Visual block extraction: Cai, Yu, Wen, Ma, MSR-TR-2003-79, section 4.1.

Every row gets the first rule that fires for it. Rule 3 is missing here: it divides the only row
of an area, and areas are found later. Rule 11 makes a block only where rule 13 would make one,
so it decides nothing.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Int64s, Ints, Mask
from pagelet.methods.segments.geometry.boxes import (
    below,
    frames,
    images,
    visible_background,
    visible_rows,
)
from pagelet.page.layout import Layout
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER, numbers
from pagelet.page.tree import nearest

CONTROL_TAGS = numbers("input textarea select audio meter progress")  #: native controls
CELL_TAGS = numbers("td th")

ATOM, CUT_OUT = 0, 1  #: code of rows that cannot be divided; rule that cuts out empty rows
DIVIDING_RULES = (2, 5, 6, 7, 8, 12)
RULES = {
    "other": (1, 2, 4, 6, 7, 9, 10, 12),
    "inline": (1, 2, 4, 5, 6, 7, 9, 10, 12),
    "table": (1, 2, 8, 10, 13),
    "row": (1, 2, 7, 8, 10, 13),
    "cell": (1, 2, 4, 9, 10, 13),
}  #: rules for each class of elements, in order


@dataclass(frozen=True, slots=True, eq=False)
class VisibleRows:
    """The visible properties of each row."""

    root: int  #: row of the whole page
    valid: Mask  #: rows that are visible and not part of an image
    edges: Floats  #: left, top, right, bottom in whole pixels, clipped to the page
    atom: Mask  #: texts, images, frames and controls
    plain: Mask  #: atoms, and inline elements that hold only plain rows
    background: Int64s  #: colour behind the row, as one number
    font_size: Floats
    font_weight: Floats
    area: Floats


@dataclass(frozen=True, slots=True, eq=False)
class VisualBlocks:
    """The decision of the rules for each row."""

    rule: NDArray[np.int8]  #: rule that fires; ATOM for an atom
    doc: NDArray[np.int8]  #: degree of coherence as a block
    contrasting: Mask  #: rows on another background than their parent
    children: Ints  #: visible children of all rows, by parent
    first: Ints  #: where the children of each row begin, and where the last ones end


def read_visible_rows(page: Page, layout: Layout) -> VisibleRows:
    """Read the visible properties of each row of a page."""
    valid, edges = visible_rows(page, layout)
    atom = images(page, layout) | frames(page, layout) | page.is_tag(*CONTROL_TAGS) | ~page.element
    valid &= ~below(page, valid & atom)
    root = max(page.body, 0)
    valid[root : root + 1] = True
    line_break = valid & ~atom & ~layout.inline
    plain = atom | (layout.inline & (page.sum_subtree(line_break) == 0))
    styled = np.where(
        page.element, np.arange(len(page)), page.parent
    )  # a text has its parent's style
    red, green, blue = visible_background(page, layout).astype(np.int64).T
    return VisibleRows(
        root=root,
        valid=valid,
        edges=edges,
        atom=atom,
        plain=plain,
        background=(red << 16) + (green << 8) + blue,
        font_size=layout.font_size[styled],
        font_weight=layout.font_weight[styled],
        area=(edges[:, 2] - edges[:, 0]) * (edges[:, 3] - edges[:, 1]),
    )


def extract_blocks(page: Page, layout: Layout, rows: VisibleRows, small: float) -> VisualBlocks:
    """Apply the rules to every row; an area below `small` square pixels is small."""
    tree = _visible_tree(page, rows)
    fires = _firing_rules(page, layout, rows, tree, small)
    classes = _classes(page, layout)
    rule = np.zeros(len(page), np.int8)
    for name, rules in RULES.items():
        members = classes[name] & rows.valid & ~rows.atom
        for number in reversed(rules):
            rule[members & fires[number]] = number
    contrasting = np.zeros(len(page), np.bool_)
    contrasting[tree.child] = rows.background[tree.child] != rows.background[tree.parent]
    first = np.searchsorted(tree.parent, np.arange(len(page) + 1))
    doc = _coherence(page, rows, tree, rule)
    return VisualBlocks(rule, doc, contrasting, tree.child, first)


@dataclass(frozen=True, slots=True, eq=False)
class _VisibleTree:
    """Parents and children among the visible rows."""

    child: Ints  #: by parent, then in document order
    parent: Ints
    rows: int

    def count(self, marked: Mask) -> Ints:
        """Number of marked children of each row."""
        return np.bincount(self.parent[marked[self.child]], minlength=self.rows)

    def greatest(self, values: Floats) -> Floats:
        """Greatest value among the children of each row."""
        greatest = np.full(self.rows, -np.inf)
        np.maximum.at(greatest, self.parent, values[self.child])
        return greatest


def _visible_tree(page: Page, rows: VisibleRows) -> _VisibleTree:
    above = np.append(nearest(page.parent, rows.valid), -1)[page.parent]
    child = np.flatnonzero(rows.valid & (above >= 0))
    child = child[np.argsort(above[child], kind="stable")]
    return _VisibleTree(child, above[child], len(page))


def _classes(page: Page, layout: Layout) -> dict[str, Mask]:
    """Mark the rows of each class of elements; every element is in one class."""
    table, row = page.tag == NUMBER["table"], page.tag == NUMBER["tr"]
    cell = page.is_tag(*CELL_TAGS)
    inline = (layout.inline | (page.tag == NUMBER["p"])) & ~(table | row | cell)
    other = ~(table | row | cell | inline)
    return {"other": other, "inline": inline, "table": table, "row": row, "cell": cell}


def _firing_rules(
    page: Page, layout: Layout, rows: VisibleRows, tree: _VisibleTree, small: float
) -> dict[int, Mask]:
    """Mark the rows for which each rule fires, whatever their class."""
    all_rows = np.ones(len(page), np.bool_)
    children, plain = tree.count(all_rows), tree.count(rows.plain)
    line_break = page.element & ~layout.inline & ~rows.atom
    inner = np.bincount(tree.parent, rows.area[tree.child], minlength=len(page))
    return {
        1: children == 0,
        2: (children == 1) & (tree.count(rows.atom) == 0),
        4: plain == children,
        5: tree.count(line_break) > 0,
        6: tree.count(page.tag == NUMBER["hr"]) > 0,
        7: inner > rows.area,
        8: _has_contrasting_child(rows, tree),
        9: (plain > 0) & (rows.area < small),
        10: tree.greatest(rows.area) < small,
        12: all_rows,
        13: all_rows,
    }


def _has_contrasting_child(rows: VisibleRows, tree: _VisibleTree) -> Mask:
    """Mark the rows with a child on another background."""
    contrasting = np.zeros(tree.rows, np.bool_)
    own = rows.background[tree.parent]
    contrasting[tree.parent[rows.background[tree.child] != own]] = True
    return contrasting


def _coherence(
    page: Page, rows: VisibleRows, tree: _VisibleTree, rule: NDArray[np.int8]
) -> NDArray[np.int8]:
    """Degree of coherence of every row as a block, by rule and tag; 8 by default."""
    fonts = (rows.font_size, rows.font_weight)
    same = np.logical_and.reduce([tree.greatest(font) == -tree.greatest(-font) for font in fonts])
    doc = np.full(len(page), 8, np.int8)
    doc[~page.element] = 10
    doc[rule == 4] = np.where(same, 10, 9)[rule == 4]
    doc[(rule == 9) & (page.tag == NUMBER["div"])] = 5
    doc[(rule == 9) & (page.tag == NUMBER["code"])] = 7
    doc[(rule == 10) & (page.tag == NUMBER["a"])] = 11
    return doc
