"""Segments: numbers in reading order, edges around boxes, loose boxes."""

import numpy as np

from pagelet.methods.segments.geometry.partition import segments_of
from pagelet.page.boxes import boxes_of

BOXES = boxes_of([[0, 50, 10, 60], [20, 0, 30, 10], [0, 0, 10, 10], [0, 80, 5, 90], [9, 9, 9, 9]])


def test_segments_are_numbered_from_the_top_then_from_the_left():
    segments = segments_of(BOXES, np.array([7, 3, 5, 7, -1]))
    assert segments.number.tolist() == [2, 1, 0, 2, -1]
    assert segments.edges.tolist() == [[0, 0, 10, 10], [20, 0, 30, 10], [0, 50, 10, 90]]
    assert segments.members(2).tolist() == [0, 3]
    assert segments.loose.tolist() == [4]
    assert len(segments) == 3


def test_a_page_with_loose_boxes_alone():
    segments = segments_of(BOXES, np.full(5, -1))
    assert (len(segments), segments.loose.tolist()) == (0, [0, 1, 2, 3, 4])
    assert segments.edges.shape == (0, 4)


def test_a_page_without_boxes():
    segments = segments_of(boxes_of([]), np.zeros(0, int))
    assert (len(segments), segments.loose.tolist()) == (0, [])
