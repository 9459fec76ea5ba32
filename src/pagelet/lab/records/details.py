"""Detail pages of templated sites (SWDE): attributes of one record per page.

`webpages/VERTICAL/VERTICAL-SITE(N)/ID.htm` are the pages; `groundtruth/VERTICAL/
VERTICAL-SITE-ATTRIBUTE.txt` holds the values of one attribute, one line per page. Nothing is
trained: the schema of a site is learned from its pages without their labels.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np

from pagelet.lab import Progress
from pagelet.lab.figures import Figures
from pagelet.methods.records.ranking import MIN_SCORE, model_of
from pagelet.methods.records.schema import RecordSchema, apply_schema, learn_schema
from pagelet.page.html import parse
from pagelet.page.table import Page

NULL = "<NULL>"  #: stands for no value
COLUMNS = (
    "records",
    "values exact",
    "attributes exact",
    "columns",
    "values",
    "attributes",
    "sites",
)

Values = Mapping[str, frozenset[str]]  #: by page


@dataclass(frozen=True, slots=True, eq=False)
class DetailSite:
    """The pages of one site, and the values of its attributes."""

    vertical: str
    name: str
    pages: Mapping[str, Page]
    attributes: Mapping[str, Values]


def list_sites(folder: Path) -> list[Path]:
    """The folders of the sites, by vertical and name."""
    return sorted((folder / "webpages").glob("*/*"))


def read_details(folder: Path) -> Iterator[DetailSite]:
    """All sites, by vertical and name."""
    for place in list_sites(folder):
        vertical, _, rest = place.name.partition("-")
        name = rest.partition("(")[0]
        pages = {
            file.stem: parse(file.read_bytes(), url=f"https://{name}.example/{file.stem}")
            for file in sorted(place.glob("*.htm"))
        }
        files = sorted((folder / "groundtruth" / vertical).glob(f"{vertical}-{name}-*.txt"))
        attributes = {
            file.stem.removeprefix(f"{vertical}-{name}-"): _read_values(file, pages)
            for file in files
        }
        yield DetailSite(vertical, name, pages, attributes)


def _read_values(file: Path, pages: Mapping[str, Page]) -> Values:
    """The values of one attribute on the pages that have any."""
    values = {}
    for line in file.read_text(encoding="utf-8-sig").splitlines()[2:]:
        page, _, *found = line.split("\t")
        kept = frozenset(fold(value) for value in found if value.strip() and value != NULL)
        if kept and page in pages:
            values[page] = kept
    return values


def fold(text: str) -> str:
    """A text with entities resolved and white space folded."""
    return " ".join(unescape(unescape(text)).split())


def is_details(folder: Path) -> bool:
    """Whether a folder holds detail pages and the values of their attributes."""
    return (folder / "groundtruth").is_dir() and (folder / "webpages").is_dir()


def evaluate_details(folder: Path, progress: Progress) -> dict[str, Figures]:
    """Values that a column of the site's schema has exactly, by vertical."""
    rows: dict[str, list[tuple[float, float, int, int, int]]] = {}
    places = len(list_sites(folder))
    for at, site in enumerate(read_details(folder), 1):
        pages = list(site.pages.values())
        schema = learn_schema(pages, model_of(), min_score=MIN_SCORE, whole_page=True)
        tables = {page: _columns(site.pages[page], schema) for page in site.pages}
        for values in site.attributes.values():
            exact = _best_column(values, tables)
            line = (exact, float(exact == len(values)), len(schema.columns), len(values), 1)
            for name in ("all", site.vertical):
                rows.setdefault(name, []).append(line)
        progress("sites", at, places)
    table = tuple((name, *_summary(each)) for name, each in rows.items())
    notes = (
        "Nothing is trained: the schema of a site is learned from its pages without labels.",
        "values exact: of all pages with a value, those whose column has just these values; the"
        " column of an attribute is the one that is right on most pages of the site.",
        "attributes exact: attributes of a site whose column is right on all its pages.",
    )
    columns = tuple(name for name in COLUMNS if name != "sites")
    return {"details": Figures(f"records of {folder.name}, one per page", columns, table, notes)}


def _summary(lines: list[tuple[float, float, int, int, int]]) -> tuple[float | int, ...]:
    exact, whole, columns, values, _ = (np.array(each) for each in zip(*lines, strict=True))
    share = float(exact.sum() / max(values.sum(), 1))
    return share, float(whole.mean()), float(columns.mean()), int(values.sum()), len(lines)


def _columns(page: Page, schema: RecordSchema) -> dict[str, list[frozenset[str]]]:
    """For each column what it says on a page: its texts, and its texts without labels."""
    table = apply_schema(page, schema, model_of(), MIN_SCORE)
    found = {}
    for column in table.columns:
        every = column.every()
        texts = frozenset(fold(each.text) for each in every)
        found[column.name] = [texts, frozenset(fold(each.bare) for each in every)]
    return found


def _best_column(values: Values, tables: Mapping[str, Mapping[str, Any]]) -> int:
    """The most pages on which one and the same column has just the values of an attribute."""
    counts: dict[str, int] = {}
    for page, wanted in values.items():
        for name, forms in tables[page].items():
            if any(wanted == form for form in forms):
                counts[name] = counts.get(name, 0) + 1
    return max(counts.values(), default=0)
