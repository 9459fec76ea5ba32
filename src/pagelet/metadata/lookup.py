"""Looks up metadata in JSON-LD items, meta elements, properties and class names."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urljoin, urlsplit

import numpy as np
import turbohtml

from pagelet import core
from pagelet.metadata.naming import MAX_NAME_CHARS, NamePattern, rows_by_pattern
from pagelet.metadata.structured import Item, items, kind, type_names
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


@dataclass(frozen=True, slots=True)
class Fact:
    """A value, where it was found, and how far that can be trusted."""

    value: Any = None  #: None where nothing was found
    source: str = ""  #: such as json-ld, meta og:title, heading, url
    confidence: float = 0.0  #: estimated share of such values that are right; see confidence.py


NO_FACT = Fact()


@dataclass(frozen=True, eq=False)
class StructuredData:
    """The machine-readable metadata of a page, and its elements by name."""

    page: Page
    items: list[tuple[int, Item]]  #: rank and item, the most trusted first
    by_id: dict[str, Item]  #: items by their @id
    meta: dict[str, list[str]]  #: contents of the meta elements by lower-case name

    @cached_property
    def _named(self) -> list[list[int]]:
        """The rows that fit each pattern of names."""
        return rows_by_pattern(self.page)

    def rows_by_name(self, pattern: NamePattern) -> list[int]:
        """The rows whose class or id fits a pattern, in document order."""
        return self._named[pattern.number]

    def in_items(self, keys: str, last: int = WEB_PAGE) -> Iterator[str]:
        """The values of the keys in the items up to a rank."""
        for rank, item in self.items:
            for key in keys.split() if rank <= last else ():
                yield from filter(None, map(clean_text, as_list(item.get(key))))

    def in_meta(self, names: str) -> Iterator[str]:
        """The contents of the meta elements with these names, in the order of the names."""
        for name in names.split():
            yield from self.meta.get(name, ())[:MAX_VALUES]

    def meta_facts(self, names: str, confidence: float) -> Iterator[Fact]:
        """The contents of the meta elements with these names, in the order of the names."""
        for name in names.split():
            for value in self.meta.get(name, ())[:MAX_VALUES]:
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
    """Read the machine-readable metadata of a page."""
    every = items(page)
    by_id: dict[str, Item] = {}
    for item in every:
        if isinstance(name := item.get("@id"), str) and len(item) > len(by_id.get(name, ())):
            by_id[name] = item
    ranked = sorted(((_rank(item), item) for item in every), key=lambda pair: pair[0])
    return StructuredData(page, ranked[:MAX_VALUES], by_id, _meta(page))


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
    known = page.derived["meta"]
    if "contents" not in known:
        known["contents"] = _read_meta(page)
    contents: dict[str, list[str]] = known["contents"]
    return contents


def _read_meta(page: Page) -> dict[str, list[str]]:
    contents: dict[str, list[str]] = {}
    for written, names in _metas(page):
        if (content := clean_text(written)) is not None:
            for name in names:
                contents.setdefault(name.strip().lower(), []).append(content)
    return contents


def _metas(page: Page) -> Iterable[tuple[str, list[str]]]:
    """The content of each meta element that has one, and what it is called."""
    if core.compiled:
        numbers = tuple(WANTED[name] for name in META_NAMES)
        return core.kernels.read_metas(
            page.wanted, page.tag, NUMBER["meta"], WANTED["content"], numbers
        )
    named = [page.attribute(name) for name in META_NAMES]
    rows = np.flatnonzero(page.tag == NUMBER["meta"]).tolist()
    called = ((row, [values[row] for values in named if row in values]) for row in rows)
    return ((page.value_of(row, "content"), names) for row, names in called)


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
    if text.isascii():  # nearly all are
        return text.lower().encode().translate(None, ASCII_MARKS).decode()
    return "".join(filter(str.isalnum, text.casefold()))


def rows_by_property(page: Page, *names: str) -> list[int]:
    """The rows that microdata or RDFa marks as one of the properties, in document order."""
    known = page.derived["properties"]
    if "rows" not in known:
        known["rows"] = _index_properties(page)
    return sorted({row for name in names for row in known["rows"].get(name, ())})


def _index_properties(page: Page) -> dict[str, list[int]]:
    """The rows that microdata or RDFa marks as a property, by its bare name in lower case."""
    rows_of: dict[str, list[int]] = {}
    for attribute in ("itemprop", "property"):
        rows, numbers, values = page.distinct(attribute)
        names = [_property_names(value) for value in values]
        for row, number in zip(rows.tolist(), numbers.tolist(), strict=True):
            for name in names[number]:
                rows_of.setdefault(name, []).append(row)
    return rows_of


def _property_names(value: str) -> set[str]:
    return {word.rpartition(":")[2].lower() for word in value[:MAX_NAME_CHARS].split()}
