"""What a page shares with its site, and what is its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

from pagelet.errors import OptionError
from pagelet.methods.registry import Evidence, Method, Profile, option
from pagelet.methods.template.answer import Template
from pagelet.methods.template.learned import Learned, apply, read_learned
from pagelet.methods.template.pages import compare
from pagelet.methods.template.paper import RELATIONS, vote
from pagelet.methods.template.slot import Slot
from pagelet.page.site import MemorySite, SharedRows, Site
from pagelet.page.table import Page
from pagelet.pagelets import Pagelet, Pagelets


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateOptions:
    """Options of template extraction; those marked (paper) act in the paper profile only."""

    loads: int = option(8, "most pages of the site to load", 1, 1000)
    template: str = option("", "file that `pagelet learn` wrote; nothing is loaded (default)")
    size: int = option(3, "pages that must link each other (paper)", 1, 8)
    votes: int = option(2, "pages that must have a node for it to be template (paper)", 1, 8)
    relation: Literal["authors", "older", "as_run", "label", "strict"] = option(
        "authors", "which nodes of two pages are taken for equal (paper)"
    )
    explain: bool = option(default=False, help="tell in how many pages each node stands likewise")


PAPER = TemplateOptions(loads=100)


def detect_template(
    page: Page,
    options: TemplateOptions | None = None,
    *,
    profile: str = "default",
    site: Site | Sequence[Page] = (),
) -> Pagelets:
    """Find what is a page's own, a pagelet a slot; all else is template.

    Without options, those of the profile act. `site` is other pages, or what loads them.
    """
    chosen: TemplateOptions = options or TEMPLATE.profile(profile).options
    return listed(find_template(page, chosen, profile=profile, site=site), chosen, profile)


def find_template(
    page: Page,
    options: TemplateOptions,
    *,
    profile: str = "default",
    site: Site | Sequence[Page] = (),
) -> Template:
    """What a page shares with its site, before it is put into any form."""
    if profile == "default" and options.template:
        return by_learned(page, learned_template(options.template))
    held = site if isinstance(site, Site) else MemorySite(site)
    return _by_votes(page, held, options) if profile == "paper" else _by_slot(page, held, options)


def known_template(
    page: Page, site: Site | Sequence[Page] = (), template: str = ""
) -> SharedRows | None:
    """What a page shares with its site, by other pages or a learned file; None when unknown.

    What is only guessed by names is unknown: other methods read names themselves.
    """
    return shared_of(find_template(page, TemplateOptions(template=template), site=site))


def shared_of(found: Template) -> SharedRows | None:
    """A template as other methods take it; None when it is unknown or guessed."""
    if not found.known or found.facts.get("guess") or found.votes is None:
        return None
    return SharedRows(found.shared, found.votes / max(int(found.votes.max(initial=0)), 1))


def _by_votes(page: Page, site: Site, options: TemplateOptions) -> Template:
    """The paper's way: nodes that enough pages have."""
    relation = RELATIONS[options.relation]
    said = vote(page, site, relation, options.size, options.votes, options.loads)
    found = said.explored
    known = bool(found.chosen) and page.counted.any()
    own = page.counted & (said.votes < said.needed) if known else _nothing(page)
    facts = {
        "pages": found.urls,
        "loads": found.loads,
        "missing": found.missing,
        "needed": said.needed,
    }
    return Template(page, own, facts, bool(known), said.votes)


def _by_slot(page: Page, site: Site, options: TemplateOptions) -> Template:
    """Our way: one element that holds what is the page's own."""
    found = compare(page, site, options.loads)
    slot = found.slot
    alike = [found.urls[at - 1] for at in slot.alike] if slot else []  # 0 is the page itself
    facts = {"pages": alike, "loads": found.loads, "missing": found.missing}
    return _with_slot(page, slot, facts)


def by_learned(page: Page, learned: Learned) -> Template:
    """By a learned template; a page that does not fit it has no known template."""
    found = apply(page, learned)
    facts = {"pages": [], "loads": 0, "fits": found.fits, "fit": round(found.fit, 4)}
    return _with_slot(page, found.slot, facts)


def _with_slot(page: Page, slot: Slot | None, facts: dict[str, Any]) -> Template:
    if slot is None:
        return Template(page, _nothing(page), facts, known=False)
    own = _nothing(page)
    own[slot.row + 1 : page.end[slot.row]] = True
    own |= page.inside(np.array(slot.boxes, np.int32))
    told = {"holder": page.path(slot.row), "expected_f1": round(slot.score, 4)}
    guess = {} if slot.alike else {"guess": True}  # no page was like it: its names decided
    return Template(page, own & page.counted, facts | told | guess, votes=_rows(page, slot))


def _rows(page: Page, slot: Slot) -> Any:
    """In how many pages each row stands likewise: for an element, the most of what is in it."""
    leaves = page.counted & (page.sum_subtree(page.counted) == 1)
    own, most = np.zeros(len(page), np.intp), np.zeros(len(page), np.intp)
    own[leaves] = slot.shared
    for votes in np.unique(slot.shared).tolist():
        most[page.sum_subtree(own >= votes) > 0] = votes
    return most * page.counted


def _nothing(page: Page) -> Any:
    return np.zeros(len(page), np.bool_)


@lru_cache(maxsize=8)
def _read(path: str, _changed: tuple[int, int]) -> Learned:
    return read_learned(Path(path).read_text(encoding="utf-8"), path)


def learned_template(path: str) -> Learned:
    """A template from its file, read again when the file has changed."""
    try:
        told = Path(path).stat()
        return _read(path, (told.st_mtime_ns, told.st_size))
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "not a text file"
        raise OptionError("template", path, f"{why}; `pagelet learn` writes such files") from error


def listed(found: Template, options: TemplateOptions, profile: str) -> Pagelets:
    """The slots of a page, and its template beside them."""
    items = tuple(_slot(found, row) for row in found.slots)
    more = partial(_more, found, options)
    return Pagelets(found.page, "template", profile, items, more)


def _slot(found: Template, row: int) -> Pagelet:
    votes = 0 if found.votes is None else int(found.votes[row])
    pages = max(len(found.facts["pages"]), votes, 1)
    score = found.facts.get("expected_f1", 1 - votes / pages)
    return Pagelet(found.page, (row,), "slot", score, {"votes": votes, "of": pages})


def _more(found: Template, options: TemplateOptions) -> dict[str, Any]:
    return {"template": found.to_dict(explain=options.explain)}


def _run(profile: str, page: Page, options: TemplateOptions, evidence: Evidence) -> Pagelets:
    return detect_template(page, options, profile=profile, site=evidence.site)


TEMPLATE = Method(
    name="template",
    summary="what the page shares with its site, and what is its own",
    needs=("page", "site"),
    uses=("site",),
    paper="Alarte, Insa, Silva, Tamarit: Analysis of Hyperlinks and DOM Comparison for Site-Level"
    " Web Template Extraction",
    formats=("text", "markdown", "html", "json", "page"),
    profiles={
        "default": Profile(partial(_run, "default"), TemplateOptions()),
        "paper": Profile(partial(_run, "paper"), PAPER),
    },
)
