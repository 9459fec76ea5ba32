"""Which flat runs of a page are records, and which elements belong to them."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pagelet.arrays import Hashes, Int64s, Ints, Mask
from pagelet.page.runs import BREAKS, MAJORITY, MIN_PARTS, Run, Siblings, find_runs
from pagelet.page.signatures import path_signatures, row_signatures
from pagelet.page.table import Page
from pagelet.page.tags import BLOCK, NUMBER, TEXT
from pagelet.page.tree import nearest

MIN_LONE_LINES = 3  #: lines of a run that is kept though none of it is content
LEAD_CHARS = 80  #: characters of the leading texts that are compared


@dataclass(frozen=True, eq=False)
class ElementRecords:
    """The records that are elements, before flat runs are examined."""

    page: Page
    texts: Ints  #: rows of all texts that could be fields
    kept: Ints  #: rows of the texts that are fields
    units: Ints  #: elements that are content
    holder: Ints  #: the record of each of these elements
    every: Ints  #: all elements with text

    def between(self, rows: Ints, row: int) -> slice:
        """The part of sorted rows that lies in one subtree."""
        first, last = np.searchsorted(rows, (row, self.page.end[row])).tolist()
        return slice(first, last)

    @cached_property
    def held(self) -> Int64s:
        """For each row the number of kept texts in its subtree."""
        return self.page.sum_subtree(self._marked(self.kept))

    @cached_property
    def chars(self) -> Int64s:
        """For each row the characters of texts in its subtree."""
        return self.page.sum_subtree(self._marked(self.texts) * self.page.chars)

    def _marked(self, rows: Ints) -> Int64s:
        marked = np.zeros(len(self.page), np.int64)
        marked[rows] = 1
        return marked

    @cached_property
    def signatures(self) -> Hashes:
        """The path of tags and class names of each row, as a hash."""
        return path_signatures(self.page, row_signatures(self.page, classes=True))

    @cached_property
    def alike(self) -> Counter[int]:
        """The number of records with each path."""
        return Counter(self.signatures[np.unique(self.holder)].tolist())

    @cached_property
    def several(self) -> Ints:
        """Records that hold several elements, in order."""
        rows, count = np.unique(self.holder, return_counts=True)
        return rows[count > 1]


@dataclass(frozen=True, slots=True, eq=False)
class FlatRecords:
    """The records that are stretches of siblings."""

    part: Ints  #: for each row the number of its record, -1 outside
    top: Ints  #: for each row the sibling it is or lies below, -1 outside
    bare: Ints  #: parents with text of their own in these records
    units: Ints  #: elements that belong to these records


def find_flat_records(records: ElementRecords) -> FlatRecords:
    """Split flat runs into records; where one run lies in another, the outer one wins."""
    page = records.page
    part, top = np.full((2, len(page)), -1)
    lead = np.zeros(len(page), np.bool_)
    number, bare = 0, []
    runs = list(find_runs(Siblings.of(page, records.texts), _parents(records)))
    for run in _record_runs(records, runs):
        if part[run.row] >= 0:
            continue
        for rows in run.parts:
            for row in rows:
                part[row : page.end[row]], top[row : page.end[row]] = number, row
            lead[rows[0] : page.end[rows[0]]] = True
            number += 1
        if run.flowing:
            bare.append(run.row)
    lines = np.array(bare, np.intp)
    return FlatRecords(part, top, lines, _belonging(records, part, lead, lines))


def _parents(records: ElementRecords) -> list[int]:
    """Rows with content in several children, or with most of the page's text in lines."""
    page, some = records.page, records.held > 0
    several = page.sum_children(some & (np.arange(len(page)) > page.body)) >= MIN_PARTS
    breaks = page.sum_children(page.is_tag(*BREAKS)) >= MIN_PARTS
    large = breaks & (records.chars > MAJORITY * records.chars.max(initial=0))
    rows: list[int] = np.flatnonzero((several | large) & page.counted).tolist()
    return rows


