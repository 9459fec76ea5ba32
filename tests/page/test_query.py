"""The query of a form: its words and phrases, by hand and against a plain count."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pagelet.page.query import (
    NO_QUERY,
    Query,
    _number_compiled,
    number_words,
    page_words,
    stem_of,
    url_query,
    words_of,
)
from tests.build import deep, html, page_of, trees
from tests.cores import twins
from tests.effort import ends
from tests.naive import query as naive
from tests.naive import tree as plain


def nodes(tree):
    return list(plain.walk(plain.read(tree)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Kids' Crafts", ["kids", "crafts"]),
        ("a 7 42", ["42"]),
        ("ＦＵＬＬ width", ["full", "width"]),
        ("日本 kana", ["日", "本", "kana"]),
        ("naïve-Straße", ["naïve", "straße"]),
        ("nul\0byte", ["nul", "byte"]),
        ("", []),
    ],
)
def test_words_of_a_text(text, expected):
    assert words_of(text) == expected


def test_a_query_keeps_phrases_beside_words_and_labels_apart():
    found = Query.of(["Kids crafts", "paper"], ["Search for"])
    assert found.words == {"kids", "crafts", "paper"}
    assert found.phrases == {"kids crafts"}
    assert found.labels == {"search", "for"}
    assert found
    assert not NO_QUERY
    assert (found | Query.of(["glue"])).words == {"kids", "crafts", "paper", "glue"}


@pytest.mark.parametrize(
    ("url", "words", "labels"),
    [
        ("https://a.example/s?q=kids+crafts&page=2", {"kids", "crafts"}, {"page"}),
        ("https://a.example/s", set(), set()),
        ("https://[broken?q=word", set(), set()),
        (None, set(), set()),
        ("https://a.example/?" + "&".join(f"q{at}=word" for at in range(500)), set(), set()),
    ],
)
def test_the_query_string_of_an_address(url, words, labels):
    assert url_query(url) == Query(frozenset(words), url_query(url).phrases, frozenset(labels))


@given(st.text(max_size=30) | st.sampled_from(("two words", "Two  words two words", "words")))
def test_words_equal_a_plain_split(text):
    assert words_of(text) == naive.words(text.replace("\0", " "))


@given(trees, st.sampled_from(("two words", "a b", "かな", "日 本", "か な kana", "home home")))
def test_phrases_equal_a_plain_count(tree, phrase):
    page = page_of(tree)
    found = page_words(page)
    texts = [node for node in nodes(tree) if not node.name and plain.counted(node)]
    expected = [naive.phrases(node, phrase) for node in texts if len(phrase.split()) > 1]
    if expected:
        assert found.count_phrases(frozenset((phrase,))).tolist() == expected


@twins
@given(
    st.lists(st.text(alphabet=st.sampled_from("aB1_é ©\u00a0…’–Σ日\0\ud800\u0301ﬁ™²"), max_size=9))
)
@example(["Two two", "", "a\0b cd", "café CAFÉ", "x" * 3_000, "ΣΑΣ ab", "ab…cd’ef", "\u0301ab"])
def test_both_cores_number_the_same_words(texts):
    compiled, python = _number_compiled(texts), number_words(texts)
    assert list(compiled[0].items()) == list(python[0].items())
    assert compiled[1].tolist() == python[1].tolist()


@twins
def test_words_around_any_character_are_the_same():
    characters = [chr(code) for code in (*range(0x3100), *range(0xA000, 0x10000, 7))]
    texts = [f"ab{sign}cd{sign}e{sign} {sign}f g{sign}" for sign in characters]
    compiled, python = _number_compiled(texts), number_words(texts)
    assert compiled[0] == python[0]
    assert compiled[1].tolist() == python[1].tolist()


def test_many_phrases_on_a_deep_page_end():
    phrases = frozenset(f"word{at} other{at}" for at in range(5_000))
    with ends():
        page = page_of(html(deep(2_000, *(["word1 other1"] * 20))))
        assert page_words(page).count_phrases(phrases).sum() == 20


def test_words_are_compared_by_stem_and_without_accents():
    page = page_of(html(("p", "Tomatoes and a tomato, cafés, growing"), ("p", "automaton")))
    words = page_words(page)
    assert words.count_stems(frozenset(("tomato",))).tolist() == [2, 0]
    assert words.count_stems(frozenset(("tomatoes", "tomato"))).tolist() == [2, 0]
    assert words.count_stems(frozenset(("café", "grow"))).tolist() == [2, 0]
    assert words.count_stems(frozenset(("cafe",))).tolist() == [1, 0]
    assert words.count_stems(frozenset()).tolist() == [0, 0]
    assert words.count_stems(frozenset(("and", "grow"))).tolist() == [1, 0]
    assert words.count_stems(frozenset(("and",))).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("word", "stem"),
    [("houses", "hous"), ("housing", "hous"), ("house", "hous"), ("berries", "berr"),
     ("berry", "berr"), ("bus", "bus"), ("Ärzte", "Arzt"), ("éléments", "element"), ("日", "日")],
)  # fmt: skip
def test_stems(word, stem):
    assert stem_of(word) == stem
