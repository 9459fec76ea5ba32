"""Rectangles that contain others: all pairs one by one, and layouts that are hard."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.methods.segments.geometry import boxes as containment
from pagelet.methods.segments.geometry.boxes import contains_another
from tests.clock import within

sides = st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(1, 9), st.integers(1, 9))


def all_pairs(edges) -> list[bool]:
    def inside(one, other) -> bool:
        return all(a <= b for a, b in zip(one[:2], other[:2], strict=True)) and all(
            a >= b for a, b in zip(one[2:], other[2:], strict=True)
        )

    listed = edges.tolist()
    return [any(inside(one, other) for other in listed if other != one) for one in listed]


def hard(number: int) -> np.ndarray:
    """Rectangles of which none contains another, in no order."""
    sides = [np.random.default_rng(seed).permutation(number) for seed in range(3)]
    last = 3 * number - np.sum(sides, axis=0)
    return np.stack((-sides[0], -sides[1], sides[2] + number, last + number), axis=1).astype(float)


@given(st.sets(sides, max_size=40))
def test_equals_all_pairs(found):
    edges = np.array([(x, y, x + w, y + h) for x, y, w, h in found], float).reshape(-1, 4)
    edges = np.unique(edges, axis=0)[::-1]
    assert contains_another(edges).tolist() == all_pairs(edges)


@pytest.mark.parametrize("pairs", [1, 7, 1 << 18])
def test_parts_of_the_work_add_up(pairs, monkeypatch):
    monkeypatch.setattr(containment, "PAIRS", pairs)
    corner = np.random.default_rng(1).integers(0, 40, (300, 2))
    size = np.random.default_rng(2).integers(1, 12, (300, 2))
    edges = np.unique(np.hstack((corner, corner + size)), axis=0).astype(float)
    assert contains_another(edges).tolist() == all_pairs(edges)


def test_many_that_contain_none():
    with within(10):
        assert not contains_another(hard(20_000)).any()


def test_many_in_each_other():
    at = np.arange(20_000.0)
    nested = np.stack((at, at, 50_000 - at, 50_000 - at), axis=1)
    with within(10):
        assert contains_another(nested).tolist() == [True] * 19_999 + [False]
