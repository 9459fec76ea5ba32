"""Inline texts that touch: neighbours seen apart, sub- and superscripts, marks of Markdown."""

import re

import pytest
from hypothesis import given

from pagelet import parse
from pagelet.page.tags import TEXT
from pagelet.write import write_html, write_markdown, write_text
from tests.build import page_of
from tests.effort import ends
from tests.write.excerpts import choices, chosen, read, trees


def text_of(source: str) -> str:
    return write_text(*read(source))


def markdown_of(source: str) -> str:
    return write_markdown(*read(source))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("<span>SKU: PCS9K1WS</span><span>MFR: DC</span>", "SKU: PCS9K1WS MFR: DC"),
        pytest.param("<label>Size</label><span>M</span>", "Size M", id="label and value"),
        pytest.param("<a href=/a>One</a><a href=/b>Two</a>", "One Two", id="links in a row"),
        pytest.param("<span class=n>1.</span><cite>Xie</cite>", "1. Xie", id="number and entry"),
        pytest.param("<b><i>Price</i></b><span><b>$20</b></span>", "Price $20", id="nested"),
        pytest.param("<table><tr><td>a<td>b</table>", "a\tb", id="cells"),
        pytest.param("<span style='display:inline-block'>Mon</span>Tue", "Mon Tue", id="by style"),
        pytest.param("a<span style='display: block'>b</span>c", "a\nb\nc", id="block by style"),
    ],
)
def test_neighbours_that_are_seen_apart_are_written_apart(source, expected):
    assert text_of(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("<span>T</span>he", id="a first letter"),
        pytest.param("<span>T</span><span>he</span>", id="a first letter in its element"),
        pytest.param("<span>H</span><span>e</span><span>y</span>", id="letter by letter"),
        pytest.param("<span>child</span><span>ren</span>", id="one word in two"),
        pytest.param("<b>bold</b>er", id="a part of a word"),
        pytest.param("chair<a href=/x>s</a>", id="a linked ending"),
        pytest.param("<code><span>self</span><span>Name</span></code>", id="code"),
        pytest.param("<span>functools.</span><span>cache</span>", id="a dotted name"),
        pytest.param("<span>東京</span><span>タワー</span>", id="no spaces in Japanese"),
        pytest.param("<span>one</span><span>, two</span>", id="a comma"),
    ],
)
def test_one_word_stays_one(source):
    page = parse(source)
    assert text_of(source) == "".join(page.texts)


@pytest.mark.parametrize(
    ("source", "text", "markdown"),
    [
        ("10<sup>24</sup> kg", "10^24 kg", "10<sup>24</sup> kg"),
        ("10<sup>-3</sup>", "10^-3", "10<sup>-3</sup>"),
        ("2<sup>n</sup>", "2^n", "2<sup>n</sup>"),
        ("x<sup>n+1</sup>y", "x^(n+1)y", "x<sup>n+1</sup>y"),
        ("x<sup><i>n</i>+1</sup>", "x^(n+1)", "x<sup>*n*+1</sup>"),
        ("5 m<sup>2</sup>", "5 m^2", "5 m<sup>2</sup>"),
        ("H<sub>2</sub>O", "H2O", "H<sub>2</sub>O"),
        ("x<sub>i</sub>", "x_i", "x<sub>i</sub>"),
        ("101<sub>2</sub>", "101_2", "101<sub>2</sub>"),
        ("the 5<sup>th</sup>", "the 5th", "the 5th"),
        ("le 2<sup>e</sup>", "le 2e", "le 2e"),
        ("Acme<sup>®</sup>", "Acme®", "Acme®"),
        ("Acme<sup>TM</sup>", "AcmeTM", "AcmeTM"),
        ("said<sup>[1]</sup>", "said[1]", "said[1]"),
        ("said <sup>1</sup>", "said 1", "said 1"),
    ],
)
def test_scripts_keep_their_meaning(source, text, markdown):
    assert text_of(f"<p>{source}</p>") == text
    assert markdown_of(f"<p>{source}</p>") == markdown
    assert write_html(*read(f"<p>{source}</p>")) == f"<p>{source}</p>"


