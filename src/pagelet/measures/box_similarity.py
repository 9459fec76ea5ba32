"""How unlike two neighbouring boxes are: Zeleny, Burget, Zendulka, IP&M 53(3), 2017, section 6.1.

The paper calls it similarity, though 0 says that two boxes are alike and 1 that they are not.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from pagelet.columns.boxes import Boxes, Floats
from pagelet.columns.page import Mask
from pagelet.measures.alignment import alignment_score
from pagelet.measures.colours import DISTANCES
from pagelet.measures.neighbours import Relations

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
