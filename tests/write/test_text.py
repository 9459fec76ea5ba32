"""Kept texts as plain text: each rule by hand, then any page against a plain walk."""

import numpy as np
import pytest
from hypothesis import assume, example, given

from pagelet.page.table import Page
from pagelet.page.tags import TEXT
from pagelet.write import write_text
from pagelet.write.text import trim_blank_lines
from tests import hostile
from tests.build import html, page_of
from tests.build import trees as any_trees
from tests.cases import case
from tests.effort import ends
from tests.naive import excerpt as naive
from tests.naive.tree import read as nodes_of
from tests.naive.tree import walk
from tests.write.excerpts import WORD, body_texts, choices, chosen, read, trees, words


def text_of(source: str, drop: str = "") -> str:
    return write_text(*read(source, drop))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("<p>a</p><p>b</p>", "a\nb", id="a block, a line"),
        pytest.param("<div>a<p>b</p>c</div>", "a\nb\nc", id="text around a block"),
        pytest.param("a<div></div>b", "a\nb", id="an empty block parts"),
        pytest.param("<p>a\n  b\t c&nbsp; d </p>", "a b c d", id="white space folded"),
        pytest.param("<p><b>H</b>ello</p>", "Hello", id="formatting joins"),
        pytest.param("<p><b>a</b> <i>b</i></p>", "a b", id="blank between formatting"),
        pytest.param("<p>a <b>b</b></p>", "a b", id="white space at the end of a text"),
        pytest.param("<p>a<b> b</b></p>", "a b", id="white space at the start of a text"),
        pytest.param("<p>a<img src=x>b</p>", "a b", id="a picture parts"),
        pytest.param("<p>a<button>b</button>c</p>", "a b c", id="a control parts"),
        pytest.param("<p>a<x-y>b</x-y>c</p>", "a b c", id="an unknown element parts"),
        pytest.param("<p>a<script>x</script>b</p>", "ab", id="a script does not"),
        pytest.param("<p>a<br>b</p>", "a\nb", id="a break"),
        pytest.param("<p>a<br> <br>b<br></p>", "a\nb", id="several breaks are one"),
        pytest.param(
            "<table><tr><td>a<td>b<tr><td>c<td>d</table>", "a\tb\nc\td", id="rows and cells"
        ),
        pytest.param(
            "<table><tr><td><p>a</p><td><p>b</p></table>", "a\tb", id="a paragraph in each cell"
        ),
        pytest.param(
            "<table><tr><td>a<p>b</p><td>c<tr><td>d<td>e</table>",
            "a\nb\nc\nd\te",
            id="a cell of several lines breaks its row only",
        ),
        pytest.param(
            "<table><tr><td>a<br>b<td>c</table>", "a\nb\nc", id="so does a cell with a break"
        ),
        pytest.param(
            "<table><tr><td>a<td><table><tr><td>b<td>c</table></table>",
            "a\nb\tc",
            id="a table in a cell",
        ),
        pytest.param("x<table><caption>a</caption><tr><td>b</table>y", "x\na\nb\ny", id="caption"),
        pytest.param("<pre>\n\n  a\n\n    b  \n \n</pre>c", "  a\n\n    b\nc", id="as written"),
        pytest.param(
            "x<pre><b>a</b> <b>b</b>\n  <b>c</b></pre>", "x\na b\n  c", id="blanks as written"
        ),
        pytest.param("<pre>a<br>b<div>  c</div></pre>", "a\nb\n  c", id="lines in pre"),
        pytest.param("<pre>a\n\n<br>  b</pre>", "a\n\n\n  b", id="blank lines before a break"),
        pytest.param("<pre>a</pre><pre>b</pre>", "a\nb", id="two of them"),
        pytest.param("a<textarea>\nb\n  c</textarea>d", "a\nb\n  c\nd", id="textarea"),
        pytest.param("<p>a&#1;b</p><p>c</p>", "a\ufffdb\nc", id="our signs in a text"),
        pytest.param("<pre>a&#1;b</pre>", "a\1b", id="our signs in a text as written"),
        pytest.param("<p>a</p>&#2;", "a\n\ufffd", id="nothing but our third sign"),
        pytest.param("a&#2;b<pre>c</pre>", "a\ufffdb\nc", id="our third sign"),
    ],
)
def test_by_hand(source, expected):
    assert text_of(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("<p>a<b>x</b>c</p>", "a c", id="words beside a dropped one stay apart"),
        pytest.param("<p>a</p><p>x</p>c", "a\nc", id="a dropped block"),
        pytest.param("<table><tr><td>a<td>x<td>c</table>", "a\tc", id="a dropped cell"),
        pytest.param("<table><tr><td>a<tr><td>x<tr><td>c</table>", "a\nc", id="a dropped row"),
        pytest.param("<pre>a<b>x</b>c</pre>", "a c", id="as written"),
        pytest.param(
            "<pre><b>a</b>\n<b>b</b><i>x</i>c</pre>", "a\nb c", id="as written, beside a blank"
        ),
        pytest.param("x<p>a", "a", id="at the start"),
        pytest.param("x", "", id="everything"),
    ],
)
def test_dropped_rows(source, expected):
    assert text_of(source, drop="x") == expected


def test_kept_elements_are_ignored():
    page = page_of(html(("p", "a"), ("p", "b")))
    assert write_text(page, page.element) == ""
    assert write_text(page, np.ones(len(page), np.bool_)).endswith("a\nb")


def test_blanks_of_a_page_without_source_are_single_spaces():
    page = page_of(html(("pre", ("b", "a"), "\n\n", ("b", "c"))))
    assert write_text(page, body_texts(page)) == "a c"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a", "a"), ("\n \n  a\n b \n", "  a\n b"), ("  a", "  a"), ("\n", ""), ("", "")],
)
def test_trimmed(text, expected):
    assert trim_blank_lines(text) == expected


def naive_text(tree: object, page: Page, kept: np.ndarray) -> str:
    root = nodes_of(tree)
    marked = {node for node, keep in zip(walk(root), kept.tolist(), strict=True) if keep}
    return naive.excerpt(root, marked)


@given(trees, choices)
@example(("html", ("body", ("table", ("tr", ("td", ("pre", "a", ("br",), "b")), ("td", "c"))))), -1)
def test_equals_plain_walk(tree, bits):
    assume("'sup'" not in repr(tree))  # scripts have tests of their own
    page = page_of(tree)
    kept = chosen(page, bits)
    assert write_text(page, kept) == naive_text(tree, page, kept)


@given(any_trees, choices)
def test_equals_plain_walk_on_odd_texts(tree, bits):
    assume("'sup'" not in repr(tree))
    page = page_of(tree)
    kept = chosen(page, bits)
    assert write_text(page, kept) == naive_text(tree, page, kept)


@given(trees, choices)
def test_each_kept_word_once_and_in_order(tree, bits):
    page = page_of(tree)
    kept = chosen(page, bits)
    assert WORD.findall(write_text(page, kept)) == words(page, kept)


def test_hostile_pages():
    for name in hostile.QUICK:
        with case(name), ends():
            page = hostile.page(name)
            kept = page.tag == TEXT
            found = write_text(page, kept)
            assert bool(found) == bool(kept.any())
