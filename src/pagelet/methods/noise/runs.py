"""Flat runs: records without an element of their own, each a stretch of siblings.

In a list of terms a record is a `dt` and the `dd` that follow it; old pages write a link, a text
and a line break for each. The look that leads, a tag with its class names, tells where a record
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

CONTROLS = numbers("select optgroup option datalist textarea")  #: what they hold is to choose from
BREAKS = numbers("br hr")
HEADS = numbers("dt h1 h2 h3 h4 h5 h6")  #: they lead where there are any
LEADS = 4  #: looks that are tried, the first ones
FEWEST = 2  #: parts of a run
FEWEST_DIVIDED = 3  #: parts where nothing but rules or blank lines divide
MOST = 0.5  #: share of the parts that have another look beside the leading one
FEWEST_REGULAR, REGULAR = 3, 0.8  #: parts, and share of them with one order, of one tag alone
STRONG = 2  #: line breaks in a row that are a blank line; a rule counts as two


@dataclass(frozen=True, slots=True)
class Line:
    """What stands in one line: one block, or what flows between two breaks."""

    rows: list[int]  #: siblings
    look: int  #: of the first of them; TEXT for bare text
    tag: int
    flowing: bool
    gap: int  #: breaks before it


@dataclass(frozen=True, slots=True)
class Run:
    """One parent whose children are several records in a row."""

    row: int  #: the parent
    parts: list[list[int]]  #: the children with text that make each record
    flowing: bool  #: whether records begin with what flows, not with a block
    tag: int  #: of what leads; TEXT where breaks alone divide


@dataclass(frozen=True, eq=False)
class Siblings:
    """The children of all rows that hold text or break a line, and their looks."""

    page: Page
    order: Ints  #: such children, by parent, in document order
    begin: Ints  #: for each row where its children begin in that order, one more for the end
    look: Hashes
    shape: Hashes  #: tags of the children with text, 0 below two of them

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
        found: list[int] = self.order[self.begin[row] : self.begin[row + 1]].tolist()
        return found

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
                gap, open_line = gap + (STRONG if tag == NUMBER["hr"] else 1), False
                continue
            flowing = tag not in BLOCK
            if flowing and open_line:
                lines[-1].rows.append(child)
            else:
                lines.append(Line([child], looks[child], tag, flowing, gap))
            gap, open_line = 0, flowing
        return lines

    def _looks(self, row: int) -> dict[int, int]:
        """The look of each child; stripes of a table, alike but for their class, look the same."""
        below = self.below(row)
        looks, shapes = self.look[below].tolist(), self.shape[below].tolist()
        known: dict[int, Counter[int]] = {}
        for look, shape in zip(looks, shapes, strict=True):
            known.setdefault(look, Counter())[shape] += 1
        first: dict[int, int] = {}
        same = {}
        for look, seen in known.items():
            shape = max(seen, key=lambda shape: seen[shape])
            same[look] = first.setdefault(shape, look) if shape else look
        return {child: same[look] for child, look in zip(below, looks, strict=True)}


def flat_runs(siblings: Siblings, parents: Sequence[int]) -> Iterator[Run]:
    """The runs of those of the parents whose children are several records."""
    for row in siblings.varied(parents):
        lines = siblings.lines(row)
        if len(lines) >= FEWEST and (run := _run(row, lines)):
            yield run


def _run(row: int, lines: list[Line]) -> Run | None:
    parts = _led(lines) or _divided(lines)
    if not parts:
        return None
    first = parts[0][0]
    rows = [[child for line in part for child in line.rows] for part in parts]
    return Run(row, rows, first.flowing, first.tag)


def _led(lines: list[Line]) -> list[list[Line]]:
    """Parts that begin with the leading look: the one that makes most of them.

    But for headings, a later look must make two more: it would one more where a stray follower
    stands before the first record.
    """
    count = Counter(line.look for line in lines)
    tags = {line.look: line.tag for line in reversed(lines)}
    several = [look for look in dict.fromkeys(line.look for line in lines) if count[look] > 1]
    several = [look for look in several if tags[look] != TEXT]
    heads = [look for look in several if tags[look] in HEADS]
    best: list[list[Line]] = []
    for look in (heads or several)[:LEADS]:
        parts = _parts(lines, look)
        if len(parts) > len(best) + bool(best and not heads) and _alike(parts):
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


def _alike(parts: list[list[Line]]) -> bool:
    """Whether most parts have a second tag in common, or begin a line."""
    if len(parts) < FEWEST:
        return False
    if parts[0][0].flowing:
        return True
    tag = parts[0][0].tag
    others = Counter(
        each for part in parts for each in {line.look for line in part if line.tag != tag}
    )
    return max(others.values(), default=0) > MOST * len(parts) or _regular(parts)


def _regular(parts: list[list[Line]]) -> bool:
    """Whether nearly all parts have the same looks in the same order, several of them.

    Asked where all have one tag: records of several kinds have other class names each, too.
    """
    orders = Counter(tuple(line.look for line in part) for part in parts)
    order, count = orders.most_common(1)[0]
    return len(order) > 1 and len(parts) >= FEWEST_REGULAR and count >= REGULAR * len(parts)


def _divided(lines: list[Line]) -> list[list[Line]]:
    """Parts between rules or blank lines, where what is between flows."""
    parts: list[list[Line]] = []
    for line in lines:
        if not parts or line.gap >= STRONG:
            parts.append([line])
        else:
            parts[-1].append(line)
    flowing = all(line.flowing for line in lines)
    return parts if flowing and len(parts) >= FEWEST_DIVIDED else []


# -- Which flat runs of a page are its records, and what belongs to them ----------------------


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
    def held(self) -> Int64s:
        """For each row how many kept texts lie in its subtree."""
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
    def signs(self) -> Hashes:
        """The path of tags and names of each row."""
        return path_signatures(self.page, row_signatures(self.page, classes=True))

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
