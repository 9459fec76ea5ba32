"""The default way to tell noise: find the records, then judge each element with text."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from zlib import crc32

import numpy as np

from pagelet.arrays import Floats, Hashes, Ints, Singles
from pagelet.errors import OptionError
from pagelet.methods.noise.features import Units, best_records
from pagelet.methods.noise.groups import ASKED, Columns, Groups, find_groups, subtree_sums
from pagelet.methods.noise.model import NoiseModel
from pagelet.methods.noise.sheet import Sheet
from pagelet.page.query import NO_QUERY, Query, url_query
from pagelet.page.signatures import MULTIPLIER, mix
from pagelet.page.table import Page

# -- What is remembered of a site: how often units of a kind were content on labelled pages ---


Keys = tuple[Hashes, ...]  #: for each kind the keys of all units
Memory = Mapping[int, tuple[float, float]]  #: texts that were content, and all, by key
Told = tuple[Keys, Floats, Floats]  #: a page: keys, texts that are content, all texts of the units

LENGTHS = (2, 9, 40)  #: characters at which texts begin to be of another kind
REPEATED = 2  #: a text that stands there more often is a phrase of the template
READ = 80  #: characters of a text that tell it from others
WORTH = (4.0, 2.0, 2.0, 2.0)  #: texts that the answer before is worth, for each kind


def keys_of(sheet: Sheet) -> Keys:
    """The keys of all units, the coarsest kind first."""
    names, tags = (signs[sheet.units] for signs in sheet.signs)
    often = sheet.often[0] > REPEATED
    finer = np.searchsorted(LENGTHS, sheet.length, side="right") * 2 + often + 1
    said = np.array([crc32(text[:READ].encode()) for text in sheet.unit_texts], np.uint64)
    fine, exact = mix(names + finer.astype(np.uint64)), mix(names + said * MULTIPLIER)
    return mix(tags + MULTIPLIER), names, fine, exact


def remember(pages: Iterable[Told]) -> dict[int, tuple[float, float]]:
    """Memory of labelled pages."""
    found: dict[int, list[float]] = {}
    for keys, hits, texts in pages:
        for kind in keys:
            for key, hit, count in zip(kind.tolist(), hits.tolist(), texts.tolist(), strict=True):
                known = found.setdefault(key, [0.0, 0.0])
                known[0] += hit
                known[1] += count
    return {key: (hit, count) for key, (hit, count) in found.items()}


def remembered(memory: Memory, keys: Keys, likely: Floats) -> Floats:
    """Probabilities after what is remembered of each kind."""
    for kind, worth in zip(keys, WORTH, strict=True):
        known = np.array([memory.get(key, (0.0, 0.0)) for key in kind.tolist()]).reshape(-1, 2)
        likely = (known[:, 0] + worth * likely) / (known[:, 1] + worth)
    return likely


# -- The default way to tell noise: find the records, then judge each element with text -------


@dataclass(frozen=True, eq=False)
class Judged:
    """What was found out about a page for one query."""

    sheet: Sheet
    model: NoiseModel
    query: Query
    groups: Groups
    scores: Floats  #: of the groups: how well each covers the records
    features: Singles  #: a line a unit
    probability: Floats  #: of each unit to be content
    without_query: Floats  #: the same had nothing been known of the query

    @cached_property
    def record(self) -> Ints:
        """For each unit the element of the best group above it; -1 without any."""
        return best_records(self.sheet.page, self.sheet.units, self.groups, self.scores).record

    def feature(self, name: str) -> Singles:
        """One feature of all units; no copy, as reasons ask for it unit by unit."""
        return self.features[:, self.model.units.names.index(name)]


def page_query(query: Query, page: Page, *, url: bool) -> Query:
    """The query, and with `url` the words of the page's own query string too."""
    return query | url_query(page.url) if url else query


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
