"""Flat runs: records without an element of their own, each a stretch of siblings.

In a description list a record is a `dt` and the `dd` that follow it; old pages write a link, a
text and a line break for each. The leading look, a tag with its class names, marks where a record
begins.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pagelet.arrays import Hashes, Int64s, Ints, Mask
from pagelet.page.signatures import mix, path_signatures, row_signatures
from pagelet.page.table import Page
from pagelet.page.tags import BLOCK, NUMBER, TEXT, numbers
from pagelet.page.tree import nearest

CONTROLS = numbers("select optgroup option datalist textarea")  #: elements that hold choices
BREAKS = numbers("br hr")
LEADING_TAGS = numbers("dt h1 h2 h3 h4 h5 h6")  #: tags that lead wherever there are any
MAX_LEADING_LOOKS = 4  #: looks that are tried as leading ones, in document order
MIN_PARTS = 2  #: parts of a run
MIN_DIVIDED_PARTS = 3  #: parts of a run that only rules or blank lines divide
MAJORITY = 0.5  #: share above which most parts, texts or elements are meant
MIN_REGULAR_PARTS = 3  #: parts of a run whose parts all begin with the same tag
REGULAR_SHARE = 0.8  #: share of such parts that have the same looks in the same order
BLANK_LINE_BREAKS = 2  #: line breaks in a row that make a blank line; a rule counts as two
MIN_LONE_LINES = 3  #: lines of a run that is kept though none of it is content
LEAD_CHARS = 80  #: characters of the leading texts that are compared


@dataclass(frozen=True, slots=True)
class Line:
    """One line of siblings: one block, or the inline elements and texts between two breaks."""

    rows: list[int]
    look: int  #: look of the first row; TEXT for plain text
    tag: int  #: tag of the first row
    flowing: bool  #: whether the rows are inline, not a block
    gap: int  #: breaks before the line


@dataclass(frozen=True, slots=True)
class Run:
    """One parent whose children are several records in a row."""

    row: int  #: the parent
    parts: list[list[int]]  #: the children with text that make each record
    flowing: bool  #: whether records begin inline, not with a block
    tag: int  #: tag that leads; TEXT where breaks alone divide


@dataclass(frozen=True, eq=False)
class Siblings:
    """For all rows the children that hold text or break a line, and the look of each row."""

    page: Page
    order: Ints  #: such children, by parent, in document order
    begin: Ints  #: for each row where its children begin in `order`, and one more for the end
    look: Hashes  #: tag and class names of each row
    shape: Hashes  #: tags of the children with text of each row; 0 where there is only one

    @classmethod
    def of(cls, page: Page, texts: Ints) -> "Siblings":
        """Siblings on the way to the given texts."""
        own = np.zeros(len(page))
        own[texts] = 1
        held = (page.sum_subtree(own) > 0) | (page.is_tag(*BREAKS) & page.counted)
        held[: page.body + 1] = False
        rows = np.flatnonzero(held)
        order = rows[np.argsort(page.parent[rows], kind="stable")]
        begin = np.searchsorted(page.parent[order], np.arange(len(page) + 1))
        look = np.where(page.element, row_signatures(page, classes=True), np.uint64(TEXT))
        small = (row_signatures(page, classes=False) >> np.uint64(32)).astype(np.float64)
        parts = held & page.element & ~page.is_tag(*BREAKS)
        shape = mix(page.sum_children(small * parts).astype(np.uint64) + small.astype(np.uint64))
        shape[page.sum_children(parts) < 2] = 0
        return cls(page, order, begin, look, shape)

    def below(self, row: int) -> list[int]:
        """Such children of one row."""
        rows: list[int] = self.order[self.begin[row] : self.begin[row + 1]].tolist()
        return rows

    def varied(self, parents: Sequence[int]) -> list[int]:
        """Those of the rows whose children do not all look the same."""
        look, rows = self.look[self.order], np.array(parents, np.intp)
        changes = np.append(0, np.cumsum(np.append(False, look[1:] != look[:-1])))
        first, last = self.begin[rows], self.begin[rows + 1]
        several = changes[last] > changes[np.minimum(first + 1, last)]
        return [row for row, each in zip(parents, several.tolist(), strict=True) if each]

    def lines(self, row: int) -> list[Line]:
        """The children of one row, line by line."""
        lines: list[Line] = []
        gap, open_line = 0, False
        looks = self._looks(row)
        for child in self.below(row):
            tag = int(self.page.tag[child])
            if tag in BREAKS:
                gap, open_line = gap + (BLANK_LINE_BREAKS if tag == NUMBER["hr"] else 1), False
                continue
            flowing = tag not in BLOCK
            if flowing and open_line:
                lines[-1].rows.append(child)
            else:
                lines.append(Line([child], looks[child], tag, flowing, gap))
            gap, open_line = 0, flowing
        return lines

    def _looks(self, row: int) -> dict[int, int]:
        """The look of each child; striped rows of a table, alike but for a class, share a look."""
        below = self.below(row)
        looks, shapes = self.look[below].tolist(), self.shape[below].tolist()
        counts: dict[int, Counter[int]] = {}
        for look, shape in zip(looks, shapes, strict=True):
            counts.setdefault(look, Counter())[shape] += 1
        first: dict[int, int] = {}
        same = {}
        for look, count in counts.items():
            shape = max(count, key=lambda shape: count[shape])
            same[look] = first.setdefault(shape, look) if shape else look
        return {child: same[look] for child, look in zip(below, looks, strict=True)}


def find_runs(siblings: Siblings, parents: Sequence[int]) -> Iterator[Run]:
    """The runs of the parents whose children are several records."""
    for row in siblings.varied(parents):
        lines = siblings.lines(row)
        if len(lines) >= MIN_PARTS and (run := _make_run(row, lines)):
            yield run


def _make_run(row: int, lines: list[Line]) -> Run | None:
    parts = _split_by_look(lines) or _split_by_gaps(lines)
    if not parts:
        return None
    first = parts[0][0]
    rows = [[child for line in part for child in line.rows] for part in parts]
    return Run(row, rows, first.flowing, first.tag)


def _split_by_look(lines: list[Line]) -> list[list[Line]]:
    """Parts that begin with the leading look: the one that makes the most parts.

    Except for headings, a later look must make two parts more: it makes one more already where
    a stray follower stands before the first record.
    """
    count = Counter(line.look for line in lines)
    tags = {line.look: line.tag for line in reversed(lines)}
    several = [look for look in dict.fromkeys(line.look for line in lines) if count[look] > 1]
    several = [look for look in several if tags[look] != TEXT]
    heads = [look for look in several if tags[look] in LEADING_TAGS]
    best: list[list[Line]] = []
    for look in (heads or several)[:MAX_LEADING_LOOKS]:
        parts = _parts(lines, look)
        if len(parts) > len(best) + bool(best and not heads) and _are_alike(parts):
            best = parts
    return best


def _parts(lines: list[Line], look: int) -> list[list[Line]]:
    """Lines from each one with the look to before the next; terms in a row are one beginning."""
    parts: list[list[Line]] = []
    before = None
    for line in lines:
        again = before == look and line.tag == NUMBER["dt"]
        if line.look == look and not again:
            parts.append([line])
        elif parts:
            parts[-1].append(line)
        before = line.look
    return parts


def _are_alike(parts: list[list[Line]]) -> bool:
    """Whether most parts have a second tag in common, or begin a line."""
    if len(parts) < MIN_PARTS:
        return False
    if parts[0][0].flowing:
        return True
    tag = parts[0][0].tag
    others = Counter(
        each for part in parts for each in {line.look for line in part if line.tag != tag}
    )
    return max(others.values(), default=0) > MAJORITY * len(parts) or _are_regular(parts)


def _are_regular(parts: list[list[Line]]) -> bool:
    """Whether nearly all parts have the same looks, several of them, in the same order.

    This decides where all parts have one tag: class names alone also distinguish kinds of records.
    """
    orders = Counter(tuple(line.look for line in part) for part in parts)
    order, count = orders.most_common(1)[0]
    return (
        len(order) > 1 and len(parts) >= MIN_REGULAR_PARTS and count >= REGULAR_SHARE * len(parts)
    )


def _split_by_gaps(lines: list[Line]) -> list[list[Line]]:
    """Parts between rules or blank lines, where all lines are inline."""
    parts: list[list[Line]] = []
    for line in lines:
        if not parts or line.gap >= BLANK_LINE_BREAKS:
            parts.append([line])
        else:
            parts[-1].append(line)
    flowing = all(line.flowing for line in lines)
    return parts if flowing and len(parts) >= MIN_DIVIDED_PARTS else []


# Which flat runs of a page are records, and which elements belong to them


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
