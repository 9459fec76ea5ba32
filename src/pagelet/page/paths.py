"""Paths: an XPath from /html for a row, and the row for such a path.

A step is the tag name, with the place among siblings of that name when there are several.
Names that XPath would read differently in an HTML document (prefixed, foreign or odd ones)
are written `*[name()='…'][k]`. A text row ends in `text()[n]`, where n counts every text
node of the parent, blank ones too, since the parser and the browser count them.
"""

import re
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from pagelet.arrays import Int64s, Mask
from pagelet.errors import NoSuchNode
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER, TEXT

PLAIN = re.compile(r"[a-z_][a-z0-9_.-]*\Z")
STEP = re.compile(
    r"/(?:text\(\)\[(?P<text>\d+)\]"
    r"|\*\[name\(\)=(?:'(?P<single>[^']*)'|\"(?P<double>[^\"]*)\"|(?P<parts>concat\((?:'[^']*'|\"[^\"]*\"|,)*\)))\]"
    r"\[(?P<nth>\d+)\]"
    r"|(?P<name>[a-z_][a-z0-9_.-]*)(?:\[(?P<at>\d+)\])?)"
)


@dataclass(frozen=True, slots=True)
class Places:
    """Where each row stands among its siblings of the same name."""

    place: Int64s  #: 1-based place among siblings of the same name, blank texts counted
    alone: Mask  #: no sibling shares the name
    odd: Mask  #: the name needs the name() form


_PLACES: WeakKeyDictionary[Page, Places] = WeakKeyDictionary()


def places(page: Page) -> Places:
    """Places of all rows, computed once a page."""
    if page not in _PLACES:
        _PLACES[page] = _places(page)
    return _PLACES[page]


def _places(page: Page) -> Places:
    rows = len(page)
    parent = np.concatenate((page.parent, page.blank_parent)).astype(np.int64) + 1
    tag = np.concatenate((page.tag, np.full(len(page.blank_row), TEXT))).astype(np.int64)
    at = np.concatenate((np.arange(rows), page.blank_row - 0.5))
    order = np.lexsort((at, tag, parent))
    group = parent[order] * (len(page.names) + 1) + tag[order]
    begins = np.concatenate(([True], group[1:] != group[:-1])) if rows else np.zeros(0, np.bool_)
    first = np.flatnonzero(begins)
    counts = np.diff(np.append(first, len(order)))
    place, alone = np.empty(len(order), np.int64), np.empty(len(order), np.bool_)
    place[order] = np.arange(len(order)) - np.repeat(first, counts) + 1
    alone[order] = np.repeat(counts == 1, counts)
    plain = np.array([bool(PLAIN.match(name)) for name in page.names] or [True])
    in_foreign = page.inside(page.foreign)
    return Places(place[:rows], alone[:rows], ~plain[page.tag] | in_foreign)


def path_of(page: Page, row: int) -> str:
    """XPath from /html that finds exactly this row."""
    known = places(page)
    steps = []
    while row >= 0:
        steps.append(_step(page, known, row))
        row = int(page.parent[row])
    return "/" + "/".join(reversed(steps))


def steps_of(page: Page) -> list[str]:
    """The last step of each row's path."""
    known = places(page)
    return [_step(page, known, row) for row in range(len(page))]


def _step(page: Page, known: Places, row: int) -> str:
    place = int(known.place[row])
    if page.tag[row] == TEXT:
        return f"text()[{place}]"
    name = page.name(row)
    if known.odd[row]:
        return f"*[name()={_literal(name)}][{place}]"
    return name if known.alone[row] else f"{name}[{place}]"


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


def row_at(page: Page, path: str) -> int:
    """Row that a path names; raises NoSuchNode when there is none."""
    row, at = -1, 0
    while at < len(path):
        step = STEP.match(path, at)
        if step is None:
            raise NoSuchNode(path)
        row = _child(page, row, step)
        if row < 0:
            raise NoSuchNode(path)
        at = step.end()
    if row < 0:
        raise NoSuchNode(path)
    return row


def _child(page: Page, row: int, step: re.Match[str]) -> int:
    """Child that a step leads to, -1 when there is none."""
    name = step["name"] or ("" if step["text"] else _unquote(step))
    place = int(step["text"] or step["nth"] or step["at"] or 1)
    tag = NUMBER[name] if name in NUMBER else _own_number(page, name)
    first, last = (0, len(page)) if row < 0 else (row + 1, int(page.end[row]))
    same = np.flatnonzero((page.parent[first:last] == row) & (page.tag[first:last] == tag))
    same = same[places(page).place[same + first] == place]
    return int(same[0]) + first if len(same) else -1


def _own_number(page: Page, name: str) -> int:
    return page.names.index(name) if name in page.names else -1
