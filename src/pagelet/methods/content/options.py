"""Options of content extraction."""

from dataclasses import dataclass
from typing import Literal, TypedDict

from pagelet.methods.registry import Options, option, with_defaults
from pagelet.models.trees import SHIPPED

LEARNED, CETD = "method learned", "method cetd"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentOptions(Options):
    """Options of content extraction."""

    method: Literal["learned", "cetd"] = option(
        "learned", "decide each block with the trained model, or by text density (CETD)"
    )
    favor: Literal["balanced", "precision", "recall"] = option(
        "balanced", "when in doubt: weigh both equally, leave out, or keep", applies_to=LEARNED
    )
    target: Literal["auto", "article", "all"] = option(
        "auto",
        "which text is wanted: what suits the page type, the article body alone,"
        " or comments and side notes too",
        applies_to=LEARNED,
    )
    comments: Literal["auto", "keep", "drop", "apart"] = option(
        "auto",
        "comments of readers: part of the content on forums and question pages but not on"
        " articles, always, never, or in a field of their own",
        applies_to=LEARNED,
    )
    with_title: Literal["auto", "always", "never"] = option(
        "auto",
        "the page's own heading in text, Markdown and HTML: once where the page shows it,"
        " also where only its metadata state it, or not at all",
        applies_to=LEARNED,
    )
    keep: tuple[str, ...] = option((), "CSS or XPath of what is always content")
    drop: tuple[str, ...] = option((), "CSS or XPath of what is never content")
    rules: str = option("", "TOML file with keep and drop by host and path", file=True)
    links: bool = option(default=True, help="keep the addresses of links in Markdown and HTML")
    images: bool = option(default=False, help="keep images in Markdown and HTML")
    front_matter: bool = option(
        default=False, help="put title, author, date and more before Markdown, as YAML"
    )
    explain: bool = option(
        default=False, help="list every block, kept or dropped, with the reasons"
    )
    model: str = option(SHIPPED, "model: shipped, or an npz file", applies_to=LEARNED, file=True)
    density: Literal["composite", "plain", "linkless"] = option(
        "composite", "which text density decides", applies_to=CETD
    )
    smooth: bool = option(default=False, help="add 1 in the weight of direct text", applies_to=CETD)


class ContentChanges(TypedDict, total=False):
    """Options of content extraction as keywords."""

    method: Literal["learned", "cetd"]
    favor: Literal["balanced", "precision", "recall"]
    target: Literal["auto", "article", "all"]
    comments: Literal["auto", "keep", "drop", "apart"]
    with_title: Literal["auto", "always", "never"]
    keep: tuple[str, ...] | list[str]
    drop: tuple[str, ...] | list[str]
    rules: str
    links: bool
    images: bool
    front_matter: bool
    explain: bool
    model: str
    density: Literal["composite", "plain", "linkless"]
    smooth: bool


PaperContentOptions = with_defaults("PaperContentOptions", ContentOptions, "paper", method="cetd")
