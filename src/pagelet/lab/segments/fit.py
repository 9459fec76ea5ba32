"""Fitting the model of where people cut a page: gaps as examples."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pagelet.arrays import Floats, Ints, Mask
from pagelet.lab.learners import boost, lightgbm, trees_of
from pagelet.lab.segments.gold import SUB, TOP, DrawnExample
from pagelet.methods.segments.geometry.rectangles import ACROSS, DOWN
from pagelet.methods.segments.visual.elements import find_items
from pagelet.methods.segments.visual.gaps import FEATURE_NAMES, gap_features
from pagelet.methods.segments.visual.scene import (
    Scene,
    Strips,
    bounding_area,
    find_strips,
    read_scene,
)
from pagelet.models.trees import Trees
from pagelet.page.layout import Boxes

LEVELS = {"blocks": TOP, "paragraphs": SUB}  #: level of labelled blocks by granularity
MAX_CUT_DEPTH = 8  #: cuts inside cuts that are learned from
MIN_GROUP_SHARE = {"blocks": 0.5, "paragraphs": 0.0}  #: share of the page that a group must cover
MAX_STRADDLING_SHARE = 0.08  #: share of the smaller side in blocks that lie on both sides
MIN_ELEMENT_SHARE = {"blocks": 0.3, "paragraphs": 0.0}  #: the same of an element
WEIGHED_BY_PAGE = ("blocks",)  #: granularities in which the gaps of long pages count for less
EXTRA_BOX_CHARS = 3  #: characters that a box counts for beside its own


@dataclass(frozen=True, slots=True, eq=False)
class Gaps:
    """The gaps of one page."""

    measures: Floats  #: one line per gap
    cut: Mask  #: whether people's blocks are separated there


NO_GAPS = Gaps(np.zeros((0, 0)), np.zeros(0, np.bool_))


def gaps_of(
    scene: Scene, boxes: Boxes, block: Ints, min_share: float, groups: Sequence[Ints] = ()
) -> Gaps:
    """All gaps of the groups that arise when a page is cut as people did, and of more groups."""
    weight = boxes.chars.astype(np.intp) + EXTRA_BOX_CHARS
    gaps = list(_group_gaps(scene, block, weight, min_share)) if len(scene) else []
    gaps += [gap for group in groups for gap in _gaps_in(scene, group, block, weight)]
    if not gaps:
        return Gaps(np.zeros((0, 0)), np.zeros(0, np.bool_))
    measures, cut = zip(*gaps, strict=True)
    return Gaps(np.concatenate(measures), np.concatenate(cut))


def _group_gaps(
    scene: Scene, block: Ints, weight: Ints, min_share: float
) -> Iterator[tuple[Floats, Mask]]:
    min_area = min_share * bounding_area(scene.edges)
    waiting = [(np.arange(len(scene)), 0)]
    while waiting:
        group, depth = waiting.pop()
        small = len(group) < 2 or bounding_area(scene.edges[group]) < min_area
        if small or depth > MAX_CUT_DEPTH:
            continue
        parts: list[Ints] = []
        for axis in (DOWN, ACROSS):
            strips = find_strips(scene.edges, group, np.zeros(len(group), np.intp), axis)
            if len(strips) < 2:
                continue
            labelled, cut = label_gaps(strips, block, weight)
            yield gap_features(scene, strips).rows[labelled], cut[labelled]
            if not parts and cut.any():
                number = strips.parts(cut)
                parts = [strips.boxes[number == part] for part in range(int(number[-1]) + 1)]
        waiting += [(part, depth + 1) for part in parts]


def _gaps_in(scene: Scene, group: Ints, block: Ints, weight: Ints) -> Iterator[tuple[Floats, Mask]]:
    """The gaps of one group in both directions."""
    for axis in (DOWN, ACROSS):
        strips = find_strips(scene.edges, group, np.zeros(len(group), np.intp), axis)
        if len(strips) > 1:
            labelled, cut = label_gaps(strips, block, weight)
            yield gap_features(scene, strips).rows[labelled], cut[labelled]


def element_groups(example: DrawnExample, block: Ints, granularity: str) -> list[Ints]:
    """The boxes of elements with several parts: more groups to learn from.

    For paragraphs, those with parts of several blocks; for blocks, all that are large enough.
    """
    items = find_items(example.page, example.layout, example.boxes)
    order = np.argsort(example.boxes.row, kind="stable")
    area = np.prod(items.edges[:, 2:] - items.edges[:, :2], axis=1)
    smallest = MIN_ELEMENT_SHARE[granularity] * bounding_area(example.boxes.edges)
    large = np.flatnonzero((items.parts > 1) & (area >= smallest)).tolist()
    groups = [order[items.first[at] : items.last[at]] for at in large]
    least = 2 if granularity == "paragraphs" else 1
    return [group for group in groups if len(np.unique(block[group][block[group] >= 0])) >= least]


def label_gaps(strips: Strips, block: Ints, weight: Ints) -> tuple[Mask, Mask]:
    """Mark the gaps of one group with blocks on both sides, and those that separate blocks.

    Hardly any block may lie on both sides. Boxes in no block do not count.
    """
    names, number = np.unique(block[strips.boxes], return_inverse=True)
    count = np.where(block[strips.boxes] >= 0, weight[strips.boxes], 0)
    table = np.zeros((len(strips), len(names)))
    np.add.at(table, (strips.strip, number.ravel()), count)
    before = np.cumsum(table, axis=0)[:-1]
    behind = table.sum(axis=0) - before
    both = np.minimum(before, behind).sum(axis=1)
    smaller = np.minimum(before.sum(axis=1), behind.sum(axis=1))
    labelled = smaller > 0
    return labelled, labelled & (both <= MAX_STRADDLING_SHARE * smaller)


def labelled_gaps(examples: Sequence[DrawnExample], granularity: str) -> list[Gaps]:
    """The gaps of each page, labelled by the blocks of the granularity's level."""
    level, min_share = LEVELS[granularity], MIN_GROUP_SHARE[granularity]
    gaps = []
    for each in examples:
        if not len(each.boxes):
            gaps.append(NO_GAPS)
            continue
        scene, block = read_scene(each.page, each.layout, each.boxes), each.gold[level]
        more = element_groups(each, block, granularity)
        gaps.append(gaps_of(scene, each.boxes, block, min_share, more))
    return gaps


