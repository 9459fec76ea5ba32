"""Features of gaps: the places where a straight line can cut a group of boxes in two.

They compare the strip before a gap with the strip behind it, everything before with everything
behind, and the gap with the other gaps of its group, and look for what goes on across it. All are
sorts or prefix sums over all groups at once.
"""

import numpy as np

from pagelet.arrays import Floats, Ints
from pagelet.methods.segments.geometry.rectangles import DOWN
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
    sums = np.zeros((len(strips), SUM_COLUMNS))
    np.add.at(sums, strips.strip, scene.sums[strips.boxes])
    before, behind = gaps.sides(sums)
    features = {
        **_places(gaps),
        **_shares(summarize(before), summarize(before + behind)),
        **_strips(gaps, summarize(sums)),
        **_sides(gaps, summarize(before), summarize(behind)),
        **_backgrounds(gaps),
        **_edges(gaps),
        **_lines(gaps),
        **_group(gaps, before + behind),
        **surface_features(gaps),
        **gutter_features(gaps),
    }
    return FeatureTable.of(features, len(gaps.at), np.float64)


def _places(gaps: GapPlaces) -> Features:
    """Width of a gap, and its place on the page."""
    strips, size = gaps.strips, max(1.0, gaps.scene.size[gaps.strips.axis])
    end, begin = strips.end[gaps.at], strips.begin[gaps.at + 1]
    gap, length = begin - end, np.maximum(gaps.length, 1)
    middle, rank = _rank_in_group(gap, strips.group[gaps.at])
    return {
        "gap": np.log1p(np.maximum(gap, 0)),
        "gap_to_median": np.minimum(gap / middle, 20),
        "gap_rank": rank,
        "gap_to_group": gap / length,
        "position": (end - strips.begin[gaps.first]) / length,
        "from_start": np.log1p(np.maximum(end, 0)),
        "to_end": np.log1p(np.maximum(size - begin, 0)),
        "on_page": begin / size,
    }


