"""Fitting the lexicon: logistic regressions over the words in classes and ids above blocks."""

from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from pagelet.models.lexicon import Lexicon
from pagelet.training.content_examples import Example, common_words
from pagelet.training.regression import Data, fit_logistic

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


def lexicon_features(example: Example, lexicon: Lexicon) -> NDArray[np.float32]:
    """The features that come from a lexicon, as content_features orders them."""
    place = {word: at for at, word in enumerate(lexicon.words)}
    known = [[place[word] for word in path if word in place] for path in example.paths]
    weights = np.array([lexicon.weights[each].sum(axis=0) for each in known])
    rows = []
    for path in weights[example.path_of].T:
        rows += [path, np.append(0.0, path[:-1]), np.append(path[1:], 0.0)]
    return np.array(rows, np.float32)
