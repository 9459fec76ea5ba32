"""Characters, words and kinds of characters: the compiled counts against those of numpy."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pagelet import core
from pagelet.page.words import count_kinds_in, fold_each, measure_texts
from tests.cores import ask_both, twins

pytestmark = twins

texts = st.text(st.one_of(st.characters(), st.sampled_from(" \n\u3000aZ9.,;€漢か\U00020000")))


@given(st.lists(texts, max_size=6))
def test_characters_and_words(parts):
    compiled, python = ask_both(lambda: np.array(measure_texts(parts)))
    assert compiled.tolist() == python.tolist()
    assert compiled.dtype == python.dtype


@given(st.lists(texts, max_size=6))
@example(
    ["", " ", "a", " a", "a ", "a b", "a  b", "a\tb", "a\x1fb", "\u00a0a", "\u00e4 b", "\ud800"]
)
def test_folded_white_space(parts):
    compiled, python = ask_both(lambda: fold_each(parts))
    assert compiled == python


@given(st.lists(texts, min_size=1, max_size=6))
def test_kinds_of_characters(parts):
    first = np.cumsum([0, *map(len, parts[:-1])]).astype(np.intp)
    compiled, python = ask_both(lambda: count_kinds_in("".join(parts), first))
    assert compiled.tobytes() == python.tobytes()
    assert compiled.shape == python.shape


@pytest.mark.parametrize("first", [[-1], [2], [1, 0], [0, 2]])
def test_parts_outside_the_text_are_refused(first):
    table = np.zeros(9, np.uint8)
    with pytest.raises(ValueError, match="in order"):
        core.kernels.count_kinds_in("x", np.array(first), table, np.zeros((6, len(first))))


@pytest.mark.parametrize("shape", [(6, 2), (9, 1)])
def test_counts_of_another_shape_are_refused(shape):
    with pytest.raises(ValueError, match="fit"):
        core.kernels.count_kinds_in("x", np.array([0]), np.zeros(9, np.uint8), np.zeros(shape))


def test_numbers_for_other_texts_are_refused():
    numbers = np.zeros(2, np.int64)
    with pytest.raises(ValueError, match="per text"):
        core.kernels.measure_texts(["x"], np.zeros(9, np.uint8), numbers, numbers)
