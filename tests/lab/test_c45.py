"""The C4.5 tree: against a plain twin, tables worked by hand, errors against the binomial."""

from dataclasses import replace
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagelet.lab.c45 import (
    J48,
    C45Options,
    Pruning,
    TreeNode,
    arrays_of,
    best_threshold,
    extra_errors,
    fit_c45,
    grow,
)
from tests.naive import c45 as naive

PLAIN = C45Options(min_split=False, raise_subtrees=False)


def shape(tree, at=0):
    """A fitted tree as nested tuples: (feature, threshold, left, right), or a leaf's share."""
    if tree.threshold[at] == np.inf:
        return float(tree.value[at])
    left = int(tree.left[at])
    below = shape(tree, left), shape(tree, left + 1)
    return int(tree.feature[at]), float(tree.threshold[at]), *below


def naive_shape(tree):
    if isinstance(tree, naive.Leaf):
        return tree.share(())
    return tree.feature, tree.threshold, naive_shape(tree.left), naive_shape(tree.right)


def table(*columns):
    """Rows from columns of values, the last of which is the class."""
    *values, label = columns
    return np.array(values, float).T, np.array(label, bool)


lines = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 3), st.booleans()), min_size=4, max_size=60
)


@settings(max_examples=60)
@given(lines, st.booleans(), st.booleans())
def test_trees_are_those_of_the_plain_twin(rows, min_split, raise_subtrees):
    options = C45Options(min_split=min_split, raise_subtrees=raise_subtrees)
    features, label = table(*zip(*rows, strict=True))
    expected = naive.fit([((float(a), float(b)), c) for a, b, c in rows], options)
    assert shape(fit_c45(features, label, ("a", "b"), options)) == naive_shape(expected)


@pytest.mark.parametrize("seed", range(3))
def test_large_trees_are_those_of_the_plain_twin(seed):
    """300 rows, so that the smallest split and raising both decide something."""
    random = np.random.default_rng(seed)
    features = random.integers(0, 12, (300, 3)).astype(float)
    label = (features[:, 0] > 5) & (features[:, 1] > 3) ^ (random.random(300) < 0.2)
    rows = list(zip(map(tuple, features.tolist()), label.tolist(), strict=True))
    names = ("a", "b", "c")
    for options in (J48, PLAIN, C45Options(raise_subtrees=False), C45Options(min_split=False)):
        expected = naive_shape(naive.fit(rows, options))
        assert shape(fit_c45(features, label, names, options)) == expected


def test_a_split_worked_by_hand():
    """Values 1 to 8, content from 4 on: of five thresholds that leave two on each side, 3.5 wins.

    The node has 3 of 8 noise: H(3/8) = 0.954434. At 3.5 both sides are pure, so that the gain is
    the entropy; one of five thresholds costs log2(5) / 8 = 0.290241. The split information is
    H(3/8) too.
    """
    values, label = np.arange(1.0, 9), np.arange(1, 9) >= 4
    split = best_threshold(values, label, 0, 2)
    assert (split.feature, split.threshold) == (0, 3.5)
    assert split.gain == pytest.approx(0.954434 - 0.290241, abs=1e-6)
    assert split.ratio == pytest.approx((0.954434 - 0.290241) / 0.954434, abs=1e-6)


def test_a_threshold_is_a_value_of_the_training_data():
    """The middle of 3 and 10 is 6.5; the greatest value of the whole table below it is 5.

    At the root the second column divides the table; of the rows with 0 in it, the first column
    divides 1, 2, 3 from 10, 11, 12, and 5 is a value of another branch.
    """
    rows = [(1, 0, 0), (2, 0, 0), (3, 0, 0), (10, 0, 1), (11, 0, 1), (12, 0, 1)]
    rows += [(2, 9, 1)] * 10 + [(5, 9, 1)] * 10
    nodes = grow(*table(*zip(*rows, strict=True)), PLAIN)
    below = next(node for node in nodes[1:] if node.feature == 0)
    assert below.threshold == 5
    assert len(below.rows) == 6


@pytest.mark.parametrize(
    ("total", "side"), [(4, 2), (40, 2), (60, 3), (100, 5), (500, 25), (5000, 25)]
)
def test_the_sides_of_a_split_need_a_tenth_of_the_rows_per_class(total, side):
    """A tenth of the rows over two classes: from 2 up to 25."""
    assert J48.min_side(total) == side
    assert PLAIN.min_side(total) == 2


