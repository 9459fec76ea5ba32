"""Trees as arrays: random trees against a plain walk, explanations that add up, files."""

from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.lab.learners import trees_of
from pagelet.lab.menu.fit import feature_names
from pagelet.models.trees import BATCH_ROWS, Trees, load_shipped, read_trees

NAMES = ("a", "b", "c")

leaf = st.builds(
    lambda value, count: {"leaf_value": value, "leaf_count": count},
    st.integers(-8, 8),
    st.integers(1, 9),
)
split = st.recursive(
    leaf,
    lambda below: st.builds(
        lambda feature, threshold, left, right: {
            "split_feature": feature,
            "threshold": threshold,
            "left_child": left,
            "right_child": right,
        },
        st.integers(0, 2),
        st.integers(-3, 3),
        below,
        below,
    ),
    max_leaves=8,
)
forests = st.lists(st.builds(lambda top: {"tree_structure": top}, split), min_size=1, max_size=5)
lines = st.lists(st.tuples(*[st.integers(-4, 4)] * 3), min_size=1, max_size=6)


def walk(node, line):
    while "split_feature" in node:
        side = "left" if line[node["split_feature"]] <= node["threshold"] else "right"
        node = node[f"{side}_child"]
    return node["leaf_value"]


def mean(node):
    """Mean of the leaves and how many examples they saw."""
    if "leaf_value" in node:
        return node["leaf_value"], node["leaf_count"]
    (left, few), (right, many) = mean(node["left_child"]), mean(node["right_child"])
    return (left * few + right * many) / (few + many), few + many


@given(forests, lines)
def test_predict_equals_a_plain_walk(forest, features):
    found = trees_of(forest, NAMES).predict(np.array(features, float))
    expected = [sum(walk(tree["tree_structure"], line) for tree in forest) for line in features]
    np.testing.assert_allclose(found, expected)


thirds = st.integers(-9, 9).map(lambda value: value / 3)


@given(forests, st.lists(st.tuples(thirds, thirds, thirds), min_size=1, max_size=6))
def test_singles_go_the_way_that_doubles_of_them_go(forest, features):
    for tree in forest:
        shift(tree["tree_structure"])
    trees, single = trees_of(forest, NAMES), np.array(features, np.float32)
    assert trees.predict(single).tolist() == trees.predict(single.astype(float)).tolist()


def shift(node):
    """Put thresholds where singles round."""
    while "split_feature" in node:
        node["threshold"] = node["threshold"] / 3
        shift(node["left_child"])
        node = node["right_child"]


def test_many_rows_are_answered_in_parts_as_alone():
    below = {"split_feature": 1, "threshold": 2, "left_child": {"leaf_value": 1.0},
             "right_child": {"leaf_value": 2.0}}  # fmt: skip
    top = {"split_feature": 0, "threshold": 0, "left_child": below, "right_child": below}
    trees = trees_of([{"tree_structure": top}], NAMES)
    features = np.random.default_rng(1).integers(-4, 5, (BATCH_ROWS + 3, 3)).astype(np.float32)
    assert trees.predict(features).tolist() == np.where(features[:, 1] > 2, 2.0, 1.0).tolist()
    assert trees.predict(features[:0]).tolist() == []


@given(forests, lines)
def test_some_trees_and_the_rest_are_all(forest, features):
    trees, table = trees_of(forest, NAMES), np.array(features, float)
    parts = trees.predict(table, slice(None, 1)) + trees.predict(table, slice(1, None))
    np.testing.assert_allclose(parts, trees.predict(table))


@given(forests, lines)
def test_effects_add_up_to_what_the_features_changed(forest, features):
    trees = trees_of(forest, NAMES)
    line = np.array(features[0], float)
    base = sum(mean(tree["tree_structure"])[0] for tree in forest)
    effects = trees.explain(line)
    assert base + sum(effects.values()) == pytest.approx(trees.predict(line[None, :])[0])
    assert list(map(abs, effects.values())) == sorted(map(abs, effects.values()), reverse=True)


@given(forests, lines)
def test_one_tree_is_walked_as_many_are(forest, features):
    trees = trees_of(forest[:1], NAMES)
    line = np.array(features[0], float)
    one, many = trees._walk_one(line), trees._walk_all(line)
    assert [part.tolist() for part in one] == [part.tolist() for part in many]


def test_a_file_brings_back_the_same_trees(tmp_path):
    top = {
        "split_feature": 1,
        "threshold": 0.1,
        "left_child": {"leaf_value": 0.25, "leaf_count": 3},
        "right_child": {"leaf_value": -1.5, "leaf_count": 1},
    }
    trees = trees_of([{"tree_structure": top}], NAMES)
    (tmp_path / "t.npz").write_bytes(trees.to_bytes())
    again = read_trees((tmp_path / "t.npz").read_bytes(), "t")
    assert (again.names, again.depth) == (trees.names, trees.depth)
    table = np.array([[0, 0.1, 0], [0, np.nextafter(0.1, 1), 0]])
    assert again.predict(table).tolist() == [0.25, -1.5]


def test_the_shipped_model_is_small_and_asks_for_features_that_are_measured():
    model = load_shipped("pagelet.methods.menu", "menu")
    assert isinstance(model, Trees)
    assert model.names == feature_names()[0]
    assert (files("pagelet.methods.menu") / "menu.npz").stat().st_size < 1_000_000
