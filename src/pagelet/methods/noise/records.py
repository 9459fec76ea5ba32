"""The records of a result page: its content, record by record, with fields by position."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pagelet.arrays import Hashes, Ints, Mask
from pagelet.methods.noise.decision import Judgement
from pagelet.methods.noise.runs import (
    ElementRecords,
    FlatRecords,
    find_flat_records,
    within_line,
)
from pagelet.page.dom import page_of_rows
from pagelet.page.runs import MAJORITY
from pagelet.page.signatures import path_signatures, row_signatures
from pagelet.page.table import Page
from pagelet.page.tags import BLOCK, NUMBER, TEXT, numbers
from pagelet.page.textblocks import CONTROLS, join_texts, readable_texts
from pagelet.page.tree import nearest
from pagelet.pagelets import Pagelet

MIN_MEAN_FIELDS = 1.5  #: mean number of fields in the elements of a group of records
GOOD_SCORE_SHARE = 0.7  #: share of the best group's score from which a group is good
MAX_CLIMBS = 8  #: steps up from the innermost element that looks like a record


@dataclass(frozen=True, slots=True)
class ResultRecord:
    """One record: the rows that hold it, and its texts."""

    page: Page
    rows: tuple[int, ...]  #: one element, or siblings where no element holds the record alone
    fields: dict[int, str]  #: texts by position; similar elements of all records share a position
    texts: tuple[int, ...]  #: rows of the record's texts

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: one object per record."""
        paths = [self.page.path(row) for row in self.rows]
        where = {"path": paths[0]} if len(paths) == 1 else {"path": None, "paths": paths}
        return where | {"fields": {str(at): text for at, text in self.fields.items()}}


def find_records(
    page: Page, items: Iterable[Pagelet], judgement: Judgement | None
) -> list[ResultRecord]:
    """All content of a page as records; content outside all records is a record by itself.

    An element classified as noise is a field too where most other records have content at its
    position; and a record that is a table row has all its cells. Controls are never fields.
    """
    readable = ~page.inside(page.is_tag(*CONTROLS))
    kept = {item.row: item.kind == "content" for item in items if readable[item.row]}
    every = np.fromiter(kept, np.intp, len(kept))
    units = every[np.fromiter(kept.values(), np.bool_, len(kept))]
    holder = _holders(page, units, judgement)
    if judgement is not None and len(units):
        units, holder = _fill_gaps(page, units, holder, every)
    return _make_records(page, *_pieces(page, units, holder, every))


@dataclass(frozen=True, slots=True)
class Piece:
    """Text of one element in one record."""

    record: int  #: the row that holds the record; below 0 for a stretch of siblings
    unit: int
    texts: list[int]


def _pieces(page: Page, units: Ints, holder: Ints, every: Ints) -> tuple[list[Piece], FlatRecords]:
    """The texts of all units; those of one unit are split where they are in several records."""
    texts = readable_texts(page)
    kept = [row for rows in whole_texts(page, units) for row in rows]
    elements = ElementRecords(page, texts, np.array(kept, np.intp), units, holder, every)
    flat = find_flat_records(elements)
    holders = dict(zip(units.tolist(), holder.tolist(), strict=True))
    bare = set(flat.bare.tolist()) - holders.keys()
    units = np.unique(np.concatenate([units, flat.units, flat.bare]))
    pieces: dict[tuple[int, int], Piece] = {}
    for unit, rows in zip(units.tolist(), whole_texts(page, units), strict=True):
        for row in rows:
            part = int(flat.part[row])
            if part < 0 and unit in bare:
                continue
            record = -1 - part if part >= 0 else holders.get(unit, unit)
            pieces.setdefault((record, unit), Piece(record, unit, [])).texts.append(row)
    return sorted(pieces.values(), key=lambda piece: piece.texts[0]), flat


def _make_records(page: Page, pieces: list[Piece], flat: FlatRecords) -> list[ResultRecord]:
    """Records in the order of their first texts."""
    units = np.array([piece.unit for piece in pieces], np.intp)
    position = _positions([piece.record for piece in pieces], _signatures(page, units))
    fields: dict[int, dict[int, str]] = {}
    texts: dict[int, list[int]] = {}
    for piece, at in zip(pieces, position, strict=True):
        fields.setdefault(piece.record, {})[at] = join_texts(page, piece.texts)
        texts.setdefault(piece.record, []).extend(piece.texts)
    records = []
    for record, rows in texts.items():
        whole = tuple(sorted(rows))
        tops = dict.fromkeys(flat.top[list(whole)].tolist())
        held = (record,) if record >= 0 else tuple(tops)
        records.append(ResultRecord(page, held, dict(sorted(fields[record].items())), whole))
    return sorted(records, key=lambda each: each.texts[0])


def _signatures(page: Page, units: Ints) -> Hashes:
    """The signature of each unit's position: path of tags and names, and in a table the column."""
    cells = np.flatnonzero(page.is_tag(*numbers("td th")))
    order = cells[np.argsort(page.parent[cells], kind="stable")]
    new = np.flatnonzero(np.diff(page.parent[order], prepend=-2))
    column = np.zeros(len(page) + 1, np.uint64)
    begin = np.repeat(new, np.diff(np.append(new, len(order))))
    column[order] = np.arange(len(order)) - begin + 1
    cell = nearest(page.parent, page.is_tag(*numbers("td th")))[units]
    return path_signatures(page, row_signatures(page, classes=True))[units] + column[cell]


