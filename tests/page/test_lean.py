"""Lean pages against those of the parser: the same columns, texts and attributes."""

import pickle
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagelet import Page, core, extract, parse
from pagelet.page.builder import make_builder
from pagelet.page.expansion import MAX_NODES, count_copies
from pagelet.page.html import _fill_with_shadows, parse_whole
from pagelet.page.lean import LeanPage, make_tree
from pagelet.page.table import WANTED, same_page
from tests.cores import twins, using
from tests.page.test_builder_twins import PIECES

pytestmark = twins

WRITTEN = sorted(Path("tests/pages").glob("*/page.html"))
NAMES = (*WANTED, "src", "title", "viewBox", "no-such-name")


def assert_alike(source):
    with using("compiled"):
        lean, whole = (read(source, "https://example.org/") for read in (parse, parse_whole))
    for name in NAMES:
        assert list(lean.attribute(name).items()) == list(whole.attribute(name).items())
        rows, numbers, values = lean.distinct(name)
        twin = whole.distinct(name)
        assert values == twin[2]
        assert rows.tolist() == twin[0].tolist()
        assert numbers.tolist() == twin[1].tolist()
    assert same_page(lean, whole)
    return lean


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.parent.name)
def test_pages_that_somebody_wrote(path):
    assert type(assert_alike(path.read_bytes())) is LeanPage


#: What is told apart by the tokenizer or by the tree.
ODD_PIECES = (
    "<p id>", "<p class=x id=y>", "<p class='a&amp;b' title=\"&quot;&copy=1&copy\">", "&nbsp;",
    "&amp;", "&notit;", "AT&T", "&#8217;", "&#x80;", "&#0;", "&#xD800;", "&#x1F600;", "\u00e0",
    "\u20ac", "\U0001f600", "\u00a0", "\r\n", "<script>", "</script>", "<script>a<b && c\r\nd;"
    " // some text that is long enough to be cut out</script>", "<!--", "-->", "--!>", "<!-->",
    "<!-- a comment -->", "<style>p > a { color: red; background: blue; }</style>", "<style>",
    "</style>", "<svg>", "</svg>", "<svg/>", "<svg a=b/>", "<math>", "</math>", "<mi>", "<desc>",
    "<foreignObject>", "</foreignObject>", "<annotation-xml encoding=text/html>", "<mglyph>",
    "<![CDATA[ a & b ]]>", "<select>", "</select>", "<textarea>", "</textarea>", "<title>",
    "</title>", "<xmp>", "</xmp>", "<iframe>", "</iframe>", "<noscript>", "</noscript>",
    "<plaintext>", "<frameset>", "<template>", "</template>", "<pre>\n", "</pre>", "<keygen>",
    "<input type=hidden>", "<input type='hidden'>", "<table>", "<tr>", "<td>", "</table>",
    "<o:p>", "<a b\"c=d <e>", "<a =x>", "<b/ >", "<?php x ?>", "<!doctype html>", "</ x>", "<1",
    "&#10;", "&Tab;", "<p title='a&#10;b&#x20;'>", "<col>", "<title lang='x>y'>", "<b<c>",
    "<p\x0b>", "<p hidden=\">\">", "<html a=1 LANG=x>", "<html lang=y b=2>", "<body c c=3 ID=z>",
    "<svg viewbox=1 ViewBox=2 xlink:HREF=x>", "<path pathlength=3 xml:lang=e />", "</br a=1>",
    "<p viewBox=1>",
    "<p SRC='a&#13;b\r\n' src=2 t\u00efTLE=\u00e9>", "<b a=&lt;1 /c/d=>", "<i x=a/>",
)  # fmt: skip


