"""Labelled metadata: titles, authors, dates and the like that people noted for pages.

A folder holds `snippets.json` (labels by URL, trafilatura's evaluation) or `ground-truth/ID.json`
(wcxb, articles), beside the pages in `html/`.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any

from pagelet.errors import NoGold
from pagelet.lab.content.scores import GROUND_TRUTH, find_html, label_part, read_decompressed
from pagelet.lab.content.scores import read_label as read_ground_truth

SNIPPETS = "snippets.json"
FORMATS = f"{SNIPPETS} with labels by URL, or {GROUND_TRUTH}"

#: Names of the fields in the labels, by their names in `Metadata`; the date is its day alone.
LABEL_NAMES = {
    "title": ("title",),
    "authors": ("author", "authors"),
    "published": ("date", "publish_date"),
    "description": ("description",),
    "categories": ("categories",),
    "tags": ("tags",),
    "licence": ("license",),
    "site_name": ("sitename",),
}
LISTS = frozenset(("authors", "categories", "tags"))  #: fields with several values

NAME_BREAK = re.compile(r"[,;&]|\b(?:and|und|et|y|e)\b|\s/\s")  #: what stands between two names
#: Degrees and other letters behind a name.
DEGREE = re.compile(r"(?:[A-Z][A-Za-z]{0,3}\.?){1,3}[A-Z]?®?\.?|[A-Z]+-[A-Z]+ \d+")


@dataclass(frozen=True, slots=True)
class MetadataGold:
    """A page and the metadata that people noted for it."""

    id: str
    path: Path  #: the HTML file
    url: str | None
    labels: Mapping[str, str | frozenset[str]]  #: by field; a field that is not labelled is absent
    undated: bool = False  #: whether the label says that the page has no date

    @property
    def html(self) -> bytes:
        """The page as it was stored."""
        return read_decompressed(self.path)


def read_metadata_gold(folder: Path) -> list[MetadataGold]:
    """Read every labelled page of a folder."""
    if (folder / SNIPPETS).is_file():
        golds = _read_snippets(folder)
    else:
        golds = [
            gold
            for path in sorted((folder / "ground-truth").glob("*.json"))
            if (gold := _read_ground_truth(folder, path)) is not None
        ]
    if not any(gold.labels for gold in golds):
        raise NoGold(str(folder), FORMATS)
    return golds


def _read_snippets(folder: Path) -> list[MetadataGold]:
    pages: dict[str, dict[str, Any]] = json.loads((folder / SNIPPETS).read_bytes())
    files = ((url, label, folder / "html" / label["file"]) for url, label in pages.items())
    return [
        MetadataGold(label["file"], path, url, labels_of(label))
        for url, label, path in files
        if path.is_file()
    ]


def _read_ground_truth(folder: Path, path: Path) -> MetadataGold | None:
    label = read_ground_truth(path)
    part, page = label_part(label), find_html(folder / "html", path.stem)
    if page is None:
        return None
    undated = part is not label and not part.get("publish_date")  # articles without are unlabelled
    return MetadataGold(path.stem, page, label.get("url"), labels_of(part), undated)


def labels_of(label: Mapping[str, Any]) -> dict[str, str | frozenset[str]]:
    """The labelled fields of a page in the form in which they are compared."""
    written = {
        field: next((label[name] for name in names if label.get(name)), None)
        for field, names in LABEL_NAMES.items()
    }
    return {field: compared(field, value) for field, value in written.items() if value}


def compared(field: str, value: Any) -> str | frozenset[str]:
    """A value in the form in which values of its field are compared; empty where there is none."""
    if field == "authors":
        return frozenset(filter(None, map(_plain, _names(value))))
    if field in LISTS:
        return frozenset(filter(None, map(_plain, value or ())))
    text = str(value or "")
    return text[:10] if field == "published" else _plain(text)


def _names(value: Any) -> list[str]:
    """The names of a list, or of a text that joins them; degrees behind a name are left out."""
    values = [value] if isinstance(value, str) else list(value or ())
    names = [name.strip() for one in values for name in NAME_BREAK.split(one)]
    return [name for name in names if not DEGREE.fullmatch(name)] or names


def _plain(text: str) -> str:
    """Letters and digits alone, in lower case; some labels still hold entities."""
    return "".join(filter(str.isalnum, unescape(text).lower()))
