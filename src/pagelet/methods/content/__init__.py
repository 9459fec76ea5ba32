"""The main content of a page."""

from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from pagelet.methods.content import cetd
from pagelet.methods.content.answer import Answer, Listing, facts
from pagelet.methods.content.choice import decide
from pagelet.methods.content.model import content_model
from pagelet.methods.content.rules import overrides, rules_for, words
from pagelet.methods.registry import Evidence, Method, Profile, option
from pagelet.models.trees import SHIPPED
from pagelet.page.site import SharedRows
from pagelet.page.table import Page
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
    front_matter: bool = option(
        default=False, help="put title, author, date and the like before Markdown, as YAML"
    )
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


def answer(page: Page, options: ContentOptions, template: SharedRows | None = None) -> Answer:
    """What is kept of a page, before it is put into any form; `template` if it is known."""
    if options.method == "cetd":
        choice = cetd.find_content(page, density=options.density, smooth=options.smooth)
        found = Answer.by_rows(page, cetd.kept_text(page, choice), choice.density)
    else:
        model = content_model(options.model)
        decided = decide(page, model, options.favor, options.target, template)
        found = Answer.by_blocks(decided, model)
    sites = rules_for(page.url, options.rules)
    said = [*(word for rule in sites for word in rule.words), *words(options.keep, options.drop)]
    return found.overridden(overrides(page, said)) if said else found


def written(found: Answer, format: str, options: ContentOptions) -> str:
    """The main content as text, Markdown or HTML."""
    if format == "html":
        return found.html(links=options.links, images=options.images)
    if format != "markdown":
        return found.text()
    text = found.markdown(links=options.links, images=options.images)
    return f"{found.front_matter()}\n\n{text}".rstrip() if options.front_matter else text


def listed(found: Answer, options: ContentOptions, profile: str = "default") -> Pagelets:
    """The main content block by block."""
    listing = Listing(found)
    items = tuple(listing.pagelets(explain=options.explain))
    return Pagelets(found.page, "content", profile, items, partial(_more, listing, options))


def _more(listing: Listing, options: ContentOptions) -> dict[str, Any]:
    """What the JSON form says beside the blocks."""
    found = listing.answer
    more = facts(listing) | {
        "text": found.text(),
        "markdown": found.markdown(links=options.links, images=options.images),
    }
    return more | {"structured": found.missing} if found.missing else more


def _run(profile: str, page: Page, options: ContentOptions, evidence: Evidence) -> Pagelets:
    return listed(answer(page, options, evidence.template), options, profile)


CONTENT = Method(
    name="content",
    summary="the main content, as text, Markdown, HTML or JSON",
    needs=("page",),
    uses=("template",),
    paper="Sun, Song, Liao: DOM based content extraction via text density. SIGIR 2011,"
    " doi:10.1145/2009916.2009952 (paper profile)",
    formats=("text", "markdown", "html", "json"),
    profiles={
        "default": Profile(partial(_run, "default"), ContentOptions()),
        "paper": Profile(partial(_run, "paper"), ContentOptions(method="cetd")),
    },
)
