"""Characters, words and kinds of characters: tables, then any texts against the definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.page.words import (
    BLANK,
    COMMA,
    DIGIT,
    MONEY,
    OTHER,
    SIGN,
    STOP,
    UPPER,
    character_kinds,
    count_kinds,
    measure_texts,
)
from tests.naive import textblocks
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
    found = measure_texts([text])
    assert (found[0].tolist(), found[1].tolist()) == ([chars], [words])


@given(st.lists(MIXED | st.text(max_size=8), max_size=8))
def test_measure_equals_the_definition(texts):
    chars, words = measure_texts(texts)
    assert chars.tolist() == [naive.chars(text) for text in texts]
    assert words.tolist() == [naive.words(text) for text in texts]


def test_no_texts():
    chars, words = measure_texts([])
    assert chars.shape == words.shape == (0,)


def test_neighbours_do_not_touch():
    chars, words = measure_texts(["a", "", "b", " ", "日", "本"])
    np.testing.assert_array_equal(chars, [1, 0, 1, 0, 1, 1])
    np.testing.assert_array_equal(words, [1, 0, 1, 0, 1, 1])


# -- kinds of characters ----------------------------------------------------------------------

ENDS = "\0\x1f \x7f\x80\u0100\u30ff\u3100\ua63f\ua640\uab6f\uab70\ufe0f\ufe10\uff6f\uff70\uffff"
texts = st.text(st.characters(codec="ascii"), max_size=20) | st.text(
    st.characters() | st.sampled_from(ENDS + "\U00010000\U0010ffff") | st.sampled_from("。，€Ａ٣"),
    max_size=20,
)


@pytest.mark.parametrize(
    ("signs", "kind"),
    [
        pytest.param("a日가ßªⅷ\0\u200b", OTHER, id="other"),
        pytest.param(" \t\n\u00a0\u2028\u3000\x1f\x85", BLANK, id="space"),
        pytest.param("09٣०９", DIGIT, id="digit"),
        pytest.param("AÉΩЖǅＡ", UPPER, id="capital"),
        pytest.param(".!?…。！？؟।።", STOP, id="stop"),
        pytest.param(",;:、，：؛", COMMA, id="comma"),
        pytest.param("-(»„|+©%→★", SIGN, id="sign"),
        pytest.param("$€£¥₹₿＄", MONEY, id="money"),
    ],
)
def test_kinds_by_hand(signs, kind):
    assert [character_kinds(sign).tolist() for sign in signs] == [[kind]] * len(signs)


@given(texts)
def test_kinds_equal_the_unicode_categories(text):
    assert character_kinds(text).tolist() == textblocks.kinds(text).tolist()


def test_every_character_of_the_basic_plane():
    signs = "".join(map(chr, range(0x10000)))
    assert np.array_equal(character_kinds(signs), textblocks.kinds(signs))


def test_lone_surrogates_are_other():
    assert character_kinds("\ud800a\udfff1").tolist() == [OTHER, OTHER, OTHER, DIGIT]


def test_wide_money_and_the_rial_are_money():
    assert character_kinds("￥￡￠￦﷼").tolist() == [MONEY] * 5


@given(st.lists(texts, min_size=1, max_size=6))
def test_counts_equal_a_loop(parts):
    kind = character_kinds("".join(parts))
    first = np.cumsum([0, *map(len, parts[:-1])])
    expected = [
        [sum(textblocks.kind(sign) == wanted for sign in part) for part in parts]
        for wanted in (DIGIT, UPPER, STOP, COMMA, SIGN, MONEY)
    ]
    assert count_kinds(kind, first).tolist() == expected


def test_nothing_is_counted_in_nothing():
    assert count_kinds(character_kinds(""), np.zeros(0, np.intp)).shape == (6, 0)
