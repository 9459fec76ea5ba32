"""The main content of a page."""

from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

from pagelet.columns.page import Mask, Page
from pagelet.methods import cetd
from pagelet.methods.content_answer import Answer, blocks_of, more_of
from pagelet.methods.content_blocks import decide
from pagelet.methods.content_rules import overrides, rules_for
from pagelet.methods.registry import Evidence, Method, Profile, option
from pagelet.models.content import content_model
from pagelet.models.trees import SHIPPED
from pagelet.pagelets import Pagelets


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentOptions:
    """Options of content extraction."""

    method: Literal["learned", "cetd"] = option(
        "learned", "decide block by block as learned, or by text density (CETD)"
    )
    favor: Literal["balanced", "precision", "recall"] = option(
        "balanced", "when in doubt: weigh both alike, leave out, or take in (learned)"
    )
    target: Literal["auto", "article", "all"] = option(
        "auto",
        "what is wanted: the content as the page type has it, the bare article body,"
        " or comments and side notes too (learned)",
    )
    keep: tuple[str, ...] = option((), "CSS or XPath of what is content whatever the method says")
    drop: tuple[str, ...] = option((), "CSS or XPath of what is not, whatever the method says")
    rules: str = option("", "TOML file with keep and drop by host and path")
    links: bool = option(default=True, help="keep the addresses of links in Markdown and HTML")
    images: bool = option(default=False, help="keep pictures in Markdown and HTML")
    explain: bool = option(
        default=False, help="list every block, kept or dropped, and what weighed most"
    )
    model: str = option(SHIPPED, "the model: shipped, or an npz file (learned)")
    density: Literal["composite", "plain", "linkless"] = option(
        "composite", "which text density decides (cetd)"
    )
    smooth: bool = option(default=False, help="add 1 in the weight of direct text (cetd)")


def extract_content(
    page: Page, options: ContentOptions | None = None, *, profile: str = "default"
) -> Pagelets:
    """Find the main content of a page: a pagelet a block.

    Without options, those of the profile act.
    """
    row = CONTENT.profile(profile)
    return row.run(page, options or row.options, Evidence())


def answer(page: Page, options: ContentOptions) -> Answer:
    """What is kept of a page, before it is put into any form."""
    if options.method == "cetd":
        choice = cetd.find_content(page, density=options.density, smooth=options.smooth)
        found = Answer.by_rows(page, cetd.kept_text(page, choice), choice.density)
    else:
        model = content_model(options.model)
        found = Answer.by_blocks(decide(page, model, options.favor, options.target), model)
    return found.overridden(*_overrides(page, options))


def _overrides(page: Page, options: ContentOptions) -> tuple[Any, ...]:
    sites = rules_for(page.url, options.rules)
    keep = [*(each for rule in sites for each in rule.keep), *options.keep]
    drop = [*(each for rule in sites for each in rule.drop), *options.drop]
    return overrides(page, keep, drop) if keep or drop else (None, [])


def _run(profile: str, page: Page, options: ContentOptions, _: Evidence) -> Pagelets:
    found = answer(page, options)
    items = tuple(blocks_of(found, explain=options.explain))
    return Pagelets(page, "content", profile, items, partial(more_of, found))


def kept_mask(page: Page, options: ContentOptions) -> Mask:
    """Mark the text rows that are kept."""
    return np.asarray(answer(page, options).kept_rows)


CONTENT = Method(
    name="content",
    summary="the main content, as text, Markdown, HTML or JSON",
    needs=("page",),
    paper="Sun, Song, Liao: DOM based content extraction via text density. SIGIR 2011,"
    " doi:10.1145/2009916.2009952 (paper profile)",
    profiles={
        "default": Profile(partial(_run, "default"), ContentOptions()),
        "paper": Profile(partial(_run, "paper"), ContentOptions(method="cetd")),
    },
)
