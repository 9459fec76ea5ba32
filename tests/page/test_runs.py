"""Flat runs: lists, lines and rows that are records together, by hand and against a plain twin."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import parse
from pagelet.page.runs import Siblings, find_runs
from pagelet.page.textblocks import readable_texts
from tests.build import html, page_of
from tests.naive import runs as naive

TERMS = "<dl><dt>A</dt><dd class=x>a</dd><dd>1</dd><dt>B</dt><dd>2</dd></dl>"
LINES = "<td><a>A</a> - one<br><a>B</a> - two<br><a>C</a> - three"
HEADED = "<h2>Top</h2><p>0<h3>A</h3><p>1<p>2<h3>B</h3><p>3<h2>Low</h2><h3>C</h3><p>4"
NEWS = "<tr class=thing><td>1<td>A<tr><td>by me<tr class=thing><td>2<td>B<tr><td>by you"
STRIPED = "<tr class=a><td>1<td>A<tr class=b><td>2<td>B<tr class=a><td>3<td>C<tr class=b><td>4<td>D"


def parts_of(source: str, path: str) -> list[list[str]]:
    page = parse(source)
    runs = find_runs(Siblings.of(page, readable_texts(page)), [page.row(path)])
    return [
        [page.inner_text(row) or page.text(row).strip() for row in rows]
        for run in runs
        for rows in run.parts
    ]


@pytest.mark.parametrize(
    ("source", "path", "expected"),
    [
        pytest.param(TERMS, "dl", [["A", "a", "1"], ["B", "2"]], id="a term leads"),
        pytest.param(
            "<dl><dt>A<dt>B<dd>1<dt>C<dd>2</dl>", "dl", [["A", "B", "1"], ["C", "2"]],
            id="terms in a row are one beginning",
        ),
        pytest.param(
            f"<table><tr>{LINES}</table>", "table/tbody/tr/td",
            [["A", "- one"], ["B", "- two"], ["C", "- three"]], id="lines",
        ),
        pytest.param(
            "<div><b>A</b><br>one<br>two<br><b>B</b><br>three</div>", "div",
            [["A", "one", "two"], ["B", "three"]], id="several lines a record",
        ),
        pytest.param(
            "<div>A<br>one<br><br>B<br>two<hr>C</div>", "div", [["A", "one"], ["B", "two"], ["C"]],
            id="blank lines and rules divide",
        ),
        pytest.param(
            f"<div>{HEADED}</div>", "div", [["A", "1", "2"], ["B", "3", "Low"], ["C", "4"]],
            id="the heading that makes most parts leads",
        ),
        pytest.param(
            f"<table>{NEWS}{NEWS}</table>", "table/tbody",
            [["1 A", "by me"], ["2 B", "by you"]] * 2,
            id="rows of one tag, in strict order",
        ),
        pytest.param(f"<table>{STRIPED * 2}</table>", "table/tbody", [], id="stripes are no run"),
        pytest.param("<ul><li>A<li>B<li>C</ul>", "ul", [], id="one look is no run"),
        pytest.param(
            "<ul><li class=x>A<li>B<li class=x>C<li>D<li>E<li class=x>F</ul>", "ul", [],
            id="kinds of one tag are no run",
        ),
        pytest.param("<p>A <a>b</a> c <a>d</a> e</p>", "p", [], id="links in prose are no run"),
        pytest.param("<p>Street<br>Town<br>Land</p>", "p", [], id="lines of bare text are no run"),
        pytest.param("<p>One<br><br>Two</p>", "p", [], id="two paragraphs are no run"),
    ],
)  # fmt: skip
def test_parts(source, path, expected):
    assert parts_of(source, f"/html/body/{path}") == expected


CHILDREN = (
    "text", ("br",), ("br",), ("hr",), ("a", "link"), ("b", "bold"), ("dt", "term"),
    ("dd", "meaning"), ("dd", {"class": "x"}, "other"), ("h3", "head"), ("h2", "big"),
    ("p", "words"), ("p", {"class": "first"}, "words"), ("p", ("br",), ("b", "deep"), ("i", "x")),
    ("div", {"class": "x"}, ("p", "a"), ("p", "b")), ("div", "bare"),
    ("div", {"class": "y"}, ("p", "a"), ("p", "b")), ("span", ""),
    ("div", {"class": "z"}, ("p", "a"), ("b", "b")),
)  # fmt: skip


@given(
    st.lists(st.sampled_from(CHILDREN), max_size=14)
    | st.lists(st.sampled_from(CHILDREN), min_size=1, max_size=4).map(lambda kids: kids * 3)
)
def test_runs_equal_the_plain_walk(children):
    page = page_of(html(("div", *children)))
    rows = np.flatnonzero(page.element & page.counted).tolist()
    found = {run.row: run.parts for run in find_runs(Siblings.of(page, readable_texts(page)), rows)}
    assert found == {row: parts for row in rows if (parts := naive.parts(page, row))}