def _fill_gaps(page: Page, units: Ints, holder: Ints, every: Ints) -> tuple[Ints, Ints]:
    """The units and holders, with those that belong to the records too."""
    marked = np.zeros(len(page), np.bool_)
    marked[holder] = True
    own = nearest(page.parent, marked)[every]
    every, own = every[own >= 0], own[own >= 0]
    _, kind = np.unique(_signatures(page, every), return_inverse=True)
    chosen = np.isin(every, units)
    share = np.bincount(kind, chosen) / np.maximum(np.bincount(kind), 1)
    cells = (page.tag[own] == NUMBER["tr"]) & ~within_line(page, every)
    kept = chosen | (share[kind] > MAJORITY) | cells
    return every[kept], own[kept]


def _line_units(page: Page, rows: Ints, units: Ints) -> Ints:
    """The nearest unit at or above each row, where both flow in one line; else -1."""
    marked = np.zeros(len(page), np.bool_)
    marked[units] = True
    unit = nearest(page.parent, marked)[rows]
    block = nearest(page.parent, page.is_tag(*BLOCK))
    return np.where((unit >= 0) & (block[rows] == block[unit]), unit, -1)


def _holders(page: Page, units: Ints, judgement: Judgement | None) -> Ints:
    """The element of its record for each unit that is content.

    Cells, lines and tables of one list cover the same texts. A record is the innermost element
    of a good group whose members hold several fields, or the outer one that most often holds
    one such element only; else that of the best group.
    """
    if judgement is None:
        return units
    groups, scores = judgement.groups, judgement.scores
    content = np.zeros(len(page))
    content[units] = 1
    fields = page.sum_subtree(content)[groups.rows]
    held = np.bincount(groups.group, fields, groups.count)
    some = np.bincount(groups.group, fields > 0, groups.count)
    good = (
        (held >= MIN_MEAN_FIELDS * some)
        & (some > 1)
        & (scores >= GOOD_SCORE_SHARE * scores.max(initial=0))
    )
    marked = np.zeros(len(page), np.bool_)
    marked[groups.rows[good[groups.group]]] = True
    inner = _climb(page, nearest(page.parent, marked)[units], marked)
    best = judgement.record[np.searchsorted(judgement.sheet.units, units)]
    return np.where(inner >= 0, inner, np.where(best >= 0, best, units))


def _climb(page: Page, holder: Ints, marked: Mask) -> Ints:
    """The holders, each moved up to the next marked row while most of its kind stand alone there.

    A list of a card's attributes looks like a record, but it is a part of the card.
    """
    by_name, by_tag = (
        path_signatures(page, row_signatures(page, classes=each)) for each in (True, False)
    )
    above = np.append(nearest(page.parent, marked)[page.parent], -1)
    above[:-1][page.parent < 0] = -1
    for _ in range(MAX_CLIMBS):
        rows = np.unique(holder[holder >= 0])
        rows = rows[above[rows] >= 0]
        signatures = _common_signatures(by_name[rows], by_tag[rows])
        pairs = np.stack([above[rows].astype(np.uint64), signatures])
        _, pair, count = np.unique(pairs, axis=1, return_inverse=True, return_counts=True)
        _, kind = np.unique(signatures, return_inverse=True)
        alone = np.bincount(kind, count[pair] == 1) / np.maximum(np.bincount(kind), 1)
        moving = rows[alone[kind] > MAJORITY]
        if not len(moving):
            break
        up = np.arange(len(page) + 1)
        up[moving], up[-1] = above[moving], -1
        holder = up[holder]
    return holder


def _common_signatures(signatures: Hashes, others: Hashes) -> Hashes:
    """Signatures that several rows have; the other signature for unique ones."""
    _, kind, count = np.unique(signatures, return_inverse=True, return_counts=True)
    return np.where(count[kind] > 1, signatures, others)


def _positions(records: Sequence[int], signatures: Hashes) -> list[int]:
    """A position for each piece: the same for the n-th piece of a path in every record."""
    counted: dict[tuple[int, int], int] = {}
    orders: dict[tuple[int, int], list[float]] = {}
    keys, begun = [], dict[int, int]()
    for row, signature in zip(records, signatures.tolist(), strict=True):
        counted[row, signature] = counted.get((row, signature), 0) + 1
        begun[row] = begun.get(row, 0) + 1
        key = (signature, counted[row, signature])
        keys.append(key)
        orders.setdefault(key, []).append(begun[row])
    order = sorted(orders, key=lambda key: sum(orders[key]) / len(orders[key]))
    place = {key: at for at, key in enumerate(order, 1)}
    return [place[key] for key in keys]


def direct_text(page: Page, row: int) -> str:
    """The texts that are children of a row, white space collapsed."""
    return " ".join(" ".join(page.text(text).split()) for text in _direct(page, row))


def _direct(page: Page, row: int) -> list[int]:
    inner = slice(row, int(page.end[row]))
    own = (page.tag[inner] == TEXT) & page.counted[inner] & (page.parent[inner] == row)
    rows: list[int] = (np.flatnonzero(own) + row).tolist()
    return rows


def whole_texts(page: Page, units: Ints) -> list[list[int]]:
    """Text rows of each unit: its own, and those below it that flow in the same line.

    An emphasised word in a title is no field by itself, but the title would not be whole without
    it. A text belongs to the nearest unit above it.
    """
    texts = readable_texts(page)
    unit = _line_units(page, texts, units)
    texts, unit = texts[unit >= 0], unit[unit >= 0]
    place = np.searchsorted(units, unit)
    rows: list[list[int]] = [[] for _ in units]
    for at, text in zip(place.tolist(), texts.tolist(), strict=True):
        rows[at].append(text)
    return rows


def records_html(page: Page, records: Iterable[ResultRecord]) -> str:
    """The page reduced to the texts of its records and the elements above them."""
    return page_of_rows(page, sorted(row for record in records for row in record.texts))
