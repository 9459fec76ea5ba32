"""Features of gaps: the places where a straight line can cut a group of boxes in two.

They compare the strip before a gap with the strip behind it, everything before with everything
behind, and the gap with the other gaps of its group, and look for what goes on across it. All are
sorts or prefix sums over all groups at once.
"""

import numpy as np

from pagelet.arrays import Floats, Ints
from pagelet.methods.segments.geometry.rectangles import ACROSS, DOWN
from pagelet.methods.segments.visual.crossing import gutter_features, surface_features
from pagelet.methods.segments.visual.places import GapPlaces
from pagelet.methods.segments.visual.scene import (
    SUM_COLUMNS,
    BoxSummary,
    Scene,
    Strips,
    bounding_area,
    find_strips,
    running_best,
    running_best_back,
    summarize,
)
from pagelet.models.features import Features, FeatureTable

EDGE_DISTANCE_PX = 3.0  #: pixels from a gap within which an edge counts as being at it
MAX_EDGES = 64  #: edges that are compared per gap, the first ones
COLUMN_GAP_PX = 15.0  #: pixels between boxes that stand in two columns, at least
ALIGNMENT_PX = 4.0  #: pixels within which edges are aligned
MAX_BACKGROUNDS = 32  #: backgrounds that are told apart in a group, the largest ones


def gap_features(scene: Scene, strips: Strips) -> FeatureTable:
    """The features of each gap."""
    gaps = GapPlaces.of(scene, strips)
    sums = np.add.reduceat(scene.sums[strips.boxes], strips.start, axis=0)
    sides = gaps.sides(sums)
    all_of, count = summarize(np.concatenate((sums, *sides))), len(gaps.at)
    behind = all_of.take(slice(len(all_of.boxes) - count, None))
    before = all_of.take(slice(len(strips), len(strips) + count))
    features = {
        **_places(gaps),
        **_shares(before, behind),
        **_strips(gaps, all_of.take(slice(len(strips)))),
        **_sides(gaps, before, behind),
        **_backgrounds(gaps),
        **_edges(gaps),
        **_lines(gaps),
        **_group(gaps, before, behind),
        **surface_features(gaps),
        **gutter_features(gaps),
    }
    return FeatureTable.of(features, count, np.float64)


def _places(gaps: GapPlaces) -> Features:
    """Width of a gap, and its place on the page."""
    strips, size = gaps.strips, np.maximum(gaps.scene.size, 1)[gaps.axis]
    end, begin = strips.end[gaps.at], strips.begin[gaps.at + 1]
    gap, length = begin - end, np.maximum(gaps.length, 1)
    middle, rank = _rank_in_group(gap, gaps.group)
    log = np.log1p(np.maximum((gap, end, size - begin), 0))
    return {
        "gap": log[0],
        "gap_to_median": np.minimum(gap / middle, 20),
        "gap_rank": rank,
        "gap_to_group": gap / length,
        "position": (end - strips.begin[gaps.first]) / length,
        "from_start": log[1],
        "to_end": log[2],
        "on_page": begin / size,
    }


