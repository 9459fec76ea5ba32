"""The page as it was drawn, for the report: its picture, its boxes, and how they are joined.

All joins of box clustering go into the report, so its reader can try every threshold without
anything being computed anew.
"""

import base64
from typing import Any

from pagelet.columns.boxes import Boxes
from pagelet.columns.layout import Rendering
from pagelet.measures.page_boxes import boxes_of_page
from pagelet.methods.segments_bcs import cluster_boxes
from pagelet.methods.segments_threshold import auto_segments

MOST_BOXES = 20_000  #: a page with more has no slider
MOST_BYTES = 24_000_000  #: of a picture that goes into the report
PLACES = 6  #: decimals of a threshold


def seen_of(rendering: Rendering) -> dict[str, Any]:
    """What the report's script needs to draw segments for any threshold."""
    boxes = boxes_of_page(rendering.page, rendering.layout)
    told = {"width": boxes.page_width, "height": boxes.page_height}
    if len(boxes) > MOST_BOXES:
        return told
    return told | _joined(boxes)


def _joined(boxes: Boxes) -> dict[str, Any]:
    """Boxes, the cluster that each box and cluster became part of, and when."""
    joins = cluster_boxes(boxes)
    return {
        "boxes": boxes.edges.round(1).tolist(),
        "parent": joins.parent.tolist(),
        "level": joins.level.round(PLACES).tolist(),
        "auto": round(auto_segments(joins, 0).threshold, PLACES),
    }


def picture_of(rendering: Rendering) -> str:
    """The picture as a data: URL; empty when there is none, or it is too large."""
    if not 0 < len(rendering.picture) <= MOST_BYTES:
        return ""
    return "data:image/png;base64," + base64.b64encode(rendering.picture).decode("ascii")
