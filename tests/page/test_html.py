"""Bytes and str to a Page: encodings, shadow roots, odd characters, and the parser's own tree."""

import codecs
import gc

import pytest
import turbohtml
from hypothesis import assume, example, given
from hypothesis import strategies as st
from turbohtml import CData, Element, Text

from pagelet import parse
from pagelet.page.binary import describe_binary
from pagelet.page.html import decode
from tests.build import to_html, trees

RUSSIAN = "Привет, мир! Это русская страница о погоде, новостях и спорте в нашем городе."
JAPANESE = "日本語のページです。今日は天気がいいですね。"
FRENCH = "Élève à l'école, où ça ?"


def late_meta(charset: str) -> str:
    """A head whose meta stands behind the first kilobyte."""
    return f"<!doctype html><!--{'x' * 2000}--><meta charset={charset}><p>"


# -- encodings --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "charset", "expected"),
    [
        pytest.param(FRENCH.encode(), None, FRENCH, id="UTF-8 without a word"),
        pytest.param(codecs.BOM_UTF8 + FRENCH.encode(), None, FRENCH, id="UTF-8 mark"),
        pytest.param(
            codecs.BOM_UTF16_LE + FRENCH.encode("utf-16-le"), None, FRENCH, id="UTF-16 LE"
        ),
        pytest.param(
            codecs.BOM_UTF16_BE + FRENCH.encode("utf-16-be"), None, FRENCH, id="UTF-16 BE"
        ),
        pytest.param(
            codecs.BOM_UTF16_LE + FRENCH.encode("utf-16-le"),
            "windows-1252",
            FRENCH,
            id="a mark outweighs the header",
        ),
        pytest.param(RUSSIAN.encode("koi8-r"), "koi8-r", RUSSIAN, id="header"),
        pytest.param(
            RUSSIAN.encode("koi8-r"), " KOI8-R ", RUSSIAN, id="header, capitals and spaces"
        ),
        pytest.param(
            FRENCH.encode("latin-1"), "iso-8859-1", FRENCH, id="latin-1 as browsers read it"
        ),
        pytest.param(b"\x80", "iso-8859-1", "€", id="latin-1 is windows-1252"),
        pytest.param(FRENCH.encode(), "windows-1252", FRENCH, id="wrong header, valid UTF-8"),
        pytest.param(JAPANESE.encode("shift_jis"), "shift_jis", JAPANESE, id="shift_jis"),
        pytest.param(JAPANESE.encode("iso-2022-jp"), None, JAPANESE, id="ISO-2022-JP detected"),
        pytest.param(RUSSIAN.encode("windows-1251"), None, RUSSIAN, id="windows-1251 detected"),
        pytest.param(RUSSIAN.encode("windows-1251"), "nonsense-9", RUSSIAN, id="unknown label"),
        pytest.param(RUSSIAN.encode("windows-1251"), "", RUSSIAN, id="empty label"),
        pytest.param(RUSSIAN.encode("windows-1251"), "a\0b", RUSSIAN, id="label with NUL"),
        pytest.param(RUSSIAN.encode("windows-1251"), "кои8", RUSSIAN, id="label beyond ASCII"),
        pytest.param(f"a\0{FRENCH}".encode(), None, f"a\0{FRENCH}", id="UTF-8 with a NUL"),
        pytest.param(f"a\x1b{FRENCH}".encode(), None, f"a\x1b{FRENCH}", id="UTF-8 with an escape"),
        pytest.param(b"", None, "", id="no bytes"),
        pytest.param(b"", "utf-8", "", id="no bytes, a header"),
    ],
)
def test_decode(data, charset, expected):
    assert decode(data, charset) == expected


@pytest.mark.parametrize(
    ("head", "charset", "text"),
    [
        pytest.param("<meta charset=shift_jis><p>", "shift_jis", JAPANESE, id="early meta"),
        pytest.param(late_meta("shift_jis"), "shift_jis", JAPANESE, id="late meta"),
        pytest.param(late_meta("koi8-r"), "koi8-r", RUSSIAN, id="late meta, Cyrillic"),
        pytest.param(
            late_meta("windows-1253"), "windows-1253", "αβ", id="late meta, nothing to guess by"
        ),
        pytest.param(
            '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251"><p>',
            "windows-1251",
            RUSSIAN,
            id="http-equiv",
        ),
        pytest.param("<meta charset=utf-16><p>", "utf-8", FRENCH, id="a meta cannot mean UTF-16"),
        pytest.param("<meta charset=koi8-r><p>", "utf-8", RUSSIAN, id="wrong meta, valid UTF-8"),
    ],
)
def test_meta(head, charset, text):
    page = parse(head.encode("ascii") + text.encode(charset))
    assert page.texts[-1] == text


def test_the_header_outweighs_the_meta():
    page = parse(b"<meta charset=shift_jis><p>" + RUSSIAN.encode("koi8-r"), charset="koi8-r")
    assert page.texts[-1] == RUSSIAN


@given(
    st.binary(max_size=60), st.sampled_from([None, "utf-8", "big5", "gb18030", "euc-jp", "utf-16"])
)
def test_any_bytes_become_a_page(data, charset):
    assume(describe_binary(data) is None)  # those are refused
    page = parse(data, charset=charset)
    assert page.body >= 0
    page.source.encode()  # nothing that no encoding can carry


