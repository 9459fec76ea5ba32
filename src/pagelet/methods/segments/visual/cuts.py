"""The result of cutting a page, by gaps or by elements."""

from dataclasses import dataclass

from pagelet.arrays import Floats, Ints

#: Least segments of a page, by granularity: a page has a header, a content and a footer.
MIN_SEGMENTS = {"blocks": 3, "paragraphs": 2}
MIN_FORCED_CUT = 0.1  #: least probability of a cut that is made since segments are too few


@dataclass(frozen=True, slots=True, eq=False)
class Cuts:
    """The segment of each box, and the likeliest remaining cut in each segment."""

    number: Ints
    uncut: Floats  #: probability of the likeliest cut that was not made; 0 for none
    threshold: float
