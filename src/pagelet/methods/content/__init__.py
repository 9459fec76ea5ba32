"""The main content of a page.

The default profile decides each text block with a trained model; the paper profile is CETD: Sun,
Song, Liao, SIGIR 2011, doi:10.1145/2009916.2009952.
"""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

from pagelet.methods.content import cetd, exports
from pagelet.methods.content.answer import BlockMaker, ContentAnswer, Listing, page_fields
from pagelet.methods.content.choice import decide
from pagelet.methods.content.model import content_model
from pagelet.methods.content.options import ContentOptions, PaperContentOptions
from pagelet.methods.content.rules import apply_selectors, find_rules, make_selectors
from pagelet.methods.listing import describe_pagelet, list_pagelets
from pagelet.methods.registry import Evidence, Method, Profile
from pagelet.page.html import parse
from pagelet.page.table import Page
from pagelet.pagelets import Pagelets


def decide_content(
    page: Page, options: ContentOptions, evidence: Evidence = Evidence()
) -> ContentAnswer:
    """Decide which blocks of a page are its content."""
    if options.method == "cetd":
        choice = cetd.find_content(page, density=options.density, smooth=options.smooth)
        kept = cetd.kept_text(page, choice)
        answer = ContentAnswer.by_rows(page, kept, choice.density, choice.threshold)
    else:
        model = content_model(options.model, evidence.files)
        favor, target, template = options.favor, options.target, evidence.template
        decision = decide(page, model, favor, target, template, comments=options.comments)
        answer = ContentAnswer.by_blocks(decision, model, options.with_title)
    if not (options.rules or options.keep or options.drop):
        return answer
    rules = find_rules(page.url, options.rules, evidence.files)
    selectors = [selector for rule in rules for selector in rule.selectors]
    selectors += make_selectors(options.keep, options.drop)
    return answer.with_overrides(apply_selectors(page, selectors)) if selectors else answer


def extract_text(page: Page, options: ContentOptions, evidence: Evidence = Evidence()) -> str:
    """The main content as plain text, and nothing else about it."""
    return decide_content(page, options, evidence).text()


def run(page: Page, options: ContentOptions, evidence: Evidence) -> Pagelets:
    """The main content, one pagelet per block; blocks are listed when they are first needed."""
    answer = decide_content(page, options, evidence)
    listing = Listing(answer)
    return Pagelets(
        page,
        "content",
        options.profile,
        BlockMaker(listing, options.explain),
        partial(_more, listing, options),
        answer,
        partial(_written, answer, options),
    )


def _more(listing: Listing, options: ContentOptions) -> dict[str, Any]:
    """The fields of the JSON form beside the blocks."""
    answer, more = listing.answer, page_fields(listing)
    if options.explain and answer.decision is not None:
        more |= {"threshold": round(answer.decision.threshold, 4)}
    if options.comments == "apart":
        more |= {"comments": answer.comments}
    if answer.empty_reason:
        more |= {"empty": answer.empty_reason}
    return more | {"structured": answer.missing} if answer.missing else more


def _written(answer: ContentAnswer, options: ContentOptions) -> dict[str, Any]:
    """The whole content as text and as Markdown."""
    markdown = answer.markdown(links=options.links, images=options.images)
    return {"text": answer.text(), "markdown": markdown}


# -- formats ----------------------------------------------------------------------------------


def write_text(result: Pagelets, options: ContentOptions) -> str:
    """The content as plain text; with `explain` every block, kept or dropped."""
    answer: ContentAnswer = result.source
    if not options.explain:
        return answer.text()
    blocks = list_pagelets(
        result,
        explain=True,
        line=lambda block: describe_pagelet(block, f"{block.score:.2f} {block.role}"),
    )
    return "\n".join(([blocks] if result else []) + [summarise(result)])


def write_markdown(result: Pagelets, options: ContentOptions) -> str:
    """The content as Markdown, front matter before it if wanted."""
    answer: ContentAnswer = result.source
    text = answer.markdown(links=options.links, images=options.images)
    return f"{answer.front_matter()}\n\n{text}".rstrip() if options.front_matter else text


def write_html(result: Pagelets, options: ContentOptions) -> str:
    """The content as clean HTML."""
    answer: ContentAnswer = result.source
    return answer.html(links=options.links, images=options.images)


def summarise(result: Pagelets) -> str:
    """One line: page type, confidence, how many blocks were kept, what rules decided."""
    answer: ContentAnswer = result.source
    kinds = Counter(block.kind for block in result)
    ruled = Counter(block.reason["rule"] for block in result if "rule" in block.reason)
    parts = [f"{kinds['content']} kept, {kinds['dropped']} dropped"]
    if answer.decision is not None and answer.page_type is not None:
        probability = answer.decision.page_type[answer.page_type]
        parts.insert(0, f"{answer.page_type} {probability:.2f}, confidence {answer.confidence:.2f}")
    selectors = map(str, answer.overrides.selectors) if answer.overrides else ()
    parts += [f"{each}: {_count(ruled[each])}" for each in dict.fromkeys(selectors)]
    return "; ".join(parts)


def _count(blocks: int) -> str:
    return f"{blocks} block{'s' * (blocks != 1)}"


def warn(result: Pagelets, options: ContentOptions, format: str) -> Sequence[str]:
    """Rules and selectors that had no effect, and why there is no text."""
    answer: ContentAnswer = result.source
    lines = []
    selectors = answer.overrides.selectors if answer.overrides else ()
    if options.rules and not any(each.file for each in selectors):
        where = answer.page.url or "a page without a URL; --url sets one"
        lines.append(f"no rule of {options.rules} matches {where}")
    unmatched = answer.overrides.unmatched if answer.overrides else []
    if answer.empty_reason and not format.startswith("json"):  # which has it as `empty`
        lines.append(f"no content: {answer.empty_reason}")
    return [*lines, *(f"nothing matches: {selector}" for selector in unmatched)]


def check(options: ContentOptions, evidence: Evidence) -> None:
    """Refuse a broken selector, rules file or model before a page is read."""
    decide_content(parse(""), options, evidence)


CONTENT = Method(
    name="content",
    summary="the main content, as text, Markdown, HTML or JSON",
    paper="Sun, Song, Liao: DOM based content extraction via text density. SIGIR 2011,"
    " doi:10.1145/2009916.2009952 (paper profile)",
    profiles={
        "default": Profile(run, ContentOptions(), "our values"),
        "paper": Profile(run, PaperContentOptions(), "the publication's values"),
    },
    examples=(
        "pagelet content page.html --format markdown",
        "pagelet content pages/ --format json-compact -o texts.jsonl",
        "pagelet content page.html --drop 'div.comments' --explain",
    ),
    kinds=("content",),
    likely="content",
    holds_for="texts",
    uses=("template",),
    formats=("text", "markdown", "html", "json", "json-compact", "csv", "tei"),
    clean=("html",),
    writers={
        "text": write_text,
        "markdown": write_markdown,
        "html": write_html,
        "csv": exports.write_csv,
        "tei": exports.write_corpus,
    },
    forms={"json-compact": exports.compact_form},
    notes=warn,
    check=check,
)
