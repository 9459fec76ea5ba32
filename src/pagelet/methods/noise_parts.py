"""Which flat runs of a page are its records, and what belongs to them."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.page import Mask, Page
from pagelet.columns.tree import nearest
from pagelet.measures.signatures import own_signs, path_signs
from pagelet.methods.noise_runs import BREAKS, FEWEST, MOST, Run, Siblings, flat_runs
from pagelet.tags import BLOCK, NUMBER, TEXT

Ints = NDArray[np.intp]

ALONE = 3  #: lines of a run that is kept though nothing of it was taken for content
READ = 80  #: characters of what leads that are compared


@dataclass(frozen=True, eq=False)
class Found:
    """What is known of the records before flat runs are looked at."""

    page: Page
    texts: Ints  #: rows of all texts that could be fields
    kept: Ints  #: rows of those that are
    units: Ints  #: elements that are content
    holder: Ints  #: the record of each
    every: Ints  #: all elements with text

    def between(self, rows: Ints, row: int) -> slice:
        """The places in sorted rows of what lies in one subtree."""
        first, last = np.searchsorted(rows, (row, self.page.end[row])).tolist()
        return slice(first, last)

    @cached_property
    def held(self) -> NDArray[np.int64]:
        """For each row how many kept texts lie in its subtree."""
        return self.page.sum_subtree(self._marked(self.kept))

    @cached_property
    def chars(self) -> NDArray[np.int64]:
        """For each row the characters of texts in its subtree."""
        return self.page.sum_subtree(self._marked(self.texts) * self.page.chars)

    def _marked(self, rows: Ints) -> NDArray[np.int64]:
        marked = np.zeros(len(self.page), np.int64)
        marked[rows] = 1
        return marked

    @cached_property
    def signs(self) -> NDArray[np.uint64]:
        """The path of tags and names of each row."""
        return path_signs(self.page, own_signs(self.page, classes=True))

    @cached_property
    def alike(self) -> Counter[int]:
        """How many records there are of each path."""
        return Counter(self.signs[np.unique(self.holder)].tolist())

    @cached_property
    def several(self) -> Ints:
        """Records that hold several elements, in order."""
        rows, count = np.unique(self.holder, return_counts=True)
        return rows[count > 1]


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """The records that are stretches of siblings."""

    part: Ints  #: for each row the number of such a record, -1 outside
    top: Ints  #: for each row the sibling it is or lies below, -1 outside
    bare: Ints  #: parents whose own text between their children was not content, but stands in one
    units: Ints  #: elements that belong to these records


def find_parts(found: Found) -> Parts:
    """Split flat runs; the outermost one wins where one lies in another."""
    page = found.page
    part, top = np.full((2, len(page)), -1)
    lead = np.zeros(len(page), np.bool_)
    number, bare = 0, []
    for run in _records(found, list(flat_runs(Siblings.of(page, found.texts), _parents(found)))):
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
    return Parts(part, top, lines, _belonging(found, part, lead, lines))


def _parents(found: Found) -> list[int]:
    """Rows with content in several children, or with most of the page's text in lines."""
    page, some = found.page, found.held > 0
    several = page.sum_children(some & (np.arange(len(page)) > page.body)) >= FEWEST
    breaks = page.sum_children(page.is_tag(*BREAKS)) >= FEWEST
    large = breaks & (found.chars > MOST * found.chars.max(initial=0))
    rows: list[int] = np.flatnonzero((several | large) & page.counted).tolist()
    return rows


def _records(found: Found, runs: list[Run]) -> Iterator[Run]:
    """Those of the runs whose parts are records."""
    leads = [_leads(found, run) for run in runs]
    told: dict[int, Counter[str]] = {}
    for run, said in zip(runs, leads, strict=True):
        told.setdefault(int(found.signs[run.row]), Counter()).update(set(said))
    for run, said in zip(runs, leads, strict=True):
        again = told[int(found.signs[run.row])]
        labels = sum(again[text] > 1 for text in said) > MOST * len(said)
        if _alone(found, run) or (not labels and _are_records(found, run)):
            yield run


def _leads(found: Found, run: Run) -> list[str]:
    """The first text of each part."""
    places = np.searchsorted(found.texts, [rows[0] for rows in run.parts])
    texts = (found.page.text(int(found.texts[at])) for at in places.tolist())
    return [" ".join(text[:READ].split()).lower() for text in texts]


def with_content(found: Found, run: Run) -> int:
    """Parts that hold content."""
    return sum(bool(found.held[rows].any()) for rows in run.parts)


def _are_records(found: Found, run: Run) -> bool:
    """Whether several parts, and most, hold content, and are no less than records and no more."""
    if with_content(found, run) < max(FEWEST, MOST * len(run.parts)) or _inside(found, run):
        return False
    return run.tag == NUMBER["dt"] or not _sections(found, run)


def _alone(found: Found, run: Run) -> bool:
    """Whether a run of lines has most of the page's text, and none of it was taken for content.

    Elements are judged, and lines have none: an empty answer would lose the whole page.
    """
    return (
        run.flowing
        and run.tag != TEXT
        and len(run.parts) >= ALONE
        and not with_content(found, run)
        and sum(int(found.chars[rows].sum()) for rows in run.parts)
        > MOST * found.chars.max(initial=0)
    )


def _inside(found: Found, run: Run) -> bool:
    """Whether the run lies in a record, one of at least as many as the run has parts."""
    holders = found.holder[found.between(found.units, run.row)]
    above = holders[holders <= run.row]
    return bool(len(above)) and found.alike[int(found.signs[above.max()])] >= len(run.parts)


def _sections(found: Found, run: Run) -> bool:
    """Whether the parts hold more records of one look than there are parts."""
    looks: Counter[int] = Counter()
    for row in (row for rows in run.parts for row in rows):
        records = found.several[found.between(found.several, row)]
        looks.update(found.signs[records].tolist())
    return max(looks.values(), default=0) > len(run.parts)


def _belonging(found: Found, part: Ints, lead: Mask, lines: Ints) -> Ints:
    """Elements of the parts that are fields.

    They are content, or most of their path are; or they are in lines; or they lead: a record is
    known by its title, and what follows the title was taken for content.
    """
    page, every = found.page, found.every[part[found.every] >= 0]
    if not len(every):
        return every
    chosen = np.isin(every, found.units)
    _, kind = np.unique(found.signs[every], return_inverse=True)
    share = np.bincount(kind, chosen) / np.bincount(kind)
    first = lead[every] & ~within_line(page, every)
    kept = chosen | (share[kind] > MOST) | page.inside(lines)[every] | first
    return np.asarray(every[kept], np.intp)


def within_line(page: Page, units: Ints) -> Mask:
    """Mark the units that stand in the line of a unit above them."""
    marked = np.zeros(len(page), np.bool_)
    marked[units] = True
    above = nearest(page.parent, marked)[page.parent[units]]
    block = nearest(page.parent, page.is_tag(*BLOCK))
    return np.asarray((above >= 0) & (block[above] == block[units]))
