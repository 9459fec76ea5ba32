"""The choice of blocks: against every set of blocks, and what any answer must hold."""

import hashlib
import os
import subprocess
import sys
from itertools import combinations, compress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import core, parse
from pagelet.errors import PageletError
from pagelet.methods.content.choice import (
    BANNER_LOG_ODDS,
    BARE,
    BETA,
    LEAD_LOG_ODDS,
    MAX_THRESHOLD,
    MIN_THRESHOLD,
    banner_log_odds,
    best_threshold,
    decide,
    expected_f1,
    lead_log_odds,
)
from pagelet.methods.content.features import content_features
from pagelet.methods.content.model import TYPES, ContentModel, PageTypes
from pagelet.methods.content.repeats import find_repeats
from pagelet.models.features import FeatureTable
from pagelet.models.lexicon import Lexicon
from pagelet.models.trees import Trees
from pagelet.page.textblocks import text_blocks
from tests import hostile
from tests.build import html, page_of, trees
from tests.cores import twins
from tests.effort import ends
from tests.page.test_textblocks import rows_of_each
from tests.places import ROOT

blocks = st.lists(
    st.tuples(st.sampled_from((0.01, 0.1, 0.2, 0.3, 0.5, 0.5, 0.7, 0.99)), st.integers(0, 60)),
    min_size=1,
    max_size=8,
)
betas = st.sampled_from(tuple(BETA.values()))

ONE = page_of(html("x"))
NAMES = (
    *content_features(ONE, text_blocks(ONE), np.zeros((3, len(ONE)))).names,
    *(f"type_{name}" for name in TYPES),
    "bare",
)


def model(feature="words", threshold=3.5, low=-2.0, high=2.0):
    """One tree with one question, the same whatever features there are."""
    trees = Trees(
        np.array([0]),
        np.array([NAMES.index(feature), 0, 0]),
        np.array([threshold, np.inf, np.inf]),
        np.array([1, 1, 2]),
        np.array([0.0, low, high]),
        depth=1,
        names=NAMES,
    )
    words = {"path:forum": 0, "url:none": 1}
    weights = np.zeros((2, 7))
    weights[0, TYPES.index("forum")] = 5
    return ContentModel(
        Lexicon(("menu", "main"), np.array([[-1.0, 0.5, 0.25], [1.0, 2.0, 4.0]])),
        PageTypes(words, weights, np.zeros(7)),
        trees,
        np.array([0.0, 0.5, 1.0]),
        np.array([0.1, 0.4, 0.9]),
    )


def expected_score(pairs, taken, beta):
    """The F-beta to be expected of some blocks, worked out from its definition."""
    right = sum(pairs[at][0] * pairs[at][1] for at in taken)
    chosen, wanted = sum(pairs[at][1] for at in taken), sum(p * words for p, words in pairs)
    if not right:
        return 0.0
    precision, recall = right / chosen, right / wanted
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


@given(blocks, betas)
def test_no_set_of_blocks_is_expected_to_do_better(pairs, beta):
    probability, words = (np.array(each, float) for each in zip(*pairs, strict=True))
    threshold = best_threshold(probability, words, beta)
    low, high = min(MIN_THRESHOLD, MIN_THRESHOLD / beta), max(MAX_THRESHOLD, 1 - 0.4 * beta)
    assert low <= threshold <= high
    if low < threshold < high:
        chosen = np.flatnonzero(probability >= threshold).tolist()
        places = range(len(pairs))
        every = [taken for size in places for taken in combinations(places, size + 1)]
        best = max(expected_score(pairs, taken, beta) for taken in every)
        assert expected_score(pairs, chosen, beta) == pytest.approx(best)


@given(blocks, betas)
def test_the_best_prefix_is_taken_within_the_limits(pairs, beta):
    probability, words = (np.array(each, float) for each in zip(*pairs, strict=True))
    order = sorted(range(len(pairs)), key=lambda at: -pairs[at][0])
    scores = [expected_score(pairs, order[: size + 1], beta) for size in range(len(order))]
    good = [at for at, score in enumerate(scores) if score == pytest.approx(max(scores))]
    wanted = {probability[order[at]] for at in good}
    low, high = min(MIN_THRESHOLD, MIN_THRESHOLD / beta), max(MAX_THRESHOLD, 1 - 0.4 * beta)
    threshold = best_threshold(probability, words, beta)
    assert min(abs(threshold - min(max(each, low), high)) for each in wanted) < 1e-12


@given(blocks)
def test_who_favours_recall_takes_more(pairs):
    probability, words = (np.array(each, float) for each in zip(*pairs, strict=True))
    found = [best_threshold(probability, words, beta) for beta in sorted(BETA.values())]
    assert found == sorted(found, reverse=True)


