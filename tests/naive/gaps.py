"""The measures of gaps, each gap by itself: slow, and as they are described."""

import math
from collections import defaultdict
from itertools import chain

import numpy as np

from pagelet.methods.segments.visual.gaps import (
    ALIGNMENT_PX,
    COLUMN_GAP_PX,
    EDGE_DISTANCE_PX,
    MAX_BACKGROUNDS,
)
from pagelet.methods.segments.visual.scene import GAP_OVERLAP_PX, MEAN_STEPS, Scene
from tests.naive import crossing


def strips(scene: Scene, group: list[int], axis: int) -> list[list[int]]:
    """Boxes by where they begin; a strip ends where the next box begins behind all others."""
    found: list[list[int]] = []
    reach = -math.inf
    for box in sorted(group, key=lambda box: (scene.edges[box, axis], group.index(box))):
        if not found or scene.edges[box, axis] >= reach - GAP_OVERLAP_PX:
            found.append([])
        found[-1].append(box)
        reach = max(reach, scene.edges[box, axis + 2])
    return found


def rounded(means):
    """Means to the nearest step."""
    return np.rint(means * MEAN_STEPS) / MEAN_STEPS


class Part:
    """Some boxes of a page, looked at along an axis."""

    def __init__(self, scene: Scene, boxes: list[int], axis: int) -> None:
        edges, other = scene.edges[boxes], 1 - axis
        self.begin, self.low = edges[:, axis].min(), edges[:, other].min()
        self.end, self.high = edges[:, axis + 2].max(), edges[:, other + 2].max()
        self.edges, self.other = edges, other
        total = scene.sums[boxes].sum(axis=0)
        self.boxes, self.area, _, self.chars, *_ = total
        self.pictures = total[2] / max(self.area, 1)
        self.line = self.chars / max(total[4], 1)
        self.font_size, self.font_weight = rounded(total[7:9] / total[5])
        self.ground, self.colour = rounded(total[9:12] / total[6]), rounded(total[12:15] / total[5])
        self.grounds: dict[int, float] = defaultdict(float)
        for box in boxes:
            self.grounds[int(scene.background[box])] += scene.sums[box, 6]

    @property
    def columns(self) -> int:
        count, reach = 0, -math.inf
        for low, high in sorted(self.edges[:, [self.other, self.other + 2]].tolist()):
            count += low > reach + COLUMN_GAP_PX
            reach = max(reach, high)
        return count


def measures(scene: Scene, group: list[int], axis: int) -> list[dict[str, float]]:
    """What is seen at each gap of a group."""
    parts = strips(scene, group, axis)
    whole = Part(scene, group, axis)
    each = [Part(scene, part, axis) for part in parts]
    gaps = [
        each[k + 1].begin - max(part.end for part in each[: k + 1]) for k in range(len(each) - 1)
    ]
    page = Part(scene, list(range(len(scene))), axis)
    known = sorted(whole.grounds, key=lambda g: -whole.grounds[g])[:MAX_BACKGROUNDS]
    told = []
    for k, gap in enumerate(gaps):
        before = Part(scene, list(chain(*parts[: k + 1])), axis)
        behind = Part(scene, list(chain(*parts[k + 1 :])), axis)
        told.append(
            {
                **place(scene, (whole, before, behind), gap, gaps, axis),
                **pair(whole, each[k], each[k + 1], before),
                **sides(whole, before, behind),
                **crossing.surfaces(scene, whole, before, behind, axis),
                **crossing.gutters(whole, each[k : k + 2], (before, behind)),
                "other_ground": main(each[k], known) != main(each[k + 1], known),
                "all_other_ground": main(before, known) != main(behind, known),
                "edge_begins": edge(scene, whole, before, behind, axis, axis),
                "edge_ends": edge(scene, whole, before, behind, axis, axis + 2),
                "in_line": in_line(whole, each[k], each[k + 1]),
                "down": axis == 1,
                "gaps": math.log1p(len(gaps)),
                "group_length": math.log1p(whole.end - whole.begin),
                "group_width": math.log1p(whole.high - whole.low),
                "group_boxes": math.log1p(len(group)),
                "group_chars": math.log1p(whole.chars),
                "group_on_page": (whole.high - whole.low if axis == 1 else whole.end - whole.begin)
                / max(1, scene.size[0]),
                "group_share": (whole.end - whole.begin) * (whole.high - whole.low)
                / (max(1, page.end - page.begin) * max(1, page.high - page.low)),
            }
        )  # fmt: skip
    return told


