"""Which rows of a page are visual blocks: Cai, Yu, Wen, Ma, MSR-TR-2003-79, section 4.1.

Every row gets the first rule that fires for it. Rule 3 is not among them: it divides a row that
is all there is in an area, and areas are not known here. Rule 11 makes a block of what rule 13
would make one of, so it decides nothing.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Int64s, Ints, Mask
from pagelet.methods.segments.geometry.boxes import (
    below,
    frames,
    images,
    seen_background,
    seen_place,
)
from pagelet.page.layout import Layout
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER, numbers
from pagelet.page.tree import nearest

CONTROLS = numbers("input textarea select audio meter progress")  #: drawn by the browser itself
CELLS = numbers("td th")

ATOM, CUT = 0, 1  #: what cannot be divided; what shows nothing
DIVIDING = (2, 5, 6, 7, 8, 12)  #: rules that divide a row
RULES = {
    "other": (1, 2, 4, 6, 7, 9, 10, 12),
    "inline": (1, 2, 4, 5, 6, 7, 9, 10, 12),
    "table": (1, 2, 8, 10, 13),
    "row": (1, 2, 7, 8, 10, 13),
    "cell": (1, 2, 4, 9, 10, 13),
}  #: what holds for each class of elements, in order


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What can be seen of each row."""

    root: int  #: the row that is the whole page
    valid: Mask  #: is seen, and not part of an image
    edges: Floats  #: left, top, right, bottom in whole pixels, cut where the page ends
    atom: Mask  #: texts, images, frames and controls
    plain: Mask  #: atoms, and inline elements that hold nothing but such
    background: Int64s  #: the colour behind it, as one number
    font_size: Floats
    font_weight: Floats
    area: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """What the rules say of each row."""

    rule: NDArray[np.int8]  #: the rule that fires; ATOM for an atom
    doc: NDArray[np.int8]  #: degree of coherence as a block
    apart: Mask  #: stands on another background than its parent
    children: Ints  #: all children, those of one row together
    first: Ints  #: where the children of each row begin, and where the last ones end


def look_of(page: Page, layout: Layout) -> Look:
    """What can be seen of each row of a page."""
    valid, edges = seen_place(page, layout)
    atom = images(page, layout) | frames(page, layout) | page.is_tag(*CONTROLS) | ~page.element
    valid &= ~below(page, valid & atom)
    root = max(page.body, 0)
    valid[root : root + 1] = True
    broken = valid & ~atom & ~layout.inline
    plain = atom | (layout.inline & (page.sum_subtree(broken) == 0))
    styled = np.where(page.element, np.arange(len(page)), page.parent)  # a text has its parent's
    red, green, blue = seen_background(page, layout).astype(np.int64).T
    return Look(
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


def find_blocks(page: Page, layout: Layout, look: Look, small: float) -> Blocks:
    """What the rules say of every row; an area below `small` square pixels is small."""
    family = _family(page, look)
    fires = _fires(page, layout, look, family, small)
    classes = _classes(page, layout)
    rule = np.zeros(len(page), np.int8)
    for name, rules in RULES.items():
        rows = classes[name] & look.valid & ~look.atom
        for number in reversed(rules):
            rule[rows & fires[number]] = number
    apart = np.zeros(len(page), np.bool_)
    apart[family.child] = look.background[family.child] != look.background[family.parent]
    first = np.searchsorted(family.parent, np.arange(len(page) + 1))
    return Blocks(rule, _coherence(page, look, family, rule), apart, family.child, first)


@dataclass(frozen=True, slots=True, eq=False)
class _Family:
    """Parents and children among the rows that are seen."""

    child: Ints  #: by parent, then in document order
    parent: Ints
    rows: int

    def count(self, marked: Mask) -> Ints:
        """How many children are marked, for each row."""
        return np.bincount(self.parent[marked[self.child]], minlength=self.rows)

    def most(self, values: Floats) -> Floats:
        """The greatest value among the children of each row."""
        found = np.full(self.rows, -np.inf)
        np.maximum.at(found, self.parent, values[self.child])
        return found


def _family(page: Page, look: Look) -> _Family:
    above = np.append(nearest(page.parent, look.valid), -1)[page.parent]
    child = np.flatnonzero(look.valid & (above >= 0))
    child = child[np.argsort(above[child], kind="stable")]
    return _Family(child, above[child], len(page))


def _classes(page: Page, layout: Layout) -> dict[str, Mask]:
    """Mark the rows of each class; every element is in one."""
    table, row = page.tag == NUMBER["table"], page.tag == NUMBER["tr"]
    cell = page.is_tag(*CELLS)
    inline = (layout.inline | (page.tag == NUMBER["p"])) & ~(table | row | cell)
    other = ~(table | row | cell | inline)
    return {"other": other, "inline": inline, "table": table, "row": row, "cell": cell}


def _fires(
    page: Page, layout: Layout, look: Look, family: _Family, small: float
) -> dict[int, Mask]:
    """Where each rule fires, whatever the class."""
    all_rows = np.ones(len(page), np.bool_)
    children, plain = family.count(all_rows), family.count(look.plain)
    broken = page.element & ~layout.inline & ~look.atom
    inner = np.bincount(family.parent, look.area[family.child], minlength=len(page))
    return {
        1: children == 0,
        2: (children == 1) & (family.count(look.atom) == 0),
        4: plain == children,
        5: family.count(broken) > 0,
        6: family.count(page.tag == NUMBER["hr"]) > 0,
        7: inner > look.area,
        8: _other_background(look, family),
        9: (plain > 0) & (look.area < small),
        10: family.most(look.area) < small,
        12: all_rows,
        13: all_rows,
    }


def _other_background(look: Look, family: _Family) -> Mask:
    """Mark the rows with a child on another background."""
    other = np.zeros(family.rows, np.bool_)
    own = look.background[family.parent]
    other[family.parent[look.background[family.child] != own]] = True
    return other


def _coherence(page: Page, look: Look, family: _Family, rule: NDArray[np.int8]) -> NDArray[np.int8]:
    """Degree of coherence of every row as a block, by rule and tag; 8 where nothing else holds."""
    fonts = (look.font_size, look.font_weight)
    same = np.logical_and.reduce([family.most(font) == -family.most(-font) for font in fonts])
    doc = np.full(len(page), 8, np.int8)
    doc[~page.element] = 10
    doc[rule == 4] = np.where(same, 10, 9)[rule == 4]
    doc[(rule == 9) & (page.tag == NUMBER["div"])] = 5
    doc[(rule == 9) & (page.tag == NUMBER["code"])] = 7
    doc[(rule == 10) & (page.tag == NUMBER["a"])] = 11
    return doc
