"""How unlike two neighbouring boxes are: Zeleny, Burget, Zendulka, IP&M 53(3), 2017, section 6.1.

The paper calls it similarity, though 0 says that two boxes are alike and 1 that they are not.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Bytes, Floats, Int64s, Mask
from pagelet.methods.segments.geometry.neighbours import Relations, top
from pagelet.page.boxes import Boxes

# -- How many boxes stand in line with a pair of neighbours, as the authors' program of 2016 counts


REACH = 1.5  #: gap that a line may have, in shortest edges of the pair
NO_SIDE, NEAR, FAR = 0, 1, 2  #: left or top edges agree; only right or bottom ones do


def alignment_score(boxes: Boxes, pairs: Relations) -> Int64s:
    """The boxes of each pair's line, both counted; 1 when it is in no line or too far apart."""
    side = _shared_side(boxes, pairs)
    shortest = np.minimum(boxes.width, boxes.height)
    reach = np.floor(REACH * np.minimum(shortest[pairs.first], shortest[pairs.second]))
    lined = side != NO_SIDE
    score = np.ones(len(pairs), np.int64)
    for upright in (True, False):
        for edge in (NEAR, FAR):
            chosen = np.flatnonzero(lined & (pairs.upright == upright) & (side == edge))
            score[chosen] = _line_sizes(len(boxes), pairs.take(chosen), reach[chosen])
    return score


def _shared_side(boxes: Boxes, pairs: Relations) -> NDArray[np.int8]:
    a, b = pairs.first, pairs.second
    near = np.where(pairs.upright, boxes.left[a] == boxes.left[b], boxes.top[a] == boxes.top[b])
    right, bottom = boxes.right, boxes.bottom
    far = np.where(pairs.upright, right[a] == right[b], bottom[a] == bottom[b])
    return np.where(near, NEAR, np.where(far, FAR, NO_SIDE)).astype(np.int8)


def _line_sizes(boxes: int, pairs: Relations, reach: Floats) -> Int64s:
    """The boxes that hang together with each pair over gaps of at most its reach.

    Pairs join in order of their gaps, and each asks when all within its reach have joined.
    """
    links = len(pairs)
    order = np.lexsort((np.repeat((0, 1), links), np.concatenate((pairs.gap, reach))))
    firsts, seconds = pairs.first.tolist(), pairs.second.tolist()
    above, size = list(range(boxes)), [1] * boxes
    sizes = np.ones(links, np.int64)
    within = (pairs.gap <= reach).tolist()
    for event in order.tolist():
        if event < links:
            one, other = top(above, firsts[event]), top(above, seconds[event])
            if one != other:
                one, other = (one, other) if size[one] >= size[other] else (other, one)
                above[other] = one
                size[one] += size[other]
        elif within[event - links]:
            sizes[event - links] = size[top(above, firsts[event - links])]
    return sizes


# -- How different two colours are, from 0 to 1, in three colour spaces -----------------------


WHITE = np.array([0.95047, 1.0, 1.08883])  #: daylight, 6500 kelvin
XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375],
     [0.2126729, 0.7151522, 0.0721750],
     [0.0193339, 0.1191920, 0.9503041]]
)  # fmt: skip
LAB_REACH = 258.6827  #: pure blue to pure green, the most that two screen colours differ
LCH_REACH = 149.6980  #: the most by `lch_distance`, pure blue to white


def rgb_distance(one: Bytes, other: Bytes) -> Floats:
    """Euclidean distance of red, green and blue (equation 15 of the BCS paper)."""
    return np.asarray(_length((one.astype(np.float64) - other) / 255) / np.sqrt(3))


def lab_distance(one: Bytes, other: Bytes) -> Floats:
    """Euclidean distance in the Lab space, CIE 1976."""
    return np.minimum(_length(lab(one) - lab(other)) / LAB_REACH, 1)


def lch_distance(one: Bytes, other: Bytes) -> Floats:
    """Distance of lightness, chroma and hue, CIE 1994, with the chroma of both colours."""
    first, second = lab(one), lab(other)
    chroma, other_chroma = _length(first[..., 1:]), _length(second[..., 1:])
    shift = (first - second) ** 2
    by_chroma = (chroma - other_chroma) ** 2
    by_hue = np.maximum(shift[..., 1] + shift[..., 2] - by_chroma, 0)
    mean = np.sqrt(chroma * other_chroma)
    by_chroma /= (1 + 0.045 * mean) ** 2
    by_hue /= (1 + 0.015 * mean) ** 2
    return np.minimum(np.sqrt(shift[..., 0] + by_chroma + by_hue) / LCH_REACH, 1)


