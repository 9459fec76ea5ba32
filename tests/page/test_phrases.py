"""Words that texts are searched for by the compiled core, against a plain search."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import core
from tests.cores import twins

pytestmark = twins

letters = st.text("abcA\u00e9 ", max_size=12)
words = st.lists(st.text("abc", min_size=2, max_size=4), min_size=1, max_size=6, unique=True)


@given(words, st.lists(letters, max_size=5))
def test_words_that_texts_hold(words, texts):
    phrases = core.kernels.Phrases(tuple(word.encode() for word in words))
    bits = np.empty(len(texts), np.uint64)
    phrases.find_each(tuple(texts), bits)
    held = [[word in text.lower() for word in words] for text in texts]
    assert [[bool(each >> at & 1) for at in range(len(words))] for each in bits.tolist()] == held
    assert phrases.find_in(tuple(texts)) == [at for at, each in enumerate(held) if any(each)]


@pytest.mark.parametrize("text", ["ab", "xab", "abx", "x ab"])
def test_words_of_two_letters_stand_anywhere(text):
    assert core.kernels.Phrases((b"ab", b"xyz")).find_in((text, "a", "", "xy")) == [0]


def test_one_letter_is_no_word():
    with pytest.raises(ValueError, match="two bytes"):
        core.kernels.Phrases((b"a",))