def _rank_in_group(gap: Floats, group: Ints) -> tuple[Floats, Floats]:
    """The median gap of the group, at least 1, and the share of its gaps that are no wider."""
    order = np.lexsort((gap, group))
    start = np.searchsorted(group, group)
    count = np.searchsorted(group, group, side="right") - start
    ordered = np.maximum(gap[order], 1)
    middle = (ordered[start + (count - 1) // 2] + ordered[start + count // 2]) / 2
    ordered_gap, last = gap[order], np.ones(len(gap), np.bool_)
    last[:-1] = (ordered_gap[1:] != ordered_gap[:-1]) | (group[1:] != group[:-1])
    ends = np.flatnonzero(last)
    rank = np.empty(len(gap))
    rank[order] = ends[np.searchsorted(ends, np.arange(len(gap)))] + 1
    return middle, (rank - start) / np.maximum(count, 1)


def _shares(before: BoxSummary, behind: BoxSummary) -> Features:
    """Share of the group that lies before a gap."""
    return {
        "chars_before": before.chars / np.maximum(before.chars + behind.chars, 1),
        "area_before": before.area / np.maximum(before.area + behind.area, 1),
        "boxes_before": before.boxes / (before.boxes + behind.boxes),
    }


def _strips(gaps: GapPlaces, each: BoxSummary) -> Features:
    """The strip before a gap and the strip behind it."""
    strips, across = gaps.strips, np.maximum(gaps.across, 1)
    thick, wide = strips.end - strips.begin, strips.high - strips.low
    values = {
        "thickness": np.log1p(thick), "boxes": np.log1p(each.boxes), "font_size": each.font_size,
        "pictures": each.pictures, "line": each.line,
        "density": each.area / np.maximum(thick * wide, 1),
    }  # fmt: skip
    one, other = gaps.pair(np.column_stack((*values.values(), wide, thick, each.boxes,
                           each.font_weight, strips.low, strips.high, each.background,
                           each.colour)))  # fmt: skip
    features: Features = {}
    for at, name in enumerate(values):
        features[f"{name}_before"], features[f"{name}_behind"] = one[:, at], other[:, at]
    low, high, step = np.minimum(one, other), np.maximum(one, other), np.abs(one - other)
    return features | {
        "width_before": one[:, 6] / across,
        "width_behind": other[:, 6] / across,
        "font_size_step": one[:, 2] - other[:, 2],
        "font_weight_step": one[:, 9] - other[:, 9],
        "ground_step": step[:, 12:15].mean(axis=1),
        "colour_step": step[:, 15:18].mean(axis=1),
        "low_step": step[:, 10] / across,
        "high_step": step[:, 11] / across,
        "same_thickness": low[:, 7] / np.maximum(high[:, 7], 1),
        "same_boxes": low[:, 8] / high[:, 8],
    }


def _sides(gaps: GapPlaces, before: BoxSummary, behind: BoxSummary) -> Features:
    """Everything before a gap and everything behind it."""
    strips, across = gaps.strips, np.maximum(gaps.across, 1)
    ends = np.stack((strips.high, -strips.low))
    reach = (running_best(np.maximum, ends, strips.group)[:, gaps.at],
             running_best_back(np.maximum, ends, strips.group)[:, gaps.at + 1])  # fmt: skip
    thick = (strips.end[gaps.at] - strips.begin[gaps.first],
             strips.end[gaps.last] - strips.begin[gaps.at + 1])  # fmt: skip
    features: Features = {}
    for at, (side, each) in enumerate((("before", before), ("behind", behind))):
        room = np.maximum(thick[at] * reach[at].sum(axis=0), 1)
        features |= {
            f"all_thickness_{side}": np.log1p(np.maximum(thick[at], 0)),
            f"all_font_size_{side}": each.font_size,
            f"all_pictures_{side}": each.pictures,
            f"all_line_{side}": each.line,
            f"all_density_{side}": each.area / room,
        }
    high_step, low_step = np.abs(reach[0] - reach[1]) / across
    return features | {
        "all_ground_step": np.abs(before.background - behind.background).mean(axis=1),
        "all_colour_step": np.log1p(np.abs(before.colour - behind.colour).mean(axis=1)),
        "all_low_step": low_step,
        "all_high_step": high_step,
    }


def _backgrounds(gaps: GapPlaces) -> Features:
    """Whether the main background before a gap differs from the one behind it."""
    strips, scene = gaps.strips, gaps.scene
    area = scene.sums[strips.boxes, 6]
    count = int(scene.background.max(initial=0)) + 1
    code = strips.group[strips.strip] * count + scene.background[strips.boxes]
    codes, which = np.unique(code, return_inverse=True)
    total = np.bincount(which.ravel(), area)
    order = np.lexsort((-total, codes // count))
    place = np.empty(len(codes), np.intp)
    place[order] = np.arange(len(codes)) - np.searchsorted(codes // count, codes[order] // count)
    table = np.zeros((len(strips), MAX_BACKGROUNDS + 1))
    np.add.at(table, (strips.strip, np.minimum(place, MAX_BACKGROUNDS)[which.ravel()]), area)
    one, other = gaps.pair(table.argmax(axis=1))
    before, behind = (side.argmax(axis=1) for side in gaps.sides(table))
    return {
        "other_ground": (one != other).astype(np.float64),
        "all_other_ground": (before != behind).astype(np.float64),
    }


def _edges(gaps: GapPlaces) -> Features:
    """Share of the group's width that an edge of a background or border at a gap takes."""
    features = {name: np.zeros(len(gaps.at)) for name in ("edge_begins", "edge_ends")}
    for axis in (DOWN, ACROSS):
        own = np.flatnonzero(gaps.axis == axis)
        if not len(own):
            continue
        for side, name in enumerate(features):
            features[name][own] = _widest_edge(gaps, own, axis, side)
    across = np.maximum(gaps.across, 1)
    return {name: widest / across for name, widest in features.items()}


def _widest_edge(gaps: GapPlaces, own: Ints, axis: int, side: int) -> Floats:
    """The widest part of a group that an edge at each gap takes: side 0 begins there, 1 ends."""
    at, group = gaps.at[own], gaps.group[own]
    ends, begins = gaps.strips.end[at], gaps.strips.begin[at + 1]
    ordered = gaps.scene.ordered_surfaces[axis][side]
    places = ordered[:, side]
    start = np.searchsorted(places, np.minimum(ends, begins) - EDGE_DISTANCE_PX)
    stop = np.searchsorted(places, np.maximum(ends, begins) + EDGE_DISTANCE_PX, side="right")
    count = np.minimum(stop - start, MAX_EDGES)
    gap = np.repeat(np.arange(len(count)), count)
    surface = np.arange(len(gap)) + np.repeat(start - (np.cumsum(count) - count), count)
    low, high = gaps.low[group][gap], gaps.high[group][gap]
    widest = np.zeros(len(count))
    sides = ordered[surface]
    np.maximum.at(widest, gap, np.minimum(sides[:, 3], high) - np.maximum(sides[:, 2], low))
    return widest


def _lines(gaps: GapPlaces) -> Features:
    """Number of columns in both strips, and the share of boxes that begin in line."""
    strips = gaps.strips
    low, high = strips.sides[:, 2], strips.sides[:, 3]
    order = np.lexsort((low, strips.strip))
    strip = strips.strip  # the same in this order
    reach = running_best(np.maximum, high[order], strip)
    parted = np.ones(len(order), np.bool_)
    parted[1:] = (low[order][1:] > reach[:-1] + COLUMN_GAP_PX) | (strip[1:] != strip[:-1])
    columns = np.bincount(strip[parted], minlength=len(strips)).astype(np.float64)
    start = gaps.low[strips.group][strip]
    place = np.rint((low - start) / ALIGNMENT_PX).astype(np.intp)
    span = int(place.max(initial=0)) + 1
    marks = np.unique(strip * span + place)
    starts = np.bincount(marks // span, minlength=len(strips))
    again = np.append(marks, -1)[np.searchsorted(marks, marks + span)] == marks + span
    shared = np.bincount(marks[again] // span, minlength=len(strips))[gaps.at]
    one, two = gaps.pair(starts)
    return {
        "columns_before": columns[gaps.at],
        "columns_behind": columns[gaps.at + 1],
        "in_line": shared / (one + two - shared),
    }


def _group(gaps: GapPlaces, before: BoxSummary, behind: BoxSummary) -> Features:
    """The group as a whole, the same for all its gaps."""
    down = gaps.axis == DOWN
    width = np.where(down, gaps.across, gaps.length)
    return {
        "down": down,
        "gaps": np.log1p(gaps.last - gaps.first),
        "group_length": np.log1p(gaps.length),
        "group_width": np.log1p(gaps.across),
        "group_boxes": np.log1p(before.boxes + behind.boxes),
        "group_chars": np.log1p(np.maximum(before.chars + behind.chars, 0)),
        "group_on_page": width / max(1.0, gaps.scene.size[0]),
        "group_share": gaps.length * gaps.across / bounding_area(gaps.scene.edges),
    }


def _names() -> tuple[str, ...]:
    """The names of all features, read from those of two boxes one below the other."""
    edges = np.array([(0, 0, 1, 1), (0, 9, 1, 10)], np.float64)
    scene = Scene(edges, np.ones((2, SUM_COLUMNS)), np.zeros(2, np.intp), edges, (1, 10))
    strips = find_strips(edges, np.arange(2), np.zeros(2, np.intp), DOWN)
    return gap_features(scene, strips).names


FEATURE_NAMES = _names()
