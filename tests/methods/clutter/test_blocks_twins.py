"""Sums over structural blocks: the compiled core against numpy, bit for bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import core
from pagelet.methods.clutter.blocks import attached_counts, faded_sums, find_blocks
from pagelet.methods.clutter.probability import _sum_light
from tests.build import page_of, trees
from tests.cores import ask_both, twins
from tests.methods.clutter.test_blocks import forests

pytestmark = twins


@given(trees)
def test_the_same_is_attached(tree):
    page = page_of(tree)
    compiled, python = ask_both(lambda: attached_counts(page, find_blocks(page)).tolist())
    assert compiled == python


@pytest.mark.parametrize("decay", [0.0, 0.001, 0.1, 0.3, 1.0])
@given(forest=forests())
def test_the_same_sums_fade(decay, forest):
    parents, values = forest
    lines = np.array([values, values[::-1]]) / 7
    compiled, python = ask_both(
        lambda: faded_sums(lines, np.array(parents), decay, "linear").tolist()
    )
    assert compiled == python


@given(trees, st.randoms(use_true_random=False))
def test_the_same_light_text(tree, random):
    page = page_of(tree)
    owner = np.array([random.choice((-1, 0, 1)) for _ in range(len(page))], np.intp)
    rows = np.arange(len(page))
    compiled, python = ask_both(lambda: _sum_light(page, rows, owner).tolist())
    assert compiled == python


def test_columns_of_other_pages_are_refused():
    kernels, ints, masks = core.kernels, np.ones(2, np.int32), np.ones(2, np.bool_)
    far = np.full(2, 5, np.intp)
    with pytest.raises(ValueError, match="four"):
        kernels.attach_counts(ints, ints, ints, masks, masks, ints, far, far, np.zeros((3, 2)))
    with pytest.raises(ValueError, match="exist"):
        kernels.attach_counts(ints, ints, ints, masks, masks, ints, far, far, np.zeros((4, 2)))
    with pytest.raises(ValueError, match="exist"):
        kernels.sum_light(ints, ints, masks, masks, masks, far, far, np.zeros((4, 2)))
    with pytest.raises(ValueError, match="value"):
        kernels.fade_sums(np.zeros((1, 1)), far, 0.1, 10, np.zeros((1, 1)))
    assert not kernels.fade_sums(np.zeros((1, 2)), far, 0.1, 10, np.zeros((1, 2)))
