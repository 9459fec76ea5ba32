"""Boxes: what they hold, what they refuse."""

import pickle

import numpy as np
import pytest

from pagelet.page.layout import IMAGE, TEXT, boxes_of

TWO = [[0, 0, 10, 20], [5, 30, 25, 40]]


def test_columns_follow_from_edges():
    boxes = boxes_of(TWO, colour=[[1, 2, 3], [4, 5, 6]], kind=[TEXT, IMAGE], row=[7, -1])
    assert boxes.width.tolist() == [10, 20]
    assert boxes.height.tolist() == [20, 10]
    assert boxes.area.tolist() == [200, 200]
    assert boxes.edges.tolist() == TWO
    assert (boxes.page_width, boxes.page_height) == (25, 40)
    assert boxes.colour.dtype == np.uint8
    assert boxes.kind.tolist() == [TEXT, IMAGE]
    assert boxes.row.tolist() == [7, -1]


def test_some_of_the_boxes():
    boxes = boxes_of(TWO, row=[3, 4], page=(100, 200))
    chosen = boxes.take(np.array([False, True]))
    assert (chosen.edges.tolist(), chosen.row.tolist()) == (TWO[1:], [4])
    assert (chosen.page_width, chosen.page_height) == (100, 200)


def test_columns_are_read_only_also_after_pickling():
    for boxes in (boxes_of(TWO), pickle.loads(pickle.dumps(boxes_of(TWO)))):
        with pytest.raises(ValueError, match="read-only"):
            boxes.left[0] = 1


def test_what_was_given_may_change_later():
    given = np.array(TWO, float)
    boxes = boxes_of(given)
    given[0, 0] = 99
    assert boxes.left[0] == 0


def test_a_page_without_boxes():
    boxes = boxes_of([])
    assert (len(boxes), boxes.edges.shape, boxes.colour.shape) == (0, (0, 4), (0, 3))


@pytest.mark.parametrize(
    "edges",
    [
        pytest.param([[5, 0, 4, 1]], id="ends before it begins"),
        pytest.param([[0, 2, 4, 1]], id="upside down"),
        pytest.param([[0, 0, np.nan, 1]], id="no number"),
        pytest.param([[0, 0, np.inf, 1]], id="without end"),
    ],
)
def test_no_box_at_all(edges):
    with pytest.raises(
        ValueError, match="a box has an edge that is not finite, or ends before it begins"
    ):
        boxes_of(edges)
