"""Feeds: RSS and Atom as feedparser reads them, and JSON Feed."""

import json
from collections.abc import Iterator
from io import BytesIO
from typing import Any
from urllib.parse import urljoin

from pagelet.errors import MissingExtra
from pagelet.metadata.dates import iso_date
from pagelet.page.dom import select
from pagelet.page.table import Page
from pagelet.sources.announced.entries import Announced

FEED_TYPES = ("application/rss+xml", "application/atom+xml", "application/feed+json")
#: starts of a feed, behind the declaration of XML
FEED_STARTS = (b"<rss", b"<feed", b"<rdf:rdf", b"<atom:feed")
SNIFFED_BYTES = 2048


def is_feed(body: bytes) -> bool:
    """Whether bytes look like a feed rather than a sitemap or a page."""
    start = body[:SNIFFED_BYTES].lower()
    if start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return b"jsonfeed.org" in start
    return any(name in start for name in FEED_STARTS)


def find_feeds(page: Page) -> list[str]:
    """The feeds that a page links to, in its order."""
    addresses = []
    for row in select(page, "link[rel~=alternate][type][href]"):
        attributes = page.attributes_of(row)
        if attributes["type"].split(";")[0].strip().lower() in FEED_TYPES:
            addresses.append(urljoin(page.base_url or "", attributes["href"].strip()))
    return list(dict.fromkeys(addresses))


def read_feed(body: bytes, source: str) -> list[Announced]:
    """The entries of a feed."""
    if body.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return list(_read_json_feed(body, source))
    try:
        import feedparser  # type: ignore[import-untyped] # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtra("urls", "reading RSS and Atom feeds") from error
    parsed = feedparser.parse(BytesIO(body), sanitize_html=False, resolve_relative_uris=False)
    own = parsed.feed.get("language")
    return [
        Announced(
            urljoin(source, entry["link"]),
            iso_date(entry["updated"] if "updated" in entry else entry.get("published", "")),
            entry.get("language") or own or None,
            entry.get("title") or None,
            source,
        )
        for entry in parsed.entries
        if entry.get("link")
    ]


def _read_json_feed(body: bytes, source: str) -> Iterator[Announced]:
    try:
        form = json.loads(body)
    except (ValueError, RecursionError):
        return
    items = form.get("items") if isinstance(form, dict) else None
    for item in items if isinstance(items, list) else ():
        if isinstance(item, dict) and isinstance(item.get("url"), str):
            day = _text(item, "date_modified") or _text(item, "date_published") or ""
            language = _text(item, "language") or _text(form, "language")
            address = urljoin(source, item["url"])
            yield Announced(address, iso_date(day), language, _text(item, "title"), source)


def _text(form: dict[str, Any], name: str) -> str | None:
    value = form.get(name)
    return value if isinstance(value, str) and value else None
