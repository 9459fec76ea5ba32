"""Agreement of two segmentations of a page.

F and the adjusted Rand index as in the BCS paper (Zeleny, Burget, Zendulka, IP&M 53(3), 2017):
both count boxes that segments share. BCubed (Kiesel et al., CIKM 2020) looks at every pair of
elements of a page, such as boxes or characters.

A membership is a table of marks with one line per element and one column per segment. An element
can lie in several segments or in none.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Ints, Mask
from pagelet.lab.figures import NO_OVERLAP, Overlap

CHUNK_LINES = 1024  #: lines of a table of pairs that are computed at once


def membership_of(numbers: NDArray[np.integer]) -> Mask:
    """The membership of elements with a segment number each; -1 for none."""
    segments = int(numbers.max(initial=-1)) + 1
    return np.asarray(numbers[:, None] == np.arange(segments))


# -- the BCS paper ------------------------------------------------------------------------------


def box_overlap(answer: Mask, gold: Mask) -> Overlap:
    """Precision and recall over all pairs of an answered and a gold segment that share boxes.

    A pair has as precision the share of the answered segment's boxes that are also in the gold
    one, as recall the share of the gold one's that are in the answered one. Means are taken over
    the pairs; a gold segment in no pair has recall 0.
    """
    shared = gold.T.astype(np.int64) @ answer.astype(np.int64)
    wanted, answered = np.nonzero(shared)
    if not len(wanted):
        return NO_OVERLAP
    boxes = shared[wanted, answered]
    missed = int((shared.sum(axis=1) == 0).sum())
    precision = (boxes / answer.sum(axis=0)[answered]).mean()
    recall = (boxes / gold.sum(axis=0)[wanted]).sum() / (len(boxes) + missed)
    return Overlap(float(precision), float(recall))


def adjusted_rand(answer: Mask, gold: Mask) -> float:
    """Adjusted Rand index over the boxes that lie in an answered and in a gold segment.

        ARI = (S - E) / ((A + B) / 2 - E),   E = A B / c(n),   c(k) = k (k - 1) / 2

    S, A, B: sums of c over the table of shared boxes, over its lines, over its columns; n: the
    sum of the table. The formula is 0 / 0 where both put all boxes together or none, and
    then it is 1; without a shared box it is 0.
    """
    shared = gold.T.astype(np.float64) @ answer.astype(np.float64)
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


def bcubed(answer: Mask, gold: Mask, weights: NDArray[Any] | None = None) -> Overlap:
    """BCubed precision and recall of elements that may lie in several segments.

        P = mean over e of mean over f of min(|S(e) & S(f)|, |G(e) & G(f)|) / |S(e) & S(f)|

    S(e), G(e): the answered and the gold segments that e lies in; e runs over the elements that
    lie in an answered segment, f over those that share one with e. Recall is the same with answer
    and gold exchanged.

    An element with weight w counts as w elements, such as the characters of a box. Without
    weights each counts once.
    """
    counted = np.ones(len(answer)) if weights is None else np.asarray(weights, np.float64)
    segments, blocks, sums = _group_elements(answer, gold, counted)
    return Overlap(_agreement(segments, blocks, sums), _agreement(blocks, segments, sums))


def bcubed_figures(
    number: NDArray[np.integer], gold: NDArray[np.integer], chars: NDArray[np.integer]
) -> tuple[float, float]:
    """BCubed F over characters and over boxes, of the boxes that lie in a block.

    On a page without text, boxes stand for characters.
    """
    marked = gold >= 0
    answer, wanted = membership_of(number[marked]), membership_of(gold[marked])
    letters = chars[marked] if chars[marked].any() else None
    return bcubed(answer, wanted, letters).f1, bcubed(answer, wanted).f1


def _agreement(answer: Floats, wanted: Floats, weights: Floats) -> float:
    """Mean over all elements in a segment of the agreement of those that share one with it."""
    total = weights[answer.any(axis=1)].sum()
    if not total:
        return 0.0
    score = 0.0
    for first in range(0, len(answer), CHUNK_LINES):
        some = slice(first, first + CHUNK_LINES)
        together, agreed = answer[some] @ answer.T, wanted[some] @ wanted.T
        share = np.minimum(together, agreed) / np.maximum(together, 1)
        others = (together > 0) @ weights
        inside = others > 0
        score += (weights[some] * (share @ weights) / np.where(inside, others, 1)).sum()
    return float(score / total)


def _group_elements(answer: Mask, gold: Mask, weights: Floats) -> tuple[Floats, Floats, Floats]:
    """Elements of the same segments merged into one, with the sum of their weights."""
    marks = np.concatenate((answer, gold), axis=1)
    marks, weights = marks[inside := marks.any(axis=1)], weights[inside]
    if len(marks):
        packed = np.packbits(marks, axis=1)
        _, first, which = np.unique(packed, axis=0, return_index=True, return_inverse=True)
        marks, weights = marks[first], _sums(which, weights)
    kinds = marks.astype(np.float64)
    return kinds[:, : answer.shape[1]], kinds[:, answer.shape[1] :], weights


def _sums(which: Ints, weights: Floats) -> Floats:
    return np.bincount(which.ravel(), weights.ravel()).astype(np.float64)
