"""The default way to detect noise: find the records, then classify each element with text."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from zlib import crc32

import numpy as np

from pagelet.arrays import Floats, Hashes, Ints
from pagelet.errors import OptionError
from pagelet.methods.noise.features import Units, best_records
from pagelet.methods.noise.groups import (
    QUERY_COLUMNS,
    Columns,
    Groups,
    find_groups,
    subtree_sums,
)
from pagelet.methods.noise.model import NoiseModel
from pagelet.methods.noise.sheet import TextSheet
from pagelet.models.features import FeatureTable
from pagelet.page.query import NO_QUERY, Query, url_query
from pagelet.page.signatures import MULTIPLIER, mix
from pagelet.page.table import Page

# Memory of a site: how often units of a kind were content on labelled pages

Keys = tuple[Hashes, ...]  #: for each kind the keys of all units
Memory = Mapping[int, tuple[float, float]]  #: texts that were content, and all texts, by key
#: A labelled page: keys of the units, texts of each that are content, all texts of each.
LabelledUnits = tuple[Keys, Floats, Floats]

LENGTH_STEPS = (2, 9, 40)  #: characters from which on a text is of the next kind
PHRASE_UNITS = 2  #: a text that more units than this share is a phrase of the template
KEY_CHARS = 80  #: characters that identify a text
PRIOR_TEXTS = (4.0, 2.0, 2.0, 2.0)  #: weight of the answer so far, in texts, for each kind


def unit_keys(sheet: TextSheet) -> Keys:
    """The keys of all units, the coarsest kind first."""
    names, tags = (each[sheet.units] for each in sheet.signatures)
    phrase = sheet.repetitions[0] > PHRASE_UNITS
    finer = np.searchsorted(LENGTH_STEPS, sheet.length, side="right") * 2 + phrase + 1
    text = np.array([crc32(text[:KEY_CHARS].encode()) for text in sheet.unit_texts], np.uint64)
    fine, exact = mix(names + finer.astype(np.uint64)), mix(names + text * MULTIPLIER)
    return mix(tags + MULTIPLIER), names, fine, exact


def build_memory(pages: Iterable[LabelledUnits]) -> dict[int, tuple[float, float]]:
    """The memory of labelled pages."""
    counts: dict[int, list[float]] = {}
    for keys, hits, texts in pages:
        for kind in keys:
            for key, hit, count in zip(kind.tolist(), hits.tolist(), texts.tolist(), strict=True):
                total = counts.setdefault(key, [0.0, 0.0])
                total[0] += hit
                total[1] += count
    return {key: (hit, count) for key, (hit, count) in counts.items()}


def apply_memory(memory: Memory, keys: Keys, likely: Floats) -> Floats:
    """Probabilities corrected by the memory of each kind."""
    for kind, prior in zip(keys, PRIOR_TEXTS, strict=True):
        counts = np.array([memory.get(key, (0.0, 0.0)) for key in kind.tolist()]).reshape(-1, 2)
        likely = (counts[:, 0] + prior * likely) / (counts[:, 1] + prior)
    return likely


# Records, then units


@dataclass(frozen=True, eq=False)
class Judgement:
    """The classification of a page's units for one query."""

    sheet: TextSheet
    model: NoiseModel
    query: Query
    groups: Groups
    scores: Floats  #: how well each group covers the records
    features: FeatureTable
    probability: Floats  #: probability of each unit to be content
    without_query: Floats  #: the same probability if there were no query

    @cached_property
    def record(self) -> Ints:
        """For each unit the element of the best group above it; -1 without any."""
        return best_records(self.sheet.page, self.sheet.units, self.groups, self.scores).record


def page_query(query: Query, page: Page, *, url: bool) -> Query:
    """The query, and with `url` the words of the page's own query string too."""
    return query | url_query(page.url) if url else query


def judge(sheet: TextSheet, model: NoiseModel, query: Query) -> Judgement:
    """Classify all units; with a query, by the mean of the answers with it and without it.

    A query misleads on some pages, as where its words are those of the menu; the mean loses
    less there. Where the page's own inputs repeat the query, both answers are the same.
    """
    columns = sheet.columns | sheet.query_columns(NO_QUERY)
    columns |= sheet.lexicon_columns(model.names, model.words)
    sums = subtree_sums(sheet.page, columns)
    groups = find_groups(sheet, columns, sums)
    units = Units(sheet, columns, sums, groups)
    without = _judge_units(units, model, NO_QUERY, (columns, sums, groups))
    if not query.words:
        return without
    changed = sheet.query_columns(query)
    if all(np.array_equal(changed[name], columns[name]) for name in QUERY_COLUMNS):
        return replace(without, query=query)
    columns = columns | changed
    sums = sums | subtree_sums(sheet.page, {name: changed[name] for name in QUERY_COLUMNS})
    with_query = _judge_units(units, model, query, (columns, sums, groups.for_query(columns, sums)))
    mean = (with_query.probability + without.probability) / 2
    return replace(with_query, probability=mean, without_query=without.probability)


def _judge_units(
    units: Units, model: NoiseModel, query: Query, basis: tuple[Columns, Columns, Groups]
) -> Judgement:
    """Score the groups, and classify the units by them; `basis` is columns, sums, groups."""
    sheet, groups = units.sheet, basis[2]
    scores = model.groups.predict(groups.features.rows)
    features = units.features(*basis, scores)
    if (groups.features.names, features.names) != (model.groups.names, model.units.names):
        raise OptionError("model", "of noise", "made for other features; train it anew")
    likely = 1 / (1 + np.exp(-model.units.predict(features.rows)))
    if model.memory:
        likely = apply_memory(model.memory, unit_keys(sheet), likely)
    return Judgement(sheet, model, query, groups, scores, features, likely, likely)
