"""The default way to detect noise: find the records, then classify each element with text.

The model of both steps is one file of arrays.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from importlib.resources import files as package_files
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from pagelet.arrays import Floats, Hashes, Ints
from pagelet.errors import OptionError
from pagelet.methods.noise.best_records import best_records
from pagelet.methods.noise.features import unit_features
from pagelet.methods.noise.groups import (
    Groups,
    PageMeasures,
    columns_for_query,
    group_features,
    page_columns,
)
from pagelet.methods.noise.sheet import TextSheet
from pagelet.methods.noise.unchanged import find_unchanged
from pagelet.models.features import FeatureTable
from pagelet.models.lexicon import Lexicon
from pagelet.models.trees import NO_FILES, SHIPPED, Trees, npz_bytes, open_model
from pagelet.page.query import NO_QUERY, Query, url_query
from pagelet.page.signatures import MULTIPLIER, mix
from pagelet.page.table import Page

VERSION = 1  #: version of the file; a model of another version is refused
MAX_SITE_PAGES = 4  #: other pages of the site that are read
PARTS = ("groups", "units")  #: the two ensembles


@dataclass(frozen=True, slots=True, eq=False)
class NoiseModel:
    """Weights of names and words, and the trees that find records and classify units."""

    names: Lexicon  #: words of class and id
    words: Mapping[str, float]  #: weights of words of texts
    groups: Trees  #: how well a group of alike elements covers the records
    units: Trees  #: log-odds that a unit is content
    memory: Mapping[int, tuple[float, float]] = field(default_factory=dict)  #: memory of a site

    def to_bytes(self) -> bytes:
        """The file of this model."""
        arrays: dict[str, NDArray[Any]] = {
            "names": self.names.weights.astype(np.float32),
            "words": np.array(list(self.words.values()), np.float32),
            "memory_keys": np.array(list(self.memory), np.uint64),
            "memory_counts": np.array(list(self.memory.values()), np.float32).reshape(-1, 2),
        }
        head: dict[str, Any] = {"version": VERSION}
        head |= {"names": self.names.words, "words": list(self.words)}
        for part in PARTS:
            trees: Trees = getattr(self, part)
            head[part] = {"depth": trees.depth, "names": trees.names}
            arrays |= {name: _single(a) for name, a in trees.to_arrays(f"{part}_").items()}
        return npz_bytes(head, arrays)


def _single(array: NDArray[Any]) -> NDArray[Any]:
    """An array with floating-point numbers in single precision."""
    return array.astype(np.float32) if array.dtype.kind == "f" else array


@lru_cache(maxsize=8)
def read_noise_model(data: bytes, name: str) -> NoiseModel:
    """Read a model from the bytes of an npz file."""
    with open_model(data, name, "noise model") as (head, arrays):
        if head["version"] != VERSION:
            raise ValueError(f"version {head['version']}, this pagelet reads {VERSION}")
        parts = {part: Trees.of_arrays(head[part], arrays, f"{part}_") for part in PARTS}
        names = Lexicon(tuple(head["names"]), arrays["names"].astype(np.float64))
        words = dict(zip(head["words"], arrays["words"].tolist(), strict=True))
        counts = map(tuple, arrays["memory_counts"].astype(np.float64).tolist())
        if names.weights.shape[1:] != (1,) or arrays["memory_counts"].shape[1:] != (2,):
            raise ValueError("its weights do not fit its words")
        memory = dict(zip(arrays["memory_keys"].tolist(), counts, strict=True))
        return NoiseModel(names, words, **parts, memory=memory)


def noise_model(name: str = SHIPPED, files: Mapping[str, bytes] = NO_FILES) -> NoiseModel:
    """The shipped model, or one that `pagelet train noise` wrote."""
    return shipped_model() if name == SHIPPED else read_noise_model(files[name], name)


@cache
def shipped_model() -> NoiseModel:
    """The model that comes with pagelet."""
    own = package_files("pagelet.methods.noise") / "noise.npz"
    return read_noise_model(own.read_bytes(), SHIPPED)


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
    pages: int = 1  #: pages of the site that were judged together

    @cached_property
    def record(self) -> Ints:
        """For each unit the element of the best group above it; -1 without any."""
        return best_records(self.sheet.page, self.sheet.units, self.groups, self.scores).record


def page_query(query: Query, page: Page, *, url: bool) -> Query:
    """The query, and with `url` the words of the page's own query string too."""
    return query | url_query(page.url) if url else query


def judge_site(
    sheet: TextSheet, others: Sequence[Page], model: NoiseModel, query: Query
) -> Judgement:
    """Classify all units with what other pages of the site, of other queries, say of them."""
    own = judge(sheet, model, query)
    sheets = [TextSheet(page) for page in others[:MAX_SITE_PAGES]]
    sheets = [other for other in sheets if len(other.units) > 1]
    if not sheets:
        return own
    return pool_site(own, [judge(other, model, url_query(other.page.url)) for other in sheets])


def pool_site(own: Judgement, others: Sequence[Judgement]) -> Judgement:
    """The answers for a page, corrected by those for all pages of its site.

    What is said of each kind of unit on any page is remembered as labels would be.
    """
    pages = [own, *others]
    hidden = own.sheet.veiled | find_unchanged(own.sheet, [each.sheet for each in others])
    keys = [unit_keys(each.sheet) for each in pages]
    texts = [each.sheet.per_unit(np.ones(len(each.sheet.rows))) for each in pages]

    def pooled(likely: Sequence[Floats]) -> Floats:
        said = [each * count for each, count in zip(likely, texts, strict=True)]
        memory = build_memory(zip(keys, said, texts, strict=True))
        return np.where(hidden, 0.0, apply_memory(memory, keys[0], likely[0]))

    return replace(
        own,
        probability=pooled([each.probability for each in pages]),
        without_query=pooled([each.without_query for each in pages]),
        pages=len(pages),
    )


def judge(sheet: TextSheet, model: NoiseModel, query: Query) -> Judgement:
    """Classify all units; with a query, by the mean of the answers with it and without it.

    A query misleads on some pages, as where its words are those of the menu; the mean loses
    less there. Where the page's own inputs repeat the query, both answers are the same.
    """
    lexicon = sheet.lexicon_columns(model.names, model.words)
    measures = PageMeasures.of(sheet, page_columns(sheet, NO_QUERY, lexicon))
    without = _judge_units(measures, model, NO_QUERY)
    if not query.words:
        return without
    changed = columns_for_query(sheet, measures.columns, query)
    if changed is measures.columns:
        return replace(without, query=query)
    with_query = _judge_units(measures.with_columns(changed), model, query)
    mean = (with_query.probability + without.probability) / 2
    return replace(with_query, probability=mean, without_query=without.probability)


def _judge_units(measures: PageMeasures, model: NoiseModel, query: Query) -> Judgement:
    """Score the groups, and classify the units by them."""
    sheet, groups = measures.sheet, measures.groups
    group_table = group_features(measures)
    scores = model.groups.predict_lines(group_table.lines)
    features = unit_features(measures, scores)
    if (group_table.names, features.names) != (model.groups.names, model.units.names):
        raise OptionError("model", "of noise", "made for other features; train it anew")
    likely = 1 / (1 + np.exp(-model.units.predict_lines(features.lines)))
    if model.memory:
        likely = apply_memory(model.memory, unit_keys(sheet), likely)
    likely = np.where(sheet.veiled, 0.0, likely)
    return Judgement(sheet, model, query, groups, scores, features, likely, likely)
