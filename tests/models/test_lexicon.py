"""The lexicon: words of attributes, and weights that add up."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet.models.lexicon import (
    END,
    MAX_VALUE_CHARS,
    SOURCES,
    Lexicon,
    page_values,
    split_words,
    tokens,
)
from tests.build import html, page_of, trees
from tests.cores import ask_both, twins
from tests.naive import tree as plain

WORDS = ("menu", "nav", "item", "role:main", "label:menu", "日本")
WEIGHTS = np.array([[1, 2], [4, 8], [16, 32], [64, 128], [256, 512], [1024, 2048]], float)


def small():
    return Lexicon(WORDS, WEIGHTS)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        pytest.param("class", "main-nav nav_2", ["main", "nav", "nav"], id="as often as written"),
        pytest.param("id", "topNavBar", ["top", "nav", "bar"], id="camel case"),
        pytest.param("class", "NAV", ["nav"], id="capitals"),
        pytest.param("role", "main", ["role:main"], id="a source has a prefix"),
        pytest.param("itemtype", "https://schema.org/Article",
                     ["type:https", "type:schema", "type:org", "type:article"], id="type"),
        pytest.param("class", "a b c1 x9y", [], id="single letters"),
        pytest.param("class", "日本 語", ["日本"], id="other scripts"),
        pytest.param("class", "", [], id="empty"),
        pytest.param("class", "na\0v \0 menu", ["na", "menu"], id="NUL parts words"),
        pytest.param("class", " " * MAX_VALUE_CHARS + "late", [], id="only the beginning is read"),
    ],
)  # fmt: skip
def test_tokens(name, value, words):
    assert tokens(name, value) == words


def plain_words(value):
    """Runs of ASCII letters, and runs of what is beyond ASCII, sign by sign."""
    text, before = "", ""
    for sign in value[:MAX_VALUE_CHARS]:
        hump = "a" <= before <= "z" and "A" <= sign <= "Z"
        text += " " if hump or (before > "\x7f") != (sign > "\x7f") else ""
        text += sign if sign > "\x7f" or sign.isalpha() else " "
        before = sign
    return text.lower().split()


values = st.text(st.sampled_from("aBcNavé日\0 -_1") | st.characters(codec="utf-8"), max_size=40)


@given(st.sampled_from(tuple(SOURCES)), values)
def test_tokens_equal_a_walk_and_are_named_by_their_source(name, value):
    assert tokens(name, value) == [
        SOURCES[name] + word for word in plain_words(value) if len(word) > 1
    ]


@given(st.lists(values, max_size=6))
def test_many_values_are_read_as_each_alone(several):
    found = split_words(several)
    assert found.count(END) == len(several)
    alone = [word for value in several for word in (*plain_words(value), END)]
    assert found == alone


@given(trees)
def test_scores_equal_a_loop(tree):
    page = page_of(tree)
    table = dict(zip(WORDS, WEIGHTS, strict=True))
    expected = []
    for node in plain.walk(plain.read(tree)):
        named = [(name, node.attrs[name]) for name in SOURCES if name in node.attrs]
        words = [SOURCES[name] + word for name, value in named for word in plain_words(value)]
        weights = [table[word] for word in words if word in table]
        expected.append(sum(weights, np.zeros(2)).tolist())
    assert small().scores(page).T.tolist() == expected


def test_a_page_without_attributes_says_nothing():
    page = page_of(html(("p", "a")))
    assert list(page_values(page)) == []
    assert small().scores(page).tolist() == np.zeros((2, len(page))).tolist()


def test_a_word_counts_as_often_as_class_and_id_say_it():
    page = page_of(("body", {"class": "menu menu", "id": "menu", "role": "main"}))
    assert small().scores(page).tolist() == [[67], [134]]


def test_a_word_speaks_only_for_its_source():
    page = page_of(("body", {"class": "main", "role": "menu", "aria-label": "menu"}))
    assert small().scores(page).tolist() == [[256], [512]]


def test_a_lexicon_without_words_has_no_say():
    page = page_of(("body", {"class": "menu"}))
    assert Lexicon((), np.zeros((0, 3))).scores(page).tolist() == [[0], [0], [0]]


@pytest.mark.parametrize("words", [("one",), ("one", "two", "three")])
def test_words_and_weights_must_match(words):
    with pytest.raises(ValueError, match="weights"):
        Lexicon(words, np.zeros((2, 1)))


def test_the_same_page_weighs_the_same_again():
    made, page = small(), page_of(html(("p", {"class": "nav item"}), ("p", {"class": "nav item"})))
    first = made.scores(page)
    assert made.scores(page).tolist() == first.tolist() == small().scores(page).tolist()


def test_a_long_value_is_read_in_part():
    page = page_of(("body", {"class": "menu " * 100_000}))
    assert small().scores(page).tolist() == [[MAX_VALUE_CHARS // 5], [2 * MAX_VALUE_CHARS // 5]]


def test_a_copy_for_another_process_weighs_the_same():
    made, page = small(), page_of(("body", {"class": "menu"}))
    again = pickle.loads(pickle.dumps(made))
    assert again.scores(page).tolist() == made.scores(page).tolist() == [[1], [2]]


LONG = (
    "abcdefgh",
    "abcdefghijklmnop",
    "abcdefghijklmnopq",
    "abcdefghijklmnopr",
    "q" * 40,
    "日本語語語語語語",
)


@twins
@given(st.lists(st.sampled_from((*LONG, *(word[:-1] for word in LONG), *WORDS)), max_size=9))
def test_long_words_have_their_own_weights(words):
    weights = np.arange(2.0 * len(LONG)).reshape(-1, 2) + 1
    page = page_of(("p", {"class": "-".join(words)}))
    compiled, python = ask_both(lambda: Lexicon(LONG, weights).scores(page).tolist())
    assert compiled == python
