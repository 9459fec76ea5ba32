"""Links, shape and position of rows against a walk."""

import numpy as np
from hypothesis import given

from pagelet.methods.menu import paper as shape
from pagelet.page import links
from tests.build import page_of, trees
from tests.naive import menu_paper as naive
from tests.naive import tree as plain


def inner(root):
    """Rows and nodes of the counted elements that have a child."""
    return [
        (row, node)
        for row, node in enumerate(plain.walk(root))
        if plain.counted(node) and node.name and naive.children(node)
    ]


@given(trees)
def test_measures_equal_the_walk(tree):
    page, root = page_of(tree), plain.read(tree)
    body = plain.body_of(root)
    for row, node in inner(root):
        assert links.links_below(page)[row] == sum(map(plain.is_anchor, naive.below(node)))
        assert links.nodes_below(page)[row] == len(naive.below(node))
        assert shape.child_counts(page)[row] == len(naive.children(node))
        np.testing.assert_allclose(links.link_ratio(page)[row], naive.link_ratio(node))
        np.testing.assert_allclose(shape.amplitude(page)[row], naive.amplitude(node))
        np.testing.assert_allclose(shape.position(page)[row], naive.position(node, body))


@given(trees)
def test_characters_equal_the_walk(tree):
    page, root = page_of(tree), plain.read(tree)
    assert links.plain_chars(page).tolist() == [
        naive.plain_chars(node) for node in plain.walk(root)
    ]


def test_a_page_without_body_has_no_links():
    page = page_of(("html", ("head",), ("frameset", ("frame",))))
    assert links.links_below(page).tolist() == [0, 0, 0, 0]
    assert shape.position(page).tolist() == [1, 1, 1, 1]
