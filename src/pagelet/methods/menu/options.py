"""Options of menu detection."""

from dataclasses import dataclass
from functools import partial
from typing import Literal, TypedDict

from pagelet.methods.registry import Options, option, with_defaults
from pagelet.models.trees import SHIPPED

ranked = partial(option, applies_to="default profile")
published = partial(option, applies_to="paper profile")


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuOptions(Options):
    """Options of menu detection; each profile reads its own."""

    min_score: float = ranked(0.32, "minimum score of a menu; below it, the page has none", 0, 1)
    size_penalty: float = ranked(
        0.06, "what a candidate loses with the logarithm of its size", 0, 1
    )
    share_penalty: float = ranked(
        0.5, "what the best candidate loses with the cube of its share of the page's links", 0, 1
    )
    model: str = ranked(SHIPPED, "ranking model: shipped, or an npz file", file=True)
    amplitude_weight: float = published(0.20, "weight of the amplitude", 0, 1)
    link_ratio_weight: float = published(0.10, "weight of the link ratio", 0, 1)
    text_ratio_weight: float = published(0.30, "weight of the text ratio", 0, 1)
    ul_ratio_weight: float = published(0.20, "weight of being a ul", 0, 1)
    representative_weight: float = published(
        0.10, "weight of a tag, class or id that names a menu", 0, 1
    )
    position_weight: float = published(0.10, "weight of an early position in the page", 0, 1)
    menu_threshold: float = published(0.80, "minimum weight of a heavy node", 0, 1)
    root_threshold: float = published(
        0.70, "share of the candidate's weight at which its parent takes over", 0, 1
    )
    candidate_threshold: float = published(0.85, "minimum weight of a candidate", 0, 1)
    candidate_fallback: Literal["relative", "none"] = published(
        "relative", "when no node is heavy enough: compare with the heaviest, or give up"
    )
    text_ratio_reading: Literal["literal", "sqrt_of_ratio", "linear"] = published(
        "literal", "how the printed formula of the text ratio is read"
    )
    menu_word_match: Literal["token", "substring"] = published(
        "token", "whether a class or id must equal a menu word, or only contain one"
    )
    heavy_rows: Literal["descendants", "children"] = published(
        "descendants", "which nodes below a root are averaged"
    )
    explain: bool = option(default=False, help="list the reasons behind the result", local=True)


class MenuChanges(TypedDict, total=False):
    """Options of menu detection as keywords."""

    min_score: float
    size_penalty: float
    share_penalty: float
    model: str
    amplitude_weight: float
    link_ratio_weight: float
    text_ratio_weight: float
    ul_ratio_weight: float
    representative_weight: float
    position_weight: float
    menu_threshold: float
    root_threshold: float
    candidate_threshold: float
    candidate_fallback: Literal["relative", "none"]
    text_ratio_reading: Literal["literal", "sqrt_of_ratio", "linear"]
    menu_word_match: Literal["token", "substring"]
    heavy_rows: Literal["descendants", "children"]
    explain: bool


PaperMenuOptions = with_defaults("PaperMenuOptions", MenuOptions, "paper")
