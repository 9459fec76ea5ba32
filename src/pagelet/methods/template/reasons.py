"""Why a part of a page is its own, in words."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from pagelet.methods.phrases import DECISIVE, rank_reasons
from pagelet.methods.template.answer import Template
from pagelet.methods.template.slot import NAME_STEP_F1, name_score
from pagelet.pagelets import WordedReason
from pagelet.wording import count_of


def slot_reason(template: Template, row: int, votes: int, pages: int) -> WordedReason:
    """The votes of a slot, and its words."""
    values = {"votes": votes, "of": pages}
    return WordedReason(values, partial(_explain, template, row, values))


def _explain(template: Template, row: int, values: Mapping[str, int]) -> list[dict[str, Any]]:
    return rank_reasons((*_votes(template.facts, **values), *_place(template, row)))


def _votes(facts: Mapping[str, Any], votes: int, of: int) -> Iterator[tuple[str, float]]:
    """How many other pages have it."""
    if "fit" in facts:
        text = "the learned template has" + ("" if votes else " not") + " this text"
        yield text, 1 - votes / of
    elif not facts["pages"]:
        yield "no other page is like this one, so names and place decided", DECISIVE
    elif "needed" in facts:
        needed = facts["needed"]
        text = f"{_pages(votes, of)} it; what {needed} have is template"
        yield text, needed - votes
    else:
        yield f"{_pages(votes, of)} {'it' if votes else 'this text'}", 1 - votes / of


def _pages(votes: int, of: int) -> str:
    """How many of the pages that were compared have something."""
    if not votes:
        return "the other page does not have" if of == 1 else f"none of {of} other pages has"
    return f"{votes} of {count_of(of, 'other page')} {'has' if votes == 1 else 'have'}"


def _place(template: Template, row: int) -> Iterator[tuple[str, float]]:
    """Whether it lies in the element that was chosen as the page's own, and how that is named."""
    page, holder = template.page, template.facts.get("holder")
    if holder is None:
        return
    top = page.row(holder)
    if not top <= row < page.end[top]:
        yield "outside the main part, but no other page has it", 1.0
        return
    expected = float(template.facts["expected_f1"])
    yield "in the element outside which pages of the site are most alike", expected
    score = name_score(page, top)
    if score:
        like = "main content" if score > 0 else "something beside the content"
        yield f"that element is named like {like}", NAME_STEP_F1 * score
