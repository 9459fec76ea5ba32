"""Who wrote a page."""

import re

import numpy as np

from pagelet.metadata.places import (
    FEW,
    SHORT,
    WEB_PAGE,
    Said,
    called,
    key_of,
    several,
    short_text,
    with_property,
)
from pagelet.metadata.structured import type_names
from pagelet.page.table import Page

AUTHORS = (
    "author article:author dc.creator dcterms.creator citation_author parsely-author"
    " sailthru.author"
)

BYLINE = re.compile(r"(?:^|[\s_-])(?:by-?line|authors?|author-?name|writer)(?:$|[\s_-])", re.I)
COMMENT = re.compile(r"(?:^|\s)comment(?:s|list|-list|-body|-author|s-area|s-list)?(?:$|\s)", re.I)
BY = re.compile(r"(?:written |posted |story |reported )?by\b:?\s*", re.I)
AFTER_NAME = re.compile(r"\s*[|·•\d]|\s[-–—]\s|\b(?:updated|published|posted|on)\b", re.I)
HANDLE = re.compile(r"[a-z0-9._-]+")  #: what a login looks like


def author(said: Said, sites: frozenset[str]) -> str | None:
    """The authors by the first source that names people.

    The site itself, another organisation or a login is the author only where no source does.
    """
    sites |= _organisations(said)
    weak = ""
    for source in (_in_items, _in_meta, _shown):
        found = (person(name, sites) for name in source(said))
        names = list(dict.fromkeys(name for name in found if name))
        people = [name for name in names if _is_person(name, sites)]
        if people:
            return ", ".join(people)
        weak = weak or ", ".join(names)
    return weak or None


def _is_person(name: str, sites: frozenset[str]) -> bool:
    return key_of(name) not in sites and HANDLE.fullmatch(name) is None


def person(name: str, sites: frozenset[str] = frozenset()) -> str | None:
    """A name without the word that introduces it and the site behind it; None for no name."""
    name = name[by.end() :] if (by := BY.match(name)) else name
    if len(name) > SHORT or "://" in name or "@" in name or name.startswith(("www.", "(")):
        return None
    before, comma, behind = name.rpartition(",")
    return (before if comma and key_of(behind) in sites else name).strip(" ,;|·•-–") or None


def _organisations(said: Said) -> frozenset[str]:
    """Keys of the authors and publishers that are organisations."""
    authors = [one for _, item in said.items for one in several(item.get("author"))]
    items = [said.whole(one) for one in authors if isinstance(one, dict)]
    typed = [one for one in items if any("organization" in name for name in type_names(one))]
    publishers = [item.get("publisher") for _, item in said.items]
    return frozenset(key_of(name) for one in (*typed, *publishers) for name in said.names(one))


def _in_items(said: Said) -> list[str]:
    """The authors of the first item that has some."""
    found = ([*said.names(item.get("author"))] for rank, item in said.items if rank <= WEB_PAGE)
    return next(filter(None, found), [])


def _in_meta(said: Said) -> list[str]:
    """The authors of the first sort of meta element that has some."""
    found = (said.meta.get(name, [])[:FEW] for name in AUTHORS.split())
    return next((names for names in found if any(map(person, names))), [])


def _shown(said: Said) -> list[str]:
    """The names people see: links to authors, properties, the first byline."""
    page = said.page
    rels = page.attribute("rel").items()
    links = [row for row, value in rels if "author" in value[:SHORT].lower().split()]
    rows = np.array([*links, *with_property(page, "author"), *called(page, BYLINE)], np.int64)
    comments = page.inside(np.array(called(page, COMMENT), np.int64))
    found = (_byline(page, row) for row in rows[~comments[rows]][:FEW].tolist())
    return next(filter(None, found), [])


def _byline(page: Page, row: int) -> list[str]:
    """The names in a byline: its links, else its text up to a date or the like."""
    if not (text := short_text(page, row)):
        return []
    ends = np.searchsorted(page.anchors, (row + 1, row + page.size[row])).tolist()
    links = (short_text(page, link) for link in page.anchors[slice(*ends)].tolist())
    texts = [*filter(None, links)] or [AFTER_NAME.split(text)[0]]
    return [name for name in texts if person(name) and not any(map(str.isdigit, name))]
