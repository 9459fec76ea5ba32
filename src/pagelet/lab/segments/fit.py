"""Fitting the model that says where people cut a page, and scoring it on pages it has not seen."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pagelet.arrays import Floats, Ints, Mask
from pagelet.lab.cards import licence_of
from pagelet.lab.learners import lightgbm, trees_of
from pagelet.lab.segments.examples import Example
from pagelet.lab.segments.gold import SUB, TOP
from pagelet.methods.segments.geometry.rectangles import ACROSS, DOWN
from pagelet.methods.segments.visual.gaps import FEATURE_NAMES, gap_features
from pagelet.methods.segments.visual.scene import (
    Scene,
    Strips,
    bounding_area,
    find_strips,
    read_scene,
)
from pagelet.models.trees import Trees
from pagelet.page.boxes import Boxes

#: The level of people's blocks that each granularity is fitted to.
LEVELS = {"blocks": TOP, "paragraphs": SUB}
DEEPEST = 8  #: cuts inside cuts that are learned from
LARGE = {"blocks": 0.7, "paragraphs": 0.0}  #: groups are learned from that cover so much
STRADDLING = 0.08  #: share of the smaller side that may belong to blocks on both sides
PICTURE = 3  #: characters that a box counts for beside those it has


@dataclass(frozen=True, slots=True, eq=False)
class Gaps:
    """The gaps of one page."""

    measures: Floats  #: one line a gap
    cut: Mask  #: whether people's blocks part there


def gaps_of(scene: Scene, boxes: Boxes, block: Ints, large: float) -> Gaps:
    """All gaps of the groups that one comes by when a page is cut as people did."""
    weight = boxes.chars.astype(np.intp) + PICTURE
    found = list(_gaps(scene, block, weight, large)) if len(scene) else []
    if not found:
        return Gaps(np.zeros((0, 0)), np.zeros(0, np.bool_))
    measures, cut = zip(*found, strict=True)
    return Gaps(np.concatenate(measures), np.concatenate(cut))


def _gaps(scene: Scene, block: Ints, weight: Ints, large: float) -> Iterator[tuple[Floats, Mask]]:
    room = bounding_area(scene.edges)
    waiting = [(np.arange(len(scene)), 0)]
    while waiting:
        group, depth = waiting.pop()
        if len(group) < 2 or depth > DEEPEST or bounding_area(scene.edges[group]) < large * room:
            continue
        parts: list[Ints] = []
        for axis in (DOWN, ACROSS):
            strips = find_strips(scene.edges, group, np.zeros(len(group), np.intp), axis)
            if len(strips) < 2:
                continue
            told, good = parted(strips, block, weight)
            measures = np.column_stack(list(gap_features(scene, strips).values()))
            yield measures[told], good[told]
            if not parts and good.any():
                number = strips.parts(good)
                parts = [strips.boxes[number == part] for part in range(int(number[-1]) + 1)]
        waiting += [(part, depth + 1) for part in parts]


def parted(strips: Strips, block: Ints, weight: Ints) -> tuple[Mask, Mask]:
    """Mark the gaps of one group with blocks on both sides, and those that part blocks.

    Hardly any block may lie on both sides. What lies in no block is not counted.
    """
    names, number = np.unique(block[strips.boxes], return_inverse=True)
    count = np.where(block[strips.boxes] >= 0, weight[strips.boxes], 0)
    table = np.zeros((len(strips), len(names)))
    np.add.at(table, (strips.strip, number.ravel()), count)
    before = np.cumsum(table, axis=0)[:-1]
    behind = table.sum(axis=0) - before
    both = np.minimum(before, behind).sum(axis=1)
    smaller = np.minimum(before.sum(axis=1), behind.sum(axis=1))
    told = smaller > 0
    return told, told & (both <= STRADDLING * smaller)


def learned_gaps(examples: Sequence[Example], size: str) -> list[Gaps]:
    """The gaps of each page, as people's blocks of the level for a granularity part them."""
    found = []
    for of in examples:
        scene = read_scene(of.page, of.layout, of.boxes)
        found.append(gaps_of(scene, of.boxes, of.gold[LEVELS[size]], LARGE[size]))
    return found


# -- fitting ----------------------------------------------------------------------------------


SEED = 7
MODELS = 5  #: models whose answers are averaged
FOLDS = 5
ROUNDS = {"blocks": 200, "paragraphs": 300}
SHAPES = {
    "blocks": {"num_leaves": 4, "max_depth": 2},
    "paragraphs": {"num_leaves": 8, "max_depth": 3},
}  #: small trees: there are few pages
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
    """A model of all gaps of some pages."""
    library = lightgbm()
    some = [page for page in pages if len(page.cut)]
    measures = np.concatenate([page.measures for page in some])
    cut = np.concatenate([page.cut for page in some]).astype(np.float64)
    shape, rounds = SHAPES[granularity], ROUNDS[granularity]
    dumped: list[dict[str, Any]] = []
    for model in range(MODELS):
        parameters = {**PARAMETERS, **shape, "seed": seed + model}
        fitted = library.train(parameters, library.Dataset(measures, cut), rounds)
        dumped += fitted.dump_model()["tree_info"]
    return trees_of(dumped, FEATURE_NAMES, MODELS)


def fold_of(sites: Sequence[str], seed: int = SEED) -> dict[str, int]:
    """The fold of each site, by chance."""
    names = sorted(set(sites))
    order = np.random.default_rng(seed).permutation(len(names))
    return {names[at]: place % FOLDS for place, at in enumerate(order.tolist())}


def unseen(
    pages: Sequence[Gaps], sites: Sequence[str], granularity: str, seed: int = SEED
) -> list[Trees]:
    """For each page a model that saw no page of its site."""
    fold = fold_of(sites, seed)
    models = {}
    for held in sorted(set(fold.values())):
        seen = [page for page, site in zip(pages, sites, strict=True) if fold[site] != held]
        models[held] = fit_cuts(seen, granularity, seed)
    return [models[fold[site]] for site in sites]


# -- The models that come with pagelet for segments, and the card that says what they are made of


def ship_cuts(
    pages: Sequence[Gaps], target: Path, granularity: str, *, corpus: str, seed: int
) -> None:
    """Fit on all pages; write the model and, beside it, its card."""
    fit_cuts(pages, granularity, seed).save(target)
    card = {
        "what": "says how likely people part a drawn page at a gap between its boxes",
        "made by": f"pagelet train segments DIR --granularity {granularity} --seed {seed}",
        "data": {
            corpus: {
                "pages": sum(len(page.cut) > 0 for page in pages),
                "gaps": sum(len(page.cut) for page in pages),
                "cut": int(sum(page.cut.sum() for page in pages)),
                "labels": f"people's, data-block = {LEVELS[granularity]}",
                "licence": licence_of(corpus),
            }
        },
        "learner": {
            "models": MODELS,
            "rounds": ROUNDS[granularity],
            **PARAMETERS,
            **SHAPES[granularity],
            "seed": seed,
        },
        "features": list(FEATURE_NAMES),
    }
    target.with_suffix(".json").write_text(json.dumps(card, indent=2) + "\n")
