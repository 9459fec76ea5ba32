"""The result of cutting a page, by gaps or by elements."""

from dataclasses import dataclass

from pagelet.arrays import Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Cuts:
    """The segment of each box, and the likeliest remaining cut in each segment."""

    number: Ints
    uncut: Floats  #: probability of the likeliest cut that was not made; 0 for none
    threshold: float
