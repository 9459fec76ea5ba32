"""Visual segmentation: cut a page where people would, by its looks alone or with its elements.

The page is cut by straight lines into strips, and those again. A model estimates for each gap the
probability that people put the two sides into different segments. It was trained on pages that
people segmented; segments.json describes the training data.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from pagelet.arrays import Floats, Ints, Mask
from pagelet.methods.registry import option
from pagelet.methods.segments.geometry.partition import Segments, segments_of
from pagelet.methods.segments.visual.bars import raise_at_bars
from pagelet.methods.segments.visual.columns import join_bands, split_columns
from pagelet.methods.segments.visual.cuts import (
    MIN_FORCED_CUT,
    MIN_SEGMENTS,
    Cuts,
    is_margin,
)
from pagelet.methods.segments.visual.division import DivisionTarget, divide_page
from pagelet.methods.segments.visual.gaps import gap_features
from pagelet.methods.segments.visual.rules import group_fields
from pagelet.methods.segments.visual.scene import (
    Scene,
    Strips,
    find_both_strips,
    read_scene,
)
from pagelet.models.trees import Trees, load_shipped
from pagelet.page.layout import Boxes, Layout
from pagelet.page.table import Page

MODELS = {"blocks": "segments", "paragraphs": "segments_inner"}
ELEMENT_MODELS = {"blocks": "segments_dom", "paragraphs": "segments_dom_inner"}
MAX_CUT_DEPTH = 12  #: nested cuts
MIN_LONG_COLUMN_PX = 900.0  #: height of a column that fills a window
COUNT_STEPS = 12  #: bisections in search of a wanted number of segments


@dataclass(frozen=True, slots=True, kw_only=True)
class VisualOptions:
    """Options of visual segmentation."""

    granularity: Literal["page", "blocks", "paragraphs", "fields"] = option(
        "blocks", "size of the segments"
    )
    with_dom: bool = option(default=False, help="use the elements too")
    threshold: float | None = None  #: least probability of a cut; None for the tuned one
    segments: int = option(0, "wanted number of segments; 0 for any", 0)

    @property
    def learned_size(self) -> Literal["blocks", "paragraphs", "fields"]:
        """The granularity whose model is asked."""
        return "blocks" if self.granularity == "page" else self.granularity

    @property
    def min_column_px(self) -> float | None:
        """Least height of columns that are apart whatever the model says; None for no such rule.

        The model of elements knows columns: where it joins short ones, people do.
        """
        if self.segments or self.granularity not in ("page", "blocks"):
            return None
        return MIN_LONG_COLUMN_PX if self.with_dom and self.granularity == "blocks" else 0.0


CUT_THRESHOLD = 0.5  #: least probability of a cut


def segment_visual(
    page: Page,
    layout: Layout,
    boxes: Boxes,
    options: VisualOptions = VisualOptions(),
    trees: Trees | None = None,
) -> Segments:
    """Segments of a page; every box lies in one."""
    if not len(boxes):
        return segments_of(boxes, np.zeros(0, np.intp))
    if options.granularity == "fields":
        return segments_of(boxes, group_fields(page, layout, boxes, with_dom=options.with_dom))
    if options.with_dom:
        divided = divide_elements(page, layout, boxes, options, trees)
        return segments_of(boxes, divided.number, divided.threshold)
    cuts = cut_scene(read_scene(page, layout, boxes), options, trees)
    return segments_of(boxes, cuts.number, cuts.threshold)


def divide_elements(
    page: Page, layout: Layout, boxes: Boxes, options: VisualOptions, trees: Trees | None = None
) -> Cuts:
    """Divide a page into elements."""
    model = element_model(options, trees)
    cuts = divide_page(page, layout, boxes, model, _division_target(options))
    least = options.min_column_px
    if least is None or _greatest_height(boxes.edges, cuts.number) < least:
        return cuts
    return _refine(read_scene(page, layout, boxes), cuts, options)


def _division_target(options: VisualOptions) -> DivisionTarget:
    least, blocks = MIN_SEGMENTS[options.learned_size], options.learned_size == "blocks"
    return DivisionTarget(options.threshold, options.segments, least, blocks)


def _greatest_height(edges: Floats, number: Ints) -> float:
    """The height of the tallest segment."""
    top, bottom = np.full((2, int(number.max(initial=0)) + 1), np.inf)
    np.minimum.at(top, number, edges[:, 1])
    np.minimum.at(bottom, number, -edges[:, 3])
    return float((-bottom - top).max())


def element_model(options: VisualOptions, trees: Trees | None = None) -> Trees:
    """The model of divisions: the shipped one, or the given trees."""
    return trees or load_shipped(__name__, ELEMENT_MODELS[options.learned_size])


def cut_scene(scene: Scene, options: VisualOptions, trees: Trees | None = None) -> Cuts:
    """Cut a page by its gaps; columns of a block are apart."""
    cuts = cut_page(scene, options, trees)
    return cuts if options.min_column_px is None else _refine(scene, cuts, options)


def _refine(scene: Scene, cuts: Cuts, options: VisualOptions) -> Cuts:
    """Part the columns of each segment; for a whole page, join what is no column or band."""
    number = join_bands(scene, cuts.number) if options.granularity == "page" else cuts.number
    number = split_columns(scene, number, options.min_column_px or 0.0)
    uncut = np.zeros(int(number.max(initial=-1)) + 1)
    np.maximum.at(uncut, number, cuts.uncut[cuts.number])
    return Cuts(number, uncut, cuts.threshold)


def cut_page(scene: Scene, options: VisualOptions, trees: Trees | None = None) -> Cuts:
    """Cut a page by a threshold, or into a number of segments."""
    size, model = options.learned_size, cut_model(options, trees)
    if options.segments:
        return cut_into_count(scene, model, options.segments)
    threshold = CUT_THRESHOLD if options.threshold is None else options.threshold
    return cut_by_threshold(scene, model, threshold, MIN_SEGMENTS[size])


def cut_model(options: VisualOptions, trees: Trees | None = None) -> "CutModel":
    """The model for segments of a size: the shipped one, or the given trees."""
    size = options.learned_size
    return CutModel(trees or load_shipped(__name__, MODELS[size]))


@dataclass(frozen=True, slots=True, eq=False)
class CutModel:
    """Estimates the probability of cuts."""

    trees: Trees

    def __call__(self, scene: Scene, strips: Strips) -> Floats:
        """Probability of a cut at each gap between strips."""
        if not len(strips.gaps):
            return np.zeros(0)
        features = gap_features(scene, strips)
        return np.asarray(1 / (1 + np.exp(-self.trees.predict(features.rows))))

    def explain_likeliest(self, scene: Scene, boxes: Ints) -> dict[str, tuple[float, float]]:
        """The features of the likeliest cut through some boxes: the value and effect of each."""
        strips = find_both_strips(scene.edges, boxes, np.zeros(len(boxes), np.intp))
        if not len(strips.gaps):
            return {}
        rows = gap_features(scene, strips).rows
        row = rows[int(self.trees.predict(rows).argmax())]
        values = dict(zip(self.trees.names, row.tolist(), strict=True))
        return {name: (values[name], effect) for name, effect in self.trees.explain(row).items()}


def cut_by_threshold(scene: Scene, model: CutModel, threshold: float, least: int = 2) -> Cuts:
    """Cut a page, and its parts, wherever that is likely enough.

    As long as there are fewer segments than the least number, the likeliest cut that is left is
    made, unless that is very unlikely.
    """
    everything = np.arange(len(scene)), np.zeros(len(scene), np.intp)
    number, uncut, origin = _cut_groups(scene, model, threshold, everything)
    while len(uncut) and uncut.max() > MIN_FORCED_CUT:
        if _count_segments(scene, origin, least) >= least:
            break
        segment = int(uncut.argmax())
        members = np.flatnonzero(number == segment)
        inner, more, below = _cut_groups(scene, model, threshold, origin[segment].likeliest_parts())
        part = inner[members]
        number[members] = np.where(part == 0, segment, len(uncut) - 1 + part)
        uncut = np.concatenate((uncut, more[1:]))
        uncut[segment], origin[segment] = more[0], below[0]
        origin += below[1:]
    return Cuts(number, uncut, threshold)


def _count_segments(scene: Scene, groups: list["_WholeGroup"], least: int) -> int:
    """The number of segments without margins; with many it is not looked at closely."""
    if len(groups) > 2 * least:
        return len(groups)
    edges = np.array([group.edges for group in groups])
    drawn = np.append(scene.edges[:, :2].min(axis=0), scene.edges[:, 2:].max(axis=0))
    return int((~is_margin(edges, drawn)).sum())


def _cut_groups(
    scene: Scene, model: CutModel, threshold: float, groups: tuple[Ints, Ints]
) -> tuple[Ints, Floats, list["_WholeGroup"]]:
    """Cut groups of boxes, all at once, each in the direction of its likeliest cut.

    Returns the number of the segment of each box, 0 for boxes in no group, and for each segment
    the likeliest cut that is left and the group it was.
    """
    number, uncut = np.zeros(len(scene), np.intp), [np.zeros(0)]
    origin: list[_WholeGroup] = []
    boxes, group = groups
    for depth in range(MAX_CUT_DEPTH + 1):
        level = _Level.of(scene, model, boxes, group)
        cutting = (level.likeliest > threshold) & (depth < MAX_CUT_DEPTH)
        whole = np.cumsum(~cutting) - 1 + len(origin)
        ends = ~cutting[group]
        number[boxes[ends]] = whole[group[ends]]
        uncut.append(level.likeliest[~cutting])
        origin += [_WholeGroup(level, each) for each in np.flatnonzero(~cutting).tolist()]
        boxes, group = level.parts(threshold, cutting)
        if not len(boxes):
            break
    return number, np.maximum(np.concatenate(uncut), 0), origin


@dataclass(frozen=True, slots=True, eq=False)
class _Level:
    """Groups of boxes in strips of both directions, and the probability of each cut."""

    strips: Strips  #: the groups from top to bottom, then the same groups from left to right
    likely: Floats  #: probability of a cut at each gap
    best: Floats  #: likeliest cut per direction and group; below 0 for none

    @classmethod
    def of(cls, scene: Scene, model: CutModel, boxes: Ints, group: Ints) -> "_Level":
        """Find all gaps of some groups."""
        strips = find_both_strips(scene.edges, boxes, group)
        likely = raise_at_bars(scene.surfaces, strips, model(scene, strips))
        best = np.full(len(strips.heads), -1.0)
        np.maximum.at(best, strips.group[strips.gaps], likely)
        return cls(strips, likely, best.reshape(2, -1))

    @property
    def likeliest(self) -> Floats:
        """The likeliest cut of each group."""
        return np.asarray(self.best.max(axis=0))

    def parts(self, limit: float, cutting: Mask) -> tuple[Ints, Ints]:
        """The boxes of the groups that are cut, each with the number of its part."""
        down = self.best[0] >= self.best[1]
        chosen = np.concatenate((cutting & down, cutting & ~down))
        inside = chosen[self.strips.group][self.strips.strip]
        part = self.strips.parts(self.likely > limit)[inside]
        numbered = np.cumsum(np.append(0, part[1:] != part[:-1]))[: len(part)]
        return self.strips.boxes[inside], numbered


@dataclass(frozen=True, slots=True, eq=False)
class _WholeGroup:
    """A group of boxes that was not cut."""

    level: _Level
    group: int

    @property
    def edges(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom of the group."""
        strips, heads = self.level.strips, self.level.strips.heads
        own = slice(heads[self.group], np.append(heads, len(strips))[self.group + 1])
        across = strips.low[own].min(), strips.high[own].max()
        return across[0], strips.begin[own][0], across[1], strips.end[own][-1]

    def likeliest_parts(self) -> tuple[Ints, Ints]:
        """The boxes of the group, each with the number of its part after the likeliest cut."""
        likeliest = self.level.likeliest
        only = np.arange(len(likeliest)) == self.group
        return self.level.parts(float(np.nextafter(likeliest[self.group], 0)), only)


def cut_into_count(scene: Scene, model: CutModel, wanted: int) -> Cuts:
    """Cut a page into about the wanted number of segments, by bisecting the threshold."""
    low, high = 0.0, 1.0
    best = cut_by_threshold(scene, model, high)
    for _ in range(COUNT_STEPS):
        middle = (low + high) / 2
        cuts = cut_by_threshold(scene, model, middle)
        if abs(len(cuts.uncut) - wanted) < abs(len(best.uncut) - wanted):
            best = cuts
        if len(cuts.uncut) == wanted:
            break
        low, high = (middle, high) if len(cuts.uncut) > wanted else (low, middle)
    return best
