"""Box Clustering Segmentation: Zeleny, Burget, Zendulka, IP&M 53(3), 2017.

Boxes of a rendered page that are neighbours and look alike are merged, the most similar first;
clusters must not overlap. Only the boxes are used, neither tags nor the tree.
"""

from pagelet.methods.segments.bcs.clustering import (
    Dendrogram,
    cut_at_widest_range,
    cut_to_count,
    merge_all,
)
from pagelet.methods.segments.bcs.options import MEAN, BcsOptions
from pagelet.methods.segments.bcs.similarity import BoxStyles, base_similarity
from pagelet.methods.segments.geometry.boxes import find_neighbours
from pagelet.methods.segments.geometry.partition import Segments
from pagelet.page.layout import Boxes


def cluster_boxes(
    boxes: Boxes, options: BcsOptions = MEAN, styles: BoxStyles | None = None
) -> Dendrogram:
    """Cluster the boxes down to the last merge; a threshold then cuts the dendrogram."""
    pairs = find_neighbours(boxes)
    similarity = base_similarity(boxes, pairs, options, styles)
    return merge_all(boxes, pairs, similarity, options)


def cut_by_options(tree: Dendrogram, options: BcsOptions) -> Segments:
    """Cut the dendrogram at the threshold, the count or the range that the options ask for."""
    if options.stop == "auto":
        return cut_at_widest_range(tree, options.max_loose)
    if options.stop == "count":
        return cut_to_count(tree, options.segments)
    return tree.cut(options.threshold)
