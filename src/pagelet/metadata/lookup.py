"""Looks up metadata in JSON-LD items, meta elements, properties and class names."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

import numpy as np
import turbohtml

from pagelet import core
from pagelet.metadata.naming import MAX_NAME_CHARS, NamePattern, rows_by_pattern
from pagelet.metadata.structured import Item, items, kind, read_once, type_names
from pagelet.metadata.vocabulary import READ, Names
from pagelet.page.lazy import lazy_property
from pagelet.page.table import WANTED, Page
from pagelet.page.tags import NUMBER

MAX_VALUES = 20  #: values, items or rows of one kind that are read
#: An absolute address in its usual form.
PLAIN_ADDRESS = re.compile(
    r"https?://[a-z\d.-]+(?:/[\w~%.,+:@!$&'()*=/-]*)?(?:\?[\w~%.,+:@!$&'()*=/-]+)?", re.ASCII
)
ASCII_MARKS = bytes(code for code in range(128) if not chr(code).isalnum())
META_NAMES = ("property", "name", "itemprop", "http-equiv")  #: attributes that name a `meta`
ARTICLE, CONTENT, WEB_PAGE, WEB_SITE, OTHER = range(5)  #: ranks of items, the most trusted first


class Fact(NamedTuple):
    """A value, where it was found, and how far that can be trusted."""

    value: Any = None  #: None where nothing was found
    source: str = ""  #: such as json-ld, meta og:title, heading, url
    confidence: float = 0.0  #: estimated share of such values that are right; see confidence.py


NO_FACT = Fact()
split_names = cache(str.split)  #: the names in one of the constants that list them


@dataclass(frozen=True, eq=False)
class StructuredData:
    """The machine-readable metadata of a page, and its elements by name."""

    page: Page
    items: list[tuple[int, Item]]  #: rank and item, the most trusted first
    by_id: dict[str, Item]  #: items by their @id
    meta: dict[str, list[str]]  #: contents of the meta elements that are read, by name

    @lazy_property
    def _named(self) -> list[list[int]]:
        """The rows that fit each pattern of names."""
        return rows_by_pattern(self.page)

    def rows_by_name(self, pattern: NamePattern) -> list[int]:
        """The rows whose class or id fits a pattern, in document order."""
        return self._named[pattern.number]

    def in_items(self, keys: str, last: int = WEB_PAGE) -> Iterator[str]:
        """The values of the keys in the items up to a rank."""
        for rank, item in self.items:
            for key in split_names(keys) if rank <= last else ():
                yield from filter(None, map(clean_text, as_list(item.get(key))))

    def in_meta(self, names: Names) -> Iterator[str]:
        """The contents of the meta elements with these names, in the order of the names."""
        for name in filter(self.meta.__contains__, names):
            yield from self.meta[name][:MAX_VALUES]

    def meta_facts(self, names: Names, confidence: float) -> Iterator[Fact]:
        """The contents of the meta elements with these names, in the order of the names."""
        for name in filter(self.meta.__contains__, names):
            for value in self.meta[name][:MAX_VALUES]:
                yield Fact(value, f"meta {name}", confidence)

    def names(self, value: Any) -> Iterator[str]:
        """Names of people or organisations, also of those referred to by @id."""
        for one in as_list(value):
            if isinstance(one, dict):
                yield from filter(None, map(clean_text, as_list(self.whole(one).get("name"))))
            elif (name := clean_text(one)) is not None:
                yield name

    def whole(self, item: Item) -> Item:
        """The item itself, or the one it refers to by @id."""
        other = item.get("@id")
        return self.by_id.get(other, item) if isinstance(other, str) else item

    def absolute(self, address: str) -> str | None:
        """A web address made absolute; None where that cannot be done."""
        full = address.strip()
        if PLAIN_ADDRESS.fullmatch(full) is not None:  # joining would not change it
            return full
        try:
            full = urljoin(self.page.base_url or "", full)
            parts = urlsplit(full)
        except ValueError:
            return None
        return full if parts.scheme in ("http", "https") and parts.netloc else None


def structured_data(page: Page) -> StructuredData:
    """Read the machine-readable metadata of a page. Its items are ranked once."""
    return StructuredData(page, *read_once(page, "ranked", _rank_items), _meta(page))


def _rank_items(page: Page) -> tuple[list[tuple[int, Item]], dict[str, Item]]:
    """The items with their ranks, the most trusted first, and those that have an @id."""
    every = items(page)
    by_id: dict[str, Item] = {}
    for item in every:
        if isinstance(name := item.get("@id"), str) and len(item) > len(by_id.get(name, ())):
            by_id[name] = item
    ranked = sorted(((_rank(item), item) for item in every), key=lambda pair: pair[0])
    return ranked[:MAX_VALUES], by_id


def _rank(item: Item) -> int:
    name = kind(item)
    if name:
        return ARTICLE if name in ("article", "discussionforumposting") else CONTENT
    names = type_names(item)
    if "website" in names:
        return WEB_SITE
    return WEB_PAGE if any(name.endswith("page") for name in names) else OTHER


def _meta(page: Page) -> dict[str, list[str]]:
    """The contents of the meta elements by name. Read once."""
    return read_once(page, "meta", _read_meta)


def _read_meta(page: Page) -> dict[str, list[str]]:
    if core.compiled:
        attributes = tuple(WANTED[name] for name in ("content", *META_NAMES))
        return _meta_names().read_contents(
            page.wanted, page.tag, NUMBER["meta"], attributes, turbohtml.unescape
        )
    contents: dict[str, list[str]] = {}
    named = [page.attribute(name) for name in META_NAMES]
    for row in np.flatnonzero(page.tag == NUMBER["meta"]).tolist():
        if (content := clean_text(page.value_of(row, "content"))) is not None:
            names = (values[row].strip().lower() for values in named if row in values)
            for name in filter(READ.__contains__, names):
                contents.setdefault(name, []).append(content)
    return contents


@cache
def _meta_names() -> "core.kernels.MetaNames":
    names = tuple(name.encode() for name in READ)
    return core.kernels.MetaNames(core.kernels.PhraseTable(names, np.arange(1, len(names) + 1)))


def clean_text(value: Any) -> str | None:
    """A string with entities resolved and white space folded; None for anything else."""
    if isinstance(value, dict):
        value = value.get("@value")
    if not isinstance(value, str):
        return None
    return " ".join((turbohtml.unescape(value) if "&" in value else value).split()) or None


def as_list(value: Any) -> list[Any]:
    """The first values of a list; any other value becomes a list of one."""
    return value[:MAX_VALUES] if isinstance(value, list) else [value]


def first_value(values: Iterable[str | None]) -> str | None:
    """The first value that is not empty."""
    return next((value for value in values if value), None)


def first_fact(facts: Iterable[Fact]) -> Fact:
    """The first fact that has a value."""
    return next((fact for fact in facts if fact.value), NO_FACT)


def key_of(text: str) -> str:
    """Letters and digits alone, so that two spellings of one name are equal."""
    if core.compiled:
        return core.kernels.key_of(text)
    if text.isascii():  # nearly all are
        return text.lower().encode().translate(None, ASCII_MARKS).decode()
    return "".join(filter(str.isalnum, text.casefold()))


def rows_by_property(page: Page, *names: str) -> list[int]:
    """The rows that microdata or RDFa marks as one of the properties, in document order."""
    return page.rows_named(("itemprop", "property"), names, _property_names)


def rows_by_relation(page: Page, *names: str) -> list[int]:
    """The rows with one of the relations, in document order."""
    return page.rows_named(("rel",), names, _relation_names)


def _property_names(value: str) -> Names:
    """The bare names of properties in lower case."""
    words = value[:MAX_NAME_CHARS].split()
    return tuple({word.rpartition(":")[2].lower() for word in words})


def _relation_names(value: str) -> Names:
    return tuple(value[:MAX_NAME_CHARS].lower().split())
