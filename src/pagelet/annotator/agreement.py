"""Agreement of two annotators on a page: kappa over rows, adjusted Rand index for segments."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from pagelet.arrays import Ints, Mask
from pagelet.labels import own_rows
from pagelet.page.table import Page
from pagelet.page.tree import nearest

Marks = Mapping[str, Sequence[Sequence[int]]]  #: top rows of each mark, by kind

SEGMENT, TEMPLATE, SLOT = "segment", "template", "slot"


def shared_kinds(one: Iterable[str], other: Iterable[str]) -> set[str]:
    """The kinds that both annotators looked for; slots count as template."""
    first, second = (
        {TEMPLATE if kind == SLOT else kind for kind in kinds} for kinds in (one, other)
    )
    return first & second


def agreement(page: Page, one: Marks, other: Marks, kinds: Iterable[str]) -> dict[str, float]:
    """Agreement by kind; template and slots are complements, and count as `template`."""
    figures = {}
    for kind in sorted(kinds):
        if kind == SEGMENT:
            numbers = (segment_numbers(page, marks.get(kind, ())) for marks in (one, other))
            figures[kind] = rand_index(*(each[page.counted] for each in numbers))
        else:
            masks = (_mask(page, marks, kind) for marks in (one, other))
            figures[kind] = kappa(*(mask[page.counted] for mask in masks))
    return figures


def _mask(page: Page, marks: Marks, kind: str) -> Mask:
    if kind == TEMPLATE:
        template, slots = _rows(marks.get(TEMPLATE, ())), _rows(marks.get(SLOT, ()))
        return own_rows(page, template, slots)
    return page.inside(np.array(_rows(marks.get(kind, ())), np.int32))


def _rows(marks: Sequence[Sequence[int]]) -> list[int]:
    return [row for rows in marks for row in rows]


def kappa(one: Mask, other: Mask) -> float:
    """Cohen's kappa of two binary labellings.

        kappa = (P - E) / (1 - E)

    P: share of rows with the same label; E: the share expected by chance. Kappa is 1 if both give
    all rows the same label.
    """
    if not len(one):
        return 1.0
    P = float((one == other).mean())
    first, second = float(one.mean()), float(other.mean())
    E = first * second + (1 - first) * (1 - second)
    return (P - E) / (1 - E) if E < 1 else 1.0


def segment_numbers(page: Page, segments: Sequence[Sequence[int]]) -> Ints:
    """The number of the segment that each row lies in; -1 for none."""
    number = np.full(len(page) + 1, -1, np.intp)  # the last entry stands for no mark
    for at, rows in enumerate(segments):
        number[list(rows)] = at
    return np.asarray(number[nearest(page.parent, number[:-1] >= 0)])


def rand_index(one: Ints, other: Ints) -> float:
    """Adjusted Rand index over rows that lie in a segment of both; 0 if there are none."""
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
