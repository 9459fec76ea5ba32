"""Segments in the JSON form of public tools."""

import json

import numpy as np

from pagelet.methods.segments.answer import webis_segmentation
from pagelet.methods.segments.geometry.partition import segments_of
from pagelet.page.layout import boxes_of


def test_hand_worked():
    boxes = boxes_of([(10.5, 20, 30, 40), (30, 20, 49.2, 35), (5, 100, 5.5, 100)], page=(99.5, 200))
    found = webis_segmentation("000007", segments_of(boxes, np.array([0, 0, 1])))
    assert found == {
        "id": "000007",
        "height": 200,
        "width": 100,
        "segmentations": {
            "pagelet": [
                [[[[10, 20], [10, 40], [50, 40], [50, 20], [10, 20]]]],
                [[[[5, 100], [5, 101], [6, 101], [6, 100], [5, 100]]]],
            ]
        },
    }
    assert json.loads(json.dumps(found)) == found


def test_boxes_in_no_segment_are_left_out():
    boxes = boxes_of([(0, 0, 5, 5)])
    found = webis_segmentation("a", segments_of(boxes, np.array([-1])), "bcs")
    assert found["segmentations"] == {"bcs": []}


def test_a_page_without_boxes_has_a_size():
    found = webis_segmentation("a", segments_of(boxes_of([]), np.zeros(0, np.intp)))
    assert (found["width"], found["height"]) == (1, 1)
