"""A C4.5 tree with the choices of J48, in plain loops over rows: the twin of `pagelet.lab.c45`.

A row is a tuple of values and a class; a tree is a `Leaf` or a `Fork` that holds its rows.
"""

from dataclasses import dataclass
from itertools import pairwise
from math import log2

from pagelet.lab.c45 import extra_errors

Row = tuple[tuple[float, ...], bool]


@dataclass
class Leaf:
    rows: list[Row]

    def share(self, _values):
        return sum(label for _, label in self.rows) / max(len(self.rows), 1)


@dataclass
class Fork:
    rows: list[Row]
    feature: int
    threshold: float
    left: "Leaf | Fork"
    right: "Leaf | Fork"

    def share(self, values):
        goes_left = values[self.feature] <= self.threshold
        return (self.left if goes_left else self.right).share(values)


def shape(tree):
    """A tree as nested tuples: (feature, threshold, left, right), or (content, all) of a leaf."""
    if isinstance(tree, Leaf):
        return sum(label for _, label in tree.rows), len(tree.rows)
    return tree.feature, tree.threshold, shape(tree.left), shape(tree.right)


def fit(rows, options):
    return prune(collapse(grow(rows, options, rows)), options)


def entropy(rows):
    shares = [sum(label is kind for _, label in rows) / len(rows) for kind in (False, True)]
    return -sum(share * log2(share) for share in shares if share)


def parts(rows, feature, threshold):
    left = [row for row in rows if row[0][feature] <= threshold]
    return left, [row for row in rows if row[0][feature] > threshold]


def min_side(total, options):
    side = 0.1 * total / 2
    if not options.min_split or side <= options.min_leaf:
        return options.min_leaf
    return min(side, 25)


def thresholds(rows, feature, options):
    """(gain, middle, split information) of each threshold with enough rows on both sides."""
    values = sorted({values[feature] for values, _ in rows})
    for low, high in pairwise(values):
        if low + 1e-5 < high:
            left, right = parts(rows, feature, (low + high) / 2)
            if min(len(left), len(right)) >= min_side(len(rows), options):
                share = len(left) / len(rows)
                after = share * entropy(left) + (1 - share) * entropy(right)
                information = -share * log2(share) - (1 - share) * log2(1 - share)
                yield entropy(rows) - after, (low + high) / 2, information


def best(rows, options):
    """(feature, middle) of the split with the best gain ratio, None where none gains."""
    found = []
    for feature in range(len(rows[0][0])):
        every = list(thresholds(rows, feature, options))
        chosen = (0.0, 0.0, 1.0)
        for each in every:
            if each[0] > chosen[0] + 1e-6:
                chosen = each
        gain, middle, information = chosen
        if every and gain - log2(len(every)) / len(rows) > 1e-6:
            gain -= log2(len(every)) / len(rows)
            found.append((gain, gain / information, feature, middle))
    mean = sum(gain for gain, *_ in found) / max(len(found), 1)
    most, winner = 0.0, None
    for gain, ratio, feature, middle in found:
        if gain >= mean - 1e-3 and ratio > most + 1e-6:
            most, winner = ratio, (feature, middle)
    return winner


def grow(rows, options, every):
    if len(rows) < 2 * options.min_leaf or len({label for _, label in rows}) < 2:
        return Leaf(rows)
    split = best(rows, options)
    if split is None:
        return Leaf(rows)
    feature, middle = split
    threshold = max(values[feature] for values, _ in every if values[feature] <= middle)
    left, right = parts(rows, feature, threshold)
    return Fork(rows, feature, threshold, grow(left, options, every), grow(right, options, every))


def wrong(rows):
    positive = sum(label for _, label in rows)
    return min(positive, len(rows) - positive)


def leaves(tree):
    return [tree] if isinstance(tree, Leaf) else leaves(tree.left) + leaves(tree.right)


def collapse(tree):
    if isinstance(tree, Leaf):
        return tree
    if sum(wrong(leaf.rows) for leaf in leaves(tree)) >= wrong(tree.rows):
        return Leaf(tree.rows)
    tree.left, tree.right = collapse(tree.left), collapse(tree.right)
    return tree


def feared(rows, options):
    return wrong(rows) + extra_errors(len(rows), wrong(rows), options.confidence)


def redistribute(tree, rows):
    """The same questions for other rows."""
    if isinstance(tree, Leaf):
        return Leaf(rows)
    left, right = parts(rows, tree.feature, tree.threshold)
    below = redistribute(tree.left, left), redistribute(tree.right, right)
    return Fork(rows, tree.feature, tree.threshold, *below)


def prune(tree, options):
    if isinstance(tree, Leaf):
        return tree
    tree.left, tree.right = prune(tree.left, options), prune(tree.right, options)
    larger = tree.left if len(tree.left.rows) > len(tree.right.rows) else tree.right
    raised = redistribute(larger, tree.rows)
    as_leaf = feared(tree.rows, options)
    as_tree = sum(feared(leaf.rows, options) for leaf in leaves(tree))
    as_branch = sum(feared(leaf.rows, options) for leaf in leaves(raised))
    if not options.raise_subtrees:
        as_branch = float("inf")
    if as_leaf <= as_tree + 0.1 and as_leaf <= as_branch + 0.1:
        return Leaf(tree.rows)
    return prune(raised, options) if as_branch <= as_tree + 0.1 else tree
