"""Agreement of annotators: figures for each kind, and the marks on which they differ."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pagelet.annotator.kinds import RECORD, SEGMENT, SLOT, TEMPLATE, group_of
from pagelet.annotator.marks import Mark, MarkedRows, MarkKey, number_rows
from pagelet.arrays import Ints
from pagelet.labels import own_rows
from pagelet.page.table import Page

BLOCKS = (SEGMENT, RECORD)  #: kinds whose marks are compared as a partition of the page


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A mark that some annotators made and others, who looked for its kind, did not."""

    mark: Mark
    made_by: tuple[str, ...]
    missed_by: tuple[str, ...]
    kept: bool | None = None  #: what was decided; None if nothing was


def list_disagreements(
    annotations: Mapping[str, tuple[Sequence[Mark], Sequence[str]]],
    decisions: Mapping[MarkKey, bool],
) -> list[Disagreement]:
    """Marks on which annotators differ, given the marks and looked-for kinds of each by name."""
    own = {
        name: {mark.key: mark for mark in marks if mark.by_person}
        for name, (marks, _) in annotations.items()
    }
    looked = {
        name: {*kinds, *(group_of(kind) for kind, _ in own[name])}
        for name, (_, kinds) in annotations.items()
    }
    found = []
    for key, mark in {key: mark for marks in own.values() for key, mark in marks.items()}.items():
        made = tuple(name for name in own if key in own[name])
        missed = tuple(
            name for name in own if key not in own[name] and group_of(key[0]) in looked[name]
        )
        if missed:
            found.append(Disagreement(replace(mark, id=0), made, missed, decisions.get(key)))
    return found


# -- figures ----------------------------------------------------------------------------------


def shared_kinds(one: Iterable[str], other: Iterable[str]) -> set[str]:
    """The kinds that both annotators looked for, as groups."""
    return set(map(group_of, one)) & set(map(group_of, other))


def agreement(
    page: Page, one: MarkedRows, other: MarkedRows, groups: Iterable[str]
) -> dict[str, float]:
    """Agreement by group of kinds; template and slots are complements, and count as `template`."""
    figures = {}
    for group in sorted(groups):
        if group in BLOCKS:
            numbers = (number_rows(page, marks.get(group, ())) for marks in (one, other))
            figures[group] = rand_index(*(each[page.counted] for each in numbers))
        else:
            kinds = sorted(kind for kind in {*one, *other} if group_of(kind) == group)
            labels = (_label_rows(page, marks, group, kinds) for marks in (one, other))
            figures[group] = kappa(*(each[page.counted] for each in labels))
    return figures


def _label_rows(page: Page, marks: MarkedRows, group: str, kinds: Sequence[str]) -> Ints:
    """The number of each row's kind among those of a group; -1 for none."""
    if group == TEMPLATE:
        template, slots = _rows(marks.get(TEMPLATE, ())), _rows(marks.get(SLOT, ()))
        return own_rows(page, template, slots).astype(np.intp)
    return number_rows(page, [_rows(marks.get(kind, ())) for kind in kinds])


def _rows(marks: Sequence[Sequence[int]]) -> list[int]:
    return [row for rows in marks for row in rows]


def kappa(one: Ints, other: Ints) -> float:
    """Cohen's kappa of two labellings.

        kappa = (P - E) / (1 - E)

    P: share of rows with the same label; E: the share expected by chance. Kappa is 1 if both give
    all rows the same label.
    """
    if not len(one):
        return 1.0
    P = float((one == other).mean())
    labels = np.unique(np.concatenate((one, other)))
    E = sum(float((one == each).mean()) * float((other == each).mean()) for each in labels)
    return (P - E) / (1 - E) if E < 1 else 1.0


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
