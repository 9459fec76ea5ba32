"""Options of noise removal."""

from dataclasses import dataclass
from typing import Literal, TypedDict

from pagelet.methods.registry import Options, option, with_defaults
from pagelet.models.trees import SHIPPED

LEARNED = "method learned"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseOptions(Options):
    """Options of noise removal."""

    method: Literal["learned", "cetd"] = option(
        "learned", "classify each element with the trained model, or by text density (CETD)"
    )
    threshold: float = option(0.3, "minimum probability of content", 0, 1, applies_to=LEARNED)
    url_query: bool = option(default=True, help="use the words of the page's own query string too")
    model: str = option(SHIPPED, "model: shipped, or an npz file", applies_to=LEARNED, file=True)
    explain: bool = option(default=False, help="list the reasons behind the result")
    records: bool = option(
        default=False, help="print the records that are left, not every element", local=True
    )


class NoiseChanges(TypedDict, total=False):
    """Options of noise removal as keywords."""

    method: Literal["learned", "cetd"]
    threshold: float
    url_query: bool
    model: str
    explain: bool
    records: bool


PaperNoiseOptions = with_defaults(
    "PaperNoiseOptions",
    NoiseOptions,
    "paper",
    threshold=0.5,
    url_query=False,  # labels and values of forms alone
)