def _record_runs(records: ElementRecords, runs: list[Run]) -> Iterator[Run]:
    """The runs whose parts are records; runs of labels, which other runs repeat, are not."""
    leads = [_leads(records, run) for run in runs]
    counts: dict[int, Counter[str]] = {}
    for run, texts in zip(runs, leads, strict=True):
        counts.setdefault(int(records.signatures[run.row]), Counter()).update(set(texts))
    for run, texts in zip(runs, leads, strict=True):
        count = counts[int(records.signatures[run.row])]
        labels = sum(count[text] > 1 for text in texts) > MAJORITY * len(texts)
        if _alone(records, run) or (not labels and _are_records(records, run)):
            yield run


def _leads(records: ElementRecords, run: Run) -> list[str]:
    """The first text of each part."""
    places = np.searchsorted(records.texts, [rows[0] for rows in run.parts])
    texts = (records.page.text(int(records.texts[at])) for at in places.tolist())
    return [" ".join(text[:LEAD_CHARS].split()).lower() for text in texts]


def count_content_parts(records: ElementRecords, run: Run) -> int:
    """The number of parts that hold content."""
    return sum(bool(records.held[rows].any()) for rows in run.parts)


def _are_records(records: ElementRecords, run: Run) -> bool:
    """Whether several parts, and most of them, hold content and are whole single records."""
    if count_content_parts(records, run) < max(MIN_PARTS, MAJORITY * len(run.parts)) or _inside(
        records, run
    ):
        return False
    return run.tag == NUMBER["dt"] or not _sections(records, run)


def _alone(records: ElementRecords, run: Run) -> bool:
    """Whether a run of lines has most of the page's text, and none of it is content.

    Only elements are classified, and lines have none: an empty answer would lose the whole page.
    """
    return (
        run.flowing
        and run.tag != TEXT
        and len(run.parts) >= MIN_LONE_LINES
        and not count_content_parts(records, run)
        and sum(int(records.chars[rows].sum()) for rows in run.parts)
        > MAJORITY * records.chars.max(initial=0)
    )


def _inside(records: ElementRecords, run: Run) -> bool:
    """Whether the run lies in a record, one of at least as many as the run has parts."""
    holders = records.holder[records.between(records.units, run.row)]
    above = holders[holders <= run.row]
    return bool(len(above)) and records.alike[int(records.signatures[above.max()])] >= len(
        run.parts
    )


def _sections(records: ElementRecords, run: Run) -> bool:
    """Whether the parts hold more records of one look than there are parts."""
    looks: Counter[int] = Counter()
    for row in (row for rows in run.parts for row in rows):
        inner = records.several[records.between(records.several, row)]
        looks.update(records.signatures[inner].tolist())
    return max(looks.values(), default=0) > len(run.parts)


def _belonging(records: ElementRecords, part: Ints, lead: Mask, lines: Ints) -> Ints:
    """Elements of the parts that are fields.

    They are content, or most elements of their path are; or they are in lines; or they lead: a
    record has a title, and what follows the title is content.
    """
    page, every = records.page, records.every[part[records.every] >= 0]
    if not len(every):
        return every
    chosen = np.isin(every, records.units)
    _, kind = np.unique(records.signatures[every], return_inverse=True)
    share = np.bincount(kind, chosen) / np.bincount(kind)
    first = lead[every] & ~within_line(page, every)
    kept = chosen | (share[kind] > MAJORITY) | page.inside(lines)[every] | first
    return np.asarray(every[kept], np.intp)


def within_line(page: Page, units: Ints) -> Mask:
    """Mark the units in the same line as a unit above them."""
    marked = np.zeros(len(page), np.bool_)
    marked[units] = True
    above = nearest(page.parent, marked)[page.parent[units]]
    block = nearest(page.parent, page.is_tag(*BLOCK))
    return np.asarray((above >= 0) & (block[above] == block[units]))