def test_limits_by_hand():
    sure, doubtful = np.array([0.99, 0.97]), np.array([0.01, 0.001])
    words = np.array([10.0, 10.0])
    assert best_threshold(sure, words, 1.0) == 0.6
    assert best_threshold(sure, words, 0.5) == 0.8
    assert best_threshold(doubtful, words, 1.0) == 0.15
    assert best_threshold(doubtful, words, 2.0) == 0.075


def test_blocks_without_words_do_no_harm():
    threshold = best_threshold(np.array([0.4, 0.3]), np.zeros(2), 1.0)
    assert MIN_THRESHOLD <= threshold <= MAX_THRESHOLD
    assert expected_f1(np.array([0.4]), np.zeros(1), np.array([True])) == 0


@given(blocks, st.data())
def test_expected_f1_equals_its_definition(pairs, data):
    probability, words = (np.array(each, float) for each in zip(*pairs, strict=True))
    taken = data.draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
    found = expected_f1(probability, words, np.array(taken))
    assert found == pytest.approx(expected_score(pairs, np.flatnonzero(taken).tolist(), 1.0))
    assert 0 <= found <= 1


@twins
@pytest.mark.parametrize("count", [0, 1, 9, 300])
def test_both_cores_expect_the_same_f1(count):
    numbers = np.random.default_rng(count)
    probability, words = numbers.random(count), numbers.integers(0, 90, count).astype(float)
    left_out, taken = numbers.random((2, count)) < 0.3
    marks = (left_out.view(np.uint8), taken.view(np.uint8))
    compiled = core.kernels.expected_f1(probability, words.astype(np.float32), *marks)
    assert compiled == expected_f1(np.where(left_out, 0.0, probability), words, taken)


@twins
def test_marks_of_other_blocks_are_refused():
    marks = (np.zeros(2, np.uint8), np.zeros(3, np.uint8))
    with pytest.raises(ValueError, match="one mark"):
        core.kernels.expected_f1(np.zeros(2), np.zeros(2, np.float32), *marks)


@given(trees, st.sampled_from(tuple(BETA)), st.sampled_from(tuple(BARE)))
def test_a_decision_fits_its_page(tree, favor, target):
    page = page_of(tree)
    found = decide(page, model(), favor, target)
    number = len(text_blocks(page))
    assert len(found.probability) == len(found.kept) == number
    assert len(found.features.rows) == number
    assert ((found.probability > 0) & (found.probability < 1)).all()
    assert 0 <= found.confidence <= 1
    rows = [row for each in compress(rows_of_each(found.blocks), found.kept) for row in each]
    assert np.flatnonzero(found.text_rows()).tolist() == rows
    if number:
        assert sum(found.page_type.values()) == pytest.approx(1)
        assert tuple(found.page_type) == TYPES


def test_a_decision_by_hand():
    page = page_of(html(("p", "one two three four"), ("p", "one"), ("p", "a b c d e")))
    found = decide(page, model(), "balanced", "auto")
    high, low = 1 / (1 + np.exp(-2)), 1 / (1 + np.exp(2))
    assert found.probability.tolist() == pytest.approx([high, low, high])
    assert found.kept.tolist() == [True, False, True]
    expected = 2 * 9 * high / (9 + 9 * high + low)
    assert found.confidence == pytest.approx(np.interp(expected, [0, 0.5, 1], [0.1, 0.4, 0.9]))


def test_the_block_that_sets_the_threshold_is_kept():
    page = page_of(html(("p", "one two three four"), ("p", "four three two one"), ("p", "one")))
    found = decide(page, model(low=-9.0, high=0.1), "balanced", "auto")
    assert MIN_THRESHOLD < found.probability[0] < MAX_THRESHOLD
    assert found.kept.tolist() == [True, True, False]


def test_the_bare_article_is_a_target_of_its_own():
    page = page_of(html(("p", "one two three four"), ("p", "one")))
    by_target = model("bare", 0.5)
    assert decide(page, by_target, "balanced", "article").kept.all()
    assert not decide(page, by_target, "balanced", "auto").kept.any()


def test_all_is_recall_unless_precision_is_favoured():
    pairs = html(("p", "one two three four"), ("p", "four three two one"), *[("p", "one")] * 8)
    unsure = model(low=-1.4, high=3.0)
    kept = {
        (favor, target): int(decide(page_of(pairs), unsure, favor, target).kept.sum())
        for favor in BETA
        for target in ("auto", "all")
    }
    assert kept["balanced", "all"] == kept["recall", "auto"] == kept["recall", "all"] == 10
    assert kept["precision", "all"] == kept["precision", "auto"] == kept["balanced", "auto"] == 2


