"""A decision tree after Quinlan's C4.5, with the choices of Weka's J48.

Numeric features, two classes. Among the splits with at least the mean gain, the one with the
best gain ratio is taken; the cost of naming one of its thresholds is subtracted from its gain.
Each side of a split needs a tenth of the node's rows per class, from `min_leaf` up to 25. Subtrees
that get no more training rows right than a leaf collapse first. Then, from the leaves up, a
subtree is replaced by a leaf, or by its largest branch (subtree raising), where that does not
raise the estimated errors.
"""

from dataclasses import dataclass
from math import inf, log2, sqrt
from statistics import NormalDist

import numpy as np

from pagelet.arrays import Floats, Ints, Mask
from pagelet.methods.registry import option
from pagelet.models.trees import Trees

CONFIDENCE = 0.25  #: confidence of the pruning; a lower one prunes more
MIN_LEAF_EXAMPLES = 2
MAX_DEPTH = 100  #: levels of the deepest tree that a model file may hold
SPLIT_SHARE = 0.1  #: share of a node's rows, per class, that each side of a split needs
MAX_SIDE_EXAMPLES = 25  #: examples that are enough for a side of a split, however large the node
CLASSES = 2
NEAR = 1e-6  #: difference below which two criteria are the same
MIN_STEP = 1e-5  #: difference below which no threshold divides two values
MEAN_SLACK = 1e-3  #: how far below the mean gain a split may be
ERROR_SLACK = 0.1  #: estimated errors by which a simpler tree may be worse


@dataclass(frozen=True, slots=True, kw_only=True)
class C45Options:
    """How a tree is grown and pruned; the defaults are those of J48."""

    confidence: float = option(CONFIDENCE, "confidence of pruning: less prunes more", 0.001, 0.5)
    min_leaf: int = option(MIN_LEAF_EXAMPLES, "fewest examples on each side of a split", 1)
    min_split: bool = option(
        default=True, help="sides of a split need a tenth of the rows per class, as in J48"
    )
    raise_subtrees: bool = option(
        default=True, help="a branch may replace the node above it, as in J48"
    )

    def min_side(self, total: int) -> float:
        """The fewest examples on each side of a split of so many."""
        if not self.min_split:
            return self.min_leaf
        return max(min(SPLIT_SHARE * total / CLASSES, MAX_SIDE_EXAMPLES), self.min_leaf)


J48 = C45Options()


@dataclass(slots=True)
class TreeNode:
    """A node of a growing tree."""

    rows: Ints
    positive: int
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
    features: Floats, label: Mask, names: tuple[str, ...], options: C45Options = J48
) -> Trees:
    """Grow a tree, prune it, turn it into arrays; a leaf predicts its share of positives."""
    nodes = grow(features, label, options)
    collapse(nodes)
    Pruning(nodes, features, label, options).prune(0)
    return arrays_of(nodes, names)


# -- growing ----------------------------------------------------------------------------------


def grow(features: Floats, label: Mask, options: C45Options = J48) -> list[TreeNode]:
    """Split until no split gains; children follow their parents in the list.

    A threshold is the greatest value of the training data at or below the middle of the gap.
    """
    nodes, depths = [TreeNode(np.arange(len(label)), int(label.sum()))], [0]
    values = [np.unique(column) for column in features.T]
    for at, node in enumerate(nodes):  # grows while it is read
        split = best_split(features[node.rows], label[node.rows], options)
        if split is None or depths[at] >= MAX_DEPTH:
            continue
        own = values[split.feature]
        node.feature = split.feature
        node.threshold = float(own[np.searchsorted(own, split.threshold, side="right") - 1])
        goes_left = features[node.rows, split.feature] <= node.threshold
        node.left, node.right = len(nodes), len(nodes) + 1
        below = (node.rows[goes_left], node.rows[~goes_left])
        nodes += [TreeNode(rows, int(label[rows].sum())) for rows in below]
        depths += [depths[at] + 1] * 2
    return nodes


def best_split(features: Floats, label: Mask, options: C45Options = J48) -> Split | None:
    """The split with the best gain ratio among those with at least the mean gain."""
    total = len(label)
    if total < 2 * options.min_leaf or label.all() or not label.any():
        return None
    splits = (
        best_threshold(features[:, at], label, at, options.min_side(total))
        for at in range(features.shape[1])
    )
    gaining = [split for split in splits if split is not None]
    if not gaining:
        return None
    mean = sum(split.gain for split in gaining) / len(gaining)
    good = [split for split in gaining if split.gain >= mean - MEAN_SLACK]
    best = max(split.ratio for split in good)
    return next(split for split in good if split.ratio >= best - NEAR)


