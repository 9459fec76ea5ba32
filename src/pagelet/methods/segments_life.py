"""How long segments last: from the threshold that joins them to the one that joins them on."""

import numpy as np

from pagelet.columns.boxes import Floats
from pagelet.columns.segments import Segments
from pagelet.measures.segment_rows import members_of_segments
from pagelet.methods.segments_joins import SLACK, Joins


def lives_of(joins: Joins, segments: Segments) -> tuple[Floats, Floats]:
    """The threshold from which each segment is there, and that from which it is part of another.

    A segment that never becomes part of another one lasts up to 1.
    """
    boxes, parent = len(joins.boxes), joins.parent.tolist()
    held = [1] * boxes + [0] * len(joins)
    for entity, above in enumerate(parent):
        if above >= 0:
            held[above] += held[entity]
    level = [*joins.level.tolist(), 1.0]
    made, ended = np.zeros(len(segments)), np.ones(len(segments))
    for segment, members in enumerate(members_of_segments(segments)):
        entity = int(members[0])
        while held[entity] < len(members):
            entity = parent[entity]
        made[segment] = level[entity - boxes]
        ended[segment] = level[parent[entity] - boxes] if parent[entity] >= 0 else 1.0
    return made, np.maximum(made, ended)


def steady_at(joins: Joins, segments: Segments) -> float:
    """How far the threshold may rise before anything changes."""
    after = int(np.searchsorted(joins.level, segments.threshold + SLACK, side="right"))
    until = float(joins.level[after]) if after < len(joins) else 1.0
    return max(until - segments.threshold, 0.0)
