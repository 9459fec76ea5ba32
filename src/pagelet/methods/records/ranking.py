"""Which candidates are the records: trees score every group, and the best ones are taken."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from pagelet.arrays import Floats, Ints, Mask
from pagelet.errors import OptionError
from pagelet.methods.records.candidates import RecordCandidates, find_candidates
from pagelet.methods.records.features import candidate_features
from pagelet.methods.records.kinds import RESULT, find_kinds
from pagelet.methods.records.members import find_like, select_members
from pagelet.methods.records.places import Span
from pagelet.models.trees import NO_FILES, SHIPPED, Trees, load_shipped, read_trees
from pagelet.page.table import Page
from pagelet.page.tags import NUMBER
from pagelet.page.tree import nearest

LIKE_SCORE_SHARE = 0.3  #: share of the best score from which on a group may hold more records
MAX_NEAR_GROUPS = 20  #: groups in which more records are looked for
MIN_TABLE_ROWS = 2  #: rows of a table with heads that are records, whatever its score
MIN_SCORE = 0.3  #: lowest score of a group that is taken for records
ASIDE_TAGS = tuple(NUMBER[name] for name in ("aside", "nav", "footer"))
ASIDE_SHARE = 0.5  #: what is left of a score beside the main part of the page


@dataclass(frozen=True, slots=True)
class LocatedRecord:
    """A record of a page."""

    span: Span
    group: int  #: number of the group it belongs to
    score: float  #: expected F1 of its group
    kind: str = RESULT  #: result or sponsored


def model_of(name: str = SHIPPED, files: Mapping[str, bytes] = NO_FILES) -> Trees:
    """The shipped model, or one that `pagelet train records` wrote."""
    return (
        load_shipped(__package__, "records") if name == SHIPPED else read_trees(files[name], name)
    )


def score_groups(candidates: RecordCandidates, model: Trees) -> Floats:
    """How well each group covers the records of the page, from 0 to 1."""
    features = candidate_features(candidates)
    if features.names != model.names:
        raise OptionError("model", "of records", "made for other features; train it anew")
    return np.clip(model.predict(features.rows), 0, 1)


def find_records(page: Page, model: Trees, min_score: float = MIN_SCORE) -> list[LocatedRecord]:
    """The records of a page in document order."""
    candidates = find_candidates(page)
    if not len(candidates.family):
        return []
    scores = score_groups(candidates, model) * _weights(candidates)
    best = int(np.argmax(scores))
    if scores[best] < min_score:
        best = find_data_table(candidates)
    return choose_members(candidates, best, scores) if best >= 0 else []


def _weights(candidates: RecordCandidates) -> Floats:
    """What is left of each score: a group in a side bar, menu or footer is hardly the records.

    The pages that the model was fitted on are too old for it to know these tags.
    """
    page = candidates.page
    aside = page.inside(page.is_tag(*ASIDE_TAGS))[candidates.start[candidates.first]]
    return np.where(aside, ASIDE_SHARE, 1.0)


def find_data_table(candidates: RecordCandidates) -> int:
    """The largest group of rows below the heads of their columns; -1 where there is none."""
    page, first = candidates.page, candidates.first
    heads = np.flatnonzero(_heads(page, np.arange(len(page))) & (page.children > 1))
    tables = nearest(page.parent, page.is_tag(NUMBER["table"]))
    rows = candidates.start[first]
    headed = (page.tag[rows] == NUMBER["tr"]) & np.isin(tables[rows], tables[heads])
    usable = headed & (candidates.count >= MIN_TABLE_ROWS)
    return int(np.argmax(candidates.count * usable)) if usable.any() else -1


def choose_members(candidates: RecordCandidates, group: int, scores: Floats) -> list[LocatedRecord]:
    """The records of the best group, and those like them elsewhere, in document order."""
    start, stop, pattern = select_members(candidates, group)
    parts = [(start, stop, group)]
    if pattern.usable:
        parts += find_like(
            candidates, _near_groups(candidates, group, scores), pattern, (start, stop)
        )
    found = []
    for start, stop, number in parts:
        kept = ~_heads(candidates.page, start)
        spans = zip(start[kept].tolist(), stop[kept].tolist(), strict=True)
        found += [LocatedRecord(Span(*span), number, float(scores[group])) for span in spans]
    found.sort(key=lambda record: record.span)
    kinds = find_kinds(candidates.page, [record.span for record in found])
    return [replace(record, kind=kind) for record, kind in zip(found, kinds, strict=True)]


def _near_groups(candidates: RecordCandidates, group: int, scores: Floats) -> Ints:
    """Groups that may hold more records: of siblings, or with a good score; the best first."""
    page = candidates.page
    parent = page.parent[candidates.start[candidates.first]]
    own = page.parent[candidates.start[candidates.members(group)]]
    beside = np.isin(parent, own)
    good = scores >= LIKE_SCORE_SHARE * scores[group]
    near = np.flatnonzero((beside | good) & (np.arange(len(scores)) != group))
    return near[np.argsort(-scores[near], kind="stable")][:MAX_NEAR_GROUPS]


def _heads(page: Page, rows: Ints) -> Mask:
    """Mark the rows of a table that hold the heads of its columns."""
    line = page.tag[rows] == NUMBER["tr"]
    heads = page.sum_children(page.is_tag(NUMBER["th"]))[rows]
    cells = page.sum_children(page.is_tag(NUMBER["td"]))[rows]
    inside = page.inside(page.is_tag(NUMBER["thead"], NUMBER["tfoot"]))[rows]
    return np.asarray(line & ((heads > 0) & (cells == 0) | inside))
