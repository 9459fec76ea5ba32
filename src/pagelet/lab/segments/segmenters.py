"""Every segmenter that an evaluation compares, with the values of its parameter."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from time import thread_time
from typing import Any, Literal

import numpy as np

from pagelet.arrays import Mask
from pagelet.errors import MissingExtra
from pagelet.lab import Progress, Report, ignore_progress, track
from pagelet.lab.fitting import too_few_sites
from pagelet.lab.learners import FOLDS
from pagelet.lab.segments.ceilings import (
    best_cuts,
    best_elements,
    best_elements_in_columns,
)
from pagelet.lab.segments.coverage import DIVIDED_SHARES, group_by_element
from pagelet.lab.segments.gold import DrawnExample
from pagelet.lab.segments.thresholds import LearnedThreshold, learn_threshold
from pagelet.lab.segments.unseen import SIZES, UnseenModel, unseen_models
from pagelet.methods.segments.answer import SEGMENTERS, read_styles
from pagelet.methods.segments.bcs import cluster_boxes, cut_by_options
from pagelet.methods.segments.bcs.clustering import Dendrogram
from pagelet.methods.segments.bcs.options import MEAN, PAPER, REFERENCE_2016, BcsOptions
from pagelet.methods.segments.geometry.partition import Segments, segments_of
from pagelet.methods.segments.options import SegmentsOptions
from pagelet.methods.segments.vips import VipsTree, cut_tree, vips_tree
from pagelet.methods.segments.visual import VisualOptions, segment_visual
from pagelet.page.layout import Boxes, Layout
from pagelet.page.table import Page
from pagelet.page.tree import nearest

THRESHOLDS = tuple(step / 10 for step in range(1, 11))  #: thresholds of BCS, as in the paper
DEGREES = tuple(range(1, 11))  #: degrees of coherence of VIPS, as in the paper
BCS, BCS_MEAN, VIPS, DEFAULT = "BCS paper", "BCS mean", "VIPS", "default"  #: names of rows

Granularity = Literal["page", "blocks", "paragraphs", "fields"]
GRANULARITIES: tuple[Granularity, ...] = ("page", "blocks", "paragraphs", "fields")
LEARNED: tuple[Granularity, ...] = ("page", "blocks", "paragraphs")  #: those that ask a model


@dataclass(frozen=True, slots=True)
class Segmenter:
    """A function that prepares a page, and one that segments it for each value of a parameter."""

    name: str
    prepare: Callable[[DrawnExample], Any]
    segment: Callable[[Any, Any], Segments] = lambda prepared, _: prepared
    values: tuple[float, ...] = (0.0,)
    parameter: str = ""  #: name of the parameter; empty for a segmenter without one

    def answers(self, example: DrawnExample) -> Iterator[tuple[Segments, float]]:
        """The segments for each value, and the milliseconds they take alone."""
        prepared, prepare_ms = timed(partial(self.prepare, example))
        for value in self.values:
            segments, ms = timed(partial(self.segment, prepared, value))
            yield segments, prepare_ms + ms


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """The result of a function, and the milliseconds of processor time it took."""
    start = thread_time()
    result = work()
    return result, (thread_time() - start) * 1000


def all_segmenters() -> list[Segmenter]:
    """All rows of the tables, trivial ones first, then what labels themselves would choose."""
    return [*trivial_segmenters(), *ceiling_segmenters(), *method_segmenters()]


def ceiling_segmenters() -> list[Segmenter]:
    """Elements and straight cuts that the labels themselves choose."""
    return [
        *(Segmenter(f"cuts, oracle, {size}", partial(_ceiling, best_cuts, size)) for size in SIZES),
        *(
            Segmenter(f"tree, oracle, {size}", partial(_ceiling, best_elements, size))
            for size in SIZES
        ),
        Segmenter(
            "tree, oracle, blocks, columns apart",
            partial(_ceiling, best_elements_in_columns, "blocks"),
        ),
    ]


def _ceiling(
    find: Callable[[DrawnExample, str], Segments], size: str, each: DrawnExample
) -> Segments:
    return find(each, size)


def method_segmenters() -> list[Segmenter]:
    """The methods of the papers, then ours."""
    return [
        *bcs_segmenters(BCS, PAPER),
        *bcs_segmenters(BCS_MEAN, MEAN),
        *bcs_segmenters("BCS 2016", REFERENCE_2016),
        Segmenter(VIPS, _vips_areas, _cut_areas, DEGREES, "PDoC"),
        *(_default(size, with_dom=dom) for dom, size in product((False, True), GRANULARITIES)),
    ]


def bcs_segmenters(name: str, options: BcsOptions) -> list[Segmenter]:
    """Box clustering by every threshold, and by one it finds."""
    auto = replace(options, stop="auto")
    return [
        Segmenter(
            name,
            lambda each: _cluster(each, options),
            lambda tree, threshold: tree.cut(threshold),
            THRESHOLDS,
            "CT",
        ),
        Segmenter(f"{name}, auto", lambda each: cut_by_options(_cluster(each, auto), auto)),
    ]


def _cluster(each: DrawnExample, options: BcsOptions) -> Dendrogram:
    styled = read_styles(each.page, each.layout, each.boxes) if options.style_weight else None
    return cluster_boxes(each.boxes, options, styled)


STYLE_WEIGHTS = (1.0, 4.0)  #: weights of fonts and backgrounds that are compared


def variant_segmenters() -> list[Segmenter]:
    """Box clustering with other colour spaces, readings of equation 4, and more cues."""
    colours: tuple[Literal["rgb", "lab", "lch"], ...] = ("rgb", "lab", "lch")
    fars: tuple[Literal["literal", "mean", "equidistant"], ...] = ("literal", "mean", "equidistant")
    return [
        bcs_segmenters(f"{space}, {far}", BcsOptions(colours=space, far=far))[0]
        for far in fars
        for space in colours
    ] + [
        bcs_segmenters(f"rgb, mean, style {weight:g}", BcsOptions(style_weight=weight))[0]
        for weight in STYLE_WEIGHTS
    ]


def _vips_areas(example: DrawnExample) -> tuple[DrawnExample, VipsTree]:
    return example, vips_tree(example.page, example.layout)


def _cut_areas(areas: tuple[DrawnExample, VipsTree], degree: float) -> Segments:
    example, tree = areas
    return cut_tree(tree, example.boxes, int(degree))


def _default(granularity: Granularity, *, with_dom: bool) -> Segmenter:
    """The default profile with the shipped models; it finds its threshold."""
    options = SegmentsOptions(granularity=granularity, with_dom=with_dom)
    shipped = "" if granularity == "fields" else "shipped"
    more = ", ".join(filter(None, ("--with-dom" if with_dom else "", shipped)))
    segment = SEGMENTERS[options.method]
    return Segmenter(
        row_name(granularity, more),
        lambda each: segment(each.page, each.layout, each.boxes, options, None).segments,
    )


def row_name(granularity: Granularity, more: str = "") -> str:
    """The name of a row of the default profile; blocks when no granularity is named."""
    return ", ".join(filter(None, (DEFAULT, granularity.removeprefix("blocks"), more)))


# -- the default profile with models that have not seen the page's site ------------------------


def unseen_segmenters(
    examples: Sequence[DrawnExample], report: Report, progress: Progress = ignore_progress
) -> list[Segmenter]:
    """Segmenters of each granularity with models; none when models cannot be fitted."""
    some = [example for example in examples if len(example.boxes)]
    sites = {example.site for example in some}
    if len(sites) < FOLDS:
        report(too_few_sites(sites, FOLDS))
        return []
    report(f"fitting on {len(some)} pages of {len(sites)} sites")
    ways: tuple[Callable[[Sequence[DrawnExample]], Iterator[Segmenter]], ...]
    ways = (_learned_thresholds, partial(_unseen, with_dom=False), partial(_unseen, with_dom=True))
    try:
        return [each for way in track(ways, "fitting", progress) for each in way(some)]
    except MissingExtra as error:
        report(f"only the shipped models answer: {error}")
        return []


def _learned_thresholds(examples: Sequence[DrawnExample]) -> Iterator[Segmenter]:
    """Box clustering whose threshold a model chooses for each page."""
    for name, options in ((BCS, PAPER), (BCS_MEAN, MEAN)):
        each_cut = partial(_all_cuts, options)
        learned = learn_threshold(examples, [each_cut(example) for example in examples])
        choose = partial(_choose_cut, learned, each_cut)
        yield Segmenter(f"{name}, learned", choose)


def _all_cuts(options: BcsOptions, each: DrawnExample) -> list[Segments]:
    tree = _cluster(each, options)
    return [tree.cut(threshold) for threshold in THRESHOLDS]


def _choose_cut(
    learned: LearnedThreshold,
    cuts: Callable[[DrawnExample], list[Segments]],
    each: DrawnExample,
) -> Segments:
    return learned.choose(each.name, cuts(each))


def _unseen(examples: Sequence[DrawnExample], *, with_dom: bool) -> Iterator[Segmenter]:
    """Segmenters whose models are fitted here; those of a whole page have the models of blocks."""
    how = "--with-dom, unseen" if with_dom else "unseen"
    fitted = unseen_models(examples, with_dom=with_dom)
    for granularity in LEARNED:
        options = VisualOptions(granularity=granularity, with_dom=with_dom)
        segment = partial(_segment_unseen, fitted[options.learned_size], options)
        yield Segmenter(row_name(granularity, how), segment)


def _segment_unseen(
    models: Mapping[str, UnseenModel], options: VisualOptions, each: DrawnExample
) -> Segments:
    model, threshold = models.get(each.name, (None, None))
    chosen = replace(options, threshold=threshold)
    return segment_visual(each.page, each.layout, each.boxes, chosen, model)


# -- trivial segmenters, for comparison --------------------------------------------------------


HEADER_PIXELS, FOOTER_PIXELS = 150.0, 50.0  #: heights of the first and of the last band
MAX_PART_SHARE = 0.8  #: share of the page from which an element is divided further


def trivial_segmenters() -> list[Segmenter]:
    """Segmenters without a method; the last four look at the tree alone."""
    return [
        Segmenter("whole page", lambda each: whole_page(each.boxes)),
        Segmenter("each box", lambda each: each_box(each.boxes)),
        Segmenter("three bands", lambda each: three_bands(each.boxes)),
        Segmenter(
            "tree, first branching", lambda each: split_tree(each.page, each.layout, each.boxes)
        ),
        Segmenter(
            "tree, what covers most",
            lambda each: split_tree(each.page, each.layout, each.boxes, MAX_PART_SHARE),
        ),
        *(
            Segmenter(f"tree, by share, {size}", partial(_by_share, size))
            for size in DIVIDED_SHARES
        ),
    ]


def _by_share(granularity: str, each: DrawnExample) -> Segments:
    """Elements that cover less than a fixed share of what is drawn."""
    if not len(each.boxes):
        return each_box(each.boxes)
    share, groups = group_by_element(each.page, each.layout, each.boxes, granularity)
    return segments_of(each.boxes, groups, share)


def whole_page(boxes: Boxes) -> Segments:
    """One segment per page."""
    return segments_of(boxes, np.zeros(len(boxes), np.int64))


def each_box(boxes: Boxes) -> Segments:
    """One segment per box."""
    return segments_of(boxes, np.arange(len(boxes)))


def three_bands(boxes: Boxes) -> Segments:
    """A band at the top, one at the bottom, and all between; the middle of a box decides."""
    middle = (boxes.top + boxes.bottom) / 2
    low = middle >= boxes.page_height - FOOTER_PIXELS
    return segments_of(boxes, np.where(middle < HEADER_PIXELS, 0, np.where(low, 2, 1)))


def split_tree(
    page: Page, layout: Layout, boxes: Boxes, max_share: float | None = None
) -> Segments:
    """The children of the first element with several; larger parts are divided further.

    Only elements that hold boxes count. Without `max_share` nothing is divided further.
    """
    own = np.bincount(boxes.row[boxes.row >= 0], minlength=len(page))
    children = _children(page, np.asarray(page.sum_subtree(own) > 0))
    limit = np.inf if max_share is None else max_share * layout.page_width * layout.page_height
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
    """The kept children of every kept row."""
    rows = np.flatnonzero(kept)
    children: dict[int, list[int]] = {row: [] for row in rows.tolist()}
    for row, parent in zip(rows.tolist(), page.parent[rows].tolist(), strict=True):
        if parent >= 0:
            children[parent].append(row)
    return children
