"""Agreement of segmentations by definition: every pair, every pixel."""

from itertools import combinations
from math import comb

Segments = list[set[int]]  #: each a set of elements


def paper_f(found: Segments, gold: Segments) -> tuple[float, float]:
    """Precision and recall of the BCS paper."""
    pairs = [(d, g) for d in found for g in gold if d & g]
    if not pairs:
        return 0.0, 0.0
    recalls = [len(d & g) / len(g) for d, g in pairs]
    recalls += [0.0 for g in gold if not any(d & g for d in found)]
    precisions = [len(d & g) / len(d) for d, g in pairs]
    return sum(precisions) / len(precisions), sum(recalls) / len(recalls)


def rand_of_pairs(found: dict[int, int], gold: dict[int, int]) -> float | None:
    """Adjusted Rand index from pairs of elements; None when it is 0 / 0."""
    both = sorted(found.keys() & gold.keys())
    pairs = list(combinations(both, 2))
    together = sum(found[a] == found[b] and gold[a] == gold[b] for a, b in pairs)
    in_found = sum(found[a] == found[b] for a, b in pairs)
    in_gold = sum(gold[a] == gold[b] for a, b in pairs)
    expected = in_found * in_gold / comb(len(both), 2) if pairs else 0.0
    below = (in_found + in_gold) / 2 - expected
    return (together - expected) / below if below else None


def bcubed_precision(found: Segments, gold: Segments, elements: list[int]) -> float:
    """Mean over elements, of the mean over those that share a segment with each."""

    def shared(segments: Segments, e: int, f: int) -> int:
        return sum(e in segment and f in segment for segment in segments)

    means = []
    for e in elements:
        near = [f for f in elements if shared(found, e, f)]
        if not near:
            continue
        ratios = [min(shared(found, e, f), shared(gold, e, f)) / shared(found, e, f) for f in near]
        means.append(sum(ratios) / len(ratios))
    return sum(means) / len(means) if means else 0.0
