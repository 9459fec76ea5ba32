"""The default way to tell noise: find the records, then judge each element with text."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pagelet.measures.query import NO_QUERY, Query
from pagelet.methods.noise_features import best_records, unit_features
from pagelet.methods.noise_groups import Columns, Groups, find_groups, subtree_sums
from pagelet.methods.noise_memory import keys_of, remembered
from pagelet.methods.noise_sheet import Sheet
from pagelet.models.noise import NoiseModel

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Judged:
    """What was found out about a page for one query."""

    sheet: Sheet
    model: NoiseModel
    query: Query
    groups: Groups
    scores: Floats  #: of the groups: how well each covers the records
    features: Floats  #: a line a unit
    probability: Floats  #: of each unit to be content
    without_query: Floats  #: the same had nothing been known of the query

    @cached_property
    def record(self) -> Ints:
        """For each unit the element of the best group above it; -1 without any."""
        return best_records(self.sheet.page, self.sheet.units, self.groups, self.scores).record

    def feature(self, name: str) -> Floats:
        """One feature of all units."""
        return np.asarray(self.features[:, self.model.units.names.index(name)])


def judge(sheet: Sheet, model: NoiseModel, query: Query) -> Judged:
    """Judge all units; with a query, by the mean of what is said with it and without it.

    A query misleads on some pages, as where its words are those of the menu; the mean loses
    less there.
    """
    known = sheet.columns | sheet.lexicon_columns(model.names, model.words)
    without = _judge(sheet, model, known, NO_QUERY)
    if not query.words:
        return without
    found = _judge(sheet, model, known, query)
    mean = (found.probability + without.probability) / 2
    return replace(found, probability=mean, without_query=without.probability)


def _judge(sheet: Sheet, model: NoiseModel, known: Columns, query: Query) -> Judged:
    """Find groups, score them, and judge the units by them."""
    columns = known | sheet.query_columns(query)
    sums = subtree_sums(sheet.page, columns)
    groups = find_groups(sheet, columns, sums)
    scores = model.groups.predict(groups.features)
    features, _ = unit_features(sheet, columns, sums, groups, scores)
    likely = 1 / (1 + np.exp(-model.units.predict(features)))
    if model.memory:
        likely = remembered(model.memory, keys_of(sheet), likely)
    return Judged(sheet, model, query, groups, scores, features, likely, likely)