#: Elements for which tree construction has rules, and some for which it has none.
ELEMENTS = """
a address article b base body br button caption center col colgroup dd desc dialog div dl dt em
font foreignObject form frame g h1 h2 head hr html i iframe img input li link listing main marquee
meta nobr noframes noscript object ol optgroup option p path pre rb rp rt rtc ruby script search
section select span style svg table tbody td template textarea tfoot th thead title tr ul x-y xmp
""".split()
TEXTS = (" ", "x", "\n", " y ", "<!-- z -->", "&amp;", "\r\n")
TAGS = [
    form.format(name)
    for name in ELEMENTS
    for form in ("<{}>", "</{}>", "<{} class=a>", "<{} ID='b' class=c/>")
]


@given(st.lists(st.sampled_from([*PIECES, *ODD_PIECES]), max_size=30).map("".join))
def test_pieces_in_any_order(source):
    assert_alike(source)
    assert_alike(source.encode())


#: Sources of a few kinds of tags, which meet more often than if all were drawn.
sources = st.lists(st.sampled_from(ELEMENTS), min_size=2, max_size=7).flatmap(
    lambda names: st.lists(
        st.sampled_from([*(tag for tag in TAGS if re.search(r"[\w-]+", tag)[0] in names), *TEXTS]),
        max_size=40,
    ).map("".join)
)


@given(st.sampled_from(["", "<!doctype html>", "<table>"]), sources)
def test_tags_in_any_order(start, source):
    assert_alike(start + source)


REFERENCES = ("", "copy", "amp", "Auml", "lang", "notin", "notit", "x", "1", "#", "#65", "#x41")


@pytest.mark.parametrize("name", REFERENCES)
@pytest.mark.parametrize("behind", ["", ";", "=", "=1", " ", "x", "1", "&", "-", "\u00e4", "\r\n"])
def test_references_in_values_and_texts(name, behind):
    written = f"a&{name}{behind}"
    assert_alike(f"<a title='{written}' href=\"?{written}&{name}=\" class={name}>{written}</a>")


@given(
    st.lists(
        st.sampled_from(["<b>", "<i a=1 b=2>", "</b>", "</i>", "<nobr>", *TAGS, *ODD_PIECES]),
        max_size=40,
    ).map("".join)
)
def test_what_may_be_copied_is_never_underrated(source):
    """A tree that the parser might blow up is counted again, whatever the limit."""
    copies = count_copies(source)
    tree = make_tree(source.encode(), copies - 1)
    assert copies == 0 or not tree.build() or tree.may_expand


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("<p>&#10;a &notit; &amp &#x80;", True, id="references"),
        pytest.param("<textarea>&#10;a</textarea>", True, id="white space in a field"),
        pytest.param("<b><p>a</b>b<i>c</p>d", True, id="misnested"),
        pytest.param("<table>a<tr>b<td>c</table>", True, id="text out of a table"),
        pytest.param("<table><input type='hidden'><tr><td>a</table>", True, id="input in a table"),
        pytest.param("<table><input type='hidden'>\u20ac</table>", True, id="… of a wide page"),
        pytest.param("<table><col></col><col><tr>", True, id="end tag of a column"),
        pytest.param("<svg><title><b>a</svg>b", True, id="HTML in SVG"),
        pytest.param("<svg> </body><?x?>a", True, id="comment in SVG behind the body"),
        pytest.param("<template><p>a</template>", True, id="template"),
        pytest.param(b"\xef\xbb\xbf<p>a", True, id="byte-order mark"),
        pytest.param("<!-- a", True, id="comment without an end"),
        pytest.param(
            "<p>" * 100 + "<a " + " ".join(f"a{at}=1" for at in range(60)),
            False,
            id="tag without an end",
        ),
        pytest.param(
            "<a " + " ".join(f"a{at}=1" for at in range(99)) + ">", False, id="attributes"
        ),
        pytest.param(f"<{'x' * 99}>", False, id="long name"),
        pytest.param("<script><!--<script></script>--></script>", False, id="script in a script"),
        pytest.param("<plaintext>a", False, id="no end"),
        pytest.param("<div>" * 600 + "a", False, id="deeper than the parser goes"),
        pytest.param("a</body><html><!-- b -->c", False, id="root behind the body"),
        pytest.param("<math><mi>a", False, id="MathML"),
        pytest.param("<svg><![CDATA[a]]>", False, id="CDATA section"),
        pytest.param("<p>a</>b", False, id="end tag without a name"),
        pytest.param("a<image>", False, id="old name of a picture"),
        pytest.param("<frameset>", False, id="frames"),
        pytest.param("<!doctype html public 'x'><p><table>", False, id="unclear doctype"),
        pytest.param("<template><tr>a</template>", False, id="row in a template"),
        pytest.param("<template shadowrootmode=open>a</template>", False, id="shadow root"),
        pytest.param("a\0b", False, id="NUL"),
        pytest.param(b"a\xff", False, id="no UTF-8"),
    ],
)
def test_which_pages_are_lean(source, expected):
    assert (type(assert_alike(source)) is LeanPage) is expected


