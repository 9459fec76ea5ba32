"""The authors of a page."""

import re

import numpy as np

from pagelet.metadata.lookup import (
    MAX_NAME_CHARS,
    MAX_VALUES,
    WEB_PAGE,
    StructuredData,
    as_list,
    key_of,
    rows_by_name,
    rows_by_property,
    short_text,
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
HANDLE = re.compile(r"[a-z0-9._-]+")  #: pattern of a login name


def author(data: StructuredData, sites: frozenset[str]) -> str | None:
    """The authors from the first source that names people.

    The site itself, another organisation or a login is the author only if no source names people.
    """
    sites |= _organisations(data)
    weak = ""
    for source in (_in_items, _in_meta, _shown):
        cleaned = (person(name, sites) for name in source(data))
        names = list(dict.fromkeys(name for name in cleaned if name))
        people = [name for name in names if _is_person(name, sites)]
        if people:
            return ", ".join(people)
        weak = weak or ", ".join(names)
    return weak or None


def _is_person(name: str, sites: frozenset[str]) -> bool:
    return key_of(name) not in sites and HANDLE.fullmatch(name) is None


def person(name: str, sites: frozenset[str] = frozenset()) -> str | None:
    """A name without the leading "by" and the site after it; None if it is no name."""
    name = name[by.end() :] if (by := BY.match(name)) else name
    if len(name) > MAX_NAME_CHARS or "://" in name or "@" in name or name.startswith(("www.", "(")):
        return None
    before, comma, behind = name.rpartition(",")
    return (before if comma and key_of(behind) in sites else name).strip(" ,;|·•-–") or None


def _organisations(data: StructuredData) -> frozenset[str]:
    """Keys of the authors and publishers that are organisations."""
    authors = [one for _, item in data.items for one in as_list(item.get("author"))]
    items = [data.whole(one) for one in authors if isinstance(one, dict)]
    typed = [one for one in items if any("organization" in name for name in type_names(one))]
    publishers = [item.get("publisher") for _, item in data.items]
    return frozenset(key_of(name) for one in (*typed, *publishers) for name in data.names(one))


def _in_items(data: StructuredData) -> list[str]:
    """The authors of the first item that has some."""
    authors = ([*data.names(item.get("author"))] for rank, item in data.items if rank <= WEB_PAGE)
    return next(filter(None, authors), [])


def _in_meta(data: StructuredData) -> list[str]:
    """The authors of the first kind of meta element that has some."""
    authors = (data.meta.get(name, [])[:MAX_VALUES] for name in AUTHORS.split())
    return next((names for names in authors if any(map(person, names))), [])


def _shown(data: StructuredData) -> list[str]:
    """The visible names: links to authors, properties, the first byline."""
    page = data.page
    rels = page.attribute("rel").items()
    links = [row for row, value in rels if "author" in value[:MAX_NAME_CHARS].lower().split()]
    rows = np.array(
        [*links, *rows_by_property(page, "author"), *rows_by_name(page, BYLINE)], np.int64
    )
    comments = page.inside(np.array(rows_by_name(page, COMMENT), np.int64))
    bylines = (_byline(page, row) for row in rows[~comments[rows]][:MAX_VALUES].tolist())
    return next(filter(None, bylines), [])


def _byline(page: Page, row: int) -> list[str]:
    """The names in a byline: its links, else its text up to a date or the like."""
    if not (text := short_text(page, row)):
        return []
    ends = np.searchsorted(page.anchors, (row + 1, row + page.size[row])).tolist()
    links = (short_text(page, link) for link in page.anchors[slice(*ends)].tolist())
    texts = [*filter(None, links)] or [AFTER_NAME.split(text)[0]]
    return [name for name in texts if person(name) and not any(map(str.isdigit, name))]