def _rank_in_group(gap: Floats, group: Ints) -> tuple[Floats, Floats]:
    """The median gap of the group, at least 1, and the share of its gaps that are no wider."""
    order = np.lexsort((gap, group))
    start = np.searchsorted(group, group)
    count = np.searchsorted(group, group, side="right") - start
    ordered = np.maximum(gap[order], 1)
    middle = (ordered[start + (count - 1) // 2] + ordered[start + count // 2]) / 2
    last = np.append(np.diff(gap[order]) != 0, True)[: len(gap)]
    last[:-1] |= np.diff(group) != 0
    ends = np.flatnonzero(last)
    rank = np.empty(len(gap))
    rank[order] = ends[np.searchsorted(ends, np.arange(len(gap)))] + 1
    return middle, (rank - start) / np.maximum(count, 1)


def _shares(before: BoxSummary, whole: BoxSummary) -> Features:
    """Share of the group that lies before a gap."""
    return {
        "chars_before": before.chars / np.maximum(whole.chars, 1),
        "area_before": before.area / np.maximum(whole.area, 1),
        "boxes_before": before.boxes / whole.boxes,
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
    features: Features = {}
    for name, value in values.items():
        features[f"{name}_before"], features[f"{name}_behind"] = gaps.pair(value)
    widths, thicks, boxes = (gaps.pair(value) for value in (wide, thick, each.boxes))
    return features | {
        "width_before": widths[0] / across,
        "width_behind": widths[1] / across,
        "font_size_step": -np.diff(each.font_size)[gaps.at],
        "font_weight_step": -np.diff(each.font_weight)[gaps.at],
        "ground_step": np.abs(np.diff(each.background, axis=0)).mean(axis=1)[gaps.at],
        "colour_step": np.abs(np.diff(each.colour, axis=0)).mean(axis=1)[gaps.at],
        "low_step": np.abs(np.diff(strips.low))[gaps.at] / across,
        "high_step": np.abs(np.diff(strips.high))[gaps.at] / across,
        "same_thickness": np.minimum(*thicks) / np.maximum(np.maximum(*thicks), 1),
        "same_boxes": np.minimum(*boxes) / np.maximum(*boxes),
    }


def _sides(gaps: GapPlaces, before: BoxSummary, behind: BoxSummary) -> Features:
    """Everything before a gap and everything behind it."""
    strips, across = gaps.strips, np.maximum(gaps.across, 1)
    low = (gaps.low[gaps.at],
           running_best_back(np.minimum, strips.low, strips.group)[gaps.at + 1])  # fmt: skip
    high = (gaps.high[gaps.at],
            running_best_back(np.maximum, strips.high, strips.group)[gaps.at + 1])  # fmt: skip
    thick = (strips.end[gaps.at] - strips.begin[gaps.first],
             strips.end[gaps.last] - strips.begin[gaps.at + 1])  # fmt: skip
    features: Features = {}
    for at, (side, each) in enumerate((("before", before), ("behind", behind))):
        room = np.maximum(thick[at] * (high[at] - low[at]), 1)
        features |= {
            f"all_thickness_{side}": np.log1p(np.maximum(thick[at], 0)),
            f"all_font_size_{side}": each.font_size,
            f"all_pictures_{side}": each.pictures,
            f"all_line_{side}": each.line,
            f"all_density_{side}": each.area / room,
        }
    return features | {
        "all_ground_step": np.abs(before.background - behind.background).mean(axis=1),
        "all_colour_step": np.log1p(np.abs(before.colour - behind.colour).mean(axis=1)),
        "all_low_step": np.abs(low[0] - low[1]) / across,
        "all_high_step": np.abs(high[0] - high[1]) / across,
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
    strips, surfaces, other = gaps.strips, gaps.scene.surfaces, 1 - gaps.strips.axis
    low, high = gaps.low[gaps.last], gaps.high[gaps.last]
    end, begin = strips.end[gaps.at], strips.begin[gaps.at + 1]
    near = (np.minimum(end, begin) - EDGE_DISTANCE_PX, np.maximum(end, begin) + EDGE_DISTANCE_PX)
    features = {}
    for name, edge in (("edge_begins", strips.axis), ("edge_ends", strips.axis + 2)):
        ordered = surfaces[np.lexsort((surfaces[:, other] - surfaces[:, other + 2],
                                     surfaces[:, edge]))]  # fmt: skip
        start = np.searchsorted(ordered[:, edge], near[0])
        stop = np.searchsorted(ordered[:, edge], near[1], side="right")
        count = np.minimum(stop - start, MAX_EDGES)
        gap = np.repeat(np.arange(len(count)), count)
        surface = np.arange(len(gap)) + np.repeat(start - (np.cumsum(count) - count), count)
        inside = np.minimum(ordered[surface, other + 2], high[gap]) - np.maximum(
            ordered[surface, other], low[gap]
        )
        widest = np.zeros(len(count))
        np.maximum.at(widest, gap, inside)
        features[name] = widest / np.maximum(gaps.across, 1)
    return features


def _lines(gaps: GapPlaces) -> Features:
    """Number of columns in both strips, and the share of boxes that begin in line."""
    strips, other = gaps.strips, 1 - gaps.strips.axis
    low, high = gaps.scene.edges[strips.boxes][:, (other, other + 2)].T
    order = np.lexsort((low, strips.strip))
    strip = strips.strip[order]
    reach = running_best(np.maximum, high[order], strip)
    parted = np.append(True, low[order][1:] > reach[:-1] + COLUMN_GAP_PX)[: len(order)]
    parted[1:] |= strip[1:] != strip[:-1]
    columns = np.bincount(strip[parted], minlength=len(strips)).astype(np.float64)
    start = running_best_back(np.minimum, strips.low, strips.group)[strips.first][strips.strip]
    place = np.rint((low - start) / ALIGNMENT_PX).astype(np.intp)
    span = int(place.max(initial=0)) + 1
    marks = np.unique(strips.strip * span + place)
    starts = np.bincount(marks // span, minlength=len(strips))
    again = np.append(marks, -1)[np.searchsorted(marks, marks + span)] == marks + span
    shared = np.bincount(marks[again] // span, minlength=len(strips))
    one, two = gaps.pair(starts)
    return {
        "columns_before": columns[gaps.at],
        "columns_behind": columns[gaps.at + 1],
        "in_line": shared[gaps.at] / (one + two - shared[gaps.at]),
    }


def _group(gaps: GapPlaces, sums: Floats) -> Features:
    """The group as a whole, the same for all its gaps."""
    down = gaps.strips.axis == DOWN
    width = gaps.across if down else gaps.length
    return {
        "down": down,
        "gaps": np.log1p(gaps.last - gaps.first),
        "group_length": np.log1p(gaps.length),
        "group_width": np.log1p(gaps.across),
        "group_boxes": np.log1p(sums[:, 0]),
        "group_chars": np.log1p(np.maximum(sums[:, 3], 0)),
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
