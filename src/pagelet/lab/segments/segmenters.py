"""Every way to segment a page that an evaluation asks, with the values of its parameter."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from time import thread_time
from typing import Any, Literal

import numpy as np

from pagelet.arrays import Mask
from pagelet.errors import MissingExtra
from pagelet.lab.segments.examples import Example
from pagelet.lab.segments.fit import FOLDS, learned_gaps, unseen
from pagelet.methods.segments.answer import SEGMENTERS
from pagelet.methods.segments.bcs import cluster_boxes, cut_by_options
from pagelet.methods.segments.bcs.options import PAPER, REFERENCE_2016, BcsOptions
from pagelet.methods.segments.geometry.partition import Segments, segments_of
from pagelet.methods.segments.options import SegmentsOptions
from pagelet.methods.segments.vips import VipsTree, cut_tree, vips_tree
from pagelet.methods.segments.visual import VisualOptions, segment_visual
from pagelet.models.trees import Trees
from pagelet.page.boxes import Boxes
from pagelet.page.layout import Layout
from pagelet.page.table import Page
from pagelet.page.tree import nearest

# -- Segmentations that take no thought, to be scored beside those that do --------------------


HEAD, FOOT = 150.0, 50.0  #: pixels of the first and of the last band
MOST = 0.8  #: share of the page from which an element is divided further


def whole_page(boxes: Boxes) -> Segments:
    """One segment a page."""
    return segments_of(boxes, np.zeros(len(boxes), np.int64))


def each_box(boxes: Boxes) -> Segments:
    """One segment a box."""
    return segments_of(boxes, np.arange(len(boxes)))


def three_bands(boxes: Boxes) -> Segments:
    """What lies at the top, at the bottom, and all between; the middle of a box decides."""
    middle = (boxes.top + boxes.bottom) / 2
    low = middle >= boxes.page_height - FOOT
    return segments_of(boxes, np.where(middle < HEAD, 0, np.where(low, 2, 1)))


def split_tree(page: Page, layout: Layout, boxes: Boxes, most: float | None = None) -> Segments:
    """The children of the first element with several; what covers most of the page is divided.

    Only elements that hold boxes count. Without `most` nothing is divided further.
    """
    own = np.bincount(boxes.row[boxes.row >= 0], minlength=len(page))
    children = _children(page, np.asarray(page.sum_subtree(own) > 0))
    limit = np.inf if most is None else most * layout.page_width * layout.page_height
    large = (layout.area > limit).tolist()
    parts = np.zeros(len(page), np.bool_)
    whole = [row for row in children if page.parent[row] < 0]
    while whole:
        row = whole.pop()
        while len(children[row]) == 1:
            row = children[row][0]
        for part in children[row] or [row]:
            if large[part] and part != row:
                whole.append(part)
            else:
                parts[part] = True
    return segments_of(boxes, np.append(nearest(page.parent, parts), -1)[boxes.row])


def _children(page: Page, kept: Mask) -> dict[int, list[int]]:
    """The children of every kept row that are kept."""
    rows = np.flatnonzero(kept)
    found: dict[int, list[int]] = {row: [] for row in rows.tolist()}
    for row, parent in zip(rows.tolist(), page.parent[rows].tolist(), strict=True):
        if parent >= 0:
            found[parent].append(row)
    return found


# -- Every way to segment a page that an evaluation asks, with the values of its parameter ----


THRESHOLDS = tuple(step / 10 for step in range(1, 11))  #: of BCS, as in the paper
DEGREES = tuple(range(1, 11))  #: of coherence, of VIPS, as in the paper
BCS, VIPS, OURS = "BCS paper", "VIPS", "default"

Granularity = Literal["blocks", "paragraphs", "fields"]
GRANULARITIES: tuple[Granularity, ...] = ("blocks", "paragraphs", "fields")


@dataclass(frozen=True, slots=True)
class Way:
    """A way to segment pages: what is done once a page, then the answer for each value."""

    name: str
    begin: Callable[[Example], Any]
    end: Callable[[Any, Any], Segments] = lambda begun, _: begun
    values: tuple[float, ...] = (0.0,)
    parameter: str = ""  #: what the values are of; empty for a way without a parameter

    def answers(self, example: Example) -> Iterator[tuple[Segments, float]]:
        """The answer for each value, and the milliseconds it takes by itself."""
        begun, once = timed(partial(self.begin, example))
        for value in self.values:
            found, more = timed(partial(self.end, begun, value))
            yield found, once + more


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """What a piece of work gives, and its milliseconds, whatever else the machine does."""
    began = thread_time()
    done = work()
    return done, (thread_time() - began) * 1000


def every_way() -> list[Way]:
    """All rows of the tables, trivial ones first."""
    return [*trivial_ways(), *thoughtful_ways()]


def thoughtful_ways() -> list[Way]:
    """The methods of the papers, then ours."""
    return [
        *bcs_ways(BCS, PAPER),
        *bcs_ways("BCS 2016", REFERENCE_2016),
        Way(VIPS, _areas, _cut, DEGREES, "PDoC"),
        *(_ours(size, with_dom=dom) for dom, size in product((False, True), GRANULARITIES)),
    ]


def trivial_ways() -> list[Way]:
    """Ways that take no thought; the last two look at the tree alone."""
    return [
        Way("whole page", lambda of: whole_page(of.boxes)),
        Way("each box", lambda of: each_box(of.boxes)),
        Way("three bands", lambda of: three_bands(of.boxes)),
        Way("tree, first branching", lambda of: split_tree(of.page, of.layout, of.boxes)),
        Way("tree, what covers most", lambda of: split_tree(of.page, of.layout, of.boxes, MOST)),
    ]


def bcs_ways(name: str, options: BcsOptions) -> list[Way]:
    """Box clustering by every threshold, and by one it finds."""
    auto = replace(options, stop="auto")
    return [
        Way(
            name,
            lambda of: cluster_boxes(of.boxes, options),
            lambda tree, threshold: tree.cut(threshold),
            THRESHOLDS,
            "CT",
        ),
        Way(f"{name}, auto", lambda of: cut_by_options(cluster_boxes(of.boxes, auto), auto)),
    ]


def _areas(of: Example) -> tuple[Example, VipsTree]:
    return of, vips_tree(of.page, of.layout)


def _cut(begun: tuple[Example, VipsTree], degree: float) -> Segments:
    of, tree = begun
    return cut_tree(tree, of.boxes, int(degree))


def _ours(granularity: Granularity, *, with_dom: bool) -> Way:
    """The default profile as it is shipped, which finds its threshold."""
    options = SegmentsOptions(granularity=granularity, with_dom=with_dom)
    more = "--with-dom" if with_dom else "" if granularity == "fields" else "shipped"
    return Way(
        name_of(granularity, more),
        lambda of: SEGMENTERS[options.method](of.page, of.layout, of.boxes, options).segments,
    )


def name_of(granularity: Granularity, more: str = "") -> str:
    """The name of a row of the default profile; blocks when no granularity is named."""
    return ", ".join(filter(None, (OURS, granularity.removeprefix("blocks"), more)))


LEARNED: tuple[Granularity, ...] = ("blocks", "paragraphs")  #: those with a model

Models = dict[str, Trees]


def unseen_ways(examples: Sequence[Example], say: Callable[[str], None]) -> list[Way]:
    """A way for each granularity that has a model; none when models cannot be fitted."""
    some = [example for example in examples if len(example.boxes)]
    if len({example.site for example in some}) < FOLDS:
        say(f"fewer than {FOLDS} sites: no models are fitted without a page's site")
        return []
    ways = []
    for granularity in LEARNED:
        say(f"fitting {granularity} without each fifth of the sites")
        try:
            models = _models(some, granularity)
        except MissingExtra as error:
            say(f"only the shipped models answer: {error}")
            return []
        ways.append(Way(name_of(granularity, "unseen"), partial(_answer, models, granularity)))
    return ways


def _models(examples: Sequence[Example], size: Granularity) -> Models:
    """For each page a model that was fitted without its site."""
    sites = [example.site for example in examples]
    fitted = unseen(learned_gaps(examples, size), sites, size)
    return {example.name: model for example, model in zip(examples, fitted, strict=True)}


def _answer(models: Models, granularity: Granularity, of: Example) -> Segments:
    options = VisualOptions(granularity=granularity)
    return segment_visual(of.page, of.layout, of.boxes, options, models.get(of.name))
