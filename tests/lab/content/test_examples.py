"""Labels of blocks: alignment of words, by hand and by what must hold for any two texts."""

from collections import Counter
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import parse
from pagelet.lab.content.examples import (
    LOOSE_WORDS,
    MAX_GAP_WORDS,
    _anchors,
    _longest_chain,
    _runs,
    align,
    block_words,
    label_blocks,
    words_of,
)
from pagelet.page.textblocks import text_blocks
from tests.effort import ends, growth

few = st.lists(st.sampled_from("abc"), max_size=300)
many = st.lists(st.integers(0, 60).map(str), max_size=300)
sequences = few | many


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("Some words, and more.", ["some", "words", "and", "more"], id="plain"),
        pytest.param("日本語 kana かな", ["日", "本", "語", "kana", "か", "な"], id="signs"),
        pytest.param("x2日y", ["x2", "日", "y"], id="signs part words"),
        pytest.param(" … — ", [], id="no words"),
        pytest.param("", [], id="nothing"),
        pytest.param("a\uf900b", ["a", "\uf900", "b"], id="compatibility signs"),
    ],
)  # fmt: skip
def test_words(text, words):
    assert words_of(text) == words


@given(sequences)
def test_equal_texts_match_in_full(words):
    assert align(words, words).all()


@given(sequences, sequences)
def test_only_words_of_the_gold_text_match(page, gold):
    matched = align(page, gold)
    assert matched.shape == (len(page),)
    assert {word for word, hit in zip(page, matched, strict=True) if hit} <= set(gold)
    assert align(page, gold).tolist() == matched.tolist()


@given(st.lists(st.integers(0, 9).map(str), max_size=MAX_GAP_WORDS), sequences)
def test_no_word_of_a_short_text_matches_more_often_than_it_occurs(page, gold):
    matched = align(page, gold[: LOOSE_WORDS - 1])
    taken = Counter(word for word, hit in zip(page, matched, strict=True) if hit)
    assert taken <= Counter(gold[: LOOSE_WORDS - 1])


@given(many, st.integers(0, 300), st.integers(0, 300))
def test_a_part_of_the_page_is_found(page, one, other):
    """What is cut out of a page of distinct words is found there and nowhere else."""
    page = [f"{at}" for at in range(len(page))]
    first, last = sorted((min(one, len(page)), min(other, len(page))))
    expected = [first <= at < last for at in range(len(page))]
    assert align(page, page[first:last]).tolist() == expected


def prose(name, words):
    return [f"{name}{at}" for at in range(words)]


def test_the_content_between_menu_and_footer():
    menu, body, footer = prose("menu", 300), prose("body", 2_000), prose("footer", 200)
    found = align([*menu, *body, *footer], body)
    assert np.flatnonzero(found).tolist() == list(range(300, 2_300))


def test_words_that_stand_between_do_not_match():
    body = prose("body", 400)
    page = [*body[:100], "advert", *body[100:250], *prose("share", 30), *body[250:]]
    found = align(page, body)
    assert [word for word, hit in zip(page, found, strict=True) if hit] == body


def test_sections_in_another_order_are_found():
    one, two, three = prose("one", 300), prose("two", 300), prose("three", 300)
    found = align([*one, *two, *prose("x", 90), *three], [*three, *one, *two])
    assert found[:600].all()
    assert not found[600:690].any()
    assert found[690:].all()


@pytest.mark.parametrize("words", [3, 12, MAX_GAP_WORDS])
def test_a_short_text_in_a_long_page_is_found(words):
    gold, filler = prose("gold", words), prose("page", 1_500)
    parts = [word for at in range(0, words, 3) for word in (*gold[at : at + 3], f"other{at}")]
    page = [*filler, *parts, *filler]
    found = align(page, gold)
    assert [word for word, hit in zip(page, found, strict=True) if hit] == gold


