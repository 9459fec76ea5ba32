"""Options of clutter detection."""

from dataclasses import dataclass
from typing import Literal, TypedDict

from pagelet.methods.registry import Options, option, with_defaults


@dataclass(frozen=True, slots=True, kw_only=True)
class ClutterOptions(Options):
    """Options of clutter detection."""

    tag_threshold: float = option(0.5, "link share of tags at or above which a block scores", 0, 1)
    text_threshold: float = option(0.6, "link share of text at or above which a block scores", 0, 1)
    decay: float = option(0.10, "how much a block's sums fade with each level", 0, 1)
    decay_shape: Literal["linear", "geometric"] = option("linear", "how the fading continues")
    min_links: int = option(2, "minimum number of links", 0)
    max_plain_share: float = option(
        0.3, "largest share of the page's text outside links that clutter may hold", 0, 1
    )
    pictures: bool = option(
        default=False, help="count hyperlinks made of pictures, with alt text as their text"
    )
    site_weight: float = option(
        0.25, "how far other pages of the site raise the thresholds", 0, 1, applies_to="with a site"
    )
    min_score: int = option(2, "minimum score", 1, 2)
    all: bool = option(default=False, help="return every structural element with its score")
    explain: bool = option(default=False, help="list the measures behind the result", local=True)


class ClutterChanges(TypedDict, total=False):
    """Options of clutter detection as keywords."""

    tag_threshold: float
    text_threshold: float
    decay: float
    decay_shape: Literal["linear", "geometric"]
    min_links: int
    max_plain_share: float
    pictures: bool
    site_weight: float
    min_score: int
    all: bool
    explain: bool


PaperClutterOptions = with_defaults(
    "PaperClutterOptions",
    ClutterOptions,
    "paper",
    text_threshold=0.4,
    min_links=0,
    max_plain_share=0.5,
    site_weight=0.0,
)
