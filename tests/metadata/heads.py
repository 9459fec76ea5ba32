"""Heads with metadata, written by hand, and the metadata of a page."""

import json

from pagelet import parse
from pagelet.metadata.facts import Metadata, metadata

URL = "https://www.daily-example.org/news/story"


def ld(value: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


def meta(*values: str) -> str:
    """Meta elements of names and contents in turn."""
    pairs = zip(values[::2], values[1::2], strict=True)
    return "".join(f'<meta name="{name}" content="{content}">' for name, content in pairs)


def metadata_of(html: str, url: str | None = URL) -> Metadata:
    return metadata(parse(html, url=url))


def item(**values: object) -> str:
    return ld({"@type": "Article", **values})
