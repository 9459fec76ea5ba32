"""Title, author, date, language and the like: what a page says about itself."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from pagelet.metadata.authors import author
from pagelet.metadata.dates import date_in_path, iso_date
from pagelet.metadata.places import (
    FEW,
    WEB_PAGE,
    Said,
    called,
    clean,
    first,
    said,
    several,
    short_text,
    with_property,
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
    """What a page says about itself; None for what it does not say."""

    title: str | None = None
    author: str | None = None  #: several joined by ", "
    date: str | None = None  #: of publication, ISO 8601: YYYY-MM-DD, or with time and zone
    language: str | None = None  #: BCP 47
    url: str | None = None  #: canonical and absolute
    description: str | None = None
    site_name: str | None = None
    image: str | None = None  #: absolute URL

    def to_dict(self) -> dict[str, str | None]:
        """Every field by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def metadata(page: Page) -> Metadata:
    """What a page says about itself, the most trusted source first."""
    known = said(page)
    sites = site_keys(known)
    return Metadata(
        title=title(known, sites),
        author=author(known, sites),
        date=first(map(iso_date, _dates(known))),
        language=first(map(language_tag, _languages(known))),
        url=_url(known),
        description=first((*known.in_items("description"), *known.in_meta(DESCRIPTIONS))),
        site_name=site_name(known),
        image=_image(known),
    )


def _dates(known: Said) -> Iterator[str]:
    """What may hold the date of publication, then what holds that of the last change."""
    page = known.page
    yield from known.in_items("datePublished dateCreated uploadDate")
    yield from known.in_meta(PUBLISHED)
    for row in with_property(page, "datepublished")[:FEW]:
        yield from _date_texts(page, row)
    yield date_in_path(page.url or first(known.in_meta("og:url")) or "") or ""
    for row in _times(page):
        yield from _date_texts(page, row)
    for row in called(page, DATED)[:FEW]:
        yield from _date_texts(page, row)
    yield from known.in_items("dateModified")
    yield from known.in_meta(CHANGED)


def _times(page: Page) -> list[int]:
    """The first rows of `time`, those behind the first h1 before those ahead of it."""
    times = np.flatnonzero(page.tag == NUMBER["time"])
    headings = np.flatnonzero(page.tag == NUMBER["h1"])
    ahead = np.searchsorted(times, headings[0]) if len(headings) else 0
    return [*times[ahead:][:FEW].tolist(), *times[:ahead][:FEW].tolist()]


def _date_texts(page: Page, row: int) -> Iterator[str]:
    pairs = page.attributes_of(row)
    yield from (pairs[key] for key in ("datetime", "content") if key in pairs)
    yield short_text(page, row)


def _languages(known: Said) -> Iterator[str]:
    root = known.page.attributes_of(0) if len(known.page) else {}
    yield from (root[key] for key in ("lang", "xml:lang") if key in root)
    yield from known.in_meta("content-language og:locale dc.language")
    yield from known.in_items("inLanguage")


def language_tag(value: str) -> str | None:
    """A BCP 47 tag in its usual case: en_us is en-US."""
    if (match := LANGUAGE.match(value.strip())) is None:
        return None
    language, script, region = (part or "" for part in match.groups())
    return "-".join(filter(None, (language.lower(), script.title(), region.upper())))


def _url(known: Said) -> str | None:
    page = known.page
    rels = page.attribute("rel").items()
    rows = [row for row, value in rels if value.strip().lower() == "canonical"][:FEW]
    links = (page.attributes_of(row).get("href", "") for row in rows)
    values = (*links, *known.in_meta("og:url twitter:url"), page.url or "")
    return first(known.absolute(value) for value in values if value.strip())


def _image(known: Said) -> str | None:
    items = (item for rank, item in known.items if rank <= WEB_PAGE)
    written = (_address(known, one) for item in items for one in several(item.get("image")))
    values = (*written, *known.in_meta(IMAGES))
    return first(known.absolute(value) for value in values if value)


def _address(known: Said, image: Any) -> str | None:
    """Where an image of an item is: it may be a string, an item or a reference to one."""
    if not isinstance(image, dict):
        return clean(image)
    whole = known.whole(image)
    return clean(whole.get("url")) or clean(whole.get("contentUrl"))
