"""Where metadata is found: JSON-LD items, meta elements, properties, names of classes."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin, urlsplit

import numpy as np
import turbohtml

from pagelet.metadata.structured import Item, items, kind, type_names
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER

FEW = 20  #: things of one sort that are looked at
SHORT = 200  #: characters of the longest name, rows of the largest byline
ARTICLE, CONTENT, WEB_PAGE, WEB_SITE, OTHER = range(5)  #: ranks of items, the most trusted first


@dataclass(frozen=True, slots=True)
class Said:
    """What the machine-readable sources of a page say."""

    page: Page
    items: list[tuple[int, Item]]  #: rank and item, the most trusted first
    known: dict[str, Item]  #: items by their @id
    meta: dict[str, list[str]]  #: contents of the meta elements by lower-case name

    def in_items(self, keys: str, last: int = WEB_PAGE) -> Iterator[str]:
        """What the items up to a rank say under the keys."""
        for rank, item in self.items:
            for key in keys.split() if rank <= last else ():
                yield from filter(None, map(clean, several(item.get(key))))

    def in_meta(self, names: str) -> Iterator[str]:
        """What the meta elements say under the names, in the order of the names."""
        for name in names.split():
            yield from self.meta.get(name, ())[:FEW]

    def names(self, value: Any) -> Iterator[str]:
        """Names of people or organisations, of those only referred to by @id too."""
        for one in several(value):
            if isinstance(one, dict):
                yield from filter(None, map(clean, several(self.whole(one).get("name"))))
            elif (name := clean(one)) is not None:
                yield name

    def whole(self, item: Item) -> Item:
        """An item, or the one it refers to when it is but a reference."""
        other = item.get("@id")
        return self.known.get(other, item) if isinstance(other, str) else item

    def absolute(self, address: str) -> str | None:
        """A web address made absolute; None where that cannot be done."""
        page = self.page
        bases = np.flatnonzero(page.tag == NUMBER["base"])[:1].tolist()
        written = page.attributes_of(bases[0]).get("href", "") if bases else ""
        try:
            full = urljoin(urljoin(page.url or "", written.strip()), address.strip())
            parts = urlsplit(full)
        except ValueError:
            return None
        return full if parts.scheme in ("http", "https") and parts.netloc else None


def said(page: Page) -> Said:
    """Read the machine-readable sources of a page."""
    found = items(page)
    known: dict[str, Item] = {}
    for item in found:
        if isinstance(name := item.get("@id"), str) and len(item) > len(known.get(name, ())):
            known[name] = item
    ranked = sorted(((_rank(item), item) for item in found), key=lambda pair: pair[0])
    return Said(page, ranked[:FEW], known, _meta(page))


def _rank(item: Item) -> int:
    name = kind(item)
    if name:
        return ARTICLE if name in ("article", "discussionforumposting") else CONTENT
    names = type_names(item)
    if "website" in names:
        return WEB_SITE
    return WEB_PAGE if any(name.endswith("page") for name in names) else OTHER


def _meta(page: Page) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for row in np.flatnonzero(page.tag == NUMBER["meta"]).tolist():
        pairs = page.attributes_of(row)
        if (content := clean(pairs.get("content"))) is not None:
            for key in ("property", "name", "itemprop", "http-equiv"):
                if key in pairs:
                    found.setdefault(pairs[key].strip().lower(), []).append(content)
    return found


def clean(value: Any) -> str | None:
    """A string with entities resolved and white space folded; None for anything else."""
    if isinstance(value, dict):
        value = value.get("@value")
    if not isinstance(value, str):
        return None
    return " ".join((turbohtml.unescape(value) if "&" in value else value).split()) or None


def several(value: Any) -> list[Any]:
    """The first values of a list; a value that is no list is one."""
    return value[:FEW] if isinstance(value, list) else [value]


def first(values: Iterable[str | None]) -> str | None:
    """The first value that says something."""
    return next((value for value in values if value), None)


def host(address: str) -> str:
    """The host of a URL; empty when it has none."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def key_of(text: str) -> str:
    """Letters and digits alone, so that two spellings of one name are equal."""
    return "".join(filter(str.isalnum, text.casefold()))


# -- rows ---------------------------------------------------------------------------------


def with_property(page: Page, name: str) -> list[int]:
    """The rows that say of themselves, in microdata or RDFa, that they are a property."""
    return [
        row
        for attribute in ("itemprop", "property")
        for row, value in page.attribute(attribute).items()
        if name in (word.rpartition(":")[2].lower() for word in value[:SHORT].split())
    ]


def called(page: Page, pattern: re.Pattern[str]) -> list[int]:
    """The rows whose class or id fits a pattern, in document order."""
    return sorted(
        {
            row
            for name in ("class", "id")
            for row, value in page.attribute(name).items()
            if pattern.search(value[:SHORT])
        }
    )


def short_text(page: Page, row: int) -> str:
    """The text of a row; empty where it is too long for a name or a date."""
    inner = slice(row, row + int(page.size[row]))
    if page.size[row] > SHORT or page.chars[inner].sum() > SHORT:
        return ""
    return page.inner_text(row)
