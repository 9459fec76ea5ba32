"""Columns of a table of records: the same place in the records' trees is the same column.

A place that a record has several times is a list, unless every record has it equally often: then
each is a column. Places that differ in class names alone, and never meet in a record, are one.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import Any

from pagelet.metadata.dates import Order, day_order
from pagelet.methods.records.fields import RecordField
from pagelet.methods.records.values import Value, read_value

MAX_POSITIONS = 8  #: fields at one place that are columns of their own, not a list
MOST = 0.7  #: share of a column's texts with values from which on it is a column of such values
RARE_SHARE = 0.2  #: share of records below which a place is rare
MIN_RARE_PLACES = 3  #: rare places of one path of tags that are one list
MIN_ALIGNED_RECORDS = 2  #: records that are needed to tell a list from columns

Place = tuple[int, ...]  #: hash of a place, and what distinguishes fields there


@dataclass(slots=True, eq=False)
class Column:
    """One column: the fields of all records at one place."""

    places: set[Place]
    fields: dict[int, list[RecordField]]  #: by record
    label: str = ""
    name: str = ""
    kind: str = "text"  #: link, image, price, date, rating, number or text
    value_kind: str = ""  #: kind of the values that its texts stand for
    order: Order = ""  #: how dates such as 5/6/2024 are read

    repeated: bool = False  #: whether a record has several fields here
    parts: tuple[str, ...] = ("text",)  #: of text, href, src and value those that fields have

    @property
    def first(self) -> RecordField:
        """The first field."""
        return next(iter(self.fields.values()))[0]

    def every(self) -> list[RecordField]:
        """All its fields."""
        return [each for fields in self.fields.values() for each in fields]

    def values(self, record: int) -> list[Value | None]:
        """What the texts of one record stand for."""
        return [self.value(each) for each in self.fields.get(record, ())]

    def value(self, each: RecordField) -> Value | None:
        """What a text stands for, where its kind is that of the column."""
        found = read_value(each.bare, self.order) if self.value_kind else None
        if found and found.kind == self.value_kind:
            return found
        return Value("text", each.bare) if each.bare != each.text else None


def align_fields(fields: Sequence[RecordField], count: int) -> list[Column]:
    """The columns of all fields, in the order of the records' own fields."""
    placed = _place_fields(fields)
    columns: list[Column] = []
    for place, held in placed.items():
        columns.append(Column({place}, held, next(iter(held.values()))[0].label))
    columns = _merge_constants(_merge_rare(columns, count))
    columns = _merge_variants(columns)
    for column in columns:
        set_kind(column)
    return _in_order(columns)


def _place_fields(fields: Sequence[RecordField]) -> dict[Place, dict[int, list[RecordField]]]:
    """Fields by place and record."""
    at: dict[int, dict[int, list[RecordField]]] = defaultdict(lambda: defaultdict(list))
    for each in fields:
        at[each.place][each.record].append(each)
    return {key: by for place, held in at.items() for key, by in _divide(place, held).items()}


def _divide(
    place: int, held: Mapping[int, list[RecordField]]
) -> dict[Place, dict[int, list[RecordField]]]:
    """The fields of one place: one list, or by position, or by what they are."""
    counts = Counter(len(fields) for fields in held.values())
    if max(counts) == 1:
        return {(place,): dict(held)}
    equal = len(counts) == 1 and len(held) >= MIN_ALIGNED_RECORDS
    if equal and max(counts) <= MAX_POSITIONS and not _is_list(held):
        return _by_key(place, held, lambda at, _: at)
    kinds = _by_key(place, held, lambda _, each: -1 - _kind_number(each))
    single = sum(all(len(fields) == 1 for fields in by.values()) for by in kinds.values())
    return kinds if len(kinds) > 1 and single == len(kinds) else {(place,): dict(held)}


def place_keys(fields: Sequence[RecordField]) -> list[tuple[Place, ...]]:
    """The keys under which each of the fields at one place of a record may be in a column."""
    return [
        ((each.place,), (each.place, at), (each.place, -1 - _kind_number(each)))
        for at, each in enumerate(fields)
    ]


def _is_list(held: Mapping[int, list[RecordField]]) -> bool:
    """Whether the fields at one place are links or pictures of one list, such as tags."""
    return all(each.kind != "text" for fields in held.values() for each in fields) and not any(
        one.heading for fields in held.values() for one in fields
    )


def _by_key(
    place: int, held: Mapping[int, list[RecordField]], key: Any
) -> dict[Place, dict[int, list[RecordField]]]:
    parts: dict[Place, dict[int, list[RecordField]]] = {}
    for record, fields in held.items():
        for at, each in enumerate(fields):
            parts.setdefault((place, key(at, each)), {}).setdefault(record, []).append(each)
    return parts


def _kind_number(each: RecordField) -> int:
    value = read_value(each.bare)
    kind = each.kind if each.kind != "text" else value.kind if value else "text"
    return ("text", "link", "image", "price", "date", "rating", "number").index(kind)