def place(scene, parts, gap, gaps, axis) -> dict[str, float]:
    whole, before, behind = parts
    length, size = max(1, whole.end - whole.begin), max(1, scene.size[axis])
    return {
        "gap": math.log1p(max(gap, 0)),
        "gap_to_median": min(gap / float(np.median([max(each, 1) for each in gaps])), 20),
        "gap_rank": sum(each <= gap for each in gaps) / len(gaps),
        "gap_to_group": gap / length,
        "position": (before.end - whole.begin) / length,
        "from_start": math.log1p(max(before.end, 0)),
        "to_end": math.log1p(max(size - behind.begin, 0)),
        "on_page": behind.begin / size,
        "chars_before": before.chars / max(whole.chars, 1),
        "area_before": before.area / max(whole.area, 1),
        "boxes_before": before.boxes / whole.boxes,
    }


def pair(whole, one, other, before) -> dict[str, float]:
    across = max(1, whole.high - whole.low)
    found = {}
    for side, part, end in (("before", one, before.end), ("behind", other, before.end)):
        thick, wide = max(end, part.end) - part.begin, part.high - part.low
        found |= {
            f"thickness_{side}": math.log1p(thick),
            f"boxes_{side}": math.log1p(part.boxes),
            f"width_{side}": wide / across,
            f"font_size_{side}": part.font_size,
            f"pictures_{side}": part.pictures,
            f"line_{side}": part.line,
            f"density_{side}": part.area / max(thick * wide, 1),
            f"columns_{side}": part.columns,
        }
    thin = [math.expm1(found[f"thickness_{side}"]) for side in ("before", "behind")]
    return found | {
        "font_size_step": one.font_size - other.font_size,
        "font_weight_step": one.font_weight - other.font_weight,
        "ground_step": np.abs(one.ground - other.ground).mean(),
        "colour_step": np.abs(one.colour - other.colour).mean(),
        "low_step": abs(one.low - other.low) / across,
        "high_step": abs(one.high - other.high) / across,
        "same_thickness": min(thin) / max(*thin, 1),
        "same_boxes": min(one.boxes, other.boxes) / max(one.boxes, other.boxes),
    }


def sides(whole, before, behind) -> dict[str, float]:
    across = max(1, whole.high - whole.low)
    found = {}
    for side, part in (("before", before), ("behind", behind)):
        thick = part.end - part.begin if side == "before" else whole.end - part.begin
        found |= {
            f"all_thickness_{side}": math.log1p(thick),
            f"all_font_size_{side}": part.font_size,
            f"all_pictures_{side}": part.pictures,
            f"all_line_{side}": part.line,
            f"all_density_{side}": part.area / max(thick * (part.high - part.low), 1),
        }
    return found | {
        "all_ground_step": np.abs(before.ground - behind.ground).mean(),
        "all_colour_step": math.log1p(np.abs(before.colour - behind.colour).mean()),
        "all_low_step": abs(before.low - behind.low) / across,
        "all_high_step": abs(before.high - behind.high) / across,
    }


def main(part: Part, known: list[int]) -> int:
    """The ground behind most of a part; the smallest of a group count as one."""
    shares = [part.grounds.get(ground, 0.0) for ground in known]
    rest = sum(area for ground, area in part.grounds.items() if ground not in known)
    return int(np.argmax([*shares, rest]))


def edge(scene, whole, before, behind, axis, side) -> float:
    """The widest edge at a gap, as a share of the group's width."""
    other, widest = 1 - axis, 0.0
    low, high = sorted((before.end, behind.begin))
    for surface in scene.surfaces:
        if low - EDGE_DISTANCE_PX <= surface[side] <= high + EDGE_DISTANCE_PX:
            inside = min(surface[other + 2], whole.high) - max(surface[other], whole.low)
            widest = max(widest, inside / max(1, whole.high - whole.low))
    return widest


def in_line(whole, one, other) -> float:
    """How many of the places where boxes of two strips begin they share."""
    marks = [
        {round((low - whole.low) / ALIGNMENT_PX) for low in part.edges[:, part.other].tolist()}
        for part in (one, other)
    ]
    return len(marks[0] & marks[1]) / len(marks[0] | marks[1])