def lab(colours: Bytes) -> Floats:
    """Lightness, green to red, blue to yellow of screen colours."""
    share = colours / 255
    linear = np.where(share > 0.04045, ((share + 0.055) / 1.055) ** 2.4, share / 12.92)
    xyz = linear @ XYZ.T / WHITE
    root = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    x, y, z = root[..., 0], root[..., 1], root[..., 2]
    return np.stack((116 * y - 16, 500 * (x - y), 200 * (y - z)), axis=-1)


def _length(vectors: Floats) -> Floats:
    return np.asarray(np.sqrt((vectors * vectors).sum(axis=-1)))


DISTANCES: dict[str, Callable[[Bytes, Bytes], Floats]] = {
    "rgb": rgb_distance,
    "lab": lab_distance,
    "lch": lch_distance,
}


# -- How unlike two neighbouring boxes are: Zeleny, Burget, Zendulka, IP&M 53(3), 2017, section 6.1


FarRule = Literal["mean", "literal", "equidistant"]
ColourSpace = Literal["rgb", "lab", "lch"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Likeness:
    """What counts when two boxes are compared; the values of the paper."""

    distance: float = 1.0  #: weights of the three parts
    shape: float = 1.0
    colour: float = 1.0
    colours: ColourSpace = "rgb"
    far: FarRule = "mean"  #: what a distance of 1 means
    aligned: bool = False  #: whether the result is divided by twice the alignment score


def base_similarity(boxes: Boxes, pairs: Relations, likeness: Likeness = Likeness()) -> Floats:
    """How unlike the boxes of each pair are (equation 4).

    The printed formula makes boxes that are as far as can be wholly unlike, so that evenly
    spaced lines would never meet: `literal`. The authors' programs did not: before November
    2016 a box whose neighbours are all equally far was near to them, `equidistant`; since then
    the greatest distance counts like any other, `mean`.
    """
    distance = relative_distance(boxes, pairs)
    if likeness.far == "equidistant":
        distance = np.where(_has_even_neighbours(boxes, pairs), 0.0, distance)
    colour = DISTANCES[likeness.colours](boxes.colour[pairs.first], boxes.colour[pairs.second])
    parts = likeness.distance * distance + likeness.colour * colour
    parts += likeness.shape * shape_difference(boxes, pairs)
    mean = parts / (likeness.distance + likeness.shape + likeness.colour or 1)
    if likeness.aligned:
        mean /= 2 * alignment_score(boxes, pairs)
    if likeness.far == "literal":
        mean = np.where(distance == 1, 1.0, mean)
    return np.where(distance == 0, 0.0, np.minimum(mean, 1))


def relative_distance(boxes: Boxes, pairs: Relations) -> Floats:
    """The gap of each pair as share of the widest gap around either box, the mean of both."""
    widest = np.zeros(len(boxes))
    np.maximum.at(widest, pairs.first, pairs.gap)
    np.maximum.at(widest, pairs.second, pairs.gap)
    safe = np.where(widest > 0, widest, 1)
    return (pairs.gap / safe[pairs.first] + pairs.gap / safe[pairs.second]) / 2


def _has_even_neighbours(boxes: Boxes, pairs: Relations) -> Mask:
    """Mark the pairs of which one box has all its neighbours at one distance."""
    ends = np.concatenate((pairs.first, pairs.second))
    gaps = np.concatenate((pairs.gap, pairs.gap))
    least, most = np.full(len(boxes), np.inf), np.zeros(len(boxes))
    np.minimum.at(least, ends, gaps)
    np.maximum.at(most, ends, gaps)
    even = least == most
    return np.asarray(even[pairs.first] | even[pairs.second])


def shape_difference(boxes: Boxes, pairs: Relations) -> Floats:
    """How much aspect ratio and size of each pair differ (equations 8 to 14)."""
    area = boxes.area
    one, other = area[pairs.first], area[pairs.second]
    size = 1 - np.minimum(one, other) / np.maximum(one, other)
    return (ratio_difference(boxes, pairs) + size) / 2


def ratio_difference(boxes: Boxes, pairs: Relations) -> Floats:
    """How much the aspect ratios of each pair differ (equation 10), 1 at most.

        ratio = (R - q) / ((R² - 1) / R)

    R, q: the greater and the smaller ratio of width to height. It is 1 for a box and the same
    box turned. The formula turns negative for two upright boxes, so its absolute value is
    taken; equal ratios differ by 0, and a square differs by 1 from anything upright.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        r = boxes.width / boxes.height
    R = np.maximum(r[pairs.first], r[pairs.second])
    q = np.minimum(r[pairs.first], r[pairs.second])
    turned = np.abs(R - 1 / R)
    ratio = np.where(turned > 0, (R - q) / np.where(turned > 0, turned, 1), 1)
    return np.where(q == R, 0.0, np.minimum(ratio, 1))
