"""Layouts: groups of pages with the same upper structure, whatever stands in it.

The shape of a page is the set of places (paths of tags, ids and classes) of its elements down to
some depth; a place counts half as much as one a level above it. Pages whose shapes have enough in
common have one layout, and so do pages that are connected by such pages.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from zlib import crc32

import numpy as np

from pagelet.arrays import Floats, Hashes
from pagelet.methods.template.table import MAX_PAGES, PageDigest, SiteTable, depths

MAX_SHAPE_DEPTH = 8  #: levels below body that belong to a shape
KEY_DEPTH = 2  #: levels below body that belong to the key of a shape
LEVEL_WEIGHT = 0.5  #: weight of a place, as a share of that of a place one level above it
SAME_LAYOUT_SIMILARITY = 0.5  #: similarity from which two pages have one layout
RELATED_SIMILARITY = 0.15  #: similarity below which two pages are of different sites
COMPARED_SHAPES = 256  #: shapes that are compared with all others at once
MAX_LAYOUTS = 256  #: layouts that are kept; those with the fewest pages are dropped
MAX_KEPT_PAGES = 2048  #: pages that are kept in all
MIN_KEPT_PAGES = 8  #: pages of a layout that are kept however many layouts there are


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """The places of the upper elements of a page, each once."""

    place: Hashes  #: sorted
    weight: Floats

    @property
    def total(self) -> float:
        """Sum of the weights."""
        return float(self.weight.sum())


def shape_of(page: PageDigest) -> Shape:
    """The shape of a digested page; the body, which all pages have, is left out."""
    depth = depths(page.size)
    upper = (page.size > 1) & (depth > 0) & (depth <= MAX_SHAPE_DEPTH)
    place, first = np.unique(page.place[upper], return_index=True)
    return Shape(place, LEVEL_WEIGHT ** depth[upper][first].astype(np.float64))


def shape_key(page: PageDigest) -> int:
    """A number that pages of one layout mostly have in common: a hash of the two upper levels."""
    depth = depths(page.size)
    upper = (page.size > 1) & (depth > 0) & (depth <= KEY_DEPTH)
    return crc32(np.unique(page.place[upper]).astype("<u8").tobytes())


class ShapeIndex:
    """Shapes by their places, for comparing other shapes with all of them."""

    def __init__(self, shapes: Sequence[Shape]) -> None:
        owner = np.repeat(np.arange(len(shapes)), [len(each.place) for each in shapes])
        places = np.concatenate([np.zeros(0, np.uint64), *(each.place for each in shapes)])
        order = np.argsort(places, kind="stable")
        self._places, self._owner = places[order], owner[order]
        self._totals = np.array([each.total for each in shapes])

    def compare(self, shape: Shape) -> Floats:
        """Weights in common with each shape, as a share of the weights of either."""
        first = np.searchsorted(self._places, shape.place)
        count = np.searchsorted(self._places, shape.place, "right") - first
        inside = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        owners = self._owner[np.repeat(first, count) + inside]
        common = np.bincount(owners, np.repeat(shape.weight, count), len(self._totals))
        return np.asarray(common / np.maximum(shape.total + self._totals - common, 1e-9))


def compare_shapes(some: Sequence[Shape], others: Sequence[Shape]) -> Floats:
    """Weights in common, as a share of the weights of either; a line per shape of the first."""
    index = ShapeIndex(others)
    return np.array([index.compare(shape) for shape in some]).reshape(len(some), len(others))


@dataclass(frozen=True, eq=False)
class LayoutSample:
    """A sample of the pages of one layout."""

    pages: Mapping[str, PageDigest]  #: digests by name, sorted

    @cached_property
    def table(self) -> SiteTable:
        """The table of the pages."""
        return SiteTable(list(self.pages.values()))

    @cached_property
    def shapes(self) -> list[Shape]:
        """The shape of each page."""
        return [shape_of(page) for page in self.pages.values()]

    @cached_property
    def usual_overlap(self) -> float:
        """Leaves that a page of the layout usually has in common with another."""
        best = []
        for at, (page, occurrence) in enumerate(
            zip(self.table.pages, self.table.own_occurrence, strict=True)
        ):
            alike = self.table.pages_alike(page, occurrence, leave_out=at)
            shared = [occurrence.leaves[each] for each in alike]
            best.append(float(np.median(shared)) if alike else 0.0)
        return float(np.median(best)) if best else 0.0

    def without_page(self, name: str) -> "LayoutSample":
        """Leave out a page, which has everything in common with itself."""
        if name not in self.pages:
            return self
        return LayoutSample({key: page for key, page in self.pages.items() if key != name})


Names = frozenset[str]  #: names of the pages of one layout


def group_pages(
    pages: Mapping[str, PageDigest], layouts: Sequence[Names] = ()
) -> list[dict[str, PageDigest]]:
    """Group pages by layout, those of `layouts` as they are; the largest first.

    Of each layout the pages with the smallest names are kept, fewer where there are many layouts.
    """
    names = sorted(name for name, page in pages.items() if len(page))
    groups = _connect(names, pages, layouts)
    largest = sorted(groups, key=lambda group: (-len(group), group[0]))[:MAX_LAYOUTS]
    most = MAX_KEPT_PAGES // max(len(largest), 1)
    most = min(max(most, MIN_KEPT_PAGES), MAX_PAGES)
    return [{name: pages[name] for name in group[:most]} for group in largest]


def _connect(
    names: Sequence[str], pages: Mapping[str, PageDigest], layouts: Sequence[Names]
) -> list[list[str]]:
    """The connected components of the pages by similarity of their shapes, names sorted."""
    number = {name: at for at, group in enumerate(layouts) for name in group}
    union = _UnionFind(len(names))
    first: dict[object, int] = {}
    shapes = [shape_of(pages[name]) for name in names]
    distinct, new = [], []
    for at, (name, shape) in enumerate(zip(names, shapes, strict=True)):
        equal = first.setdefault(shape.place.tobytes(), at)
        union.join(at, equal)
        if name in number:
            union.join(at, first.setdefault(number[name], at))
        distinct += [at] if equal == at else []
        new += [at] if equal == at and name not in number else []
    for one, two in _similar(new, distinct, shapes):
        union.join(one, two)
    groups: dict[int, list[str]] = {}
    for at, name in enumerate(names):
        groups.setdefault(union.find(at), []).append(name)
    return list(groups.values())


def _similar(
    some: Sequence[int], others: Sequence[int], shapes: Sequence[Shape]
) -> Iterator[tuple[int, int]]:
    """Pairs of shapes that are similar enough for one layout."""
    rest = [shapes[at] for at in others]
    for start in range(0, len(some), COMPARED_SHAPES):
        part = some[start : start + COMPARED_SHAPES]
        similar = compare_shapes([shapes[at] for at in part], rest) >= SAME_LAYOUT_SIMILARITY
        for one, two in zip(*np.nonzero(similar), strict=True):
            yield part[int(one)], others[int(two)]


class _UnionFind:
    """Sets of numbers that are joined."""

    def __init__(self, count: int) -> None:
        self._above = list(range(count))

    def find(self, at: int) -> int:
        """The number that stands for the set of another."""
        while self._above[at] != at:
            self._above[at] = self._above[self._above[at]]
            at = self._above[at]
        return at

    def join(self, one: int, two: int) -> None:
        """Join the sets of two numbers; the smaller stands for both."""
        low, high = sorted((self.find(one), self.find(two)))
        self._above[high] = low


def relate_layouts(
    layouts: Sequence[LayoutSample], links: Iterable[tuple[str, str]] = ()
) -> list[list[int]]:
    """Groups of layouts that may be of one site: similar shapes, leaves in common, or links.

    `links` are the names of a page and of one that it links to.
    """
    union = _UnionFind(len(layouts))
    number = {name: at for at, layout in enumerate(layouts) for name in layout.pages}
    for one, two in links:
        if one in number and two in number:
            union.join(number[one], number[two])
    for at, layout in enumerate(layouts):
        for to in range(at):
            if union.find(at) != union.find(to) and _are_related(layout, layouts[to]):
                union.join(at, to)
    groups: dict[int, list[int]] = {}
    for at in range(len(layouts)):
        groups.setdefault(union.find(at), []).append(at)
    return list(groups.values())


COMPARED_PAGES = 8  #: pages of a layout that are compared with those of another
RELATED_LEAVES = 3  #: leaves in common from which two pages may be of one site


def _are_related(one: LayoutSample, two: LayoutSample) -> bool:
    ours, theirs = (list(each.pages.values())[:COMPARED_PAGES] for each in (one, two))
    similar = compare_shapes(one.shapes[:COMPARED_PAGES], two.shapes[:COMPARED_PAGES])
    if similar.max(initial=0.0) >= RELATED_SIMILARITY:
        return True
    leaves = np.unique(np.concatenate([page.before for page in ours]))
    others = np.unique(np.concatenate([page.before for page in theirs]))
    return len(np.intersect1d(leaves, others, assume_unique=True)) >= RELATED_LEAVES