@pytest.mark.parametrize(
    ("page", "gold"),
    [
        pytest.param(prose("a", 50_000), prose("b", 50_000), id="no common word"),
        pytest.param(["a"] * 50_000, ["a"] * 50_000, id="one word"),
        pytest.param(["a"] * 50_000, ["a"] * MAX_GAP_WORDS, id="one word, short"),
        pytest.param(["a", "b"] * 25_000, ["b", "a", "c"] * 16_000, id="two words"),
        pytest.param(prose("a", 50_000), prose("a", 50_000)[::-1], id="backwards"),
        pytest.param(
            [word for at in range(16_000) for word in ("x", f"{at}", "y")],
            [word for at in range(16_000) for word in ("y", f"{at}", "z")],
            id="every third word",
        ),
        pytest.param(
            [word for at in range(20) for word in (*["a"] * 2_300, f"{at}")],
            [word for at in range(20) for word in (*["a", "b"] * 28, f"{at}")],
            id="the largest small gaps",
        ),
    ],
)
def test_long_texts_are_aligned(page, gold):
    with ends():
        matched = align(page, gold)
    assert len(matched) == len(page)


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda n: (["a"] * n, ["a"] * n), id="one word"),
        pytest.param(lambda n: (["a", "b"] * n, ["b", "a", "c"] * n), id="two words"),
        pytest.param(lambda n: (prose("a", n), prose("a", n)[::-1]), id="backwards"),
    ],
)
def test_the_work_grows_with_the_texts(make):
    assert growth(lambda texts: align(*texts), make, 2_000) < 8


def test_a_word_that_is_frequent_in_a_short_gap_counts_too():
    assert align(["x", "the"], ["y", *["the"] * 300]).tolist() == [False, True]


def test_what_the_gold_text_says_once_and_in_order_is_not_found_again():
    body, teaser = prose("body", 200), prose("teaser", 6)
    gold = [*body[:100], *teaser, *body[100:]]
    found = align([*teaser, *prose("menu", 80), *gold], gold)
    assert not found[:86].any()
    assert found[86:].all()


def test_nothing_matches_nothing():
    assert align([], []).tolist() == []
    assert align(["a"], []).tolist() == [False]
    assert align([], ["a"]).tolist() == []


@given(st.lists(st.integers(0, 12), max_size=9, unique=True))
def test_the_longest_chain_is_the_longest(other):
    at = list(range(len(other)))
    chain = _longest_chain(at, other)
    assert all(a < c and b < d for (a, b), (c, d) in pairwise(chain))
    assert set(chain) <= set(zip(at, other, strict=True))
    best = max(
        (size for size in range(len(other) + 1)
         for taken in combinations(other, size) if list(taken) == sorted(taken)),
        default=0,
    )  # fmt: skip
    assert len(chain) == best


@given(st.lists(st.integers(0, 3), max_size=20), st.integers(1, 4))
def test_equal_runs_have_equal_numbers(tokens, length):
    found = _runs(np.array(tokens, np.int64), length).tolist()
    runs = [tuple(tokens[at : at + length]) for at in range(len(tokens) - length + 1)]
    assert len(found) == len(runs)
    for one, number in zip(runs, found, strict=True):
        assert [run == one for run in runs] == [other == number for other in found]


@given(st.lists(st.integers(0, 5), max_size=14), st.lists(st.integers(0, 5), max_size=14))
def test_anchors_occur_once_in_both(one, two):
    for at, other in _anchors(np.array(one, np.int64), np.array(two, np.int64), 2):
        run = one[at : at + 2]
        assert run == two[other : other + 2]
        for text in (one, two):
            assert sum(text[here : here + 2] == run for here in range(len(text))) == 1


def test_labels_are_shares_of_the_words_of_blocks():
    label, count = label_blocks(
        [["home"], [], ["some", "good", "words", "here"]], "good words here"
    )
    assert label.tolist() == [0, 0, 0.75]
    assert count.tolist() == [1, 0, 4]


def test_of_two_copies_the_one_in_its_place_is_labelled():
    title, body = "a title said twice".split(), prose("body", 200)
    found = [title, ["short"], title, body, ["short"]]
    label, _ = label_blocks(found, " ".join([*title, "short", *body]))
    assert label[[0, 2, 3]].tolist() == [1, 0, 1]
    assert label[[1, 4]].sum() == 1


def test_no_blocks_have_no_labels():
    assert [each.tolist() for each in label_blocks([], "gold")] == [[], []]


@given(st.lists(st.lists(st.sampled_from("abcdef"), max_size=6), max_size=9))
def test_labels_of_the_whole_text_are_one(found):
    label, count = label_blocks(found, " ".join(word for words in found for word in words))
    assert label.tolist() == [float(bool(words)) for words in found]
    assert count.tolist() == list(map(len, found))


def test_the_words_of_blocks_are_those_of_the_page():
    page = parse("<title>no</title><p>One <b>two</b>three<p>… four<script>x</script>")
    assert block_words(page, text_blocks(page)) == [["one", "two", "three"], ["four"]]
