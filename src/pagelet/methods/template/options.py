"""Options of template extraction."""

from dataclasses import dataclass
from functools import partial
from typing import Literal, TypedDict

from pagelet.methods.registry import Options, option, with_defaults

published = partial(option, applies_to="paper profile")
weighed = partial(option, applies_to="paper profile")  #: acts with the relation `authors` only


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateOptions(Options):
    """Options of template extraction."""

    loads: int = option(8, "maximum pages of the site to load", 1, 1000)
    size: int = published(3, "number of pages that must link each other", 1, 8)
    votes: int = published(2, "number of pages that must share a node of the template", 1, 8)
    relation: Literal["authors", "older", "as_run", "label", "strict"] = published(
        "authors", "which nodes of two pages count as equal"
    )
    classes_weight: float = weighed(0.1, "weight of common class names", 0, 1)
    position_weight: float = weighed(0.4, "weight of the position among siblings", 0, 1)
    attributes_weight: float = weighed(0.0, "weight of common attributes", 0, 1)
    children_weight: float = weighed(0.5, "weight of the number of children", 0, 1)
    cut: float = weighed(0.9, "least similarity of equal nodes", 0, 1)
    words: bool = published(
        default=False, help="texts are equal only when they have the same words"
    )
    menu_first: bool = option(
        default=False, help="follow the links of the detected menu before all others"
    )
    copies: bool = published(
        default=False, help="let a copy of the page under another address vote"
    )
    explain: bool = option(default=False, help="report how many pages share each node")


class TemplateChanges(TypedDict, total=False):
    """Options of template extraction as keywords."""

    loads: int
    size: int
    votes: int
    relation: Literal["authors", "older", "as_run", "label", "strict"]
    classes_weight: float
    position_weight: float
    attributes_weight: float
    children_weight: float
    cut: float
    words: bool
    menu_first: bool
    copies: bool
    explain: bool


PaperTemplateOptions = with_defaults("PaperTemplateOptions", TemplateOptions, "paper", loads=100)
