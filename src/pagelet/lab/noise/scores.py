"""Labelled result pages: the texts that belong to records, and scores of an answer.

A folder holds one folder per site, with one folder per page: `page.html`, `records.csv` (one line
per record, its fields as cells), and a name such as `3-kids_crafts-keyword` that has the query.
Or it holds pages beside files of labels in the JSON form of the methods' answers, or pages with
`data-pagelet` marks, or the annotator's JSON; the nearest label or mark decides.
"""

import csv
import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pagelet.arrays import Mask
from pagelet.errors import NoGold, NoSuchNode, PageError
from pagelet.lab.figures import Overlap
from pagelet.lab.gold import CONTENT, MARK_ATTRIBUTE, html_files, read_marked
from pagelet.labels import FILE, has_annotations, nearest_label, read_annotations
from pagelet.page.html import parse
from pagelet.page.query import NO_QUERY, Query
from pagelet.page.site import registered_domain
from pagelet.page.table import Page
from pagelet.page.tags import TEXT

LABELS_ENDING = ".labels.json"  #: of a file of labels; its page ends in .html
NOISE_LABELS = (
    f"records.csv beside page.html, NAME{LABELS_ENDING} beside NAME.html, {FILE},"
    f" or {MARK_ATTRIBUTE} attributes"
)
MIN_EQUAL_CHARS = 2  #: characters of a text that equals a cell
MIN_PART_CHARS = 9  #: characters of a text that is part of a cell
QUERY_NAME = re.compile(r"(?:\d+-)?(.*)-keyword")
SITE_NAME = re.compile(r"(?:\d+-)?(.*)")
MAX_LCS_WORDS = 50_000  #: words of a text that are compared; longer texts are cut
WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, eq=False)
class NoiseGold:
    """A result page and the labels of its texts."""

    page: Page
    site: str  #: folds never split a site
    name: str
    query: Query
    content: Mask  #: rows of texts that belong to records
    text: str  #: the records as one text

    @classmethod
    def of_rows(cls, page: Page, site: str, name: str, query: Query, content: Mask) -> "NoiseGold":
        """A page whose content rows are labelled; the text of the records is theirs."""
        text = " ".join(page.text(row) for row in np.flatnonzero(content).tolist())
        return cls(page, site, name, query, content, text)


# -- readers ----------------------------------------------------------------------------------


def read_noise(folder: Path) -> list[NoiseGold]:
    """Read labelled pages, by path: with records.csv or JSON labels, else with marks."""
    if has_annotations(folder):
        annotated = list(_read_annotated(folder))
        if not annotated:
            raise NoGold(str(folder), "a page whose noise or content is marked")
        return annotated
    golds = [*_read_records(folder, sorted(folder.rglob("records.csv")))]
    golds += _read_labels(folder, sorted(folder.rglob(f"*{LABELS_ENDING}")))
    golds = golds or list(_read_marked(folder))
    if not golds:
        raise NoGold(str(folder), NOISE_LABELS)
    return golds


def _read_records(folder: Path, tables: Sequence[Path]) -> Iterator[NoiseGold]:
    for table in tables:
        here = table.parent
        page = parse((here / "page.html").read_bytes())
        cells = read_cells(table)
        query = QUERY_NAME.fullmatch(here.name)
        site = SITE_NAME.fullmatch(here.parent.name)
        yield NoiseGold(
            page=page,
            site=site[1].lower() if site else here.parent.name,
            name=here.relative_to(folder).as_posix(),
            query=Query.of([query[1].replace("_", " ")]) if query else NO_QUERY,
            content=record_texts(page, cells),
            text=" ".join(cells),
        )


def read_cells(table: Path) -> list[str]:
    """The folded cells of a CSV file in UTF-8, else in Windows-1252, as spreadsheets write it."""
    data = table.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    lines = csv.reader(text.splitlines())
    return [cell for line in lines for cell in map(fold_text, line) if cell]


def fold_text(text: str) -> str:
    """The text with entities resolved and white space folded, in lower case."""
    return " ".join(html.unescape(text).split()).lower()


def record_texts(page: Page, cells: Sequence[str]) -> Mask:
    """Mark the texts that equal a cell, or that are long enough and part of one."""
    whole, joined = set(cells), "\n".join(dict.fromkeys(cells))
    content = np.zeros(len(page), np.bool_)
    for row in np.flatnonzero((page.tag == TEXT) & page.counted).tolist():
        text = " ".join(page.text(row).split()).lower()
        content[row] = (len(text) >= MIN_EQUAL_CHARS and text in whole) or (
            len(text) >= MIN_PART_CHARS and text in joined
        )
    return content


