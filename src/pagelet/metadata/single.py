"""Single fields of the metadata: only what the wanted ones are made of is read.

`find_facts` finds all fields; tables of many pages hold few of them.
"""

from collections.abc import Callable, Iterable
from functools import cached_property

from pagelet.metadata.authors import find_authors
from pagelet.metadata.facts import (
    Metadata,
    find_canonical,
    find_description,
    find_host,
    find_image,
    find_language,
    make_metadata,
)
from pagelet.metadata.lookup import Fact, StructuredData, structured_data
from pagelet.metadata.opening import Opening, read_opening
from pagelet.metadata.published import find_dates, reading_of
from pagelet.metadata.terms import (
    find_categories,
    find_comments_count,
    find_licence,
    find_paywall,
    find_tags,
)
from pagelet.metadata.titles import Title, find_title, site_keys, site_name
from pagelet.page.table import Page


def some_metadata(page: Page, names: Iterable[str]) -> Metadata:
    """The metadata of a page as `metadata` has it, but for the fields that are not named."""
    facts = PageFacts(page)
    return make_metadata({name: FIELDS[name](facts) for name in names})


class PageFacts:
    """What the fields of a page are made of, each read once, when it is first needed."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @cached_property
    def data(self) -> StructuredData:
        """The structured data of the page."""
        return structured_data(self.page)

    @cached_property
    def sites(self) -> frozenset[str]:
        """Names of the site, as keys."""
        return site_keys(self.data)

    @cached_property
    def title(self) -> Title:
        """The title, and the row where it stands."""
        return find_title(self.data, self.sites)

    @cached_property
    def language(self) -> Fact:
        """The language that the page declares."""
        return find_language(self.data)

    @cached_property
    def opening(self) -> Opening:
        """The lines around the heading of the page."""
        return read_opening(self.data, self.title.row, self.title.fact.value)

    @cached_property
    def dates(self) -> tuple[Fact, Fact]:
        """When the page was published and when it was modified."""
        reading = reading_of(self.data, self.language.value)
        return find_dates(self.data, self.opening, reading)

    @cached_property
    def canonical(self) -> Fact:
        """The canonical address."""
        return find_canonical(self.data)


#: how each field of `find_facts` is found, by name
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