def test_the_smallest_split_keeps_four_rows_from_being_cut_off():
    """100 rows, of which the first four alone are content: a side needs 5 of them.

    So the tree splits at 5, and the leaf of 5 has one error. With sides of two it splits at 4.
    """
    features, label = np.arange(1.0, 101)[:, None], np.arange(1, 101) <= 4
    assert shape(fit_c45(features, label, ("a",))) == (0, 5, 0.8, 0.0)
    assert shape(fit_c45(features, label, ("a",), PLAIN)) == (0, 4, 1.0, 0.0)


@pytest.mark.parametrize(("left", "right", "kept"), [(2, 2, False), (1, 3, False), (0, 9, True)])
def test_a_subtree_that_promises_no_fewer_errors_becomes_a_leaf(left, right, kept):
    """Twice ten rows with so many of the class content: (0, 9) alone is worth a question.

    (2, 2) and (1, 3) have four errors as a leaf and four as a tree: both collapse. For (0, 9) the
    tree has 1 error, and fears 10 (1 - 0.25^(1/10)) = 1.294 on the left.
    """
    features = np.repeat([0.0, 1.0], 10)[:, None]
    label = np.array([1] * left + [0] * (10 - left) + [1] * right + [0] * (10 - right), bool)
    tree = fit_c45(features, label, ("a",), PLAIN)
    assert (len(tree.feature) == 3) == kept
    assert extra_errors(10, 0, 0.25) == pytest.approx(1.2945, abs=1e-4)


def test_a_branch_replaces_the_node_above_it():
    """The first question cuts 4 of 44 rows off, two of each class; the second divides the other 40.

    Estimated errors, with confidence 0.25: the tree has 3.070 in the leaf of 4 and 1.340 in each
    leaf of 20, together 5.749. The branch alone would have 2.508 for 23 rows with one error and
    1.342 for 21 rows with none, together 3.850: it is raised. A leaf would have more than 22.
    """
    rows = [(0, 0, 0), (0, 0, 0), (0, 1, 1), (0, 0, 1)]
    rows += [(1, 0, 0)] * 20 + [(1, 1, 1)] * 20
    features, label = table(*zip(*rows, strict=True))
    every = np.arange(44)
    nodes = [
        TreeNode(every, 22, feature=0, threshold=0, left=1, right=2),
        TreeNode(every[:4], 2),
        TreeNode(every[4:], 20, feature=1, threshold=0, left=3, right=4),
        TreeNode(every[4:24], 0),
        TreeNode(every[24:], 20),
    ]
    pruning = Pruning(nodes, features, label)
    assert pruning.errors_below(1) == pytest.approx(3.070, abs=1e-3)
    assert pruning.errors_below(0) == pytest.approx(5.749, abs=1e-3)
    assert pruning.errors_of(nodes[2], every) == pytest.approx(3.850, abs=1e-3)
    kept = [replace(node) for node in nodes]
    Pruning(kept, features, label, C45Options(raise_subtrees=False)).prune(0)
    assert kept[0].feature == 0
    pruning.prune(0)
    assert shape(arrays_of(nodes, ("a", "b"))) == (1, 0, 1 / 23, 1.0)


@pytest.mark.parametrize(("total", "errors"), [(6, 0), (16, 1), (100, 10), (50, 20)])
def test_feared_errors_are_near_the_limit_of_the_binomial(total, errors):
    """The rate at which as few errors as these are seen in a quarter of all cases."""
    low, high = 0.0, 1.0
    for _ in range(60):
        rate = (low + high) / 2
        seen = sum(comb(total, k) * rate**k * (1 - rate) ** (total - k) for k in range(errors + 1))
        low, high = (rate, high) if seen > 0.25 else (low, rate)
    assert errors + extra_errors(total, errors, 0.25) == pytest.approx(low * total, rel=0.06)


def test_noise_is_pruned_and_a_rule_is_kept():
    chance = np.random.default_rng(3)
    lines = chance.random((400, 3))
    rule = lines[:, 1] > 0.6
    wrong = chance.random(400) < 0.1
    tree = fit_c45(lines, rule ^ wrong, ("a", "b", "c"))
    assert ((tree.predict(lines) >= 0.5) == rule).mean() > 0.97
    assert tree.names[tree.feature[0]] == "b"
    assert tree.threshold[0] == pytest.approx(0.6, abs=0.02)


def test_a_tree_of_one_class_is_a_leaf_and_all_leaves_have_two():
    lines = np.arange(10.0)[:, None]
    assert len(fit_c45(lines, np.ones(10, bool), ("a",)).feature) == 1
    label = np.array([0, 1] * 5, bool)
    assert min(len(node.rows) for node in grow(lines, label)) >= 2
    assert len(fit_c45(lines, label, ("a",)).feature) == 1
