"""Labelled result pages: which texts belong to records, and how well an answer agrees.

A folder holds one folder a site, with one folder a page: `page.html`, `records.csv` (a line a
record, its fields as cells), and a name such as `3-kids_crafts-keyword` that tells the query.
Or it holds pages beside files of labels in the JSON form that methods answer, or pages with
`data-pagelet` marks, or the annotator's JSON; the nearest label or mark says what is content.
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
import turbohtml

from pagelet.arrays import Ints, Mask
from pagelet.errors import NoGold, NoSuchNode, PageError
from pagelet.lab.figures import NOTHING, Overlap
from pagelet.lab.gold import CONTENT, MARK_ATTRIBUTE, html_files, marked_text, take_marks
from pagelet.labels import FILE, has_annotations, nearest_label, read_annotations
from pagelet.page.html import decode, parse
from pagelet.page.query import NO_QUERY, Query
from pagelet.page.site import registered_domain
from pagelet.page.table import Page
from pagelet.page.tags import TEXT

LABELS = ".labels.json"  #: ends the name of a file of labels; the page ends in .html
WANTED = (
    f"records.csv beside page.html, NAME{LABELS} beside NAME.html, {FILE},"
    f" or {MARK_ATTRIBUTE} attributes"
)
EQUAL, PART = 2, 9  #: fewest characters of a text that equals a cell, that is part of one
QUERY_NAME = re.compile(r"(?:\d+-)?(.*)-keyword")
SITE_NAME = re.compile(r"(?:\d+-)?(.*)")
MOST_WORDS = 50_000  #: words that are compared; longer texts are cut
WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, eq=False)
class NoiseGold:
    """A result page and what people said of its texts."""

    page: Page
    site: str  #: folds never split one
    name: str
    query: Query
    content: Mask  #: rows of texts that belong to records
    text: str  #: the records as one text

    @property
    def texts(self) -> Ints:
        """The rows that are scored: counted texts."""
        return np.flatnonzero((self.page.tag == TEXT) & self.page.counted)


# -- readers ----------------------------------------------------------------------------------


def read_noise(folder: Path) -> list[NoiseGold]:
    """Read labelled pages, by path: with records.csv or JSON labels, else with marks."""
    if has_annotations(folder):
        found = list(_read_annotated(folder))
        if not found:
            raise NoGold(str(folder), "a page whose noise or content is marked")
        return found
    found = [*_read_records(folder, sorted(folder.rglob("records.csv")))]
    found += _read_labels(folder, sorted(folder.rglob(f"*{LABELS}")))
    found = found or list(_read_marked(folder))
    if not found:
        raise NoGold(str(folder), WANTED)
    return found


def _read_records(folder: Path, tables: Sequence[Path]) -> Iterator[NoiseGold]:
    for table in tables:
        here = table.parent
        page = parse((here / "page.html").read_bytes())
        cells = read_cells(table)
        said = QUERY_NAME.fullmatch(here.name)
        site = SITE_NAME.fullmatch(here.parent.name)
        yield NoiseGold(
            page=page,
            site=site[1].lower() if site else here.parent.name,
            name=here.relative_to(folder).as_posix(),
            query=Query.of([said[1].replace("_", " ")]) if said else NO_QUERY,
            content=record_texts(page, cells),
            text=" ".join(cells),
        )


def read_cells(table: Path) -> list[str]:
    """The cells of a table, folded; UTF-8, else Windows-1252, as spreadsheets write it."""
    data = table.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    lines = csv.reader(text.splitlines())
    return [cell for line in lines for cell in map(folded, line) if cell]


def folded(text: str) -> str:
    """Entities resolved, white space folded, lower case."""
    return " ".join(html.unescape(text).split()).lower()


def record_texts(page: Page, cells: Sequence[str]) -> Mask:
    """Mark the texts that equal a cell, or that are long enough and part of one."""
    whole, joined = set(cells), "\n".join(dict.fromkeys(cells))
    content = np.zeros(len(page), np.bool_)
    for row in np.flatnonzero((page.tag == TEXT) & page.counted).tolist():
        text = " ".join(page.text(row).split()).lower()
        content[row] = (len(text) >= EQUAL and text in whole) or (
            len(text) >= PART and text in joined
        )
    return content


def _read_labels(folder: Path, files: Sequence[Path]) -> Iterator[NoiseGold]:
    for file in files:
        path = file.with_name(file.name.removesuffix(LABELS) + ".html")
        try:
            form = json.loads(file.read_bytes())
            page = parse(path.read_bytes(), url=form.get("url"))
            content = labelled_texts(page, form["pagelets"])
            query = _asked(form.get("query"))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, NoSuchNode) as error:
            raise PageError(
                str(file), f"labels cannot be read, see docs/labels.md: {error}"
            ) from error
        said_at = path.relative_to(folder)
        yield NoiseGold(
            page=page,
            site=registered_domain(page.url) or _first_folder(said_at),
            name=said_at.as_posix(),
            query=query,
            content=content,
            text=" ".join(page.text(row) for row in np.flatnonzero(content).tolist()),
        )


def labelled_texts(page: Page, pagelets: Sequence[Mapping[str, Any]]) -> Mask:
    """Mark the counted texts whose nearest labelled row at or above them is content."""
    said: dict[int, bool] = {}
    for each in pagelets:
        paths = [each["path"]] if each["path"] is not None else each["paths"]
        said |= dict.fromkeys(map(page.row, paths), each["kind"] == CONTENT)
    return np.asarray(nearest_label(page, said) & (page.tag == TEXT) & page.counted)


def _read_annotated(folder: Path) -> Iterator[NoiseGold]:
    for found in read_annotations(folder, "noise"):
        page, query = found.page, _asked(found.labels.get("query"))
        content = np.asarray(found.content & (page.tag == TEXT) & page.counted)
        text = " ".join(page.text(row) for row in np.flatnonzero(content).tolist())
        yield NoiseGold(page, found.site, found.name, query, content, text)


def _asked(said: str | Sequence[str] | Mapping[str, Sequence[str]] | None) -> Query:
    """A query as people write it, as a list, or as an answer of `pagelet noise` tells it."""
    if isinstance(said, Mapping):
        said = said["words"]
    return Query.of([said] if isinstance(said, str) else said or ())


def _first_folder(path: Path) -> str:
    return path.parts[0] if len(path.parts) > 1 else path.stem


def _read_marked(folder: Path) -> Iterator[NoiseGold]:
    for path in html_files(folder):
        document = turbohtml.parse(decode(path.read_bytes()), positions=False)
        marks, _ = take_marks(document)
        if not marks:
            continue
        page = parse(document.serialize())
        for element, said in marks:
            element.attrs[MARK_ATTRIBUTE] = said
        content = marked_text(parse(document.serialize()))
        said_at = path.relative_to(folder)
        text = " ".join(page.text(row) for row in np.flatnonzero(content).tolist())
        yield NoiseGold(page, _first_folder(said_at), said_at.as_posix(), NO_QUERY, content, text)


# -- agreement --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ClassCounts:
    """Texts by what they are and what was said of them."""

    hits: int = 0  #: content, and said so
    false: int = 0  #: noise, but said to be content
    missed: int = 0  #: content, but said to be noise
    noise: int = 0  #: noise, and said so

    def __add__(self, other: "ClassCounts") -> "ClassCounts":
        return ClassCounts(
            self.hits + other.hits,
            self.false + other.false,
            self.missed + other.missed,
            self.noise + other.noise,
        )

    @property
    def content(self) -> Overlap:
        """Agreement on the class of content."""
        return _overlap(self.hits, self.false, self.missed)

    @property
    def noisy(self) -> Overlap:
        """Agreement on the class of noise."""
        return _overlap(self.noise, self.missed, self.false)

    @property
    def weighted(self) -> tuple[float, float, float]:
        """Precision, recall, F1 of both classes, weighted by how many texts each has."""
        content, noise = self.hits + self.missed, self.noise + self.false
        total = max(content + noise, 1)
        parts = [(self.content, content / total), (self.noisy, noise / total)]
        return (
            sum(part.precision * weight for part, weight in parts),
            sum(part.recall * weight for part, weight in parts),
            sum(part.f1 * weight for part, weight in parts),
        )


def _overlap(hits: int, false: int, missed: int) -> Overlap:
    if not hits:
        return NOTHING
    return Overlap(hits / (hits + false), hits / (hits + missed))


def count_classes(wanted: Mask, said: Mask) -> ClassCounts:
    """Count texts of one page, or of many."""
    return ClassCounts(
        int((wanted & said).sum()),
        int((~wanted & said).sum()),
        int((wanted & ~said).sum()),
        int((~wanted & ~said).sum()),
    )


def text_score(answer: str, gold: str) -> Overlap:
    """Agreement of two texts by their longest common subsequence of words in lower case."""
    said = WORD.findall(answer.lower())[:MOST_WORDS]
    wanted = WORD.findall(gold.lower())[:MOST_WORDS]
    if not said or not wanted:
        return NOTHING
    both = common_words(said, wanted)
    return Overlap(both / len(said), both / len(wanted))


def common_words(one: Sequence[str], other: Sequence[str]) -> int:
    """Length of the longest common subsequence, a bit a word of the first.

    Every word of the second changes all bits at once (Hyyrö 2004), so that the time grows with
    the product of the lengths divided by the bits of a machine word.
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