def test_line_ends_of_scripts_are_normalised_when_somebody_reads_them():
    script = "a && b;\r\n// some text that is long enough to be cut out"
    with using("compiled"):
        page = parse(f"<script>{script}</script><p>c")
    assert page.texts[0] == script.replace("\r\n", "\n")
    assert page.texts[-1] == "c"
    assert page.texts[:1] == (page.texts[0],)
    with pytest.raises(IndexError):
        page.texts[2]


def test_wanted_attributes_are_kept_when_the_page_is_parsed():
    with using("compiled"):
        page = parse('<p class="a b" id=x hidden data-other=1>text')
    assert page.attribute("class") == {3: "a b"}
    assert page.attribute("hidden") == {3: ""}
    assert page.attributes_of(3)["data-other"] == "1"


def test_without_the_compiled_core_it_is_a_page_as_any_other():
    with using("python"):
        assert type(parse("<p>x")) is not LeanPage


def test_elsewhere_a_lean_page_is_a_page_as_any_other():
    with using("compiled"):
        page = parse('<p class=a Title="b&amp;c">x', "https://example.org/")
        copy = pickle.loads(pickle.dumps(page))
    assert type(copy) is Page
    assert type(copy.texts) is type(copy.attrs) is tuple
    assert same_page(page, copy)
    assert not copy.tag.flags.writeable


@pytest.mark.parametrize("number", [-1, len(WANTED)])
def test_an_attribute_that_is_not_kept_is_refused(number):
    with using("compiled"):
        nodes = parse("<p>x").wanted
    for ask in (nodes.count_rows, nodes.values_of):
        with pytest.raises(IndexError):
            ask(number)
    assert tuple(WANTED) == core.kernels.WANTED_ATTRIBUTES


@pytest.mark.parametrize(
    "source",
    [
        "<p><template shadowrootmode=open><p>in</p></template>out",
        "<div><TEMPLATE SHADOWROOTMODE=open>A<b a='shadowRootMode'>x</b></TEMPLATE></div>",
        "<script>'<template shadowRootMode>'</script><template shadowRootMode=open>x</template>",
        "<template shadowrootmode=open><template shadowrootmode=x>x</template>\ue000</template>",
        "<shadowrootmode><template class=shadowrootmode shadowrootmode=x>shadowrootmode</template>",
    ],
)
@pytest.mark.parametrize("name", ["compiled", "python"])
def test_declared_shadow_roots_are_as_in_the_tree_of_the_parser(source, name):
    with using(name):
        page = parse(source)
        builder = make_builder(MAX_NODES, "the page")
        _fill_with_shadows(source, builder)
    assert same_page(replace(builder.page(), source=source), page)
    assert page.attribute("shadowrootmode")


@pytest.mark.parametrize("form", ["json", "json-compact", "markdown", "html", "csv", "tei"])
@pytest.mark.parametrize("path", WRITTEN[::12], ids=lambda path: path.parent.name)
def test_every_format_is_that_of_the_whole_page(path, form):
    html, url = path.read_text(errors="replace"), "https://example.org/a"
    assert extract(html, url, format=form) == extract(parse_whole(html, url), format=form)
