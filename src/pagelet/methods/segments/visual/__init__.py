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
from pagelet.methods.segments.geometry.rectangles import ACROSS, DOWN
from pagelet.methods.segments.visual.columns import join_bands, split_columns
from pagelet.methods.segments.visual.cuts import Cuts
from pagelet.methods.segments.visual.division import divide_page
from pagelet.methods.segments.visual.gaps import gap_features
from pagelet.methods.segments.visual.rules import group_fields
from pagelet.methods.segments.visual.scene import Scene, Strips, find_strips, read_scene
from pagelet.models.trees import Trees, load_shipped
from pagelet.page.layout import Boxes, Layout
from pagelet.page.table import Page

MODELS = {"blocks": "segments", "paragraphs": "segments_inner"}
ELEMENT_MODELS = {"blocks": "segments_dom", "paragraphs": "segments_dom_inner"}
MAX_CUT_DEPTH = 12  #: nested cuts
MIN_ONLY_CUT = 0.1  #: least probability of the only cut of a page
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
    def learned_size(self) -> str:
        """The granularity whose model is asked."""
        return "blocks" if self.granularity == "page" else self.granularity

    @property
    def splits_columns(self) -> bool:
        """Whether columns are segments of their own, whatever the model says.

        The model of elements knows columns; where it joins them, people do.
        """
        seen_alone = self.granularity == "blocks" and not self.with_dom
        return (self.granularity == "page" or seen_alone) and not self.segments


#: Least probability of a cut, tuned on held-out pages.
THRESHOLDS = {"blocks": 0.46, "paragraphs": 0.46}
#: Probability that a cut into columns needs in addition, tuned likewise.
COLUMN_MARGINS = {"blocks": 0.0, "paragraphs": 0.0}


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
    cuts = divide_page(
        page, layout, boxes, model, threshold=options.threshold, wanted=options.segments
    )
    return (
        _refine(read_scene(page, layout, boxes), cuts, options) if options.splits_columns else cuts
    )


def element_model(options: VisualOptions, trees: Trees | None = None) -> Trees:
    """The model of divisions: the shipped one, or the given trees."""
    return trees or load_shipped(__name__, ELEMENT_MODELS[options.learned_size])


def cut_scene(scene: Scene, options: VisualOptions, trees: Trees | None = None) -> Cuts:
    """Cut a page by its gaps; columns of a block are apart."""
    cuts = cut_page(scene, options, trees)
    return _refine(scene, cuts, options) if options.splits_columns else cuts


def _refine(scene: Scene, cuts: Cuts, options: VisualOptions) -> Cuts:
    """Part the columns of each segment; for a whole page, join what is no column or band."""
    number = join_bands(scene, cuts.number) if options.granularity == "page" else cuts.number
    number = split_columns(scene, number)
    uncut = np.zeros(int(number.max(initial=-1)) + 1)
    np.maximum.at(uncut, number, cuts.uncut[cuts.number])
    return Cuts(number, uncut, cuts.threshold)


def cut_page(scene: Scene, options: VisualOptions, trees: Trees | None = None) -> Cuts:
    """Cut a page by a threshold, or into a number of segments."""
    size, model = options.learned_size, cut_model(options, trees)
    if options.segments:
        return cut_into_count(scene, model, options.segments)
    threshold = options.threshold
    return cut_by_threshold(scene, model, THRESHOLDS[size] if threshold is None else threshold)


def cut_model(options: VisualOptions, trees: Trees | None = None) -> "CutModel":
    """The model for segments of a size: the shipped one, or the given trees."""
    size = options.learned_size
    return CutModel(trees or load_shipped(__name__, MODELS[size]), COLUMN_MARGINS[size])


