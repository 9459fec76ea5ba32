"""Page types: words from the URL, the head, the body tag and the counts, and a softmax."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import core, parse
from pagelet.methods.content.choice import model_features
from pagelet.methods.content.model import (
    COUNTED_TAGS,
    FEATURE_STEPS,
    MAX_VALUE_CHARS,
    TYPES,
    PageTypes,
    shipped_model,
    type_probabilities,
    type_words,
)
from pagelet.page.textblocks import text_blocks
from tests import hostile
from tests.build import html, page_of, trees
from tests.cases import case
from tests.cores import ask_both, twins
from tests.effort import ends

NONE = dict.fromkeys(FEATURE_STEPS, 0.0)


def words_of(source, url=None, totals=NONE):
    return type_words(parse(source, url), totals)


def of_url(url):
    """The words with the URL that are missing without it."""
    return words_of("x", url) - words_of("x")


@pytest.mark.parametrize(
    ("url", "words"),
    [
        pytest.param(
            "https://www.shop.example/Forum/thread-12345?Page=two&x=1",
            {"path:forum", "path:thread", "path:NUMBER", "query:page", "query:two",
             "host:www", "parts:2", "hyphens:1"},
            id="all parts",
        ),
        pytest.param(
            "https://example.org/2024/05/a_b-c.html",
            {"path:html", "path:YEAR", "path:NUMBER", "parts:3", "hyphens:2"},
            id="a year",
        ),
        pytest.param("https://example.org/", {"parts:0", "hyphens:0"}, id="home"),
        pytest.param("https://example.org/a/b/c/d/e/f/g/h", {"parts:6", "hyphens:0"}, id="deep"),
        pytest.param("https://e.org/" + "-" * 50, {"parts:1", "hyphens:8"}, id="many hyphens"),
        pytest.param("http://[::1", set(), id="no URL at all"),
    ],
)  # fmt: skip
def test_what_a_url_says(url, words):
    assert of_url(url) == words


def test_a_page_without_url_says_so():
    assert "url:none" in words_of("x")
    assert "url:none" in type_words(page_of(html("x"), url=""), NONE)
    assert "url:none" not in words_of("x", "https://example.org/")


@given(st.text(max_size=40) | st.text("/:[]@?#%.-_0a", max_size=30))
def test_any_url_is_read(url):
    found = type_words(page_of(html("x"), url=url), NONE)
    assert all(isinstance(word, str) and len(word) < 700 for word in found)


def test_a_long_url_is_read_in_part():
    assert "path:late" not in of_url("https://example.org/" + "1" * MAX_VALUE_CHARS + "/late")


def test_a_long_property_is_read_in_part():
    found = words_of(f"<meta property='article:{'x' * 9_000}'>")
    assert max(map(len, found)) == MAX_VALUE_CHARS + len("meta:")


def test_what_head_and_body_say():
    found = words_of(
        "<html class='NoJs x' id=doc><meta property='article:tag' content=x>"
        "<meta property='og:type' content=Product>"
        "<meta name=Generator content='Word Press 6 a bb cc'>"
        "<body class='single-post' id=Top><div class=not-me itemtype='https://schema.org/Recipe'>x"
    )
    words = {word for word in found if word.partition(":")[0] in ("body", "meta", "made", "is")}
    assert words == {
        *("body:nojs", "body:doc", "body:single", "body:post", "body:top"),
        *("meta:article:tag", "made:word", "made:press", "made:bb"),
        *("is:product", "is:recipe"),
    }


@pytest.mark.parametrize(("number", "step"), [(0, 0), (1, 1), (2, 1), (3, 2), (7, 3), (500, 6)])
def test_tags_are_counted_by_the_logarithm(number, step):
    found = type_words(page_of(html(*[("article", "x")] * number)), NONE)
    assert f"article:{step}" in found
    assert {word.partition(":")[0] for word in found} >= set(COUNTED_TAGS)


@pytest.mark.parametrize("name", FEATURE_STEPS)
def test_steps_rise_and_their_number_is_the_word(name):
    steps = FEATURE_STEPS[name]
    assert list(steps) == sorted(set(steps))
    for at, step in enumerate(steps):
        assert f"{name}:{at}" in words_of("x", totals=NONE | {name: step})
        assert f"{name}:{at + 1}" in words_of("x", totals=NONE | {name: step * 1.0001})


@given(trees)
def test_the_same_page_says_the_same_and_each_count_once(tree):
    found = type_words(page_of(tree), NONE)
    assert found == type_words(page_of(tree), NONE)
    for name in (*COUNTED_TAGS, *FEATURE_STEPS):
        assert sum(word.startswith(f"{name}:") for word in found) == 1


def test_hostile_pages_say_something():
    for name in hostile.QUICK:
        with case(name), ends():
            found = type_words(hostile.page(name), NONE)
            assert "url:none" in found
            assert max(map(len, found)) < MAX_VALUE_CHARS + 20


# The softmax over the words, worked by hand

WORDS = ("forum", "post", "price", "cart")
MODEL = PageTypes(
    {word: at for at, word in enumerate(WORDS)},
    np.array([[2.0, -1.0], [0.1, 0.2], [-3.0, 1.0], [0.3, 0.7]]),
    np.array([0.5, 0.0]),
)


def by_hand(words):
    scores = list(MODEL.bias)
    for word in set(words) & set(WORDS):
        scores = [a + b for a, b in zip(scores, MODEL.weights[MODEL.words[word]], strict=True)]
    odds = [math.exp(score) for score in scores]
    return [each / sum(odds) for each in odds]


@given(st.lists(st.sampled_from((*WORDS, "unknown")), unique=True))
def test_probabilities_equal_the_formula(words):
    found = MODEL.probabilities(words)
    assert found.tolist() == pytest.approx(by_hand(words))
    assert found.sum() == pytest.approx(1)


@given(st.permutations((*WORDS, "unknown")))
def test_the_order_of_words_changes_no_bit(words):
    assert MODEL.probabilities(words).tobytes() == MODEL.probabilities(WORDS).tobytes()


def test_a_page_without_words_has_the_bias():
    assert MODEL.probabilities(()).tolist() == pytest.approx(by_hand(()))


def test_huge_weights_do_not_overflow():
    sure = PageTypes({"x": 0}, np.array([[1e4, -1e4]]), np.zeros(2))
    assert sure.probabilities(["x"]).tolist() == [1, 0]


def test_types_are_distinct():
    assert len(set(TYPES)) == len(TYPES) == 7


LONG = "a" * 41 + " B" + "c" * 21
SOURCES = [
    '<html class="Home single-Post" id=top><body class="logged-in page" id="page">text',
    f'<body class="{LONG}" id="x yy zzz">text',
    f'<html class="É kelvin-\u212aelvin \u0130stanbul"><body class="{"w1 " * 300}">text',
    '<meta property="article:author"><meta property="Article:x"><meta property="product:price">t',
    f'<meta property="article:{"é" * 300}"><meta property="product:{"x" * 700}">text',
    '<meta name=GENERATOR content="Word Press 6.1 by us all"><meta name=generator>text',
    '<meta name=generator content="Él one two three"><meta name=generators content=no>text',
    '<div itemtype="https://schema.org/Product" itemscope><p>a b</p><p>c</p><img></div>' * 9,
    '<meta property="og:type" content="article"><h1>One</h1>' + "<p>some words</p>" * 400,
]


@twins
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("url", [None, "https://www.example.org/news/2020/a-b"])
def test_words_of_types_are_looked_up_as_python_does(source, url):
    page = parse(source, url)
    features, _ = model_features(page, text_blocks(page), shipped_model(), "auto")
    totals = {name: float(features[name][0]) for name in FEATURE_STEPS}
    words = sorted(type_words(page, totals))
    rare = [f"{word}x" for word in words]
    rows = {word: row for row, word in enumerate([*rare, *words])}
    weights = np.sin(np.arange(len(rows) * len(TYPES), dtype=np.float64)).reshape(-1, len(TYPES))
    types = PageTypes(rows, weights, np.zeros(len(TYPES)))
    compiled, python = ask_both(lambda: type_probabilities(types, parse(source, url), features))
    assert compiled.tolist() == python.tolist()
    assert len(words) > len(COUNTED_TAGS)


@twins
def test_tables_of_words_of_types_that_do_not_fit():
    words, none = core.kernels.PhraseTable((), np.zeros(0, np.int64)), np.zeros((0, 7), np.int32)
    tags, weights, bias = np.zeros(1, np.int32), np.zeros((0, 2)), np.array([1.0, 3.0])
    with pytest.raises(ValueError, match="one line"):
        core.kernels.TypeWords(words, tags, none, (), none, weights, bias)
    one = np.zeros((1, 1), np.int32)
    with pytest.raises(ValueError, match="one row for"):
        core.kernels.TypeWords(words, tags[:0], none, ((1.0,),), one, weights, bias)
    with pytest.raises(ValueError, match="one row of weights"):
        core.kernels.TypeWords(words, tags[:0], none, (), none, weights, bias[1:])
    page, score = parse("text"), np.empty(2)
    empty = core.kernels.TypeWords(words, tags[:0], none, (), none, weights, bias)
    empty.score(page.wanted, page.tag, page.body, [], ["any"], lambda kind, value: [], score)
    assert score.tolist() == [-2, 0]
    with pytest.raises(ValueError, match="one total"):
        empty.score(page.wanted, page.tag, page.body, [1.0], [], lambda kind, value: [], score)
    with pytest.raises(ValueError, match="one score"):
        empty.score(page.wanted, page.tag, page.body, [], [], lambda kind, value: [], score[1:])
