"""Fitting the page types: a softmax over words about pages."""

from collections.abc import Sequence

import numpy as np

from pagelet.models.pagetypes import TYPES, PageTypes
from pagelet.training.content_examples import Example, common_words
from pagelet.training.regression import Data, fit_softmax

PENALTY = 3e-3  #: of the squared weights
FEWEST_DOMAINS = 5  #: a word must be known from so many domains
OTHERS = 0.3  #: weight of corpora that have only some of the types


def fit_types(examples: Sequence[Example]) -> PageTypes:
    """Weights of words; every page is shown with its URL and without."""
    known = [each for each in examples if each.gold.page_type in TYPES]
    words = common_words(known, lambda each: each.said | each.said_without_url, FEWEST_DOMAINS)
    place = {word: at for at, word in enumerate(words)}
    rows, label, weight = [], [], []
    for each in known:
        for said in (each.said, each.said_without_url):
            rows.append(sorted(place[word] for word in said if word in place))
            label.append(TYPES.index(each.gold.page_type))
            weight.append(1.0 if each.gold.format == "wcxb" else OTHERS)
    data = Data.of(rows, len(words), np.array(label, np.float64))
    weights, bias = fit_softmax(data, len(TYPES), np.array(weight), PENALTY)
    stored = (each.astype(np.float32).astype(np.float64) for each in (weights, bias))
    return PageTypes(place, *stored)
