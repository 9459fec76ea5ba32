"""The authors of a page."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import compress, islice
from operator import not_

import numpy as np

from pagelet import core
from pagelet.metadata import vocabulary
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
    rows_by_relation,
)
from pagelet.metadata.names import clean_names, is_person
from pagelet.metadata.naming import MAX_NAME_CHARS
from pagelet.metadata.opening import Opening, OpeningLines
from pagelet.metadata.patterns import BYLINE
from pagelet.metadata.shown import rows_within, short_text
from pagelet.metadata.structured import type_names
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER

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
#: Beginning of a byline; a name follows.
BY = (
    r"(?:(?:written|posted|published|story|reported|words|review(?:ed)?|edited|compiled|article"
    r"|created|submitted|contributed|erstellt|geschrieben|verfasst|publi[ée]|escrito|scritto)\s+)?"
    r"(?:(?:by|von|par|por|door|af|av|di|van)\s|(?:authors?|autor(?:en|in|innen|es|a)?|auteurs?"
    r"|autore|text|words|redaktion|redacción|bericht|von|by|par)\s?:\s?|autoren?\s)"
    r"\s*(?P<names>[^\W\d_].{1,120})"
)
#: One of these is in a text of ASCII that begins so, or that is a label.
BY_WORDS = (
    *(b"by", b"von", b"par", b"por", b"door ", b"af ", b"av ", b"di ", b"van ", b"auth", b"auto"),
    *(b"aute", b"text", b"words", b"redak", b"redac", b"bericht"),
)
STARTS_BY = re.compile(BY, re.I)
#: The same behind a separator, a year or a time; one set of characters first makes it fast.
THEN_BY = re.compile(
    r"[|·•/,\d](?:(?<!\d)\s*"
    r"|(?<=\d)(?:\d{3}|\d?[:.]\d\d\s*(?:Uhr|h|am|pm)?)\s*[-–,|]?\s*)" + BY,
    re.I,
)

NameSource = tuple[list[str], str, float]  #: names as written, where, and how far to trust that


def find_authors(data: StructuredData, opening: Opening, sites: frozenset[str]) -> Fact:
    """The authors from the first source that names people.

    The site itself, another organisation or a login is the author only if no source names people.
    What machines are told may be completed by a later source of that kind; what people see is
    looked at only where that names nobody.
    """
    sites |= _organisations(data)
    people, anyone = _choose(_written(data), sites, completed=True)
    if people is NO_FACT:
        people, other = _choose(_shown(data, opening), sites, completed=False)
        anyone = other if anyone is NO_FACT else anyone
    return anyone if people is NO_FACT else people


def _choose(
    sources: Iterator[NameSource], sites: frozenset[str], *, completed: bool
) -> tuple[Fact, Fact]:
    """The first source that names people, and the first that names anyone.

    Where it may be completed, a later source that has the same people and more replaces it.
    """
    people = anyone = NO_FACT
    seen = set[tuple[str, ...]]()  # what was written before says nothing new
    for names, source, confidence in sources:
        if tuple(names) in seen:
            continue
        seen.add(tuple(names))
        cleaned = clean_names(names, sites)
        persons = tuple(name for name in cleaned if is_person(name, sites))
        if persons and (people is NO_FACT or _completes(persons, people.value)):
            people = Fact(persons, source, confidence)
        if cleaned and anyone is NO_FACT:
            anyone = Fact(tuple(cleaned), source, confidence / 2)
        if people is not NO_FACT and not completed:
            break
    return people, anyone


def _completes(people: tuple[str, ...], known: tuple[str, ...]) -> bool:
    """Whether a list of names has all that are known and more."""
    return set(map(key_of, people)) > set(map(key_of, known))


def _written(data: StructuredData) -> Iterator[NameSource]:
    """Names that machines are told."""
    yield _in_items(data), "json-ld", 0.85
    for name in vocabulary.AUTHOR:
        if values := data.meta.get(name):
            yield values[:MAX_VALUES], f"meta {name}", 0.8


def _shown(data: StructuredData, opening: Opening) -> Iterator[NameSource]:
    """Names that people see."""
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


def _in_lines(page: Page, lines: OpeningLines) -> Iterator[list[str]]:
    """The names near the heading: after "by", behind a label, in links to a page of an author."""
    for at in _maybe_bylines(lines.texts):
        if names := byline_names(lines.texts[at]):
            yield names
            continue
        following = lines.text_at(lines.distances[at] + 1)
        if following is not None and LABEL.fullmatch(lines.texts[at]):
            yield [_before_date(following)]
    for at in rows_within(page, lines.rows, NUMBER["a"], LINK_LEVELS):
        link = _link_around(page, lines.rows[at])
        if AUTHOR_PAGE.search(link[:MAX_NAME_CHARS]):
            yield [lines.texts[at]]


def _maybe_bylines(texts: list[str]) -> list[int]:
    """Which texts may say by whom: those in ASCII hold some words, in any letters."""
    every = range(len(texts))
    if not core.compiled:
        return [*every]
    others = compress(every, map(not_, map(str.isascii, texts)))
    return sorted({*others, *_by_words().find_in(tuple(texts))})


@cache
def _by_words() -> "core.kernels.Phrases":
    return core.kernels.Phrases(BY_WORDS)


def _link_around(page: Page, row: int) -> str:
    """Where the hyperlink that a text is in leads; empty where it is in none."""
    for _ in range(LINK_LEVELS):
        row = page.parent.item(row)
        if row < 0:
            break
        if (href := page.href_of(row)) is not None:
            return href
    return ""


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
    links = rows_by_relation(page, "author")
    rows = dict.fromkeys(data.rows_by_name(BYLINE), "class")
    rows |= dict.fromkeys(rows_by_property(page, "author", "creator"), "microdata")
    rows |= dict.fromkeys(links, "rel author")
    near = [row for row in rows if not opening.others[row]]
    if not near:
        return
    classes = {row: page.value_of(row, "class") for row in rows}
    alike = Counter(classes.values())
    near.sort(key=lambda row: (alike[classes[row]] > 2, _distance(row, heading), row))
    for row in near[:MAX_VALUES]:
        if (names := _byline(page, row)) and clean_names(names):
            yield names, rows[row]
            return


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
