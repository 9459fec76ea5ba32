"""Fitting the model of which elements people divide: items as examples."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pagelet.arrays import Floats, Ints, Mask
from pagelet.lab.learners import boost, lightgbm, trees_of
from pagelet.lab.segments.fit import LEVELS, PARAMETERS, SEED
from pagelet.lab.segments.gold import DrawnExample
from pagelet.methods.segments.visual.elements import (
    EXTRA_BOX_CHARS,
    Items,
    find_items,
    item_features,
)
from pagelet.models.trees import Trees
from pagelet.page.html import parse
from pagelet.page.layout import Layout, boxes_of, empty_layout


def _feature_names() -> tuple[str, ...]:
    """The names of all features, read from those of a page with one line of text."""
    page = parse("<body>a")
    layout = Layout(**empty_layout(len(page), (1, 1)))
    boxes = boxes_of([(0, 0, 1, 1)], row=len(page) - 1)
    return item_features(find_items(page, layout, boxes)).names


FEATURE_NAMES = _feature_names()
MODELS = 5  #: fits with different seeds whose answers are averaged
ROUNDS = 150
TREE_SHAPE = {
    "num_leaves": 8,
    "max_depth": 3,
    "min_data_in_leaf": 40,
    "lambda_l2": 20.0,
}  #: small trees of large leaves, since there are few pages
OFF_PATH_WEIGHT = 0.3  #: weight of items inside a block of people, which no right division meets
MASS_POWER = 0.25  #: power of an item's share of the page in its weight


@dataclass(frozen=True, slots=True, eq=False)
class ItemExamples:
    """The items of one page that can be divided and hold a part of a block."""

    measures: Floats  #: one line per item
    divided: Mask  #: whether it holds parts of several blocks
    weight: Floats


def items_of(example: DrawnExample, level: str) -> ItemExamples:
    """The items of a page, labelled by the blocks of a level."""
    items = find_items(example.page, example.layout, example.boxes)
    if not len(items):
        return ItemExamples(np.zeros((0, len(FEATURE_NAMES))), np.zeros(0, np.bool_), np.zeros(0))
    order = np.argsort(example.boxes.row, kind="stable")
    block = example.gold[level][order]
    mass, mixed = _label(items, block)
    reached = _is_reached(items, mixed)
    chosen = np.flatnonzero((items.parts > 1) & (mass > 0))
    share = mass[chosen] / max(float(mass[0]), 1.0)
    weight = share**MASS_POWER * np.where(reached[chosen], 1.0, OFF_PATH_WEIGHT)
    return ItemExamples(item_features(items).rows[chosen], mixed[chosen], weight)


def _label(items: Items, block: Ints) -> tuple[Floats, Mask]:
    """The characters and boxes in blocks of each item, and whether it has parts of several."""
    weight = items.boxes.chars + float(EXTRA_BOX_CHARS)
    mass = items.sum(weight * (block >= 0))
    parts = [items.sum((block == number).astype(np.float64)) > 0 for number in _names(block)]
    several = np.sum(parts, axis=0) > 1 if parts else np.zeros(len(items), np.bool_)
    return mass, np.asarray(several)


def _names(block: Ints) -> Ints:
    return np.unique(block[block >= 0])


def _is_reached(items: Items, mixed: Mask) -> Mask:
    """Mark the items that are met when everything with several blocks is divided."""
    reached = np.ones(len(items), np.bool_)
    for depth in range(1, int(items.depth.max()) + 1):
        level = np.flatnonzero(items.depth == depth)
        above = items.parent[level]
        reached[level] = reached[above] & mixed[above]
    return reached


def labelled_items(examples: Sequence[DrawnExample], granularity: str) -> list[ItemExamples]:
    """The items of each page, labelled by the blocks of the granularity's level."""
    return [items_of(each, LEVELS[granularity]) for each in examples]


def fit_divisions(pages: Sequence[ItemExamples], seed: int = SEED, models: int = MODELS) -> Trees:
    """Fit a model on all items of some pages."""
    some = [page for page in pages if len(page.divided)]
    measures = np.concatenate([page.measures for page in some])
    divided = np.concatenate([page.divided for page in some]).astype(np.float64)
    weight = np.concatenate([page.weight for page in some])
    trees: list[dict[str, Any]] = []
    for model in range(models):
        data = lightgbm().Dataset(measures, divided, weight=weight / weight.mean())
        trees += boost({**PARAMETERS, **TREE_SHAPE, "seed": seed + model}, data, ROUNDS)
    return trees_of(trees, FEATURE_NAMES, models)
