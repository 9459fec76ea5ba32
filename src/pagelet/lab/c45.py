"""A decision tree after Quinlan's C4.5: entropy splits by gain ratio, pessimistic pruning.

Numeric features, two classes. Among the splits with at least the mean gain, the one with the
best gain ratio is taken; the cost of naming one of its thresholds is subtracted from its gain.
A subtree is replaced by a leaf where that does not raise the estimated errors. Subtrees are not
raised.
"""

from dataclasses import dataclass
from math import log2, sqrt
from statistics import NormalDist

import numpy as np

from pagelet.arrays import Floats, Ints, Mask
from pagelet.models.trees import Trees

CONFIDENCE = 0.25  #: confidence of the pruning; a lower one prunes more
MIN_LEAF_EXAMPLES = 2
MAX_DEPTH = 60


@dataclass(slots=True)
class TreeNode:
    """A node of a growing tree."""

    rows: Ints
    positive: int
    depth: int
    feature: int = -1  #: -1 for a leaf
    threshold: float = np.inf
    left: int = -1
    right: int = -1

    @property
    def errors(self) -> int:
        """Examples that a leaf here would get wrong."""
        return min(self.positive, len(self.rows) - self.positive)


@dataclass(frozen=True, slots=True)
class Split:
    """The best threshold of one feature."""

    feature: int
    threshold: float
    gain: float
    ratio: float


def fit_c45(
    features: Floats,
    label: Mask,
    names: tuple[str, ...],
    *,
    confidence: float = CONFIDENCE,
    min_leaf: int = MIN_LEAF_EXAMPLES,
) -> Trees:
    """Grow a tree, prune it, turn it into arrays; a leaf predicts its share of positives."""
    nodes = grow(features, label, min_leaf)
    prune(nodes, confidence)
    return arrays_of(nodes, names)


def grow(features: Floats, label: Mask, min_leaf: int) -> list[TreeNode]:
    """Split until no split gains; children follow their parents in the list."""
    nodes = [TreeNode(np.arange(len(label)), int(label.sum()), 0)]
    at = 0
    while at < len(nodes):
        node = nodes[at]
        at += 1
        split = best_split(features[node.rows], label[node.rows], min_leaf)
        if split is None or node.depth >= MAX_DEPTH:
            continue
        goes_left = features[node.rows, split.feature] <= split.threshold
        node.feature, node.threshold = split.feature, split.threshold
        node.left, node.right = len(nodes), len(nodes) + 1
        below = (node.rows[goes_left], node.rows[~goes_left])
        nodes += [TreeNode(rows, int(label[rows].sum()), node.depth + 1) for rows in below]
    return nodes


def best_split(features: Floats, label: Mask, min_leaf: int) -> Split | None:
    """The split with the best gain ratio among those with at least the mean gain."""
    total = len(label)
    if total < 2 * min_leaf or label.all() or not label.any():
        return None
    splits = (
        _best_threshold(features[:, at], label, at, min_leaf) for at in range(features.shape[1])
    )
    gaining = [split for split in splits if split is not None and split.gain > 0]
    if not gaining:
        return None
    mean = sum(split.gain for split in gaining) / len(gaining)
    good = [split for split in gaining if split.gain >= mean - 1e-3]
    return max(good, key=lambda split: split.ratio)


def _best_threshold(values: Floats, label: Mask, feature: int, min_leaf: int) -> Split | None:
    """The threshold of a feature with the largest gain, half-way between two values."""
    order = np.argsort(values, kind="stable")
    ordered, total = values[order], len(values)
    cut = np.flatnonzero(ordered[1:] > ordered[:-1]) + 1  # examples left of each threshold
    candidates = len(cut)
    cut = cut[(cut >= min_leaf) & (cut <= total - min_leaf)]
    if not len(cut):
        return None
    positive = np.cumsum(label[order], dtype=np.intp)
    left, right = positive[cut - 1], positive[-1] - positive[cut - 1]
    inside = (_bits(left, cut) + _bits(right, total - cut)) / total
    gain = float(_bits(positive[-1:], np.array([total]))[0]) / total - inside
    at = int(np.argmax(gain))
    share = cut[at] / total
    bits = -(share * log2(share) + (1 - share) * log2(1 - share))
    worth = float(gain[at]) - log2(max(candidates, 1)) / total
    low, high = float(ordered[cut[at] - 1]), float(ordered[cut[at]])
    middle = low + (high - low) / 2
    return Split(feature, middle if middle < high else low, worth, worth / bits)


def _bits(positive: Ints, total: Ints) -> Floats:
    """Entropy of two classes in bits, times the examples."""
    bits = np.zeros(len(positive))
    for part in (positive, total - positive):
        some = part > 0
        bits[some] -= part[some] * np.log2(part[some] / total[some])
    return bits


def prune(nodes: list[TreeNode], confidence: float) -> None:
    """Replace subtrees by leaves, from the last node to the first."""
    estimated = [0.0] * len(nodes)
    for at in range(len(nodes) - 1, -1, -1):
        node = nodes[at]
        estimated[at] = node.errors + extra_errors(len(node.rows), node.errors, confidence)
        if node.feature >= 0:
            below = estimated[node.left] + estimated[node.right]
            if estimated[at] <= below + 0.1:
                node.feature = -1
            else:
                estimated[at] = below


def extra_errors(total: int, errors: float, confidence: float) -> float:
    """Estimated errors beyond those counted: the upper confidence limit of the binomial.

    By the normal approximation with half an error added; exact for no error, and interpolated
    between none and one.
    """
    if not total:
        return 0.0
    if errors < 1:
        none = float(total * (1 - confidence ** (1 / total)))
        return none if errors == 0 else none + errors * (extra_errors(total, 1, confidence) - none)
    if errors + 0.5 >= total:
        return max(total - errors, 0.0)
    z = NormalDist().inv_cdf(1 - confidence)
    rate = (errors + 0.5) / total
    spread = z * sqrt(rate / total - rate * rate / total + z * z / (4 * total * total))
    limit = (rate + z * z / (2 * total) + spread) / (1 + z * z / total)
    return float(limit * total - errors)


def arrays_of(nodes: list[TreeNode], names: tuple[str, ...]) -> Trees:
    """Turn the pruned tree into arrays, level by level, siblings side by side."""
    kept, places = [0], {0: 0}
    for at in kept:
        if nodes[at].feature >= 0:
            for child in (nodes[at].left, nodes[at].right):
                places[child] = len(kept)
                kept.append(child)
    inner = [nodes[at].feature >= 0 for at in kept]
    pairs = list(zip(kept, inner, strict=True))
    return Trees(
        roots=np.zeros(1, np.intp),
        feature=np.array([nodes[at].feature if split else 0 for at, split in pairs], np.intp),
        threshold=np.array([nodes[at].threshold if split else np.inf for at, split in pairs]),
        left=np.array(
            [places[nodes[at].left] if split else places[at] for at, split in pairs], np.intp
        ),
        value=np.array([nodes[at].positive / max(len(nodes[at].rows), 1) for at in kept]),
        depth=max(nodes[at].depth for at in kept),
        names=names,
    )
