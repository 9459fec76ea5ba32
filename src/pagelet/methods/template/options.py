"""Options of template extraction."""

from dataclasses import dataclass
from functools import partial
from typing import Literal, TypedDict

from pagelet.methods.registry import Options, option, with_defaults

published = partial(option, applies_to="paper profile")


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateOptions(Options):
    """Options of template extraction."""

    loads: int = option(8, "maximum pages of the site to load", 1, 1000)
    size: int = published(3, "number of pages that must link each other", 1, 8)
    votes: int = published(2, "number of pages that must share a node of the template", 1, 8)
    relation: Literal["authors", "older", "as_run", "label", "strict"] = published(
        "authors", "which nodes of two pages count as equal"
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
    copies: bool
    explain: bool


PaperTemplateOptions = with_defaults("PaperTemplateOptions", TemplateOptions, "paper", loads=100)
