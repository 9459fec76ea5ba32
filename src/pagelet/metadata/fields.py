"""The fields of the metadata: how each is found, and what several of them are made of."""

import re
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from pagelet.metadata import vocabulary
from pagelet.metadata.authors import find_authors
from pagelet.metadata.lookup import (
    MAX_VALUES,
    NO_FACT,
    WEB_PAGE,
    Fact,
    StructuredData,
    as_list,
    clean_text,
    first_fact,
    structured_data,
)
from pagelet.metadata.opening import Opening, read_opening
from pagelet.metadata.published import Reading, find_dates
from pagelet.metadata.terms import (
    find_categories,
    find_comments_count,
    find_licence,
    find_paywall,
    find_tags,
)
from pagelet.metadata.titles import Title, find_title, site_keys, site_name
from pagelet.page.lazy import lazy_property
from pagelet.page.site import host_of
from pagelet.page.table import Page

LANGUAGE = re.compile(r"([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?(?![a-z\d])", re.I)


class PageFacts:
    """What the fields of a page are made of, each read once, when it is first needed."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @lazy_property
    def data(self) -> StructuredData:
        """The structured data of the page."""
        return structured_data(self.page)

    @lazy_property
    def sites(self) -> frozenset[str]:
        """Names of the site, as keys."""
        return site_keys(self.data)

    @lazy_property
    def title(self) -> Title:
        """The title, and the row where it stands."""
        return find_title(self.data, self.sites)

    @lazy_property
    def language(self) -> Fact:
        """The language that the page declares."""
        return find_language(self.data)

    @lazy_property
    def opening(self) -> Opening:
        """The lines around the heading of the page."""
        return read_opening(self.data, self.title.row, self.title.fact.value)

    @lazy_property
    def dates(self) -> tuple[Fact, Fact]:
        """When the page was published and when it was modified."""
        return find_dates(self.data, self.opening, Reading(self.page, self.language.value))

    @lazy_property
    def canonical(self) -> Fact:
        """The canonical address."""
        return find_canonical(self.data)


#: How each field is found, by name.
FIELDS: dict[str, Callable[[PageFacts], Fact]] = {
    "title": lambda facts: facts.title.fact,
    "authors": lambda facts: find_authors(facts.data, facts.opening, facts.sites),
    "published": lambda facts: facts.dates[0],
    "modified": lambda facts: facts.dates[1],
    "language": lambda facts: facts.language,
    "site_name": lambda facts: site_name(facts.data),
    "host": lambda facts: find_host(facts.page, facts.canonical.value),
    "description": lambda facts: find_description(facts.data),
    "image": lambda facts: find_image(facts.data),
    "canonical": lambda facts: facts.canonical,
    "categories": lambda facts: find_categories(facts.data),
    "tags": lambda facts: find_tags(facts.data),
    "licence": lambda facts: find_licence(facts.data),
    "paywalled": lambda facts: find_paywall(facts.data),
    "comments_count": lambda facts: find_comments_count(facts.data),
}


# -- single fields -------------------------------------------------------------------------------


def find_language(data: StructuredData) -> Fact:
    """The language that the page declares."""
    for value, source in _languages(data):
        if (tag := language_tag(value)) is not None:
            return Fact(tag, source, 0.9)
    return NO_FACT


def _languages(data: StructuredData) -> Iterator[tuple[str, str]]:
    names = ("lang", "xml:lang") if len(data.page) else ()
    yield from ((data.page.value_of(0, name), f"html {name}") for name in names)
    for fact in data.meta_facts(vocabulary.LANGUAGE, 0.9):
        yield fact.value, fact.source
    yield from ((value, "json-ld") for value in data.in_items("inLanguage"))


def language_tag(value: str) -> str | None:
    """A BCP 47 tag in its usual case: en_us is en-US."""
    if (match := LANGUAGE.match(value.strip())) is None:
        return None
    language, script, region = (part or "" for part in match.groups())
    return "-".join(filter(None, (language.lower(), script.title(), region.upper())))


def find_canonical(data: StructuredData) -> Fact:
    """The canonical URL, else the one the page came from."""
    page = data.page
    rows = page.rows_with("rel", _is_canonical, "canonical")[:MAX_VALUES]
    links = (page.value_of(row, "href") for row in rows)
    written = [Fact(link, "link canonical", 0.95) for link in links]
    written += [*data.meta_facts(vocabulary.ADDRESS, 0.9), Fact(page.url or "", "address", 0.8)]
    return _first_address(data, written)


def _is_canonical(relation: str) -> bool:
    return relation.strip().lower() == "canonical"


def _first_address(data: StructuredData, facts: list[Fact]) -> Fact:
    whole = (
        Fact(data.absolute(fact.value), fact.source, fact.confidence)
        for fact in facts
        if fact.value and fact.value.strip()
    )
    return first_fact(whole)


def find_host(page: Page, canonical: str | None) -> Fact:
    """The host of the page's address, else of the one that it states."""
    if host := host_of(page.url or ""):
        return Fact(host, "address", 1.0)
    return Fact(host_of(canonical or "") or None, "link canonical", 0.9)


def find_description(data: StructuredData) -> Fact:
    """The description."""
    items = (Fact(value, "json-ld", 0.8) for value in data.in_items("description"))
    return first_fact(chain(data.meta_facts(vocabulary.DESCRIPTION, 0.8), items))


def find_image(data: StructuredData) -> Fact:
    """The address of the main image."""
    items = (item for rank, item in data.items if rank <= WEB_PAGE)
    written = (_address(data, one) for item in items for one in as_list(item.get("image")))
    found = [Fact(one, "json-ld", 0.8) for one in written if one]
    return _first_address(data, [*found, *data.meta_facts(vocabulary.IMAGE, 0.8)])


def _address(data: StructuredData, image: Any) -> str | None:
    """The address of an image, which may be a string, an item or a reference to one."""
    if not isinstance(image, dict):
        return clean_text(image)
    whole = data.whole(image)
    return clean_text(whole.get("url")) or clean_text(whole.get("contentUrl"))
