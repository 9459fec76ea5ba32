"""The metadata of a page: title, authors, dates and the like, and where each was found."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from itertools import chain
from typing import Any

from pagelet.metadata.authors import find_authors
from pagelet.metadata.confidence import confidence_of
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
from pagelet.metadata.opening import read_opening
from pagelet.metadata.published import find_dates, reading_of
from pagelet.metadata.terms import (
    find_categories,
    find_comments_count,
    find_licence,
    find_paywall,
    find_tags,
)
from pagelet.metadata.titles import find_title, site_keys, site_name
from pagelet.page.site import host_of
from pagelet.page.table import Page

DESCRIPTIONS = "og:description description twitter:description dc.description dcterms.description"
IMAGES = "og:image og:image:url og:image:secure_url twitter:image twitter:image:src"

LANGUAGE = re.compile(r"([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?(?![a-z\d])", re.I)

Sources = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """The metadata of a page; None, or an empty tuple, for what the page does not state."""

    title: str | None = None
    authors: tuple[str, ...] = ()  #: names without titles and functions
    published: str | None = None  #: date of publication in ISO 8601, with time and zone if stated
    modified: str | None = None  #: date of the last change
    language: str | None = None  #: BCP 47
    site_name: str | None = None
    host: str | None = None
    description: str | None = None
    image: str | None = None  #: absolute URL
    canonical: str | None = None  #: canonical URL, absolute
    categories: tuple[str, ...] = ()  #: sections of the site that the page is filed under
    tags: tuple[str, ...] = ()  #: keywords of the page
    licence: str | None = None  #: short name, such as CC BY-SA 4.0, else what the page says
    page_type: str | None = None  #: type by the content model; None where no model was asked
    paywalled: bool | None = None  #: whether the page says that its text is not free to read
    comments_count: int | None = None
    sources: Sources = field(default_factory=dict)  #: by field: `from` and `confidence`

    @property
    def author(self) -> str | None:
        """The authors in one line."""
        return ", ".join(self.authors) or None

    @property
    def date(self) -> str | None:
        """The date of publication."""
        return self.published

    def to_dict(self) -> dict[str, Any]:
        """Every field by name, as JSON values."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        lists = {name: list(value) for name, value in values.items() if isinstance(value, tuple)}
        return values | lists | {"sources": {name: dict(one) for name, one in self.sources.items()}}


def metadata(page: Page) -> Metadata:
    """The metadata of a page, each field from the most trusted source that states it."""
    return make_metadata(find_facts(page))


def find_facts(page: Page) -> dict[str, Fact]:
    """Every field of a page as a fact; one without a value for what the page does not state."""
    data = structured_data(page)
    sites = site_keys(data)
    title = find_title(data, sites)
    language = find_language(data)
    opening = read_opening(data, title.row, title.fact.value)
    reading = reading_of(data, language.value)
    published, modified = find_dates(data, opening, reading)
    address = find_canonical(data)
    return {
        "title": title.fact,
        "authors": find_authors(data, opening, sites),
        "published": published,
        "modified": modified,
        "language": language,
        "site_name": site_name(data),
        "host": find_host(page, address.value),
        "description": find_description(data),
        "image": find_image(data),
        "canonical": address,
        "categories": find_categories(data),
        "tags": find_tags(data),
        "licence": find_licence(data),
        "paywalled": find_paywall(data),
        "comments_count": find_comments_count(data),
    }


def with_facts(found: Metadata, **facts: Fact) -> Metadata:
    """The same metadata with more facts; one without a value changes nothing."""
    more = make_metadata(facts)
    changes = {name: getattr(more, name) for name in more.sources}
    return replace(found, **changes, sources={**found.sources, **more.sources})


def make_metadata(facts: Mapping[str, Fact]) -> Metadata:
    """Metadata of facts by field; a fact without a value is left out."""
    stated = {name: fact for name, fact in facts.items() if fact.value not in (None, "", ())}
    sources = {
        name: {"from": fact.source, "confidence": confidence_of(name, fact)}
        for name, fact in stated.items()
    }
    return Metadata(**{name: fact.value for name, fact in stated.items()}, sources=sources)


# -- single fields ----------------------------------------------------------------------------


def find_language(data: StructuredData) -> Fact:
    """The language that the page declares."""
    for value, source in _languages(data):
        if (tag := language_tag(value)) is not None:
            return Fact(tag, source, 0.9)
    return NO_FACT


def _languages(data: StructuredData) -> Iterator[tuple[str, str]]:
    names = ("lang", "xml:lang") if len(data.page) else ()
    yield from ((data.page.value_of(0, name), f"html {name}") for name in names)
    for fact in data.meta_facts("content-language og:locale dc.language", 0.9):
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
    written += [*data.meta_facts("og:url twitter:url", 0.9), Fact(page.url or "", "address", 0.8)]
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
    return first_fact(chain(data.meta_facts(DESCRIPTIONS, 0.8), items))


def find_image(data: StructuredData) -> Fact:
    """The address of the main image."""
    items = (item for rank, item in data.items if rank <= WEB_PAGE)
    written = (_address(data, one) for item in items for one in as_list(item.get("image")))
    found = [Fact(one, "json-ld", 0.8) for one in written if one]
    return _first_address(data, [*found, *data.meta_facts(IMAGES, 0.8)])


def _address(data: StructuredData, image: Any) -> str | None:
    """The address of an image, which may be a string, an item or a reference to one."""
    if not isinstance(image, dict):
        return clean_text(image)
    whole = data.whole(image)
    return clean_text(whole.get("url")) or clean_text(whole.get("contentUrl"))
