"""Clean HTML for Markdown by both cores."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagelet import core, parse
from pagelet.page.tags import TEXT
from pagelet.write.compiled_html import _choose_rows, _names, _tag_bits, flat_html
from pagelet.write.html import Style, html_of_rows
from tests.build import html, page_of
from tests.cores import ask_both, twins, using
from tests.places import SITE

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
    ],
)
def test_written_by_the_core_as_by_python(markup):
    page = parse(markup)
    with using("compiled"):
        compiled = flat_html(page, page.tag == TEXT)
    assert compiled == html_of_rows(page, page.tag == TEXT, FLAT)
    assert "a" in compiled


def test_rows_that_are_rare_are_left_to_python():
    page = parse("<p>a</p><hr><table><tr><td>b</td></tr></table><pre>c</pre>")
    said = [page.text(row).strip() for row in range(len(page))]
    kept = np.array([text == "a" for text in said])
    assert _choose_rows(page, kept) is not None
    for text in "bc":
        assert _choose_rows(page, kept | (np.array(said) == text)) is None


def test_what_does_not_fit_is_refused():
    page = page_of(html(("p", "a"), ("p", "b")))
    columns, none = (page.tag, page.size, page.parent), np.zeros(0, np.intp)
    marks = np.zeros(len(page), np.uint8)
    with pytest.raises(ValueError, match="fit"):
        core.kernels.choose_written(columns, marks[1:], _tag_bits(), page.foreign, none)
    with pytest.raises(IndexError, match="exist"):
        core.kernels.choose_written(
            columns, marks, _tag_bits(), page.foreign, np.array([len(page)])
        )
    for rows in ([2, 1], [99], [-1]):
        writer = core.kernels.FlatWriter(_names(), 32)
        visited, gaps = np.array(rows, np.int32), np.zeros(9, np.uint8)
        with pytest.raises(IndexError, match="rows"):
            writer.write(columns[:2], visited, page.texts, page.ordinal, gaps, {}, {}, None)
    with pytest.raises(ValueError, match="room"):
        core.kernels.FlatWriter(_names(), 99)
