"""The title of a page and the name of its site."""

import re

import numpy as np

from pagelet.metadata.places import (
    ARTICLE,
    CONTENT,
    FEW,
    SHORT,
    WEB_SITE,
    Said,
    first,
    host,
    key_of,
    short_text,
)
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER

LONE = 15  #: characters of a heading that may be the title though no other title is like it
LONGEST = 1000  #: characters of a title in which the name of the site is looked for
ALIKE = 0.5  #: likeness from which a title speaks for a heading
TITLES = "og:title twitter:title dc.title dcterms.title citation_title"

SEPARATOR = re.compile(r"\s+[|\-–—·•»«:]{1,3}\s+|[|»]")
WORD = re.compile(r"\w+")


def site_name(said: Said) -> str | None:
    """What the site is called."""
    publishers = (item.get("publisher") for _, item in said.items)
    return first(
        (
            *said.in_meta("og:site_name"),
            *(name for rank, item in said.items if rank == WEB_SITE for name in said.names(item)),
            *said.in_meta("application-name"),
            *(name for publisher in publishers for name in said.names(publisher)),
        )
    )


def site_keys(said: Said) -> frozenset[str]:
    """Keys by which the site is known: its name, its host, the longest part of its host."""
    labels = host(said.page.url or first(said.in_meta("og:url")) or "").split(".")
    labels = labels[1:] if labels[0] == "www" else labels
    keys = {key_of(site_name(said) or ""), key_of("".join(labels)), key_of(max(labels, key=len))}
    return frozenset(key for known in keys - {""} for key in (known, f"the{known}"))


def title(said: Said, sites: frozenset[str]) -> str | None:
    """The heading that the machine-readable titles speak for, else the first of those."""
    headings = [text for text in _headings(said.page) if key_of(text) not in sites]
    written = (
        *said.in_items("headline", ARTICLE),
        *said.in_items("name", CONTENT),
        *said.in_meta(TITLES),
        *_title_element(said.page),
    )
    titles = list(dict.fromkeys(without_site(one, sites, headings) for one in written))
    heading = _heading(headings, titles, sites)
    if heading is None:
        return first(titles) or first(headings)
    return first(one for one in titles if _has_rubric(heading, one)) or heading


def _title_element(page: Page) -> list[str]:
    rows = np.flatnonzero(page.tag == NUMBER["title"])[:1].tolist()
    return [" ".join(page.text(row + 1).split()) for row in rows if page.size[row] > 1]


def _headings(page: Page) -> list[str]:
    rows = np.flatnonzero(page.tag == NUMBER["h1"])[:FEW].tolist()
    return list(filter(None, (short_text(page, row) for row in rows)))


def _heading(headings: list[str], titles: list[str], sites: frozenset[str]) -> str | None:
    """The heading most like a title; a lone long one that does not name the site needs none."""
    alike = [max((likeness(one, other) for other in titles), default=0) for one in headings]
    if alike and max(alike) >= ALIKE:
        return headings[alike.index(max(alike))]
    if len(headings) != 1 or len(headings[0]) < LONE:
        return None
    named = any(len(site) > 3 and site in key_of(headings[0]) for site in sites)
    return None if named else headings[0]


def likeness(one: str, other: str) -> float:
    """Share of the words of two texts that both have, from 0 to 1."""
    mine, theirs = (set(WORD.findall(text[:SHORT].casefold())) for text in (one, other))
    return 2 * len(mine & theirs) / max(1, len(mine) + len(theirs))


def _has_rubric(heading: str, title: str) -> bool:
    """Whether a heading is the title with a rubric before it: Opinion | What I think of it."""
    rubric = heading.removesuffix(title)
    return len(title) >= LONE and 0 < len(rubric) < len(heading) and not rubric.endswith(": ")


def without_site(title: str, sites: frozenset[str], headings: list[str]) -> str:
    """A title without the name of the site before or behind it.

    What stands before the last separator is also the title when a heading says just that.
    """
    cuts = list(SEPARATOR.finditer(title)) if len(title) <= LONGEST else []
    if not cuts:
        return title
    before, behind = title[: cuts[-1].start()].rstrip(), title[cuts[-1].end() :]
    if key_of(behind) in sites or key_of(before) in map(key_of, headings):
        return before or title
    if key_of(title[: cuts[0].start()]) in sites:
        return title[cuts[0].end() :].lstrip() or title
    return title