def test_the_url_speaks_only_through_the_page_type():
    tree = html(("p", {"class": "main"}, "one two three four"), ("p", "one"))
    one = decide(page_of(tree), model(), "balanced", "auto")
    other = decide(page_of(tree, "https://a.example/forum/1"), model(), "balanced", "auto")
    differ = np.flatnonzero((one.features.lines != other.features.lines).any(axis=1)).tolist()
    assert differ
    assert {one.features.names[at].partition("_")[0] for at in differ} == {"type"}
    assert one.page_type["forum"] < other.page_type["forum"]


repeated = st.sampled_from(
    ("One two three", "one two  three four", "ONE TWO three four", "a " * 20)
)


@given(st.lists(st.tuples(st.sampled_from(("p", "td", "pre")), repeated, st.integers(0, 3))))
def test_of_equal_blocks_in_unlike_places_the_likeliest_stays(made):
    places = [("div", {"class": f"c{at}"}, (name, text)) for at, (name, text, _) in enumerate(made)]
    page = page_of(html(*places))
    parted = text_blocks(page)
    chance = np.array([(0.0, 0.1, 0.5, 0.9)[at] for _, _, at in made])
    words = parted.sum(page.words).astype(float)
    likely = chance >= MIN_THRESHOLD / 2
    found = np.flatnonzero(find_repeats(page, parted, chance, likely)).tolist()
    expected = []
    for at, (_, text, _) in enumerate(made):
        same = [
            other
            for other, (holder, twin, _) in enumerate(made)
            if twin.lower().split() == text.lower().split()
            and chance[other] >= MIN_THRESHOLD / 2
            and words[other] >= (4 if holder == "p" else 20)
        ]
        if at in same and at != max(same, key=lambda each: (chance[each], -each)):
            expected.append(at)
    assert found == expected


@pytest.mark.parametrize("name", ["empty str", "html alone", "body alone", "no body", "frameset"])
def test_pages_without_text_have_an_answer(name):
    found = decide(hostile.page(name), model(), "balanced", "auto")
    assert len(found.kept) == 0
    assert not found.text_rows().any()


@pytest.mark.parametrize(
    "name", ["true depth", "nested divs", "deep menus", "many names", "random markup", "comments"]
)
def test_hostile_pages_are_decided(name):
    page = hostile.page(name)
    with ends():
        found = decide(page, model(), "balanced", "auto")
    assert np.isfinite(found.features.lines).all()
    assert np.isfinite(found.probability).all()


def test_a_model_for_other_features_is_refused():
    stale = model()
    stale = ContentModel(
        stale.lexicon,
        stale.types,
        Trees(*[getattr(stale.trees, name) for name in ("roots", "feature", "threshold", "left",
                                                        "value")], 1, ("x", *NAMES)),
        stale.expected,
        stale.reached,
    )  # fmt: skip
    with pytest.raises(PageletError, match="features"):
        decide(page_of(html("x")), stale, "balanced", "auto")


SAME = """
from pagelet import parse
from pagelet.methods.content.choice import decide
from tests.methods.content.test_choice import LONG_PAGE, digest, model
print(digest(decide(parse(LONG_PAGE, "https://a.example/forum/x-1"), model(), "balanced", "auto")))
"""
LONG_PAGE = (
    "<html class='one two' id=x><title>A title of some length</title>"
    "<meta property='article:section' content=x><meta name=generator content='Word Press x'>"
    "<body class='single post wide'><div class='menu top'><a href=/>Home</a></div>"
    "<main class='main entry'><h1>A title of some length</h1>"
    + "".join(f"<p class='p{at}'>Some words, number {at}. " for at in range(30))
)


def digest(found):
    parts = (found.features.lines.tobytes(), found.probability.tobytes(), found.kept.tobytes())
    more = repr((found.page_type, found.confidence, found.features.names)).encode()
    return hashlib.sha256(b"".join((*parts, more))).hexdigest()


def test_the_same_page_gets_the_same_answer_in_every_process():
    here = digest(
        decide(parse(LONG_PAGE, "https://a.example/forum/x-1"), model(), "balanced", "auto")
    )
    for seed in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", SAME],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == here


def test_lines_that_lead_to_other_pages_are_less_likely():
    table = FeatureTable.of(
        {
            "words": np.array([5, 60, 6, 6, 5]),
            "see_also": np.array([1, 1, 0, 0, 1]),
            "see_also_before": np.array([0, 1, 1, 1, 0]),
            "link_density": np.array([0, 1, 1, 0, 1]),
            "type_documentation": np.array([0, 0, 0, 0, 0.9]),
        },
        5,
    )
    half = LEAD_LOG_ODDS / 2
    assert lead_log_odds(table).tolist() == [LEAD_LOG_ODDS, 0, half, 0, 0]


def test_a_banner_above_the_title_is_less_likely():
    table = FeatureTable.of(
        {
            "since_first_title": np.array([-4, -4, 3]),
            "cookies_near": np.array([3, 1, 3]),
        },
        3,
    )
    assert banner_log_odds(table).tolist() == [BANNER_LOG_ODDS, 0, 0]
