"""Markdown of plain blocks by the core, and of all others by the renderer, as of the whole HTML."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagelet import parse
from pagelet.page.tags import TEXT
from pagelet.write import write_markdown
from pagelet.write.compiled_html import _flat, _write
from pagelet.write.markdown import render_markdown
from tests.build import html, page_of
from tests.cores import ask_both, twins, using
from tests.effort import ends
from tests.places import SITE
from tests.write.flat import flat_html
from tests.write.test_html_twins import wrap

pytestmark = twins

#: Signs of Markdown, what HTML escapes, what is plain, and what is plain in some places alone.
PIECES = ("a", "Word", " ", "1", "12.", ".", ")", "-", "+", "=", "#", ">", "&", "& ", "<", "!",
          "*", "_", "[", "]", "`", "~", "\\", "|", "(", ":", "/", '"', "'", "é", "漢", "\ufeff",
          "\u00a0", "\ufdd0", "\x01", "😀", "http://x.example/a_b", "&lt;", "<!--")  # fmt: skip
text = st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join).filter(str.strip)
#: Blocks and inline elements that are plain, and some that are not.
BLOCKS = st.sampled_from("p h1 h3 ul ol li li li div dl dd table blockquote details hr pre".split())
INLINE = st.sampled_from("a a b em i sup code q br".split())
HREFS = ("/x", "https://x.example/a_b", "/a b", "/a(b)", "?a=1&b=2", "", "/é", 'a"b', "Word", "a<b")
href = st.sampled_from(HREFS).map(lambda each: {"href": each})
inline = st.builds(lambda name, given, *kids: (name, given, *kids), INLINE, href, text)
lines = st.lists(text | inline, min_size=1, max_size=3)
block = st.builds(lambda name, kids: (name, *kids), BLOCKS, lines)
nested = st.builds(lambda name, kids: (name, *kids), BLOCKS, st.lists(block, max_size=4))


@settings(max_examples=600)
@given(st.lists(block | nested, min_size=1, max_size=5))
def test_any_blocks_are_written_alike(body):
    page = page_of(html(*body))
    compiled, python = ask_both(lambda: write_markdown(page, page.tag == TEXT))
    assert compiled == python


@settings(max_examples=200)
@given(st.lists(st.recursive(text, wrap, max_leaves=14), max_size=4), st.booleans())
def test_any_tree_is_written_alike(body, links):
    page = page_of(html(*body))
    compiled, python = ask_both(lambda: write_markdown(page, page.tag == TEXT, links=links))
    assert compiled == python


@pytest.mark.parametrize("path", sorted(SITE.rglob("*.html")), ids=lambda path: path.name)
def test_real_markup_is_written_alike(path):
    page = parse(path.read_bytes(), "https://pages.example/a/b")
    for share in (1.0, 0.5):
        kept = np.random.default_rng(1).random(len(page)) < share
        compiled, python = ask_both(lambda kept=kept: write_markdown(page, kept))
        assert compiled == python


PLAIN = (
    "<p>Some words, and (more) of them: 5 > 3, a & b!",
    "<h2>A heading 1.</h2><p>x<p>12 words<p>1:2",
    "<p><a href=/x>a link</a>, <a href='https://x.example/a_b?c=d'>and</a> <b>bold</b> words",
    "<p>a<ul><li>one<li><a href=/x>two</a></ul><h3>b</h3><ol><li>one<li>two"
    + "<li>x" * 9
    + "</ol>",
    "<ul><li>é<li>漢字 words</ul>",
)
RICH = (
    "<p>1. x<p>a",
    "<p>- x",
    "<p># x",
    "<p>a_b_c",
    "<p>a *b*",
    "<p>a [b] c",
    "<p>a &lt;b> c",
    "<p>a<br>b",
    "<p>a <code>b</code>",
    "<p>wow!<a href=/x>a</a>",
    "<p><a href='/a (b)'>c</a>",
    "<p><a href=https://x.example/>https://x.example/</a>",
    "<ul><li>a</ul><ul><li>b</ul>",
    "<dl><dt>a<dd><ul><li>b</ul></dl><ul><li>c</ul>",
    "<ul><li>a<p>b</ul>",
    "<ul><li>a<ul><li>b</ul></ul>",
    "<h2>a #</h2>",
    "<p>&amp;copy; a&amp;b",
)


@pytest.mark.parametrize("markup", [*PLAIN, *RICH])
def test_blocks_by_the_core_and_by_the_renderer(markup):
    page, asked = parse(markup), list[str]()
    kept = page.tag == TEXT
    with using("compiled"):
        written = write_markdown(page, kept)
        assert written == render_markdown(flat_html(page, kept))
        _write(page, kept, _flat(True)).markdown(lambda rest: asked.append(rest) or rest)
    assert bool(asked) is (markup in RICH)
    with using("python"):
        assert written == write_markdown(page, kept)


@pytest.mark.parametrize("first", ["\ufeffa", "\ufeff", "a\ufeff"])
def test_a_byte_order_mark_is_a_character_wherever_it_stands(first):
    page = page_of(html(("p", first), ("p", "b")))
    for written in ask_both(lambda: write_markdown(page, page.counted)):
        assert written == f"{first}\n\nb"


@pytest.mark.parametrize("between", ["", "<p>a"])
def test_a_code_span_of_ticks_opens_no_fence(between):
    page = parse(rf"<p><code>``</code><p>[a]{between}<pre>\. [\*</pre>")
    for written in ask_both(lambda: write_markdown(page, page.tag == TEXT)):
        assert "\n```\n\\. [\\*\n```" in written
        assert written.startswith("```")


def test_many_code_spans_of_ticks_end():
    page = parse("<p><code>``</code> some longer text" * 40_000 + "<p>[a]")
    with ends():
        for written in ask_both(lambda: write_markdown(page, page.tag == TEXT)):
            assert written.count("some longer text") == 40_000


def test_what_the_renderer_raises_is_raised():
    page = parse("<p>a<p>b_c")
    with using("compiled"):
        writer = _write(page, page.tag == TEXT, _flat(True))
    with pytest.raises(ZeroDivisionError):
        writer.markdown(lambda html: 1 / 0)
    with pytest.raises(TypeError):
        writer.markdown(lambda html: b"")
