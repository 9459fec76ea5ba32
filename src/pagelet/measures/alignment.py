"""How many boxes stand in line with a pair of neighbours, as the authors' program of 2016 counts.

Two boxes above each other are in line when their left edges agree, else when their right edges
do; two boxes beside each other when their top edges agree, else their bottom edges. From a pair
in line, its line is followed over neighbours of the same direction and the same edge whose gaps
are at most one and a half times the shortest edge of the pair.
"""

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.boxes import Boxes
from pagelet.measures.neighbours import Relations
from pagelet.measures.unions import top

Ints = NDArray[np.int64]

REACH = 1.5  #: gap that a line may have, in shortest edges of the pair
NO_SIDE, NEAR, FAR = 0, 1, 2  #: left or top edges agree; only right or bottom ones do


def alignment_score(boxes: Boxes, pairs: Relations) -> Ints:
    """The boxes of each pair's line, both counted; 1 when it is in no line or too far apart."""
    side = _shared_side(boxes, pairs)
    shortest = np.minimum(boxes.width, boxes.height)
    reach = np.floor(REACH * np.minimum(shortest[pairs.first], shortest[pairs.second]))
    lined = side != NO_SIDE
    score = np.ones(len(pairs), np.int64)
    for upright in (True, False):
        for edge in (NEAR, FAR):
            chosen = np.flatnonzero(lined & (pairs.upright == upright) & (side == edge))
            score[chosen] = _line_sizes(len(boxes), pairs.take(chosen), reach[chosen])
    return score


def _shared_side(boxes: Boxes, pairs: Relations) -> NDArray[np.int8]:
    a, b = pairs.first, pairs.second
    near = np.where(pairs.upright, boxes.left[a] == boxes.left[b], boxes.top[a] == boxes.top[b])
    right, bottom = boxes.right, boxes.bottom
    far = np.where(pairs.upright, right[a] == right[b], bottom[a] == bottom[b])
    return np.where(near, NEAR, np.where(far, FAR, NO_SIDE)).astype(np.int8)


def _line_sizes(boxes: int, pairs: Relations, reach: NDArray[np.float64]) -> Ints:
    """The boxes that hang together with each pair over gaps of at most its reach.

    Pairs join in order of their gaps, and each asks when all within its reach have joined.
    """
    links = len(pairs)
    order = np.lexsort((np.repeat((0, 1), links), np.concatenate((pairs.gap, reach))))
    firsts, seconds = pairs.first.tolist(), pairs.second.tolist()
    above, size = list(range(boxes)), [1] * boxes
    sizes = np.ones(links, np.int64)
    within = (pairs.gap <= reach).tolist()
    for event in order.tolist():
        if event < links:
            one, other = top(above, firsts[event]), top(above, seconds[event])
            if one != other:
                one, other = (one, other) if size[one] >= size[other] else (other, one)
                above[other] = one
                size[one] += size[other]
        elif within[event - links]:
            sizes[event - links] = size[top(above, firsts[event - links])]
    return sizes
