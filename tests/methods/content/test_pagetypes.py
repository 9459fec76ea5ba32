"""Page types: a softmax worked by hand, and nothing that depends on the order of words."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.methods.content.page_type import TYPES, PageTypes

WORDS = ("forum", "post", "price", "cart")
MODEL = PageTypes(
    {word: at for at, word in enumerate(WORDS)},
    np.array([[2.0, -1.0], [0.1, 0.2], [-3.0, 1.0], [0.3, 0.7]]),
    np.array([0.5, 0.0]),
)


def by_hand(said):
    scores = list(MODEL.bias)
    for word in set(said) & set(WORDS):
        scores = [a + b for a, b in zip(scores, MODEL.weights[MODEL.words[word]], strict=True)]
    odds = [math.exp(score) for score in scores]
    return [each / sum(odds) for each in odds]


@given(st.lists(st.sampled_from((*WORDS, "unknown")), unique=True))
def test_probabilities_equal_the_formula(said):
    found = MODEL.probabilities(said)
    assert found.tolist() == pytest.approx(by_hand(said))
    assert found.sum() == pytest.approx(1)


@given(st.permutations((*WORDS, "unknown")))
def test_the_order_of_words_changes_no_bit(said):
    assert MODEL.probabilities(said).tobytes() == MODEL.probabilities(WORDS).tobytes()


def test_nothing_said_leaves_the_bias():
    assert MODEL.probabilities(()).tolist() == pytest.approx(by_hand(()))


def test_huge_weights_do_not_overflow():
    sure = PageTypes({"x": 0}, np.array([[1e4, -1e4]]), np.zeros(2))
    assert sure.probabilities(["x"]).tolist() == [1, 0]


def test_types_are_distinct():
    assert len(set(TYPES)) == len(TYPES) == 7
