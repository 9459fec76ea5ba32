"""The authors of a page."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import islice

import numpy as np

from pagelet import core
from pagelet.metadata.dates import find_date
from pagelet.metadata.lookup import (
    MAX_VALUES,
    NO_FACT,
    WEB_PAGE,
    Fact,
    StructuredData,
    as_list,
    key_of,
    rows_by_property,
)
from pagelet.metadata.names import clean_names, is_person
from pagelet.metadata.naming import MAX_NAME_CHARS
from pagelet.metadata.opening import Opening, OpeningLine
from pagelet.metadata.patterns import BYLINE
from pagelet.metadata.shown import short_text
from pagelet.metadata.structured import type_names
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER

AUTHORS = (
    "author article:author dc.creator dcterms.creator citation_author parsely-author"
    " sailthru.author cxenseparse:author byl article:author_name rnews:author"
)
MAX_LABELLED_CHARS = 120  #: characters of a text that says who the author is
LINK_LEVELS = 3  #: elements around a text among which its link is looked for
MIN_NAME_START = 3  #: characters before a date that may be a name
AUTHOR_PAGE = re.compile(
    r"/(?:authors?|autor(?:en|es|in)?|auteurs?|autore|journalists?|contributors?|writers?|staff"
    r"|people|profiles?|profil|redakteur(?:in)?|reporters?|columnists?|by)/[^/]",
    re.I,
)
LABEL = re.compile(
    r"(?:(?:written|posted|published|story|text|words) )?(?:by|von|par|por|author|autor(?:in)?"
    r"|auteur|autore|text)\s?:?",
    re.I,
)
LABELLED = re.compile(
    r"\s*(?:(?:authors?|autor(?:en|in|es)?|auteurs?|autore|text)\s?:|autor(?:en|in)?\s"
    r"|(?:written|words|text) by\s)\s*(?P<names>[^\W\d_].{2,100})",
    re.I,
)
#: What a text of those begins with, behind the separator of joined texts.
MAYBE_LABELLED = re.compile(r"\0\s*(?:aut|text|w(?:ritten|ords) )", re.I)
LABEL_STARTS = (b"aut", b"text", b"written by", b"words by")  #: the same for the compiled core
COMPLETE = ("json-ld", "meta")  #: sources that may add to the names of another one
#: Beginning of a byline; a name follows.
BY = (
    r"(?:(?:written|posted|published|story|reported|words|review(?:ed)?|edited|compiled|article"
    r"|created|submitted|contributed|erstellt|geschrieben|verfasst|publi[ée]|escrito|scritto)\s+)?"
    r"(?:(?:by|von|par|por|door|af|av|di|van)\s|(?:authors?|autor(?:en|in|innen|es|a)?|auteurs?"
    r"|autore|text|words|redaktion|redacción|bericht|von|by|par)\s?:\s?|autoren?\s)"
    r"\s*(?P<names>[^\W\d_].{1,120})"
)
STARTS_BY = re.compile(BY, re.I)
#: The same behind a separator, a year or a time; one set of characters first makes it fast.
THEN_BY = re.compile(
    r"[|·•/,\d](?:(?<!\d)\s*"
    r"|(?<=\d)(?:\d{3}|\d?[:.]\d\d\s*(?:Uhr|h|am|pm)?)\s*[-–,|]?\s*)" + BY,
    re.I,
)


def find_authors(data: StructuredData, opening: Opening, sites: frozenset[str]) -> Fact:
    """The authors from the first source that names people.

    The site itself, another organisation or a login is the author only if no source names people.
    A later source that has the same people and more is the more complete one.
    """
    sites |= _organisations(data)
    weak = best = NO_FACT
    for names, source, confidence in _sources(data, opening):
        if best is not NO_FACT and not source.startswith(COMPLETE):
            break
        cleaned = clean_names(names, sites)
        people = tuple(name for name in cleaned if is_person(name, sites))
        if people and (best is NO_FACT or _completes(people, best.value)):
            best = Fact(people, source, confidence)
        if cleaned and weak is NO_FACT:
            weak = Fact(tuple(cleaned), source, confidence / 2)
    return weak if best is NO_FACT else best


def _completes(people: tuple[str, ...], known: tuple[str, ...]) -> bool:
    """Whether a list of names has all that are known and more."""
    return set(map(key_of, people)) > set(map(key_of, known))


def _sources(data: StructuredData, opening: Opening) -> Iterator[tuple[list[str], str, float]]:
    """Names as they are written, where, and how far that can be trusted."""
    yield _in_items(data), "json-ld", 0.85
    for name in AUTHORS.split():
        if values := data.meta.get(name):
            yield values[:MAX_VALUES], f"meta {name}", 0.8
    yield from ((names, source, 0.75) for names, source in _marked(data, opening))
    yield from ((names, "text", 0.7) for names in _in_lines(data.page, opening.lines))
    yield from ((names, "label", 0.5) for names in _labelled(data.page))


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


def byline_names(text: str) -> list[str]:
    """The names in a short text that says by whom: By Anna Ash, 6 May 2024."""
    if len(text) > MAX_NAME_CHARS:
        return []
    match = STARTS_BY.match(text) or THEN_BY.search(text)
    return [_before_date(match["names"])] if match else []


def _before_date(text: str) -> str:
    found = find_date(text)
    return text[: found.start] if found and found.start > MIN_NAME_START else text


def _in_lines(page: Page, lines: list[OpeningLine]) -> Iterator[list[str]]:
    """The names near the heading: after "by", behind a label, in links to a page of an author."""
    texts = {line.distance: line for line in lines}
    for line in lines:
        if names := byline_names(line.text):
            yield names
        elif LABEL.fullmatch(line.text) and (following := texts.get(line.distance + 1)):
            yield [_before_date(following.text)]
    for line in _linked(page, lines):
        link = _link_of(page, line.row)
        if link >= 0 and AUTHOR_PAGE.search(page.hrefs[link][:MAX_NAME_CHARS]):
            yield [line.text]


def _linked(page: Page, lines: list[OpeningLine]) -> list[OpeningLine]:
    """The texts that may be in a link."""
    rows = np.array([line.row for line in lines], np.int32)
    inside = np.zeros(len(lines), np.bool_)
    for _ in range(LINK_LEVELS):
        rows = page.parent[rows]  # above the root are any; the link itself is looked for later
        inside |= page.tag[rows] == NUMBER["a"]
    return [line for line, linked in zip(lines, inside.tolist(), strict=True) if linked]


def _link_of(page: Page, row: int) -> int:
    """The hyperlink that a text is in; -1 for none."""
    for _ in range(LINK_LEVELS):
        row = int(page.parent[row])
        if row < 0 or row in page.hrefs:
            return row
    return -1


def _labelled(page: Page) -> Iterator[list[str]]:
    """The names in a text anywhere on the page that begins with a word for author."""
    matches = filter(None, map(LABELLED.match, _maybe_labelled(page)))
    yield from ([match["names"]] for match in islice(matches, 1))


def _maybe_labelled(page: Page) -> list[str]:
    """The short texts, or some of them, where one may begin with a word for author."""
    if core.compiled:
        with suppress(UnicodeEncodeError):  # lone surrogates are left to Python
            return core.kernels.find_begun(page.texts, MAX_LABELLED_CHARS, _label_starts())
    short = [text for text in page.texts if len(text) <= MAX_LABELLED_CHARS]
    return short if MAYBE_LABELLED.search("\0".join(("", *short))) else []


@cache
def _label_starts() -> "core.kernels.Phrases":
    return core.kernels.Phrases(LABEL_STARTS)


def _marked(data: StructuredData, opening: Opening) -> Iterator[tuple[list[str], str]]:
    """The visible names: links to authors, properties, elements named as a byline.

    Those near the heading come first; comments and teasers are left out, and so is what is
    named alike three times: bylines of a list.
    """
    page, heading = data.page, opening.heading
    links = page.rows_with("rel", _names_author, "author")
    rows = dict.fromkeys(data.rows_by_name(BYLINE), "class")
    rows |= dict.fromkeys(rows_by_property(page, "author", "creator"), "microdata")
    rows |= dict.fromkeys(links, "rel author")
    if not rows:
        return
    classes = {row: page.value_of(row, "class") for row in rows}
    alike = Counter(classes.values())
    near = sorted(
        (row for row in rows if not opening.others[row]),
        key=lambda row: (alike[classes[row]] > 2, _distance(row, heading), row),
    )
    for row in near[:MAX_VALUES]:
        if (names := _byline(page, row)) and clean_names(names):
            yield names, rows[row]
            return


def _names_author(relation: str) -> bool:
    return "author" in relation[:MAX_NAME_CHARS].lower().split()


def _distance(row: int, heading: int) -> int:
    """How far a byline is from the heading, in steps: near, further down, before it."""
    if heading < 0:
        return 0
    gap = row - heading
    return gap // 50 if gap >= 0 else 1 + (-gap) // 25


def _byline(page: Page, row: int) -> list[str]:
    """The names in a byline: its links, else its text up to a date."""
    if not (text := short_text(page, row)):
        return []
    ends = np.searchsorted(page.anchors, (row + 1, row + page.size[row])).tolist()
    links = [short_text(page, link) for link in page.anchors[slice(*ends)].tolist()]
    if any(links):
        return [link for link in links if link and not any(map(str.isdigit, link))]
    return [_before_date(text)]
