"""From the nodes of a browser to rows: the very same ones, or by numbers through odd trees."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import parse
from pagelet.page.tags import NUMBER, TEXT
from pagelet.sources.browser.html import CHARACTERS, ELEMENT, map_rows, match_nodes, write_html
from tests.build import deep, html, page_of, trees
from tests.sources.browser.snapshots import snapshot_of

#: names whose nesting the parser changes
ODD = ("a", "p", "table", "tr", "td", "form", "b", "li", "select", "option", "h1", "button", "pre")
texts = st.sampled_from(["x", " a b ", "\nline", "<b>&amp;", "   ", "]]>", "-->", "\xa0", "ä😀"])
odd = st.recursive(
    texts,
    lambda inner: st.builds(
        lambda name, below: (name, *below), st.sampled_from(ODD), st.lists(inner, max_size=4)
    ),
    max_leaves=25,
)
bodies = st.lists(odd, max_size=5)


@given(trees)
def test_the_same_nodes_are_matched_one_by_one(tree):
    snapshot, page = snapshot_of(tree), page_of(tree)
    found = match_nodes(snapshot, page)
    assert found is not None
    rows = found[snapshot.is_row].tolist()
    assert rows == sorted(set(rows))
    assert [page.tag[row] == TEXT for row in rows] == (snapshot.kind == CHARACTERS)[
        snapshot.is_row
    ].tolist()


@pytest.mark.parametrize(
    "other",
    [html(("p", "a")), html(("p", "b"), ("p",)), html(("p", ("p", "b"))), html(("i", "b")), html()],
    ids=["other text", "more", "deeper", "other name", "less"],
)
def test_other_nodes_are_not_matched(other):
    assert match_nodes(snapshot_of(html(("p", "b"))), page_of(other)) is None


def test_what_is_in_a_template_is_passed_over():
    page = page_of(html(("template", ("b", "unseen"), ("template", "x")), ("p", "seen")))
    snapshot = snapshot_of(html(("template",), ("p", "seen")))
    found = match_nodes(snapshot, page)
    assert found is not None
    assert page.texts[page.ordinal[found[-1]]] == "seen"


@given(bodies)
def test_every_node_finds_its_row(below):
    snapshot = snapshot_of(("html", ("head",), ("body", *below)))
    page, rows = map_rows(snapshot, parse(""))
    for node, row in enumerate(rows.tolist()):
        if snapshot.kind[node] == CHARACTERS and snapshot.is_row[node]:
            assert row >= 0
            text = snapshot.values[node]
            assert text.lstrip("\n") in page.texts[page.ordinal[row]]
        elif snapshot.kind[node] == ELEMENT and row >= 0:
            assert page.names[page.tag[row]].upper() == snapshot.names[node]
    elements = rows[(snapshot.kind == ELEMENT) & (rows >= 0)]
    assert len(set(elements.tolist())) == len(elements)
    assert np.array_equal(parse(page.source or "").tag, page.tag)


def test_an_element_the_parser_doubles_is_its_first():
    snapshot = snapshot_of(html(("p", ("b", "first", ("p", "second")))))
    page, rows = map_rows(snapshot, parse(""))
    assert (page.tag == NUMBER["b"]).sum() == 2
    bold = snapshot.names.index("B")
    assert page.texts[page.ordinal[rows[bold] + 1]] == "first"


def body(*below, **options) -> str:
    return write_html(snapshot_of(("body", *below), **options))


def test_written():
    attrs = {"title": 'a"<&', "on<": "x", "data-a": ""}
    assert body(("p", attrs, "a<b&c>d")) == (
        '<body><p title="a&quot;&lt;&amp;" data-a="">a&lt;b&amp;c&gt;d</p></body>'
    )
    assert body(("img",), ("pre", "\nx")) == "<body><img><pre>\n\nx</pre></body>"
    assert body(("script", "a<b</SCRIPT>")) == r"<body><script>a<b<\/SCRIPT></script></body>"
    assert body(("svg", ("style", "a<b"))) == "<body><svg><style>a<b</style></svg></body>"
    assert body(("p", "a\0b\rc")) == "<body><p>ab&#13;c</p></body>"


def test_what_is_in_a_noscript():
    assert body(("noscript", "<b>x</b>"), scripts=True) == (
        "<body><noscript><b>x</b></noscript></body>"
    )
    assert body(("noscript", "a<b")) == "<body><noscript>a&lt;b</noscript></body>"


def test_deep_trees_take_no_recursion():
    snapshot = snapshot_of(html(deep(20_000, "x")))
    page, rows = map_rows(snapshot, parse(""))
    assert page.texts[page.ordinal[rows[-1]]] == "x"
