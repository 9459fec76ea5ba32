"""Fitting the content model: lexicon and page types first, then trees over all features.

The features that the trees learn from must look as they will at work, so the lexicon and the
page types that make them never saw the page: they are fitted once for each fold, without it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from pagelet.arrays import Floats, Singles
from pagelet.lab import Progress, Report, ignore_line, ignore_progress
from pagelet.lab.content.examples import ContentExample, vocabulary
from pagelet.lab.learners import (
    SparseData,
    boost,
    fit_logistic,
    fit_softmax,
    fit_without,
    lightgbm,
    trees_of,
)
from pagelet.methods.content.choice import PAGE_FEATURES, best_threshold, expected_f1
from pagelet.methods.content.model import TYPES, ContentModel, PageTypes
from pagelet.models.lexicon import Lexicon
from pagelet.models.trees import Trees

# -- the lexicon: logistic regressions over the words in classes and ids above blocks -----------


LEXICON_PENALTY = 2e-3  #: penalty of the squared weights
LEXICON_MIN_DOMAINS = 6  #: domains that must use a word
OTHER_TYPES_WEIGHT = 0.2  #: weight of pages of other types

#: Types of pages that share a set of weights; all others share the last.
TYPE_GROUPS: tuple[tuple[str, ...], ...] = (
    ("article", "documentation", "unknown"),
    ("forum",),
    (),
)


def type_group(page_type: str) -> int:
    """The place of the set of weights for pages of a type."""
    groups = (at for at, types in enumerate(TYPE_GROUPS) if page_type in types)
    return next(groups, len(TYPE_GROUPS) - 1)


def fit_lexicon(examples: Sequence[ContentExample]) -> Lexicon:
    """Weights of every word that enough domains use, one for each kind of page."""
    words = vocabulary(
        examples, lambda each: set(chain.from_iterable(each.paths)), LEXICON_MIN_DOMAINS
    )
    place = {word: at for at, word in enumerate(words)}
    rows: list[list[int]] = []
    label, weight, kinds = [], [], []
    for each in examples:
        total = np.bincount(each.path_of, each.weight, minlength=len(each.paths))
        right = np.bincount(each.path_of, each.weight * each.label, minlength=len(each.paths))
        rows += [[place[word] for word in path if word in place] for path in each.paths]
        label.append(right / np.maximum(total, 1e-9))
        weight.append(total / total.sum() * (PARTIAL_WEIGHT if each.is_partial else 1.0))
        kinds.append(np.full(len(total), type_group(each.gold.page_type)))
    data = SparseData.of(rows, len(words), np.concatenate(label))
    share, kind = np.concatenate(weight), np.concatenate(kinds)
    columns = [
        fit_logistic(data, share * np.where(kind == at, 1.0, OTHER_TYPES_WEIGHT), LEXICON_PENALTY)
        for at in range(len(TYPE_GROUPS))
    ]
    return Lexicon(tuple(words), np.stack(columns, axis=1).astype(np.float32).astype(np.float64))


def lexicon_features(example: ContentExample, lexicon: Lexicon) -> Singles:
    """The features that come from a lexicon, as content_features orders them."""
    place = {word: at for at, word in enumerate(lexicon.words)}
    places = [[place[word] for word in path if word in place] for path in example.paths]
    weights = np.array([lexicon.weights[each].sum(axis=0) for each in places])
    rows = []
    for path in weights[example.path_of].T:
        rows += [path, np.append(0.0, path[:-1]), np.append(path[1:], 0.0)]
    return np.array(rows, np.float32)


# -- the page types: a softmax over words about pages ------------------------------------------


TYPE_PENALTY = 3e-3  #: penalty of the squared weights
TYPE_MIN_DOMAINS = 5  #: domains that must use a word
PARTIAL_CORPUS_WEIGHT = 0.3  #: weight of corpora that have only some of the types


def fit_types(examples: Sequence[ContentExample]) -> PageTypes:
    """Weights of words; every page is learned with its URL and without."""
    typed = [each for each in examples if each.gold.page_type in TYPES]
    words = vocabulary(
        typed, lambda each: each.type_words | each.page_words_without_url, TYPE_MIN_DOMAINS
    )
    place = {word: at for at, word in enumerate(words)}
    rows, label, weight = [], [], []
    for each in typed:
        for about in (each.type_words, each.page_words_without_url):
            rows.append(sorted(place[word] for word in about if word in place))
            label.append(TYPES.index(each.gold.page_type))
            weight.append(1.0 if each.gold.format == "wcxb" else PARTIAL_CORPUS_WEIGHT)
    data = SparseData.of(rows, len(words), np.array(label, np.float64))
    weights, bias = fit_softmax(data, len(TYPES), np.array(weight), TYPE_PENALTY)
    stored = (each.astype(np.float32).astype(np.float64) for each in (weights, bias))
    return PageTypes(place, *stored)


# -- the trees ---------------------------------------------------------------------------------


SEED = 7
TREES = 120  #: trees of a model; where fits could stop earlier, they hardly did
PARTIAL_WEIGHT = 0.6  #: weight of a page of which only some blocks are labelled
MAX_PAGE_BLOCKS = 400  #: blocks of one page that are learned from
#: Shares of pages whose classes are hidden, whose classes mislead, the same for tags, and with
#: fields among their text.
DISGUISE_SHARES = (0.12, 0.12, 0.12, 0.04, 0.05)
FIELDS_NOISE = 3.0  #: standard deviation of the logarithm of how many fields there are
LEXICON_NOISE = 2.5  #: standard deviation of the shift of misleading classes
BOILERPLATE_TAGS = ("nav", "header", "footer", "aside")  #: tags of what is not content
PARAMETERS: dict[str, Any] = {
    "objective": "cross_entropy",
    "num_leaves": 31,
    "max_depth": 8,
    "learning_rate": 0.1,
    "min_data_in_leaf": 50,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "max_bin": 63,
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 2,
    "verbose": -1,
}

Pair = tuple[float, float]  #: expected F1 and F1 reached


@dataclass(frozen=True, slots=True, eq=False)
class TextModels:
    """A lexicon and page types that were fitted on the same pages."""

    lexicon: Lexicon
    types: PageTypes

    @classmethod
    def fit(cls, examples: Sequence[ContentExample]) -> "TextModels":
        """Fit both."""
        return cls(fit_lexicon(examples), fit_types(examples))

    def features(
        self, example: ContentExample, *, url: bool = True, bare: bool | None = None
    ) -> Singles:
        """All features of an example, one row per block; `bare` as its labels are by default."""
        about = example.type_words if url else example.page_words_without_url
        bare = example.gold.is_article_body if bare is None else bare
        whole = np.append(self.types.probabilities(about), float(bare))
        blocks = example.features.shape[1]
        return np.concatenate(
            (
                example.features,
                lexicon_features(example, self.lexicon),
                np.repeat(whole[:, None], blocks, axis=1).astype(np.float32),
            )
        ).T


def feature_names(example: ContentExample) -> tuple[str, ...]:
    """The names of all features in order."""
    lexicon = [
        f"lexicon{at}{side}" for at in range(len(TYPE_GROUPS)) for side in ("", "_before", "_after")
    ]
    return (*example.names, *lexicon, *PAGE_FEATURES)


@dataclass(frozen=True, slots=True, eq=False)
class TrainingTable:
    """Features, labels and weights of blocks."""

    features: Singles
    label: Floats
    weight: Floats


def fit_content(
    examples: Sequence[ContentExample],
    *,
    seed: int = SEED,
    calibrate: bool = True,
    report: Report = print,
) -> ContentModel:
    """Fit a model; its confidence is calibrated on folds it has not seen.

    That takes one fit per fold; without `calibrate`, the expected F1 counts as the F1 reached.
    """
    folds = sorted({each.fold for each in examples})
    texts = fit_without(examples, lambda each: each.fold, folds, TextModels.fit)
    report("lexicon and page types fitted")
    tables = {
        fold: _table([each for each in examples if each.fold == fold], texts[fold], seed)
        for fold in folds
    }
    names = feature_names(examples[0])
    trees = fit_trees(list(tables.values()), names, TREES, seed)
    report(f"{TREES} trees fitted")
    fitted = (names, TREES, seed)
    pairs = _reliability(examples, texts, tables, fitted) if calibrate else rising_means(())
    whole = TextModels.fit(examples)
    return ContentModel(whole.lexicon, whole.types, trees, *pairs)


def _table(examples: Sequence[ContentExample], texts: TextModels, seed: int) -> TrainingTable:
    """Blocks of pages: every page has the same weight, every block a weight by its words."""
    random = np.random.default_rng(seed)
    names = feature_names(examples[0]) if examples else ()
    features, label, weight = [], [], []
    for each in examples:
        some = np.flatnonzero(each.weight > 0)
        if len(some) > MAX_PAGE_BLOCKS:
            some = np.sort(random.choice(some, MAX_PAGE_BLOCKS, replace=False))
        url = bool(random.random() < 0.8)
        share = each.weight[some] / each.weight[some].sum()
        # snippets hold for both targets
        for bare in (False, True) if each.is_partial else (None,):
            table = texts.features(each, url=url, bare=bare)[some]
            features.append(_disguise(table, names, random))
            label.append(each.label[some])
            weight.append((1000 if bare is None else 500 * PARTIAL_WEIGHT) * share)
    return TrainingTable(np.concatenate(features), np.concatenate(label), np.concatenate(weight))


def _disguise(features: Singles, names: tuple[str, ...], random: np.random.Generator) -> Singles:
    """Hide classes or tags of some pages, or let them mislead.

    Most sites name things well; a model that never saw a bad name would trust every name.
    """
    place = {name: at for at, name in enumerate(names)}
    nameless, misnamed, tagless, misled, fielded = random.random(5) < DISGUISE_SHARES
    which = BOILERPLATE_TAGS[int(random.integers(len(BOILERPLATE_TAGS)))]
    shift = random.normal(0, LEXICON_NOISE)
    words = [place[name] for name in names if name.startswith("lexicon")]
    core = features[:, place["core50"]] > 0
    if nameless:
        features[:, words] = 0
    if misnamed:
        features[np.ix_(np.flatnonzero(core), np.array(words))] += shift
    if tagless:
        features[:, [place[f"in_{name}"] for name in (*BOILERPLATE_TAGS, "article", "main")]] = 0
    if misled:
        features[core, place[f"in_{which}"]] = 1
    if fielded:
        fields = [at for name, at in place.items() if name.endswith("_controls")]
        features[:, fields] += np.float32(np.exp(random.normal(0, FIELDS_NOISE)))
    return features


def fit_trees(
    tables: Sequence[TrainingTable], names: tuple[str, ...], rounds: int, seed: int
) -> Trees:
    """Fit boosted trees."""
    return trees_of(boost(PARAMETERS | {"seed": seed}, _dataset(tables), rounds), names)


def _dataset(tables: Sequence[TrainingTable]) -> Any:
    return lightgbm().Dataset(
        np.concatenate([table.features for table in tables]),
        np.concatenate([table.label for table in tables]),
        weight=np.concatenate([table.weight for table in tables]),
        params={"max_bin": PARAMETERS["max_bin"], "verbose": -1},
        free_raw_data=True,
    )


def _reliability(
    examples: Sequence[ContentExample],
    texts: dict[int, TextModels],
    tables: dict[int, TrainingTable],
    fitted: tuple[tuple[str, ...], int, int],
) -> tuple[Floats, Floats]:
    """Expected F1 and F1 reached on folds that were not seen, smoothed to rise."""
    pairs: list[Pair] = []
    for fold in tables if len(tables) > 1 else ():
        trees = fit_trees([tables[each] for each in tables if each != fold], *fitted)
        held = [each for each in examples if each.fold == fold and not each.is_partial]
        pairs += [expected_and_reached(each, trees, texts[fold]) for each in held]
    return rising_means(pairs)


def expected_and_reached(each: ContentExample, trees: Trees, texts: TextModels) -> Pair:
    """The F1 that a model expects for an example, and the F1 it reaches."""
    probability = 1 / (1 + np.exp(-trees.predict(texts.features(each))))
    words = each.words.astype(np.float64)
    kept = probability >= best_threshold(probability, words, 1.0)
    right, answered = (each.label * words)[kept].sum(), words[kept].sum()
    wanted = (each.label * words).sum()
    reached = 2 * right / max(answered + wanted, 1e-9)
    return expected_f1(probability, words, kept), float(reached)


def rising_means(pairs: Sequence[Pair], bins: int = 20) -> tuple[Floats, Floats]:
    """Means of bins of pairs by their first values, pooled until the second values rise."""
    if not pairs:
        return np.array([0.0, 1.0]), np.array([0.0, 1.0])
    ordered = np.array(sorted(pairs))
    pools = [[*part.mean(axis=0), len(part)] for part in np.array_split(ordered, bins) if len(part)]
    risen: list[list[float]] = []
    for pool in pools:
        risen.append(pool)
        while len(risen) > 1 and risen[-2][1] > risen[-1][1]:
            (x, y, n), (a, b, m) = risen.pop(), risen.pop()
            risen.append([(x * n + a * m) / (n + m), (y * n + b * m) / (n + m), n + m])
    means = np.array(risen)
    return np.maximum.accumulate(means[:, 0]), means[:, 1]


# -- models that never saw the pages they answer ----------------------------------------------


def unseen_models(
    examples: Sequence[ContentExample],
    folds: Iterable[int],
    progress: Progress = ignore_progress,
    *,
    seed: int = SEED,
) -> dict[int, ContentModel]:
    """For each fold, a model that saw no page of its domains in any corpus."""
    fit = partial(fit_content, seed=seed, calibrate=False, report=ignore_line)
    models = fit_without(examples, lambda each: each.fold, folds, fit, progress)
    return calibrate_models(models, examples)


def calibrate_models(
    models: Mapping[int, ContentModel], examples: Sequence[ContentExample]
) -> dict[int, ContentModel]:
    """The same models, each calibrated by the others on the folds they had not seen.

    That saves a fit per fold for every model, and none learns from pages it will answer.
    """
    pairs = {fold: _pairs(model, fold, examples) for fold, model in models.items()}
    calibrated = {}
    for fold, model in models.items():
        others = [pair for other, own in pairs.items() if other != fold for pair in own]
        expected, reached = rising_means(others)
        calibrated[fold] = replace(model, expected=expected, reached=reached)
    return calibrated


def _pairs(model: ContentModel, fold: int, examples: Sequence[ContentExample]) -> list[Pair]:
    """Expected F1 and F1 reached on the pages of the fold that a model has not seen."""
    texts = TextModels(model.lexicon, model.types)
    held = (each for each in examples if each.fold == fold and not each.is_partial)
    return [expected_and_reached(each, model.trees, texts) for each in held]
