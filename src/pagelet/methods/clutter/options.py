"""Options of clutter detection."""

from dataclasses import dataclass
from typing import Literal, TypedDict

from pagelet.errors import OptionError
from pagelet.methods.registry import Options, option, with_defaults
from pagelet.models.trees import SHIPPED
from pagelet.page.tags import NUMBER, STRUCTURAL


@dataclass(frozen=True, slots=True, kw_only=True)
class ClutterOptions(Options):
    """Options of clutter detection."""

    min_score: float = option(0.5, "minimum score: a probability, or 1 or 2 points (paper)", 0, 2)
    tag_threshold: float = option(0.5, "link share of tags at or above which a block scores", 0, 1)
    text_threshold: float = option(0.4, "link share of text at or above which a block scores", 0, 1)
    decay: float = option(0.10, "how much a block's sums fade with each level", 0, 1)
    decay_shape: Literal["linear", "geometric"] = option("linear", "how the fading continues")
    structural: tuple[str, ...] = option(
        (), "structural elements instead of the usual ones, separated by commas"
    )
    min_links: int = option(2, "minimum number of links", 0)
    max_plain_share: float = option(
        0.7,
        "largest share of the page's text outside links that a block that scores may hold",
        0,
        1,
    )
    pictures: bool = option(
        default=False, help="count hyperlinks made of pictures, with alt text as their text"
    )
    site_weight: float = option(
        0.25, "how far other pages of the site move the thresholds", 0, 1, applies_to="with a site"
    )
    model: str = option(
        SHIPPED,
        "model of the roles of links: shipped, or an npz file",
        applies_to="default profile",
        file=True,
    )
    all: bool = option(default=False, help="return every element with its score")
    rest: bool = option(
        default=False, help="write the page without its clutter, in a format other than json"
    )
    explain: bool = option(default=False, help="list the reasons behind the result", local=True)

    def __post_init__(self) -> None:
        Options.__post_init__(self)
        for name in self.structural_names:
            if name not in NUMBER:
                raise OptionError("structural", name, "must be the name of an HTML element")

    @property
    def structural_names(self) -> tuple[str, ...]:
        """The names of structural elements that were chosen; none stands for the usual ones."""
        parts = (part.strip() for each in self.structural for part in each.split(","))
        return tuple(part for part in parts if part)

    @property
    def structural_tags(self) -> tuple[int, ...]:
        """The numbers of the tags that are structural."""
        return tuple(NUMBER[name] for name in self.structural_names) or STRUCTURAL


class ClutterChanges(TypedDict, total=False):
    """Options of clutter detection as keywords."""

    min_score: float
    tag_threshold: float
    text_threshold: float
    decay: float
    decay_shape: Literal["linear", "geometric"]
    structural: tuple[str, ...] | list[str]
    min_links: int
    max_plain_share: float
    pictures: bool
    site_weight: float
    model: str
    all: bool
    rest: bool
    explain: bool


PaperClutterOptions = with_defaults(
    "PaperClutterOptions",
    ClutterOptions,
    "paper",
    min_score=2,
    min_links=0,
    max_plain_share=0.5,
)