@dataclass(frozen=True, slots=True, eq=False)
class CutModel:
    """Estimates the probability of cuts."""

    trees: Trees
    column_margin: float = 0.0  #: probability that a cut into columns needs in addition

    def __call__(self, scene: Scene, strips: Strips) -> Floats:
        """Probability of a cut at each gap between strips, less the margin of its direction."""
        features = gap_features(scene, strips)
        likely = 1 / (1 + np.exp(-self.trees.predict(features.rows)))
        return likely - (self.column_margin if strips.axis == ACROSS else 0)

    def explain_likeliest(self, scene: Scene, boxes: Ints) -> dict[str, tuple[float, float]]:
        """The features of the likeliest cut through some boxes: the value and effect of each."""
        group, best = np.zeros(len(boxes), np.intp), (-1.0, np.zeros(0))
        for axis in (DOWN, ACROSS):
            strips = find_strips(scene.edges, boxes, group, axis)
            likely = self(scene, strips)
            if len(likely) and likely.max() > best[0]:
                rows = gap_features(scene, strips).rows
                best = float(likely.max()), rows[int(likely.argmax())]
        if not len(best[1]):
            return {}
        values = dict(zip(self.trees.names, best[1].tolist(), strict=True))
        effects = self.trees.explain(best[1])
        return {name: (values[name], effect) for name, effect in effects.items()}


def cut_by_threshold(scene: Scene, model: CutModel, threshold: float) -> Cuts:
    """Cut a page, and its parts, wherever that is likely enough; all parts at once.

    A group is cut in the direction of its likeliest cut. A page that would stay whole is cut
    once, at its likeliest cut, unless that is very unlikely.
    """
    number, uncut = np.zeros(len(scene), np.intp), [np.zeros(0)]
    boxes, group = np.arange(len(scene)), np.zeros(len(scene), np.intp)
    done = 0
    for depth in range(MAX_CUT_DEPTH + 1):
        level = _Level.of(scene, model, boxes, group)
        limit = threshold if depth or not len(scene) else _first_threshold(level, threshold)
        cutting = (level.likeliest > limit) & (depth < MAX_CUT_DEPTH)
        whole = np.cumsum(~cutting) - 1 + done
        ends = ~cutting[group]
        number[boxes[ends]] = whole[group[ends]]
        uncut.append(level.likeliest[~cutting])
        done += int((~cutting).sum())
        boxes, group = level.parts(limit, cutting)
        if not len(boxes):
            break
    return Cuts(number, np.maximum(np.concatenate(uncut), 0), threshold)


def _first_threshold(level: "_Level", threshold: float) -> float:
    """The threshold at which a page is cut at least once, if that is likely enough."""
    likeliest = float(level.likeliest[0])
    return min(threshold, max(MIN_ONLY_CUT, float(np.nextafter(likeliest, 0))))


@dataclass(frozen=True, slots=True, eq=False)
class _Level:
    """Groups of boxes in strips of both directions, and the probability of each cut."""

    directions: tuple[tuple[Strips, Floats], ...]  #: strips and probabilities per direction
    best: Floats  #: likeliest cut per direction and group; below 0 for none

    @classmethod
    def of(cls, scene: Scene, model: CutModel, boxes: Ints, group: Ints) -> "_Level":
        """Find all gaps of some groups."""
        strips = [find_strips(scene.edges, boxes, group, axis) for axis in (DOWN, ACROSS)]
        directions = tuple((each, model(scene, each)) for each in strips)
        best = np.full((2, int(group.max(initial=-1)) + 1), -1.0)
        for direction, (each, likely) in enumerate(directions):
            np.maximum.at(best[direction], each.group[each.gaps], likely)
        return cls(directions, best)

    @property
    def likeliest(self) -> Floats:
        """The likeliest cut of each group."""
        return np.asarray(self.best.max(axis=0))

    def parts(self, limit: float, cutting: Mask) -> tuple[Ints, Ints]:
        """The boxes of the groups that are cut, each with the number of its part."""
        boxes, part, count = [], [], 0
        for direction, (strips, likely) in enumerate(self.directions):
            chosen = cutting & (self.best.argmax(axis=0) == direction)
            inside = chosen[strips.group[strips.strip]]
            numbers = strips.parts(likely > limit)[inside] + count
            boxes.append(strips.boxes[inside])
            part.append(numbers)
            count = int(numbers.max(initial=count - 1)) + 1
        numbered = np.unique(np.concatenate(part), return_inverse=True)[1].ravel()
        return np.concatenate(boxes), numbered


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