def test_a_linked_note_is_no_power():
    source = "<p>said<sup><a href=#n>1</a></sup>"
    assert text_of(source) == "said1"
    assert markdown_of(source) == "said[1](https://example.org/dir/page.html#n)"


@given(trees, choices)
def test_scripts_add_signs_and_change_nothing_else(tree, bits):
    page = page_of(tree)
    kept = chosen(page, bits) & (page.tag == TEXT)
    bare = re.compile(r"[\s^_()]")
    texts = "".join(page.text(row) for row in kept.nonzero()[0].tolist())
    assert bare.sub("", write_text(page, kept)) == bare.sub("", texts)


# -- Markdown ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("これは<strong>重要</strong>です", "これは**重要**です"),
        ("これは<em>重要</em>です", "これは*重要*です"),
        ("中文<b>「粗体」</b>文字", "中文「**粗体**」文字"),
        ("한국<b>굵게</b>어", "한국**굵게**어"),
        ("<b>x:</b>y", "**x**:y"),
        ("<b>x: </b>y", "**x:** y"),
        ("<b>a</b><b>b</b>c", "**ab**c"),
        ("<i>a</i><b>b</b>", "a**b**"),
        ("<b>a <i>b</i></b>", "**a *b***"),
        ("字<b><a href=/x>a</a></b>字", "字[a](https://example.org/x)字"),
        ("<b>!</b>", "**!**"),
        ("a <del>b</del>c", "a ~~b~~c"),
        ("旧<s>価格</s>新", "旧~~価格~~新"),
    ],
)
def test_emphasis_is_markdown_that_parsers_recognise(source, expected):
    assert markdown_of(f"<p>{source}</p>") == expected
    assert "<strong>" not in expected


@pytest.mark.parametrize(
    "text",
    [
        *(
            "24.2MP",
            "1.5 kg",
            "+1 b",
            "#tag",
            "-5 °C",
            "a_b_c",
            "Price*",
            "2 * 3",
            "~ 5",
            "[a] b c",
        ),
        *("see [1] and [2]", "one `tick", "a - b", "x = y", "3) x", "c# code", "foo [sic] bar"),
    ],
)
def test_no_needless_escapes(text):
    if text not in ("[a] b c", "3) x"):
        assert markdown_of(f"<p>{text}</p>") == text
    assert "\\" not in markdown_of(f"<p>so {text}</p>")


@pytest.mark.parametrize(
    "text",
    [
        *("1. a", "- a", "+ a", "# a", "> a", "---", "===", "*a*", "__a__", "[a](b)", "5*3*2"),
        *("`a`", "~a~", "&amp;amp;", "&lt;b>", "* a", "[x] a", "1) a"),
    ],
)
def test_needed_escapes_stay(text):
    assert "\\" in markdown_of(f"<p>{text}</p>")


def test_code_keeps_its_backslashes():
    source = r"<p>a\.b <code>x\*y \_z</code></p><pre>a\.b\-c</pre><ul><li><pre>\.</pre></ul>"
    found = markdown_of(source)
    assert r"`x\*y \_z`" in found
    assert "```\na\\.b\\-c\n```" in found
    assert "\\.\n" in found


def test_code_points_that_stand_for_emphasis_do_no_harm():
    assert markdown_of("<p>a\ufdd0b<b>c</b></p>") == "a\ufffdb**c**"


@pytest.mark.parametrize("piece", ["a_b*c ", "<b>x</b>! ", "[a ", "1. ", "x<sup>2</sup>", "*"])
def test_long_paragraphs_take_no_longer(piece):
    with ends():
        assert markdown_of(f"<p>{piece * 20_000}</p>")
