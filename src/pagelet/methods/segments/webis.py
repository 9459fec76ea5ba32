"""Segments as the JSON that public tools for page segmentations read.

The format is that of Kiesel, Kneist, Meyer, Komlossy, Stein, Potthast, Web Page Segmentation
Revisited, CIKM 2020, doi:10.1145/3340531.3412782: a page with its size and, by name, lists of
segments; a segment is a list of polygons, a polygon a list of rings, a ring a list of points
that ends where it begins. Lengths are whole pixels.
"""

from typing import Any

import numpy as np

from pagelet.methods.segments.geometry.partition import Segments

NAME = "pagelet"  #: of the segmentation


def webis_segmentation(id: str, segments: Segments, name: str = NAME) -> dict[str, Any]:
    """The segments of a page as one object; `id` is what the tools call the page."""
    width, height = segments.boxes.page_width, segments.boxes.page_height
    edges = segments.edges
    start = np.floor(edges[:, :2]).astype(np.int64)
    end = np.maximum(np.ceil(edges[:, 2:]).astype(np.int64), start + 1)  # a segment has an area
    corners = np.hstack((start, end)).tolist()
    return {
        "id": id,
        "height": max(int(np.ceil(height)), 1),
        "width": max(int(np.ceil(width)), 1),
        "segmentations": {name: [[[_ring(*each)]] for each in corners]},
    }


def _ring(left: int, top: int, right: int, bottom: int) -> list[list[int]]:
    """The corners of a rectangle, the first one again at the end."""
    return [[left, top], [left, bottom], [right, bottom], [right, top], [left, top]]
