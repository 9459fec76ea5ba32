"""The C4.5 tree: splits against a plain search, errors to be feared against the binomial."""

from itertools import pairwise
from math import comb, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.lab.c45 import TreeNode, best_split, extra_errors, fit_c45, grow, prune


def entropy(labels):
    share = sum(labels) / len(labels)
    return -sum(part * log2(part) for part in (share, 1 - share) if part)


def splits(values, labels, fewest):
    """Every threshold of one feature with its gain."""
    points = sorted(set(values))
    for low, high in pairwise(points):
        left = [label for value, label in zip(values, labels, strict=True) if value <= low]
        right = [label for value, label in zip(values, labels, strict=True) if value > low]
        if min(len(left), len(right)) >= fewest:
            parts = sum(len(part) * entropy(part) for part in (left, right)) / len(labels)
            share = len(left) / len(labels)
            gain = entropy(labels) - parts - log2(len(points) - 1) / len(labels)
            yield (low + high) / 2, gain, gain / entropy([1] * len(left) + [0] * len(right)), share


@given(st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=4, max_size=20))
def test_the_best_threshold_is_that_of_a_plain_search(rows):
    values, labels = [float(value) for value, _ in rows], [label for _, label in rows]
    found = best_split(np.array(values)[:, None], np.array(labels), 2)
    every = [split for split in splits(values, labels, 2) if 0 < sum(labels) < len(labels)]
    best = max((gain for _, gain, *_ in every), default=0)
    if best <= 1e-12:
        assert found is None or found.gain <= 1e-12
    else:
        assert found is not None
        assert found.gain == pytest.approx(best)
        assert any(found.threshold == at and found.gain == pytest.approx(g) for at, g, *_ in every)


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


@pytest.mark.parametrize(("left", "right", "kept"), [(2, 2, False), (1, 3, False), (0, 9, True)])
def test_a_subtree_that_promises_no_fewer_errors_becomes_a_leaf(left, right, kept):
    rows = np.arange(20)
    nodes = [TreeNode(rows, left + right, 0, feature=0, threshold=0.5, left=1, right=2)]
    nodes += [TreeNode(rows[:10], left, 1), TreeNode(rows[10:], right, 1)]
    prune(nodes, 0.25)
    assert (nodes[0].feature == 0) == kept


def test_a_tree_of_one_class_is_a_leaf_and_all_leaves_have_two():
    lines = np.arange(10.0)[:, None]
    assert len(fit_c45(lines, np.ones(10, bool), ("a",)).feature) == 1
    nodes = grow(lines, np.array([0, 1] * 5, bool), 2)
    assert min(len(node.rows) for node in nodes) >= 2
    prune(nodes, 0.25)
    assert nodes[0].feature == -1
