"""Paths: an XPath from /html for a row, and the row for such a path.

A step is the tag name, with the place among siblings of that name when there are several.
Names that XPath would read differently in an HTML document (prefixed, foreign or odd ones)
are written `*[name()='…'][k]`. A text row ends in `text()[n]`, where n counts every text
node of the parent, blank ones too, since the parser and the browser count them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from pagelet import core
from pagelet.arrays import Int32s, Int64s, Ints, Mask
from pagelet.errors import NoSuchNode
from pagelet.page.equal import find_equal
from pagelet.page.tags import NAMES, TEXT

MAX_PREFIX_CHARS = 1_000_000  #: characters of paths that are kept, about
PLAIN_NAME = re.compile(r"[a-z_][a-z0-9_.-]*\Z")
STEP = re.compile(
    r"/(?:text\(\)\[(?P<text>\d+)\]"
    r"|\*\[name\(\)=(?:'(?P<single>[^']*)'|\"(?P<double>[^\"]*)\"|(?P<parts>concat\((?:'[^']*'|\"[^\"]*\"|,)*\)))\]"
    r"\[(?P<nth>\d+)\]"
    r"|(?P<name>[a-z_][a-z0-9_.-]*)(?:\[(?P<at>\d+)\])?)"
)


@dataclass(frozen=True, slots=True, eq=False)
class PathIndex:
    """The rows of a page and where each stands among its siblings of the same name."""

    tag: Int32s
    parent: Int32s
    end: Ints
    names: tuple[str, ...]
    place: Int64s  #: 1-based place among siblings of the same name, blank texts counted
    alone: Mask  #: no sibling shares the name
    odd: Mask  #: the name needs the name() form
    prefixes: dict[int, str] = field(default_factory=dict)
    #: paths of rows whose children's paths were last asked for
    steps_above: dict[int, tuple[str, int]] = field(default_factory=dict)
    #: the last step and the parent of rows that were asked for

    def path(self, row: int) -> str:
        """XPath from /html that selects exactly this row."""
        step, above = self._look_up(row)
        return f"{self._prefix(above)}/{step}"

    def paths(self, rows: list[int]) -> list[str]:
        """The XPaths of many rows."""
        if not core.compiled:
            return [self.path(row) for row in rows]
        written = core.kernels.write_paths(
            self.tag, self.parent, self.place, self.alone, self.odd, self.names, rows
        )
        pairs = zip(rows, written, strict=True)
        return [self.path(row) if path is None else path for row, path in pairs]

    def _prefix(self, row: int) -> str:
        """The path of a row with children, made of that of a row above it; empty for -1."""
        steps, prefixes, above = [], self.prefixes, row
        while above >= 0 and above not in prefixes:
            step, above = self._look_up(above)
            steps.append(step)
        if not steps:
            return prefixes.get(row, "")
        prefix = "/".join((prefixes.get(above, ""), *reversed(steps)))
        if len(prefixes) * len(prefix) > MAX_PREFIX_CHARS:
            prefixes.clear()
        prefixes[row] = prefix
        return prefix

    def steps(self) -> list[str]:
        """The last step of each row's path."""
        return [self._step(row) for row in range(len(self.tag))]

    def _look_up(self, row: int) -> tuple[str, int]:
        """The last step of a row's path, and the row above it."""
        if row not in self.steps_above:
            self.steps_above[row] = self._step(row), int(self.parent[row])
        return self.steps_above[row]

    def _step(self, row: int) -> str:
        place = int(self.place[row])
        if self.tag[row] == TEXT:
            return f"text()[{place}]"
        name = self.names[self.tag[row]]
        if self.odd[row]:
            return f"*[name()={_literal(name)}][{place}]"
        return name if self.alone[row] else f"{name}[{place}]"

    def row(self, path: str) -> int:
        """Row that a path names; raises NoSuchNode when there is none."""
        row, at = -1, 0
        while at < len(path):
            step = STEP.match(path, at)
            if step is None or (row := self._child(row, step)) < 0:
                raise NoSuchNode(path)
            at = step.end()
        if row < 0:
            raise NoSuchNode(path)
        return row

    def _child(self, row: int, step: re.Match[str]) -> int:
        """Child that a step leads to, -1 when there is none."""
        name = step["name"] or ("" if step["text"] else _unquote(step))
        place = int(step["text"] or step["nth"] or step["at"] or 1)
        tag = self.names.index(name) if name in self.names else -1
        first, last = (0, len(self.tag)) if row < 0 else (row + 1, int(self.end[row]))
        same = np.flatnonzero((self.parent[first:last] == row) & (self.tag[first:last] == tag))
        same = same[self.place[same + first] == place]
        return int(same[0]) + first if len(same) else -1


def index_paths(
    tag: Int32s,
    parent: Int32s,
    end: Ints,
    names: tuple[str, ...],
    blanks: tuple[Int32s, Int32s],
    foreign: Mask,
) -> PathIndex:
    """Number the siblings of the same name.

    `blanks` holds, for each blank text, the row that follows it and the row of its parent;
    `foreign` marks the rows inside SVG and MathML.
    """
    place, alone = number_siblings(tag, parent, blanks)
    odd = odd_names(names)[tag] | foreign
    return PathIndex(tag, parent, end, names, place, alone, odd)


def number_siblings(
    tag: Int32s, parent: Int32s, blanks: tuple[Int32s, Int32s]
) -> tuple[Int64s, Mask]:
    """The place of each row among its siblings of the same tag, from 1, and whether it has none."""
    rows, (blank_row, blank_parent) = len(tag), blanks
    place, alone = np.empty(rows, np.int64), np.empty(rows, np.bool_)
    if core.compiled and core.kernels.number_siblings(tag, parent, *blanks, place, alone):
        return place, alone
    above = np.concatenate((parent, blank_parent)).astype(np.uint64)
    tags = np.concatenate((tag, np.full(len(blank_row), TEXT))).astype(np.uint64)
    at = np.concatenate((np.arange(rows), blank_row - 0.5))
    order = np.argsort(at, kind="stable")
    first, before = find_equal(((above << np.uint64(32)) + tags)[order])
    single = np.bincount(first, minlength=1)[first] == 1
    number = np.empty(len(order), np.intp)
    number[order] = np.arange(len(order))
    return before[number[:rows]] + 1, single[number[:rows]]


def odd_names(names: Sequence[str]) -> Mask:
    """Mark the names that need the name() form."""
    custom = names[len(NAMES) :]
    return np.append(_odd_tags(), _are_odd(custom)) if custom else _odd_tags()


def _are_odd(names: Sequence[str]) -> Mask:
    return np.array([not PLAIN_NAME.match(name) for name in names], np.bool_)


@cache
def _odd_tags() -> Mask:
    """The same for the tags that have one number on every page."""
    return _are_odd(NAMES)


def _literal(name: str) -> str:
    """Write a string as XPath does; one with both kinds of quotes needs concat()."""
    if "'" not in name:
        return f"'{name}'"
    if '"' not in name:
        return f'"{name}"'
    return "concat(" + ',"\'",'.join(f"'{part}'" for part in name.split("'")) + ")"


def _unquote(step: re.Match[str]) -> str:
    if step["parts"] is None:
        return str(step["single"] if step["single"] is not None else step["double"])
    parts: list[str] = re.findall(r"'[^']*'|\"[^\"]*\"", step["parts"])
    return "".join(part[1:-1] for part in parts)