def best_threshold(values: Floats, label: Mask, feature: int, min_side: float) -> Split | None:
    """The threshold of a feature with the largest gain, half-way between two values."""
    order = np.argsort(values, kind="stable")
    ordered, total = values[order], len(values)
    cut = np.flatnonzero(ordered[1:] > ordered[:-1] + MIN_STEP) + 1  # examples to the left
    cut = cut[(cut >= min_side) & (cut <= total - min_side)]
    if not len(cut):
        return None
    positive = np.cumsum(label[order], dtype=np.intp)
    left, right = positive[cut - 1], positive[-1] - positive[cut - 1]
    inside = (_bits(left, cut) + _bits(right, total - cut)) / total
    gain = float(_bits(positive[-1:], np.array([total]))[0]) / total - inside
    at = int(np.argmax(gain >= gain.max() - NEAR))  # the first of equals
    worth = float(gain[at]) - log2(len(cut)) / total
    if worth <= NEAR:
        return None
    share = cut[at] / total
    bits = -(share * log2(share) + (1 - share) * log2(1 - share))
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


# -- pruning ----------------------------------------------------------------------------------


def collapse(nodes: list[TreeNode]) -> None:
    """Make leaves of the nodes whose subtrees get no more training examples right."""
    errors = [node.errors for node in nodes]
    for at in range(len(nodes) - 1, -1, -1):
        node = nodes[at]
        if node.feature >= 0:
            errors[at] = errors[node.left] + errors[node.right]
            if errors[at] >= node.errors:
                node.feature, errors[at] = -1, node.errors


@dataclass(frozen=True, slots=True, eq=False)
class Pruning:
    """The pruning of one tree, by the errors estimated from its training examples."""

    nodes: list[TreeNode]
    features: Floats
    label: Mask
    options: C45Options = J48

    def prune(self, at: int) -> None:
        """Prune the branches of a node, then keep it, make it a leaf, or raise a branch."""
        node = self.nodes[at]
        if node.feature < 0:
            return
        self.prune(node.left)
        self.prune(node.right)
        left, right = self.nodes[node.left], self.nodes[node.right]
        largest = left if len(left.rows) > len(right.rows) else right
        tree = self.errors_below(at)
        leaf = self._feared(len(node.rows), node.positive)
        raised = self.errors_of(largest, node.rows) if self.options.raise_subtrees else inf
        if leaf <= tree + ERROR_SLACK and leaf <= raised + ERROR_SLACK:
            node.feature = -1
        elif raised <= tree + ERROR_SLACK:
            self._raise(at, largest)
            self.prune(at)

    def errors_below(self, at: int) -> float:
        """Errors estimated for the leaves of a subtree."""
        node = self.nodes[at]
        if node.feature < 0:
            return self._feared(len(node.rows), node.positive)
        return self.errors_below(node.left) + self.errors_below(node.right)

    def errors_of(self, node: TreeNode, rows: Ints) -> float:
        """Errors estimated for a subtree if it had to decide on these examples."""
        if node.feature < 0:
            return self._feared(len(rows), int(self.label[rows].sum()))
        goes_left = self.features[rows, node.feature] <= node.threshold
        return self.errors_of(self.nodes[node.left], rows[goes_left]) + self.errors_of(
            self.nodes[node.right], rows[~goes_left]
        )

    def _feared(self, total: int, positive: int) -> float:
        errors = min(positive, total - positive)
        return errors + extra_errors(total, errors, self.options.confidence)

    def _raise(self, at: int, branch: TreeNode) -> None:
        """Put a branch in the place of the node above it; all its examples go down anew."""
        node = self.nodes[at]
        node.feature, node.threshold = branch.feature, branch.threshold
        node.left, node.right = branch.left, branch.right
        self._hand_down(at, node.rows)

    def _hand_down(self, at: int, rows: Ints) -> None:
        node = self.nodes[at]
        node.rows, node.positive = rows, int(self.label[rows].sum())
        if node.feature >= 0:
            goes_left = self.features[rows, node.feature] <= node.threshold
            self._hand_down(node.left, rows[goes_left])
            self._hand_down(node.right, rows[~goes_left])


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
    kept, places, depths = [0], {0: 0}, [0]
    for place, at in enumerate(kept):  # grows while it is read
        if nodes[at].feature >= 0:
            for child in (nodes[at].left, nodes[at].right):
                places[child] = len(kept)
                kept.append(child)
                depths.append(depths[place] + 1)
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
        depth=max(depths),
        names=names,
    )
