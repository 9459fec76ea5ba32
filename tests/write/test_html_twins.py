"""Clean HTML for Markdown by both cores."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagelet import core, parse
from pagelet.page.tags import TEXT
from pagelet.write.compiled_html import _choose_rows, _names, _tag_bits
from pagelet.write.html import Style, html_of_rows, plan_html
from tests.build import html, page_of
from tests.cores import ask_both, twins, using
from tests.effort import ends
from tests.places import SITE
from tests.write.flat import flat_html

pytestmark = twins

FLAT = Style(images=False, flat=True)
#: White space of all kinds, characters that HTML escapes, and those that placeholders are.
PIECES = (" ", "a", "b. ", "&", "<", "x>y", "\u00a0", "\u3000", "\x1c", "\0", "é", "😀", "\n",
          "\ufdd0", "\ufdd9x", "\ufdda", "漢", "\ud800")  # fmt: skip
text = st.lists(st.sampled_from(PIECES), min_size=1, max_size=5).map("".join).filter(str.strip)
NAMES = (
    "p div span br hr h1 h3 ul ol menu li dl dt dd blockquote figure figcaption details summary"
    " b strong i em s del strike code tt abbr time q sup sub a a pre table tr td th svg x-y"
).split()
ATTRIBUTES = (
    {}, {"href": "/x?a=1&b=<2>"}, {"href": "javascript:1"}, {"title": 'a "b"'},
    {"datetime": "2026"}, {"colspan": "3"}, {"style": "display:block"},
)  # fmt: skip
element = st.tuples(st.sampled_from(NAMES), st.sampled_from(ATTRIBUTES))


def wrap(below):
    return st.builds(lambda top, kids: (*top, *kids), element, st.lists(below, max_size=5))


@settings(max_examples=300)
@given(
    st.lists(st.recursive(text, wrap, max_leaves=14), max_size=4), st.integers(0, 5), st.booleans()
)
def test_any_tree_is_written_alike(body, seed, links):
    def write():
        page = page_of(html(*body))
        kept = page.tag == TEXT
        if seed:
            kept &= np.random.default_rng(seed).random(len(page)) < 0.7
        return flat_html(page, kept, links=links)

    compiled, python = ask_both(write)
    assert compiled == python


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("path", sorted(SITE.rglob("*.html")), ids=lambda path: path.name)
def test_real_markup_is_written_alike(path, seed):
    def write():
        page = parse(path.read_bytes(), "https://pages.example/a/b")
        kept = np.random.default_rng(seed).random(len(page)) < (1.0, 0.8, 0.4, 0.1)[seed]
        return flat_html(page, kept)

    compiled, python = ask_both(write)
    assert compiled == python
    assert compiled


@pytest.mark.parametrize(
    "markup",
    [
        "<h2>a <b>b</b><br>c</h2>d<br>e<br><br>f",
        "<h2>a<p>b</p><p>c</p></h2><h2>a<ul><li>b</ul></h2>",
        "<ul><li><ul><li>a</li></ul></li><li>b</li>c<p>d</p><blockquote>e</blockquote></ul>",
        "<i>a<p>b <b>c<p>d</b> e</i>",
        "<dl>a<dt>b<dd>c<h3>d</h3></dl>",
        "a<hr>b<ul><li>c<hr>d</ul><hr>",
        "<b>a<strong>b</strong></b><a href=/x>c<a href=/y>d</a></a>",
        "<svg><a href=/x>a</a></svg><math><mi>b</mi></math>",
        "<table><tr><th>a<th>b<tr><td>c</table>",
        "<table><tr><td>a</table>b<sup>2</sup>",
        "<ul>" * 50 + "<li>a<p>b",
        "<blockquote>" * 50 + "a<p>b",
        "a<pre>b\n c</pre>d",
        "<pre>\n\n \n  a &lt;\u3000\n<b>b</b> <i>c</i>\td\ufdd0 \n\xa0\n</pre><pre> </pre>e",
        "<pre class=language-c>a<br>b\n<p>c</pre><h2><pre>d\n e</pre></h2><xmp>\n f</xmp>",
        "<p>a<pre>x<sup>2</sup>y</pre>m<sup>2</sup><table><tr><td><pre> b</pre><td>c</table>",
        "<table><caption>a<tr><td>b<td><tr><td>c<tr></table><table><tr><td>d<td><p>e<p>f</table>",
        "<table role=none><tr><td>a<td>b</table><table><tr><td>c<td>" + "d " * 600 + "</table>",
        "<table><tr><td rowspan=3>a<td colspan=2>b<tr><td>c<tr><td>d<td>e<td>f<tr><td>g</table>",
        "<table><tr><td>a<td><table><tr><td>b<td>c</table></table>",
        "<table><caption><table><tr><td>a<td>b</table><tr><td>c<td>d<tr><td>e</table>",
        "<table><tr><td colspan=50>a<td>b" + "<tr><td>c<td>d" * 9 + "</table>",
        "<table><tr><td colspan=50>a<td>b" + ("<tr>" + "<td>c" * 20) * 2 + "</table>",
        "<table><tr><td>a<td rowspan=3>b<tr><td colspan=2>c<tr><td>d<td>e<td>f</table>",
        "<svg><td>a</td><td>b</td></svg><table>",
    ],
)
def test_written_by_the_core_as_by_python(markup):
    page = parse(markup)
    with using("compiled"):
        compiled = flat_html(page, page.tag == TEXT)
    assert compiled == html_of_rows(page, page.tag == TEXT, FLAT)
    assert "a" in compiled


SPANS = ({}, {}, {"colspan": "2"}, {"colspan": "50"}, {"rowspan": "2"}, {"rowspan": "9"},
         {"colspan": "3", "rowspan": "2"}, {"colspan": "x"}, {"rowspan": "0"})  # fmt: skip
INNER = (("a",), (), ("a", ("br",), "b"), (("p", "a"), ("p", "b")), (("pre", "a"),), ("b " * 501,))
cell = st.builds(
    lambda name, spans, inner: (name, spans, *inner),
    st.sampled_from(("td", "td", "th")),
    st.sampled_from(SPANS),
    st.sampled_from(INNER),
)
table_row = st.lists(cell, max_size=5).map(lambda cells: ("tr", *cells))
role = st.sampled_from(({}, {}, {}, {"role": "presentation"}))
table = st.builds(
    lambda role, rows: ("table", role, ("tbody", *rows)), role, st.lists(table_row, max_size=5)
)


@settings(max_examples=300)
@given(st.lists(table, min_size=1, max_size=2), st.integers(0, 5))
def test_tables_are_planned_alike(tables, seed):
    page = page_of(html("a", *tables))
    kept = page.tag == TEXT
    if seed:
        kept &= np.random.default_rng(seed).random(len(page)) < 0.8
    rows, cells = _choose_rows(page, kept)
    plan = plan_html(page, kept, FLAT)
    assert rows.tolist() == plan.visited.tolist()
    for found, known in ((cells.before, plan.cells.before), (cells.after, plan.cells.after)):
        assert found == {row: count for row, count in known.items() if count}


@pytest.mark.parametrize(
    ("cells", "filled"),
    [
        ("<td rowspan=1000>" + "<td>a" * 2, True),
        ("<td colspan=50 rowspan=1000>a" * 200, False),
        ("<td colspan=50>a" * 200 + "<td rowspan=1000>b", False),
    ],
    ids=["one column", "all columns", "one far to the right"],
)
def test_cells_that_reach_far_down_are_planned_alike(cells, filled):
    page = parse(f"<table><tr>{cells}{'<tr><td>b<td>c' * 300}</table>")
    kept = page.tag == TEXT
    with ends():
        _, found = _choose_rows(page, kept)
        plan = plan_html(page, kept, FLAT).cells
    assert bool(found.before) is filled
    assert found.before == {row: count for row, count in plan.before.items() if count}
    assert found.after == {row: count for row, count in plan.after.items() if count}


@pytest.mark.parametrize("span", [(0, 1), (-99, 1), (1, 0), (2**31, 1), (1, 2**31)])
def test_spans_that_no_cell_has_are_refused(span):
    page = parse("<table><tr><td>a<td>b<tr><td>c<td>d</table>")
    columns = (page.tag, page.size, page.parent, page.chars)
    kept = (page.tag == TEXT).view(np.uint8)
    chosen = core.kernels.WrittenRows(columns, kept, _tag_bits())
    spans = dict.fromkeys(range(len(page)), span)
    with pytest.raises(ValueError, match="covers"):
        chosen.choose(page.foreign, [], lambda row: False, lambda: spans)


def test_what_does_not_fit_is_refused():
    page = page_of(html(("p", "a"), ("p", "b")))
    columns = (page.tag, page.size, page.parent, page.chars)
    marks = np.zeros(len(page), np.uint8)
    with pytest.raises(ValueError, match="fit"):
        core.kernels.WrittenRows(columns, marks[1:], _tag_bits())
    for forced in ([len(page)], [-1]):
        chosen = core.kernels.WrittenRows(columns, marks, _tag_bits())
        with pytest.raises(IndexError, match="exist"):
            chosen.choose(page.foreign, forced, bool, dict)
    for rows in ([2, 1], [99], [-1]):
        writer = core.kernels.FlatWriter(_names(), 32)
        visited, gaps = np.array(rows, np.int32), np.zeros(9, np.uint8)
        with pytest.raises(IndexError, match="rows"):
            writer.write(
                columns[:2], visited, page.texts, page.ordinal, gaps, {}, ({}, {}, None, None, None)
            )
    with pytest.raises(ValueError, match="room"):
        core.kernels.FlatWriter(_names(), 99)
