"""Kinds of characters: a table against Unicode, and counts against a loop."""

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
    count_kinds,
    kinds_of,
)
from tests.naive import textblocks as naive

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
    assert [kinds_of(sign).tolist() for sign in signs] == [[kind]] * len(signs)


@given(texts)
def test_kinds_equal_what_unicode_says(text):
    assert kinds_of(text).tolist() == naive.kinds(text).tolist()


def test_every_sign_that_is_told_is_told_right():
    signs = "".join(chr(code) for code in range(0x10000) if naive.is_told(chr(code)))
    assert np.array_equal(kinds_of(signs), naive.kinds(signs))


def test_lone_surrogates_are_other():
    assert kinds_of("\ud800a\udfff1").tolist() == [OTHER, OTHER, OTHER, DIGIT]


def test_wide_money_and_the_rial_are_money():
    assert kinds_of("￥￡￠￦﷼").tolist() == [MONEY] * 5


@given(st.lists(texts, min_size=1, max_size=6))
def test_counts_equal_a_loop(parts):
    kind = kinds_of("".join(parts))
    first = np.cumsum([0, *map(len, parts[:-1])])
    expected = [
        [sum(naive.told_kind(sign) == wanted for sign in part) for part in parts]
        for wanted in (DIGIT, UPPER, STOP, COMMA, SIGN, MONEY)
    ]
    assert count_kinds(kind, first).tolist() == expected


def test_nothing_is_counted_in_nothing():
    assert count_kinds(kinds_of(""), np.zeros(0, np.intp)).shape == (6, 0)
