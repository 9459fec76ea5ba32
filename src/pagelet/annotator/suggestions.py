"""Marks proposed to an annotator: by methods, or carried over from a page of the same template.

The pages are mapped top-down as for site templates. A row without a partner is searched for below
its nearest ancestor that has one, step by step, among the children without a partner. The
confidence of a row is the likeness of the weakest step on its path from body.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pagelet.annotator.marks import MAX_ELEMENTS, SPREAD, SUGGESTION, Mark
from pagelet.arrays import Floats, Ints, Mask
from pagelet.context import Context, find_method
from pagelet.methods.registry import DEFAULT, Method
from pagelet.methods.segments.geometry.partition import whole_rows
from pagelet.methods.template.equality import AUTHORS_OLDER
from pagelet.methods.template.mapping import (
    MAX_DEPTH,
    NONE,
    LabelledPage,
    Vocabulary,
    label_page,
    top_down,
)
from pagelet.page.layout import Rendering
from pagelet.page.table import Page
from pagelet.page.tags import TEXT
from pagelet.page.tree import join_path
from pagelet.pagelets import Pagelets

MAX_SUGGESTIONS = 500  #: marks that one method proposes


def proposes_marks(method: str) -> bool:
    """Whether pagelets of a method are of a kind that people mark."""
    return bool(find_method(method).kinds)


def suggest_marks(
    page: Page, method: str, site: Sequence[Page] = (), rendering: Rendering | None = None
) -> list[Mark]:
    """The result of a method as proposed marks."""
    row = find_method(method)
    context = Context(page, site, rendering=rendering)
    result = context.run(row, row.profile(DEFAULT).options)
    marks: list[Mark] = []
    for kind, rows in _regions(page, row, result)[:MAX_SUGGESTIONS]:
        elements = _elements(page, rows)
        if elements:
            paths = tuple(map(page.path, elements))
            marks.append(Mark(kind, paths, f"{SUGGESTION}{method}"))
    return marks


def _regions(page: Page, method: Method, result: Pagelets) -> list[tuple[str, Sequence[int]]]:
    """Kinds and rows of the regions to mark."""
    if method.holds_for in ("texts", "direct texts"):
        direct = method.holds_for == "direct texts"
        regions = _uniform_regions(page, _is_content(page, result, direct=direct))
        return [(kind, rows) for kind, rows in regions if kind in method.kinds]
    if method.holds_for == "boxes":
        return [(method.kinds[0], rows) for rows in _disjoint_segments(page, result)]
    return [(item.kind, item.rows) for item in result if item.kind in method.kinds]


def _is_content(page: Page, result: Pagelets, *, direct: bool) -> Mask:
    """Mask of the texts that are content: all texts in a pagelet, or its direct texts."""
    rows = [row for item in result if item.kind == "content" for row in item.rows]
    if not direct:
        return page.inside(np.array(rows, np.int32))
    content = np.zeros(len(page) + 1, np.bool_)  # the last entry stands for no parent
    content[rows] = True
    return np.asarray(content[page.parent])


def _uniform_regions(page: Page, content: Mask) -> list[tuple[str, Sequence[int]]]:
    """The largest elements whose texts are all content or all noise."""
    texts = np.flatnonzero((page.tag == TEXT) & page.counted)
    labels = content[texts].astype(np.intp)
    whole = whole_rows(page, texts, labels) & page.counted & page.element
    tops = np.flatnonzero(whole & ~np.append(whole, False)[page.parent])
    first = labels[np.searchsorted(texts, tops)]
    kinds = ("noise", "content")
    return [(kinds[kind], (row,)) for kind, row in zip(first.tolist(), tops.tolist(), strict=True)]


def _disjoint_segments(page: Page, result: Pagelets) -> list[list[int]]:
    """Segments as rows of the page, without those that overlap an earlier one."""
    taken = np.zeros(len(page), np.bool_)
    segments = []
    for item in result:
        rows = _elements(page, [page.row(result.page.path(row)) for row in item.rows])
        if rows and not any(taken[row : page.end[row]].any() for row in rows):
            for row in rows:
                taken[row : page.end[row]] = True
            segments.append(rows)
    return segments


def _elements(page: Page, rows: Sequence[int]) -> list[int]:
    """The elements among rows; a text that is an only child counts as its parent."""
    lifted = (
        int(page.parent[row]) if page.tag[row] == TEXT and page.children[page.parent[row]] == 1
        else int(row)
        for row in rows
    )  # fmt: skip
    kept = sorted({row for row in lifted if page.counted[row] and page.tag[row] != TEXT})
    return kept[:MAX_ELEMENTS]


Positions = tuple[Ints, Ints]  #: index of each node among its siblings, and their number

TAG_WEIGHT, NAME_WEIGHT, POSITION_WEIGHT = 0.4, 0.35, 0.25  #: weights within a step's likeness
MIN_LIKENESS = 0.2  #: likeness below which a step is not taken
LOST = -1  #: row of a node that has no counterpart


@dataclass(frozen=True, slots=True)
class Carried:
    """The counterpart of a row on another page."""

    row: int  #: LOST if there is none
    sure: float  #: likeness of the weakest step from body, 0 to 1


@dataclass(frozen=True, eq=False)
class Mapped:
    """Two pages of a site, mapped onto each other."""

    key: LabelledPage
    other: LabelledPage
    partner: Ints  #: index in the other page for each index of the key page; -1 for none

    @property
    def alike(self) -> float:
        """Share of the rows of both pages that have a partner."""
        rows = len(self.key) + len(self.other)
        return 2 * int((self.partner >= 0).sum()) / rows if rows else 0.0

    @cached_property
    def taken(self) -> Mask:
        """Nodes of the other page that have a partner."""
        taken = np.zeros(len(self.other), np.bool_)
        taken[self.partner[self.partner >= 0]] = True
        return taken

    @cached_property
    def positions(self) -> tuple[Positions, Positions]:
        """Positions among siblings on both pages."""
        return _positions(self.key), _positions(self.other)

    @cached_property
    def sure(self) -> Floats:
        """Likeness of the weakest step from body to each node that has a partner."""
        steps = np.ones(len(self.key))
        here = np.flatnonzero(self.partner >= 0)
        steps[here] = likeness(self, here, self.partner[here])
        depth = int(self.key.depth.max(initial=0))
        return np.asarray(join_path(self.key.parent, depth, steps, np.minimum, 1.0))


def map_pages(key: Page, other: Page) -> Mapped:
    """Map the counted rows of one page to those of another."""
    words = Vocabulary()
    first, second = label_page(key, words), label_page(other, words)
    return Mapped(first, second, top_down(first, second, AUTHORS_OLDER))


def spread_marks(mapped: Mapped, marks: Sequence[Mark]) -> tuple[list[Mark], list[Mark]]:
    """The marks of the key page carried to the other page, and those that have no place there.

    A mark of several elements keeps those that have a counterpart. Its confidence is the lowest of
    theirs times their share. Of two marks with the same elements, the one with the higher
    confidence is kept.
    """
    key, other = mapped.key.page, mapped.other.page
    carried: dict[tuple[str, tuple[str, ...]], Mark] = {}
    missed = []
    for mark in marks:
        counterparts = carry(mapped, [key.row(path) for path in mark.paths])
        placed = {each.row: each.sure for each in counterparts if each.row != LOST}
        if not placed:
            missed.append(mark)
            continue
        sure = min(placed.values()) * len(placed) / len(mark.paths)
        paths = tuple(map(other.path, sorted(placed)))
        same = carried.get((mark.kind, paths))
        if same is None or (same.sure or 0) < sure:
            carried[mark.kind, paths] = Mark(mark.kind, paths, SPREAD, sure=round(sure, 4))
    return list(carried.values()), missed


def carry(mapped: Mapped, rows: Sequence[int]) -> list[Carried]:
    """The counterparts of rows of the key page, each by itself."""
    places = np.searchsorted(mapped.key.rows, rows)
    return [
        _carry_one(mapped, at)
        if at < len(mapped.key) and mapped.key.rows[at] == row
        else Carried(LOST, 0.0)
        for row, at in zip(rows, places.tolist(), strict=True)
    ]


def _carry_one(mapped: Mapped, place: int) -> Carried:
    """Follow the mapping as far down as it reaches, then go step by step."""
    steps: list[int] = []
    while place >= 0 and mapped.partner[place] < 0 and len(steps) <= MAX_DEPTH:
        steps.append(place)
        place = int(mapped.key.parent[place])
    if place < 0 or len(steps) > MAX_DEPTH:
        return Carried(LOST, 0.0)
    at, sure = int(mapped.partner[place]), float(mapped.sure[place])
    for step in reversed(steps):
        free = _free(mapped, at)
        alike = likeness(mapped, np.full(len(free), step), free)
        if alike.max(initial=0.0) < MIN_LIKENESS:
            return Carried(LOST, 0.0)
        at, sure = int(free[alike.argmax()]), min(sure, float(alike.max()))
    return Carried(int(mapped.other.rows[at]), round(sure, 4))


def _free(mapped: Mapped, parent: int) -> Ints:
    """Children of a node of the other page that have no partner."""
    page = mapped.other
    first = page.first[parent]
    children = page.order[first : first + page.kids[parent]]
    return np.asarray(children[~mapped.taken[children]])


def likeness(mapped: Mapped, places: Ints, others: Ints) -> Floats:
    """Likeness of nodes of the key page and of the other page, 0 to 1.

    Compares tag, names, and position among the siblings, counted from either end.
    """
    same = mapped.key.tag[places] == mapped.other.tag[others]
    (position, siblings), (other_position, other_siblings) = mapped.positions
    first, second = position[places], other_position[others]
    from_end = abs((siblings[places] - first) - (other_siblings[others] - second))
    most = np.maximum(siblings[places], other_siblings[others])
    near = 1 - np.minimum(abs(first - second), from_end) / most
    names = _name_likeness(mapped, places, others)
    return np.asarray(TAG_WEIGHT * same + NAME_WEIGHT * names + POSITION_WEIGHT * near)


def _positions(page: LabelledPage) -> Positions:
    at = np.zeros(len(page), np.intp)
    at[page.order] = np.arange(len(page.order))
    inner = page.parent >= 0
    position = np.where(inner, at - page.first[page.parent], 0)
    return position, np.where(inner, page.kids[page.parent], 1)


def _name_likeness(mapped: Mapped, places: Ints, others: Ints) -> Floats:
    """Whether ids are equal, else the share of classes in common; 1 if neither has any."""
    key, other = mapped.key, mapped.other
    pairs, back = np.unique(
        np.stack((key.classes[places], other.classes[others])), axis=1, return_inverse=True
    )
    share = key.vocabulary.class_similarity
    shares = [1.0 if one == two == NONE else share(one, two) for one, two in pairs.T.tolist()]
    own, theirs = key.own_id[places], other.own_id[others]
    has_id = (own != NONE) | (theirs != NONE)
    return np.where(has_id, own == theirs, np.array(shares, np.float64)[back.ravel()])
