"""Flat runs: records without an element of their own, each a stretch of siblings.

In a list of terms a record is a `dt` and the `dd` that follow it; old pages write a link, a text
and a line break for each. The look that leads, a tag with its class names, tells where a record
begins.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagelet.columns.page import Page
from pagelet.measures.signatures import mixed, own_signs
from pagelet.tags import BLOCK, NUMBER, TEXT, numbers

Ints = NDArray[np.intp]

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
    look: NDArray[np.uint64]
    shape: NDArray[np.uint64]  #: tags of the children with text, 0 below two of them

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
        look = np.where(page.element, own_signs(page, classes=True), np.uint64(TEXT))
        small = (own_signs(page, classes=False) >> np.uint64(32)).astype(np.float64)
        parts = held & page.element & ~page.is_tag(*BREAKS)
        shape = mixed(page.sum_children(small * parts).astype(np.uint64) + small.astype(np.uint64))
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
