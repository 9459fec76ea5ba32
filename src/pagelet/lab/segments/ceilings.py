"""What elements, or straight cuts, could reach at most: both are chosen by the labels themselves.

The gap between these rows and 1 is what no model of elements or cuts can learn; the gap between a
learned row and these is what it does not know yet.
"""

from dataclasses import dataclass

import numpy as np

from pagelet.arrays import Floats, Ints, Mask
from pagelet.lab.segments.fit import EXTRA_BOX_CHARS, LEVELS, label_gaps
from pagelet.lab.segments.gold import TOP, DrawnExample
from pagelet.methods.segments.geometry.partition import Segments, segments_of
from pagelet.methods.segments.geometry.rectangles import ACROSS, DOWN
from pagelet.methods.segments.visual import MIN_LONG_COLUMN_PX
from pagelet.methods.segments.visual.columns import join_bands, split_columns
from pagelet.methods.segments.visual.division import group_items
from pagelet.methods.segments.visual.elements import Items, find_items
from pagelet.methods.segments.visual.scene import Strips, find_strips, read_scene

MIN_CHARS = 0.05  #: characters that a box without text counts for
MAX_CUT_DEPTH = 12  #: nested cuts


def best_elements(example: DrawnExample, granularity: str) -> Segments:
    """The elements that overlap most with the labelled blocks, none inside another."""
    return segments_of(example.boxes, _best_elements(example, granularity))


def best_elements_in_columns(example: DrawnExample, granularity: str) -> Segments:
    """The same, with long columns apart whatever people marked, as the method has them."""
    number = _best_elements(example, granularity)
    scene = read_scene(example.page, example.layout, example.boxes)
    return segments_of(example.boxes, split_columns(scene, number, MIN_LONG_COLUMN_PX))


def _best_elements(example: DrawnExample, granularity: str) -> Ints:
    number = np.zeros(len(example.boxes), np.intp)
    block = example.gold[LEVELS[granularity]]
    if not len(number) or not (block >= 0).any():
        return number
    items = find_items(example.page, example.layout, example.boxes)
    order = np.argsort(example.boxes.row, kind="stable")
    divided = _is_better_divided(items, block[order])
    number[order] = group_items(items, divided.astype(np.float64), 0.5)[0]
    return number


def _is_better_divided(items: Items, block: Ints) -> Mask:
    """Mark the items whose parts, divided as well as can be, overlap more with the blocks."""
    whole = _overlap(items, block)
    best, parts = whole.tolist(), [0.0] * len(items)
    divided = np.zeros(len(items), np.bool_)
    for item, above in reversed(list(enumerate(items.parent.tolist()))):
        if items.parts[item] > 1 and parts[item] > best[item]:
            best[item], divided[item] = parts[item], True
        if above >= 0:
            parts[above] += best[item]
    return divided


def _overlap(items: Items, block: Ints) -> Floats:
    """Boxes and characters of each item, each times the Dice coefficient of item and block."""
    values = np.zeros(len(items))
    chars = np.maximum(items.boxes.chars, MIN_CHARS)
    for weight in (np.ones(len(block)), chars):
        shared = np.stack([items.sum(weight * (block == at)) for at in range(block.max() + 1)])
        total = np.maximum(shared.sum(axis=0), MIN_CHARS)
        dice = 2 * shared / (total + shared[:, :1])
        values += (shared * dice).sum(axis=0) / total[0]
    return values


@dataclass(frozen=True, slots=True, eq=False)
class _CutGroup:
    """Boxes that are still to be cut, and how often they were."""

    boxes: Ints
    depth: int = 0


def best_cuts(example: DrawnExample, granularity: str) -> Segments:
    """The page cut wherever a straight line parts the labelled blocks."""
    number, block = np.zeros(len(example.boxes), np.intp), example.gold[LEVELS[granularity]]
    weight = example.boxes.chars.astype(np.intp) + EXTRA_BOX_CHARS
    waiting, count = [_CutGroup(np.arange(len(number)))], 0
    while waiting:
        group = waiting.pop()
        parts = _cut_once(example.boxes.edges, group, block, weight)
        waiting += parts
        if not parts:
            number[group.boxes] = count
            count += 1
    return segments_of(example.boxes, number)


def _cut_once(edges: Floats, group: _CutGroup, block: Ints, weight: Ints) -> list[_CutGroup]:
    """The parts of a group that is cut in one direction; none where it cannot be cut."""
    if group.depth >= MAX_CUT_DEPTH:
        return []
    for axis in (DOWN, ACROSS):
        together = np.zeros(len(group.boxes), np.intp)
        strips = find_strips(edges, group.boxes, together, axis)
        if not len(strips.gaps):
            continue
        cut = label_gaps(strips, block, weight)[1]
        if cut.any():
            return _parts(strips, cut, group.depth + 1)
    return []


def _parts(strips: Strips, cut: Mask, depth: int) -> list[_CutGroup]:
    number = strips.parts(cut)
    ends = np.flatnonzero(number[1:] != number[:-1]) + 1
    return [_CutGroup(boxes, depth) for boxes in np.split(strips.boxes, ends)]


# -- how far people agree on columns -----------------------------------------------------------


def has_joined_columns(example: DrawnExample) -> bool:
    """Whether a block of people holds columns that white or a background parts."""
    scene = read_scene(example.page, example.layout, example.boxes)
    block = example.gold[TOP]
    return int(split_columns(scene, block).max(initial=-1)) > int(block.max(initial=-1))


def has_parted_columns(example: DrawnExample) -> bool:
    """Whether people marked such columns as blocks, each of them another."""
    scene = read_scene(example.page, example.layout, example.boxes)
    block = example.gold[TOP]
    bands = join_bands(scene, block)
    columns = split_columns(scene, bands)
    for band in np.unique(bands).tolist():
        within = np.unique(columns[(bands == band) & (block >= 0)])
        main = [_main_block(block[columns == column]) for column in within.tolist()]
        if len(main) > 1 and len(set(main)) == len(main):
            return True
    return False


def _main_block(block: Ints) -> int:
    """The block of most boxes."""
    return int(np.bincount(block[block >= 0]).argmax())
