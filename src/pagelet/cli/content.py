"""`pagelet content`: the main content as text, Markdown, HTML or JSON, or block by block."""

from collections import Counter

from rich.markup import escape

from pagelet.cli.output import console, write_item, write_reason
from pagelet.cli.site import Known
from pagelet.methods.content import ContentOptions, answer, listed, written
from pagelet.methods.content.answer import Answer
from pagelet.methods.content.rules import rules_for
from pagelet.page.html import parse
from pagelet.pagelets import Pagelets


def answer_content(known: Known, format: str, options: ContentOptions, profile: str) -> None:
    """Write the main content of a page to standard output, and warnings to standard error."""
    found = answer(known.page, options, known.shared)
    _warn(found, options)
    if format == "json":
        print(listed(found, options, profile).to_json(indent=2))
    elif format == "text" and options.explain:
        write_blocks(found, listed(found, options, profile))
    elif text := written(found, format, options):
        print(text)
    else:
        console(error=True).print("no content")


def check(options: ContentOptions) -> None:
    """Tell of a broken selector, file of rules or model before a page is read."""
    answer(parse(""), options)


def _warn(found: Answer, options: ContentOptions) -> None:
    """Tell of rules and selectors that do nothing."""
    say = console(error=True)
    if options.rules and not rules_for(found.page.url, options.rules):
        where = found.page.url or "a page without a URL; --url says where it came from"
        say.print(f"no rule of {escape(options.rules)} is for {escape(where)}")
    for word in found.overrides.idle if found.overrides else []:
        say.print(f"nothing found: {escape(word)}")


def write_blocks(found: Answer, blocks: Pagelets) -> None:
    """Write every block on a line with its reasons below, then what is said of the page."""
    for block in blocks:
        write_item(block, f"{block.score:.2f}")
        write_reason(block)
    console().print(escape(summary(found, blocks)))


def summary(found: Answer, blocks: Pagelets) -> str:
    """One line: page type, confidence, how many blocks were kept, what rules decided."""
    kinds = Counter(block.kind for block in blocks)
    ruled = Counter(block.reason["rule"] for block in blocks if "rule" in block.reason)
    parts = [f"{kinds['content']} kept, {kinds['dropped']} dropped"]
    if found.decision is not None and found.page_type is not None:
        likely = found.decision.page_type[found.page_type]
        parts.insert(0, f"{found.page_type} {likely:.2f}, confidence {found.confidence:.2f}")
    said = map(str, found.overrides.words) if found.overrides else ()
    parts += [f"{word}: {_counted(ruled[word])}" for word in dict.fromkeys(said)]
    return "; ".join(parts)


def _counted(blocks: int) -> str:
    return f"{blocks} block{'s' * (blocks != 1)}"
