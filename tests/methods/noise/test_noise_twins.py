"""Sums and best values of noise removal: the compiled core against Python."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pagelet import core
from pagelet.methods.noise.best_records import _best_above
from pagelet.methods.noise.groups import subtree_sums
from pagelet.methods.noise.sheet import ECHO, _repeat_query
from pagelet.models.features import FeatureTable
from tests.build import deep, html, page_of, trees
from tests.cores import ask_both, twins

VALUES = st.lists(st.sampled_from([-2.0, -1.0, 0.1, 0.7, 1e9, 3.0]), min_size=1, max_size=7)


@twins
@given(trees, VALUES)
@example(html(deep(200, "x")), [0.1, 0.7])
def test_sums_over_subtrees(tree, values):
    page = page_of(tree)
    own = {"one": np.resize(np.array(values), len(page)), "two": 1}
    columns = FeatureTable.of(own, len(page), np.float64)

    def ask():
        return subtree_sums(page, columns).lines.tolist()

    compiled, python = ask_both(ask)
    assert compiled == python


@twins
@given(trees, VALUES)
@example(html(deep(9, "x"), ("p", "y")), [0.7, 0.1, 0.7])
def test_the_best_value_above(tree, values):
    page = page_of(tree)
    own = np.append(np.resize(np.array(values), len(page)), -1.0)
    who = np.append(np.arange(len(page)), -1)
    compiled, python = ask_both(lambda: [each.tolist() for each in _best_above(page, own, who)])
    assert [each[:-1] for each in compiled] == [each[:-1] for each in python]


@twins
def test_rows_that_do_not_fit_are_refused():
    kernels, size, sums = core.kernels, np.ones(2, np.int32), np.zeros((1, 2))
    with pytest.raises(ValueError, match="line"):
        kernels.sum_subtrees((), size, sums)
    with pytest.raises(ValueError, match="each row"):
        kernels.sum_subtrees((np.zeros(1),), size, sums)
    with pytest.raises(ValueError, match="broken"):
        kernels.sum_subtrees((np.zeros(2),), size * 2, sums)
    with pytest.raises(ValueError, match="each row"):
        kernels.take_best(size, np.zeros(2), np.zeros(3, np.intp))
    assert not kernels.take_best(size, np.zeros(3), np.zeros(3, np.intp))


WORDS = st.sampled_from(
    "12 Results RESULT matches hits items products found Treffer Ergebnisse résultats resultado"
    " risultati search searched showing Suche for nach für pour para per tomato ."
    " re\u017fults".split()
)


@given(st.lists(st.lists(WORDS, max_size=5).map(" ".join), max_size=4))
@example(["1-10 of 2,345 hits", "Suche nach x", "no", "3 re\u017fults", "Showing results for x"])
def test_texts_that_repeat_the_query(texts):
    assert _repeat_query(texts).tolist() == [ECHO.search(text) is not None for text in texts]