def _merge_rare(columns: list[Column], count: int) -> list[Column]:
    """Join places that few records have each and that differ in class names alone."""
    rare: dict[tuple[Any, ...], list[Column]] = defaultdict(list)
    for column in columns:
        if count >= 5 and len(column.fields) < RARE_SHARE * count:
            first = column.first
            names = "" if first.kind == "link" else first.names
            rare[first.tags, column.label.casefold(), first.kind, names].append(column)
    dropped = set()
    for group in rare.values():
        if len(group) >= MIN_RARE_PLACES:
            for other in group[1:]:
                _join(group[0], other)
                dropped.add(id(other))
    return [column for column in columns if id(column) not in dropped]


def _merge_constants(columns: list[Column]) -> list[Column]:
    """Join links of one path of tags that always say the same, as tags of an item do."""
    constant: dict[tuple[int, str], list[Column]] = defaultdict(list)
    for column in columns:
        first = column.first
        if first.kind == "link" and all(each.text == first.text for each in column.every()):
            constant[first.tags, column.label.casefold()].append(column)
    dropped = set()
    for group in constant.values():
        if max(len(column.fields) for column in group) > 1:
            for other in group[1:]:
                _join(group[0], other)
                dropped.add(id(other))
    return [column for column in columns if id(column) not in dropped]


def _merge_variants(columns: list[Column]) -> list[Column]:
    """Join places that differ in class names alone and that no record has both of."""
    kept: list[Column] = []
    by_tags: dict[tuple[Any, ...], list[Column]] = defaultdict(list)
    for column in sorted(columns, key=lambda each: -len(each.fields)):
        key = (column.first.tags, column.label.casefold(), column.first.kind, column.first.names,
               _kind_number(column.first), *min(column.places)[1:])  # fmt: skip
        target = next(
            (c for c in by_tags[key][:MAX_POSITIONS] if c.fields.keys().isdisjoint(column.fields)),
            None,
        )
        if target is None:
            by_tags[key].append(column)
            kept.append(column)
        else:
            _join(target, column)
    return kept


def _join(column: Column, other: Column) -> None:
    column.places |= other.places
    for record, fields in other.fields.items():
        column.fields[record] = sorted(
            [*column.fields.get(record, []), *fields], key=lambda each: each.at
        )


def set_kind(column: Column) -> None:
    """Decide what the column holds: links, pictures, or values of one kind."""
    every = column.every()
    column.repeated = len(every) > len(column.fields)
    texts = [each.bare for each in every if each.bare]
    column.order = day_order(texts)
    kinds = Counter(found.kind for text in texts if (found := read_value(text, column.order)))
    if kinds and kinds.most_common(1)[0][1] >= MOST * len(texts):
        column.value_kind = kinds.most_common(1)[0][0]
    if all(each.src for each in every):
        column.kind = "image"
    elif sum(bool(each.href) for each in every) * 2 >= len(every):
        column.kind = "link"
    else:
        column.kind = column.value_kind or "text"
    valued = bool(column.value_kind) or any(each.bare != each.text for each in every)
    linked = [part for part in ("href", "src") if any(getattr(each, part) for each in every)]
    column.parts = ("text", *linked, *(["value"] if valued else []))


def _in_order(columns: Sequence[Column]) -> list[Column]:
    """Columns so that those of every record stand in document order, where they all agree."""
    before: dict[int, set[int]] = defaultdict(set)
    firsts: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for at, column in enumerate(columns):
        for record, fields in column.fields.items():
            firsts[record].append((fields[0].at, at))
    votes: Counter[tuple[int, int]] = Counter()
    rank: dict[int, list[float]] = defaultdict(list)
    for held in firsts.values():
        held.sort()
        for place, (_, at) in enumerate(held):
            rank[at].append(place / len(held))
        for (_, one), (_, other) in pairwise(held):
            votes[one, other] += 1
    for (one, other), count in votes.items():
        if count > votes[other, one]:
            before[other].add(one)
    return _sorted_by(columns, before, {at: sum(all_) / len(all_) for at, all_ in rank.items()})


def _sorted_by(
    columns: Sequence[Column], before: Mapping[int, set[int]], rank: Mapping[int, float]
) -> list[Column]:
    """Topological order; the lowest mean position first where nothing else decides."""
    after: dict[int, list[int]] = defaultdict(list)
    open_ = {at: len(before.get(at, ())) for at in range(len(columns))}
    for at, ones in before.items():
        for one in ones:
            after[one].append(at)
    ready = [(rank[at], at) for at, count in open_.items() if not count]
    heapify(ready)
    order: list[int] = []
    left = set(open_)
    while left:
        if not ready:  # a circle: the lowest mean position breaks it
            at = min(left, key=lambda each: rank[each])
            ready = [(rank[at], at)]
        _, at = heappop(ready)
        if at not in left:
            continue
        left.discard(at)
        order.append(at)
        for other in after[at]:
            open_[other] -= 1
            if not open_[other] and other in left:
                heappush(ready, (rank[other], other))
    return [columns[at] for at in order]