@given(st.text(max_size=60))
@example("\ud800")
@example("a\0b")
@example("\ufeff<p>x")
def test_any_text_becomes_a_page(text):
    page = parse(text)
    assert page.body >= 0
    "".join(page.texts).encode()


# -- odd characters ---------------------------------------------------------------------------


def test_lone_surrogates_are_replaced():
    page = parse('<p title="\udfff">a\ud800b')
    assert page.texts == ("a\ufffdb",)
    assert page.attribute("title") == {3: "\ufffd"}


def test_pairs_of_surrogates_stay():
    assert parse("<p>😀").texts == ("😀",)


def test_nul_in_text_is_dropped_as_browsers_do():
    assert parse("<p>a\0b").texts == ("ab",)


def test_nul_in_a_script_is_replaced_as_browsers_do():
    assert parse("<script>a\0b</script>").texts == ("a\ufffdb",)


# -- shadow roots -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "template",
    [
        pytest.param('<template shadowrootmode="open">', id="plain"),
        pytest.param("<template shadowrootmode=closed>", id="no quotes"),
        pytest.param('<template id="t" shadowrootmode="open" class="c">', id="among others"),
        pytest.param("<TEMPLATE SHADOWROOTMODE=OPEN>", id="capitals"),
        pytest.param('<template\nshadowrootmode="open">', id="on a new line"),
        pytest.param('<template title="a > b" shadowrootmode="open">', id="after a > in a value"),
        pytest.param(
            f'<template title="{"t" * 300}" shadowrootmode="open">', id="after a long value"
        ),
    ],
)
def test_shadow_roots_are_kept_and_counted(template):
    page = parse(f"<div>{template}<p>inside</p></template></div>")
    assert page.texts == ("inside",)
    assert page.counted[page.row("/html/body/div/template/p")]


def test_inert_templates_are_kept_but_not_counted():
    page = parse("<div><template><p>inside</p></template></div>")
    assert page.texts == ("inside",)
    assert not page.counted[page.row("/html/body/div/template/p")]


def test_words_about_shadow_roots_stay_as_written():
    written = '<template shadowrootmode="open">'
    assert parse(f"<textarea>{written}</textarea>").texts == (written,)


# -- the parser's own tree --------------------------------------------------------------------


def own_tree(source: str) -> list[tuple[int, str, dict[str, str]]]:
    """Depth, name or text, and attributes, by a walk over the parser's nodes."""
    found = []

    def visit(node, depth):
        if isinstance(node, Element):
            found.append((depth, node.tag, {key: node.attr(key) or "" for key in node.attrs}))
        elif isinstance(node, Text | CData) and node.data.strip():
            found.append((depth, node.data, {}))
        for child in getattr(node, "children", ()):
            is_row = isinstance(node, Element)
            visit(child, depth + is_row)

    visit(turbohtml.parse(source, positions=False, allow_declarative_shadow_roots=False), 0)
    return found


def columns_tree(page):
    rows = range(len(page))
    return [
        (int(page.depth[row]), page.name(row) or page.text(row), page.attributes_of(row))
        for row in rows
    ]


@given(trees)
@example(("body", ("table", ("p", "moved out"), ("tr", ("td", "x")))))
@example(("body", ("p", ("div", "closes the p"), "after")))
@example(("body", ("a", {"href": "/"}, ("a", {"href": "/"}, "no link in a link"))))
def test_any_page_equals_the_parsers_tree(tree):
    source = to_html(tree)
    assert columns_tree(parse(source)) == own_tree(source)


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("", id="nothing"),
        pytest.param("<svg><a><path/></a><text>t<![CDATA[cd]]></text></svg>", id="svg"),
        pytest.param("<math><mi>x</mi><annotation-xml encoding=text/html><p>y", id="mathml"),
        pytest.param("<svg><foreignObject><div>x<svg><g/></svg></div>", id="foreign and back"),
        pytest.param("<frameset><frame><noframes><p>x</p></noframes></frameset>", id="frameset"),
        pytest.param("a<p>b<i>c<p>d</i>e<b>f<p>g", id="formatting that overlaps"),
        pytest.param("<table>x<tr>y<td>z</table>", id="texts pushed out of a table"),
        pytest.param("<plaintext><p>all text", id="plaintext"),
        pytest.param("<noscript><p>x</p></noscript>", id="noscript is parsed"),
        pytest.param("<head><noscript><link></noscript><p>x", id="noscript in head"),
        pytest.param(
            "<!doctype html><!-- c --><?pi x?><p>x<!-- c -->y", id="comments split a text"
        ),
        pytest.param("<template><tr><td>x</td></tr></template>", id="template of rows"),
        pytest.param("\ufeff<p>mark in a str", id="a mark in a str"),
        pytest.param("<p>a\r\nb\rc", id="line ends"),
        pytest.param("<p title>x<p title=''>y<input disabled>", id="attributes without values"),
    ],
)
def test_a_page_equals_the_parsers_tree(source):
    assert columns_tree(parse(source)) == own_tree(source)


def test_the_collector_is_left_as_it_was():
    parse("<p>x")
    assert gc.isenabled()
    gc.disable()
    try:
        parse("<p>x")
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_url_and_source_are_kept():
    page = parse("<p>x", url="https://example.org/a")
    assert (page.url, page.source) == ("https://example.org/a", "<p>x")
