"""Examples worked by hand from Mantratzis, Orgun, Cassidy, HT 2005."""

import dataclasses

import pytest

from pagelet import METHODS
from pagelet.methods.clutter import score_blocks
from tests.build import deep, html, page_of

PAPER = METHODS["clutter"].profiles["paper"].options
LINK = ("a", {"href": "/"}, "four")


def scored(tree, **changes):
    """Tag ratio, text ratio and score of the first block below body."""
    found = score_blocks(page_of(html(tree)), dataclasses.replace(PAPER, **changes))
    return found.tag_ratio[1], found.text_ratio[1], found.score[1]


EXAMPLES = {
    "p > a: one of two tags, and that is enough": (("div", ("p", LINK)), (0.5, 1.0, 2)),
    "bare links": (("div", LINK, LINK), (1.0, 1.0, 2)),
    "a link in prose": (("div", ("p", "sixteen letters.", LINK)), (0.5, 0.2, 1)),
    "text at the threshold": (("div", LINK, "sixtyy"), (1.0, 0.4, 2)),
    "text below the threshold": (("div", LINK, "seventy"), (1.0, 4 / 11, 1)),
    "tags below the threshold": (("div", LINK, ("b", "x"), ("i", "y")), (1 / 3, 4 / 6, 1)),
    "direct text of a cell": (("td", "prose in a cell"), (0.0, 0.0, 0)),
    "nothing": (("div",), (0.0, 0.0, 0)),
    "a picture link has no character": (("div", ("a", {"href": "/"}, ("img",))), (0.0, 0.0, 0)),
    "nested inline tags: each a tag": (("div", ("p", ("strong", LINK))), (1 / 3, 1.0, 1)),
}


@pytest.mark.parametrize(("tree", "expected"), EXAMPLES.values(), ids=EXAMPLES)
def test_examples(tree, expected):
    assert scored(tree) == pytest.approx(expected)


#: A link two levels down, a tag of the same length one level down; sums seen from the div.
NESTED = ("div", ("ul", ("li", LINK), ("b", "word")))


@pytest.mark.parametrize(
    ("decay", "shape", "near", "far"),
    [
        pytest.param(0.0, "linear", 1.0, 1.0, id="no decay"),
        pytest.param(0.1, "linear", 0.9, 0.8, id="linear: one tenth a level"),
        pytest.param(0.3, "linear", 0.7, 0.4, id="linear: three tenths a level"),
        pytest.param(0.5, "linear", 0.5, 0.0, id="linear: nothing is left at the second level"),
        pytest.param(0.6, "linear", 0.4, 0.0, id="linear: never below nothing"),
        pytest.param(0.1, "geometric", 0.9, 0.81, id="geometric"),
        pytest.param(0.5, "geometric", 0.5, 0.25, id="geometric: a half a level"),
        pytest.param(0.0, "geometric", 1.0, 1.0, id="geometric without decay"),
    ],
)
def test_what_is_far_counts_less(decay, shape, near, far):
    tag, text, _ = scored(NESTED, decay=decay, decay_shape=shape)
    assert (tag, text) == pytest.approx((far / (near + far), far / (near + far)))


def test_with_full_decay_only_what_is_attached_counts():
    assert scored(NESTED, decay=1.0) == (0, 0, 0)


@pytest.mark.parametrize("levels", [1, 5, 9])
def test_a_chain_around_one_list_changes_nothing(levels):
    tree = deep(levels, ("p", LINK), ("p", "four"))
    assert scored(tree) == pytest.approx((1 / 3, 0.5, 1))


def test_from_ten_levels_up_nothing_is_seen():
    assert scored(deep(11, LINK)) == (0, 0, 0)
    assert scored(deep(10, LINK)) == pytest.approx((1, 1, 2))