def _read_labels(folder: Path, files: Sequence[Path]) -> Iterator[NoiseGold]:
    for file in files:
        path = file.with_name(file.name.removesuffix(LABELS_ENDING) + ".html")
        try:
            form = json.loads(file.read_bytes())
            page = parse(path.read_bytes(), url=form.get("url"))
            content = labelled_texts(page, form["pagelets"])
            query = _query_of(form.get("query"))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, NoSuchNode) as error:
            raise PageError(
                str(file), f"labels cannot be read, see docs/labels.md: {error}"
            ) from error
        name = path.relative_to(folder)
        site = registered_domain(page.url) or _first_folder(name)
        yield NoiseGold.of_rows(page, site, name.as_posix(), query, content)


def labelled_texts(page: Page, pagelets: Sequence[Mapping[str, Any]]) -> Mask:
    """Mark the counted texts whose nearest labelled row at or above them is content."""
    labels: dict[int, bool] = {}
    for each in pagelets:
        paths = [each["path"]] if each["path"] is not None else each["paths"]
        labels |= dict.fromkeys(map(page.row, paths), each["kind"] == CONTENT)
    return np.asarray(nearest_label(page, labels) & (page.tag == TEXT) & page.counted)


def _read_annotated(folder: Path) -> Iterator[NoiseGold]:
    for each in read_annotations(folder, "noise"):
        page, query = each.page, _query_of(each.labels.get("query"))
        content = np.asarray(each.content & (page.tag == TEXT) & page.counted)
        yield NoiseGold.of_rows(page, each.site, each.name, query, content)


def _query_of(terms: str | Sequence[str] | Mapping[str, Sequence[str]] | None) -> Query:
    """A query from a text, from a list, or from the JSON form of `pagelet noise`."""
    if isinstance(terms, Mapping):
        terms = terms["words"]
    return Query.of([terms] if isinstance(terms, str) else terms or ())


def _first_folder(path: Path) -> str:
    return path.parts[0] if len(path.parts) > 1 else path.stem


def _read_marked(folder: Path) -> Iterator[NoiseGold]:
    for path in html_files(folder):
        marked, name = read_marked(path), path.relative_to(folder)
        if marked is not None:
            page, site = marked.page, _first_folder(name)
            yield NoiseGold.of_rows(page, site, name.as_posix(), NO_QUERY, marked.content)


# -- scores -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ClassCounts:
    """Numbers of texts by their label and their answer."""

    hits: int = 0  #: content, answered as content
    false: int = 0  #: noise, answered as content
    missed: int = 0  #: content, answered as noise
    noise: int = 0  #: noise, answered as noise

    def __add__(self, other: "ClassCounts") -> "ClassCounts":
        return ClassCounts(
            self.hits + other.hits,
            self.false + other.false,
            self.missed + other.missed,
            self.noise + other.noise,
        )

    @property
    def content(self) -> Overlap:
        """Overlap on the class of content."""
        return Overlap.of_counts(self.hits, self.hits + self.false, self.hits + self.missed)

    @property
    def noisy(self) -> Overlap:
        """Overlap on the class of noise."""
        return Overlap.of_counts(self.noise, self.noise + self.missed, self.noise + self.false)

    @property
    def weighted(self) -> tuple[float, float, float]:
        """Precision, recall, F1 of both classes, weighted by their numbers of texts."""
        content, noise = self.hits + self.missed, self.noise + self.false
        total = max(content + noise, 1)
        parts = [(self.content, content / total), (self.noisy, noise / total)]
        return (
            sum(part.precision * weight for part, weight in parts),
            sum(part.recall * weight for part, weight in parts),
            sum(part.f1 * weight for part, weight in parts),
        )


def count_classes(wanted: Mask, answer: Mask) -> ClassCounts:
    """Count texts of one page, or of many."""
    return ClassCounts(
        int((wanted & answer).sum()),
        int((~wanted & answer).sum()),
        int((wanted & ~answer).sum()),
        int((~wanted & ~answer).sum()),
    )


def text_score(answer: str, gold: str) -> Overlap:
    """Overlap of two texts by their longest common subsequence of words in lower case."""
    words = WORD.findall(answer.lower())[:MAX_LCS_WORDS]
    wanted = WORD.findall(gold.lower())[:MAX_LCS_WORDS]
    return Overlap.of_counts(lcs_length(words, wanted), len(words), len(wanted))


def lcs_length(one: Sequence[str], other: Sequence[str]) -> int:
    """Length of the longest common subsequence, with one bit per word of the first.

    Every word of the second changes all bits at once (Hyyrö 2004), so that the time grows with
    the product of the lengths over the bits of a machine word.
    """
    places: dict[str, int] = {}
    for at, word in enumerate(one):
        places[word] = places.get(word, 0) | 1 << at
    every = (1 << len(one)) - 1
    row = every
    for word in other:
        at = row & places.get(word, 0)
        row = ((row + at) | (row - at)) & every
    return len(one) - row.bit_count()
