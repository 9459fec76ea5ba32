"""How well two segmentations of a page agree.

F and the adjusted Rand index as in the BCS paper (Zeleny, Burget, Zendulka, IP&M 53(3), 2017):
both count boxes that segments share. BCubed (Kiesel et al., CIKM 2020) looks at every pair of
elements of a page, which may be pixels, nodes or characters.

A membership is a table of marks with one line an element and one column a segment. An element
can lie in several segments or in none.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Ints, Mask
from pagelet.lab.figures import NO_OVERLAP, Overlap
from pagelet.page.boxes import Boxes

LINES = 1024  #: lines of a table of pairs that are made at a time


def membership_of(numbers: NDArray[np.integer]) -> Mask:
    """The membership that a segment for each element says; -1 for none."""
    segments = int(numbers.max(initial=-1)) + 1
    return np.asarray(numbers[:, None] == np.arange(segments))


def touched(boxes: Boxes, edges: Floats) -> Mask:
    """Mark the boxes that each rectangle overlaps by more than an edge."""
    left, top, right, bottom = np.asarray(edges, np.float64).reshape(-1, 4).T
    across = (boxes.left[:, None] < right) & (left < boxes.right[:, None])
    return np.asarray(across & (boxes.top[:, None] < bottom) & (top < boxes.bottom[:, None]))


def enclosed(boxes: Boxes, edges: Floats) -> Mask:
    """Mark the boxes that lie wholly in each rectangle."""
    left, top, right, bottom = np.asarray(edges, np.float64).reshape(-1, 4).T
    across = (boxes.left[:, None] >= left) & (boxes.right[:, None] <= right)
    return np.asarray(across & (boxes.top[:, None] >= top) & (boxes.bottom[:, None] <= bottom))


# -- the BCS paper ------------------------------------------------------------------------------


def box_overlap(found: Mask, gold: Mask) -> Overlap:
    """Precision and recall over all pairs of a found and a gold segment that share boxes.

    A pair has as precision the share of the found segment's boxes that are also in the gold
    one, as recall the share of the gold one's that are in the found one. Means are taken over
    the pairs; a gold segment in no pair has recall 0.
    """
    shared = gold.T.astype(np.int64) @ found.astype(np.int64)
    wanted, said = np.nonzero(shared)
    if not len(wanted):
        return NO_OVERLAP
    boxes = shared[wanted, said]
    missed = int((shared.sum(axis=1) == 0).sum())
    precision = (boxes / found.sum(axis=0)[said]).mean()
    recall = (boxes / gold.sum(axis=0)[wanted]).sum() / (len(boxes) + missed)
    return Overlap(float(precision), float(recall))


def adjusted_rand(found: Mask, gold: Mask) -> float:
    """Adjusted Rand index over the boxes that lie in a found and in a gold segment.

        ARI = (S - E) / ((A + B) / 2 - E),   E = A B / c(n),   c(k) = k (k - 1) / 2

    S, A, B: sums of c over the table of shared boxes, over its lines, over its columns; n: the
    sum of the table. The formula is 0 / 0 where both put all boxes together or none, and
    then it is 1; without a shared box it is 0.
    """
    shared = gold.T.astype(np.float64) @ found.astype(np.float64)
    S, A, B = (_pairs(part) for part in (shared, shared.sum(axis=1), shared.sum(axis=0)))
    total = _pairs(shared.sum(keepdims=True))
    E = A * B / total if total else 0.0
    below = (A + B) / 2 - E
    if below == 0:
        return float(shared.any())
    return (S - E) / below


def _pairs(counts: Floats) -> float:
    return float((counts * (counts - 1) / 2).sum())


# -- BCubed -------------------------------------------------------------------------------------


def bcubed(found: Mask, gold: Mask, weights: NDArray[Any] | None = None) -> Overlap:
    """BCubed precision and recall of elements that may lie in several segments.

        P = mean over e of mean over f of min(|S(e) & S(f)|, |G(e) & G(f)|) / |S(e) & S(f)|

    S(e), G(e): the found and the gold segments that e lies in; e runs over the elements that
    lie in a found segment, f over those that share one with e. Recall is the same with found
    and gold changed over.

    An element with weight w counts as w elements: nodes that share a place, characters of a
    node, pixels of an area. Without weights each counts once.
    """
    counted = np.ones(len(found)) if weights is None else np.asarray(weights, np.float64)
    said, wanted, sums = _gathered(found, gold, counted)
    return Overlap(_agreement(said, wanted, sums), _agreement(wanted, said, sums))


def bcubed_pixels(found: Floats, gold: Floats, page: tuple[float, float]) -> Overlap:
    """BCubed over the pixels of a page, for segments that are rectangles."""
    said, wanted = (np.asarray(edges, np.float64).reshape(-1, 4) for edges in (found, gold))
    both = np.concatenate((said, wanted))
    if not len(both):
        return NO_OVERLAP
    np.clip(both[:, 0::2], 0, page[0], out=both[:, 0::2])
    np.clip(both[:, 1::2], 0, page[1], out=both[:, 1::2])
    marks, areas = _regions(both)
    return bcubed(marks[:, : len(said)], marks[:, len(said) :], areas)


def mean_overlap(overlaps: Sequence[Overlap]) -> Overlap:
    """Mean precision and mean recall of many pages; their F1 is what BCubed calls F*."""
    if not overlaps:
        return NO_OVERLAP
    values = np.array([(each.precision, each.recall) for each in overlaps]).mean(axis=0)
    return Overlap(float(values[0]), float(values[1]))


def _agreement(said: Floats, wanted: Floats, weights: Floats) -> float:
    """Mean over all elements in a segment of how well those that share one with it agree."""
    total = weights[said.any(axis=1)].sum()
    if not total:
        return 0.0
    score = 0.0
    for first in range(0, len(said), LINES):
        some = slice(first, first + LINES)
        together, agreed = said[some] @ said.T, wanted[some] @ wanted.T
        share = np.minimum(together, agreed) / np.maximum(together, 1)
        others = (together > 0) @ weights
        inside = others > 0
        score += (weights[some] * (share @ weights) / np.where(inside, others, 1)).sum()
    return float(score / total)


def _gathered(found: Mask, gold: Mask, weights: Floats) -> tuple[Floats, Floats, Floats]:
    """Elements that lie in the same segments as one, with the sum of their weights."""
    marks = np.concatenate((found, gold), axis=1)
    marks, weights = marks[inside := marks.any(axis=1)], weights[inside]
    if len(marks):
        packed = np.packbits(marks, axis=1)
        _, first, which = np.unique(packed, axis=0, return_index=True, return_inverse=True)
        marks, weights = marks[first], _sums(which, weights)
    kinds = marks.astype(np.float64)
    return kinds[:, : found.shape[1]], kinds[:, found.shape[1] :], weights


def _sums(which: Ints, weights: Floats) -> Floats:
    return np.bincount(which.ravel(), weights.ravel()).astype(np.float64)


def _regions(edges: Floats) -> tuple[Mask, Floats]:
    """The parts into which rectangles cut each other: which of them each lies in, and its area.

    Every rectangle has a random number, and what lies in the same ones has the same sum.
    """
    across, x = np.unique(edges[:, 0::2], return_inverse=True)
    down, y = np.unique(edges[:, 1::2], return_inverse=True)
    left, right = x.reshape(-1, 2).T
    top, bottom = y.reshape(-1, 2).T
    name = np.random.default_rng(0).integers(1, 2**62, len(edges))
    change = np.zeros((len(down), len(across)), np.int64)
    for row, column, number in (
        (top, left, name),
        (top, right, -name),
        (bottom, left, -name),
        (bottom, right, name),
    ):
        np.add.at(change, (row, column), number)
    sums = np.cumsum(np.cumsum(change, axis=0), axis=1)[:-1, :-1]
    areas = np.diff(down)[:, None] * np.diff(across)
    _, first, which = np.unique(sums, return_index=True, return_inverse=True)
    rows, columns = (at[:, None] for at in np.unravel_index(first, sums.shape))
    inside = (left <= columns) & (columns < right) & (top <= rows) & (rows < bottom)
    return inside, _sums(which, areas)
