"""Labelled records of result pages, and scores of an answer.

A folder holds one folder per page: `page.html` beside `records.csv`, one line per record, its
fields as cells; or the annotator's JSON, where the cells of a record are the texts of its marked
fields, else all its texts. Cells are compared by letters and digits alone; cells that are nowhere
on the page are left out. A labelled record is complete when one record of the answer holds all its
cells and none of another labelled record's. A cell that is also part of the record's own cells is
no other's.
"""

import csv
import html
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pagelet.errors import NoGold
from pagelet.lab.noise.scores import SITE_NAME
from pagelet.labels import LabelledRecord, has_annotations, read_annotations
from pagelet.page.html import parse
from pagelet.page.table import Page
from pagelet.page.tags import TEXT

REPLACEMENT = "\ufffd"  #: stands for a character that could not be read


@dataclass(frozen=True, slots=True, eq=False)
class RecordsGold:
    """A result page and the cells of its records, folded."""

    page: Page
    site: str  #: folds never split a site
    name: str
    records: Sequence[Sequence[str]]  #: cells that are on the page, by record

    @property
    def labelled(self) -> list[int]:
        """The numbers of the records with a cell that is on the page."""
        return [at for at, cells in enumerate(self.records) if cells]


@dataclass(frozen=True, slots=True)
class RecordScore:
    """The records of one page counted."""

    labelled: int  #: records of the labels
    returned: int  #: records of the answer
    complete: int  #: labelled records that are complete
    scored: int  #: labelled records with a cell that is on the page

    @property
    def exact(self) -> bool:
        """Whether the number of records is right."""
        return self.labelled == self.returned


def letters(text: str) -> str:
    """The letters and digits of a text in lower case, entities resolved."""
    plain = html.unescape(text).replace(REPLACEMENT, "").lower()
    return "".join(filter(str.isalnum, plain))


def read_records(folder: Path) -> Iterator[RecordsGold]:
    """Read labelled pages in the order of their paths."""
    if has_annotations(folder):
        yield from _read_annotated(folder)
        return
    tables = sorted(folder.rglob("records.csv"))
    if not tables:
        raise NoGold(str(folder), "records.csv beside page.html, or gold.json")
    for table in tables:
        here = table.parent
        page = parse((here / "page.html").read_bytes())
        text = letters(" ".join(page.texts))
        cells = [[cell for cell in line if cell in text] for line in read_table(table)]
        site = SITE_NAME.fullmatch(here.parent.name)
        name = site[1].lower() if site else here.parent.name
        yield RecordsGold(page, name, here.relative_to(folder).as_posix(), cells)


def _read_annotated(folder: Path) -> Iterator[RecordsGold]:
    """Pages whose records people marked in the annotator."""
    pages = list(read_annotations(folder, "records"))
    if not pages:
        raise NoGold(str(folder), "a page whose records are marked")
    for each in pages:
        cells = [_cells(each.page, record) for record in each.records]
        yield RecordsGold(each.page, each.site, each.name, cells)


def _cells(page: Page, record: LabelledRecord) -> list[str]:
    """The folded texts of the fields of a record, or of all that is in it."""
    rows = [row for field in record.fields.values() for row in field]
    if not rows:
        inner = np.flatnonzero(page.inside(np.array(record.rows, np.int32)) & (page.tag == TEXT))
        texts = [page.text(row) for row in inner[page.counted[inner]].tolist()]
    else:
        texts = [page.inner_text(row) for row in rows]
    return [cell for cell in map(letters, texts) if cell]


def read_table(table: Path) -> list[list[str]]:
    """The cells of a CSV file, folded, line by line; lines without any are left out."""
    data = table.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    lines = csv.reader(io.StringIO(text, newline=""))
    folded = ([cell for cell in map(letters, line) if cell] for line in lines)
    return [cells for cells in folded if cells]


def score_texts(gold: RecordsGold, texts: Sequence[str]) -> RecordScore:
    """Score records, each as its folded text."""
    complete = sum(_is_complete(gold, at, texts) for at in gold.labelled)
    return RecordScore(len(gold.records), len(texts), complete, len(gold.labelled))


def _is_complete(gold: RecordsGold, at: int, texts: Sequence[str]) -> bool:
    own = gold.records[at]
    others = {
        cell for other in gold.records for cell in other if not any(cell in one for one in own)
    }
    return any(
        all(cell in text for cell in own) and not any(cell in text for cell in others)
        for text in texts
    )


def row_text(row: dict[str, Any]) -> str:
    """The values of a record as one folded text: of links the text, of pictures nothing."""
    return letters(" ".join(_texts(list(row.values()))))


def _texts(values: Sequence[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, list):
            yield from _texts(value)
        elif isinstance(value, dict):
            yield str(value.get("text", ""))
        elif value is not None:
            yield str(value)
