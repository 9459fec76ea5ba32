"""Clutter scores against the definition in exact arithmetic, and the guards."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import METHODS, detect_clutter
from pagelet.methods.clutter import score_blocks
from tests.build import documents, flat_menu, html, page_of
from tests.effort import ends
from tests.naive import clutter as naive
from tests.naive import tree as plain

PAPER = METHODS["clutter"].profiles["paper"].options
PROSE = ("p", "prose that nobody links to " * 10)
LINK = ("a", {"href": "/"}, "link")

options = st.builds(
    lambda **changes: dataclasses.replace(PAPER, **changes),
    tag_threshold=st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]),
    text_threshold=st.sampled_from([0.0, 0.2, 0.4, 0.5, 1.0]),
    decay=st.sampled_from([0.0, 0.05, 0.1, 0.2, 0.3, 1.0]),
    decay_shape=st.sampled_from(["linear", "geometric"]),
    pictures=st.booleans(),
    min_links=st.integers(0, 3),
    max_plain_share=st.sampled_from([0.0, 0.3, 0.5, 0.7, 1.0]),
    min_score=st.sampled_from([1, 2]),
)


@given(documents, options)
def test_ratios_and_scores_equal_the_definition(tree, options):
    found = score_blocks(page_of(tree), options)
    expected = list(naive.scores(plain.read(tree), options).values())
    np.testing.assert_allclose(found.tag_ratio, [float(tag) for tag, _, _ in expected], atol=1e-9)
    np.testing.assert_allclose(
        found.text_ratio, [float(text) for _, text, _ in expected], atol=1e-9
    )
    assert found.score.tolist() == [points for _, _, points in expected]


@given(documents, options)
def test_the_answer_equals_the_definition(tree, options):
    found = detect_clutter(page_of(tree), options=options, profile="paper")
    root = plain.read(tree)
    expected = naive.topmost(root, options)
    assert [item.row for item in found] == [plain.number_of(root, block) for block in expected]
    points = naive.scores(root, options)
    assert [item.score for item in found] == [points[block][2] for block in expected]


@given(documents, options)
def test_all_answers_every_block(tree, options):
    found = detect_clutter(
        page_of(tree), options=dataclasses.replace(options, all=True), profile="paper"
    )
    root = plain.read(tree)
    assert [item.row for item in found] == [plain.number_of(root, b) for b in naive.blocks(root)]


def nested(levels):
    tree = ()
    for anchors, tags in reversed(levels):
        links = [LINK] * anchors
        tree = (("div", *links, *[("b", "word")] * (tags - anchors), *tree),)
    return tree


ladders = st.lists(
    st.integers(0, 4).flatmap(lambda tags: st.tuples(st.integers(0, tags), st.just(tags))),
    min_size=1,
    max_size=7,
)


@pytest.mark.parametrize("shape", ["linear", "geometric"])
@pytest.mark.parametrize("threshold", [0.4, 0.5, 0.6, 0.75])
@given(levels=ladders, decay=st.sampled_from([0.05, 0.1, 0.2, 0.3]))
def test_a_ratio_that_meets_the_threshold_scores(threshold, shape, levels, decay):
    tree = html(*nested(levels))
    options = dataclasses.replace(
        PAPER, tag_threshold=threshold, text_threshold=threshold, decay=decay, decay_shape=shape
    )
    found = score_blocks(page_of(tree), options).score.tolist()
    assert found == [points for _, _, points in naive.scores(plain.read(tree), options).values()]


# -- by hand ----------------------------------------------------------------------------------


def paths(tree, **changes):
    page = page_of(html(*tree))
    options = dataclasses.replace(PAPER, **changes)
    return [item.path for item in detect_clutter(page, options=options, profile="paper")]


LISTS = ("div", flat_menu(4), flat_menu(3))

ANSWERS = {
    "a list of links": ((flat_menu(4), PROSE), ["/html/body/ul"]),
    "the top-most of nested ones": ((LISTS, PROSE), ["/html/body/div"]),
    "prose is none": ((PROSE,), []),
    "never body": ((flat_menu(4),), ["/html/body/ul"]),
    "not the half of the page's text": ((("div", PROSE, *[LINK] * 90),), []),
    "prose without a link": ((("div", "words"), ("div", LINK), PROSE), ["/html/body/div[2]"]),
    "nothing": ((), []),
}


@pytest.mark.parametrize(("tree", "expected"), ANSWERS.values(), ids=ANSWERS)
def test_answers(tree, expected):
    assert paths(tree) == expected


@pytest.mark.parametrize("decay", [0.0, 0.1])
def test_a_body_that_stands_alone(decay):
    tree = ("body", PROSE, ("div", flat_menu(4)))
    options = dataclasses.replace(PAPER, decay=decay)
    with ends():
        found = score_blocks(page_of(tree), options)
    expected = naive.scores(plain.read(tree), options).values()
    np.testing.assert_allclose(found.text_ratio, [float(text) for _, text, _ in expected])


def test_exactly_half_of_the_plain_text_is_not_more_than_half():
    links = [LINK] * 9
    tree = (("div", "12345", *links), ("p", "67890"))
    assert paths(tree) == ["/html/body/div"]
    assert paths((("div", "123456", *links), ("p", "7890"))) == []


def test_score_1_may_count_as_clutter():
    tree = (
        ("div", ("p", LINK, "so"), ("p", "a"), ("p", "b")),
        PROSE,
    )  # 1 of 4 tags, 4 of 8 characters
    assert paths(tree) == []
    assert paths(tree, min_score=1) == ["/html/body/div"]


def test_the_reason_holds_both_ratios():
    page = page_of(html(flat_menu(4), PROSE))
    (item,) = detect_clutter(page, options=PAPER)
    assert (item.kind, item.score, item.reason) == ("clutter", 2, {"tag_ratio": 1, "text_ratio": 1})


def test_the_published_values():
    assert (PAPER.tag_threshold, PAPER.text_threshold, PAPER.min_score) == (0.5, 0.4, 2)
    assert (PAPER.min_links, PAPER.max_plain_share) == (0, 0.5)
    assert (PAPER.decay, PAPER.decay_shape, PAPER.pictures, PAPER.all) == (
        0.1,
        "linear",
        False,
        False,
    )
