"""Elements that may be clutter: the compiled core against numpy, bit for bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import core, parse
from pagelet.methods.clutter.ads import _is_ad_label, ad_boxes, short_texts
from pagelet.methods.clutter.blocks import find_blocks
from pagelet.methods.clutter.options import ClutterOptions
from pagelet.methods.clutter.probability import (
    ClutterElements,
    _find_topmost,
    choose,
    find_elements,
    join_elements,
)
from pagelet.methods.links import model_of
from pagelet.methods.links.groups import find_groups
from pagelet.methods.registry import Evidence
from pagelet.models.trees import NO_FILES, SHIPPED
from tests.build import page_of, trees
from tests.cores import ask_both, twins

pytestmark = twins

LISTS = """<body><header><nav><ul><li><a href=/1>One</a><li><a href=/2>Two</a></ul></nav></header>
<main><h1>T</h1><p>{words}<a href=/in>in it</a></p></main><div><h3>Related</h3><ul>
<li><a href=/a>First</a><li><a href=/b>Second</a><li><a href=/c>Third</a></ul></div>
<div><h4>Anzeige</h4><p>Buy <a href=//x.y>pots</a> and pans</p></div>
<div><a href=/s>S</a> <a href=/m>M</a> <a href=/l>L</a></div>
<footer><p>(c)</p><a href=/p>Privacy</a> <a href=/t>Terms</a></footer>
""".format(words="Words of running text. " * 9)


def elements_of(page):
    """All elements, and those that are clutter."""
    model = model_of(SHIPPED, NO_FILES)
    found = find_elements(page, ClutterOptions(), Evidence(), model)
    return listed(found), listed(choose(page, found, ClutterOptions()))


def listed(found: ClutterElements):
    names = ("rows", "block", "probability", "role", "ad", "may")
    return {name: getattr(found, name).tolist() for name in names}


def test_the_same_clutter():
    compiled, python = ask_both(lambda: elements_of(parse(LISTS)))
    assert compiled == python
    assert any(compiled[1]["ad"]), "a box of ads"


@given(trees)
def test_the_same_clutter_of_any_page(tree):
    compiled, python = ask_both(lambda: elements_of(page_of(tree)))
    assert compiled == python


@given(trees)
def test_the_same_blocks(tree):
    page = page_of(tree)
    compiled, python = ask_both(lambda: find_blocks(page))
    for name in ("rows", "parent", "owner"):
        assert getattr(compiled, name).tolist() == getattr(python, name).tolist()


@given(trees, st.randoms(use_true_random=False))
def test_the_same_elements_are_topmost(tree, random):
    page = page_of(tree)
    below = range(page.body + 1, len(page))  # body is no clutter
    rows = np.array([row for row in below if random.random() < 0.7], np.intp)
    chosen = np.array([random.random() < 0.4 for _ in rows], np.bool_)
    compiled, python = ask_both(lambda: _find_topmost(page, rows, chosen))
    assert [each.tolist() for each in compiled] == [each.tolist() for each in python]


@pytest.mark.parametrize(
    "text",
    ["Ads", "  - ADVERTISEMENT:", "広告", "•Anzeige", "a", "Ad Choices", "Anker", "7 ads", "",
     "\ud800", "Pub", "Publicité", "İlan"],
)  # fmt: skip
def test_no_label_of_an_ad_is_left_out(text):
    page = parse(f"<div><p>x</p><p>{text}</p><p>{text}s</p></div>")
    compiled, python = ask_both(lambda: short_texts(page))
    assert set(compiled) <= set(python)
    assert {each for each in python if _is_ad_label(page.texts[each[1]])} <= set(compiled)


def test_texts_that_begin_like_no_label_are_left_out():
    assert len(short_texts(parse("<p>Zebra</p><p>Quince</p><p>Ads</p>"))) == 1


def test_what_does_not_fit_together_is_refused():
    page, kernels = parse(LISTS), core.kernels
    groups, none = find_groups(page), np.zeros(0, np.intp)
    columns = page.size, page.chars, page.counted, page.link
    rows, room = groups.rows, np.empty((8, len(groups)), np.intp)
    with pytest.raises(ValueError, match="room"):
        kernels.join_elements(*columns, none, rows, rows, none, room)
    with pytest.raises(ValueError, match="exist"):
        kernels.join_elements(*columns, none, rows + len(page), none, none, room)
    with pytest.raises(ValueError, match="order"):
        kernels.join_elements(*columns, none, rows[::-1].copy(), none, none, room)
    marks = np.zeros(len(rows), np.bool_)
    rest = (*columns, page.counted, page.body)
    with pytest.raises(ValueError, match="owner"):
        kernels.choose_elements(*rest, rows, marks, 80, 0.4, none, marks, marks.copy())
    owner = np.empty(len(page), np.intp)
    with pytest.raises(ValueError, match="order"):
        kernels.choose_elements(*rest, rows[::-1].copy(), marks, 80, 0.4, owner, marks, marks)
    with pytest.raises(ValueError, match="pair"):
        kernels.find_pairs(page.texts, page.tag, *columns[1:], 24, b"")
    with pytest.raises(ValueError, match="one page"):
        kernels.own_blocks(page.parent, page.counted, marks, owner, np.empty((2, 2), np.intp))
    joined = join_elements(groups, find_blocks(page).rows, ad_boxes(page))
    pure, size = joined.group >= 0, len(joined.rows)
    probability = np.ones((len(groups), 14))
    spans = (groups.smallest, joined.first, joined.last + 99, joined.group)
    with pytest.raises(ValueError, match="exist"):
        kernels.join_roles(probability, *spans, pure, marks, 12, 0.01, np.empty((size, 13)))
    with pytest.raises(ValueError, match="columns"):
        kernels.join_roles(probability, *spans, pure, marks, 13, 0.01, np.empty((size, 13)))
