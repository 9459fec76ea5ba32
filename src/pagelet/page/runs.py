"""Flat runs: parts without an element of their own, each a stretch of siblings.

In a description list a part is a `dt` and the `dd` that follow it; old pages write a link, a text
and a line break for each. The leading look, a tag with its class names, marks where a part begins.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pagelet.arrays import Hashes, Ints
from pagelet.page.signatures import mix, row_signatures
from pagelet.page.table import Page
from pagelet.page.tags import BLOCK, NUMBER, TEXT, numbers

BREAKS = numbers("br hr")
LEADING_TAGS = numbers("dt h1 h2 h3 h4 h5 h6")  #: tags that lead wherever there are any
MAX_LEADING_LOOKS = 4  #: looks that are tried as leading ones, in document order
MIN_PARTS = 2  #: parts of a run
MIN_DIVIDED_PARTS = 3  #: parts of a run that only rules or blank lines divide
MAJORITY = 0.5  #: share above which most parts, texts or elements are meant
MIN_REGULAR_PARTS = 3  #: parts of a run whose parts all begin with the same tag
REGULAR_SHARE = 0.8  #: share of such parts that have the same looks in the same order
BLANK_LINE_BREAKS = 2  #: line breaks in a row that make a blank line; a rule counts as two


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
