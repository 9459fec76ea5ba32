"""The default way to tell noise: find the records, then judge each element with text."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pagelet.errors import OptionError
from pagelet.measures.query import NO_QUERY, Query
from pagelet.methods.noise_features import Units
from pagelet.methods.noise_groups import ASKED, Columns, Groups, find_groups, subtree_sums
from pagelet.methods.noise_memory import keys_of, remembered
from pagelet.methods.noise_scored import best_records
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
    features: NDArray[np.float32]  #: a line a unit
    probability: Floats  #: of each unit to be content
    without_query: Floats  #: the same had nothing been known of the query

    @cached_property
    def record(self) -> Ints:
        """For each unit the element of the best group above it; -1 without any."""
        return best_records(self.sheet.page, self.sheet.units, self.groups, self.scores).record

    def feature(self, name: str) -> NDArray[np.float32]:
        """One feature of all units; no copy, as reasons ask for it unit by unit."""
        return self.features[:, self.model.units.names.index(name)]


def judge(sheet: Sheet, model: NoiseModel, query: Query) -> Judged:
    """Judge all units; with a query, by the mean of what is said with it and without it.

    A query misleads on some pages, as where its words are those of the menu; the mean loses
    less there. Where the page says by itself what was asked, both say the same.
    """
    columns = sheet.columns | sheet.query_columns(NO_QUERY)
    columns |= sheet.lexicon_columns(model.names, model.words)
    sums = subtree_sums(sheet.page, columns)
    groups = find_groups(sheet, columns, sums)
    units = Units(sheet, columns, sums, groups)
    without = _judge(units, model, NO_QUERY, (columns, sums, groups))
    if not query.words:
        return without
    asked = sheet.query_columns(query)
    if all(np.array_equal(asked[name], columns[name]) for name in ASKED):
        return replace(without, query=query)
    columns = columns | asked
    sums = sums | subtree_sums(sheet.page, {name: asked[name] for name in ASKED})
    found = _judge(units, model, query, (columns, sums, groups.asked(columns, sums)))
    mean = (found.probability + without.probability) / 2
    return replace(found, probability=mean, without_query=without.probability)


def _judge(
    units: Units, model: NoiseModel, query: Query, known: tuple[Columns, Columns, Groups]
) -> Judged:
    """Score the groups, and judge the units by them."""
    sheet, groups = units.sheet, known[2]
    scores = model.groups.predict(groups.features)
    features, names = units.features(*known, scores)
    if (groups.names, names) != (model.groups.names, model.units.names):
        raise OptionError("model", "of noise", "made for other features; train it anew")
    likely = 1 / (1 + np.exp(-model.units.predict(features)))
    if model.memory:
        likely = remembered(model.memory, keys_of(sheet), likely)
    return Judged(sheet, model, query, groups, scores, features, likely, likely)
