"""The clustering loop on given relations: overlaps, ties, discarded candidates."""

import numpy as np
import pytest

from pagelet.methods.segments.bcs.clustering import merge_all
from pagelet.methods.segments.bcs.options import BcsOptions
from pagelet.methods.segments.geometry.boxes import NeighbourPairs
from pagelet.page.layout import boxes_of

LEFT, RIGHT = [0, 0, 10, 10], [30, 0, 40, 10]


def all_merges(edges, links, options=None):
    """The dendrogram for relations (box, box) -> similarity."""
    first, second = np.array(list(links), np.int32).reshape(-1, 2).T
    pairs = NeighbourPairs(first, second, np.zeros(len(first)), np.zeros(len(first), np.bool_))
    similarity = np.array(list(links.values()), float)
    return merge_all(boxes_of(edges), pairs, similarity, options or BcsOptions())


def joined(edges, links, options=None, threshold=1.0):
    """The segment of each box, for relations (box, box) -> similarity."""
    return all_merges(edges, links, options).cut(threshold).number.tolist()


def test_a_box_between_is_taken_in():
    assert joined([LEFT, RIGHT, [15, 5, 25, 8]], {(0, 1): 0.1}) == [0, 0, 0]


def test_a_box_that_only_touches_is_not():
    assert joined([LEFT, RIGHT, [15, 10, 25, 18]], {(0, 1): 0.1}) == [0, 0, -1]


TALL = [LEFT, RIGHT, [15, 5, 25, 30], [0, 20, 10, 28]]  # what is taken in reaches another one


@pytest.mark.parametrize(
    ("rounds", "expected"),
    [
        pytest.param(0, [-1, -1, -1, -1], id="nothing is taken in"),
        pytest.param(1, [-1, -1, -1, -1], id="what is taken in options again"),
        pytest.param(2, [0, 0, 0, 0], id="that is taken in as well"),
    ],
)
def test_rounds(rounds, expected):
    assert joined(TALL, {(0, 1): 0.1}, BcsOptions(rounds=rounds)) == expected


CLUSTER_BETWEEN = [LEFT, RIGHT, [15, 5, 25, 8], [15, 12, 25, 15]]


@pytest.mark.parametrize(
    ("absorb", "expected"),
    [
        pytest.param(False, [-1, -1, 0, 0], id="a cluster in the way forbids"),
        pytest.param(True, [0, 0, 0, 0], id="a cluster in the way is taken in"),
    ],
)
def test_a_cluster_between(absorb, expected):
    links = {(2, 3): 0.1, (0, 1): 0.2}
    assert joined(CLUSTER_BETWEEN, links, BcsOptions(absorb=absorb)) == expected


@pytest.mark.parametrize(
    ("forget", "expected"),
    [
        pytest.param(False, [0, 0, 0, 0], id="tried again when the cluster between has joined"),
        pytest.param(True, [0, -1, 0, 0], id="discarded for ever"),
    ],
)
def test_what_was_discarded(forget, expected):
    links = {(2, 3): 0.1, (0, 1): 0.2, (0, 2): 0.3}
    assert joined(CLUSTER_BETWEEN, links, BcsOptions(forget=forget)) == expected


def test_what_was_discarded_waits_for_its_turn():
    # 0 and 1 are discarded because of the cluster 2-3, and joined once it has joined 0
    links = {(2, 3): 0.1, (0, 1): 0.2, (0, 2): 0.3}
    assert joined(CLUSTER_BETWEEN, links, threshold=0.29) == [-1, -1, 0, 0]
    assert joined(CLUSTER_BETWEEN, links, threshold=0.3) == [0, 0, 0, 0]


ROW = [[20 * at, 0, 20 * at + 10, 10] for at in range(5)]


def test_a_cluster_is_as_unlike_as_the_mean_of_its_connections():
    links = {(0, 1): 0.1, (0, 2): 0.3, (1, 2): 0.7}
    assert joined(ROW[:3], links, threshold=0.49) == [0, 0, -1]
    assert joined(ROW[:3], links, threshold=0.5) == [0, 0, 0]


