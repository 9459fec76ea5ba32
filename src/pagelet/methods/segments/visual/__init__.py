"""Our own way to segment a page: cut it where people would, seen alone or with its elements.

The page is cut by straight lines into strips, and those again. A model says of each gap how
likely it is that people put what lies on both sides into different segments. It was fitted on
pages that people divided; segments.json says what it was made of.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from pagelet.arrays import Floats, Ints, Mask
from pagelet.methods.registry import option
from pagelet.methods.segments.geometry.partition import Segments, segments_of
from pagelet.methods.segments.visual.elements import divide_tree
from pagelet.methods.segments.visual.fields import fields_of
from pagelet.methods.segments.visual.gaps import gap_measures
from pagelet.methods.segments.visual.sight import ACROSS, DOWN, Sight, Strips, sight_of, strips_of
from pagelet.models.trees import Trees, shipped
from pagelet.page.boxes import Boxes
from pagelet.page.layout import Layout
from pagelet.page.table import Page

MODELS = {"blocks": "segments", "paragraphs": "segments_inner"}
DEEPEST = 12  #: cuts inside cuts
FIRST = 0.1  #: how sure the only cut of a page has to be
STEPS = 12  #: halvings in search of a wanted number of segments


@dataclass(frozen=True, slots=True, kw_only=True)
class VisualOptions:
    """Options of our own way to segment."""

    granularity: Literal["blocks", "paragraphs", "fields"] = option(
        "blocks", "how large segments are"
    )
    with_dom: bool = option(default=False, help="look at the elements too")
    threshold: float | None = None  #: how sure a cut has to be; None for what was found best
    segments: int = option(0, "how many segments are wanted; 0 when it is left open", 0)


#: How sure a cut has to be, and how much surer one into columns: the best on unseen pages.
THRESHOLDS = {"blocks": 0.46, "paragraphs": 0.46}
MORE_ACROSS = {"blocks": 0.15, "paragraphs": 0.0}


@dataclass(frozen=True, slots=True, eq=False)
class Cuts:
    """The segment of each box, and what the likeliest cut in each segment would have been."""

    number: Ints
    uncut: Floats  #: how likely the likeliest gap is that was left uncut; 0 when there is none
    threshold: float


def segment_visual(
    page: Page,
    layout: Layout,
    boxes: Boxes,
    options: VisualOptions = VisualOptions(),
    model: Trees | None = None,
) -> Segments:
    """Segments of a page; every box lies in one."""
    if not len(boxes):
        return segments_of(boxes, np.zeros(0, np.intp))
    if options.granularity == "fields":
        return segments_of(boxes, fields_of(page, layout, boxes, with_dom=options.with_dom))
    if options.with_dom:
        share, groups = divide_tree(page, layout, boxes, options.granularity, options.segments)
        return segments_of(boxes, groups, share)
    cuts = cut_page(sight_of(page, layout, boxes), options, model)
    return segments_of(boxes, cuts.number, cuts.threshold)


def cut_page(sight: Sight, options: VisualOptions, model: Trees | None = None) -> Cuts:
    """Cut what is seen of a page, by a threshold or into a number of segments."""
    size = options.granularity
    judge = Judge(model or shipped(__name__, MODELS[size]), MORE_ACROSS[size])
    if options.segments:
        return cut_into(sight, judge, options.segments)
    given = options.threshold
    return cut(sight, judge, THRESHOLDS[size] if given is None else given)


@dataclass(frozen=True, slots=True, eq=False)
class Judge:
    """Says of gaps how likely they are cut."""

    model: Trees
    more_across: float = 0.0  #: how much surer a cut into columns has to be

    def __call__(self, sight: Sight, strips: Strips) -> Floats:
        """How likely each gap between strips is cut, less what its direction asks for."""
        measures = np.column_stack(list(gap_measures(sight, strips).values()))
        likely = 1 / (1 + np.exp(-self.model.predict(measures)))
        return likely - (self.more_across if strips.axis == ACROSS else 0)


def cut(sight: Sight, judge: Judge, threshold: float) -> Cuts:
    """Cut a page, and its parts, wherever that is likely enough; all parts at once.

    Of the two directions the one with the likeliest cut is taken. A page that would stay whole
    is cut once, where that is likeliest, unless it is very unlikely even there.
    """
    number, uncut = np.zeros(len(sight), np.intp), [np.zeros(0)]
    boxes, group = np.arange(len(sight)), np.zeros(len(sight), np.intp)
    done = 0
    for depth in range(DEEPEST + 1):
        level = _Level.of(sight, judge, boxes, group)
        limit = threshold if depth or not len(sight) else _once(level, threshold)
        cutting = (level.likeliest > limit) & (depth < DEEPEST)
        whole = np.cumsum(~cutting) - 1 + done
        ends = ~cutting[group]
        number[boxes[ends]] = whole[group[ends]]
        uncut.append(level.likeliest[~cutting])
        done += int((~cutting).sum())
        boxes, group = level.parts(limit, cutting)
        if not len(boxes):
            break
    return Cuts(number, np.maximum(np.concatenate(uncut), 0), threshold)


def _once(level: "_Level", threshold: float) -> float:
    """The threshold at which a whole page is cut at least once, if it is not too unlikely."""
    likeliest = float(level.likeliest[0])
    return min(threshold, max(FIRST, float(np.nextafter(likeliest, 0))))


@dataclass(frozen=True, slots=True, eq=False)
class _Level:
    """Groups of boxes, cut in both directions, and how likely each cut is."""

    ways: tuple[tuple[Strips, Floats], ...]  #: of each direction the strips and the likelihoods
    best: Floats  #: of each direction and group the likeliest cut; below 0 without any

    @classmethod
    def of(cls, sight: Sight, judge: Judge, boxes: Ints, group: Ints) -> "_Level":
        """All gaps of some groups."""
        strips = [strips_of(sight.edges, boxes, group, axis) for axis in (DOWN, ACROSS)]
        ways = tuple((each, judge(sight, each)) for each in strips)
        best = np.full((2, int(group.max(initial=-1)) + 1), -1.0)
        for direction, (each, likely) in enumerate(ways):
            np.maximum.at(best[direction], each.group[each.gaps], likely)
        return cls(ways, best)

    @property
    def likeliest(self) -> Floats:
        """The likeliest cut of each group."""
        return np.asarray(self.best.max(axis=0))

    def parts(self, limit: float, cutting: Mask) -> tuple[Ints, Ints]:
        """The boxes of the groups that are cut, each with the number of its part."""
        boxes, part, count = [], [], 0
        for direction, (strips, likely) in enumerate(self.ways):
            chosen = cutting & (self.best.argmax(axis=0) == direction)
            mine = chosen[strips.group[strips.strip]]
            found = strips.parts(likely > limit)[mine] + count
            boxes.append(strips.boxes[mine])
            part.append(found)
            count = int(found.max(initial=count - 1)) + 1
        numbered = np.unique(np.concatenate(part), return_inverse=True)[1].ravel()
        return np.concatenate(boxes), numbered


def cut_into(sight: Sight, judge: Judge, wanted: int) -> Cuts:
    """Cut a page into a number of segments as near to the wanted one as halving finds."""
    low, high = 0.0, 1.0
    best = cut(sight, judge, high)
    for _ in range(STEPS):
        middle = (low + high) / 2
        found = cut(sight, judge, middle)
        if abs(len(found.uncut) - wanted) < abs(len(best.uncut) - wanted):
            best = found
        if len(found.uncut) == wanted:
            break
        low, high = (middle, high) if len(found.uncut) > wanted else (low, middle)
    return best
