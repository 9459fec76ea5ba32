"""The menu paper's method against a walk that follows its definitions, for every option."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import MenuOptions, detect_menu
from pagelet.methods.menu import paper as menu_paper
from pagelet.methods.menu.options import PaperMenuOptions
from tests.build import flat_menu, html, page_of, trees
from tests.naive import menu_paper as naive
from tests.naive import tree as plain

PAPER = PaperMenuOptions()

shares = st.sampled_from([0.0, 0.05, 0.1, 0.2, 0.3, 0.6, 1.0])
thresholds = st.sampled_from([0.0, 0.3, 0.5, 0.7, 0.8, 0.85, 0.9, 1.0])
words = {
    "candidate_fallback": st.sampled_from(["relative", "none"]),
    "text_ratio_reading": st.sampled_from(["literal", "sqrt_of_ratio", "linear"]),
    "menu_word_match": st.sampled_from(["token", "substring"]),
    "heavy_rows": st.sampled_from(["descendants", "children"]),
}
any_options = st.builds(
    lambda **changes: dataclasses.replace(PAPER, **changes),
    **{f"{name}_weight": shares for name in menu_paper.PROPERTIES},
    **{f"{name}_threshold": thresholds for name in ("menu", "root", "candidate")},
    **words,
)
paper_options = st.builds(lambda **changes: dataclasses.replace(PAPER, **changes), **words)
options = paper_options | any_options


@given(trees, options)
def test_weights_equal_the_walk(tree, options):
    weight = menu_paper.weigh(page_of(tree), options)
    nodes = list(plain.walk(plain.read(tree)))
    expected = naive.weights(nodes[0], options)
    np.testing.assert_allclose(weight, [expected.get(node, -np.inf) for node in nodes], atol=1e-12)


@given(trees, paper_options)
def test_properties_equal_the_walk(tree, options):
    page, root = page_of(tree), plain.read(tree)
    readings = options.text_ratio_reading, options.menu_word_match
    found = menu_paper.properties(page, *readings)
    for row, node in enumerate(plain.walk(root)):
        if plain.counted(node) and node.name and naive.children(node):
            expected = naive.properties(node, plain.body_of(root), *readings)
            assert {name: values[row] for name, values in found.items()} == pytest.approx(expected)


def check_choice(tree, weight, options):
    """The choice for given weights, by columns and by the two algorithms as printed."""
    page, nodes = page_of(tree), list(plain.walk(plain.read(tree)))
    pairs = zip(nodes, weight.tolist(), strict=True)
    by_node = {node: value for node, value in pairs if np.isfinite(value)}
    found, expected = (
        menu_paper.choose_menu(page, weight, options),
        naive.choose(nodes[0], by_node, options),
    )
    if expected is None:
        assert found is None
        return
    node, score, rule = expected
    assert (found.row, found.rule) == (nodes.index(node), rule)
    assert found.score == pytest.approx(score)
    assert found.weight == by_node[node]


@given(trees, options)
def test_the_choice_equals_both_algorithms(tree, options):
    check_choice(tree, menu_paper.weigh(page_of(tree), options), options)


@given(
    trees, options, st.lists(st.sampled_from([0, 0.2, 0.5, 0.61, 0.75, 0.86, 0.9, 1]), min_size=150)
)
def test_the_choice_equals_both_algorithms_for_any_weights(tree, options, values):
    weight = menu_paper.weigh(page_of(tree), options)
    check_choice(
        tree, np.where(np.isfinite(weight), np.resize(values, len(weight)), weight), options
    )


@given(trees, options)
def test_roots_equal_algorithm_1(tree, options):
    page, nodes = page_of(tree), list(plain.walk(plain.read(tree)))
    weight = menu_paper.weigh(page, options)
    rows = np.flatnonzero(weight > 0)
    by_node = {nodes[row]: weight[row] for row in np.flatnonzero(np.isfinite(weight))}
    share = options.root_threshold
    expected = [nodes.index(naive.root_of(nodes[row], by_node, share)) for row in rows]
    alone = [menu_paper.find_roots(page, weight, rows[[at]], share) for at in range(len(rows))]
    assert [roots.tolist() for roots in alone] == [[row] for row in expected]
    together = menu_paper.find_roots(page, weight, rows, share)
    assert together.tolist() == sorted(set(expected))


# -- single readings --------------------------------------------------------------------------

REPRESENTATIVE = {
    "nav tag": ("nav", {}, True, True),
    "class menu": ("div", {"class": "menu"}, True, True),
    "class among others": ("div", {"class": "top Nav wide"}, True, True),
    "class that only holds the word": ("div", {"class": "menu-item"}, False, True),
    "id nav": ("div", {"id": "nav"}, True, True),
    "id in capitals": ("div", {"id": "MENU"}, True, True),
    "id that only holds the word": ("div", {"id": "mainnav"}, False, True),
    "id of two words": ("div", {"id": "menu nav"}, False, True),
    "the menu tag is not named": ("menu", {}, False, False),
    "nothing": ("div", {"class": "x"}, False, False),
}


@pytest.mark.parametrize(
    ("name", "attrs", "token", "substring"), REPRESENTATIVE.values(), ids=REPRESENTATIVE
)
def test_representative(name, attrs, token, substring):
    page = page_of(("body", (name, attrs, "x")))
    assert menu_paper.representative(page, "token")[1] == token
    assert menu_paper.representative(page, "substring")[1] == substring


@pytest.mark.parametrize(
    ("reading", "expected"),
    [
        pytest.param("literal", 1 - 20 / 10, id="literal: 20 of 100 characters, sqrt 10"),
        pytest.param("sqrt_of_ratio", 1 - 0.2**0.5, id="square root of a fifth"),
        pytest.param("linear", 0.8, id="a fifth"),
    ],
)
def test_text_ratio_readings(reading, expected):
    page = page_of(("body", ("p", "x" * 20), ("p", "y" * 80), ("a", {"href": "/"}, "not this")))
    assert menu_paper.text_ratio(page, reading)[1] == pytest.approx(expected)


def test_a_page_whose_whole_text_is_links_has_text_ratio_1():
    page = page_of(("body", ("a", {"href": "/"}, "all")))
    assert menu_paper.text_ratio(page, "literal").tolist() == [1, 1, 1]


def test_equal_menus_the_first_wins():
    weights = np.array([0.1, 0.9, *[-np.inf] * 4, 0.1, 0.9, *[-np.inf] * 4])
    cell = ("ul", *[("a", {"href": "/"}, "x")] * 2)
    page = page_of(("body", cell, ("div", cell)))
    found = menu_paper.choose_menu(page, weights, PAPER)
    assert (found.row, found.score) == (1, 0.9)


def test_no_candidate_and_no_fallback_is_no_menu():
    page = page_of(html(("p", "words")))
    none = dataclasses.replace(PAPER, candidate_fallback="none")
    assert len(detect_menu(page, options=none, profile="paper")) == 0


def test_children_of_a_flat_list_are_never_heavy():
    """With literal children the plainest menu has no heavy row; its own weight decides."""
    page = page_of(html(flat_menu(20, {"class": "menu"}), ("p", "prose " * 50)))
    children = dataclasses.replace(PAPER, heavy_rows="children")
    found = detect_menu(page, options=children, profile="paper")
    assert found[0].reason["candidates"] == "heaviest"
    assert detect_menu(page, options=PAPER, profile="paper")[0].reason["candidates"] == "absolute"


def test_the_reason_holds_every_property_and_the_rule():
    page = page_of(html(flat_menu(20), ("p", "prose " * 50)))
    reason = detect_menu(page, options=PAPER, profile="paper")[0].reason
    assert set(reason) == {*menu_paper.PROPERTIES, "weight", "candidates"}
    parts = [getattr(PAPER, f"{name}_weight") * reason[name] for name in menu_paper.PROPERTIES]
    assert reason["weight"] == pytest.approx(sum(parts))


def test_the_published_values():
    values = [getattr(PAPER, f"{name}_weight") for name in menu_paper.PROPERTIES]
    assert values == [0.20, 0.10, 0.30, 0.20, 0.10, 0.10]
    assert (PAPER.menu_threshold, PAPER.root_threshold, PAPER.candidate_threshold) == (
        0.8,
        0.7,
        0.85,
    )
    assert isinstance(PAPER, MenuOptions)
