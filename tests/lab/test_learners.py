"""Logistic and softmax regression: slopes against differences, losses by hand, known answers."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagelet.lab import learners
from pagelet.lab.learners import (
    FEW_SITES,
    FOLDS,
    SparseData,
    few_folds,
    fit_logistic,
    fit_softmax,
)

WIDTH, CLASSES, PENALTY = 4, 3, 0.05

rows = st.lists(st.lists(st.integers(0, WIDTH - 1), max_size=5), min_size=2, max_size=6)
seeds = st.integers(0, 99)


def taken_loss(monkeypatch):
    """The losses that are handed to the search, caught on the way."""
    caught = []

    def lowest(loss, width):
        caught.append(loss)
        return np.zeros(width)

    monkeypatch.setattr(learners, "_minimize", lowest)
    return caught


def check_slope(loss, at):
    _, slope = loss(at)
    for place in range(len(at)):
        step = np.zeros(len(at))
        step[place] = 1e-6
        difference = (loss(at + step)[0] - loss(at - step)[0]) / 2e-6
        assert slope[place] == pytest.approx(difference, abs=1e-7)


@settings(max_examples=30)
@given(rows, seeds)
def test_the_logistic_loss_and_its_slope(places, seed):
    rng = np.random.default_rng(seed)
    label, weight = rng.random(len(places)), rng.random(len(places)) + 0.1
    at = rng.normal(size=WIDTH + 1)
    with pytest.MonkeyPatch.context() as patch:
        caught = taken_loss(patch)
        fit_logistic(SparseData.of(places, WIDTH, label), weight, PENALTY)
    expected = PENALTY / 2 * sum(at[:-1] ** 2)
    for line, wanted, share in zip(places, label, weight / weight.sum(), strict=True):
        chance = 1 / (1 + math.exp(-(sum(at[place] for place in line) + at[-1])))
        expected -= share * (wanted * math.log(chance) + (1 - wanted) * math.log(1 - chance))
    assert caught[0](at)[0] == pytest.approx(expected)
    check_slope(caught[0], at)


@settings(max_examples=30)
@given(rows, seeds)
def test_the_softmax_loss_and_its_slope(places, seed):
    rng = np.random.default_rng(seed)
    label, weight = rng.integers(0, CLASSES, len(places)), rng.random(len(places)) + 0.1
    at = rng.normal(size=(WIDTH + 1, CLASSES))
    with pytest.MonkeyPatch.context() as patch:
        caught = taken_loss(patch)
        fit_softmax(SparseData.of(places, WIDTH, label.astype(float)), CLASSES, weight, PENALTY)
    expected = PENALTY / 2 * (at[:-1] ** 2).sum()
    for line, wanted, share in zip(places, label, weight / weight.sum(), strict=True):
        odds = np.exp(sum((at[place] for place in line), at[-1]))
        expected -= share * math.log(odds[wanted] / odds.sum())
    assert caught[0](at.ravel())[0] == pytest.approx(expected)
    check_slope(caught[0], at.ravel())


@given(rows)
def test_rows_become_counts(places):
    data = SparseData.of(places, WIDTH, np.zeros(len(places)))
    expected = [[line.count(place) for place in range(WIDTH)] for line in places]
    assert data.counts.toarray().tolist() == expected
    assert data.transposed.toarray().T.tolist() == expected


def test_the_search_ends_where_the_slope_is_flat():
    rng = np.random.default_rng(1)
    places = [rng.integers(0, WIDTH, 2).tolist() for _ in range(40)]
    data, weight = SparseData.of(places, WIDTH, rng.random(40)), rng.random(40)
    with pytest.MonkeyPatch.context() as patch:
        caught = taken_loss(patch)
        fit_logistic(data, weight, PENALTY)
    loss = caught[0]
    found = learners._minimize(loss, WIDTH + 1)
    assert np.abs(loss(found)[1]).max() < 1e-4
    assert fit_logistic(data, weight, PENALTY).tolist() == found[:-1].tolist()


def test_a_word_that_says_yes_and_one_that_says_no():
    data = SparseData.of([[0], [0], [1], [1], [0, 1]], 2, np.array([1.0, 1, 0, 0, 0.5]))
    yes, no = fit_logistic(data, np.ones(5), 1e-3)
    assert yes > 1
    assert no == pytest.approx(-yes, abs=1e-3)


def test_rows_without_weight_say_nothing():
    label = np.array([1.0, 0, 0.9])
    three = SparseData.of([[0], [1], [0, 1]], 2, label)
    two = SparseData.of([[0], [1]], 2, label[:2])
    some = fit_logistic(three, np.array([1.0, 1, 0]), 0.1)
    assert some == pytest.approx(fit_logistic(two, np.ones(2), 0.1))
    heavy = fit_logistic(two, np.full(2, 7.0), 0.1)
    assert heavy == pytest.approx(fit_logistic(two, np.ones(2), 0.1))


def test_classes_are_learned():
    places, label = [[0], [1], [2]] * 4, np.array([0.0, 1, 2] * 4)
    weights, bias = fit_softmax(SparseData.of(places, 3, label), 3, np.ones(12), 1e-3)
    assert np.argmax(weights + bias, axis=1).tolist() == [0, 1, 2]
    assert weights.shape == (3, 3)
    assert weights.sum(axis=1) == pytest.approx(np.zeros(3), abs=1e-4)


def test_a_column_nobody_has_weighs_nothing():
    data = SparseData.of([[0], [2]], 3, np.array([1.0, 0.0]))
    assert fit_logistic(data, np.ones(2), 0.1)[1] == 0
    assert fit_softmax(data, 2, np.ones(2), 0.1)[0][1].tolist() == [0, 0]


def test_labels_that_words_tell_apart_for_sure_do_not_overflow():
    places = [[at % 2] * 50 for at in range(40)]
    label = np.arange(40) % 2.0
    found = fit_logistic(SparseData.of(places, 2, label), np.ones(40), 1e-9)
    assert np.isfinite(found).all()


def test_few_sites_are_dealt_to_the_folds_in_turn():
    """Whatever their names, two sites are two folds; more sites have the folds of their names."""
    for many in (2, 3, 5, FEW_SITES):
        dealt = few_folds(f"project {at}" for at in range(many))
        assert sorted(dealt.values()) == sorted(at % FOLDS for at in range(many))
    assert few_folds(str(at) for at in range(FEW_SITES + 1)) == {}