# -- fitting ----------------------------------------------------------------------------------


SEED = 7
MODELS = 3  #: fits with different seeds whose answers are averaged
ROUNDS = {"blocks": 200, "paragraphs": 300}
TREE_SHAPES = {
    "blocks": {"num_leaves": 4, "max_depth": 2},
    "paragraphs": {"num_leaves": 8, "max_depth": 3},
}  #: small trees, since there are few pages
PARAMETERS: Mapping[str, Any] = {
    "objective": "binary",
    "learning_rate": 0.05,
    "min_data_in_leaf": 20,
    "feature_fraction": 0.4,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "verbose": -1,
    "num_threads": 1,
    "deterministic": True,
}


def fit_cuts(pages: Sequence[Gaps], granularity: str, seed: int = SEED) -> Trees:
    """Fit a model on all gaps of some pages."""
    some = [page for page in pages if len(page.cut)]
    measures = np.concatenate([page.measures for page in some])
    cut = np.concatenate([page.cut for page in some]).astype(np.float64)
    parameters, rounds = {**PARAMETERS, **TREE_SHAPES[granularity]}, ROUNDS[granularity]
    trees: list[dict[str, Any]] = []
    counts = [np.full(len(page.cut), len(page.cut) ** -0.5) for page in some]
    weight = np.concatenate(counts) if granularity in WEIGHED_BY_PAGE else None
    for model in range(MODELS):
        data = lightgbm().Dataset(measures, cut, weight=weight)
        trees += boost({**parameters, "seed": seed + model}, data, rounds)
    return trees_of(trees, FEATURE_NAMES, MODELS)
