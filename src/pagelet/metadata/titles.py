"""The title of a page and the name of its site."""

import re

import numpy as np

from pagelet.metadata.lookup import (
    ARTICLE,
    CONTENT,
    MAX_NAME_CHARS,
    MAX_VALUES,
    WEB_SITE,
    StructuredData,
    first_value,
    key_of,
    short_text,
)
from pagelet.page.site import host_of
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER

MIN_LONE_CHARS = 15  #: characters of an only heading that is the title without a similar title
MAX_TITLE_CHARS = 1000  #: characters of a title from which the name of the site is removed
MIN_LIKENESS = 0.5  #: likeness from which a title supports a heading
TITLES = "og:title twitter:title dc.title dcterms.title citation_title"

SEPARATOR = re.compile(r"\s+[|\-–—·•»«:]{1,3}\s+|[|»]")
WORD = re.compile(r"\w+")


def site_name(data: StructuredData) -> str | None:
    """The name of the site."""
    publishers = (item.get("publisher") for _, item in data.items)
    return first_value(
        (
            *data.in_meta("og:site_name"),
            *(name for rank, item in data.items if rank == WEB_SITE for name in data.names(item)),
            *data.in_meta("application-name"),
            *(name for publisher in publishers for name in data.names(publisher)),
        )
    )


def site_keys(data: StructuredData) -> frozenset[str]:
    """Keys that name the site: its name, its host, the longest part of its host."""
    labels = host_of(data.page.url or first_value(data.in_meta("og:url")) or "").split(".")
    labels = labels[1:] if labels[0] == "www" else labels
    keys = {key_of(site_name(data) or ""), key_of("".join(labels)), key_of(max(labels, key=len))}
    return frozenset(key for name in keys - {""} for key in (name, f"the{name}"))


def title(data: StructuredData, sites: frozenset[str]) -> str | None:
    """The heading that the machine-readable titles support, else the first of those titles."""
    headings = [text for text in _headings(data.page) if key_of(text) not in sites]
    written = (
        *data.in_items("headline", ARTICLE),
        *data.in_items("name", CONTENT),
        *data.in_meta(TITLES),
        *_title_element(data.page),
    )
    titles = list(dict.fromkeys(without_site(one, sites, headings) for one in written))
    heading = _heading(headings, titles, sites)
    if heading is None:
        return first_value(titles) or first_value(headings)
    return first_value(one for one in titles if _has_rubric(heading, one)) or heading


def _title_element(page: Page) -> list[str]:
    rows = np.flatnonzero(page.tag == NUMBER["title"])[:1].tolist()
    return [" ".join(page.text(row + 1).split()) for row in rows if page.size[row] > 1]


def _headings(page: Page) -> list[str]:
    rows = np.flatnonzero(page.tag == NUMBER["h1"])[:MAX_VALUES].tolist()
    return list(filter(None, (short_text(page, row) for row in rows)))


def _heading(headings: list[str], titles: list[str], sites: frozenset[str]) -> str | None:
    """The heading most like a title; an only, long one that does not name the site needs none."""
    alike = [max((likeness(one, other) for other in titles), default=0) for one in headings]
    if alike and max(alike) >= MIN_LIKENESS:
        return headings[alike.index(max(alike))]
    if len(headings) != 1 or len(headings[0]) < MIN_LONE_CHARS:
        return None
    named = any(len(site) > 3 and site in key_of(headings[0]) for site in sites)
    return None if named else headings[0]


def likeness(one: str, other: str) -> float:
    """Share of the words that two texts have in common, from 0 to 1."""
    mine, theirs = (set(WORD.findall(text[:MAX_NAME_CHARS].casefold())) for text in (one, other))
    return 2 * len(mine & theirs) / max(1, len(mine) + len(theirs))


def _has_rubric(heading: str, title: str) -> bool:
    """Whether a heading is the title with a rubric before it: Opinion | What I think of it."""
    rubric = heading.removesuffix(title)
    return (
        len(title) >= MIN_LONE_CHARS
        and 0 < len(rubric) < len(heading)
        and not rubric.endswith(": ")
    )


def without_site(title: str, sites: frozenset[str], headings: list[str]) -> str:
    """A title without the name of the site before or after it.

    The part before the last separator is also the title when a heading equals it.
    """
    cuts = list(SEPARATOR.finditer(title)) if len(title) <= MAX_TITLE_CHARS else []
    if not cuts:
        return title
    before, behind = title[: cuts[-1].start()].rstrip(), title[cuts[-1].end() :]
    if key_of(behind) in sites or key_of(before) in map(key_of, headings):
        return before or title
    if key_of(title[: cuts[0].start()]) in sites:
        return title[cuts[0].end() :].lstrip() or title
    return title
