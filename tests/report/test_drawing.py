"""Marks of texts in a drawing, against a plain count, and what a drawing costs."""

from hypothesis import given

from pagelet import Pagelets, analyse, parse
from pagelet.page.tags import TEXT
from pagelet.pagelets import Pagelet
from pagelet.report.assets import LocalAssets
from pagelet.report.drawing import count_texts_before, draw
from tests.build import page_of, trees
from tests.effort import growth
from tests.naive import tree as naive


@given(trees)
def test_texts_before_equal_the_walk(tree):
    nodes = list(naive.walk(naive.read(tree)))
    expected = [
        sum(not one.name for one in node.parent.children[: node.parent.children.index(node)])
        if not node.name
        else 0
        for node in nodes
    ]
    assert count_texts_before(page_of(tree)).tolist() == expected


def mark_texts(page):
    rows = [row for row in range(len(page)) if page.tag[row] == TEXT]
    pagelets = [Pagelet(page, (row,), "noise", 1.0) for row in rows]
    return draw(page, [Pagelets(page, "noise", "default", pagelets)], LocalAssets(None), "")


def test_texts_are_marked_by_their_place_in_the_parent():
    drawing = mark_texts(parse("<p>a<br>b<b>c</b> <i></i> d</p>e"))
    assert '<p data-pagelet-text="0:0 1:1 3:2">' in drawing
    assert '<body data-pagelet-text="4:0">' in drawing


def test_the_cost_of_a_drawing_grows_with_the_page():
    assert growth(mark_texts, lambda texts: parse("w<br>" * texts), 300) < 6
    many = "<p {}>x".format
    assert growth(mark_texts, lambda n: parse(many(" ".join(f"a{i}" for i in range(n)))), 300) < 6


def test_json_of_a_large_table_costs_as_much_per_cell():
    def write(page):
        return analyse(page, "content").to_json()

    cell = "<td>A sentence of a cell, with some words.</td>"
    assert growth(write, lambda rows: parse("<table>" + ("<tr>" + cell * 10) * rows), 20) < 6
