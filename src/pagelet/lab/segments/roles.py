"""Roles of segments against the types that people gave their blocks.

The blocks themselves are the segments, so that nothing but the roles is scored. The types are
removed from the page before any method sees it.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from pagelet.lab.figures import Figures, Overlap
from pagelet.lab.segments.gold import SUB, TOP, DrawnExample
from pagelet.methods.segments.geometry.partition import Segments, segments_of
from pagelet.methods.segments.roles import find_segment_roles

#: Roles by the types of blocks that have one; lists of links may be menus or listings.
TYPE_ROLES = {
    "Header": "header", "Footer": "footer", "Menu": "navigation", "Content": "main",
    "Article": "main", "Sidebar": "side bar", "Ad": "advertisement", "Comments": "comments",
    "Searchbar": "form",
}  # fmt: skip
INNER_TYPES = ("Menu", "Sidebar", "Ad", "Comments", "Searchbar")  #: types that mean the same inside
COLUMNS = ("role", "blocks", "found", "precision", "recall", "F1", "by place F1")
NOTES = (
    "Segments are the blocks people marked. Their types, which no method sees, are the truth:"
    " Menu is navigation, Content and Article are main, Searchbar is a form; LinkList, Image, Logo,"
    " Title, Table, Video and Author have no role and are left out. Blocks within blocks count for"
    " menus, side bars, advertisements, comments and forms alone.",
    "by place: the first block is the header, the last the footer, the one with most text main.",
)

Pairs = list[tuple[str, str | None]]  #: the wanted role of each block, and the one that was found


def roles_table(name: str, examples: Sequence[DrawnExample]) -> Figures | None:
    """Precision and recall of each role; None where no block has a type."""
    found = [pair for each in examples for pair in _pairs(each, _own_roles)]
    placed = [pair for each in examples for pair in _pairs(each, _by_place)]
    if not found:
        return None
    roles = list(dict.fromkeys(TYPE_ROLES.values()))
    rows = [_row(role, found, placed) for role in roles]
    right, simple = (float(np.mean([one == other for one, other in each]))
                     for each in (found, placed))  # fmt: skip
    every = ("all", len(found), sum(role is not None for _, role in found), right, right, right)
    return Figures(f"roles of the blocks of {name}", COLUMNS, (*rows, (*every, simple)), NOTES)


def _row(role: str, found: Pairs, placed: Pairs) -> tuple[Any, ...]:
    wanted = sum(one == role for one, _ in found)
    overlap = _overlap(role, found)
    answers = sum(other == role for _, other in found)
    figures = (overlap.precision, overlap.recall, overlap.f1, _overlap(role, placed).f1)
    return (role, wanted, answers, *figures)


def _overlap(role: str, pairs: Pairs) -> Overlap:
    both = sum(one == other == role for one, other in pairs)
    answer, wanted = (sum(pair[at] == role for pair in pairs) for at in (1, 0))
    return Overlap.of_counts(both, answer, wanted)


def _pairs(
    example: DrawnExample, decide: Callable[[DrawnExample, Segments], list[str | None]]
) -> Iterator[tuple[str, str | None]]:
    """The blocks of a page with a type that has a role."""
    for level in (TOP, SUB):
        types = example.types.get(level, ())
        if not any(types):
            continue
        segments = segments_of(example.boxes, example.gold[level])
        roles = decide(example, segments)
        numbers = example.gold[level][[members[0] for members in _members(segments)]]
        for number, role in zip(numbers.tolist(), roles, strict=True):
            if types[number] in (TYPE_ROLES if level == TOP else INNER_TYPES):
                yield TYPE_ROLES[types[number]], role


def _members(segments: Segments) -> list[Any]:
    return [np.flatnonzero(segments.number == at) for at in range(len(segments))]


def _own_roles(example: DrawnExample, segments: Segments) -> list[str | None]:
    return find_segment_roles(example.page, segments)


def _by_place(example: DrawnExample, segments: Segments) -> list[str | None]:
    """The first segment is the header, the last the footer, the one with most text main."""
    roles: list[str | None] = [None] * len(segments)
    middle = segments.edges[:, 1] + segments.edges[:, 3]
    chars = [int(example.boxes.chars[members].sum()) for members in _members(segments)]
    for role, at in (
        ("footer", int(middle.argmax())),
        ("header", int(middle.argmin())),
        ("main", int(np.argmax(chars))),
    ):
        roles[at] = role
    return roles
