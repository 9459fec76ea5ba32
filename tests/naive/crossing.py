"""What goes on across a gap, each gap by itself: slow, and as it is described."""

import math

from pagelet.methods.segments.visual.crossing import BINS, EDGE_PX


def surfaces(scene, whole, before, behind, axis) -> dict[str, float]:
    """How every surface lies around a gap."""
    other = 1 - axis
    low, high = sorted((before.end, behind.begin))
    across, length = max(1, whole.high - whole.low), max(1, whole.end - whole.begin)
    names = "crossing_width crossing_area crossing_full framed_before framed_behind enclosed"
    found = dict.fromkeys(names.split(), 0.0)
    for surface in scene.surfaces.tolist():
        begin, end, left, right = (surface[at] for at in (axis, axis + 2, other, other + 2))
        width = max(0, min(right, whole.high) - max(left, whole.low)) / across
        share = max(0, min(end, whole.end) - max(begin, whole.begin)) / length
        first, last = begin <= whole.begin + EDGE_PX, end >= whole.end - EDGE_PX
        full = left <= whole.low + EDGE_PX and right >= whole.high - EDGE_PX
        told = {}
        if begin <= low - EDGE_PX and end >= high + EDGE_PX and not (first and last):
            told |= {"crossing_width": width, "crossing_area": width * share}
            told |= {"crossing_full": share} if full else {}
        if first and low - EDGE_PX <= end <= high + EDGE_PX:
            told["framed_before"] = width
        if last and low - EDGE_PX <= begin <= high + EDGE_PX:
            told["framed_behind"] = width
        if first and last and full:
            told["enclosed"] = across * length / max((end - begin) * (right - left), 1)
        found |= {name: max(value, found[name]) for name, value in told.items()}
    return found


def gutters(whole, strips, sides) -> dict[str, float]:
    """White between columns that goes on across a gap."""
    found = {}
    for name, parts in (("gutter", strips), ("all_gutter", sides)):
        one, other = (taken(whole, part) for part in parts)
        white, more = inner_white(one), inner_white(other)
        found[f"{name}_shared"] = len(white & more) / BINS
        found[f"{name}_ratio"] = len(white & more) / max(1, len(white | more))
        found[f"{name}_lost"] = len((white & other) | (more & one)) / BINS
    for side, part in zip(("before", "behind"), sides, strict=True):
        filled = taken(whole, part)
        found[f"all_columns_{side}"] = sum(place - 1 not in filled for place in filled)
    return found


def taken(whole, part) -> set[int]:
    """The bins of a group's width that boxes of a part fill."""
    places: set[int] = set()
    scale = BINS / max(whole.high - whole.low, 1)
    for low, high in part.edges[:, [part.other, part.other + 2]].tolist():
        first = min(max(math.ceil((low - whole.low) * scale), 0), BINS - 1)
        last = min(max(math.floor((high - whole.low) * scale), 0), BINS)
        places |= set(range(first, max(last, first + 1)))
    return places


def inner_white(filled: set[int]) -> set[int]:
    """Bins between filled ones that are white."""
    return set(range(min(filled), max(filled))) - filled