@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        pytest.param(
            [[0, 0, 10, 12], [20, 0, 40, 10], [50, 0, 60, 10]], [-1, 0, 0], id="smaller area first"
        ),
        pytest.param(
            [[0, 9, 10, 19], [20, 8, 30, 18], [40, 7, 50, 17]], [-1, 0, 0], id="then the upper one"
        ),
        pytest.param(
            [[40, 0, 50, 10], [20, 0, 30, 10], [0, 0, 10, 10]], [-1, 0, 0], id="then the left one"
        ),
    ],
)
def test_ties(edges, expected):
    tree = all_merges(edges, {(0, 1): 0.2, (1, 2): 0.2})
    assert tree.cut_after(1).number.tolist() == expected


def test_the_upper_one_of_a_pair_decides_a_tie():
    tops = [5, 20, 6, 7]
    edges = [[100 * at, top, 100 * at + 10, top + 10] for at, top in enumerate(tops)]
    tree = all_merges(edges, {(2, 3): 0.2, (0, 1): 0.2})
    assert tree.cut_after(1).number.tolist() == [0, 0, -1, -1]


def test_the_empty_middle_of_a_cluster_is_its_own():
    # two pairs that cross, where no box is, among many boxes above and below
    cross = [[0, 500, 10, 510], [990, 500, 1000, 510], [500, 400, 510, 410], [500, 600, 510, 610]]
    above = [[25 * at % 1000, at // 40 * 20, 25 * at % 1000 + 9, at // 40 * 20 + 9]
             for at in range(400)]  # fmt: skip
    below = [[left, top + 700, right, bottom + 700] for left, top, right, bottom in above]
    found = joined([*cross, *above, *below], {(0, 1): 0.1, (2, 3): 0.2})
    assert found[:4] == [0, 0, -1, -1]


@pytest.mark.parametrize(
    ("absorb", "expected"),
    [
        pytest.param(True, [0] * 7, id="what forbade it can be taken in when it has grown"),
        pytest.param(False, [1, 0, -1, 0, 1, -1, -1], id="it forbids for ever"),
    ],
)
def test_what_forbids_may_grow_before_a_relation_has_its_turn(absorb, expected):
    edges = [
        [50, 85, 60, 90],
        [0, 100, 10, 110],
        [30, 100, 40, 110],  # these two overlap the last two, which reach the first
        [0, 80, 10, 95],  # tree the second one: then it and the third come to 0.5
        [20, 85, 25, 88],  # tree the first one, which then lies in their way
        [35, 108, 70, 114],
        [12, 82, 14, 103],
    ]
    links = {(1, 2): 0.1, (1, 3): 0.2, (2, 3): 0.9, (0, 4): 0.3}
    assert joined(edges, links, BcsOptions(absorb=absorb)) == expected


def test_with_more_rounds_a_larger_candidate_may_succeed():
    edges = [LEFT, RIGHT, [15, 5, 25, 30], [0, 20, 10, 48], [30, 40, 38, 45], [45, 0, 55, 22]]
    links = {(0, 1): 0.1, (1, 5): 0.2}  # the last one makes the fourth overlap at once
    assert joined(edges, links, BcsOptions(rounds=2)) == [0] * 6


def test_stopping_early_leaves_clusters_apart():
    links = {(0, 1): 0.1, (2, 3): 0.1, (1, 2): 0.5}
    assert joined(ROW[:4], links) == [0, 0, 0, 0]
    assert joined(ROW[:4], links, BcsOptions(stop_early=True)) == [0, 0, 1, 1]
    links[3, 4] = 0.4  # the fifth box is the only one left after two tree
    assert joined(ROW, links, BcsOptions(stop_early=True)) == [0, 0, 1, 1, -1]


def test_levels_never_fall():
    # after the second join, the mean of 0.1 and 0.5 is less than what was accepted before
    links = {(0, 1): 0.4, (0, 2): 0.5, (1, 2): 0.1, (2, 3): 0.6, (3, 4): 0.2}
    assert all_merges(ROW, links).level == pytest.approx([0.1, 0.2, 0.45, 0.6])


def test_no_relations():
    tree = all_merges(ROW, {})
    assert (len(tree), tree.cut(1.0).number.tolist()) == (0, [-1] * 5)
