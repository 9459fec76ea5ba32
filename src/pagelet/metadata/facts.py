"""The metadata of a page: title, authors, dates and the like, and where each was found."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from operator import attrgetter
from typing import Any

from pagelet.metadata.confidence import confidence_of
from pagelet.metadata.fields import FIELDS, PageFacts
from pagelet.metadata.lookup import Fact
from pagelet.page.table import Page

Sources = Mapping[str, Mapping[str, Any]]

LISTS = ("authors", "categories", "tags")  #: fields with several values


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
        values = dict(zip(_names(), _values()(self), strict=True))
        for name in LISTS:
            values[name] = list(values[name])
        values["sources"] = dict(zip(self.sources, map(dict, self.sources.values()), strict=True))
        return values


@cache
def _names() -> tuple[str, ...]:
    """The names of all fields."""
    return tuple(each.name for each in fields(Metadata))


@cache
def _values() -> Callable[[Metadata], tuple[Any, ...]]:
    """What reads the values of all fields."""
    return attrgetter(*_names())


def metadata(page: Page) -> Metadata:
    """The metadata of a page, each field from the most trusted source that states it."""
    return make_metadata(find_facts(page))


def find_facts(page: Page, names: Iterable[str] = FIELDS) -> dict[str, Fact]:
    """Some fields of a page as facts; one without a value for what the page does not state."""
    facts = PageFacts(page)
    return {name: FIELDS[name](facts) for name in names}


def with_facts(found: Metadata, **facts: Fact) -> Metadata:
    """The same metadata with more facts; one without a value changes nothing."""
    more = make_metadata(facts)
    values = {name: getattr(found, name) for name in _names()}
    values |= {name: getattr(more, name) for name in more.sources}
    return Metadata(**values | {"sources": {**found.sources, **more.sources}})


def make_metadata(facts: Mapping[str, Fact]) -> Metadata:
    """Metadata of facts by field; a fact without a value is left out."""
    values, sources = dict[str, Any](), dict[str, Mapping[str, Any]]()
    for name, fact in facts.items():
        if fact.value or fact.value == 0:  # no paywall and no comments are facts too
            values[name] = fact.value
            sources[name] = {"from": fact.source, "confidence": confidence_of(name, fact)}
    return Metadata(**values, sources=sources)
