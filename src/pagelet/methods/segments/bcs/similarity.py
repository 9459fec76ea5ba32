"""Similarity of neighbouring boxes: Zeleny, Burget, Zendulka, IP&M 53(3), 2017, section 6.1.

The paper calls it similarity although it is a distance: 0 for boxes that are alike, 1 for those
that are not.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Bytes, Floats, Int64s, Mask
from pagelet.methods.segments.bcs.options import MEAN, BcsOptions
from pagelet.methods.segments.geometry.boxes import NeighbourPairs
from pagelet.methods.segments.geometry.partition import find_root
from pagelet.page.layout import Boxes

# -- alignment, as the authors' program of 2016 counts it --------------------------------------


MAX_LINE_GAP = 1.5  #: widest gap in a line, in shortest edges of the pair
NO_EDGE, NEAR_EDGE, FAR_EDGE = 0, 1, 2  #: shared edge: none, left or top, only right or bottom


def alignment_score(boxes: Boxes, pairs: NeighbourPairs) -> Int64s:
    """Number of boxes in line with each pair, both counted; 1 for a pair in no line."""
    side = _shared_edge(boxes, pairs)
    shortest = np.minimum(boxes.width, boxes.height)
    reach = np.floor(MAX_LINE_GAP * np.minimum(shortest[pairs.first], shortest[pairs.second]))
    lined = side != NO_EDGE
    score = np.ones(len(pairs), np.int64)
    for vertical in (True, False):
        for edge in (NEAR_EDGE, FAR_EDGE):
            chosen = np.flatnonzero(lined & (pairs.vertical == vertical) & (side == edge))
            score[chosen] = _line_sizes(len(boxes), pairs.take(chosen), reach[chosen])
    return score


def _shared_edge(boxes: Boxes, pairs: NeighbourPairs) -> NDArray[np.int8]:
    a, b = pairs.first, pairs.second
    near = np.where(pairs.vertical, boxes.left[a] == boxes.left[b], boxes.top[a] == boxes.top[b])
    right, bottom = boxes.right, boxes.bottom
    far = np.where(pairs.vertical, right[a] == right[b], bottom[a] == bottom[b])
    return np.where(near, NEAR_EDGE, np.where(far, FAR_EDGE, NO_EDGE)).astype(np.int8)


def _line_sizes(boxes: int, pairs: NeighbourPairs, reach: Floats) -> Int64s:
    """The number of boxes connected with each pair by gaps of at most its reach.

    A union-find takes the pairs in order of their gaps; a pair reads its size once all gaps
    within its reach are closed.
    """
    links = len(pairs)
    order = np.lexsort((np.repeat((0, 1), links), np.concatenate((pairs.gap, reach))))
    firsts, seconds = pairs.first.tolist(), pairs.second.tolist()
    parents, size = list(range(boxes)), [1] * boxes
    sizes = np.ones(links, np.int64)
    within = (pairs.gap <= reach).tolist()
    for event in order.tolist():
        if event < links:
            one, other = find_root(parents, firsts[event]), find_root(parents, seconds[event])
            if one != other:
                one, other = (one, other) if size[one] >= size[other] else (other, one)
                parents[other] = one
                size[one] += size[other]
        elif within[event - links]:
            sizes[event - links] = size[find_root(parents, firsts[event - links])]
    return sizes


# -- colour distances, from 0 to 1 -----------------------------------------------------------


D65_WHITE = np.array([0.95047, 1.0, 1.08883])  #: white point of sRGB, in XYZ
SRGB_TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375],
     [0.2126729, 0.7151522, 0.0721750],
     [0.0193339, 0.1191920, 0.9503041]]
)  # fmt: skip
MAX_LAB_DISTANCE = 258.6827  #: greatest distance of two sRGB colours, pure blue to pure green
MAX_LCH_DISTANCE = 149.6980  #: greatest distance of two sRGB colours, pure blue to white


def rgb_distance(one: Bytes, other: Bytes) -> Floats:
    """Euclidean distance in sRGB (equation 15)."""
    return np.asarray(_length((one.astype(np.float64) - other) / 255) / np.sqrt(3))


def lab_distance(one: Bytes, other: Bytes) -> Floats:
    """Euclidean distance in CIELAB, CIE 1976."""
    return np.minimum(_length(to_lab(one) - to_lab(other)) / MAX_LAB_DISTANCE, 1)


def lch_distance(one: Bytes, other: Bytes) -> Floats:
    """Colour difference CIE94, weighted by the geometric mean of both chromas."""
    first, second = to_lab(one), to_lab(other)
    chroma, other_chroma = _length(first[..., 1:]), _length(second[..., 1:])
    shift = (first - second) ** 2
    by_chroma = (chroma - other_chroma) ** 2
    by_hue = np.maximum(shift[..., 1] + shift[..., 2] - by_chroma, 0)
    mean = np.sqrt(chroma * other_chroma)
    by_chroma /= (1 + 0.045 * mean) ** 2
    by_hue /= (1 + 0.015 * mean) ** 2
    return np.minimum(np.sqrt(shift[..., 0] + by_chroma + by_hue) / MAX_LCH_DISTANCE, 1)


def linear_rgb(colours: Bytes) -> Floats:
    """Linear light of sRGB colours, from 0 to 1."""
    share = colours / 255
    return np.where(share > 0.04045, ((share + 0.055) / 1.055) ** 2.4, share / 12.92)


def to_lab(colours: Bytes) -> Floats:
    """Convert sRGB to CIELAB: lightness, green to red, blue to yellow."""
    xyz = linear_rgb(colours) @ SRGB_TO_XYZ.T / D65_WHITE
    root = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    x, y, z = root[..., 0], root[..., 1], root[..., 2]
    return np.stack((116 * y - 16, 500 * (x - y), 200 * (y - z)), axis=-1)


def _length(vectors: Floats) -> Floats:
    return np.asarray(np.sqrt((vectors * vectors).sum(axis=-1)))


COLOUR_DISTANCES: dict[str, Callable[[Bytes, Bytes], Floats]] = {
    "rgb": rgb_distance,
    "lab": lab_distance,
    "lch": lch_distance,
}


# -- similarity -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class BoxStyles:
    """Font and background of each box, which the paper does not compare."""

    font_size: Floats
    font_weight: Floats
    background: Bytes  #: red, green, blue behind the box


def style_difference(styles: BoxStyles, pairs: NeighbourPairs) -> Floats:
    """Difference of font sizes, font weights and backgrounds within each pair, from 0 to 1."""
    one, other = pairs.first, pairs.second
    parts = []
    for values in (styles.font_size, styles.font_weight):
        most = np.maximum(np.maximum(values[one], values[other]), 1)
        parts.append(np.abs(values[one] - values[other]) / most)
    ground = rgb_distance(styles.background[one], styles.background[other])
    return np.asarray((np.maximum(*parts) + ground) / 2)


def base_similarity(
    boxes: Boxes,
    pairs: NeighbourPairs,
    options: BcsOptions = MEAN,
    styles: BoxStyles | None = None,
) -> Floats:
    """Similarity of the boxes of each pair (equation 4).

    By the printed formula a distance of 1 makes two boxes entirely dissimilar, so that evenly
    spaced lines would never merge: `literal`. The authors' programs differ: before November 2016
    a box whose neighbours are all equally far had a distance of 0 to them, `equidistant`; since
    then a distance of 1 counts like any other, `mean`.
    """
    distance = relative_distance(boxes, pairs)
    if options.far == "equidistant":
        distance = np.where(_has_equidistant_neighbours(boxes, pairs), 0.0, distance)
    colour = COLOUR_DISTANCES[options.colours](
        boxes.colour[pairs.first], boxes.colour[pairs.second]
    )
    parts = options.distance_weight * distance + options.colour_weight * colour
    parts += options.shape_weight * shape_difference(boxes, pairs)
    total = options.distance_weight + options.shape_weight + options.colour_weight
    if styles is not None and options.style_weight:
        parts += options.style_weight * style_difference(styles, pairs)
        total += options.style_weight
    mean = parts / (total or 1)
    if options.aligned:
        mean /= 2 * alignment_score(boxes, pairs)
    if options.far == "literal":
        mean = np.where(distance == 1, 1.0, mean)
    return np.where(distance == 0, 0.0, np.minimum(mean, 1))


def relative_distance(boxes: Boxes, pairs: NeighbourPairs) -> Floats:
    """Gap of each pair, relative to the widest gap to a neighbour; the mean of both boxes."""
    widest = np.zeros(len(boxes))
    np.maximum.at(widest, pairs.first, pairs.gap)
    np.maximum.at(widest, pairs.second, pairs.gap)
    safe = np.where(widest > 0, widest, 1)
    return (pairs.gap / safe[pairs.first] + pairs.gap / safe[pairs.second]) / 2


def _has_equidistant_neighbours(boxes: Boxes, pairs: NeighbourPairs) -> Mask:
    """Mark the pairs in which a box has all its neighbours at one distance."""
    ends = np.concatenate((pairs.first, pairs.second))
    gaps = np.concatenate((pairs.gap, pairs.gap))
    least, most = np.full(len(boxes), np.inf), np.zeros(len(boxes))
    np.minimum.at(least, ends, gaps)
    np.maximum.at(most, ends, gaps)
    even = least == most
    return np.asarray(even[pairs.first] | even[pairs.second])


def shape_difference(boxes: Boxes, pairs: NeighbourPairs) -> Floats:
    """Difference of aspect ratio and size within each pair (equations 8 to 14)."""
    area = boxes.area
    one, other = area[pairs.first], area[pairs.second]
    size = 1 - np.minimum(one, other) / np.maximum(one, other)
    return (ratio_difference(boxes, pairs) + size) / 2


def ratio_difference(boxes: Boxes, pairs: NeighbourPairs) -> Floats:
    """Difference of the aspect ratios within each pair (equation 10), at most 1.

        ratio = (R - q) / ((R² - 1) / R)

    R, q: the greater and the smaller ratio of width to height. It is 1 for a box and the same
    box rotated by a right angle. The formula turns negative for two boxes in portrait format, so
    its absolute value is taken; equal ratios differ by 0, and a square differs by 1 from any box
    in portrait format.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        r = boxes.width / boxes.height
    R = np.maximum(r[pairs.first], r[pairs.second])
    q = np.minimum(r[pairs.first], r[pairs.second])
    turned = np.abs(R - 1 / R)
    ratio = np.where(turned > 0, (R - q) / np.where(turned > 0, turned, 1), 1)
    return np.where(q == R, 0.0, np.minimum(ratio, 1))
