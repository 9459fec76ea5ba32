"""The metadata of a page: title, author, date, language and the like."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from pagelet.metadata.authors import author
from pagelet.metadata.dates import date_in_path, iso_date
from pagelet.metadata.lookup import (
    MAX_VALUES,
    WEB_PAGE,
    StructuredData,
    as_list,
    clean_text,
    first_value,
    rows_by_name,
    rows_by_property,
    short_text,
    structured_data,
)
from pagelet.metadata.titles import site_keys, site_name, title
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER

PUBLISHED = (
    "article:published_time citation_publication_date citation_date dc.date.issued dcterms.issued"
    " dcterms.created dc.date.created datepublished publishdate pubdate publish-date publish_date"
    " parsely-pub-date sailthru.date dc.date dcterms.date date og:published_time"
)
CHANGED = "article:modified_time og:updated_time dcterms.modified last-modified"
DESCRIPTIONS = "og:description description twitter:description dc.description"
IMAGES = "og:image og:image:url og:image:secure_url twitter:image twitter:image:src"

LANGUAGE = re.compile(r"([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?(?![a-z\d])", re.I)
DATED = re.compile(r"(?:^|[\s_-])(?:(?:pub)?date|published?|timestamp|posted)(?:$|[\s_-])", re.I)


@dataclass(frozen=True, slots=True)
class Metadata:
    """The metadata of a page; None for a field that the page does not state."""

    title: str | None = None
    author: str | None = None  #: authors joined by ", "
    date: str | None = None  #: date of publication in ISO 8601, with time and zone if stated
    language: str | None = None  #: BCP 47
    url: str | None = None  #: canonical URL, absolute
    description: str | None = None
    site_name: str | None = None
    image: str | None = None  #: absolute URL

    def to_dict(self) -> dict[str, str | None]:
        """Every field by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def metadata(page: Page) -> Metadata:
    """The metadata of a page, each field from the most trusted source that states it."""
    data = structured_data(page)
    sites = site_keys(data)
    return Metadata(
        title=title(data, sites),
        author=author(data, sites),
        date=first_value(map(iso_date, _dates(data))),
        language=first_value(map(language_tag, _languages(data))),
        url=_url(data),
        description=first_value((*data.in_items("description"), *data.in_meta(DESCRIPTIONS))),
        site_name=site_name(data),
        image=_image(data),
    )


def _dates(data: StructuredData) -> Iterator[str]:
    """Texts that may hold the date of publication, then those with the date of the last change."""
    page = data.page
    yield from data.in_items("datePublished dateCreated uploadDate")
    yield from data.in_meta(PUBLISHED)
    for row in rows_by_property(page, "datepublished")[:MAX_VALUES]:
        yield from _date_texts(page, row)
    yield date_in_path(page.url or first_value(data.in_meta("og:url")) or "") or ""
    for row in _times(page):
        yield from _date_texts(page, row)
    for row in rows_by_name(page, DATED)[:MAX_VALUES]:
        yield from _date_texts(page, row)
    yield from data.in_items("dateModified")
    yield from data.in_meta(CHANGED)


def _times(page: Page) -> list[int]:
    """The first `time` elements, those after the first h1 before those ahead of it."""
    times = np.flatnonzero(page.tag == NUMBER["time"])
    headings = np.flatnonzero(page.tag == NUMBER["h1"])
    ahead = np.searchsorted(times, headings[0]) if len(headings) else 0
    return [*times[ahead:][:MAX_VALUES].tolist(), *times[:ahead][:MAX_VALUES].tolist()]


def _date_texts(page: Page, row: int) -> Iterator[str]:
    pairs = page.attributes_of(row)
    yield from (pairs[key] for key in ("datetime", "content") if key in pairs)
    yield short_text(page, row)


def _languages(data: StructuredData) -> Iterator[str]:
    root = data.page.attributes_of(0) if len(data.page) else {}
    yield from (root[key] for key in ("lang", "xml:lang") if key in root)
    yield from data.in_meta("content-language og:locale dc.language")
    yield from data.in_items("inLanguage")


def language_tag(value: str) -> str | None:
    """A BCP 47 tag in its usual case: en_us is en-US."""
    if (match := LANGUAGE.match(value.strip())) is None:
        return None
    language, script, region = (part or "" for part in match.groups())
    return "-".join(filter(None, (language.lower(), script.title(), region.upper())))


def _url(data: StructuredData) -> str | None:
    page = data.page
    rels = page.attribute("rel").items()
    rows = [row for row, value in rels if value.strip().lower() == "canonical"][:MAX_VALUES]
    links = (page.attributes_of(row).get("href", "") for row in rows)
    values = (*links, *data.in_meta("og:url twitter:url"), page.url or "")
    return first_value(data.absolute(value) for value in values if value.strip())


def _image(data: StructuredData) -> str | None:
    items = (item for rank, item in data.items if rank <= WEB_PAGE)
    written = (_address(data, one) for item in items for one in as_list(item.get("image")))
    values = (*written, *data.in_meta(IMAGES))
    return first_value(data.absolute(value) for value in values if value)


def _address(data: StructuredData, image: Any) -> str | None:
    """The address of an image, which may be a string, an item or a reference to one."""
    if not isinstance(image, dict):
        return clean_text(image)
    whole = data.whole(image)
    return clean_text(whole.get("url")) or clean_text(whole.get("contentUrl"))
