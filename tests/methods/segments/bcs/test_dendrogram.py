"""Choosing a threshold: tree written by hand, then every threshold one by one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.methods.segments.bcs import cluster_boxes
from pagelet.methods.segments.bcs.clustering import Dendrogram, cut_at_widest_range, cut_to_count
from pagelet.page.layout import boxes_of
from tests import layouts


def tree_of(parent, level) -> Dendrogram:
    boxes = len(parent) - len(level)
    edges = [[20 * at, 0, 20 * at + 10, 10] for at in range(boxes)]
    return Dendrogram(boxes_of(edges), np.array(parent, np.int32), np.array(level), complete=True)


# six boxes: 0-1 at 0.1, 2-3 at 0.2, 4-5 at 0.3, the first two clusters at 0.5, all at 0.9
SIX = tree_of([6, 6, 7, 7, 8, 8, 9, 9, 10, 10, -1], [0.1, 0.2, 0.3, 0.5, 0.9])


def test_auto_takes_what_stays_longest():
    found = cut_at_widest_range(SIX, max_loose=0)
    assert found.number.tolist() == [0, 0, 0, 0, 1, 1]  # from 0.5 to 0.9
    assert found.threshold == 0.5


def test_auto_leaves_few_boxes_loose():
    slow = tree_of([6, 6, 7, 7, 8, 8, 9, 9, 10, 10, -1], [0.1, 0.2, 0.7, 0.8, 0.85])
    assert cut_at_widest_range(slow, max_loose=0.4).threshold == 0.2  # two of six are loose
    assert cut_at_widest_range(slow, max_loose=0.3).threshold == 0.7


def test_auto_does_not_take_the_whole_page():
    early = tree_of([4, 4, 5, 5, 6, 6, -1], [0.1, 0.2, 0.25])
    assert cut_at_widest_range(early, max_loose=0).number.tolist() == [0, 0, 1, 1]


def test_auto_does_all_when_nothing_fits():
    found = cut_at_widest_range(tree_of([3, 3, -1, -1], [0.4]), max_loose=0)
    assert (found.number.tolist(), found.threshold) == ([0, 0, -1], 1)


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        pytest.param(1, [0, 0, 0, 0, 0, 0], id="one, with no box left"),
        pytest.param(2, [0, 0, 0, 0, 1, 1], id="two, with no box left"),
        pytest.param(3, [0, 0, 1, 1, 2, 2], id="three"),
        pytest.param(9, [0, 0, 1, 1, 2, 2], id="as many as there are"),
    ],
)
def test_a_count(wanted, expected):
    assert cut_to_count(SIX, wanted).number.tolist() == expected


@given(layouts.layouts(), st.floats(0, 1))
def test_auto_is_a_threshold_of_the_page(boxes, max_loose):
    tree = cluster_boxes(boxes)
    found = cut_at_widest_range(tree, max_loose)
    assert tree.cut(found.threshold).number.tolist() == found.number.tolist()
    if len(found.loose) > max_loose * len(boxes):
        assert len(found.loose) == tree.loose[-1]


@given(layouts.layouts(), st.integers(1, 6))
def test_no_threshold_comes_nearer_to_a_count(boxes, wanted):
    tree = cluster_boxes(boxes)
    off = abs(len(cut_to_count(tree, wanted)) - wanted)
    assert off <= min(abs(len(tree.cut_after(at)) - wanted) for at in range(len(tree) + 1))


@given(layouts.layouts())
def test_counts_after_each_merge(boxes):
    tree = cluster_boxes(boxes)
    after = [tree.cut_after(at) for at in range(len(tree) + 1)]
    assert tree.loose.tolist() == [len(segments.loose) for segments in after]
    assert tree.clusters.tolist() == [len(segments) for segments in after]
