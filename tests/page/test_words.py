"""Characters and words of texts: a table, then any texts against the definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.page.words import measure
from tests.naive import tree as naive

MIXED = st.text(st.sampled_from("ab \t\n\u00a0\u3000日本かカ𠀀éß.\u2029\ud800"), max_size=12)


@pytest.mark.parametrize(
    ("text", "chars", "words"),
    [
        pytest.param("", 0, 0, id="empty"),
        pytest.param(" \n\t", 0, 0, id="blank"),
        pytest.param("one", 3, 1, id="one word"),
        pytest.param("  two \n words ", 9, 2, id="folded and trimmed"),
        pytest.param("a\u00a0b\u3000c", 5, 3, id="spaces that are not ASCII"),
        pytest.param("日本語", 3, 3, id="every Han sign a word"),
        pytest.param("かな カナ", 5, 4, id="kana"),
        pytest.param("Python入門book", 12, 4, id="letters beside Han"),
        pytest.param("𠀀x", 2, 2, id="Han beyond the basic plane"),
        pytest.param("😀 ok", 4, 2, id="an emoji is a word like another"),
        pytest.param("\ud800a", 2, 1, id="a lone surrogate"),
        pytest.param("한국어 말", 5, 2, id="Hangul is written in words"),
    ],
)
def test_measure(text, chars, words):
    found = measure([text])
    assert (found[0].tolist(), found[1].tolist()) == ([chars], [words])


@given(st.lists(MIXED | st.text(max_size=8), max_size=8))
def test_measure_equals_the_definition(texts):
    chars, words = measure(texts)
    assert chars.tolist() == [naive.chars(text) for text in texts]
    assert words.tolist() == [naive.words(text) for text in texts]


def test_no_texts():
    chars, words = measure([])
    assert chars.shape == words.shape == (0,)


def test_neighbours_do_not_touch():
    chars, words = measure(["a", "", "b", " ", "日", "本"])
    np.testing.assert_array_equal(chars, [1, 0, 1, 0, 1, 1])
    np.testing.assert_array_equal(words, [1, 0, 1, 0, 1, 1])
