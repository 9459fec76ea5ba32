"""Agreement of segmentations: examples worked by hand, then pairs one by one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.lab.figures import Overlap
from pagelet.lab.segments.scores import (
    adjusted_rand,
    bcubed,
    box_overlap,
    membership_of,
)
from tests.naive import segment_scores as naive

tables = st.integers(0, 9).flatmap(
    lambda elements: st.tuples(
        *(
            st.integers(0, 4).flatmap(
                lambda segments: st.lists(
                    st.lists(st.booleans(), min_size=segments, max_size=segments),
                    min_size=elements,
                    max_size=elements,
                ).map(lambda lines: np.array(lines, np.bool_).reshape(elements, segments))
            )
            for _ in range(2)
        ),
        st.lists(st.integers(0, 3), min_size=elements, max_size=elements),
    )
)
numbers = st.integers(0, 12).flatmap(
    lambda elements: st.tuples(
        *[st.lists(st.integers(-1, 3), min_size=elements, max_size=elements)] * 2
    )
)


def sets(table) -> list[set[int]]:
    return [set(np.flatnonzero(column).tolist()) for column in table.T]


def two(overlap: Overlap) -> tuple[float, float]:
    return overlap.precision, overlap.recall


# -- by hand --------------------------------------------------------------------------------------

GOLD = membership_of(np.array([0, 0, 0, 1, 1, 2]))
FOUND = membership_of(np.array([0, 0, 1, 1, 1, -1]))


def test_paper_f_by_hand():
    # pairs: 2 of 2 and 2 of 3 boxes; 1 of 3 and 1 of 3; 2 of 3 and 2 of 2; one gold is missed
    precision, recall = (1 + 1 / 3 + 2 / 3) / 3, (2 / 3 + 1 / 3 + 1 + 0) / 4
    assert two(box_overlap(FOUND, GOLD)) == pytest.approx((precision, recall))


def test_rand_by_hand():
    # five boxes in both; pairs together in both 2, in gold 4, in found 4, of 10
    assert adjusted_rand(FOUND, GOLD) == pytest.approx((2 - 1.6) / (4 - 1.6))


def test_bcubed_by_hand():
    # found: 2 boxes agree wholly; of the other three, one with 1 of 3, two with 2 of 3
    # gold: two boxes with 2 of 3, one with 1 of 3, two wholly, the last one is alone
    precision, recall = (1 + 1 + 1 / 3 + 2 / 3 + 2 / 3) / 5, (2 / 3 * 2 + 1 / 3 + 2 + 0) / 6
    assert two(bcubed(FOUND, GOLD)) == pytest.approx((precision, recall))


def test_bcubed_of_characters_by_hand():
    # the box that was put wrong has 8 of 14 characters that were found
    found = bcubed(FOUND, GOLD, np.array([1, 1, 8, 2, 2, 5]))
    assert found.precision == pytest.approx((1 + 1 + 8 * 8 / 12 + 4 * 4 / 12) / 14)


@pytest.mark.parametrize(
    ("found", "gold", "expected"),
    [
        pytest.param([0, 0, 0], [0, 0, 0], 1.0, id="all together in both"),
        pytest.param([0, 1, 2], [2, 0, 1], 1.0, id="all alone in both"),
        pytest.param([0, 1, 2], [0, 0, 0], 0.0, id="alone against together"),
        pytest.param([0, -1], [-1, 0], 0.0, id="nothing in both"),
        pytest.param([], [], 0.0, id="nothing"),
        pytest.param([0], [0], 1.0, id="one box"),
    ],
)
def test_rand_where_nothing_is_left_to_chance(found, gold, expected):
    tables = (membership_of(np.array(side, int)) for side in (found, gold))
    assert adjusted_rand(*tables) == expected


def test_nothing_agrees_with_nothing():
    nothing, something = np.zeros((3, 0), np.bool_), np.ones((3, 1), np.bool_)
    for found, gold in ((nothing, nothing), (nothing, something)):
        assert two(box_overlap(found, gold)) == (0, 0)
        assert two(bcubed(found, gold)) == (0, 0)


# -- against the twins ----------------------------------------------------------------------------


@given(tables)
def test_paper_f_equals_its_twin(drawn):
    found, gold, _ = drawn
    assert two(box_overlap(found, gold)) == pytest.approx(naive.paper_f(sets(found), sets(gold)))


@given(numbers)
def test_rand_equals_its_twin(drawn):
    found, gold = drawn
    expected = naive.rand_of_pairs(
        *({at: number for at, number in enumerate(side) if number >= 0} for side in drawn)
    )
    answer = adjusted_rand(membership_of(np.array(found, int)), membership_of(np.array(gold, int)))
    if expected is None:
        assert answer in (0, 1)
    else:
        assert answer == pytest.approx(expected)


@given(tables)
def test_bcubed_equals_its_twin(drawn):
    found, gold, counts = drawn
    elements = [at for at, count in enumerate(counts) for _ in range(count)]
    copies = [set(np.flatnonzero(np.isin(elements, list(one))).tolist()) for one in sets(found)]
    others = [set(np.flatnonzero(np.isin(elements, list(one))).tolist()) for one in sets(gold)]
    each = list(range(len(elements)))
    expected = [
        naive.bcubed_precision(*pair, each) for pair in ((copies, others), (others, copies))
    ]
    assert two(bcubed(found, gold, np.array(counts))) == pytest.approx(tuple(expected))


def test_many_kinds_of_elements_are_compared_in_steps(monkeypatch):
    marks = np.random.default_rng(0).random((200, 12)) < 0.3
    whole = two(bcubed(marks[:, :6], marks[:, 6:]))
    monkeypatch.setattr("pagelet.lab.segments.scores.CHUNK_LINES", 7)
    assert two(bcubed(marks[:, :6], marks[:, 6:])) == pytest.approx(whole)
