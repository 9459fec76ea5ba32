"""The template of a page: what it shares with its site; the rest is the page's own.

Alarte, Insa, Silva, Tamarit: site-level template extraction from hyperlinks and DOM comparison.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from pagelet.arrays import Ints, Mask
from pagelet.methods.listing import list_pagelets
from pagelet.methods.registry import Evidence, Method, Profile
from pagelet.methods.template.answer import SlotFacts, Template
from pagelet.methods.template.learned import LearnedTemplate, apply
from pagelet.methods.template.options import PaperTemplateOptions, TemplateOptions
from pagelet.methods.template.pages import compare, menu_links
from pagelet.methods.template.paper import vote
from pagelet.methods.template.reasons import slot_reason
from pagelet.methods.template.slot import Slot
from pagelet.page.site import MemorySite, Site
from pagelet.page.table import Page
from pagelet.page.tree import max_subtree
from pagelet.pagelets import Pagelet, Pagelets
from pagelet.wording import count_of


def find_template(
    page: Page, options: TemplateOptions = TemplateOptions(), site: Site | Sequence[Page] = ()
) -> Template:
    """Compare a page with others of its site; `site` is those pages, or what loads them."""
    held = site if isinstance(site, Site) else MemorySite(site)
    paper = options.profile == PaperTemplateOptions.profile
    return _by_votes(page, held, options) if paper else _by_slot(page, held, options)


def _by_votes(page: Page, site: Site, options: TemplateOptions) -> Template:
    """The template by the paper: nodes that enough pages have."""
    result = vote(page, site, options)
    pages = result.pages
    determined = bool(pages.chosen) and bool(page.counted.any())
    own = page.counted & (result.votes < result.needed) if determined else _nothing(page)
    facts = {
        "pages": pages.urls,
        "loads": pages.loads,
        "missing": pages.missing,
        "needed": result.needed,
    }
    return Template(page, own, facts, determined, result.votes)


def _by_slot(page: Page, site: Site, options: TemplateOptions) -> Template:
    """The template by default: everything outside one element."""
    menu = menu_links(page) if options.menu_first else None
    comparison = compare(page, site, options.loads, menu=menu)
    slot = comparison.slot
    alike = [comparison.urls[at - 1] for at in slot.alike] if slot else []  # 0 is the page itself
    facts = {"pages": alike, "loads": comparison.loads, "missing": comparison.missing}
    return _with_slot(page, slot, facts)


def find_by_learned(page: Page, learned: LearnedTemplate) -> Template:
    """The template by a learned one; undetermined for a page that does not fit."""
    fit = apply(page, learned)
    facts: dict[str, Any] = {"pages": [], "loads": 0, "fits": fit.fits, "fit": round(fit.fit, 4)}
    if fit.fits:
        facts |= {"layout": fit.layout + 1, "layouts": len(learned.layouts)}
    return replace(_with_slot(page, fit.slot, facts), parts=learned.parts)


def _with_slot(page: Page, slot: Slot | None, facts: dict[str, Any]) -> Template:
    if slot is None:
        return Template(page, _nothing(page), facts, determined=False)
    own = _nothing(page)
    for row in (slot.row, *slot.holders):
        own[row + 1 : page.end[row]] = True
    if slot.more_rows:
        own |= page.inside(np.array(slot.more_rows, np.int32))
    placed = SlotFacts(facts, page, slot)
    return Template(page, own & page.counted, placed, votes=_rows(page, slot))


def _rows(page: Page, slot: Slot) -> Ints:
    """Number of pages that have each row; for an element, the most of its leaves."""
    own = np.zeros(len(page), np.intp)
    own[slot.leaves] = slot.shared
    return max_subtree(page.parent, page.end, own) * page.counted


def _nothing(page: Page) -> Mask:
    return np.zeros(len(page), np.bool_)


# -- the row ----------------------------------------------------------------------------------


def run(page: Page, options: TemplateOptions, evidence: Evidence) -> Pagelets:
    """The slots of a page, one pagelet each; its template beside them."""
    template: Template = evidence.comparison or find_template(page, options, evidence.site)
    slots = tuple(_slot(template, row) for row in template.slots)
    more = partial(_more, template, options)
    return Pagelets(page, "template", options.profile, slots, more, template)


def _slot(template: Template, row: int) -> Pagelet:
    votes = 0 if template.votes is None else int(template.votes[row])
    pages = max(len(template.facts["pages"]), votes, 1)
    score = template.facts.get("expected_f1", 1 - votes / pages)
    reason = slot_reason(template, row, votes, pages)
    return Pagelet(template.page, (row,), "slot", score, reason)


def _more(template: Template, options: TemplateOptions) -> dict[str, Any]:
    return {"template": template.to_dict(explain=options.explain)}


def write_text(result: Pagelets, options: TemplateOptions) -> str:
    """The page without its template, as plain text; with `explain`, its slots."""
    template: Template = result.source
    return list_pagelets(result, explain=True) if options.explain else template.text()


def summarise(result: Pagelets, _options: TemplateOptions, _format: str) -> Sequence[str]:
    """How much of the page is template, and how that was found."""
    template: Template = result.source
    facts = template.facts
    if not template.determined:
        return [explain_unknown(facts)]
    share = template.share()
    parts = [f"template {share['nodes']:.0%} of nodes, {share['characters']:.0%} of characters"]
    if "fit" in facts:
        layout = f", layout {facts['layout']} of {facts['layouts']}"
        return [f"{parts[0]}; fit {facts['fit']:.2f}{layout * (facts['layouts'] > 1)}"]
    if facts.get("guess"):
        parts.append("no page is like this one, so this is a guess by names")
    compared = count_of(len(facts["pages"]), "page")
    return ["; ".join([*parts, f"{compared} compared, {facts['loads']} loaded"])]


def explain_unknown(facts: Mapping[str, Any]) -> str:
    """Why the template of a page is not known."""
    if not facts.get("fits", True):
        return f"the page does not fit this template: fit {facts['fit']:.2f}, where 1 is usual"
    if facts.get("guess"):
        return "no page of the site is like this one"
    return (
        "nothing to compare with; give --site DIR|WARC|URL with other pages of the site, "
        "or --template FILE"
    )


TEMPLATE = Method(
    name="template",
    summary="what the page shares with its site, and what is its own",
    paper="Alarte, Insa, Silva, Tamarit: Analysis of Hyperlinks and DOM Comparison for Site-Level"
    " Web Template Extraction",
    profiles={
        "default": Profile(run, TemplateOptions(), "our values"),
        "paper": Profile(run, PaperTemplateOptions(), "the publication's values"),
    },
    examples=(
        "pagelet template page.html --site pages/",
        "pagelet learn pages/ -o site.json",
        "pagelet template page.html --template site.json",
    ),
    kinds=("slot",),
    needs=("page", "site"),
    uses=("site", "template"),
    formats=("text", "markdown", "html", "json", "page"),
    clean=("html",),
    writers={
        "text": write_text,
        "markdown": lambda result, _: result.source.markdown(),
        "html": lambda result, _: result.source.html(),
        "page": lambda result, _: result.source.template_page(),
    },
    notes=summarise,
)
