"""Fitting the content model: lexicon and page types first, then trees over all features.

What the trees learn from must look as it will at work, so the lexicon and the page types that
make their features never saw the page: they are fitted once for each fold, without it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from pagelet.arrays import Floats, Singles
from pagelet.lab.content.examples import Example, common_words
from pagelet.lab.learners import Data, fit_logistic, fit_softmax, lightgbm, trees_of
from pagelet.methods.content.choice import PAGE_FEATURES, best_threshold, expected_f1
from pagelet.methods.content.model import ContentModel
from pagelet.methods.content.page_type import TYPES, PageTypes
from pagelet.models.lexicon import Lexicon
from pagelet.models.trees import Trees

# -- Fitting the lexicon: logistic regressions over the words in classes and ids above blocks -


PENALTY = 2e-3  #: of the squared weights
FEWEST_DOMAINS = 6  #: a word must be known from so many domains
LEAST = 0.2  #: weight of pages of other types

#: Types of pages that share a set of weights; all others share the last.
KINDS: tuple[tuple[str, ...], ...] = (("article", "documentation"), ("forum",), ())


def kind_of(page_type: str) -> int:
    """The place of the set of weights that pages of a type have."""
    return next((at for at, types in enumerate(KINDS) if page_type in types), len(KINDS) - 1)


def fit_lexicon(examples: Sequence[Example]) -> Lexicon:
    """Weights of every word that enough domains use, one for each kind of page."""
    words = common_words(
        examples, lambda each: set(chain.from_iterable(each.paths)), FEWEST_DOMAINS
    )
    place = {word: at for at, word in enumerate(words)}
    rows: list[list[int]] = []
    label, weight, kinds = [], [], []
    for each in examples:
        counted = each.words + 0.5
        total = np.bincount(each.path_of, counted, minlength=len(each.paths))
        right = np.bincount(each.path_of, counted * each.label, minlength=len(each.paths))
        rows += [[place[word] for word in path if word in place] for path in each.paths]
        label.append(right / total)
        weight.append(total / total.sum())
        kinds.append(np.full(len(total), kind_of(each.gold.page_type)))
    data = Data.of(rows, len(words), np.concatenate(label))
    share, kind = np.concatenate(weight), np.concatenate(kinds)
    columns = [
        fit_logistic(data, share * np.where(kind == at, 1.0, LEAST), PENALTY)
        for at in range(len(KINDS))
    ]
    return Lexicon(tuple(words), np.stack(columns, axis=1).astype(np.float32).astype(np.float64))


def lexicon_features(example: Example, lexicon: Lexicon) -> Singles:
    """The features that come from a lexicon, as content_features orders them."""
    place = {word: at for at, word in enumerate(lexicon.words)}
    known = [[place[word] for word in path if word in place] for path in example.paths]
    weights = np.array([lexicon.weights[each].sum(axis=0) for each in known])
    rows = []
    for path in weights[example.path_of].T:
        rows += [path, np.append(0.0, path[:-1]), np.append(path[1:], 0.0)]
    return np.array(rows, np.float32)


# -- Fitting the page types: a softmax over words about pages ---------------------------------


TYPE_PENALTY = 3e-3  #: of the squared weights
TYPE_MIN_DOMAINS = 5  #: a word must be known from so many domains
OTHERS = 0.3  #: weight of corpora that have only some of the types


def fit_types(examples: Sequence[Example]) -> PageTypes:
    """Weights of words; every page is shown with its URL and without."""
    known = [each for each in examples if each.gold.page_type in TYPES]
    words = common_words(known, lambda each: each.said | each.said_without_url, TYPE_MIN_DOMAINS)
    place = {word: at for at, word in enumerate(words)}
    rows, label, weight = [], [], []
    for each in known:
        for said in (each.said, each.said_without_url):
            rows.append(sorted(place[word] for word in said if word in place))
            label.append(TYPES.index(each.gold.page_type))
            weight.append(1.0 if each.gold.format == "wcxb" else OTHERS)
    data = Data.of(rows, len(words), np.array(label, np.float64))
    weights, bias = fit_softmax(data, len(TYPES), np.array(weight), TYPE_PENALTY)
    stored = (each.astype(np.float32).astype(np.float64) for each in (weights, bias))
    return PageTypes(place, *stored)


# -- Fitting the content model: lexicon and page types first, then trees over all features ----


SEED = 7
ROUNDS = 120  #: most trees
MOST_BLOCKS = 400  #: blocks of one page that are learned from
#: Shares of pages without classes, with classes that mislead, the same of tags.
DISGUISED = (0.12, 0.12, 0.12, 0.04)
MISNAMED = 2.5  #: how far the lexicon is led astray
SEMANTIC = ("nav", "header", "footer", "aside")  #: tags that tell what is not content
PATIENCE = 12  #: rounds without gain after which fitting stops
SETTINGS: dict[str, Any] = {
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

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """A lexicon and page types that were fitted together."""

    lexicon: Lexicon
    types: PageTypes

    @classmethod
    def fit(cls, examples: Sequence[Example]) -> "Parts":
        """Fit both."""
        return cls(fit_lexicon(examples), fit_types(examples))

    def features(self, example: Example, *, url: bool = True) -> Singles:
        """All features of an example, one row a block."""
        said = example.said if url else example.said_without_url
        whole = np.append(self.types.probabilities(said), float(example.bare))
        blocks = example.features.shape[1]
        return np.concatenate(
            (
                example.features,
                lexicon_features(example, self.lexicon),
                np.repeat(whole[:, None], blocks, axis=1).astype(np.float32),
            )
        ).T


def feature_names(example: Example) -> tuple[str, ...]:
    """The names of all features in order."""
    lexicon = [
        f"lexicon{at}{side}" for at in range(len(KINDS)) for side in ("", "_before", "_after")
    ]
    return (*example.names, *lexicon, *PAGE_FEATURES)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """What trees are fitted on."""

    features: Singles
    label: Floats
    weight: Floats


def fit_content(
    examples: Sequence[Example], *, seed: int = SEED, calibrate: bool = True, say: Say = print
) -> ContentModel:
    """Fit a model; how sure its answers are is learned from folds it has not seen.

    That takes a fit a fold; without `calibrate`, what is expected is taken for what is reached.
    """
    folds = sorted({each.fold for each in examples})
    parts = {fold: Parts.fit([each for each in examples if each.fold != fold]) for fold in folds}
    say("lexicon and page types fitted")
    tables = {
        fold: _table([each for each in examples if each.fold == fold], parts[fold], seed)
        for fold in folds
    }
    names = feature_names(examples[0])
    rounds = _rounds(tables, folds, seed)
    say(f"{rounds} trees are enough")
    trees = fit_trees(list(tables.values()), names, rounds, seed)
    fitted = (names, rounds, seed)
    pairs = _reliability(examples, parts, tables, fitted) if calibrate else rising(())
    whole = Parts.fit(examples)
    return ContentModel(whole.lexicon, whole.types, trees, *pairs)


def _table(examples: Sequence[Example], parts: Parts, seed: int) -> Table:
    """Blocks of pages, each page as heavy as any other, each block by its words."""
    random = np.random.default_rng(seed)
    names = feature_names(examples[0]) if examples else ()
    features, label, weight = [], [], []
    for each in examples:
        blocks = len(each.words)
        some = np.arange(blocks)
        if blocks > MOST_BLOCKS:
            some = np.sort(random.choice(blocks, MOST_BLOCKS, replace=False))
        url = bool(random.random() < 0.8)
        heavy = each.words[some] + 0.5
        features.append(_disguised(parts.features(each, url=url)[some], names, random))
        label.append(each.label[some])
        weight.append(1000 * heavy / heavy.sum())
    return Table(np.concatenate(features), np.concatenate(label), np.concatenate(weight))


def _disguised(features: Singles, names: tuple[str, ...], random: np.random.Generator) -> Singles:
    """Some pages without what classes or tags say, or with classes or tags that mislead.

    Real sites name things well more often than not; a model that never saw a bad name trusts
    every name.
    """
    place = {name: at for at, name in enumerate(names)}
    nameless, misnamed, tagless, misled = random.random(4) < DISGUISED
    which = SEMANTIC[int(random.integers(len(SEMANTIC)))]
    shift = random.normal(0, MISNAMED)
    words = [place[name] for name in names if name.startswith("lexicon")]
    core = features[:, place["core50"]] > 0
    if nameless:
        features[:, words] = 0
    if misnamed:
        features[np.ix_(np.flatnonzero(core), np.array(words))] += shift
    if tagless:
        features[:, [place[f"in_{name}"] for name in (*SEMANTIC, "article", "main")]] = 0
    if misled:
        features[core, place[f"in_{which}"]] = 1
    return features


def fit_trees(tables: Sequence[Table], names: tuple[str, ...], rounds: int, seed: int) -> Trees:
    """Fit boosted trees."""
    settings = SETTINGS | {"seed": seed}
    booster = lightgbm().train(settings, _dataset(tables), rounds)
    return trees_of(booster.dump_model()["tree_info"], names)


def _dataset(tables: Sequence[Table], reference: Any = None) -> Any:
    return lightgbm().Dataset(
        np.concatenate([table.features for table in tables]),
        np.concatenate([table.label for table in tables]),
        weight=np.concatenate([table.weight for table in tables]),
        reference=reference,
        params={"max_bin": SETTINGS["max_bin"], "verbose": -1},
        free_raw_data=True,
    )


def _rounds(tables: dict[int, Table], folds: list[int], seed: int) -> int:
    """How many trees a fold that was held out asks for."""
    if len(folds) < 2:
        return ROUNDS
    held, *others = folds
    fitted = _dataset([tables[fold] for fold in others])
    booster = lightgbm().train(
        SETTINGS | {"seed": seed},
        fitted,
        ROUNDS,
        valid_sets=[_dataset([tables[held]], fitted)],
        callbacks=[lightgbm().early_stopping(PATIENCE, verbose=False)],
    )
    return int(booster.best_iteration)


def _reliability(
    examples: Sequence[Example],
    parts: dict[int, Parts],
    tables: dict[int, Table],
    fitted: tuple[tuple[str, ...], int, int],
) -> tuple[Floats, Floats]:
    """Expected F1 and the F1 that was reached, on folds that were not seen, smoothed to rise."""
    pairs: list[tuple[float, float]] = []
    for fold in tables if len(tables) > 1 else ():
        trees = fit_trees([tables[each] for each in tables if each != fold], *fitted)
        held = [each for each in examples if each.fold == fold]
        pairs += [expected_and_reached(each, trees, parts[fold]) for each in held]
    return rising(pairs)


def expected_and_reached(each: Example, trees: Trees, parts: Parts) -> tuple[float, float]:
    """The F1 that a model expects of its answer to an example, and the F1 it reaches."""
    probability = 1 / (1 + np.exp(-trees.predict(parts.features(each))))
    words = each.words.astype(np.float64)
    kept = probability >= best_threshold(probability, words, 1.0)
    right, said = (each.label * words)[kept].sum(), words[kept].sum()
    wanted = (each.label * words).sum()
    reached = 2 * right / max(said + wanted, 1e-9)
    return expected_f1(probability, words, kept), float(reached)


def rising(pairs: Sequence[tuple[float, float]], bins: int = 20) -> tuple[Floats, Floats]:
    """Means of bins of pairs by their first value, pooled until the second ones rise."""
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
    found = np.array(risen)
    return np.maximum.accumulate(found[:, 0]), found[:, 1]


Pair = tuple[float, float]


def unseen(
    examples: Sequence[Example],
    folds: Iterable[int],
    say: Callable[[str], None] = print,
    *,
    seed: int = SEED,
) -> dict[int, ContentModel]:
    """For each fold a model that saw no page of its domains, in whichever corpus they lie."""
    models = {}
    for fold in folds:
        say(f"fitting without fold {fold}")
        seen = [each for each in examples if each.fold != fold]
        models[fold] = fit_content(seen, seed=seed, calibrate=False, say=say)
    return calibrated(models, examples)


def calibrated(
    models: Mapping[int, ContentModel], examples: Sequence[Example]
) -> dict[int, ContentModel]:
    """The same models, each as sure as the others turned out on the folds they had not seen.

    That spares a fit a fold for every model, and no model learns it from pages it will answer.
    """
    pairs = {fold: _pairs(model, fold, examples) for fold, model in models.items()}
    made = {}
    for fold, model in models.items():
        others = [pair for other, found in pairs.items() if other != fold for pair in found]
        expected, reached = rising(others)
        made[fold] = replace(model, expected=expected, reached=reached)
    return made


def _pairs(model: ContentModel, fold: int, examples: Sequence[Example]) -> list[Pair]:
    """Expected F1 and the F1 reached on the pages of the fold that a model has not seen."""
    parts = Parts(model.lexicon, model.types)
    held = (each for each in examples if each.fold == fold)
    return [expected_and_reached(each, model.trees, parts) for each in held]
