"""How well two people agree on one page: kappa over rows for kinds, adjusted Rand for segments."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from pagelet.arrays import Ints, Mask
from pagelet.labels import own_rows
from pagelet.page.table import Page
from pagelet.page.tree import nearest

Marks = Mapping[str, Sequence[Sequence[int]]]  #: by kind, the top rows of each mark

SEGMENT, TEMPLATE, SLOT = "segment", "template", "slot"


def shared(one: Iterable[str], other: Iterable[str]) -> set[str]:
    """The kinds that two people looked for; what is the page's own tells of its template."""
    first, second = (
        {TEMPLATE if kind == SLOT else kind for kind in kinds} for kinds in (one, other)
    )
    return first & second


def agreement(page: Page, one: Marks, other: Marks, kinds: Iterable[str]) -> dict[str, float]:
    """The figure for each kind, by name.

    Template and what is the page's own are two ways to say one thing, told as `template`.
    """
    found = {}
    for kind in sorted(kinds):
        if kind == SEGMENT:
            numbers = (segment_numbers(page, said.get(kind, ())) for said in (one, other))
            found[kind] = rand_index(*(each[page.counted] for each in numbers))
        else:
            masks = (_mask(page, said, kind) for said in (one, other))
            found[kind] = kappa(*(mask[page.counted] for mask in masks))
    return found


def _mask(page: Page, said: Marks, kind: str) -> Mask:
    if kind == TEMPLATE:
        template, slots = _rows(said.get(TEMPLATE, ())), _rows(said.get(SLOT, ()))
        return own_rows(page, template, slots)
    return page.inside(np.array(_rows(said.get(kind, ())), np.int32))


def _rows(marks: Sequence[Sequence[int]]) -> list[int]:
    return [row for rows in marks for row in rows]


def kappa(one: Mask, other: Mask) -> float:
    """Cohen's kappa of two yes-or-no answers.

        kappa = (P - E) / (1 - E)

    P: share of rows with the same answer; E: what chance would give. Where both always say the
    same one thing, kappa is 1.
    """
    if not len(one):
        return 1.0
    P = float((one == other).mean())
    first, second = float(one.mean()), float(other.mean())
    E = first * second + (1 - first) * (1 - second)
    return (P - E) / (1 - E) if E < 1 else 1.0


def segment_numbers(page: Page, segments: Sequence[Sequence[int]]) -> Ints:
    """The segment each row lies in, by number; -1 for none."""
    number = np.full(len(page) + 1, -1, np.intp)  # the last place stands for no mark
    for at, rows in enumerate(segments):
        number[list(rows)] = at
    return np.asarray(number[nearest(page.parent, number[:-1] >= 0)])


def rand_index(one: Ints, other: Ints) -> float:
    """Adjusted Rand index over what lies in a segment of both; 0 where there is none.

    The same as scores.segments.adjusted_rand, without a table of marks.
    """
    both = (one >= 0) & (other >= 0)
    if not both.any():
        return 0.0
    lines, columns = one[both], other[both]
    pairs = lines * (int(columns.max()) + 1) + columns
    S, A, B = (_pairs(np.unique(each, return_counts=True)[1]) for each in (pairs, lines, columns))
    total = len(lines) * (len(lines) - 1) / 2
    E = A * B / total if total else 0.0
    below = (A + B) / 2 - E
    return (S - E) / below if below > 1e-12 * (A + B) else 1.0


def _pairs(counts: Ints) -> float:
    return float((counts * (counts - 1) / 2).sum())
