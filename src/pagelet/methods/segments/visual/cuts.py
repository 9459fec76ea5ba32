"""The result of cutting a page, by gaps or by elements."""

from dataclasses import dataclass

import numpy as np

from pagelet.arrays import Floats, Ints, Mask

#: Least segments of a page, by granularity: a page has a header, a content and a footer.
MIN_SEGMENTS = {"blocks": 3, "paragraphs": 2}
MIN_FORCED_CUT = 0.1  #: least probability of a cut that is made since segments are too few
MAX_MARGIN_WIDTH = 0.12  #: width below which a tall part is a margin, as a share of what is drawn
MIN_MARGIN_HEIGHT = 0.5  #: least height of a margin, as a share of what is drawn


@dataclass(frozen=True, slots=True, eq=False)
class Cuts:
    """The segment of each box, and the likeliest remaining cut in each segment."""

    number: Ints
    uncut: Floats  #: probability of the likeliest cut that was not made; 0 for none
    threshold: float


def is_margin(edges: Floats, drawn: Floats) -> Mask:
    """Mark the parts that are narrow and tall, as the sides of a frame around a page are.

    They do not count as segments that a page must have. `drawn` is the rectangle around all parts.
    """
    width, height = (edges[:, 2:] - edges[:, :2]).T
    whole = drawn[2:] - drawn[:2]
    narrow = width < MAX_MARGIN_WIDTH * whole[0]
    return np.asarray(narrow & (height >= MIN_MARGIN_HEIGHT * whole[1]))
