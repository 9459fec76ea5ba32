"""Where to stop joining without being told: the paper leaves its threshold to the user.

It suggests to halve the range of thresholds with the number of unclustered boxes as a sign. The
joins of one run answer all thresholds, so each search here is a look-up.
"""

import numpy as np

from pagelet.columns.segments import Segments
from pagelet.methods.segments_joins import Joins


def auto_segments(joins: Joins, max_loose: float) -> Segments:
    """The segments that stay the same over the widest range of thresholds.

    Only thresholds count that leave at most such a share of the boxes in no segment, and give
    more than one; when there are none, all joins are done. Segments that live longest, weighted
    by their boxes, were tried too: they are far too small for people's blocks.
    """
    ends = np.append(np.flatnonzero(np.diff(joins.level) > 0) + 1, len(joins))
    ends = ends[ends > 0]
    fit = (joins.loose[ends] <= max_loose * len(joins.boxes)) & (joins.clusters[ends] > 1)
    if not fit.any():
        return joins.after(len(joins), 1.0)
    until = np.append(joins.level, 1.0)[ends]
    width = np.where(fit, until - joins.level[ends - 1], -1)
    best = int(ends[np.argmax(width)])
    return joins.after(best)


def counted_segments(joins: Joins, wanted: int) -> Segments:
    """The segments whose number is nearest to the wanted one, with the fewest loose boxes."""
    off = np.abs(joins.clusters - wanted)
    return joins.after(int(np.flatnonzero(off == off.min())[-1]))
