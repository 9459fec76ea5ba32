"""PageBuilder: nodes as they come against a walk over the same nodes."""

import numpy as np
import pytest
from hypothesis import given

from pagelet.page.builder import PageBuilder
from tests.build import deep, html, page_of, trees
from tests.naive import tree as naive


def in_rows(answer, root):
    """A function of one node for all rows."""
    return [answer(node) for node in naive.walk(root)]


@given(trees)
def test_rows_are_the_nodes_in_document_order(tree):
    page, root = page_of(tree), naive.read(tree)
    rows = range(len(page))
    assert [page.name(row) for row in rows] == in_rows(lambda node: node.name, root)
    assert [page.text(row) for row in rows] == in_rows(lambda node: node.text, root)
    assert [page.attributes_of(row) for row in rows] == in_rows(lambda node: node.attrs, root)


@given(trees)
def test_size_parent_and_depth_equal_the_walk(tree):
    page, root = page_of(tree), naive.read(tree)
    assert page.size.tolist() == in_rows(naive.size, root)
    assert page.depth.tolist() == in_rows(naive.depth, root)
    up = in_rows(lambda node: naive.number_of(root, node.parent), root)
    assert page.parent.tolist() == up


@given(trees)
def test_chars_and_words_equal_the_walk(tree):
    page, root = page_of(tree), naive.read(tree)
    assert page.chars.tolist() == in_rows(naive.own_chars, root)
    assert page.words.tolist() == in_rows(naive.own_words, root)


@given(trees)
def test_body_is_found(tree):
    page, root = page_of(tree), naive.read(tree)
    assert page.body == naive.number_of(root, naive.body_of(root))


@pytest.mark.parametrize(
    ("tree", "blanks"),
    [
        pytest.param(("body", " ", ("p", "x"), "\n"), [(1, 0), (3, 0)], id="around an element"),
        pytest.param(("body", ("p", " "), "x"), [(2, 1)], id="the only child"),
        pytest.param(("body", ""), [(1, 0)], id="an empty text"),
        pytest.param(("body", ("script", " ")), [(2, 1)], id="in a script"),
        pytest.param(("body", "x"), [], id="none"),
    ],
)
def test_blank_texts_are_remembered_but_are_no_rows(tree, blanks):
    page = page_of(tree)
    found = zip(page.blank_row.tolist(), page.blank_parent.tolist(), strict=True)
    assert list(found) == blanks
    assert "" not in [text.strip() for text in page.texts]


@pytest.mark.parametrize(
    ("tree", "body"),
    [
        pytest.param(html("x"), 4, id="after the head"),
        pytest.param(("body",), 0, id="the root itself"),
        pytest.param(("html", ("head",), ("frameset", ("frame",))), 2, id="a frameset"),
        pytest.param(("html", ("head",)), -1, id="none"),
        pytest.param(("html", ("div", ("body",))), -1, id="deeper down it is no body"),
    ],
)
def test_body_row(tree, body):
    assert page_of(tree).body == body


def test_comments_and_doctypes_are_no_rows():
    builder = PageBuilder()
    document = builder.create_document()
    builder.append(document, builder.create_doctype("html", None, None))
    root = builder.create_element("html")
    builder.append(document, root)
    builder.append(root, builder.create_comment("c"))
    builder.append(root, builder.create_pi("t", "d"))
    page = builder.page()
    assert [page.name(row) for row in range(len(page))] == ["html"]


def test_foreign_elements_are_marked():
    builder = PageBuilder()
    root = builder.create_element("html")
    builder.append(0, root)
    builder.create_text("word")
    builder.append(root, None)
    svg = builder.create_element("svg", "http://www.w3.org/2000/svg")
    builder.append(root, svg)
    assert builder.page().foreign.tolist() == [2]


def test_a_name_html_does_not_know_is_kept():
    page = page_of(("html", ("x-one",), ("o:p",), ("x-one",)))
    assert [page.name(row) for row in range(4)] == ["html", "x-one", "o:p", "x-one"]
    assert page.tag[1] == page.tag[3] != page.tag[2]


def test_a_page_may_have_more_names_than_a_short_number_holds():
    page = page_of(("html", *[(f"x{number}",) for number in range(40_000)]))
    assert page.name(40_000) == "x39999"


def test_no_nodes_make_an_empty_page():
    page = PageBuilder().page()
    assert (len(page), page.body, page.texts) == (0, -1, ())


def test_a_hundred_thousand_levels():
    page = page_of(html(deep(100_000, "x")))
    assert page.depth.max() == 100_002
    np.testing.assert_array_equal(page.size[5:], np.arange(len(page) - 5, 0, -1))
